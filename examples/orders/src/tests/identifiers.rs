//! Branded ids: what is one, and what comes of one that is not.

use breakfall::Violation;
use breakfall::wire::Dialect;
use serde_json::{Value, json};

use super::{Client, order};
use crate::ids::{Body, OrderId, SessionId, UserId};

#[test]
fn an_id_is_its_prefix_and_24_letters_or_digits() {
    let body = "abcdefghijklmnopqrst0123";
    assert!(UserId::new(&format!("usr_{body}")).is_ok());
    assert!(OrderId::new(&format!("ord_{body}")).is_ok());
    assert!(SessionId::new(&format!("ses_{body}")).is_ok());
    for wrong in [
        String::new(),
        "ord_".to_owned(),
        body.to_owned(),
        format!("usr_{body}"),
        format!("ORD_{body}"),
        format!("ord_{}", &body[1..]),
        format!("ord_{body}x"),
        format!("ord_{}", body.to_uppercase()),
        format!("ord_{}ü", &body[2..]),
        format!(" ord_{body}"),
        format!("ord_{body}\n"),
    ] {
        assert!(OrderId::new(&wrong).is_err(), "{wrong:?}");
    }
    for _ in 0..100 {
        let id = OrderId::from(Body::random().expect("randomness")).to_string();
        assert!(OrderId::new(&id).is_ok(), "{id}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_an_id_looks_like_is_in_the_schema() {
    let client = Client::native().await;
    let tools = client.service.list_all_tools().await.expect("tools");
    let tool = tools
        .iter()
        .find(|tool| tool.name == "get_order")
        .expect("it is there");
    let schema = Value::Object((*tool.input_schema).clone());
    for (param, pattern) in [
        ("order_id", OrderId::PATTERN),
        ("session_id", SessionId::PATTERN),
    ] {
        assert_eq!(schema["properties"][param]["pattern"], pattern, "{schema}");
    }
}

#[tokio::test(start_paused = true)]
async fn every_id_that_is_none_is_told() {
    testing::proves!("S1-46");
    let client = Client::native().await;
    let sent = json!({"session_id": "ada", "order_ids": [order("open"), "42", "ord_x"]});
    let fault = client.fault("delete_orders", sent.clone()).await;
    let pointers: Vec<&str> = fault
        .public()
        .violations()
        .iter()
        .map(Violation::pointer)
        .collect();
    assert_eq!(pointers, ["/order_ids/1", "/order_ids/2", "/session_id"]);

    let client = Client::open(Dialect::McpError).await;
    let answer = client.call("delete_orders", sent).await;
    let text = answer["content"][0]["text"].as_str().expect("text");
    let object: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(object["code"], "VALIDATION_FAILED", "{object}");
    assert_eq!(
        object["details"]["violations"].as_array().map(Vec::len),
        Some(3),
        "{object}"
    );
}

#[tokio::test(start_paused = true)]
async fn one_id_that_is_none_names_its_pattern() {
    let client = Client::native().await;
    let sent = json!({"session_id": super::ada(), "order_id": "x".repeat(5000)});
    let fault = client.fault("get_order", sent).await;
    assert_eq!(fault.code().name(), "VALIDATION_PATTERN_MISMATCH");
    let answer = fault.public().message();
    assert!(
        answer.contains("order_id") && answer.len() < 200,
        "{answer}"
    );
}
