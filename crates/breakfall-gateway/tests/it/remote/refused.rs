//! Refusals that are not the last word.

use serde_json::{Value, json};

use super::{Bench, Came, hello};
use crate::relay::{call, note};

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];
const TEXT: [(&str, &str); 1] = [("Content-Type", "text/plain")];

#[tokio::test]
async fn a_server_that_refuses_the_handshake_without_words_is_asked_whether_it_has_one() {
    for status in ["400 Bad Request", "404 Not Found", "405 Method Not Allowed"] {
        let mut bench = Bench::new().await;
        bench.client.say(&hello()).await;
        bench.far.next().await.reply(status, &TEXT, "what?").await;
        bench.is_modern().await;
        let answer = bench.client.hear().await;
        let version = &answer["result"]["protocolVersion"];
        assert_eq!(version, "2025-11-25", "{status}: {answer}");
    }
}

#[tokio::test]
async fn one_that_refuses_everything_is_told_as_what_it_is() {
    let mut bench = Bench::new().await;
    bench.client.say(&hello()).await;
    // The handshake, and what it is, twice.
    for _ in 0..3 {
        let came = bench.far.next().await;
        came.reply("404 Not Found", &TEXT, "secret").await;
    }
    let answer = bench.client.hear().await;
    assert_eq!(answer["id"], "hello");
    let data = &answer["error"]["data"];
    assert_eq!(data["code"], "INTERNAL_CONFIGURATION", "{answer}");
    assert_eq!(data["details"]["setting"], "url", "{answer}");
    assert!(!answer.to_string().contains("secret"), "{answer}");
}

/// A client with a handshake before a server that has none.
async fn bridged() -> Bench {
    let mut bench = Bench::new().await;
    bench.client.say(&hello()).await;
    let came = bench.far.next().await;
    came.reply("400 Bad Request", &TEXT, "what?").await;
    bench.is_modern().await;
    bench.client.hear().await;
    bench.client.say(&note("notifications/initialized")).await;
    bench
}

fn pay(id: u64) -> Value {
    let mut call = call(id, "pay");
    call["params"]["arguments"] = json!({"region": "eu"});
    call
}

async fn mismatch(came: Came) -> Value {
    let error = json!({"code": -32020, "message": "Header mismatch"});
    let body = json!({"jsonrpc": "2.0", "id": came.body["id"], "error": error});
    came.reply("400 Bad Request", &JSON, &body.to_string())
        .await;
    error
}

fn tools(schema: &Value) -> Value {
    json!({"resultType": "complete", "tools": [{"name": "pay", "inputSchema": {"type": "object", "properties": {"region": schema}}}]})
}

#[tokio::test]
async fn a_call_that_lacks_a_header_nobody_knew_of_is_made_again_with_it() {
    let mut bench = bridged().await;
    bench.client.say(&pay(1)).await;
    let came = bench.far.next().await;
    assert_eq!(came.header("mcp-param-region"), None);
    mismatch(came).await;
    let list = bench.far.next().await;
    assert_eq!(list.header("mcp-method"), Some("tools/list"));
    assert_eq!(list.header("mcp-protocol-version"), Some("2026-07-28"));
    list.result(tools(&json!({"type": "string", "x-mcp-header": "Region"})))
        .await;
    for id in 1..3 {
        if id > 1 {
            bench.client.say(&pay(id)).await;
        }
        let came = bench.far.next().await;
        assert_eq!(came.body["method"], "tools/call");
        assert_eq!(came.header("mcp-param-region"), Some("eu"));
        assert_eq!(came.header("mcp-name"), Some("pay"));
        came.result(json!({"resultType": "complete", "content": []}))
            .await;
        let answer = bench.client.hear().await;
        assert_eq!(answer["result"], json!({"content": []}), "{answer}");
    }
}

#[tokio::test]
async fn a_refusal_of_headers_that_are_all_there_is_passed_on() {
    let mut bench = bridged().await;
    bench.client.say(&pay(1)).await;
    let error = mismatch(bench.far.next().await).await;
    let list = bench.far.next().await;
    list.result(tools(&json!({"type": "string"}))).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["error"], error, "{answer}");
    // With what it wants, and refused again.
    bench.client.say(&pay(2)).await;
    mismatch(bench.far.next().await).await;
    let list = bench.far.next().await;
    list.result(tools(&json!({"type": "string", "x-mcp-header": "Region"})))
        .await;
    mismatch(bench.far.next().await).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["error"], error, "{answer}");
}
