//! Limits and deadlines of calls.

use std::sync::Arc;
use std::time::Duration;

use breakfall_gateway::config::Config;
use breakfall_gateway::resilience::bulkhead::{BulkheadScope, ConcurrencyPolicy};
use breakfall_gateway::resilience::registry::ResilienceRegistry;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{call, hello, list, work};
use crate::session::{Bench, fault};

fn one_at_a_time() -> ConcurrencyPolicy {
    let mut policy = ConcurrencyPolicy::new(1);
    policy.queue = 0;
    policy
}

#[tokio::test(start_paused = true)]
async fn a_concurrency_limit_holds_for_a_wire_only_upstream() {
    let mut bench = Bench::with(|upstream| upstream.concurrency = Some(one_at_a_time()));
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    let first = server.hear().await;
    assert_eq!(first["method"], "tools/call");
    bench.client.say(&call(2, "pay", json!({}))).await;
    let refused = bench.client.hear().await;
    assert_eq!(refused["id"], 2, "{refused}");
    assert_eq!(
        fault(&refused)["code"],
        "UNAVAILABLE_OVERLOADED",
        "{refused}"
    );
    let result = json!({"content": [], "isError": true, "odd": 1.0});
    server
        .say(&json!({"jsonrpc": "2.0", "id": first["id"], "result": result}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!((&answer["id"], &answer["result"]), (&json!(1), &result));
    // The call is over, so there is room again.
    bench.client.say(&call(3, "pay", json!({}))).await;
    work(&mut server).await;
    assert_eq!(bench.client.hear().await["id"], 3);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_wire_only_call_makes_room() {
    let mut bench = Bench::with(|upstream| upstream.concurrency = Some(one_at_a_time()));
    let mut server = bench.initialized().await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    assert_eq!(server.hear().await["method"], "tools/call");
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    bench.client.say(&cancel).await;
    assert_eq!(server.hear().await["method"], "notifications/cancelled");
    bench.client.say(&call(2, "pay", json!({}))).await;
    work(&mut server).await;
    assert_eq!(bench.client.hear().await["id"], 2);
}

/// A tool whose calls may take so many seconds, and a server that may take longer and has not listed its tools. Its
/// circuit opens after two failures.
fn with_timeout(seconds: u64) -> Bench {
    let text = format!(
        "upstreams:\n  shop:\n    command: [x]\n    breaker: {{ minimum: 2 }}\n    tools:\n      pay: {{ timeout: {seconds}s }}\n"
    );
    let config = Config::parse(&text, "my.yaml").expect("a configuration");
    Bench::judged(None, |upstream| {
        upstream.tools = config.upstreams[0].tools.clone();
        upstream.breaker = config.upstreams[0].breaker;
    })
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_for_the_list_request_of_another_no_longer_than_it_may_take() {
    let mut bench = with_timeout(3);
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "slow", json!({}))).await;
    assert_eq!(server.hear().await["method"], "tools/list");
    let since = Instant::now();
    bench.client.say(&call(2, "pay", json!({}))).await;
    let answer = bench.client.hear().await;
    assert_eq!((&answer["id"], since.elapsed().as_secs()), (&json!(2), 3));
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn calls_without_time_left_do_not_open_the_circuit_of_the_server() {
    let mut bench = with_timeout(3);
    let mut server = hello(&mut bench, json!({})).await;
    for id in 0..2 {
        bench.client.say(&call(id, "pay", json!({}))).await;
        let answer = bench.client.hear().await;
        assert_eq!(fault(&answer)["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
        // Until the server is asked for its list again.
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
    while server.hear_within(Duration::from_secs(1)).await.is_some() {}
    bench.client.say(&call(2, "pay", json!({}))).await;
    let tool = json!({"name": "pay", "inputSchema": {"type": "object"}});
    list(&mut server, json!([tool])).await;
    work(&mut server).await;
    let answer = bench.client.hear().await;
    assert!(answer["result"]["content"].is_array(), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn the_list_request_takes_no_more_than_the_time_of_the_call() {
    let mut bench = with_timeout(3);
    let mut server = hello(&mut bench, json!({})).await;
    let since = Instant::now();
    bench.client.say(&call(1, "pay", json!({}))).await;
    assert_eq!(server.hear().await["method"], "tools/list");
    let answer = bench.client.hear().await;
    assert_eq!(since.elapsed().as_secs(), 3, "{answer}");
    let told = fault(&answer);
    assert_eq!(told["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
    assert_eq!(told["details"]["timeout_ms"], 3000, "{answer}");
    assert_eq!(told["details"]["executed"], "no", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_call_without_time_left_does_not_reach_the_server() {
    let mut bench = with_timeout(3);
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    assert_eq!(server.hear().await["method"], "tools/list");
    bench.client.hear().await;
    let mut later: Vec<Value> = Vec::new();
    while let Some(message) = server.hear_within(Duration::from_mins(1)).await {
        later.push(message);
    }
    assert!(
        later
            .iter()
            .all(|message| message["method"] != "tools/call"),
        "{later:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn calls_in_flight_stay_counted_when_a_limit_changes() {
    let registry = ResilienceRegistry::default();
    let mut bench = Bench::judged(None, |upstream| {
        upstream.concurrency = Some(one_at_a_time());
        upstream.resilience = registry.upstream("shop");
    });
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    let tool = json!({"name": "pay", "inputSchema": {"type": "object"}});
    list(&mut server, json!([tool])).await;
    let first = server.hear().await;
    // The same upstream as another configuration has it.
    let state = registry.upstream("shop");
    let enter = |limit: usize| {
        let state = Arc::clone(&state);
        let mut policy = one_at_a_time();
        policy.limit = limit;
        async move {
            let limits = state.limits(None);
            let scope = BulkheadScope::Upstream(policy);
            limits.enter("pay", scope, Duration::MAX).await
        }
    };
    assert!(enter(1).await.is_err());
    let second = enter(2).await.expect("the limit is two now");
    assert!(enter(2).await.is_err());
    assert!(enter(1).await.is_err());
    drop(second);
    // One is in flight still, and no more may be.
    assert!(enter(1).await.is_err());
    server
        .say(&json!({"jsonrpc": "2.0", "id": first["id"], "result": {"content": []}}))
        .await;
    bench.client.hear().await;
    assert!(enter(1).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_at_once_does_not_reach_the_server() {
    let mut bench = with_timeout(30);
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    let tool = json!({"name": "pay", "inputSchema": {"type": "object"}});
    list(&mut server, json!([tool])).await;
    work(&mut server).await;
    bench.client.hear().await;
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}});
    let both = format!("{}\n{cancel}", call(2, "pay", json!({})));
    bench.client.say_raw(both.as_bytes()).await;
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);
}
