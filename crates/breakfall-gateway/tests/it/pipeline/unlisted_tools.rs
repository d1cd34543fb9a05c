//! Servers that do not say what tools they have.

use serde_json::{Value, json};

use super::{bench, call, hello, work};

/// What the caller of a tool is warned of if the server answers the question for its tools so.
async fn warned(answer: Value) -> Value {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "say", json!({"a": 1}))).await;
    let request = server.hear().await;
    assert_eq!(request["method"], "tools/list", "{request}");
    let mut answer = answer;
    answer["jsonrpc"] = "2.0".into();
    answer["id"] = request["id"].clone();
    server.say(&answer).await;
    assert_eq!(work(&mut server).await["arguments"], json!({"a": 1}));
    let answer = bench.client.hear().await;
    let first = answer["result"]["_meta"]["dev.breakfall/success"]["warnings"].clone();
    // A later caller is told as much.
    bench.client.say(&call(2, "say", json!({}))).await;
    work(&mut server).await;
    let answer = bench.client.hear().await;
    let next = &answer["result"]["_meta"]["dev.breakfall/success"]["warnings"];
    assert_eq!(*next, first);
    first
}

#[tokio::test(start_paused = true)]
async fn an_unvalidated_call_carries_a_warning() {
    for (answer, reason) in [
        (
            json!({"error": {"code": -32603, "message": "no"}}),
            "the server refuses to list its tools",
        ),
        (
            json!({"result": {"tools": "x"}}),
            "the tool list of the server cannot be read",
        ),
    ] {
        let warnings = warned(answer).await;
        assert_eq!(warnings[0]["code"], "ARGUMENTS_UNCHECKED", "{warnings}");
        assert_eq!(warnings[0]["context"]["reason"], reason);
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_without_lists_is_called_as_it_is() {
    let none = json!({"error": {"code": -32601, "message": "Method not found"}});
    assert_eq!(warned(none).await, Value::Null);
}
