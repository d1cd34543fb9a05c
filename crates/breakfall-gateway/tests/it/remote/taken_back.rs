//! Requests that are taken back.

use std::time::Duration;

use serde_json::json;

use super::{Bench, hello};
use crate::relay::call;

#[tokio::test]
async fn in_a_session_it_is_told_in_words_and_the_stream_is_left() {
    let mut bench = Bench::in_session().await;
    bench.client.say(&call("a", "long")).await;
    let mut came = bench.far.next().await;
    came.stream();
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a", "reason": "enough"}});
    bench.client.say(&note).await;
    let told = bench.far.next().await;
    assert_eq!(
        told.body["params"],
        json!({"requestId": came.id(), "reason": "enough"})
    );
    assert_eq!(told.header("mcp-session-id"), Some("one"));
    let left = tokio::time::timeout(Duration::from_millis(50), came.gone()).await;
    assert!(left.is_err(), "not before the server has heard it");
    told.reply("202 Accepted", &[], "").await;
    came.gone().await;
}

#[tokio::test]
async fn without_sessions_the_stream_is_left_without_a_word() {
    let mut bench = Bench::new().await;
    let mut message = call("a", "long");
    message["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    bench.client.say(&message).await;
    bench.is_modern().await;
    let mut came = bench.far.next().await;
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}});
    bench.client.say(&note).await;
    came.gone().await;
    let more = bench.far.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "{more:?}");
}

#[tokio::test]
async fn a_handshake_that_takes_too_long_is_left_and_holds_nobody_up() {
    let mut bench = Bench::with(|upstream| {
        upstream.patience.idle = Duration::from_millis(200);
        upstream.patience.total = Duration::from_millis(200);
    })
    .await;
    bench.client.say(&hello()).await;
    let mut came = bench.far.next().await;
    let answer = bench.client.hear().await;
    assert_eq!(
        answer["error"]["data"]["code"], "UNAVAILABLE_TIMEOUT",
        "{answer}"
    );
    came.gone().await;
    bench.client.say(&hello()).await;
    bench.far.next().await.greet("one").await;
    assert!(bench.client.hear().await["result"].is_object());
}
