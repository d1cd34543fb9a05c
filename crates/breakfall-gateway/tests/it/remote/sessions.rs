//! Handshake, session and its end, and a server that forgets sessions.

use std::time::Duration;

use breakfall_gateway::session::SessionEnd;
use serde_json::{Value, json};

use super::{RemoteFixture, hello};
use crate::session::{ask, call, fault, note};

#[tokio::test]
async fn requests_after_the_handshake_carry_session_and_version_and_the_session_is_deleted_at_the_end()
 {
    let mut fixture = RemoteFixture::new().await;
    fixture.client.say(&hello()).await;
    let request = fixture.server.next().await;
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/mcp")
    );
    assert_eq!(
        request.header("accept"),
        Some("application/json, text/event-stream")
    );
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("mcp-protocol-version"), None);
    request.greet("one").await;
    let answer = fixture.client.hear().await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");

    fixture.client.say(&note("notifications/initialized")).await;
    fixture.client.say(&call(7, "add")).await;
    let told = fixture.server.next().await;
    assert_eq!(told.body, note("notifications/initialized"));
    let early = fixture.server.next_within(Duration::from_millis(50)).await;
    assert!(
        early.is_none(),
        "nothing overtakes the end of the handshake: {early:?}"
    );
    let heads = |request: &super::ReceivedRequest| {
        assert_eq!(request.header("mcp-session-id"), Some("one"));
        assert_eq!(request.header("mcp-protocol-version"), Some("2025-11-25"));
    };
    heads(&told);
    told.reply("202 Accepted", &[], "").await;

    let mut called = None;
    for _ in 0..2 {
        let request = fixture.server.next().await;
        heads(&request);
        if request.method == "GET" {
            assert_eq!(request.header("accept"), Some("text/event-stream"));
            request.reply("405 Method Not Allowed", &[], "").await;
        } else {
            called = Some(request);
        }
    }
    let called = called.expect("the call");
    assert_eq!(
        called.body["params"],
        json!({"name": "add", "arguments": {}})
    );
    called.result(json!({"content": [], "x": 1})).await;
    let want = json!({"jsonrpc": "2.0", "id": 7, "result": {"content": [], "x": 1}});
    assert_eq!(fixture.client.hear().await, want);

    drop(fixture.client);
    let end = fixture.server.next().await;
    assert_eq!(end.method, "DELETE");
    heads(&end);
    end.reply("200 OK", &[], "").await;
    let ended = fixture.ended.await.expect("no panic");
    assert!(matches!(ended, SessionEnd::Well), "{ended:?}");
}

#[tokio::test]
async fn a_forgotten_session_is_renewed_once_for_all_requests_without_loss() {
    {
        let refusal = "404 Not Found";
        let mut fixture = RemoteFixture::in_session().await;
        for id in 1..=3 {
            fixture.client.say(&call(id, "add")).await;
        }
        let body = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID"},"id":null}"#;
        let headers = [("Content-Type", "application/json")];
        for _ in 0..3 {
            let request = fixture.server.next().await;
            assert_eq!(request.header("mcp-session-id"), Some("one"));
            request.reply(refusal, &headers, body).await;
        }
        let request = fixture.server.next().await;
        assert_eq!(
            request.body["params"],
            hello()["params"],
            "as the client said it"
        );
        request.greet("two").await;
        let request = fixture.server.next().await;
        assert_eq!(request.body["method"], "notifications/initialized");
        request.reply("202 Accepted", &[], "").await;
        let mut calls = 0;
        while calls < 3 {
            let request = fixture.server.next().await;
            assert_eq!(request.header("mcp-session-id"), Some("two"));
            if request.method == "GET" {
                request.reply("405 Method Not Allowed", &[], "").await;
            } else {
                assert_eq!(request.body["method"], "tools/call");
                request.result(json!({"content": []})).await;
                calls += 1;
            }
        }
        let mut heard: Vec<Value> = Vec::new();
        for _ in 0..3 {
            let answer = fixture.client.hear().await;
            assert_eq!(answer["result"], json!({"content": []}));
            heard.push(answer["id"].clone());
        }
        heard.sort_by_key(Value::as_i64);
        assert_eq!(heard, [1, 2, 3]);
    }
}

#[tokio::test]
async fn a_call_succeeds_beside_another_whose_session_is_always_forgotten() {
    let mut fixture = RemoteFixture::in_session().await;
    fixture.client.say(&call(1, "bad")).await;
    let bad = fixture.server.next().await;
    fixture.client.say(&call(2, "good")).await;
    let good = fixture.server.next().await;
    // The bad call expires its session, and the one begun for it.
    bad.reply("404 Not Found", &[], "").await;
    begin_anew(&mut fixture, "two").await;
    let bad = called(&mut fixture, "two").await;
    assert_eq!(bad.body["params"]["name"], "bad");
    bad.reply("404 Not Found", &[], "").await;
    let answer = fixture.client.hear().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(fault(&answer)["details"]["executed"], "unknown");
    assert_eq!(fault(&answer)["retry"]["retryable"], false);
    // The good call is executed only in a session of its own.
    good.reply("404 Not Found", &[], "").await;
    called(&mut fixture, "two")
        .await
        .reply("404 Not Found", &[], "")
        .await;
    begin_anew(&mut fixture, "three").await;
    let good = called(&mut fixture, "three").await;
    assert_eq!(good.body["params"]["name"], "good");
    good.result(json!({"content": []})).await;
    let want = json!({"jsonrpc": "2.0", "id": 2, "result": {"content": []}});
    assert_eq!(fixture.client.hear().await, want);
}

async fn begin_anew(fixture: &mut RemoteFixture, session: &str) {
    let request = fixture.server.next().await;
    request.greet(session).await;
    let request = fixture.server.next().await;
    assert_eq!(request.body["method"], "notifications/initialized");
    request.reply("202 Accepted", &[], "").await;
}

/// The next call; a GET before it is answered.
async fn called(fixture: &mut RemoteFixture, session: &str) -> super::ReceivedRequest {
    loop {
        let request = fixture.server.next().await;
        assert_eq!(request.header("mcp-session-id"), Some(session));
        if request.method == "GET" {
            request.reply("405 Method Not Allowed", &[], "").await;
            continue;
        }
        assert_eq!(request.body["method"], "tools/call");
        return request;
    }
}

#[tokio::test]
async fn an_error_under_the_id_of_a_call_is_its_answer_whatever_the_status_says_of_sessions() {
    let mut fixture = RemoteFixture::in_session().await;
    for (id, (status, words)) in [
        ("404 Not Found", "Unknown tool"),
        ("404 Not Found", "Checkout session not found"),
        ("400 Bad Request", "No shopping session for this cart"),
    ]
    .into_iter()
    .enumerate()
    {
        fixture.client.say(&call(id, "pay")).await;
        let request = fixture.server.next().await;
        assert_eq!(request.body["method"], "tools/call");
        let error = json!({"code": -32602, "message": words});
        let answer = json!({"jsonrpc": "2.0", "id": request.id(), "error": error});
        let headers = [("Content-Type", "application/json")];
        request.reply(status, &headers, &answer.to_string()).await;
        let want = json!({"jsonrpc": "2.0", "id": id, "error": error});
        assert_eq!(fixture.client.hear().await, want);
    }
    let more = fixture.server.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "nothing is begun anew: {more:?}");
}

#[tokio::test]
async fn a_tool_error_about_its_own_sessions_does_not_renew_the_session() {
    let mut fixture = RemoteFixture::in_session().await;
    fixture.client.say(&call(1, "pay")).await;
    let request = fixture.server.next().await;
    let words = r#"{"error":"the checkout session is invalid or has expired"}"#;
    let headers = [("Content-Type", "application/json")];
    request.reply("400 Bad Request", &headers, words).await;
    assert_eq!(fixture.client.hear().await["result"]["isError"], true);
    let more = fixture.server.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "nothing is begun anew: {more:?}");
}

#[tokio::test]
async fn an_error_in_the_words_of_the_sdks_is_about_the_session_under_any_id() {
    let mut fixture = RemoteFixture::in_session().await;
    fixture.client.say(&call(1, "pay")).await;
    let request = fixture.server.next().await;
    let error = json!({"code": -32001, "message": "Session not found"});
    let answer = json!({"jsonrpc": "2.0", "id": request.id(), "error": error});
    let headers = [("Content-Type", "application/json")];
    request
        .reply("404 Not Found", &headers, &answer.to_string())
        .await;
    begin_anew(&mut fixture, "two").await;
    called(&mut fixture, "two")
        .await
        .result(json!({"content": []}))
        .await;
    assert_eq!(
        fixture.client.hear().await["result"],
        json!({"content": []})
    );
}

#[tokio::test]
async fn a_call_refused_in_a_new_session_reports_its_attempts_and_the_message_of_the_server() {
    let words = "the checkout session is invalid or has expired";
    for (body, message) in [
        (json!({"error": words}), words),
        (json!({"error": {"message": words}}), words),
        (json!({}), "Service 'shop' is unavailable"),
    ] {
        let mut fixture = RemoteFixture::in_session().await;
        fixture.client.say(&call(1, "pay")).await;
        let headers = [("Content-Type", "application/json")];
        let body = body.to_string();
        let request = fixture.server.next().await;
        request.reply("404 Not Found", &headers, &body).await;
        begin_anew(&mut fixture, "two").await;
        let request = called(&mut fixture, "two").await;
        request.reply("404 Not Found", &headers, &body).await;
        let answer = fixture.client.hear().await;
        let told = fault(&answer);
        assert_eq!(told["details"]["attempts"], 2, "{answer}");
        assert_eq!(told["details"]["executed"], "unknown", "{answer}");
        assert_eq!(told["message"], message, "{answer}");
    }
}

#[tokio::test]
async fn without_a_new_session_the_call_was_not_executed() {
    let mut fixture = RemoteFixture::in_session().await;
    fixture.client.say(&call(1, "pay")).await;
    fixture
        .server
        .next()
        .await
        .reply("404 Not Found", &[], "")
        .await;
    let request = fixture.server.next().await;
    assert_eq!(request.body["method"], "initialize");
    request.reply("503 Service Unavailable", &[], "").await;
    let answer = fixture.client.hear().await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(fault(&answer)["details"]["executed"], "no");
}

#[tokio::test]
async fn messages_during_the_handshake_wait_for_its_end() {
    let mut fixture = RemoteFixture::new().await;
    fixture.client.say(&hello()).await;
    fixture.client.say(&ask(2, "ping")).await;
    let request = fixture.server.next().await;
    let early = fixture.server.next_within(Duration::from_millis(50)).await;
    assert!(early.is_none(), "{early:?}");
    request.greet("one").await;
    let request = fixture.server.next().await;
    assert_eq!(request.body["method"], "ping");
    assert_eq!(request.header("mcp-session-id"), Some("one"));
}

#[tokio::test]
async fn a_refused_handshake_is_reported_and_can_be_repeated() {
    let mut fixture = RemoteFixture::new().await;
    for round in 0..2 {
        fixture.client.say(&hello()).await;
        let request = fixture.server.next().await;
        let error = json!({"code": -32602, "message": "Unsupported protocol version", "data": {"round": round}});
        let answer = json!({"jsonrpc": "2.0", "id": request.id(), "error": error});
        let headers = [("Content-Type", "application/json")];
        request
            .reply("400 Bad Request", &headers, &answer.to_string())
            .await;
        // The server is probed for the modern era.
        let mut answer = std::pin::pin!(fixture.client.hear());
        let heard = loop {
            tokio::select! {
                heard = &mut answer => break heard,
                request = fixture.server.next() => {
                    assert_eq!(request.body["method"], "server/discover");
                    request.reply("400 Bad Request", &[], "").await;
                }
            }
        };
        assert_eq!(
            heard,
            json!({"jsonrpc": "2.0", "id": "hello", "error": error})
        );
    }
}

#[tokio::test]
async fn a_modern_message_is_repeated_in_headers_and_needs_no_session() {
    let mut fixture = RemoteFixture::new().await;
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"name": "größe", "arguments": {}, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    fixture.client.say(&message).await;
    fixture.is_modern().await;
    let request = fixture.server.next().await;
    assert_eq!(request.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(request.header("mcp-method"), Some("tools/call"));
    assert_eq!(request.header("mcp-name"), Some("=?base64?Z3LDtsOfZQ==?="));
    assert_eq!(request.body["params"], params);
    request
        .result(json!({"resultType": "complete", "content": []}))
        .await;
    assert_eq!(
        fixture.client.hear().await["result"]["resultType"],
        "complete"
    );
    drop(fixture.client);
    fixture.ended.await.expect("no panic");
    let more = fixture.server.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "there is no session to end: {more:?}");
}
