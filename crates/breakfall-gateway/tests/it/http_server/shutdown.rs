//! Clients that disconnect before their answer, and a gateway that shuts down.

use serde_json::{Value, json};
use testing::http::{Client, Connection};
use testing::wire::PATIENCE;

use super::{Gateway, ServerEnd, long_call, until};

fn cancelled(server: &ServerEnd) -> Value {
    let note = server.hear();
    assert_eq!(note["method"], "notifications/cancelled", "{note}");
    note["params"]["requestId"].clone()
}

#[test]
fn closing_the_connection_cancels_a_request_without_a_session() {
    let gateway = Gateway::start();
    let client = Client::modern(gateway.address, "/mcp");
    let waits = client.open(&long_call(&client, "same"));
    let server = gateway.server();
    let first = server.hear();
    let mut streams = client.open(&long_call(&client, "same"));
    let second = server.hear();
    assert_ne!(
        first["id"], second["id"],
        "ids of two clients may be the same"
    );
    server.progress(&second, 1);
    streams.head().expect("a head");
    streams.event().expect("a stream").expect("an event");
    drop(waits);
    assert_eq!(cancelled(&server), first["id"]);
    streams.reset().expect("a reset");
    assert_eq!(cancelled(&server), second["id"]);
    until("nothing is left", || gateway.handle.connections() == 0);
}

#[test]
fn closing_the_connection_does_not_cancel_a_request_in_a_session() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let waits = client.open(&long_call(&client, "a"));
    let first = server.hear();
    let mut streams = client.open(&long_call(&client, "b"));
    let second = server.hear();
    server.progress(&second, 1);
    streams.head().expect("a head");
    drop(waits);
    drop(streams);
    until("both are gone", || gateway.handle.connections() == 0);
    server.reply(&first, &json!({}));
    server.reply(&second, &json!({}));
    let mut ping = client.open(&client.message("c", "ping", &json!({})));
    let heard = server.answer(&json!({}));
    assert_eq!(heard["method"], "ping", "and nothing before it");
    assert_eq!(ping.response().expect("a response").status, 200);
}

#[test]
fn a_cancelled_request_ends_its_response_without_an_answer() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut response = client.open(&long_call(&client, "a"));
    let call = server.hear();
    let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a", "reason": "r"}});
    assert_eq!(client.send(&note).status, 202);
    assert_eq!(cancelled(&server), call["id"]);
    let response = response.response().expect("a response");
    assert_eq!((response.status, response.messages().len()), (200, 0));
}

#[test]
fn a_message_without_a_request_does_not_reach_the_request_of_another_client() {
    let gateway = Gateway::start();
    let client = Client::modern(gateway.address, "/mcp");
    let log = |text: &str| {
        let params = json!({"level": "info", "data": text});
        json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
    };
    let mut first = client.open(&long_call(&client, "a"));
    let server = gateway.server();
    let a = server.hear();
    let mut second = client.open(&long_call(&client, "b"));
    let b = server.hear();
    // It belongs to one of two requests, which may be of different clients.
    server.say(log("whose?"));
    server.reply(&a, &json!({}));
    server.reply(&b, &json!({}));
    for response in [&mut first, &mut second] {
        let response = response.response().expect("a response");
        assert!(!response.text().contains("whose?"), "{}", response.text());
    }
    let mut alone = client.open(&long_call(&client, "c"));
    let c = server.hear();
    server.say(log("this one's"));
    server.reply(&c, &json!({}));
    let response = alone.response().expect("a response");
    assert!(
        response.text().contains("this one's"),
        "{}",
        response.text()
    );
}

#[test]
fn a_shutdown_ends_endless_streams_with_their_result() {
    let mut gateway = Gateway::draining(PATIENCE, |_| {});
    let client = Client::modern(gateway.address, "/mcp");
    let listen = json!({"notifications": {"toolsListChanged": true}});
    let mut stream = client.open(&client.message("s", "subscriptions/listen", &listen));
    let server = gateway.server();
    let asked = server.hear();
    let meta = json!({"io.modelcontextprotocol/subscriptionId": asked["id"]});
    let params = json!({"notifications": {"toolsListChanged": true}, "_meta": meta});
    server.say(json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": params}));
    stream.head().expect("a head");
    stream
        .event()
        .expect("a stream")
        .expect("it is acknowledged");
    // This one is not acknowledged.
    let mut silent = client.open(&client.message("t", "subscriptions/listen", &listen));
    server.hear();
    gateway.stop();
    let last = stream.event().expect("a stream").expect("its result");
    let last = last.message().expect("a message");
    let meta = json!({"io.modelcontextprotocol/subscriptionId": "s"});
    let result = json!({"resultType": "complete", "_meta": meta});
    assert_eq!(last, json!({"jsonrpc": "2.0", "id": "s", "result": result}));
    assert!(stream.event().expect("a good end").is_none());
    let answer = silent.response().expect("a response").answer("t");
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    server.ended();
}

#[test]
fn a_shutdown_lets_open_requests_finish() {
    let mut gateway = Gateway::draining(PATIENCE, |_| {});
    let (client, server) = gateway.session();
    let mut idle = Connection::open(gateway.address);
    let mut stream = client.listen();
    stream.head().expect("a head");
    let mut waits = client.open(&long_call(&client, "a"));
    let first = server.hear();
    let mut streams = client.open(&long_call(&client, "b"));
    let second = server.hear();
    server.progress(&second, 1);
    streams.head().expect("a head");
    gateway.stop();
    while stream.event().expect("a good end").is_some() {}
    idle.ended().expect("it has nothing to do");
    server.reply(&first, &json!({}));
    let answer = waits.response().expect("a response");
    assert_eq!(answer.header("Connection"), Some("close"));
    assert_eq!(answer.answer("a")["id"], "a");
    server.reply(&second, &json!({}));
    let rest = streams.body().expect("a good end");
    assert!(String::from_utf8_lossy(&rest).contains(r#""id":"b""#));
    server.ended();
    let address = gateway.address;
    drop(gateway);
    assert!(Connection::try_open(address).is_err(), "the port is closed");
}

#[test]
fn a_request_still_open_after_the_drain_is_answered_with_a_fault() {
    let gateway = Gateway::start();
    let (client, server) = gateway.session();
    let mut waits = client.open(&long_call(&client, "a"));
    server.hear();
    drop(gateway);
    let answer = waits.response().expect("an answer").answer("a");
    let error = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(error["code"], "UNAVAILABLE_SERVICE", "{answer}");
    assert_eq!(error["details"]["executed"], "unknown", "{answer}");
    server.ended();
}
