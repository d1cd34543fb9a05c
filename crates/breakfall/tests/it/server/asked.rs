//! A question reaches the user where the client can show a form: as a request of the server in the legacy protocol, as an
//! input that the call requires in the modern one.

use breakfall::server::Guard;
use breakfall::{Elicitation, Fault, Outcome};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::{schemars, tool, tool_router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::log::Log;
use super::wire::{Era, Wire};

#[derive(Clone)]
struct Till;

#[derive(Deserialize, schemars::JsonSchema)]
struct Closing {
    till: Option<String>,
    count: Option<u32>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Order {
    id: String,
}

#[tool_router(server_handler)]
#[expect(clippy::unused_self, reason = "the SDK asks for methods")]
impl Till {
    /// Asks which till, then how much is in it.
    #[tool]
    fn close(&self, Parameters(sent): Parameters<Closing>) -> Result<String, Outcome> {
        let Some(till) = sent.till else {
            let asks = Elicitation::new("Which till?").reason("There are two.");
            return Err(asks.field("till").suggest("till", ["left", "right"]).into());
        };
        let Some(count) = sent.count else {
            return Err(Elicitation::new("How much is in it?").field("count").into());
        };
        Ok(format!("{till}: {count}"))
    }

    /// Does not find the order, and lets the user correct it.
    #[tool]
    fn cancel(&self, Parameters(Order { id }): Parameters<Order>) -> Result<String, Fault> {
        match id.as_str() {
            "17" => Ok("cancelled".to_owned()),
            other => Err(Fault::not_found("order", other).or_ask("id", ["17", "70"])),
        }
    }

    /// Asks for what no form asks for.
    #[tool]
    fn unlock(&self) -> Result<String, Elicitation> {
        Err(Elicitation::new("Your password?").field("password"))
    }
}

fn forms() -> Value {
    json!({"elicitation": {}})
}

fn reply(action: &str, content: &Value) -> Value {
    let mut reply = json!({"action": action});
    if content.is_object() {
        reply["content"] = content.clone();
    }
    reply
}

#[tokio::test(start_paused = true)]
async fn a_legacy_client_is_asked_and_the_handler_called_with_the_answers() {
    let log = Log::default();
    let mut wire = Wire::with(log.on(Guard::new(Till)), Era::Legacy, forms()).await;
    let call = wire
        .send("tools/call", json!({"name": "close", "arguments": {}}))
        .await;
    let asked = wire.receive().await;
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    assert_eq!(asked["params"]["message"], "Which till?");
    let schema = &asked["params"]["requestedSchema"];
    assert_eq!(
        schema["properties"]["till"]["enum"],
        json!(["left", "right"])
    );
    let chosen = json!({"till": "left", "count": 99, "other": 1});
    wire.reply(&asked["id"], reply("accept", &chosen)).await;
    let asked = wire.receive().await;
    assert_eq!(
        asked["params"]["message"], "How much is in it?",
        "a field nobody asked for is dropped"
    );
    let kind = &asked["params"]["requestedSchema"]["properties"]["count"]["type"];
    assert_eq!(kind, "integer", "as the tool declares it");
    wire.reply(&asked["id"], reply("accept", &json!({"count": 7})))
        .await;
    let answer = wire.receive().await;
    assert_eq!(answer["id"], call, "{answer}");
    assert_eq!(
        answer["result"]["content"][0]["text"], "left: 7",
        "{answer}"
    );
    assert_eq!(log.all(), [], "nothing failed, and nothing was cancelled");
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_is_told_what_is_required_and_calls_again() {
    let mut wire = Wire::with(Guard::new(Till), Era::Modern, forms()).await;
    let mut params = json!({"name": "close", "arguments": {}});
    for (message, given) in [
        ("Which till?", json!({"till": "right"})),
        ("How much is in it?", json!({"count": 5})),
    ] {
        let answer = wire.request("tools/call", params.clone()).await;
        let result = &answer["result"];
        assert_eq!(result["resultType"], "input_required", "{answer}");
        let (key, asked) = result["inputRequests"]
            .as_object()
            .and_then(|all| all.iter().next())
            .expect("a question");
        assert_eq!(asked["params"]["message"], message, "{answer}");
        params["inputResponses"] = json!({key: reply("accept", &given)});
        params["requestState"] = result["requestState"].clone();
    }
    let answer = wire.request("tools/call", params).await;
    assert_eq!(
        answer["result"]["content"][0]["text"], "right: 5",
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_fault_that_the_user_can_correct_is_corrected() {
    let log = Log::default();
    for era in Era::ALL {
        let mut wire = Wire::with(log.on(Guard::new(Till)), era, forms()).await;
        let params = json!({"name": "cancel", "arguments": {"id": "7"}});
        let (answer, _) = asked_once(&mut wire, era, params, "accept", &json!({"id": "17"})).await;
        assert_eq!(
            answer["result"]["content"][0]["text"], "cancelled",
            "{era:?}: {answer}"
        );
    }
    assert_eq!(log.all(), [], "nothing failed in the end");
}

#[tokio::test(start_paused = true)]
async fn a_user_who_declines_or_closes_the_form_ends_it() {
    for era in Era::ALL {
        let mut wire = Wire::with(Guard::new(Till), era, forms()).await;
        let params = json!({"name": "cancel", "arguments": {"id": "7"}});
        let (answer, _) = asked_once(&mut wire, era, params.clone(), "decline", &Value::Null).await;
        let object = &answer["result"]["_meta"]["dev.breakfall/error"];
        assert_eq!(
            object["code"], "PERMISSION_NOT_ALLOWED",
            "{era:?}: {answer}"
        );
        assert_eq!(object["details"]["executed"], "no", "{answer}");
        let (answer, _) = asked_once(&mut wire, era, params, "cancel", &Value::Null).await;
        let object = &answer["result"]["_meta"]["dev.breakfall/error"];
        assert_eq!(object["code"], "NOT_FOUND_RESOURCE", "{era:?}: {answer}");
        assert_eq!(
            object["needs_input"]["kind"], "needsInput:v1",
            "the question stands"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_asked_without_a_form_or_for_a_secret() {
    for era in Era::ALL {
        let mut wire = Wire::open(Guard::new(Till), era).await;
        let answer = wire.call("close", json!({})).await;
        let question = &answer["result"]["_meta"]["dev.breakfall/needs_input"];
        assert_eq!(question["message"], "Which till?", "{era:?}: {answer}");
        let only_links = json!({"elicitation": {"url": {}}});
        for (capabilities, tool) in [(only_links, "close"), (forms(), "unlock")] {
            let mut wire = Wire::with(Guard::new(Till), era, capabilities).await;
            let answer = wire.call(tool, json!({})).await;
            let question = &answer["result"]["_meta"]["dev.breakfall/needs_input"];
            assert!(question["message"].is_string(), "{era:?} {tool}: {answer}");
        }
    }
}

/// Makes a call whose only question is answered like this: the answer, and the question.
async fn asked_once(
    wire: &mut Wire,
    era: Era,
    mut params: Value,
    action: &str,
    content: &Value,
) -> (Value, Value) {
    if era == Era::Legacy {
        wire.send("tools/call", params).await;
        let asked = wire.receive().await;
        wire.reply(&asked["id"], reply(action, content)).await;
        return (wire.receive().await, asked);
    }
    let required = wire.request("tools/call", params.clone()).await;
    let result = &required["result"];
    let all = result["inputRequests"]
        .as_object()
        .expect("what is required");
    let (key, asked) = all.iter().next().expect("a question");
    params["inputResponses"] = json!({key: reply(action, content)});
    params["requestState"] = result["requestState"].clone();
    (wire.request("tools/call", params).await, asked.clone())
}
