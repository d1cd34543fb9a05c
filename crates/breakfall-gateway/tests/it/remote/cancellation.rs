//! Cancelled requests.

use std::time::Duration;

use serde_json::json;

use super::{RemoteFixture, hello};
use crate::session::call;

#[tokio::test]
async fn in_a_session_a_cancellation_is_sent_and_the_stream_is_closed() {
    let mut fixture = RemoteFixture::in_session().await;
    fixture.client.say(&call("a", "long")).await;
    let mut request = fixture.server.next().await;
    request.stream();
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a", "reason": "enough"}});
    fixture.client.say(&note).await;
    let told = fixture.server.next().await;
    assert_eq!(
        told.body["params"],
        json!({"requestId": request.id(), "reason": "enough"})
    );
    assert_eq!(told.header("mcp-session-id"), Some("one"));
    let left = tokio::time::timeout(Duration::from_millis(50), request.gone()).await;
    assert!(left.is_err(), "not before the server has heard it");
    told.reply("202 Accepted", &[], "").await;
    request.gone().await;
}

#[tokio::test]
async fn without_sessions_a_cancellation_only_closes_the_stream() {
    let mut fixture = RemoteFixture::new().await;
    let mut message = call("a", "long");
    message["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    fixture.client.say(&message).await;
    fixture.is_modern().await;
    let mut request = fixture.server.next().await;
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}});
    fixture.client.say(&note).await;
    request.gone().await;
    let more = fixture.server.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "{more:?}");
}

#[tokio::test]
async fn a_handshake_that_times_out_is_closed_and_blocks_no_later_one() {
    let mut fixture = RemoteFixture::with(|upstream| {
        upstream.patience.idle = Duration::from_millis(200);
        upstream.patience.total = Duration::from_millis(200);
    })
    .await;
    fixture.client.say(&hello()).await;
    let mut request = fixture.server.next().await;
    let answer = fixture.client.hear().await;
    assert_eq!(
        answer["error"]["data"]["code"], "UNAVAILABLE_TIMEOUT",
        "{answer}"
    );
    request.gone().await;
    fixture.client.say(&hello()).await;
    fixture.server.next().await.greet("one").await;
    assert!(fixture.client.hear().await["result"].is_object());
}
