//! The tools that work, and their rules.

use serde_json::{Value, json};

use super::client::{Client, text};

#[tokio::test(start_paused = true)]
async fn pages_follow_each_other_until_everything_was_seen() {
    let mut client = Client::legacy(json!({})).await;
    let mut arguments = json!({"query": "belt", "limit": 3, "sort": "price_desc"});
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let result = client.call("search_products", arguments.clone()).await;
        let page = &result["structuredContent"];
        assert_eq!(
            serde_json::from_str::<Value>(text(&result)).ok().as_ref(),
            Some(page)
        );
        let products = page["products"].as_array().expect("a list").clone();
        seen.extend(
            products
                .into_iter()
                .map(|product| product["price_cents"].as_u64()),
        );
        pages += 1;
        match page.get("next_cursor") {
            Some(cursor) => arguments["cursor"] = cursor.clone(),
            None => break,
        }
    }
    assert_eq!((seen.len(), pages), (8, 3));
    assert!(seen.is_sorted_by(|a, b| a >= b), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn every_way_to_be_wrong_is_told_in_words() {
    let mut client = Client::legacy(json!({})).await;
    let cases = [
        (json!({}), "data must have required property 'query'"),
        (json!({"query": 5}), "data/query must be string"),
        (
            json!({"query": ""}),
            "data/query must NOT have fewer than 1 characters",
        ),
        (
            json!({"query": "x".repeat(101)}),
            "data/query must NOT have more than 100 characters",
        ),
        (
            json!({"query": "gi", "limit": 0}),
            "data/limit must be >= 1",
        ),
        (
            json!({"query": "gi", "limit": 51}),
            "data/limit must be <= 50",
        ),
        (
            json!({"query": "gi", "limit": "3"}),
            "data/limit must be integer",
        ),
        (
            json!({"query": "gi", "sort": "cheap"}),
            "data/sort must be equal to one of the allowed values",
        ),
        (
            json!({"query": "gi", "cursor": "A B"}),
            "data/cursor must match pattern",
        ),
        (
            json!({"query": "gi", "cursor": "from-99"}),
            "Invalid cursor 'from-99'",
        ),
        (
            json!({"query": "gi", "colour": "red"}),
            "data must NOT have additional properties",
        ),
    ];
    for (arguments, words) in cases {
        let told = client.failure("search_products", arguments).await;
        assert!(told.contains(words), "{told}");
    }
    let told = client
        .failure("search_products", json!({"limit": 0, "sort": "x"}))
        .await;
    assert!(
        told.starts_with("MCP error -32602: Input validation error: "),
        "{told}"
    );
    assert_eq!(
        told.matches("data").count(),
        3,
        "all three are told: {told}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_order_is_placed_once_for_one_key() {
    let mut client = Client::legacy(json!({})).await;
    let order = json!({
        "customer": "you@example.com",
        "items": [{"sku": "belt-08", "quantity": 1.0}, {"sku": "belt-01", "quantity": 2}],
        "idempotency_key": "k1",
    });
    let first = client.call("place_order", order.clone()).await;
    assert_eq!(first["structuredContent"]["id"], "ord-1007");
    assert_eq!(first["structuredContent"]["total_cents"], 4990 + 2 * 990);
    let again = client.call("place_order", order.clone()).await;
    assert_eq!(again, first);
    let mut other = order.clone();
    other["customer"] = "me@example.com".into();
    let told = client.failure("place_order", other).await;
    assert!(told.starts_with("Duplicate request"), "{told}");
    let mut more = order;
    more["idempotency_key"] = "k2".into();
    more["items"][0]["quantity"] = 2.into();
    let told = client.failure("place_order", more).await;
    assert_eq!(told, "Insufficient stock for belt-08: 2 wanted, 1 left");
}

#[tokio::test(start_paused = true)]
async fn the_same_thing_twice_in_one_order_counts_twice() {
    let mut client = Client::legacy(json!({})).await;
    let item = json!({"sku": "belt-08", "quantity": 2});
    let order = json!({"customer": "you@example.com", "items": [item, item]});
    let told = client.failure("place_order", order).await;
    assert_eq!(told, "Insufficient stock for belt-08: 4 wanted, 2 left");
    let unknown = json!({"customer": "you@example.com", "items": [{"sku": "x", "quantity": 1}]});
    let told = client.failure("place_order", unknown).await;
    assert_eq!(told, "Product x does not exist");
}

#[tokio::test(start_paused = true)]
async fn a_refund_keeps_every_rule_of_the_shop() {
    let mut client = Client::legacy(json!({})).await;
    let refund =
        |id: &str, cents: u64| json!({"order_id": id, "amount_cents": cents, "reason": "late"});
    let cases = [
        (refund("ord-9999", 100), "Order ord-9999 not found"),
        (
            refund("ord-1002", 100),
            "Invalid status: order ord-1002 has already been refunded",
        ),
        (
            refund("ord-1004", 100),
            "Order ord-1004 cannot be refunded in its current state (pending)",
        ),
        (
            refund("ord-1005", 100),
            "Order ord-1005 cannot be refunded in its current state (cancelled)",
        ),
        (
            refund("ord-1001", 4991),
            "Order ord-1001 is not eligible: 49.91 EUR is more than the 49.90 EUR",
        ),
        (
            refund("ord-1006", 189_000),
            "Insufficient balance: the refund needs 1890.00 EUR",
        ),
    ];
    for (arguments, words) in cases {
        let told = client.failure("refund_order", arguments).await;
        assert!(told.starts_with(words), "{told}");
    }
    let result = client.call("refund_order", refund("ord-1001", 4000)).await;
    let order = &result["structuredContent"];
    assert_eq!(
        (&order["status"], &order["version"]),
        (&json!("paid"), &json!(2))
    );
    let mut stale = refund("ord-1001", 100);
    stale["expected_version"] = 1.into();
    let told = client.failure("refund_order", stale.clone()).await;
    assert!(
        told.contains("expected version 1, current version 2"),
        "{told}"
    );
    stale["expected_version"] = json!(1e300);
    client.failure("refund_order", stale).await;
    let result = client.call("refund_order", refund("ord-1001", 990)).await;
    assert_eq!(result["structuredContent"]["status"], "refunded");
}

#[tokio::test(start_paused = true)]
async fn an_order_is_cancelled_until_it_is_too_late() {
    let mut client = Client::legacy(json!({})).await;
    let id = |id: &str| json!({"order_id": id});
    let result = client.call("cancel_order", id("ord-1004")).await;
    assert_eq!(result["structuredContent"]["status"], "cancelled");
    let cases = [
        ("ord-1004", "Order ord-1004 is already cancelled"),
        (
            "ord-1003",
            "Order ord-1003 cannot be cancelled because it is shipped",
        ),
        ("ord-9999", "Order ord-9999 not found"),
    ];
    for (order, words) in cases {
        assert_eq!(client.failure("cancel_order", id(order)).await, words);
    }
    let shipped = json!({"status": "shipped", "limit": 1});
    let result = client.call("list_orders", shipped).await;
    assert_eq!(result["structuredContent"]["orders"][0]["id"], "ord-1003");
    assert_eq!(result["structuredContent"]["next_cursor"], "from-1");
}

#[tokio::test(start_paused = true)]
async fn every_connection_finds_the_same_shop() {
    let (mut one, mut two) = (
        Client::legacy(json!({})).await,
        Client::legacy(json!({})).await,
    );
    one.call("cancel_order", json!({"order_id": "ord-1001"}))
        .await;
    let order = two.call("get_order", json!({"order_id": "ord-1001"})).await;
    assert_eq!(order["structuredContent"]["status"], "paid");
}
