//! The audit trail: a line for every call, and nothing of what was sent.

use serde_json::json;

use super::{Client, ada, order};
use crate::demo;

#[tokio::test(start_paused = true)]
async fn every_call_is_a_line_of_the_trail_whatever_came_of_it() {
    testing::proves!("S1-46");
    let client = Client::native().await;
    let tracked = |name: &str| json!({"session_id": ada(), "order_id": order(name)});
    let calls = [
        ("track_order", tracked("swift"), "success", None),
        (
            "track_order",
            tracked("gull"),
            "error",
            Some("UNAVAILABLE_DEPENDENCY"),
        ),
        (
            "track_order",
            tracked("snail"),
            "error",
            Some("UNAVAILABLE_TIMEOUT"),
        ),
        (
            "get_order",
            json!({}),
            "error",
            Some("VALIDATION_MISSING_PARAM"),
        ),
        (
            "no_such_tool",
            json!({}),
            "error",
            Some("NOT_FOUND_OPERATION"),
        ),
        (
            "export_orders",
            json!({"session_id": ada(), "format": "csv"}),
            "error",
            Some("INTERNAL_ERROR"),
        ),
    ];
    for (at, (tool, sent, status, code)) in calls.into_iter().enumerate() {
        let has_session = sent.get("session_id").is_some();
        let answer = client.call(tool, sent).await;
        let trail = client.trail();
        assert_eq!(trail.len(), at + 1, "{tool}");
        let entry = &trail[at];
        assert_eq!(entry["tool_name"], tool);
        assert_eq!(entry["output_status"], status, "{entry}");
        assert_eq!(entry["metadata"]["code"].as_str(), code, "{entry}");
        let user = has_session.then(|| demo::id("usr", "ada"));
        assert_eq!(entry["user_id"].as_str(), user.as_deref(), "{entry}");
        let id = entry["correlation_id"].as_str().expect("an id");
        assert!(code.is_none() || answer.to_string().contains(id), "{entry}");
    }
    // The deadline of two seconds, and no other call took any time.
    let durations: Vec<u64> = client
        .trail()
        .iter()
        .filter_map(|entry| entry["duration_ms"].as_u64())
        .collect();
    assert_eq!(durations, [0, 0, 2000, 0, 0, 0]);
}

#[tokio::test(start_paused = true)]
async fn what_was_sent_is_in_the_trail_as_a_hash_alone() {
    let client = Client::native().await;
    let sent = json!({"user_id": demo::id("usr", "ada"), "pin": "1815"});
    for _ in 0..2 {
        client.call("sign_in", sent.clone()).await;
    }
    client
        .call(
            "sign_in",
            json!({"user_id": demo::id("usr", "bob"), "pin": "1815"}),
        )
        .await;
    let trail = client.trail();
    let hash = |at: usize| trail[at]["input_hash"].as_str().expect("a hash").to_owned();
    assert_eq!(hash(0).len(), 16);
    assert!(hash(0).bytes().all(|b| b.is_ascii_hexdigit()));
    assert_eq!(hash(0), hash(1), "the same was sent");
    assert_ne!(hash(0), hash(2));
    for entry in &trail {
        let entry = entry.as_object().expect("an object");
        // Ids, times and hashes are digits that may hold those of the PIN by chance.
        for (key, value) in entry {
            if matches!(key.as_str(), "correlation_id" | "timestamp" | "input_hash") {
                continue;
            }
            let value = value.to_string();
            for private in ["1815", "000ada", "000bob"] {
                assert!(!value.contains(private), "{key}: {value}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_succeeded_in_part_is_partial() {
    let client = Client::native().await;
    let sent = json!({"session_id": ada(), "order_ids": [order("open"), order("lost")]});
    let ask = client.fault("delete_orders", sent.clone()).await;
    let token = ask
        .public()
        .details()
        .text("confirmation_token")
        .expect("a token");
    let mut sent = sent;
    sent["_confirmation"] = token.into();
    client.call("delete_orders", sent).await;
    let statuses = client.trail();
    let statuses: Vec<_> = statuses
        .iter()
        .map(|entry| entry["output_status"].as_str())
        .collect();
    assert_eq!(statuses, [Some("error"), Some("partial")]);
}
