//! Nothing found, and nothing to be had, are not the same.

use serde_json::json;

use super::{Client, ada, order};
use crate::demo;

#[tokio::test(start_paused = true)]
async fn an_empty_list_is_a_success_and_a_failure_is_no_empty_list() {
    testing::proves!("S1-38", "S1-40", "S1-41");
    let client = Client::native().await;
    let none = json!({"session_id": demo::id("ses", "bob")});
    let success = client.success("list_orders", none).await;
    assert_eq!(success.data(), &json!({"orders": [], "total": 0}));
    for (tool, arguments) in [
        (
            "list_orders",
            json!({"session_id": demo::id("ses", "nobody")}),
        ),
        (
            "track_order",
            json!({"session_id": ada(), "order_id": order("gull")}),
        ),
        (
            "export_orders",
            json!({"session_id": ada(), "format": "ledger"}),
        ),
        (
            "export_orders",
            json!({"session_id": ada(), "format": "csv"}),
        ),
    ] {
        let answer = client.call(tool, arguments).await;
        assert_eq!(answer["isError"], true, "{answer}");
        let text = answer["content"][0]["text"].as_str().expect("text");
        assert!(!text.contains("[]"), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_carrier_that_refuses_is_told_with_a_wait_and_words_for_the_user() {
    let client = Client::open(breakfall::wire::Dialect::McpError).await;
    let sent = json!({"session_id": ada(), "order_id": order("gull")});
    let answer = client.call("track_order", sent).await;
    let text = answer["content"][0]["text"].as_str().expect("text");
    let object: serde_json::Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(object["code"], "DEPENDENCY_FAILED", "{object}");
    assert_eq!(object["recovery_hint"], "RETRY_LATER");
    assert_eq!(object["retry_after_ms"], 5000);
    assert!(object["userMessage"].is_string(), "{object}");
}
