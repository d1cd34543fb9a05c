//! Sessions: how they begin and end.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use serde_json::json;
use testing::http::{Client, LEGACY, Request};

use super::{Gateway, long_call, until};

#[test]
fn delete_ends_a_session_and_its_server() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    assert_eq!(gateway.mcp.sessions(), 1);
    let session = client.session.clone().expect("an id");
    let delete = Request::new("DELETE", "/mcp").header("Mcp-Session-Id", &session);
    assert_eq!(gateway.ask(&delete).status, 204);
    server.ended();
    assert_eq!(gateway.mcp.sessions(), 0);
    for request in [
        delete,
        client.post(&client.message(1, "ping", &json!({}))),
        Request::new("GET", "/mcp")
            .header("Accept", "text/event-stream")
            .header("Mcp-Session-Id", &session),
    ] {
        assert_eq!(gateway.ask(&request).status, 404, "{request:?}");
    }
}

#[test]
fn the_end_of_a_session_ends_its_stream() {
    let gateway = Gateway::start();
    let (client, _server) = gateway.session();
    let mut stream = client.listen();
    assert_eq!(stream.head().expect("a head").status, 200);
    let session = client.session.clone().expect("an id");
    let delete = Request::new("DELETE", "/mcp").header("Mcp-Session-Id", &session);
    assert_eq!(gateway.ask(&delete).status, 204);
    while stream.event().expect("a good end").is_some() {}
}

#[test]
fn the_end_of_a_session_cancels_its_open_requests() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut waits = client.open(&long_call(&client, "a"));
    let first = server.hear();
    let mut streams = client.open(&long_call(&client, "b"));
    let second = server.hear();
    server.progress(&second, 1);
    streams.head().expect("a head");
    streams.event().expect("a stream").expect("an event");
    let session = client.session.clone().expect("an id");
    let delete = Request::new("DELETE", "/mcp").header("Mcp-Session-Id", &session);
    assert_eq!(gateway.ask(&delete).status, 204);
    let cancelled: BTreeSet<String> = [server.hear(), server.hear()]
        .map(|note| {
            assert_eq!(note["method"], "notifications/cancelled", "{note}");
            note["params"]["requestId"].to_string()
        })
        .into();
    let asked = [&first, &second].map(|call| call["id"].to_string());
    assert_eq!(cancelled, BTreeSet::from(asked));
    let response = waits.response().expect("a response");
    assert_eq!((response.status, response.messages().len()), (200, 0));
    while streams.event().expect("a good end").is_some() {}
    server.ended();
    drop((waits, streams));
    until("nothing is left", || gateway.handle.connections() == 0);
}

#[test]
fn a_handshake_that_streams_opens_a_session_only_if_it_succeeds() {
    let gateway = Gateway::with(|settings| settings.read_timeout = Duration::from_millis(200));
    let params = json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}});
    for is_good in [true, false] {
        let mut client = Client::silent(gateway.address, "/mcp", LEGACY);
        let mut response = client.open(&client.message("x", "initialize", &params));
        let server = gateway.server();
        let id = server.hear()["id"].clone();
        let log = json!({"level": "info", "data": "a moment"});
        server.say(json!({"jsonrpc": "2.0", "method": "notifications/message", "params": log}));
        let head = response.head().expect("a head");
        assert!(head.is("text/event-stream"), "{head:?}");
        client.session = head.header("Mcp-Session-Id").map(str::to_owned);
        assert!(
            client.session.is_some(),
            "the handshake is not answered yet"
        );
        let result = json!({"protocolVersion": LEGACY, "capabilities": {}});
        let error = json!({"code": -32602, "message": "no"});
        server.say(if is_good {
            json!({"jsonrpc": "2.0", "id": id, "result": result})
        } else {
            json!({"jsonrpc": "2.0", "id": id, "error": error})
        });
        while response.event().expect("a good end").is_some() {}
        let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let status = client.send(&note).status;
        if is_good {
            assert_eq!(status, 202);
            assert_eq!(server.hear(), note);
            let mut stream = client.listen();
            stream.head().expect("a head");
            let first = stream.event().expect("a stream").expect("an event");
            assert!(first.id.is_some(), "its version is known: {first:?}");
        } else {
            assert_eq!(status, 404);
            server.ended();
        }
    }
    until("only one is left", || gateway.mcp.sessions() == 1);
}

#[test]
fn session_ids_are_long_printable_and_unique() {
    let gateway = Gateway::start();
    let mut servers = Vec::new();
    let mut ids = BTreeSet::new();
    for _ in 0..20 {
        let (client, server) = gateway.session();
        ids.insert(client.session.expect("an id"));
        servers.push(server);
    }
    assert_eq!(ids.len(), 20);
    for id in &ids {
        let is_plain = id.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
        assert!(is_plain && id.len() >= 32, "{id}");
    }
    // A prefix that all share would tell something about the others.
    let first = ids.iter().next().expect("one");
    let common = ids.iter().map(|id| {
        id.bytes()
            .zip(first.bytes())
            .take_while(|(a, b)| a == b)
            .count()
    });
    assert!(
        common
            .filter(|common| *common < first.len())
            .all(|common| common < 8)
    );
}

#[test]
fn a_failed_handshake_opens_no_session() {
    let gateway = Gateway::start();
    let address = gateway.address;
    thread::scope(|scope| {
        let response = scope.spawn(move || Client::silent(address, "/mcp", LEGACY).initialize());
        let server = gateway.server();
        let id = &server.hear()["id"];
        server.say(json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "no"}}));
        let response = response.join().expect("a response");
        assert_eq!(response.status, 200);
        assert_eq!(response.json()["error"]["code"], -32602);
        assert_eq!(response.header("Mcp-Session-Id"), None);
        server.ended();
    });
    assert_eq!(gateway.mcp.sessions(), 0);
}

#[test]
fn a_client_that_leaves_during_the_handshake_leaves_nothing_behind() {
    let gateway = Gateway::start();
    let client = Client::silent(gateway.address, "/mcp", LEGACY);
    let params = json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}});
    let connection = client.open(&client.message("x", "initialize", &params));
    let server = gateway.server();
    assert_eq!(server.hear()["method"], "initialize");
    drop(connection);
    server.ended();
    until("nothing is left", || {
        gateway.mcp.sessions() == 0 && gateway.handle.connections() == 0
    });
}

#[test]
fn beyond_the_maximum_a_session_is_refused_with_retry_after() {
    let gateway = Gateway::with(|settings| settings.sessions.max = 2);
    let (first, _one) = gateway.session();
    let (_, _two) = gateway.session();
    let response = Client::silent(gateway.address, "/mcp", LEGACY).initialize();
    assert_eq!(response.status, 503);
    assert_eq!(response.header("Retry-After"), Some("1"));
    assert_eq!(response.json()["id"], "hello");
    let delete =
        Request::new("DELETE", "/mcp").header("Mcp-Session-Id", &first.session.expect("an id"));
    assert_eq!(gateway.ask(&delete).status, 204);
    gateway.session();
}

#[test]
fn an_unused_session_is_removed_and_a_used_one_is_not() {
    let gateway = Gateway::with(|settings| {
        settings.sessions.idle = Duration::from_millis(100);
        settings.read_timeout = Duration::from_millis(200);
    });
    let (_, silent) = gateway.session();
    let (client, server) = gateway.session();
    let mut stream = client.listen();
    assert_eq!(stream.head().expect("a head").status, 200);
    silent.ended();
    assert_eq!(gateway.mcp.sessions(), 1, "its stream is open");
    drop(stream);
    server.ended();
    assert_eq!(gateway.mcp.sessions(), 0);
}
