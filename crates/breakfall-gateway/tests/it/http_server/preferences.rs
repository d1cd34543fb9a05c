//! JSON or a stream, where the client has a preference.

use serde_json::{Value, json};
use testing::http::{Client, Connection, Response};

use super::Gateway;

/// The answer to a list of tools without a session, from a server that replies this.
fn answered(accept: &str, said: Value) -> Response {
    let gateway = Gateway::start();
    let client = Client::modern(gateway.address, "/mcp");
    let list = client.message(7, "tools/list", &json!({}));
    let request = client.post(&list).header("Accept", accept);
    let mut connection = Connection::open(gateway.address);
    connection.request(&request).expect("it is taken");
    let server = gateway.server();
    let mut answer = said;
    answer["jsonrpc"] = "2.0".into();
    answer["id"] = server.hear()["id"].clone();
    server.say(answer);
    connection.response().expect("a response")
}

const EVENTS_FIRST: &str = "text/event-stream, application/json";

#[test]
fn a_modern_client_that_prefers_a_stream_gets_one() {
    let result = json!({"tools": []});
    let response = answered(EVENTS_FIRST, json!({"result": result}));
    assert!(response.head.is("text/event-stream"));
    let text = String::from_utf8(response.body).expect("text");
    let event = text
        .strip_prefix("data: ")
        .and_then(|text| text.strip_suffix("\n\n"));
    let message: Value = serde_json::from_str(event.expect("one event")).expect("JSON");
    assert_eq!(
        message,
        json!({"jsonrpc": "2.0", "id": 7, "result": result})
    );

    let usual = "application/json, text/event-stream";
    let response = answered(usual, json!({"result": result}));
    assert!(response.head.is("application/json"));
}

#[test]
fn a_refusal_keeps_its_status_whatever_the_client_prefers() {
    let error = json!({"code": -32601, "message": "no such method"});
    let response = answered(EVENTS_FIRST, json!({"error": error}));
    assert_eq!(response.head.status, 404);
    assert!(response.head.is("application/json"));
    assert_eq!(response.json()["error"], error);
}
