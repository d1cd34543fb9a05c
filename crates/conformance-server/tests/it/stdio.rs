//! The server over stdio, where the suite does not reach.

use std::process::Command;

use serde_json::{Value, json};
use testing::conformance::program;
use testing::wire::Wire;

#[test]
fn a_question_reaches_a_client_of_either_era() {
    let arguments = json!({"message": "Who are you?"});
    let answer =
        json!({"action": "accept", "content": {"username": "ada", "email": "a@b.example"}});
    let said = r#"User response: action=accept, content={"email":"a@b.example","username":"ada"}"#;

    let mut legacy = start(&["--era", "legacy"]);
    legacy.initialize();
    legacy.mute();
    legacy.call(1, "test_elicitation", &arguments);
    let question = legacy.message("elicitation/create");
    assert_eq!(question["params"]["message"], "Who are you?");
    legacy.send(json!({"id": question["id"], "result": answer}));
    assert_eq!(legacy.answer(1)["result"]["content"][0]["text"], said);

    let mut modern = start(&["--era", "modern"]);
    let mut call = json!({"name": "test_elicitation", "arguments": arguments, "_meta": meta()});
    modern.ask(1, "tools/call", &call);
    let asked = modern.answer(1);
    let (key, question) = asked["result"]["inputRequests"]
        .as_object()
        .and_then(|questions| questions.iter().next())
        .expect("it asks");
    assert_eq!(question["params"]["message"], "Who are you?");
    call["inputResponses"] = json!({key: answer});
    modern.ask(2, "tools/call", &call);
    assert_eq!(modern.answer(2)["result"]["content"][0]["text"], said);
}

#[test]
fn an_update_reaches_a_client_of_either_era() {
    let uri = "test://static-text";

    let mut legacy = start(&[]);
    legacy.initialize();
    legacy.ask(1, "resources/subscribe", &json!({"uri": uri}));
    legacy.answer(1);
    legacy.call(2, "test_trigger_resource_update", &json!({"uri": uri}));
    assert_eq!(
        legacy.message("notifications/resources/updated")["params"]["uri"],
        uri
    );

    let mut modern = start(&[]);
    let wanted = json!({"resourceSubscriptions": [uri]});
    let listen = json!({"notifications": wanted, "_meta": meta()});
    modern.ask("stream", "subscriptions/listen", &listen);
    modern.message("notifications/subscriptions/acknowledged");
    let call = json!({
        "name": "test_trigger_resource_update",
        "arguments": {"uri": uri},
        "_meta": meta(),
    });
    modern.ask(1, "tools/call", &call);
    let update = modern.message("notifications/resources/updated");
    assert_eq!(update["params"]["uri"], uri);
    assert_eq!(
        update["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"],
        "stream"
    );
}

#[test]
fn an_era_that_is_left_out_is_refused() {
    let mut legacy = start(&["--era", "legacy"]);
    legacy.ask(1, "server/discover", &json!({"_meta": meta()}));
    assert_eq!(legacy.answer(1)["error"]["code"], -32022);

    let mut modern = start(&["--era", "modern"]);
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    });
    modern.ask(1, "initialize", &hello);
    assert_eq!(modern.answer(1)["error"]["code"], -32022);
}

fn start(arguments: &[&str]) -> Wire {
    Wire::start(Command::new(program()).arg("--stdio").args(arguments))
}

/// What every request of the modern era says of its client.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    })
}
