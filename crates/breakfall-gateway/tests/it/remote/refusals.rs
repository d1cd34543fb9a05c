//! Refusals that are not final.

use serde_json::{Value, json};

use super::{ReceivedRequest, RemoteFixture, hello};
use crate::session::{call, note};

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];
const TEXT: [(&str, &str); 1] = [("Content-Type", "text/plain")];

#[tokio::test]
async fn a_server_that_refuses_the_handshake_with_a_status_is_probed_for_the_modern_era() {
    for status in ["400 Bad Request", "404 Not Found", "405 Method Not Allowed"] {
        let mut fixture = RemoteFixture::new().await;
        fixture.client.say(&hello()).await;
        fixture
            .server
            .next()
            .await
            .reply(status, &TEXT, "what?")
            .await;
        fixture.is_modern().await;
        let answer = fixture.client.hear().await;
        let version = &answer["result"]["protocolVersion"];
        assert_eq!(version, "2025-11-25", "{status}: {answer}");
    }
}

#[tokio::test]
async fn a_server_that_refuses_everything_is_reported_as_misconfigured() {
    let mut fixture = RemoteFixture::new().await;
    fixture.client.say(&hello()).await;
    // The handshake and the probe, twice.
    for _ in 0..3 {
        let request = fixture.server.next().await;
        request.reply("404 Not Found", &TEXT, "secret").await;
    }
    let answer = fixture.client.hear().await;
    assert_eq!(answer["id"], "hello");
    let data = &answer["error"]["data"];
    assert_eq!(data["code"], "INTERNAL_CONFIGURATION", "{answer}");
    assert_eq!(data["details"]["setting"], "url", "{answer}");
    assert!(!answer.to_string().contains("secret"), "{answer}");
}

/// A legacy client in front of a modern server.
async fn bridged() -> RemoteFixture {
    let mut fixture = RemoteFixture::new().await;
    fixture.client.say(&hello()).await;
    let request = fixture.server.next().await;
    request.reply("400 Bad Request", &TEXT, "what?").await;
    fixture.is_modern().await;
    fixture.client.hear().await;
    fixture.client.say(&note("notifications/initialized")).await;
    fixture
}

fn pay(id: u64) -> Value {
    let mut call = call(id, "pay");
    call["params"]["arguments"] = json!({"region": "eu"});
    call
}

async fn mismatch(request: ReceivedRequest) -> Value {
    let error = json!({"code": -32020, "message": "Header mismatch"});
    let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "error": error});
    request
        .reply("400 Bad Request", &JSON, &body.to_string())
        .await;
    error
}

fn tools(schema: &Value) -> Value {
    json!({"resultType": "complete", "tools": [{"name": "pay", "inputSchema": {"type": "object", "properties": {"region": schema}}}]})
}

#[tokio::test]
async fn a_call_that_lacks_a_parameter_header_is_sent_again_with_it() {
    let mut fixture = bridged().await;
    fixture.client.say(&pay(1)).await;
    let request = fixture.server.next().await;
    assert_eq!(request.header("mcp-param-region"), None);
    mismatch(request).await;
    let list = fixture.server.next().await;
    assert_eq!(list.header("mcp-method"), Some("tools/list"));
    assert_eq!(list.header("mcp-protocol-version"), Some("2026-07-28"));
    list.result(tools(&json!({"type": "string", "x-mcp-header": "Region"})))
        .await;
    for id in 1..3 {
        if id > 1 {
            fixture.client.say(&pay(id)).await;
        }
        let request = fixture.server.next().await;
        assert_eq!(request.body["method"], "tools/call");
        assert_eq!(request.header("mcp-param-region"), Some("eu"));
        assert_eq!(request.header("mcp-name"), Some("pay"));
        request
            .result(json!({"resultType": "complete", "content": []}))
            .await;
        let answer = fixture.client.hear().await;
        assert_eq!(answer["result"], json!({"content": []}), "{answer}");
    }
}

#[tokio::test]
async fn a_refusal_of_complete_headers_is_passed_on() {
    let mut fixture = bridged().await;
    fixture.client.say(&pay(1)).await;
    let error = mismatch(fixture.server.next().await).await;
    let list = fixture.server.next().await;
    list.result(tools(&json!({"type": "string"}))).await;
    let answer = fixture.client.hear().await;
    assert_eq!(answer["error"], error, "{answer}");
    // With the required header, and refused again.
    fixture.client.say(&pay(2)).await;
    mismatch(fixture.server.next().await).await;
    let list = fixture.server.next().await;
    list.result(tools(&json!({"type": "string", "x-mcp-header": "Region"})))
        .await;
    mismatch(fixture.server.next().await).await;
    let answer = fixture.client.hear().await;
    assert_eq!(answer["error"], error, "{answer}");
}
