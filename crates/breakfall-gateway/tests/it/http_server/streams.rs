//! Streams: what starts one, what it contains, and how a client resumes it.

use std::time::Duration;

use serde_json::{Value, json};
use testing::http::{Client, Connection, Event, Request};

use super::{Gateway, ServerEnd, long_call, until};

fn message(connection: &mut Connection) -> Value {
    let event = connection.event().expect("a stream").expect("an event");
    event
        .message()
        .unwrap_or_else(|| panic!("no message: {event:?}"))
}

fn rest(client: &Client, gateway: &Gateway, last: &Event) -> Connection {
    let mut connection = Connection::open(gateway.address);
    let session = client.session.as_deref().expect("a session");
    let request = Request::new("GET", "/mcp")
        .header("Accept", "text/event-stream")
        .header("Mcp-Session-Id", session)
        .header("Last-Event-ID", last.id.as_deref().expect("an id"));
    connection.request(&request).expect("it is taken");
    assert_eq!(connection.head().expect("a head").status, 200);
    connection
}

#[test]
fn an_answer_that_comes_first_is_json() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut response = client.open(&long_call(&client, "x"));
    server.answer(&json!({"content": []}));
    let response = response.response().expect("a response");
    assert!(response.head.is("application/json"));
    assert_eq!(response.header("Content-Length").map(str::len), Some(2));
    assert_eq!(
        response.json(),
        json!({"jsonrpc": "2.0", "id": "x", "result": {"content": []}})
    );
}

#[test]
fn progress_starts_a_resumable_stream_and_the_answer_ends_it() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut response = client.open(&long_call(&client, "x"));
    let call = server.hear();
    server.progress(&call, 1);
    let head = response.head().expect("a head");
    assert_eq!(head.status, 200);
    assert!(head.is("text/event-stream"));
    assert_eq!(head.header("Cache-Control"), Some("no-cache"));
    assert_eq!(head.header("X-Accel-Buffering"), Some("no"));
    let priming = response.event().expect("a stream").expect("an event");
    assert_eq!((priming.data.as_str(), priming.retry), ("", Some(3000)));
    let progress = response.event().expect("a stream").expect("an event");
    assert_eq!(
        progress.message().expect("a message")["params"],
        json!({"progressToken": "p", "progress": 1})
    );
    server.reply(&call, &json!({"content": []}));
    let answer = response.event().expect("a stream").expect("an event");
    assert_eq!(answer.message().expect("a message")["id"], "x");
    assert_eq!(response.event().expect("a good end"), None);
    let ids = [priming.id, progress.id, answer.id].map(|id| id.expect("every event has an id"));
    assert!(
        ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2],
        "{ids:?}"
    );
}

#[test]
fn a_stream_of_an_older_version_starts_with_a_message() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session_in("2025-06-18");
    let mut response = client.open(&long_call(&client, "x"));
    let call = server.hear();
    server.progress(&call, 1);
    response.head().expect("a head");
    let first = response.event().expect("a stream").expect("an event");
    assert_eq!(first.message().expect("a message")["params"]["progress"], 1);
    assert!(first.id.is_some() && first.retry.is_none(), "{first:?}");
}

#[test]
fn a_client_that_prefers_a_stream_gets_one_for_an_answer_too() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let request = client
        .post(&long_call(&client, "x"))
        .header("Accept", "text/event-stream, application/json");
    let mut response = Connection::open(gateway.address);
    response.request(&request).expect("it is taken");
    server.answer(&json!({}));
    assert!(response.head().expect("a head").is("text/event-stream"));
    assert_eq!(
        response.event().expect("a stream").expect("an event").data,
        ""
    );
    assert_eq!(message(&mut response)["id"], "x");
    assert_eq!(response.event().expect("a good end"), None);
}

#[test]
fn a_stream_without_a_session_cannot_be_resumed() {
    let gateway = Gateway::start();
    let client = Client::modern(gateway.address, "/mcp");
    let mut response = client.open(&long_call(&client, "x"));
    let server = gateway.server();
    let call = server.hear();
    server.progress(&call, 1);
    assert!(response.head().expect("a head").is("text/event-stream"));
    let progress = response.event().expect("a stream").expect("an event");
    assert_eq!((&progress.id, progress.retry), (&None, None));
    assert_eq!(
        progress.message().expect("a message")["params"]["progressToken"],
        "p"
    );
    server.reply(&call, &json!({"resultType": "complete"}));
    assert_eq!(message(&mut response)["result"]["resultType"], "complete");
    assert_eq!(response.event().expect("a good end"), None);
}

#[test]
fn a_client_that_lost_its_connection_resumes_after_the_last_event() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut response = client.open(&long_call(&client, "x"));
    let call = server.hear();
    server.progress(&call, 1);
    server.progress(&call, 2);
    response.head().expect("a head");
    let _priming = response.event().expect("a stream").expect("an event");
    let first = response.event().expect("a stream").expect("an event");
    drop(response);
    // While it is disconnected.
    until("it is gone", || gateway.handle.connections() == 0);
    server.progress(&call, 3);
    let mut again = rest(&client, &gateway, &first);
    assert_eq!(message(&mut again)["params"]["progress"], 2);
    assert_eq!(message(&mut again)["params"]["progress"], 3);
    // After it has resumed.
    server.progress(&call, 4);
    let fourth = again.event().expect("a stream").expect("an event");
    assert_eq!(
        fourth.message().expect("a message")["params"]["progress"],
        4
    );
    drop(again);
    until("it is gone", || gateway.handle.connections() == 0);
    server.reply(&call, &json!({"content": []}));
    // The stream ends before it resumes.
    assert_eq!(server_is_idle(&client, &server)["method"], "ping");
    let mut again = rest(&client, &gateway, &fourth);
    assert_eq!(message(&mut again)["id"], "x");
    assert_eq!(again.event().expect("a good end"), None);
}

#[test]
fn a_delivered_stream_is_removed_after_a_while_unless_its_connection_closed() {
    let gateway = Gateway::with(|settings| settings.read_timeout = Duration::from_millis(200));
    let (client, server) = gateway.session();
    let whole = |id: &str| {
        let mut response = client.open(&long_call(&client, id));
        let call = server.hear();
        server.progress(&call, 1);
        server.reply(&call, &json!({"content": []}));
        response.head().expect("a head");
        let first = response.event().expect("a stream").expect("an event");
        while response.event().expect("a good end").is_some() {}
        (response, first)
    };
    let (cut, before) = whole("a");
    drop(cut);
    let (_still_there, first) = whole("b");
    let left = |first: &Event| {
        let mut again = rest(&client, &gateway, first);
        std::iter::from_fn(|| again.event().expect("a good end")).count()
    };
    assert_eq!(left(&first), 2, "who comes back soon finds it");
    until("it is forgotten", || left(&first) == 0);
    assert_eq!(left(&before), 2, "the events may not have arrived");
}

/// Everything said so far has been passed on.
fn server_is_idle(client: &Client, server: &ServerEnd) -> Value {
    let mut ping = client.open(&client.message("idle", "ping", &json!({})));
    let heard = server.answer(&json!({}));
    assert_eq!(ping.response().expect("a response").status, 200);
    heard
}

#[test]
fn an_unknown_event_id_leads_to_an_empty_stream() {
    let gateway = Gateway::start();
    let (client, _server) = gateway.session();
    for id in ["7_1", "garbage", "-1_0", "18446744073709551615_0"] {
        let session = client.session.as_deref().expect("a session");
        let request = Request::new("GET", "/mcp")
            .header("Accept", "text/event-stream")
            .header("Mcp-Session-Id", session)
            .header("Last-Event-ID", id);
        let response = gateway.ask(&request);
        assert_eq!((response.status, response.events().len()), (200, 0), "{id}");
    }
}

#[test]
fn a_message_without_a_request_waits_for_the_stream_of_the_session() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let changed = |n: u64| json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {"n": n}});
    server.say(changed(1));
    let mut stream = client.listen();
    stream.head().expect("a head");
    assert_eq!(
        stream.event().expect("a stream").expect("an event").data,
        ""
    );
    assert_eq!(message(&mut stream), changed(1));
    server.say(changed(2));
    let second = stream.event().expect("a stream").expect("an event");
    assert_eq!(second.message(), Some(changed(2)));
    // Another stream replaces it, and does not repeat what was read.
    let mut other = client.listen();
    other.head().expect("a head");
    while stream.event().expect("a good end").is_some() {}
    server.say(changed(3));
    assert_eq!(other.event().expect("a stream").expect("an event").data, "");
    assert_eq!(message(&mut other), changed(3));
    drop(other);
    let mut again = rest(&client, &gateway, &second);
    assert_eq!(message(&mut again), changed(3));
}

#[test]
fn a_question_of_the_server_is_asked_in_the_stream_of_the_call_and_answered_by_a_post() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut response = client.open(&long_call(&client, "x"));
    let call = server.hear();
    server.say(json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {"message": "?"}}));
    response.head().expect("a head");
    assert_eq!(
        response.event().expect("a stream").expect("an event").data,
        ""
    );
    let question = message(&mut response);
    assert_eq!(question["method"], "elicitation/create");
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept"}});
    let accepted = client.send(&answer);
    assert_eq!((accepted.status, accepted.body.len()), (202, 0));
    assert_eq!(
        server.hear(),
        json!({"jsonrpc": "2.0", "id": "q", "result": {"action": "accept"}})
    );
    server.reply(&call, &json!({"content": []}));
    assert_eq!(message(&mut response)["id"], "x");
}

#[test]
fn calls_at_the_same_time_have_streams_of_their_own() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let ids = ["a", "b", "c"];
    let mut open = ids.map(|id| {
        let response = client.open(&long_call(&client, id));
        (id, response, server.hear())
    });
    for (n, (_, _, call)) in (0..).zip(&open) {
        server.progress(call, n);
    }
    for (n, (_, response, _)) in (0..).zip(&mut open) {
        response.head().expect("a head");
        assert_eq!(
            response.event().expect("a stream").expect("an event").data,
            ""
        );
        assert_eq!(message(response)["params"]["progress"], n);
    }
    for (id, mut response, call) in open.into_iter().rev() {
        server.reply(&call, &json!({}));
        assert_eq!(message(&mut response)["id"], id);
    }
}

#[test]
fn a_cancelled_question_is_cancelled_in_its_stream() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut response = client.open(&long_call(&client, "x"));
    let call = server.hear();
    let params = json!({"message": "which?", "requestedSchema": {"type": "object"}});
    server
        .say(json!({"jsonrpc": "2.0", "id": 7, "method": "elicitation/create", "params": params}));
    response.head().expect("a head");
    let _priming = response.event().expect("a stream").expect("an event");
    let asked = message(&mut response);
    assert_eq!(asked["method"], "elicitation/create");
    server.say(
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}),
    );
    let taken_back = message(&mut response);
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    server.reply(&call, &json!({"content": []}));
    assert_eq!(message(&mut response)["id"], "x");
}
