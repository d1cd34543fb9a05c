//! How a status decides whether a call is retried, and when.

use std::time::Duration;

use breakfall_gateway::config::Config;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{ReceivedRequest, RemoteFixture, hello};
use crate::session::{call, note};

const JSON: &str = "application/json";

/// A server with one tool and these settings for it, and a client that has called it.
async fn called(tools: &str) -> RemoteFixture {
    let text = format!("upstreams: {{shop: {{command: [x], tools: {tools}}}}}");
    let mut file = Config::parse(&text, "my.yaml").expect("a good file");
    let config = file.upstreams.remove(0);
    let mut fixture = RemoteFixture::with(|upstream| {
        upstream.context.is_judged = true;
        upstream.tools = config.tools;
    })
    .await;
    fixture.client.say(&hello()).await;
    let request = fixture.server.next().await;
    request.greet("one").await;
    fixture.client.hear().await;
    fixture.client.say(&note("notifications/initialized")).await;
    fixture.client.say(&call(1, "pay")).await;
    fixture
}

/// Gives every call this response until the client has its answer. Returns the answer and the times of the calls.
async fn answered(
    mut fixture: RemoteFixture,
    reply: impl Fn(&ReceivedRequest) -> Vec<u8>,
) -> (Value, Vec<Instant>) {
    heard(&mut fixture, reply).await
}

/// The same, with a fixture that is used on.
async fn heard(
    fixture: &mut RemoteFixture,
    reply: impl Fn(&ReceivedRequest) -> Vec<u8>,
) -> (Value, Vec<Instant>) {
    let mut calls = Vec::new();
    loop {
        tokio::select! {
            biased;
            answer = fixture.client.hear() => return (answer, calls),
            request = fixture.server.next() => match request.body["method"].as_str() {
                Some("tools/call") => {
                    calls.push(Instant::now());
                    request.write(reply(&request));
                }
                Some("tools/list") => {
                    let schema = json!({"type": "object"});
                    let tools = json!([{"name": "pay", "inputSchema": schema}, {"name": "list", "inputSchema": schema}]);
                    request.result(json!({"tools": tools})).await;
                }
                Some("initialize") => request.greet("two").await,
                Some(_) => request.reply("202 Accepted", &[], "").await,
                None => request.reply("405 Method Not Allowed", &[], "").await,
            },
        }
    }
}

fn response(status: &str, more: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{more}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// A JSON-RPC error with a status and `Retry-After`.
fn error(status: &str, code: i64, message: &str, request: &ReceivedRequest) -> Vec<u8> {
    let error = json!({"code": code, "message": message});
    let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "error": error});
    response(status, "Retry-After: 1\r\n", JSON, &body.to_string())
}

fn fault(answer: &Value) -> &Value {
    let data = &answer["error"]["data"]["dev.breakfall/error"];
    if data.is_null() {
        &answer["result"]["_meta"]["dev.breakfall/error"]
    } else {
        data
    }
}

#[tokio::test]
async fn a_call_refused_with_an_html_page_is_not_retried() {
    for tools in ["{}", "{pay: {idempotent: true}}"] {
        let fixture = called(tools).await;
        let page =
            |_: &ReceivedRequest| response("400 Bad Request", "", "text/html", "<html>no</html>");
        let (answer, calls) = answered(fixture, page).await;
        assert_eq!(calls.len(), 1, "{answer}");
        assert_eq!(fault(&answer)["retry"]["retryable"], false, "{answer}");
        assert_ne!(fault(&answer)["details"]["executed"], "no", "{answer}");
    }
}

#[tokio::test]
async fn retry_after_with_a_protocol_error_is_respected_and_passed_on() {
    let fixture = called("{}").await;
    let limit =
        |request: &ReceivedRequest| error("429 Too Many Requests", -32000, "rate limited", request);
    let (answer, calls) = answered(fixture, limit).await;
    let told = fault(&answer);
    assert_eq!(told["code"], "RATE_LIMIT_EXCEEDED", "{answer}");
    assert_eq!(told["retry"]["after_ms"], 1000, "{answer}");
    assert_eq!(told["details"]["executed"], "no", "{answer}");
    assert_eq!(answer["error"]["code"], -32000, "{answer}");
    // The caller gets the wait. The gateway itself sends only again what may be executed twice, not earlier than it is asked.
    assert_eq!(calls.len(), 1, "{answer}");
    let fixture = called("{pay: {idempotent: true}}").await;
    let (answer, calls) = answered(fixture, limit).await;
    assert_eq!(calls.len(), 3, "{answer}");
    for two in calls.windows(2) {
        assert!(two[1] - two[0] >= Duration::from_secs(1), "{calls:?}");
    }
}

#[tokio::test]
async fn a_status_classifies_an_error_whose_code_does_not() {
    let turned_away = ("RATE_LIMIT_EXCEEDED", json!("no"), json!(1000), 1);
    let failed_at = ("UNAVAILABLE_SERVICE", json!("unknown"), Value::Null, 1);
    for (status, (code, executed, after, times)) in [
        ("429 Too Many Requests", turned_away),
        ("503 Service Unavailable", failed_at),
    ] {
        let fixture = called("{}").await;
        let (answer, calls) =
            answered(fixture, |request| error(status, -32603, "no luck", request)).await;
        let told = fault(&answer);
        assert_eq!(told["code"], code, "{answer}");
        assert_eq!(told["retry"]["after_ms"], after, "{answer}");
        assert_eq!(told["details"]["executed"], executed, "{answer}");
        assert_eq!(told["message"], "no luck", "{answer}");
        assert_eq!(calls.len(), times, "{answer}");
    }
}

#[tokio::test]
async fn retry_after_does_not_say_whether_the_call_was_executed() {
    let status = "503 Service Unavailable";
    for code in [-32603, -32000, 503] {
        let page = |_: &ReceivedRequest| {
            response(status, "Retry-After: 1\r\n", "text/html", "<html>no</html>")
        };
        let error = |request: &ReceivedRequest| error(status, code, "no luck", request);
        let (page, _) = answered(called("{}").await, page).await;
        let (error, calls) = answered(called("{}").await, error).await;
        for what in ["code", "retry", "remediation"] {
            assert_eq!(fault(&error)[what], fault(&page)[what], "{code}: {error}");
        }
        assert_eq!(fault(&page)["retry"]["retryable"], false, "{page}");
        let executed = &fault(&error)["details"]["executed"];
        assert_eq!(executed, "unknown", "{code}: {error}");
        assert_eq!(calls.len(), 1, "{code}: {error}");
    }
}

#[tokio::test]
async fn a_server_error_leaves_open_whether_the_call_was_executed_in_any_format() {
    for status in [
        "500 Internal Server Error",
        "502 Bad Gateway",
        "503 Service Unavailable",
        "504 Gateway Timeout",
    ] {
        let page = |_: &ReceivedRequest| response(status, "", "text/html", "<html>no</html>");
        let error = |request: &ReceivedRequest| {
            let error = json!({"code": -32603, "message": "no luck"});
            let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "error": error});
            response(status, "", JSON, &body.to_string())
        };
        for (answer, calls) in [
            answered(called("{}").await, page).await,
            answered(called("{}").await, error).await,
        ] {
            let told = fault(&answer);
            assert_eq!(told["retry"]["retryable"], false, "{answer}");
            assert_eq!(told["details"]["executed"], "unknown", "{answer}");
            assert_eq!(calls.len(), 1, "{answer}");
        }
    }
}

#[tokio::test]
async fn a_call_sent_in_two_sessions_reports_two_attempts() {
    let words = "the checkout session is invalid or has expired";
    let body = json!({"error": words}).to_string();
    let gone = |_: &ReceivedRequest| response("404 Not Found", "", JSON, &body);
    let (answer, calls) = answered(called("{}").await, gone).await;
    let told = fault(&answer);
    assert_eq!(calls.len(), 2, "{answer}");
    assert_eq!(told["details"]["attempts"], 2, "{answer}");
    assert_eq!(told["details"]["executed"], "unknown", "{answer}");
    assert_eq!(told["retry"]["retryable"], false, "{answer}");
    assert_eq!(told["message"], words, "{answer}");
}

#[tokio::test]
async fn a_tool_is_not_called_again_before_its_server_wants_it() {
    let mut fixture = called("{}").await;
    let limited = |_: &ReceivedRequest| {
        response(
            "429 Too Many Requests",
            "Retry-After: 40\r\n",
            "text/plain",
            "slow down",
        )
    };
    let (answer, calls) = heard(&mut fixture, limited).await;
    assert_eq!(fault(&answer)["code"], "RATE_LIMIT_EXCEEDED", "{answer}");
    assert_eq!(calls.len(), 1);
    fixture.client.say(&call(2, "pay")).await;
    let (answer, calls) = heard(&mut fixture, limited).await;
    assert_eq!(calls.len(), 0, "{answer}");
    let told = fault(&answer);
    assert_eq!(told["code"], "RATE_LIMIT_EXCEEDED", "{answer}");
    assert_eq!(told["details"]["remaining"], 0, "{answer}");
    assert_eq!(told["details"]["executed"], "no", "{answer}");
    assert_eq!(told["retry"]["retryable"], true, "{answer}");
    // Another tool is called.
    fixture.client.say(&call(3, "list")).await;
    let (_, calls) = heard(&mut fixture, |request| {
        let body = json!({"jsonrpc": "2.0", "id": request.body["id"], "result": {"content": []}});
        response("200 OK", "", JSON, &body.to_string())
    })
    .await;
    assert_eq!(calls.len(), 1);
}
