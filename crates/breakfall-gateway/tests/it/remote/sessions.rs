//! Handshake, session, the end of both; and a server that forgets.

use std::time::Duration;

use breakfall_gateway::session::Ended;
use serde_json::{Value, json};

use super::{Bench, hello};
use crate::relay::{ask, call, fault, note};

#[tokio::test]
async fn everything_after_the_handshake_names_its_session_and_version_and_the_end_is_told() {
    let mut bench = Bench::new().await;
    bench.client.say(&hello()).await;
    let came = bench.far.next().await;
    assert_eq!((came.method.as_str(), came.path.as_str()), ("POST", "/mcp"));
    assert_eq!(
        came.header("accept"),
        Some("application/json, text/event-stream")
    );
    assert_eq!(came.header("content-type"), Some("application/json"));
    assert_eq!(came.header("mcp-protocol-version"), None);
    came.greet("one").await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");

    bench.client.say(&note("notifications/initialized")).await;
    bench.client.say(&call(7, "add")).await;
    let told = bench.far.next().await;
    assert_eq!(told.body, note("notifications/initialized"));
    let early = bench.far.next_within(Duration::from_millis(50)).await;
    assert!(
        early.is_none(),
        "nothing overtakes the end of the handshake: {early:?}"
    );
    let heads = |came: &super::Came| {
        assert_eq!(came.header("mcp-session-id"), Some("one"));
        assert_eq!(came.header("mcp-protocol-version"), Some("2025-11-25"));
    };
    heads(&told);
    told.reply("202 Accepted", &[], "").await;

    let mut called = None;
    for _ in 0..2 {
        let came = bench.far.next().await;
        heads(&came);
        if came.method == "GET" {
            assert_eq!(came.header("accept"), Some("text/event-stream"));
            came.reply("405 Method Not Allowed", &[], "").await;
        } else {
            called = Some(came);
        }
    }
    let called = called.expect("the call");
    assert_eq!(
        called.body["params"],
        json!({"name": "add", "arguments": {}})
    );
    called.result(json!({"content": [], "x": 1})).await;
    let want = json!({"jsonrpc": "2.0", "id": 7, "result": {"content": [], "x": 1}});
    assert_eq!(bench.client.hear().await, want);

    drop(bench.client);
    let end = bench.far.next().await;
    assert_eq!(end.method, "DELETE");
    heads(&end);
    end.reply("200 OK", &[], "").await;
    let ended = bench.ended.await.expect("no panic");
    assert!(matches!(ended, Ended::Well), "{ended:?}");
}

#[tokio::test]
async fn a_forgotten_session_is_begun_anew_once_for_all_and_nothing_is_lost() {
    for refusal in ["404 Not Found", "400 Bad Request"] {
        let mut bench = Bench::in_session().await;
        for id in 1..=3 {
            bench.client.say(&call(id, "add")).await;
        }
        let body = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"No valid session ID"},"id":null}"#;
        let headers = [("Content-Type", "application/json")];
        for _ in 0..3 {
            let came = bench.far.next().await;
            assert_eq!(came.header("mcp-session-id"), Some("one"));
            came.reply(refusal, &headers, body).await;
        }
        let came = bench.far.next().await;
        assert_eq!(
            came.body["params"],
            hello()["params"],
            "as the client said it"
        );
        came.greet("two").await;
        let came = bench.far.next().await;
        assert_eq!(came.body["method"], "notifications/initialized");
        came.reply("202 Accepted", &[], "").await;
        let mut calls = 0;
        while calls < 3 {
            let came = bench.far.next().await;
            assert_eq!(came.header("mcp-session-id"), Some("two"));
            if came.method == "GET" {
                came.reply("405 Method Not Allowed", &[], "").await;
            } else {
                assert_eq!(came.body["method"], "tools/call");
                came.result(json!({"content": []})).await;
                calls += 1;
            }
        }
        let mut heard: Vec<Value> = Vec::new();
        for _ in 0..3 {
            let answer = bench.client.hear().await;
            assert_eq!(answer["result"], json!({"content": []}));
            heard.push(answer["id"].clone());
        }
        heard.sort_by_key(Value::as_i64);
        assert_eq!(heard, [1, 2, 3]);
    }
}

#[tokio::test]
async fn a_call_does_not_suffer_for_another_that_the_server_always_forgets_the_session_of() {
    let mut bench = Bench::in_session().await;
    bench.client.say(&call(1, "bad")).await;
    let bad = bench.far.next().await;
    bench.client.say(&call(2, "good")).await;
    let good = bench.far.next().await;
    // The bad one ends the session it came in, and the one that is begun for it.
    bad.reply("404 Not Found", &[], "").await;
    begin_anew(&mut bench, "two").await;
    let bad = called(&mut bench, "two").await;
    assert_eq!(bad.body["params"]["name"], "bad");
    bad.reply("404 Not Found", &[], "").await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["id"], 1);
    assert_eq!(fault(&answer)["details"]["executed"], "unknown");
    assert_eq!(fault(&answer)["retry"]["retryable"], false);
    // The good one is not done before it has had a session of its own.
    good.reply("404 Not Found", &[], "").await;
    called(&mut bench, "two")
        .await
        .reply("404 Not Found", &[], "")
        .await;
    begin_anew(&mut bench, "three").await;
    let good = called(&mut bench, "three").await;
    assert_eq!(good.body["params"]["name"], "good");
    good.result(json!({"content": []})).await;
    let want = json!({"jsonrpc": "2.0", "id": 2, "result": {"content": []}});
    assert_eq!(bench.client.hear().await, want);
}

async fn begin_anew(bench: &mut Bench, session: &str) {
    let came = bench.far.next().await;
    came.greet(session).await;
    let came = bench.far.next().await;
    assert_eq!(came.body["method"], "notifications/initialized");
    came.reply("202 Accepted", &[], "").await;
}

/// The next call, and nothing but that and the wish to listen.
async fn called(bench: &mut Bench, session: &str) -> super::Came {
    loop {
        let came = bench.far.next().await;
        assert_eq!(came.header("mcp-session-id"), Some(session));
        if came.method == "GET" {
            came.reply("405 Method Not Allowed", &[], "").await;
            continue;
        }
        assert_eq!(came.body["method"], "tools/call");
        return came;
    }
}

#[tokio::test]
async fn an_error_under_the_id_of_a_call_is_its_answer_whatever_the_status_says_of_sessions() {
    let mut bench = Bench::in_session().await;
    for (id, (status, words)) in [
        ("404 Not Found", "Unknown tool"),
        ("404 Not Found", "Checkout session not found"),
        ("400 Bad Request", "No shopping session for this cart"),
    ]
    .into_iter()
    .enumerate()
    {
        bench.client.say(&call(id, "pay")).await;
        let came = bench.far.next().await;
        assert_eq!(came.body["method"], "tools/call");
        let error = json!({"code": -32602, "message": words});
        let answer = json!({"jsonrpc": "2.0", "id": came.id(), "error": error});
        let headers = [("Content-Type", "application/json")];
        came.reply(status, &headers, &answer.to_string()).await;
        let want = json!({"jsonrpc": "2.0", "id": id, "error": error});
        assert_eq!(bench.client.hear().await, want);
    }
    let more = bench.far.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "nothing is begun anew: {more:?}");
}

#[tokio::test]
async fn what_a_tool_says_of_sessions_of_its_own_is_no_reason_to_call_it_again() {
    let mut bench = Bench::in_session().await;
    bench.client.say(&call(1, "pay")).await;
    let came = bench.far.next().await;
    let words = r#"{"error":"the checkout session is invalid or has expired"}"#;
    let headers = [("Content-Type", "application/json")];
    came.reply("400 Bad Request", &headers, words).await;
    assert_eq!(bench.client.hear().await["result"]["isError"], true);
    let more = bench.far.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "nothing is begun anew: {more:?}");
}

#[tokio::test]
async fn an_error_in_the_words_of_the_sdks_is_about_the_session_under_any_id() {
    let mut bench = Bench::in_session().await;
    bench.client.say(&call(1, "pay")).await;
    let came = bench.far.next().await;
    let error = json!({"code": -32001, "message": "Session not found"});
    let answer = json!({"jsonrpc": "2.0", "id": came.id(), "error": error});
    let headers = [("Content-Type", "application/json")];
    came.reply("404 Not Found", &headers, &answer.to_string())
        .await;
    begin_anew(&mut bench, "two").await;
    called(&mut bench, "two")
        .await
        .result(json!({"content": []}))
        .await;
    assert_eq!(bench.client.hear().await["result"], json!({"content": []}));
}

#[tokio::test]
async fn who_is_refused_in_a_new_session_too_reads_how_often_it_was_sent_and_what_the_server_says()
{
    let words = "the checkout session is invalid or has expired";
    for (body, message) in [
        (json!({"error": words}), words),
        (json!({"error": {"message": words}}), words),
        (json!({}), "Service 'shop' is unavailable"),
    ] {
        let mut bench = Bench::in_session().await;
        bench.client.say(&call(1, "pay")).await;
        let headers = [("Content-Type", "application/json")];
        let body = body.to_string();
        let came = bench.far.next().await;
        came.reply("404 Not Found", &headers, &body).await;
        begin_anew(&mut bench, "two").await;
        let came = called(&mut bench, "two").await;
        came.reply("404 Not Found", &headers, &body).await;
        let answer = bench.client.hear().await;
        let told = fault(&answer);
        assert_eq!(told["details"]["attempts"], 2, "{answer}");
        assert_eq!(told["details"]["executed"], "unknown", "{answer}");
        assert_eq!(told["message"], message, "{answer}");
    }
}

#[tokio::test]
async fn a_server_that_begins_no_new_session_has_done_nothing() {
    let mut bench = Bench::in_session().await;
    bench.client.say(&call(1, "pay")).await;
    bench.far.next().await.reply("404 Not Found", &[], "").await;
    let came = bench.far.next().await;
    assert_eq!(came.body["method"], "initialize");
    came.reply("503 Service Unavailable", &[], "").await;
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert_eq!(fault(&answer)["details"]["executed"], "no");
}

#[tokio::test]
async fn a_client_that_does_not_wait_for_the_handshake_is_made_to() {
    let mut bench = Bench::new().await;
    bench.client.say(&hello()).await;
    bench.client.say(&ask(2, "ping")).await;
    let came = bench.far.next().await;
    let early = bench.far.next_within(Duration::from_millis(50)).await;
    assert!(early.is_none(), "{early:?}");
    came.greet("one").await;
    let came = bench.far.next().await;
    assert_eq!(came.body["method"], "ping");
    assert_eq!(came.header("mcp-session-id"), Some("one"));
}

#[tokio::test]
async fn a_handshake_that_is_refused_is_told_and_can_be_made_again() {
    let mut bench = Bench::new().await;
    for round in 0..2 {
        bench.client.say(&hello()).await;
        let came = bench.far.next().await;
        let error = json!({"code": -32602, "message": "Unsupported protocol version", "data": {"round": round}});
        let answer = json!({"jsonrpc": "2.0", "id": came.id(), "error": error});
        let headers = [("Content-Type", "application/json")];
        came.reply("400 Bad Request", &headers, &answer.to_string())
            .await;
        // It may be a server of the other protocol; it is not.
        while let Some(came) = bench.far.next_within(Duration::from_millis(50)).await {
            assert_eq!(came.body["method"], "server/discover");
            came.reply("400 Bad Request", &[], "").await;
        }
        let heard = bench.client.hear().await;
        assert_eq!(
            heard,
            json!({"jsonrpc": "2.0", "id": "hello", "error": error})
        );
    }
}

#[tokio::test]
async fn a_modern_message_says_in_its_headers_what_it_is_and_needs_no_session() {
    let mut bench = Bench::new().await;
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}});
    let params = json!({"name": "größe", "arguments": {}, "_meta": meta});
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    bench.client.say(&message).await;
    bench.is_modern().await;
    let came = bench.far.next().await;
    assert_eq!(came.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(came.header("mcp-method"), Some("tools/call"));
    assert_eq!(came.header("mcp-name"), Some("=?base64?Z3LDtsOfZQ==?="));
    assert_eq!(came.body["params"], params);
    came.result(json!({"resultType": "complete", "content": []}))
        .await;
    assert_eq!(
        bench.client.hear().await["result"]["resultType"],
        "complete"
    );
    drop(bench.client);
    bench.ended.await.expect("no panic");
    let more = bench.far.next_within(Duration::from_millis(50)).await;
    assert!(more.is_none(), "there is no session to end: {more:?}");
}
