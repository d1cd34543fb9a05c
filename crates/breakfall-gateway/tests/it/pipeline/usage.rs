//! Rate limits and quotas, from real calls.

use std::sync::Arc;
use std::time::Duration;

use breakfall::{CorrelationId, Stamp};
use breakfall_gateway::config::Config;
use breakfall_gateway::record::{LimitKind, Recorder};
use breakfall_gateway::store::{Memory, Sqlite, Store};
use breakfall_gateway::upstream::{Upstream, UsageWriter};
use serde_json::{Value, json};
use tokio::time::advance;

use super::{call, hello, list, work};
use crate::session::{Bench, End, fault};

/// A gateway with these settings in front of a server, at half past ten of a new year.
fn limited(gateway: &str, upstream: &str, change: impl FnOnce(&mut Upstream)) -> Bench {
    let text = format!("{gateway}\nupstreams:\n  shop:\n    command: [x]\n    {upstream}\n");
    let mut file = Config::parse(&text, "my.yaml").expect("a good file");
    let config = file.upstreams.remove(0);
    Bench::judged(None, |upstream| {
        upstream.usage = config.usage;
        upstream.gateway_usage = config.gateway_usage;
        upstream.tools = config.tools;
        upstream.time_zone = config.time_zone;
        let id = CorrelationId::new("c-1").expect("an id");
        let at = "2026-01-01T10:30:00Z".parse().expect("a time");
        upstream.context.stamp = Stamp::Fixed(id, at);
        change(upstream);
    })
}

/// A server that has shaken hands and was called once.
async fn ready(bench: &mut Bench) -> End {
    let mut server = hello(bench, json!({})).await;
    bench.client.say(&call("first", "pay", json!({}))).await;
    let schema = json!({"type": "object"});
    let tools =
        json!([{"name": "pay", "inputSchema": schema}, {"name": "list", "inputSchema": schema}]);
    list(&mut server, tools).await;
    work(&mut server).await;
    server
}

/// A call that reaches the server; what its caller hears.
async fn made(bench: &mut Bench, server: &mut End, tool: &str) -> Value {
    bench.client.say(&call(1, tool, json!({}))).await;
    work(server).await;
    bench.client.hear().await
}

/// A call that does not.
async fn refused(bench: &mut Bench, tool: &str) -> Value {
    bench.client.say(&call(1, tool, json!({}))).await;
    let heard = bench.client.hear().await;
    fault(&heard).clone()
}

fn warnings(answer: &Value) -> &Value {
    &answer["result"]["_meta"]["dev.breakfall/success"]["warnings"]
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_says_all_a_caller_needs_and_ends_when_it_says() {
    testing::proves!("S4-50");
    let recorder = Recorder::off();
    let seen = recorder.clone();
    let mut bench = limited("", "rate: { requests: 2, per: 1m }", |upstream| {
        upstream.context.recorder = recorder;
    });
    let mut server = ready(&mut bench).await;
    bench.client.hear().await;
    made(&mut bench, &mut server, "list").await;
    let told = refused(&mut bench, "pay").await;
    assert_eq!(told["code"], "RATE_LIMIT_EXCEEDED", "{told}");
    let details = json!({
        "limit": 2, "remaining": 0, "window": "minute", "resets_at": "2026-01-01T10:31:00Z",
        "scope": "shop", "executed": "no", "retry_after_seconds": 30,
    });
    for (key, value) in details.as_object().expect("an object") {
        let have = &told["details"][key];
        let have = if have.is_null() {
            &told["retry"][key]
        } else {
            have
        };
        if key == "resets_at" {
            // Handshakes in simulated time take none.
            assert!(
                have.as_str()
                    .is_some_and(|at| at.starts_with("2026-01-01T10:31:00")),
                "{told}"
            );
        } else if key != "retry_after_seconds" {
            assert_eq!(have, value, "{key}: {told}");
        }
    }
    assert_eq!(told["retry"]["retryable"], true, "{told}");
    assert!(told.to_string().contains("30"), "{told}");
    assert_eq!(seen.counts().limited, [("shop".into(), LimitKind::Rate, 1)]);
    advance(Duration::from_millis(29_999)).await;
    refused(&mut bench, "list").await;
    advance(Duration::from_millis(1)).await;
    made(&mut bench, &mut server, "list").await;
    refused(&mut bench, "pay").await;
}

#[tokio::test(start_paused = true)]
async fn the_nearest_setting_counts_a_call() {
    let tools = "rate: { requests: 3, per: 1h }\n    tools: { list: { rate: off }, 'pay*': { rate: { requests: 2, per: 1h } } }";
    let mut bench = limited("rate: { requests: 1, per: 1h }", tools, |_| {});
    let mut server = ready(&mut bench).await;
    bench.client.hear().await;
    made(&mut bench, &mut server, "pay").await;
    for _ in 0..5 {
        made(&mut bench, &mut server, "list").await;
    }
    let told = refused(&mut bench, "pay").await;
    assert_eq!(told["details"]["limit"], 2, "{told}");
    assert_eq!(told["details"]["scope"], "shop/pay*", "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_quota_warns_and_then_stops_exactly_at_its_thresholds() {
    testing::proves!("S4-52");
    testing::proves!("S4-53");
    let quota = "quotas: [{ metric: requests_per_hour, warn: 2, hard_stop: 3 }]";
    let mut bench = limited("", quota, |_| {});
    let mut server = ready(&mut bench).await;
    let first = bench.client.hear().await;
    assert!(warnings(&first).is_null(), "{first}");
    for (current, severity) in [(2, "warning"), (3, "error")] {
        let told = made(&mut bench, &mut server, "pay").await;
        let warning = &warnings(&told)[0];
        assert_eq!(warning["code"], "RATE_LIMIT_QUOTA_WARNING", "{told}");
        assert_eq!(warning["message"], "Approaching quota limit", "{told}");
        assert_eq!(warning["severity"], severity, "{told}");
        let text = warning.to_string();
        for fact in [
            r#""metric":"requests_per_hour""#.to_owned(),
            format!(r#""current":{current}"#),
            r#""warn_threshold":2"#.to_owned(),
        ] {
            assert!(text.contains(&fact), "{fact}: {told}");
        }
        assert!(told["result"]["isError"].is_null(), "{told}");
    }
    let told = refused(&mut bench, "pay").await;
    assert_eq!(told["code"], "RATE_LIMIT_QUOTA_EXHAUSTED", "{told}");
    assert_eq!(told["message"], "Quota exhausted", "{told}");
    for (key, value) in [
        ("metric", json!("requests_per_hour")),
        ("current", json!(3)),
        ("hard_stop_threshold", json!(3)),
        ("resets_at", json!("2026-01-01T11:00:00Z")),
        ("executed", json!("no")),
    ] {
        assert_eq!(told["details"][key], value, "{key}: {told}");
    }
    advance(Duration::from_secs(1799)).await;
    refused(&mut bench, "pay").await;
    // A new hour by the calendar.
    let at = "2026-01-01T11:00:00Z";
    assert!(refused(&mut bench, "pay").await.to_string().contains(at));
}

#[tokio::test(start_paused = true)]
async fn tokens_are_counted_by_the_server_or_estimated_with_a_warning() {
    testing::proves!("S0-41");
    let quota = "quotas: [{ metric: tokens_per_day, warn: 1000, hard_stop: 2000 }]";
    let mut bench = limited("", quota, |_| {});
    let mut server = ready(&mut bench).await;
    let estimated = bench.client.hear().await;
    let warning = &warnings(&estimated)[0];
    assert_eq!(warning["code"], "TOKEN_COUNT_ESTIMATE_USED", "{estimated}");
    assert_eq!(warning["severity"], "info", "{estimated}");
    let mut heard = Vec::new();
    for output in [900, 1200] {
        bench.client.say(&call(1, "pay", json!({}))).await;
        let usage = json!({"input_tokens": 50, "output_tokens": output});
        server
            .answer(json!({"content": [], "_meta": {"usage": usage}}))
            .await;
        heard.push(bench.client.hear().await);
    }
    // What the server counts needs no warning.
    assert!(warnings(&heard[0]).is_null(), "{}", heard[0]);
    assert_eq!(warnings(&heard[1])[0]["code"], "RATE_LIMIT_QUOTA_WARNING");
    assert_eq!(warnings(&heard[1])[1], Value::Null);
    // The last call has led beyond the threshold, and the next one does not pass.
    let told = refused(&mut bench, "pay").await;
    assert_eq!(told["code"], "RATE_LIMIT_QUOTA_EXHAUSTED", "{told}");
    assert!(told["details"]["current"].as_u64() > Some(2200), "{told}");
}

#[tokio::test(start_paused = true)]
async fn limits_hold_for_a_wire_only_upstream_and_change_no_answer() {
    let text = "upstreams: { shop: { command: [x], quotas: [{ metric: tokens_per_day, warn: 1, hard_stop: 30 }] } }";
    let config = Config::parse(text, "my.yaml")
        .expect("a good file")
        .upstreams
        .remove(0);
    let mut bench = Bench::with(|upstream| upstream.usage = config.usage);
    let mut server = bench.initialized().await;
    let result =
        json!({"content": [{"type": "text", "text": "seventy bytes".repeat(5)}], "odd": 1.0});
    for id in [1, 2] {
        bench.client.say(&call(id, "pay", json!({}))).await;
        let Some(request) = server.hear_within(Duration::from_secs(1)).await else {
            break;
        };
        assert_eq!(id, 1, "the quota is exhausted: {request}");
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": result});
        server.say(&answer).await;
        assert_eq!(bench.client.hear().await["result"], result);
    }
    let told = bench.client.hear().await;
    assert_eq!(fault(&told)["code"], "RATE_LIMIT_QUOTA_EXHAUSTED", "{told}");
}

#[tokio::test(start_paused = true)]
async fn counters_reach_the_store_within_a_tenth_of_a_second_and_others_count_on() {
    let store: Arc<dyn Store> = Arc::new(Memory::default());
    let quota = "quotas: [{ metric: requests_per_day, warn: 4, hard_stop: 5 }]";
    let process = || {
        let writer = UsageWriter::new(Arc::default(), Some(Arc::clone(&store)));
        limited("", quota, |upstream| upstream.context.usage = writer)
    };
    let (mut one, mut other) = (process(), process());
    let mut servers = (ready(&mut one).await, ready(&mut other).await);
    one.client.hear().await;
    other.client.hear().await;
    made(&mut one, &mut servers.0, "pay").await;
    let day = "2026-01-01T12:00:00Z".parse().expect("a time");
    let stored = async || {
        let found = store.usage("shop", day).await.expect("it can be read");
        found.first().map_or(0, |one| one.used.0)
    };
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(stored().await, 3);
    // The next write tells each of them what the other has used.
    made(&mut other, &mut servers.1, "pay").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let warned = made(&mut other, &mut servers.1, "pay").await;
    assert_eq!(
        warnings(&warned)[0]["code"],
        "RATE_LIMIT_QUOTA_WARNING",
        "{warned}"
    );
    assert_eq!(refused(&mut other, "pay").await["details"]["current"], 5);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(stored().await, 5);
    // One that starts later finds what was used.
    let mut later = process();
    let mut server = hello(&mut later, json!({})).await;
    later.client.say(&call(1, "pay", json!({}))).await;
    list(
        &mut server,
        json!([{"name": "pay", "inputSchema": {"type": "object"}}]),
    )
    .await;
    let told = later.client.hear().await;
    assert_eq!(fault(&told)["code"], "RATE_LIMIT_QUOTA_EXHAUSTED", "{told}");
}

#[tokio::test]
async fn quotas_that_cannot_be_checked_let_no_call_through() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("no-directory");
    std::fs::write(&file, "").expect("there is room");
    let store = Sqlite::deferred(file.join("store.db")).expect("a thread");
    let quota = "quotas: [{ metric: requests_per_day, warn: 4, hard_stop: 5 }]";
    let mut bench = limited("", quota, |upstream| {
        let store: Arc<dyn Store> = Arc::new(store);
        upstream.context.usage = UsageWriter::new(Arc::default(), Some(store));
    });
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    list(
        &mut server,
        json!([{"name": "pay", "inputSchema": {"type": "object"}}]),
    )
    .await;
    let told = bench.client.hear().await;
    assert_eq!(fault(&told)["code"], "UNAVAILABLE_DEPENDENCY", "{told}");
    assert_eq!(fault(&told)["details"]["executed"], "no", "{told}");
}
