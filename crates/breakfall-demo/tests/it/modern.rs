//! The newest version: every request says for itself who asks.

use serde_json::{Value, json};

use super::client::Client;

#[tokio::test(start_paused = true)]
async fn discovery_tells_versions_and_capabilities() {
    let mut client = Client::modern(json!({}));
    let result = client.result("server/discover", json!({})).await;
    assert_eq!(result["supportedVersions"][0], "2026-07-28");
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["capabilities"]["resources"]["subscribe"], true);
    let info = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "breakfall-demo-shop");
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&json!(60_000), &json!("public"))
    );
}

#[tokio::test(start_paused = true)]
async fn every_result_says_what_it_is_and_those_that_may_be_kept_for_how_long() {
    let mut client = Client::modern(json!({}));
    let order = json!({"order_id": "ord-1001"});
    let prompt = json!({"type": "ref/prompt", "name": "refund_reply"});
    let cases: [(&str, Value, bool); 8] = [
        ("tools/list", json!({}), true),
        ("prompts/list", json!({}), true),
        ("resources/list", json!({}), true),
        ("resources/templates/list", json!({}), true),
        ("resources/read", json!({"uri": "shop://terms"}), true),
        (
            "prompts/get",
            json!({"name": "refund_reply", "arguments": order}),
            false,
        ),
        (
            "completion/complete",
            json!({"ref": prompt, "argument": {"name": "tone", "value": "f"}}),
            false,
        ),
        (
            "tools/call",
            json!({"name": "get_order", "arguments": order}),
            false,
        ),
    ];
    for (method, params, cacheable) in cases {
        let result = client.result(method, params).await;
        assert_eq!(result["resultType"], "complete", "{method}");
        assert_eq!(result["ttlMs"].is_u64(), cacheable, "{method}");
        assert_eq!(result["cacheScope"].is_string(), cacheable, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_only_older_versions_have_is_unknown() {
    let mut client = Client::modern(json!({}));
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        let params = json!({"uri": "shop://terms", "level": "info", "protocolVersion": "x"});
        assert_eq!(client.refused(method, params).await, -32601, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unknown_version_is_refused_with_the_known_ones() {
    let mut client = Client::new();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2031-01-01"});
    let answer = client.request("tools/list", json!({"_meta": meta})).await;
    assert_eq!(answer["error"]["code"], -32022);
    let data = &answer["error"]["data"];
    assert_eq!(data["requested"], "2031-01-01");
    assert_eq!(data["supported"][0], "2026-07-28");
    assert_eq!(data["supported"].as_array().map(Vec::len), Some(5));
}

#[tokio::test(start_paused = true)]
async fn a_request_without_capabilities_is_refused() {
    let mut client = Client::new();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"});
    let params = json!({"_meta": meta});
    assert_eq!(client.refused("tools/list", params).await, -32602);
}

#[tokio::test(start_paused = true)]
async fn log_messages_come_only_to_the_request_that_asks() {
    let mut client = Client::modern(json!({}));
    let arguments = json!({"sku": "mat-01"});
    client.failure("flaky_stock", arguments.clone()).await;
    assert_eq!(client.heard(), [""; 0]);
    let meta = json!({"io.modelcontextprotocol/logLevel": "info"});
    let params = json!({"name": "flaky_stock", "arguments": arguments, "_meta": meta});
    client.result("tools/call", params).await;
    assert_eq!(client.heard(), ["notifications/message"]);
    let meta = json!({"io.modelcontextprotocol/logLevel": "loud"});
    let params = json!({"name": "tour", "_meta": meta});
    assert_eq!(client.refused("tools/call", params).await, -32602);
}

#[tokio::test(start_paused = true)]
async fn both_eras_share_one_connection_and_one_shop() {
    let mut client = Client::legacy(json!({})).await;
    client
        .call("cancel_order", json!({"order_id": "ord-1001"}))
        .await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let arguments = json!({"order_id": "ord-1001"});
    let params = json!({"name": "get_order", "arguments": arguments, "_meta": meta});
    let result = client.result("tools/call", params).await;
    assert_eq!(result["structuredContent"]["status"], "cancelled");
    assert_eq!(result["resultType"], "complete");
}
