//! Whatever is said, the shop keeps to the protocol and to one answer.

use std::collections::BTreeMap;

use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Kind};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::client::Client;

proptest! {
    #[test]
    fn every_request_has_one_answer_and_every_line_is_a_message(
        requests in vec((method(), params(), any::<bool>()), 0..20)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .expect("a runtime");
        let answers = runtime.block_on(answers(&requests));
        let modern = |id: usize| requests[id].2;
        for (id, (method, params, _)) in requests.iter().enumerate() {
            let count = answers.get(&id).copied().unwrap_or_default();
            prop_assert!(count <= 1, "{method} {params}: {count} answers");
            let waits = method == "tools/call" || (method == "subscriptions/listen" && modern(id));
            prop_assert!(count == 1 || waits, "{method} {params}: no answer");
        }
    }
}

/// How many answers each request got; the connection is closed after the last.
async fn answers(requests: &[(String, Value, bool)]) -> BTreeMap<usize, usize> {
    let mut client = Client::legacy(json!({"elicitation": {}})).await;
    for (id, (method, params, modern)) in requests.iter().enumerate() {
        let mut params = params.clone();
        if *modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
            });
        }
        let id = format!("r{id}");
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        client.write(message.to_string().as_bytes()).await;
    }
    let mut count = BTreeMap::new();
    for message in client.hang_up().await {
        let frame = Frame::parse(message.to_string().into_bytes(), &FrameLimits::RESPONSE);
        let frame = frame.unwrap_or_else(|refusal| panic!("{message}: {refusal:?}"));
        if matches!(frame.kind(), Kind::Result | Kind::Error) {
            let id = message["id"].as_str().expect("one of ours");
            let id = id[1..].parse::<usize>().expect("a number");
            *count.entry(id).or_default() += 1;
        }
    }
    count
}

fn method() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "initialize",
        "ping",
        "server/discover",
        "tools/list",
        "tools/call",
        "tools/call",
        "tools/call",
        "tools/call",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "subscriptions/listen",
    ]);
    prop_oneof![9 => known.prop_map(str::to_owned), 1 => ".{0,12}"]
}

/// Objects with the names that mean something, and values that often do not.
fn params() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec![
        "name",
        "name",
        "arguments",
        "arguments",
        "uri",
        "ref",
        "argument",
        "level",
        "notifications",
        "cursor",
        "protocolVersion",
        "capabilities",
        "inputResponses",
        "requestState",
        "_meta",
    ]);
    btree_map(name, value(), 0..6).prop_map(|members| json!(members))
}

fn value() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "refund_order",
        "place_order",
        "cancel_order",
        "search_products",
        "slow_report",
        "set_sale",
        "refund_reply",
        "ord-1001",
        "ord-1003",
        "shop://orders/ord-1001",
        "shop://orders/{id}",
        "ref/prompt",
        "belt-01",
        "late",
        "accept",
        "debug",
        "you@example.com",
        "2025-06-18",
    ]);
    let leaf = prop_oneof![
        4 => word.prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => (0_u64..30_000).prop_map(Value::from),
        1 => ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        let key = prop::sample::select(vec![
            "order_id",
            "amount_cents",
            "reason",
            "expected_version",
            "customer",
            "items",
            "sku",
            "quantity",
            "query",
            "limit",
            "seconds",
            "open",
            "name",
            "value",
            "type",
            "uri",
            "progressToken",
            "toolsListChanged",
            "resourceSubscriptions",
            "confirm_refund",
            "action",
            "content",
            "elicitation",
        ]);
        prop_oneof![
            3 => btree_map(key, inner.clone(), 0..6).prop_map(|members| json!(members)),
            1 => vec(inner, 0..4).prop_map(Value::from),
        ]
    })
}
