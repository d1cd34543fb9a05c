//! What a status says about calls that are judged: how often a server is asked, and when again.

use std::time::Duration;

use breakfall_gateway::config::Config;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Bench, Came, hello};
use crate::relay::{call, note};

const JSON: &str = "application/json";

/// A server with one tool, which is treated so, and a client that has called it.
async fn called(tools: &str) -> Bench {
    let text = format!("upstreams: {{shop: {{command: [x], tools: {tools}}}}}");
    let mut file = Config::parse(&text, "my.yaml").expect("a good file");
    let config = file.upstreams.remove(0);
    let mut bench = Bench::with(|upstream| {
        upstream.context.is_judged = true;
        upstream.tools = config.tools;
    })
    .await;
    bench.client.say(&hello()).await;
    let came = bench.far.next().await;
    came.greet("one").await;
    bench.client.hear().await;
    bench.client.say(&note("notifications/initialized")).await;
    bench.client.say(&call(1, "pay")).await;
    bench
}

/// Answers every call so, until the client has its answer: that, and when the calls came.
async fn answered(mut bench: Bench, reply: impl Fn(&Came) -> Vec<u8>) -> (Value, Vec<Instant>) {
    let mut calls = Vec::new();
    loop {
        tokio::select! {
            biased;
            answer = bench.client.hear() => return (answer, calls),
            came = bench.far.next() => match came.body["method"].as_str() {
                Some("tools/call") => {
                    calls.push(Instant::now());
                    came.write(reply(&came));
                }
                Some("tools/list") => {
                    let tools = json!([{"name": "pay", "inputSchema": {"type": "object"}}]);
                    came.result(json!({"tools": tools})).await;
                }
                Some("initialize") => came.greet("two").await,
                Some(_) => came.reply("202 Accepted", &[], "").await,
                None => came.reply("405 Method Not Allowed", &[], "").await,
            },
        }
    }
}

fn whole(status: &str, more: &str, kind: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{more}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// An error of the protocol, with a status and a wish beside it.
fn error(status: &str, code: i64, message: &str, came: &Came) -> Vec<u8> {
    let error = json!({"code": code, "message": message});
    let body = json!({"jsonrpc": "2.0", "id": came.body["id"], "error": error});
    whole(status, "Retry-After: 1\r\n", JSON, &body.to_string())
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
async fn a_call_that_is_refused_with_a_page_is_not_made_again() {
    for tools in ["{}", "{pay: {idempotent: true}}"] {
        let bench = called(tools).await;
        let page = |_: &Came| whole("400 Bad Request", "", "text/html", "<html>no</html>");
        let (answer, calls) = answered(bench, page).await;
        assert_eq!(calls.len(), 1, "{answer}");
        assert_eq!(fault(&answer)["retry"]["retryable"], false, "{answer}");
        assert_ne!(fault(&answer)["details"]["executed"], "no", "{answer}");
    }
}

#[tokio::test]
async fn a_wish_beside_an_error_of_the_protocol_is_heeded_and_passed_on() {
    let bench = called("{}").await;
    let limit = |came: &Came| error("429 Too Many Requests", -32000, "rate limited", came);
    let (answer, calls) = answered(bench, limit).await;
    let told = fault(&answer);
    assert_eq!(told["code"], "RATE_LIMIT_EXCEEDED", "{answer}");
    assert_eq!(told["retry"]["after_ms"], 1000, "{answer}");
    assert_eq!(told["details"]["executed"], "no", "{answer}");
    assert_eq!(answer["error"]["code"], -32000, "{answer}");
    // What was turned away was not done, so it may be made again; not earlier than the server wants.
    assert_eq!(calls.len(), 3, "{answer}");
    for two in calls.windows(2) {
        assert!(two[1] - two[0] >= Duration::from_secs(1), "{calls:?}");
    }
}

#[tokio::test]
async fn a_status_says_what_a_number_does_not() {
    let turned_away = ("RATE_LIMIT_EXCEEDED", json!("no"), json!(1000), 3);
    let failed_at = ("UNAVAILABLE_SERVICE", json!("unknown"), Value::Null, 1);
    for (status, (code, executed, after, times)) in [
        ("429 Too Many Requests", turned_away),
        ("503 Service Unavailable", failed_at),
    ] {
        let bench = called("{}").await;
        let (answer, calls) = answered(bench, |came| error(status, -32603, "no luck", came)).await;
        let told = fault(&answer);
        assert_eq!(told["code"], code, "{answer}");
        assert_eq!(told["retry"]["after_ms"], after, "{answer}");
        assert_eq!(told["details"]["executed"], executed, "{answer}");
        assert_eq!(told["message"], "no luck", "{answer}");
        assert_eq!(calls.len(), times, "{answer}");
    }
}

#[tokio::test]
async fn a_time_to_come_back_is_no_word_on_what_was_done_whatever_it_is_written_beside() {
    let status = "503 Service Unavailable";
    for code in [-32603, -32000, 503] {
        let page = |_: &Came| whole(status, "Retry-After: 1\r\n", "text/html", "<html>no</html>");
        let error = |came: &Came| error(status, code, "no luck", came);
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
async fn a_server_that_fails_at_a_call_leaves_open_whether_it_was_done_whatever_its_answer_is_written_in()
 {
    for status in [
        "500 Internal Server Error",
        "502 Bad Gateway",
        "503 Service Unavailable",
        "504 Gateway Timeout",
    ] {
        let page = |_: &Came| whole(status, "", "text/html", "<html>no</html>");
        let error = |came: &Came| {
            let error = json!({"code": -32603, "message": "no luck"});
            let body = json!({"jsonrpc": "2.0", "id": came.body["id"], "error": error});
            whole(status, "", JSON, &body.to_string())
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
async fn a_call_that_was_sent_in_two_sessions_says_so() {
    let words = "the checkout session is invalid or has expired";
    let body = json!({"error": words}).to_string();
    let gone = |_: &Came| whole("404 Not Found", "", JSON, &body);
    let (answer, calls) = answered(called("{}").await, gone).await;
    let told = fault(&answer);
    assert_eq!(calls.len(), 2, "{answer}");
    assert_eq!(told["details"]["attempts"], 2, "{answer}");
    assert_eq!(told["details"]["executed"], "unknown", "{answer}");
    assert_eq!(told["retry"]["retryable"], false, "{answer}");
    assert_eq!(told["message"], words, "{answer}");
}
