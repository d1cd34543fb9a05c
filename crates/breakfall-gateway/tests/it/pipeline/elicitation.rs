//! Failures a user can correct are put to the user, where the client can do that.

use std::time::Duration;

use serde_json::{Value, json};

use super::{bench, call, fail, hello, list, work};
use crate::session::{Bench, End, fault, note};

const ASK: &str = "{cancel: {ask: [order]}}";

fn tools() -> Value {
    let schema = json!({"type": "object", "properties": {"order": {"type": "integer", "description": "Number of the order"}, "why": {"type": "string"}}, "required": ["order"]});
    json!([{"name": "cancel", "inputSchema": schema}])
}

/// A call of a tool that does not find what it is to cancel.
async fn not_found(capabilities: Value) -> (Bench, End) {
    not_found_in(capabilities, "en").await
}

/// The same in another language.
async fn not_found_in(capabilities: Value, language: &str) -> (Bench, End) {
    let mut bench = bench(ASK);
    let mut server = hello(&mut bench, capabilities).await;
    let arguments = json!({"order": 7, "why": "late"});
    let mut call = call("c", "cancel", arguments);
    if language != "en" {
        call["params"]["_meta"] = json!({"dev.breakfall/locale": language});
    }
    bench.client.say(&call).await;
    list(&mut server, tools()).await;
    let sent = fail(&mut server, "Order 7 not found").await;
    assert_eq!(sent["arguments"]["order"], 7);
    (bench, server)
}

/// The client is asked, and its user says this.
async fn say(bench: &mut Bench, result: Value) -> Value {
    let question = bench.client.hear().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}))
        .await;
    question["params"].clone()
}

/// A request is taken back.
fn cancelled(id: &Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
}

async fn is_quiet(server: &mut End) {
    let heard = server.hear_within(Duration::from_mins(1)).await;
    assert_eq!(heard, None, "the server is not called again");
}

#[tokio::test(start_paused = true)]
async fn a_user_says_which_one_is_meant_and_the_call_goes_on() {
    testing::proves!("S3-39");
    let (mut bench, mut server) = not_found(json!({"elicitation": {}})).await;
    let question = say(
        &mut bench,
        json!({"action": "accept", "content": {"order": 17, "why": "no question"}}),
    )
    .await;
    let schema = &question["requestedSchema"];
    assert_eq!(
        (&schema["properties"]["order"]["type"], &schema["required"]),
        (&json!("integer"), &json!(["order"])),
        "{question}"
    );
    assert_eq!(
        question["message"],
        "'cancel' cannot go on: Order 7 not found. What should 'order' be instead of '7'?"
    );
    assert_eq!(
        schema["properties"]["order"]["description"],
        "Number of the order"
    );
    let sent = work(&mut server).await;
    assert_eq!(sent["arguments"], json!({"order": 17, "why": "late"}));
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["content"][0]["text"]),
        (&json!("c"), &json!("done")),
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn what_a_user_says_is_checked_like_every_argument() {
    let (mut bench, mut server) = not_found(json!({"elicitation": {"form": {}}})).await;
    say(
        &mut bench,
        json!({"action": "accept", "content": {"order": "the blue one"}}),
    )
    .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["category"], "validation", "{answer}");
    is_quiet(&mut server).await;
}

#[tokio::test(start_paused = true)]
async fn who_declines_is_not_asked_again_and_nothing_is_done() {
    let (mut bench, mut server) = not_found(json!({"elicitation": {}})).await;
    say(&mut bench, json!({"action": "decline"})).await;
    let answer = bench.client.hear().await;
    let fault = fault(&answer);
    assert_eq!(fault["code"], "PERMISSION_NOT_ALLOWED", "{answer}");
    assert_eq!(fault["details"]["executed"], "no", "{answer}");
    is_quiet(&mut server).await;
}

#[tokio::test(start_paused = true)]
async fn without_an_answer_the_failure_stands_with_its_question() {
    let answers = [
        json!({"action": "cancel"}),
        json!({"action": "accept"}),
        // Nothing new: calling again could only do the same again.
        json!({"action": "accept", "content": {"order": 7}}),
        json!({"action": "accept", "content": {"why": "x"}}),
        json!([]),
    ];
    for said in answers {
        let (mut bench, mut server) = not_found(json!({"elicitation": {}})).await;
        say(&mut bench, said.clone()).await;
        let answer = bench.client.hear().await;
        stands(&answer);
        is_quiet(&mut server).await;
    }
    let (mut bench, mut server) = not_found(json!({"elicitation": {}})).await;
    let question = bench.client.hear().await;
    let error = json!({"code": -32601, "message": "no"});
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": question["id"], "error": error}))
        .await;
    stands(&bench.client.hear().await);
    is_quiet(&mut server).await;
}

#[tokio::test(start_paused = true)]
async fn an_unanswered_question_is_withdrawn_and_the_failure_stands() {
    let (mut bench, mut server) = not_found(json!({"elicitation": {}})).await;
    let question = bench.client.hear().await;
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(bench.client.hear().await, cancelled(&question["id"]));
    stands(&bench.client.hear().await);
    is_quiet(&mut server).await;
}

fn stands(answer: &Value) {
    let fault = fault(answer);
    assert_eq!(fault["category"], "not_found", "{answer}");
    let asked = fault["needs_input"].to_string();
    assert!(asked.contains("order"), "{answer}");
    assert_eq!(answer["result"]["isError"], true, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_cannot_ask_is_told_what_to_ask() {
    for capabilities in [
        json!({}),
        json!({"elicitation": {"url": {}}}),
        json!({"sampling": {}}),
    ] {
        let (mut bench, mut server) = not_found(capabilities).await;
        let answer = bench.client.hear().await;
        stands(&answer);
        let text = &answer["result"]["content"][0]["text"];
        let text = text.as_str().expect("a text");
        assert!(
            text.contains("Or ask the user what 'order' should be."),
            "{text}"
        );
        is_quiet(&mut server).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_user_is_asked_in_the_language_of_the_call() {
    let (mut bench, mut server) = not_found_in(json!({"elicitation": {}}), "de").await;
    let question = say(&mut bench, json!({"action": "decline"})).await;
    assert_eq!(
        question["message"],
        "'cancel' kann nicht fortfahren: Order 7 not found. Welcher Wert soll für 'order' statt '7' gelten?"
    );
    let answer = bench.client.hear().await;
    assert_eq!(
        fault(&answer)["message"],
        "Der Benutzer wollte 'order' nicht angeben"
    );
    is_quiet(&mut server).await;

    let (mut bench, _server) = not_found_in(json!({}), "es").await;
    let answer = bench.client.hear().await;
    let text = answer["result"]["content"][0]["text"].as_str();
    let text = text.expect("a text");
    assert!(
        text.contains("O preguntar al usuario qué valor debe tener 'order'."),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn needs_input_is_what_tool_error_calls_it() {
    testing::proves!("S3-38");
    testing::proves!("S3-40");
    let mut bench = bench("{cancel: {ask: [order], dialect: tool-error}}");
    let mut server = hello(&mut bench, json!({})).await;
    bench
        .client
        .say(&call("c", "cancel", json!({"order": 7})))
        .await;
    list(&mut server, tools()).await;
    fail(&mut server, "Order 7 not found").await;
    let answer = bench.client.hear().await;
    let whole = answer.to_string();
    assert!(whole.contains("needsInput:v1"), "{answer}");
    assert!(!whole.contains("toolError:v1"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn only_what_is_marked_is_asked_for() {
    let mut bench = bench("{other: {ask: [order]}}");
    let mut server = hello(&mut bench, json!({"elicitation": {}})).await;
    bench
        .client
        .say(&call("c", "cancel", json!({"order": 7})))
        .await;
    list(&mut server, tools()).await;
    fail(&mut server, "Order 7 not found").await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["category"], "not_found", "{answer}");
    assert!(fault(&answer)["needs_input"].is_null(), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_the_server_is_no_question() {
    let mut bench = bench(ASK);
    let mut server = hello(&mut bench, json!({"elicitation": {}})).await;
    bench
        .client
        .say(&call("c", "cancel", json!({"order": 7})))
        .await;
    list(&mut server, tools()).await;
    fail(&mut server, "Database connection refused").await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["id"], "c", "{answer}");
    assert!(fault(&answer)["needs_input"].is_null(), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn who_called_twice_may_have_done_away_with_it_and_is_not_asked_for_another() {
    let mut bench = bench("{cancel: {ask: [order], idempotent: true}}");
    let mut server = hello(&mut bench, json!({"elicitation": {}})).await;
    bench
        .client
        .say(&call("c", "cancel", json!({"order": 7})))
        .await;
    list(&mut server, tools()).await;
    assert_eq!(server.hear().await["method"], "tools/call");
    // It may have cancelled the order before it died.
    drop(server);
    let mut server = bench.server().await;
    server
        .answer(json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}))
        .await;
    server.hear().await;
    fail(&mut server, "Order 7 not found").await;
    let answer = bench.client.hear().await;
    stands(&answer);
    assert_eq!(fault(&answer)["details"]["attempts"], 2, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_taken_back_meanwhile_is_not_made_again() {
    let (mut bench, mut server) = not_found(json!({"elicitation": {}})).await;
    let question = bench.client.hear().await;
    bench.client.say(&cancelled(&json!("c"))).await;
    let heard = bench.client.hear_within(Duration::from_secs(1)).await;
    assert_eq!(heard, Some(cancelled(&question["id"])), "at once");
    let said = json!({"action": "accept", "content": {"order": 17}});
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}))
        .await;
    is_quiet(&mut server).await;
    let heard = bench.client.hear_within(Duration::from_mins(5)).await;
    assert_eq!(heard, None, "once, and no answer to what was taken back");
    assert_eq!((bench.peer.asked(), bench.peer.owed()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn people_take_their_time() {
    let (mut bench, mut server) = not_found(json!({"elicitation": {}})).await;
    let question = bench.client.hear().await;
    tokio::time::sleep(Duration::from_secs(25)).await;
    let said = json!({"action": "accept", "content": {"order": 17}});
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}))
        .await;
    let request = server.hear().await;
    tokio::time::sleep(Duration::from_secs(9)).await;
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": []}}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["content"], json!([]), "{answer}");
}

/// A call of a modern client.
#[expect(clippy::needless_pass_by_value, reason = "made where it is called")]
fn modern(params: Value) -> Value {
    let mut request =
        json!({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": params});
    request["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}});
    request
}

/// A modern client is answered with the question. The server is a modern one, or not.
async fn modern_question(is_modern: bool) -> (Bench, End, Value) {
    let mut bench = bench(ASK);
    let mut server = bench.server().await;
    bench
        .client
        .say(&modern(
            json!({"name": "cancel", "arguments": {"order": 7}}),
        ))
        .await;
    let request = server.hear().await;
    assert_eq!(request["method"], "server/discover");
    if is_modern {
        server.say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}})).await;
    } else {
        server.say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "Method not found"}})).await;
        server
            .answer(json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}))
            .await;
        assert_eq!(server.hear().await["method"], "notifications/initialized");
    }
    list(&mut server, tools()).await;
    fail(&mut server, "Order 7 not found").await;
    let answer = bench.client.hear().await;
    (bench, server, answer["result"].clone())
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_is_answered_with_the_question_and_comes_back() {
    for is_modern in [true, false] {
        let (mut bench, mut server, asked) = modern_question(is_modern).await;
        assert_eq!(asked["resultType"], "input_required", "{asked}");
        let question = &asked["inputRequests"]["dev.breakfall/ask"];
        assert_eq!(question["method"], "elicitation/create", "{asked}");
        let said = json!({"action": "accept", "content": {"order": 17}});
        let again = json!({"name": "cancel", "arguments": {"order": 7}, "inputResponses": {"dev.breakfall/ask": said}, "requestState": asked["requestState"]});
        bench.client.say(&modern(again)).await;
        let sent = work(&mut server).await;
        assert_eq!(sent["arguments"], json!({"order": 17}), "{sent}");
        assert!(
            sent["inputResponses"].is_null() && sent["requestState"].is_null(),
            "{sent}"
        );
        let answer = bench.client.hear().await;
        assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_modern_client_that_comes_back_without_an_answer_is_told_what_failed() {
    let (mut bench, mut server, asked) = modern_question(true).await;
    let state = &asked["requestState"];
    let back = |said: Value, state: &Value| {
        modern(
            json!({"name": "cancel", "arguments": {"order": 7}, "inputResponses": {"dev.breakfall/ask": said}, "requestState": state}),
        )
    };
    bench
        .client
        .say(&back(json!({"action": "cancel"}), state))
        .await;
    stands(&bench.client.hear().await);
    bench
        .client
        .say(&back(json!({"action": "decline"}), state))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["code"], "PERMISSION_NOT_ALLOWED", "{answer}");
    // An invalid state.
    let accept = json!({"action": "accept", "content": {"order": 17}});
    for state in [
        Value::Null,
        json!("x"),
        json!("dev.breakfall/ask:{}"),
        json!(7),
    ] {
        bench.client.say(&back(accept.clone(), &state)).await;
        let answer = bench.client.hear().await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    is_quiet(&mut server).await;
}

/// A client with a handshake whose server has none calls a tool that does not find what it is to cancel.
async fn bridged_question() -> (Bench, End, Value) {
    let mut bench = bench(ASK);
    let mut server = bench.server().await;
    let hello = json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "test", "version": "1"}}});
    bench.client.say(&hello).await;
    let refused = server.hear().await;
    server.say(&json!({"jsonrpc": "2.0", "id": refused["id"], "error": {"code": -32601, "message": "no"}})).await;
    server
        .answer(json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}))
        .await;
    assert_eq!(bench.client.hear().await["id"], "hello");
    bench.client.say(&note("notifications/initialized")).await;
    bench
        .client
        .say(&call("c", "cancel", json!({"order": 7})))
        .await;
    list(&mut server, tools()).await;
    fail(&mut server, "Order 7 not found").await;
    let question = bench.client.hear().await;
    assert_eq!(question["method"], "elicitation/create", "{question}");
    (bench, server, question)
}

#[tokio::test(start_paused = true)]
async fn a_client_with_a_handshake_is_asked_about_a_server_without_one() {
    let (mut bench, mut server, question) = bridged_question().await;
    let said = json!({"action": "accept", "content": {"order": 17}});
    bench
        .client
        .say(&json!({"jsonrpc": "2.0", "id": question["id"], "result": said}))
        .await;
    let sent = work(&mut server).await;
    assert_eq!(sent["arguments"], json!({"order": 17}), "{sent}");
    assert!(sent["inputResponses"].is_null(), "{sent}");
    let answer = bench.client.hear().await;
    assert_eq!(
        (&answer["id"], &answer["result"]["content"][0]["text"]),
        (&json!("c"), &json!("done")),
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn without_an_answer_the_failure_stands_whatever_the_server_speaks() {
    let error = json!({"error": {"code": -32601, "message": "no"}});
    for said in [error, json!({"result": {"action": "cancel"}})] {
        let (mut bench, mut server, question) = bridged_question().await;
        let mut answer = said;
        answer["jsonrpc"] = "2.0".into();
        answer["id"] = question["id"].clone();
        bench.client.say(&answer).await;
        stands(&bench.client.hear().await);
        is_quiet(&mut server).await;
    }
    let (mut bench, _server, question) = bridged_question().await;
    assert_eq!(bench.client.hear().await, cancelled(&question["id"]));
    stands(&bench.client.hear().await);
}
