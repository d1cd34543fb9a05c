//! What only reads is made again where that may help.

use std::time::Duration;

use serde_json::{Value, json};

use super::hello;
use crate::session::{Bench, End, fault};

fn read(id: u64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "resources/read", "params": {"uri": "a:b"}})
}

async fn error(server: &mut End, code: i64, message: &str) {
    let request = server.hear().await;
    assert_eq!(request["method"], "resources/read", "{request}");
    let error = json!({"code": code, "message": message});
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "error": error}))
        .await;
}

async fn ready() -> (Bench, End) {
    let mut bench = Bench::judged(None, |upstream| upstream.context.chance = || 0.5);
    let server = hello(&mut bench, json!({})).await;
    (bench, server)
}

/// The next server, which is told what the one before it knew.
async fn greeted(bench: &mut Bench) -> End {
    let mut server = bench.server().await;
    server
        .answer(json!({"protocolVersion": "2025-11-25", "capabilities": {}}))
        .await;
    assert_eq!(server.hear().await["method"], "notifications/initialized");
    server
}

#[tokio::test(start_paused = true)]
async fn a_server_that_dies_is_asked_again_when_it_is_back() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&read(1)).await;
    assert_eq!(server.hear().await["method"], "resources/read");
    drop(server);
    let mut server = greeted(&mut bench).await;
    server.answer(json!({"contents": []})).await;
    let answer = bench.client.hear().await;
    assert_eq!(
        answer,
        json!({"jsonrpc": "2.0", "id": 1, "result": {"contents": []}})
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_away_for_long_is_asked_three_times_and_the_caller_told_so() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&read(1)).await;
    for _ in 0..3 {
        error(&mut server, -32000, "Service temporarily unavailable").await;
    }
    let answer = bench.client.hear().await;
    let details = &answer["error"]["data"]["dev.breakfall/error"]["details"];
    assert_eq!(details["attempts"], 3, "{answer}");
    assert_eq!(details["waits_ms"], json!([50, 100]), "{answer}");
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);
    // One that dies each time.
    bench.client.say(&read(2)).await;
    for _ in 0..3 {
        assert_eq!(server.hear().await["method"], "resources/read");
        drop(server);
        server = greeted(&mut bench).await;
    }
    let answer = bench.client.hear().await;
    assert_eq!(fault(&answer)["details"]["attempts"], 3, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn what_would_fail_again_is_told_at_once() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&read(1)).await;
    error(&mut server, -32002, "Resource not found").await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);
}

#[tokio::test(start_paused = true)]
async fn what_is_taken_back_meanwhile_is_not_asked_again() {
    let (mut bench, mut server) = ready().await;
    bench.client.say(&read(1)).await;
    error(&mut server, -32000, "Service temporarily unavailable").await;
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    bench.client.say(&cancel).await;
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);
    // Its id may be used again.
    bench.client.say(&read(1)).await;
    server.answer(json!({"contents": []})).await;
    assert_eq!(bench.client.hear().await["result"], json!({"contents": []}));
}

#[tokio::test(start_paused = true)]
async fn what_may_change_something_is_asked_once() {
    let (mut bench, mut server) = ready().await;
    let other = json!({"jsonrpc": "2.0", "id": 1, "method": "vendor/do", "params": {}});
    bench.client.say(&other).await;
    assert_eq!(server.hear().await["method"], "vendor/do");
    drop(server);
    let mut server = greeted(&mut bench).await;
    assert_eq!(bench.client.hear().await["id"], 1);
    assert_eq!(server.hear_within(Duration::from_mins(1)).await, None);
}
