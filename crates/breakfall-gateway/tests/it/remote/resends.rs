//! When a request is sent a second time over HTTP, and when not.

use std::time::Duration;

use breakfall_gateway::upstream::Origin;
use serde_json::json;

use super::{ReceivedRequest, RemoteFixture};
use crate::session::{ask, call, fault};

const JSON: [(&str, &str); 1] = [("Content-Type", "application/json")];
const NO_SESSION: &str = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#;

/// A client in a session called `one`, and whether calls are sent again when it is lost.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "only a server over HTTP has sessions to lose"
)]
async fn in_session(resends: bool) -> RemoteFixture {
    let mut fixture = RemoteFixture::with(|upstream| {
        let none = Origin::in_process(breakfall_demo::spawn);
        upstream.origin = match std::mem::replace(&mut upstream.origin, none) {
            Origin::Remote(remote) => Origin::Remote(remote.resend_on_lost_session(resends)),
            other => other,
        };
    })
    .await;
    fixture.shake_hands("one").await;
    let request = fixture.server.next().await;
    assert_eq!(request.method, "GET");
    request.reply("405 Method Not Allowed", &[], "").await;
    fixture
}

/// The next request that is not a part of a handshake, which is done.
async fn next(fixture: &mut RemoteFixture) -> ReceivedRequest {
    loop {
        let request = fixture.server.next().await;
        match request.body["method"].as_str() {
            Some("initialize") => request.greet("two").await,
            Some("notifications/initialized") => request.reply("202 Accepted", &[], "").await,
            None => request.reply("405 Method Not Allowed", &[], "").await,
            Some(_) => return request,
        }
    }
}

/// The answer to a call that is not sent again. The session is renewed before.
async fn failed(fixture: &mut RemoteFixture) -> serde_json::Value {
    loop {
        tokio::select! {
            answer = fixture.client.hear() => return answer,
            request = fixture.server.next() => match request.body["method"].as_str() {
                Some("initialize") => request.greet("two").await,
                Some("tools/call") => panic!("sent again: {request:?}"),
                Some(_) => request.reply("202 Accepted", &[], "").await,
                None => request.reply("405 Method Not Allowed", &[], "").await,
            },
        }
    }
}

#[tokio::test]
async fn a_call_is_sent_again_after_404_to_its_session_unless_that_is_forbidden() {
    let mut fixture = in_session(true).await;
    fixture.client.say(&call(1, "pay")).await;
    next(&mut fixture)
        .await
        .reply("404 Not Found", &[], "")
        .await;
    let again = next(&mut fixture).await;
    assert_eq!(again.header("mcp-session-id"), Some("two"));
    again.result(json!({"content": []})).await;
    assert!(fixture.client.hear().await["result"].is_object());

    let mut fixture = in_session(false).await;
    fixture.client.say(&call(1, "pay")).await;
    next(&mut fixture)
        .await
        .reply("404 Not Found", &[], "")
        .await;
    let answer = failed(&mut fixture).await;
    assert_eq!(fault(&answer)["details"]["executed"], "unknown", "{answer}");
    assert_eq!(fault(&answer)["retry"]["retryable"], false, "{answer}");
    // The next call finds a session.
    fixture.client.say(&call(2, "pay")).await;
    let request = next(&mut fixture).await;
    assert_eq!(request.header("mcp-session-id"), Some("two"));
    request.result(json!({"content": []})).await;
    assert_eq!(fixture.client.hear().await["id"], 2);
}

#[tokio::test]
async fn a_call_is_not_sent_again_for_the_words_of_a_400_and_a_read_is() {
    let mut fixture = in_session(true).await;
    fixture.client.say(&call(1, "pay")).await;
    let request = next(&mut fixture).await;
    request.reply("400 Bad Request", &JSON, NO_SESSION).await;
    let answer = failed(&mut fixture).await;
    assert_eq!(fault(&answer)["details"]["executed"], "unknown", "{answer}");
    assert_eq!(fault(&answer)["retry"]["retryable"], false, "{answer}");
    let words = "Bad Request: No valid session ID provided";
    assert_eq!(fault(&answer)["message"], words, "{answer}");

    fixture.client.say(&ask(2, "resources/list")).await;
    let request = next(&mut fixture).await;
    assert_eq!(request.header("mcp-session-id"), Some("two"));
    request.reply("400 Bad Request", &JSON, NO_SESSION).await;
    let again = next(&mut fixture).await;
    assert_eq!(again.body["method"], "resources/list");
    again.result(json!({"resources": []})).await;
    assert_eq!(fixture.client.hear().await["id"], 2);
}

#[tokio::test]
async fn a_call_follows_one_redirect() {
    let mut fixture = in_session(true).await;
    fixture.client.say(&call(1, "pay")).await;
    for path in ["/mcp", "/a"] {
        let request = next(&mut fixture).await;
        assert_eq!(request.path, path);
        let to = if path == "/mcp" { "/a" } else { "/b" };
        let headers = [("Location", to)];
        request.reply("307 Temporary Redirect", &headers, "").await;
    }
    let answer = fixture.client.hear().await;
    assert_eq!(fault(&answer)["code"], "INTERNAL_CONFIGURATION", "{answer}");
    let more = fixture.server.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "{more:?}");
    // A list may be read again and again.
    fixture.client.say(&ask(2, "resources/list")).await;
    for to in ["/a", "/b"] {
        let request = next(&mut fixture).await;
        let headers = [("Location", to)];
        request.reply("308 Permanent Redirect", &headers, "").await;
    }
    next(&mut fixture)
        .await
        .result(json!({"resources": []}))
        .await;
    assert_eq!(fixture.client.hear().await["id"], 2);
}
