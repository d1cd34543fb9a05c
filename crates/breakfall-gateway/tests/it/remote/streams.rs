//! Streams of events: messages of a request, messages of no request, and broken streams.

use serde_json::json;

use super::{RemoteFixture, event};
use crate::session::{call, fault, note};

#[tokio::test]
async fn messages_before_the_answer_are_delivered_in_order() {
    let mut fixture = RemoteFixture::in_session().await;
    let mut message = call(1, "long");
    message["params"]["_meta"]["progressToken"] = json!("p");
    fixture.client.say(&message).await;
    let request = fixture.server.next().await;
    let token = request.body["params"]["_meta"]["progressToken"].clone();
    request.stream();
    let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "é"}});
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}});
    request.chunk(": hello\n\n");
    request.chunk(&event(&log));
    request.chunk(&event(&progress));
    assert_eq!(fixture.client.hear().await, log);
    assert_eq!(fixture.client.hear().await["params"]["progressToken"], "p");
    let question = json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {"message": "?"}});
    request.chunk(&event(&question));
    let asked = fixture.client.hear().await;
    assert_eq!(asked["params"], question["params"]);
    let said = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}});
    fixture.client.say(&said).await;
    let answer = fixture.server.next().await;
    assert_eq!(
        answer.body,
        json!({"jsonrpc": "2.0", "id": "q", "result": {"action": "accept"}})
    );
    assert_eq!(answer.header("mcp-session-id"), Some("one"));
    answer.reply("202 Accepted", &[], "").await;
    let result = json!({"jsonrpc": "2.0", "id": request.id(), "result": {"content": []}});
    request.chunk(&event(&result));
    request.end();
    assert_eq!(
        fixture.client.hear().await,
        json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})
    );
}

#[tokio::test]
async fn a_broken_stream_is_resumed_if_its_events_have_ids() {
    let mut fixture = RemoteFixture::in_session().await;
    fixture.client.say(&call(1, "long")).await;
    let request = fixture.server.next().await;
    let id = request.id();
    request.stream();
    request.chunk("id: 41\nretry: 10\ndata:\n\n");
    request.chunk("id: 42\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\nid: 43\ndata: {\"half");
    assert_eq!(
        fixture.client.hear().await["method"],
        "notifications/message"
    );
    drop(request);

    // Unavailable for a moment.
    let request = fixture.server.next().await;
    assert_eq!(
        (request.method.as_str(), request.header("last-event-id")),
        ("GET", Some("42"))
    );
    assert_eq!(request.header("mcp-session-id"), Some("one"));
    request.reply("503 Service Unavailable", &[], "").await;
    let request = fixture.server.next().await;
    assert_eq!(request.header("last-event-id"), Some("42"));
    request.stream();
    request.chunk("id: 43\ndata: {\"jsonrpc\":\"2.0\",\"id\":");
    request.chunk(&format!("{id},\"result\":{{\"content\":[]}}}}\n\n"));
    request.end();
    assert_eq!(
        fixture.client.hear().await["result"],
        json!({"content": []})
    );
}

#[tokio::test]
async fn a_broken_stream_without_ids_leaves_open_whether_the_call_was_executed() {
    let mut fixture = RemoteFixture::in_session().await;
    fixture.client.say(&call(1, "pay")).await;
    let request = fixture.server.next().await;
    request.stream();
    request.chunk("data: {\"jsonrpc\":\"2.0\",\"id\":");
    drop(request);
    let answer = fixture.client.hear().await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(fault(&answer)["details"]["executed"], "unknown");
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_NETWORK");
}

#[tokio::test]
async fn messages_of_the_get_stream_are_delivered_and_the_stream_is_reopened() {
    let mut fixture = RemoteFixture::new().await;
    fixture.shake_hands("one").await;
    let request = fixture.server.next().await;
    assert_eq!(
        (request.method.as_str(), request.header("last-event-id")),
        ("GET", None)
    );
    request.stream();
    let changed = note("notifications/tools/list_changed");
    request.chunk(&format!("retry: 10\nid: a\n{}", event(&changed)));
    assert_eq!(fixture.client.hear().await, changed);
    request.end();
    let request = fixture.server.next().await;
    assert_eq!(
        (request.method.as_str(), request.header("last-event-id")),
        ("GET", Some("a"))
    );
    request.stream();
    request.chunk(&event(&changed));
    assert_eq!(fixture.client.hear().await, changed);
    // The open stream delays no other request.
    fixture.client.say(&call(1, "add")).await;
    fixture
        .server
        .next()
        .await
        .result(json!({"content": []}))
        .await;
    assert_eq!(fixture.client.hear().await["id"], 1);
    drop(request);
}

#[tokio::test]
async fn an_oversized_answer_is_refused_before_it_is_complete() {
    for kind in ["told", "chunked", "event"] {
        let mut fixture = RemoteFixture::with(|upstream| upstream.limits.size = 1000).await;
        fixture.client.say(&call(1, "big")).await;
        let mut request = fixture.server.next().await;
        let start = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"x\":\"",
            request.id()
        );
        match kind {
            "told" => request.write(format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n{start}"
            )),
            "chunked" => {
                request.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
                request.chunk(&start);
                request.chunk(&"x".repeat(1000));
            }
            _ => {
                request.stream();
                request.chunk(&format!("data: {start}"));
                request.chunk(&"x".repeat(1000));
            }
        }
        let answer = fixture.client.hear().await;
        assert_eq!(fault(&answer)["code"], "INTERNAL_BAD_UPSTREAM", "{kind}");
        assert_eq!(fault(&answer)["details"]["executed"], "unknown", "{kind}");
        // The rest is not read.
        request.gone().await;
    }
}

#[tokio::test]
async fn an_oversized_notification_does_not_lose_the_answer() {
    let mut fixture = RemoteFixture::with(|upstream| upstream.limits.size = 1000).await;
    fixture.client.say(&call(1, "big")).await;
    let request = fixture.server.next().await;
    request.stream();
    let long = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x".repeat(5000)}});
    request.chunk(&event(&long));
    let result = json!({"jsonrpc": "2.0", "id": request.id(), "result": {"content": []}});
    request.chunk(&event(&result));
    request.end();
    assert_eq!(
        fixture.client.hear().await["result"],
        json!({"content": []})
    );
}

#[tokio::test]
async fn calls_go_on_after_a_stream_has_ended() {
    let mut fixture = RemoteFixture::in_session().await;
    for id in 1..=3 {
        fixture.client.say(&call(id, "add")).await;
        let request = fixture.server.next().await;
        request.stream();
        let result = json!({"jsonrpc": "2.0", "id": request.id(), "result": {"content": []}});
        request.chunk(&event(&result));
        assert_eq!(fixture.client.hear().await["id"], id);
        request.end();
    }
}
