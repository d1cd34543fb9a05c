//! The older versions: handshake, levels, ping, and what they do not have.

use serde_json::json;

use super::client::Client;

#[tokio::test(start_paused = true)]
async fn every_older_version_is_agreed_to_and_others_get_the_newest_of_them() {
    let cases = [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ];
    for (wanted, agreed) in cases {
        let mut client = Client::new();
        let params = json!({"protocolVersion": wanted, "capabilities": {}, "clientInfo": {}});
        let result = client.result("initialize", params).await;
        assert_eq!(result["protocolVersion"], agreed, "{wanted}");
        assert_eq!(result["serverInfo"]["name"], "breakfall-demo-shop");
        assert_eq!(result.get("resultType"), None);
        let tools = client.result("tools/list", json!({})).await;
        assert_eq!((tools.get("ttlMs"), tools.get("_meta")), (None, None));
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_but_ping_is_answered_before_the_handshake() {
    let mut client = Client::new();
    assert_eq!(client.result("ping", json!({})).await, json!({}));
    assert_eq!(client.refused("tools/list", json!({})).await, -32602);
    assert_eq!(client.refused("server/discover", json!({})).await, -32602);
    assert_eq!(client.refused("initialize", json!({})).await, -32602);
    assert_eq!(client.refused("tools/list", json!({})).await, -32602);
}

#[tokio::test(start_paused = true)]
async fn what_only_the_newest_version_has_is_unknown() {
    let mut client = Client::legacy(json!({})).await;
    for method in ["server/discover", "subscriptions/listen", "tasks/list", ""] {
        assert_eq!(client.refused(method, json!({})).await, -32601, "{method}");
    }
}

#[tokio::test(start_paused = true)]
async fn log_messages_come_from_the_level_on_that_was_set() {
    let mut client = Client::legacy(json!({})).await;
    let stock = json!({"sku": "mat-01"});
    client.failure("flaky_stock", stock.clone()).await;
    assert_eq!(client.heard(), [""; 0], "nobody asked for any");
    let error = json!({"level": "error"});
    assert_eq!(client.result("logging/setLevel", error).await, json!({}));
    client.failure("flaky_stock", stock.clone()).await;
    assert_eq!(client.heard(), [""; 0], "a warning is less than an error");
    let warning = json!({"level": "warning"});
    client.result("logging/setLevel", warning).await;
    client.call("flaky_stock", stock.clone()).await;
    client.failure("flaky_stock", stock).await;
    let [message] = client.notifications.as_slice() else {
        panic!("{:?}", client.notifications);
    };
    assert_eq!(message["method"], "notifications/message");
    assert_eq!(message["params"]["level"], "warning");
    assert_eq!(message["params"]["data"], "the warehouse did not answer");
    for bad in [json!({"level": "loud"}), json!({"level": 3}), json!({})] {
        assert_eq!(client.refused("logging/setLevel", bad).await, -32602);
    }
}

#[tokio::test(start_paused = true)]
async fn a_second_handshake_begins_a_new_session() {
    let mut client = Client::legacy(json!({})).await;
    let level = json!({"level": "debug"});
    client.result("logging/setLevel", level).await;
    let params = json!({"protocolVersion": "2024-11-05", "capabilities": {}});
    client.result("initialize", params).await;
    client
        .failure("flaky_stock", json!({"sku": "mat-01"}))
        .await;
    assert_eq!(client.heard(), [""; 0]);
}
