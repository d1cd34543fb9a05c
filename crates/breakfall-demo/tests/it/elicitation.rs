//! The question before a large refund, in both eras.

use serde_json::{Value, json};

use super::client::{Client, End, text};

#[tokio::test(start_paused = true)]
async fn an_older_client_is_asked_and_its_answer_counts() {
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    let cases = [
        (yes, None),
        (
            json!({"action": "accept", "content": {"confirm": false}}),
            Some("declined"),
        ),
        (json!({"action": "decline"}), Some("declined")),
        (json!({"action": "cancel"}), Some("declined")),
    ];
    for (answer, refusal) in cases {
        let mut client = Client::legacy(json!({"elicitation": {}})).await;
        let (id, question) = ask(&mut client).await;
        assert_eq!(
            question["params"].get("mode"),
            None,
            "older versions do not know it"
        );
        let schema = &question["params"]["requestedSchema"];
        assert_eq!(schema["properties"]["confirm"]["type"], "boolean");
        reply(&mut client, &question, "result", answer).await;
        let result = answered(&mut client, id).await;
        match refusal {
            None => assert_eq!(result["structuredContent"]["status"], "refunded"),
            Some(words) => assert!(text(&result).contains(words), "{result}"),
        }
        assert_eq!(result["isError"] == true, refusal.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_that_fails_to_ask_gets_a_failure() {
    let mut client = Client::legacy(json!({"elicitation": {"form": {}}})).await;
    let (id, question) = ask(&mut client).await;
    let error = json!({"code": -32603, "message": "no window"});
    reply(&mut client, &question, "error", error).await;
    let result = answered(&mut client, id).await;
    assert_eq!(result["isError"], true);
    let order = client
        .call("get_order", json!({"order_id": "ord-1003"}))
        .await;
    assert_eq!(order["structuredContent"]["refunded_cents"], 0);
}

#[tokio::test(start_paused = true)]
async fn a_question_is_given_up_with_its_call() {
    let mut client = Client::legacy(json!({"elicitation": {}})).await;
    let (id, question) = ask(&mut client).await;
    client.cancel(id).await;
    let cancelled = client.message().await;
    assert_eq!(cancelled["method"], "notifications/cancelled");
    assert_eq!(cancelled["params"]["requestId"], question["id"]);
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    reply(&mut client, &question, "result", yes).await;
    assert!(matches!(client.end_of(id).await, End::Silence));
}

#[tokio::test(start_paused = true)]
async fn an_answer_to_nothing_is_ignored() {
    let mut client = Client::legacy(json!({"elicitation": {}})).await;
    reply(&mut client, &json!({"id": "x"}), "result", json!({})).await;
    client.call("tour", json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn who_cannot_ask_is_told_so() {
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}})] {
        let mut client = Client::legacy(capabilities.clone()).await;
        let told = client.failure("refund_order", large()).await;
        assert!(told.contains("this client cannot ask"), "{told}");
        let mut client = Client::modern(capabilities);
        let params = json!({"name": "refund_order", "arguments": large()});
        let answer = client.request("tools/call", params).await;
        assert_eq!(answer["error"]["code"], -32021);
        let needed = &answer["error"]["data"]["requiredCapabilities"];
        assert_eq!(needed, &json!({"elicitation": {"form": {}}}));
    }
}

#[tokio::test(start_paused = true)]
async fn the_newest_version_asks_by_an_unfinished_result() {
    let mut client = Client::modern(json!({"elicitation": {"form": {}}}));
    let (_, question) = ask(&mut client).await;
    let result = &question["result"];
    let asked = &result["inputRequests"]["confirm_refund"];
    assert_eq!(asked["method"], "elicitation/create");
    assert_eq!(asked["params"]["mode"], "form");
    assert_eq!(result.get("ttlMs"), None);
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    let params = json!({
        "name": "refund_order",
        "arguments": large(),
        "inputResponses": {"confirm_refund": yes},
        "requestState": result["requestState"],
    });
    let done = client.result("tools/call", params.clone()).await;
    assert_eq!(done["structuredContent"]["status"], "refunded");
    let again = client.result("tools/call", params).await;
    assert_eq!(again["isError"], true, "an answer is good for one refund");
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_belongs_to_another_call_does_nothing() {
    let mut client = Client::modern(json!({"elicitation": {}}));
    let (_, question) = ask(&mut client).await;
    let state = &question["result"]["requestState"];
    let yes = json!({"confirm_refund": {"action": "accept", "content": {"confirm": true}}});
    let mut other = large();
    other["amount_cents"] = 24_000.into();
    for (arguments, state) in [(large(), json!("forged")), (other, state.clone())] {
        let params = json!({
            "name": "refund_order",
            "arguments": arguments,
            "inputResponses": yes,
            "requestState": state,
        });
        assert_eq!(client.refused("tools/call", params).await, -32602);
    }
    let unfinished = [
        json!({"inputResponses": yes}),
        json!({"inputResponses": {}, "requestState": state}),
        json!({"inputResponses": {"confirm_refund": {}}, "requestState": state}),
        json!({"requestState": state}),
    ];
    for mut params in unfinished {
        params["name"] = "refund_order".into();
        params["arguments"] = large();
        let id = client.send("tools/call", params.clone()).await;
        let end = client.end_of(id).await;
        assert!(matches!(end, End::Question(_)), "asked again: {params}");
    }
    let order = client
        .call("get_order", json!({"order_id": "ord-1003"}))
        .await;
    assert_eq!(order["structuredContent"]["refunded_cents"], 0);
}

fn large() -> Value {
    json!({"order_id": "ord-1003", "amount_cents": 24_900, "reason": "wrong_item"})
}

/// Starts a large refund; its id and the message that asks.
async fn ask(client: &mut Client) -> (u64, Value) {
    let params = json!({"name": "refund_order", "arguments": large()});
    let id = client.send("tools/call", params).await;
    match client.end_of(id).await {
        End::Question(question) => (id, question),
        End::Answer(answer) => panic!("{answer}"),
        End::Silence | End::Death => panic!("no question"),
    }
}

async fn reply(client: &mut Client, question: &Value, kind: &str, body: Value) {
    let message = json!({"jsonrpc": "2.0", "id": question["id"], kind: body});
    client.write(message.to_string().as_bytes()).await;
}

async fn answered(client: &mut Client, id: u64) -> Value {
    match client.end_of(id).await {
        End::Answer(answer) => answer["result"].clone(),
        End::Question(question) => panic!("{question}"),
        End::Silence | End::Death => panic!("no answer"),
    }
}
