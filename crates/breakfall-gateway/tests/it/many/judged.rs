//! What is told of failures where many servers are one: by the names their clients know.

use breakfall_gateway::config::Trust;
use breakfall_gateway::upstream::Upstream;
use serde_json::{Value, json};

use super::{Bench, End};
use crate::relay::fault;

const NAMES: [&str; 2] = ["docs", "wiki"];

async fn judged(each: impl Fn(&mut Upstream)) -> (Bench, Vec<End>) {
    let mut bench = Bench::patient(&NAMES, |upstream| {
        upstream.means.is_judged = true;
        each(upstream);
    });
    let (servers, _) = bench.greeted().await;
    (bench, servers)
}

fn call(tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}})
}

fn search(is_read_only: bool) -> Value {
    json!([{"name": "search", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": is_read_only}}])
}

async fn list(server: &mut End, tools: Value) {
    let request = server.hear().await;
    assert_eq!(request["method"], "tools/list", "{request}");
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": tools}}))
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_name_nobody_has_is_told_with_those_its_caller_knows() {
    let (mut bench, mut servers) = judged(|_| {}).await;
    bench.client.say(&call("docs__serch")).await;
    list(&mut servers[0], search(true)).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let fault = fault(&answer);
    assert_eq!(fault["details"]["suggestion"], "docs__search", "{answer}");
    let whole = answer.to_string();
    assert!(whole.contains("docs__serch"), "{answer}");
    assert!(
        !whole.contains("'serch'") && !whole.contains("\"search\""),
        "{answer}"
    );
}

/// What is named instead of the search of the first server, which is down.
async fn instead(trust: Trust, is_read_only: bool, schema: Value) -> Value {
    let (mut bench, mut servers) = judged(|upstream| {
        upstream.trust = trust;
        upstream.retry = None;
    })
    .await;
    let all = json!({"jsonrpc": "2.0", "id": 0, "method": "tools/list"});
    bench.client.say(&all).await;
    list(&mut servers[0], search(true)).await;
    let mut other = search(is_read_only);
    other[0]["inputSchema"] = schema;
    list(&mut servers[1], other).await;
    assert_eq!(bench.client.hear().await["id"], 0);
    bench.client.say(&call("docs__search")).await;
    let request = servers[0].hear().await;
    let error = json!({"code": -32000, "message": "Service temporarily unavailable"});
    servers[0]
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error}))
        .await;
    let answer = bench.client.hear().await;
    let fault = &answer["error"]["data"]["dev.breakfall/error"];
    assert_eq!(fault["category"], "unavailable", "{answer}");
    fault["fallback_tool"].clone()
}

#[tokio::test(start_paused = true)]
async fn the_same_tool_elsewhere_is_named_if_neither_changes_anything() {
    let (yes, no) = (Trust::CommunityReviewed, Trust::Validated);
    let same = json!({"type": "object"});
    assert_eq!(instead(yes, true, same.clone()).await, "wiki__search");
    assert_eq!(instead(no, true, same.clone()).await, Value::Null);
    assert_eq!(instead(yes, false, same).await, Value::Null);
    let other = json!({"type": "object", "required": ["q"]});
    assert_eq!(instead(yes, true, other).await, Value::Null);
}
