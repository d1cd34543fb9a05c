//! A tool answers that something did not work, in words: what may be called again, and what that says about the server.

use breakfall::Fault;
use breakfall::wire::{Options, native};
use breakfall_gateway::classify::{About, Rules, Verdict, judge};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
use serde_json::{Value, json};

use super::{bench, call, fail, hello, list};
use crate::session::End;

fn said(text: &str) -> Value {
    json!({"result": {"isError": true, "content": [{"type": "text", "text": text}]}})
}

fn error(code: i64, message: &str) -> Value {
    json!({"error": {"code": code, "message": message}})
}

/// Whether an answer leaves open if the tool has done its work.
fn leaves_open(answer: &Value) -> bool {
    let mut answer = answer.clone();
    answer["jsonrpc"] = "2.0".into();
    answer["id"] = 1.into();
    let frame = Frame::parse(answer.to_string().into(), &FrameLimits::RESPONSE).expect("a message");
    let rules = Rules::new();
    match judge(&frame, &About::call("pay", &rules)) {
        Verdict::Failed(failure) => failure.leaves_open(),
        Verdict::Success | Verdict::Asks | Verdict::Malformed => panic!("it failed: {answer}"),
    }
}

#[test]
fn what_can_have_happened_in_the_middle_leaves_open_what_was_done() {
    let open = [
        said("Request timed out"),
        said("MCP error -32001: Request timed out"),
        said("504 Gateway Timeout"),
        said("read ECONNRESET"),
        said("socket hang up"),
        said("write EPIPE: broken pipe"),
        said("Server disconnected"),
        said("Connection closed"),
        said("TypeError: fetch failed"),
        said("could not connect: connection reset by peer"),
        said("Traceback (most recent call last):\n  File \"a.py\", line 1, in pay\nKeyError: 'x'"),
        said("Internal server error"),
        said(r#"{"error": "Request timed out"}"#),
        said(r#"{"code": "TIMEOUT", "message": "no answer"}"#),
        said("HTTP 502 Bad Gateway"),
        said("503 Service Unavailable"),
        said("Service temporarily unavailable, please try again"),
        said("rpc error: code = Unavailable desc = transport is closing"),
        // It failed before anything was sent, and after something else was done.
        said("Payment captured; webhook: getaddrinfo EAI_AGAIN hooks.example.com"),
        said("Email sent, but saving the copy failed: connect ECONNREFUSED 10.0.0.1:5432"),
        said(r#"{"error": {"type": "overloaded_error", "message": "Overloaded"}}"#),
        said(r#"{"success": false, "error": {"code": "TIMEOUT", "message": "no"}}"#),
        said(r#"{"success": false, "error": {"code": "REQUEST_TIMEOUT", "message": "no"}}"#),
        said(r#"{"success": false, "error": {"code": "NETWORK_ERROR", "message": "no"}}"#),
        said(r#"{"success": false, "error": {"code": "CONNECTION_RESET", "message": "no"}}"#),
        said(r#"{"type": "about:blank", "title": "Bad Gateway", "status": 502}"#),
        said("[UNAVAILABLE_TIMEOUT] x\nFix: y\nRetry: yes\nReference: z"),
        error(503, "oops"),
        error(-32000, "upstream returned 502 Bad Gateway"),
        error(-32603, "Internal error"),
        error(-32603, "fetch failed"),
        error(-32000, "Connection closed"),
    ];
    for answer in open {
        assert!(leaves_open(&answer), "{answer}");
    }
}

#[test]
fn what_says_by_itself_whether_it_was_done_leaves_nothing_open() {
    let settled = [
        said("connect ECONNREFUSED 127.0.0.1:5432"),
        said("getaddrinfo ENOTFOUND api.example.test"),
        said("Could not connect to the database"),
        said("network is unreachable"),
        said("Could not resolve host: api.example.test"),
        said("Rate limit exceeded"),
        said("Error: connect ECONNREFUSED 127.0.0.1:5432"),
        said(r#"{"success": false, "error": {"code": "CONNECTION_REFUSED", "message": "no"}}"#),
        said("429 Too Many Requests"),
        error(429, "oops"),
        said(
            r#"{"success": false, "error": {"code": "TIMEOUT", "message": "no", "details": {"executed": "no"}}}"#,
        ),
        said("Order 7 not found"),
        said("Permission denied"),
        said("no luck"),
        // Whoever says whether to call again knows.
        said(r#"{"kind": "toolError:v1", "code": "TIMEOUT", "message": "no", "retryable": true}"#),
        said("[UNAVAILABLE_TIMEOUT] No answer\nFix: Wait.\nRetry: yes, with backoff"),
        json!({"error": {"code": -32603, "message": "Internal error", "data": {"retryAfter": 5}}}),
        error(-32602, "Invalid params"),
    ];
    for answer in settled {
        assert!(!leaves_open(&answer), "{answer}");
    }
}

/// What a caller of a tool reads that fails in these words, without a second attempt.
async fn told(tools: &str, words: &str) -> (Value, usize) {
    let mut bench = bench(tools);
    let mut server = hello(&mut bench, json!({})).await;
    bench.client.say(&call(1, "pay", json!({}))).await;
    list(
        &mut server,
        json!([{"name": "pay", "inputSchema": {"type": "object"}}]),
    )
    .await;
    let mut times = 0;
    loop {
        tokio::select! {
            biased;
            answer = bench.client.hear() => return (answer, times),
            _ = fail(&mut server, words) => times += 1,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn nobody_is_told_to_repeat_what_may_have_been_done() {
    for words in [
        "Request timed out",
        "read ECONNRESET",
        "Internal server error",
        "503 Service Unavailable",
    ] {
        let (answer, times) = told("{}", words).await;
        let fault = &answer["result"]["_meta"]["dev.breakfall/error"];
        assert_eq!(fault["retry"]["retryable"], false, "{words}: {fault}");
        assert_eq!(fault["details"]["executed"], "unknown", "{words}: {fault}");
        let text = answer["result"]["content"][0]["text"]
            .as_str()
            .expect("text");
        assert!(text.contains("Retry: no"), "{text}");
        assert!(text.contains("Fix: The call may or may not have"), "{text}");
        assert!(text.contains(words), "{text}");
        assert_eq!(times, 1, "{words}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_may_be_called_twice_is_and_its_caller_may_too() {
    let (answer, times) = told("{pay: {idempotent: true}}", "Request timed out").await;
    let fault = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(fault["retry"]["retryable"], true, "{fault}");
    assert!(fault["details"]["executed"].is_null(), "{fault}");
    assert_eq!(times, 3, "{fault}");
}

/// Lets a tool fail so often, and says what the call after that comes to.
async fn after_a_storm(answer: impl Fn(&Value) -> Value) -> Value {
    let mut bench = bench("{}");
    let mut server = hello(&mut bench, json!({})).await;
    for at in 0..STORM {
        bench.client.say(&call(at, "pay", json!({}))).await;
        if at == 0 {
            list(
                &mut server,
                json!([{"name": "pay", "inputSchema": {"type": "object"}}]),
            )
            .await;
        }
        if !answered(&mut server, &answer).await {
            return bench.client.hear().await;
        }
        bench.client.hear().await;
    }
    Value::Null
}

/// Whether the server is called.
async fn answered(server: &mut End, answer: &impl Fn(&Value) -> Value) -> bool {
    let patience = std::time::Duration::from_secs(1);
    let Ok(request) = tokio::time::timeout(patience, server.hear()).await else {
        return false;
    };
    server.say(&answer(&request["id"])).await;
    true
}

fn with_id(mut answer: Value, id: &Value) -> Value {
    answer["jsonrpc"] = "2.0".into();
    answer["id"] = id.clone();
    answer
}

#[tokio::test(start_paused = true)]
async fn a_storm_of_words_never_makes_a_tool_be_left_alone() {
    let texts = [
        "TimeoutError: locator.click: Timeout 5000ms exceeded waiting for getByRole('button')",
        "Failed to fetch https://nope.example/: getaddrinfo ENOTFOUND nope.example",
        "canceling statement due to statement timeout",
        "KeyError: 'colour'",
        "Internal server error",
        "503 Service Unavailable",
        r#"{"error": "connection refused"}"#,
        r#"{"success": false, "error": {"code": "NETWORK_ERROR", "message": "getaddrinfo ENOTFOUND nope"}}"#,
        r#"{"code": "TIMEOUT", "message": "waiting for selector"}"#,
        r#"{"type": "about:blank", "title": "Bad Gateway", "status": 502}"#,
        r#"{"kind": "toolError:v1", "code": "TIMEOUT", "message": "no", "retryable": false}"#,
    ];
    for text in texts {
        let end = after_a_storm(|id| with_id(said(text), id)).await;
        assert!(end.is_null(), "{text}: {end}");
    }
    // Many servers answer whatever a tool throws with this number.
    for words in [
        "getaddrinfo ENOTFOUND nope",
        "KeyError: 'colour'",
        "Internal error",
    ] {
        let end = after_a_storm(|id| with_id(error(-32603, words), id)).await;
        assert!(end.is_null(), "{words}: {end}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_declares_counts_against_it() {
    let fault = Fault::connection("shop");
    let object = native::object(fault.public(), &Options::new()).to_json();
    let object: Value = serde_json::from_str(&object).expect("JSON");
    let mut meta = said("no");
    meta["result"]["_meta"] = json!({"dev.breakfall/error": object});
    let mut data = error(-32603, "no");
    data["error"]["data"] = json!({"dev.breakfall/error": object});
    for answer in [meta, data] {
        let end = after_a_storm(|id| with_id(answer.clone(), id)).await;
        let code = &end["result"]["_meta"]["dev.breakfall/error"]["code"];
        assert_eq!(code, "UNAVAILABLE_CIRCUIT_OPEN", "{answer}: {end}");
        // The other tools work.
        let words = end["result"]["content"][0]["text"].as_str();
        let words = words.unwrap_or_default();
        assert!(words.contains("] Tool '"), "{words}");
    }
}

const STORM: usize = 40;
