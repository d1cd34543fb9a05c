//! A server refuses what was let through with a warning, and does not say what it is about.

use serde_json::{Value, json};

use super::{call, hello, list};
use crate::session::Bench;

fn tools() -> Value {
    let schema = json!({"type": "object", "properties": {"limit": {"type": "integer"}, "q": {"type": "string"}}});
    json!([{"name": "find", "inputSchema": schema}])
}

/// What the caller reads if the server refuses its arguments with an error.
async fn refused(arguments: Value, error: Value) -> Value {
    let mut bench = Bench::judged(None, |_| {});
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "find", arguments)).await;
    list(&mut server, tools()).await;
    let request = server.hear().await;
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error}))
        .await;
    let answer = bench.client.hear().await;
    answer["error"]["data"]["dev.breakfall/error"].clone()
}

#[tokio::test(start_paused = true)]
async fn what_did_not_fit_is_named_as_what_to_change() {
    let error = json!({"code": -32602, "message": "Invalid params"});
    let fault = refused(json!({"limit": "50", "q": "belt"}), error.clone()).await;
    assert_eq!(fault["category"], "validation", "{fault}");
    assert_eq!(fault["violations"][0]["pointer"], "/limit", "{fault}");
    let remedy = fault["remediation"].as_str().expect("a fix");
    assert!(remedy.contains("limit"), "{fault}");
    assert_eq!(
        fault["corrective_params"],
        json!({"limit": 50, "q": "belt"})
    );
    let fault = refused(json!({"q": "belt", "sort": "up"}), error.clone()).await;
    let remedy = fault["remediation"].as_str().expect("a fix");
    assert!(remedy.contains("sort"), "{fault}");
    // Valid arguments are not blamed.
    let fault = refused(json!({"limit": 50}), error).await;
    assert!(fault["violations"].is_null(), "{fault}");
}

#[tokio::test(start_paused = true)]
async fn a_failure_about_something_else_blames_no_argument() {
    let error = json!({"code": -32000, "message": "Service temporarily unavailable"});
    let fault = refused(json!({"limit": "50"}), error).await;
    assert!(fault["violations"].is_null(), "{fault}");
}
