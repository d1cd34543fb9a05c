//! Answers that come as events: what belongs to a request, what belongs to none, and streams that break off.

use serde_json::json;

use super::{Bench, event};
use crate::relay::{call, fault, note};

#[tokio::test]
async fn whatever_comes_before_the_answer_is_heard_in_order() {
    let mut bench = Bench::in_session().await;
    let mut message = call(1, "long");
    message["params"]["_meta"]["progressToken"] = json!("p");
    bench.client.say(&message).await;
    let came = bench.far.next().await;
    let token = came.body["params"]["_meta"]["progressToken"].clone();
    came.stream();
    let log = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "é"}});
    let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1}});
    came.chunk(": hello\n\n");
    came.chunk(&event(&log));
    came.chunk(&event(&progress));
    assert_eq!(bench.client.hear().await, log);
    assert_eq!(bench.client.hear().await["params"]["progressToken"], "p");
    let question = json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {"message": "?"}});
    came.chunk(&event(&question));
    let asked = bench.client.hear().await;
    assert_eq!(asked["params"], question["params"]);
    let said = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}});
    bench.client.say(&said).await;
    let answer = bench.far.next().await;
    assert_eq!(
        answer.body,
        json!({"jsonrpc": "2.0", "id": "q", "result": {"action": "accept"}})
    );
    assert_eq!(answer.header("mcp-session-id"), Some("one"));
    answer.reply("202 Accepted", &[], "").await;
    let result = json!({"jsonrpc": "2.0", "id": came.id(), "result": {"content": []}});
    came.chunk(&event(&result));
    came.end();
    assert_eq!(
        bench.client.hear().await,
        json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})
    );
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_gone_on_with_where_events_have_ids() {
    let mut bench = Bench::in_session().await;
    bench.client.say(&call(1, "long")).await;
    let came = bench.far.next().await;
    let id = came.id();
    came.stream();
    came.chunk("id: 41\nretry: 10\ndata:\n\n");
    came.chunk("id: 42\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\nid: 43\ndata: {\"half");
    assert_eq!(bench.client.hear().await["method"], "notifications/message");
    drop(came);

    // Not there for a moment, then there again.
    let came = bench.far.next().await;
    assert_eq!(
        (came.method.as_str(), came.header("last-event-id")),
        ("GET", Some("42"))
    );
    assert_eq!(came.header("mcp-session-id"), Some("one"));
    came.reply("503 Service Unavailable", &[], "").await;
    let came = bench.far.next().await;
    assert_eq!(came.header("last-event-id"), Some("42"));
    came.stream();
    came.chunk("id: 43\ndata: {\"jsonrpc\":\"2.0\",\"id\":");
    came.chunk(&format!("{id},\"result\":{{\"content\":[]}}}}\n\n"));
    came.end();
    assert_eq!(bench.client.hear().await["result"], json!({"content": []}));
}

#[tokio::test]
async fn a_stream_that_breaks_off_for_good_leaves_the_call_unknown() {
    let mut bench = Bench::in_session().await;
    bench.client.say(&call(1, "pay")).await;
    let came = bench.far.next().await;
    came.stream();
    came.chunk("data: {\"jsonrpc\":\"2.0\",\"id\":");
    drop(came);
    let answer = bench.client.hear().await;
    assert_eq!(answer["result"]["isError"], true);
    assert_eq!(fault(&answer)["details"]["executed"], "unknown");
    assert_eq!(fault(&answer)["code"], "UNAVAILABLE_NETWORK");
}

#[tokio::test]
async fn what_belongs_to_no_request_is_heard_and_the_stream_for_it_is_kept() {
    let mut bench = Bench::new().await;
    bench.shake_hands("one").await;
    let came = bench.far.next().await;
    assert_eq!(
        (came.method.as_str(), came.header("last-event-id")),
        ("GET", None)
    );
    came.stream();
    let changed = note("notifications/tools/list_changed");
    came.chunk(&format!("retry: 10\nid: a\n{}", event(&changed)));
    assert_eq!(bench.client.hear().await, changed);
    came.end();
    let came = bench.far.next().await;
    assert_eq!(
        (came.method.as_str(), came.header("last-event-id")),
        ("GET", Some("a"))
    );
    came.stream();
    came.chunk(&event(&changed));
    assert_eq!(bench.client.hear().await, changed);
    // It does not stand in the way of anything.
    bench.client.say(&call(1, "add")).await;
    bench.far.next().await.result(json!({"content": []})).await;
    assert_eq!(bench.client.hear().await["id"], 1);
    drop(came);
}

#[tokio::test]
async fn an_answer_that_is_too_big_is_refused_before_it_has_all_come() {
    for kind in ["told", "chunked", "event"] {
        let mut bench = Bench::with(|upstream| upstream.limits.size = 1000).await;
        bench.client.say(&call(1, "big")).await;
        let mut came = bench.far.next().await;
        let start = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{\"x\":\"",
            came.id()
        );
        match kind {
            "told" => came.write(format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n{start}"
            )),
            "chunked" => {
                came.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
                came.chunk(&start);
                came.chunk(&"x".repeat(1000));
            }
            _ => {
                came.stream();
                came.chunk(&format!("data: {start}"));
                came.chunk(&"x".repeat(1000));
            }
        }
        let answer = bench.client.hear().await;
        assert_eq!(fault(&answer)["code"], "INTERNAL_BAD_UPSTREAM", "{kind}");
        assert_eq!(fault(&answer)["details"]["executed"], "unknown", "{kind}");
        // The rest is not read.
        came.gone().await;
    }
}

#[tokio::test]
async fn a_notification_that_is_too_big_does_not_cost_the_answer() {
    let mut bench = Bench::with(|upstream| upstream.limits.size = 1000).await;
    bench.client.say(&call(1, "big")).await;
    let came = bench.far.next().await;
    came.stream();
    let long = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x".repeat(5000)}});
    came.chunk(&event(&long));
    let result = json!({"jsonrpc": "2.0", "id": came.id(), "result": {"content": []}});
    came.chunk(&event(&result));
    came.end();
    assert_eq!(bench.client.hear().await["result"], json!({"content": []}));
}

#[tokio::test]
async fn calls_go_on_after_a_stream_has_ended() {
    let mut bench = Bench::in_session().await;
    for id in 1..=3 {
        bench.client.say(&call(id, "add")).await;
        let came = bench.far.next().await;
        came.stream();
        let result = json!({"jsonrpc": "2.0", "id": came.id(), "result": {"content": []}});
        came.chunk(&event(&result));
        assert_eq!(bench.client.hear().await["id"], id);
        came.end();
    }
}
