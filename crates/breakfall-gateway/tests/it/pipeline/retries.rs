//! Calls that are made again, and what their callers are told of it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{call, fail, hello, list, work};
use crate::session::{Bench, End, QUIET, fault};

/// A server with a tool that may be called twice, and one without annotations.
async fn ready() -> (Bench, End) {
    ready_in(3 * QUIET).await
}

/// The same, with this much time for a call at most.
async fn ready_in(total: Duration) -> (Bench, End) {
    let text = "upstreams: {shop: {command: [x], tools: {look: {idempotent: true}}}}";
    let config = breakfall_gateway::config::Config::parse(text, "my.yaml");
    let tools = config.expect("a good file").upstreams.remove(0).tools;
    let mut bench = Bench::judged(None, |upstream| {
        upstream.tools = tools;
        upstream.timeouts.total = total;
        upstream.context.chance = || 0.5;
    });
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(0, "look", json!({}))).await;
    let both = json!([{"name": "look", "inputSchema": {}}, {"name": "pay", "inputSchema": {}}]);
    list(&mut server, both).await;
    work(&mut server).await;
    bench.client.hear().await;
    (bench, server)
}

const AWAY: &str = "503 Service Unavailable";

#[tokio::test(start_paused = true)]
async fn what_may_be_done_twice_is_tried_three_times_with_growing_pauses() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&call(1, "look", json!({}))).await;
    let since = Instant::now();
    for _ in 0..3 {
        fail(&mut server, AWAY).await;
    }
    let answer = bench.client.hear().await;
    assert!(since.elapsed() >= Duration::from_millis(150));
    let details = &fault(&answer)["details"];
    assert_eq!(details["attempts"], 3, "{answer}");
    assert_eq!(details["waits_ms"], json!([50, 100]), "{answer}");
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);
    // One that works the second time is told as if it had the first.
    bench.client.say(&call(2, "look", json!({}))).await;
    fail(&mut server, AWAY).await;
    work(&mut server).await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn what_may_not_is_tried_once() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    fail(&mut server, AWAY).await;
    let answer = bench.client.hear().await;
    assert!(fault(&answer)["details"]["attempts"].is_null(), "{answer}");
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_wait_the_server_asks_for_is_kept_or_handed_on() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&call(1, "look", json!({}))).await;
    let since = Instant::now();
    fail(&mut server, "429 Too Many Requests: retry after 2 seconds").await;
    work(&mut server).await;
    assert!(since.elapsed() >= Duration::from_secs(2));
    assert!(bench.client.hear().await["result"]["isError"].is_null());
    // A minute is too long to wait here; the caller decides.
    bench.client.say(&call(2, "look", json!({}))).await;
    fail(&mut server, "429 Too Many Requests: retry after 60 seconds").await;
    let answer = bench.client.hear().await;
    let told: &Value = fault(&answer);
    assert_eq!(told["retry"]["after_ms"], 60_000, "{answer}");
    assert!(told["details"]["attempts"].is_null(), "{answer}");
}

/// What another gateway says of a call it has made three times.
fn tried_already(details: &Value) -> Value {
    let error = json!({
        "code": "UNAVAILABLE_SERVICE", "category": "unavailable", "message": "Service 'inner' is unavailable",
        "retry": {"policy": "backoff", "retryable": true}, "details": details, "correlation_id": "inner-1",
    });
    let text = "[UNAVAILABLE_SERVICE] Service 'inner' is unavailable\nFix: Wait.\nRetry: yes, with backoff\nReference: inner-1";
    json!({"isError": true, "content": [{"type": "text", "text": text}], "_meta": {"dev.breakfall/error": error}})
}

#[tokio::test(start_paused = true)]
async fn what_a_gateway_in_between_has_repeated_is_not_repeated_again_and_counted() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&call(1, "look", json!({}))).await;
    server
        .answer(tried_already(
            &json!({"attempts": 3, "waits_ms": [50, 100]}),
        ))
        .await;
    let answer = bench.client.hear().await;
    let told = fault(&answer);
    assert_eq!(told["details"]["attempts"], 3, "{answer}");
    assert_eq!(told["details"]["waits_ms"], json!([50, 100]), "{answer}");
    assert_eq!(told["retry"]["retryable"], true, "later, it may work");
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);

    // Attempts of both count.
    bench.client.say(&call(2, "look", json!({}))).await;
    fail(&mut server, AWAY).await;
    server
        .answer(tried_already(&json!({"attempts": 2, "waits_ms": [70]})))
        .await;
    let answer = bench.client.hear().await;
    let details = &fault(&answer)["details"];
    assert_eq!(details["attempts"], 3, "{answer}");
    assert_eq!(details["waits_ms"], json!([50, 70]), "{answer}");

    // A gateway that has tried once leaves the rest to us.
    bench.client.say(&call(3, "look", json!({}))).await;
    server.answer(tried_already(&json!({}))).await;
    work(&mut server).await;
    assert!(bench.client.hear().await["result"]["isError"].is_null());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_all_the_time_there_is_is_told_how_much_that_is() {
    let (mut bench, mut server) = ready_in(Duration::from_secs(15)).await;
    bench.client.say(&call(1, "look", json!({}))).await;
    let request = server.hear().await;
    // It fails late, and hangs the next time until nothing is left.
    tokio::time::sleep(Duration::from_millis(9500)).await;
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"isError": true, "content": [{"type": "text", "text": AWAY}]}}))
        .await;
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["details"]["timeout_ms"], 15_000, "{answer}");
}
