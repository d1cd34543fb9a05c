//! A tool answers that something did not work, in words: what may be called again, and what that says about the server.

use breakfall::Fault;
use breakfall::redact::unredacted;
use breakfall::wire::{Options, native};
use breakfall_gateway::classify::{ExecutionEvidence, JudgedRequest, Rules, Verdict, judge};
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

/// What an answer says about whether the tool has done its work.
fn evidence(answer: &Value) -> ExecutionEvidence {
    let mut answer = answer.clone();
    answer["jsonrpc"] = "2.0".into();
    answer["id"] = 1.into();
    let frame = Frame::parse(answer.to_string().into(), &FrameLimits::RESPONSE).expect("a message");
    let rules = Rules::new();
    match judge(&frame, &JudgedRequest::call("pay", &rules)) {
        Verdict::Failed(failure) => failure.evidence,
        Verdict::Success | Verdict::Asks | Verdict::Malformed | Verdict::LooksFailed(_) => {
            panic!("it failed: {answer}")
        }
    }
}

#[test]
fn words_and_names_leave_open_what_was_done() {
    let open = [
        said("Request timed out"),
        said("read ECONNRESET"),
        said("HTTP 502 Bad Gateway"),
        said("503 Service Unavailable"),
        // What the gateway itself sees before it sends is known; of a tool it is words.
        said("connect ECONNREFUSED 127.0.0.1:5432"),
        said("getaddrinfo ENOTFOUND api.example.test"),
        said("Could not connect to the database"),
        said("Rate limit exceeded"),
        said("429 Too Many Requests"),
        said("Order 7 not found"),
        said(r#"{"code": "TIMEOUT", "message": "no answer"}"#),
        said(r#"{"success": false, "error": {"code": "CONNECTION_REFUSED", "message": "no"}}"#),
        said(r#"{"type": "about:blank", "title": "Bad Gateway", "status": 502}"#),
        // The words of the native format without its object.
        said("[UNAVAILABLE_TIMEOUT] No answer\nFix: Wait.\nRetry: yes, with backoff"),
        error(429, "oops"),
        error(503, "oops"),
        error(-32603, "Internal error"),
        error(-32603, "connect ECONNREFUSED 127.0.0.1:5432"),
        error(-32000, "Connection closed"),
        error(-32602, "Invalid params"),
        error(-32600, "MCP error -32603: upstream timed out"),
        error(-32700, "cannot parse the reply of the API"),
    ];
    for answer in open {
        assert_eq!(evidence(&answer), ExecutionEvidence::Answered, "{answer}");
    }
}

#[test]
fn a_statement_of_the_server_and_a_refusal_by_the_protocol_do_not() {
    let stated = [
        said(
            r#"{"success": false, "error": {"code": "TIMEOUT", "message": "no", "details": {"executed": "no"}}}"#,
        ),
        said(r#"{"kind": "toolError:v1", "code": "TIMEOUT", "message": "no", "retryable": true}"#),
        json!({"error": {"code": -32603, "message": "Internal error", "data": {"retryAfter": 5}}}),
    ];
    for answer in stated {
        assert_eq!(evidence(&answer), ExecutionEvidence::Stated, "{answer}");
    }
    for code in [-32601, -32022] {
        let answer = error(code, "no");
        assert_eq!(evidence(&answer), ExecutionEvidence::Refused, "{answer}");
    }
    // An intermediary that wraps an error has received the request.
    let wrapped = error(-32603, "MCP error -32601: no such method");
    assert_eq!(evidence(&wrapped), ExecutionEvidence::Answered);
}

#[test]
fn the_same_words_are_the_same_failure_wherever_they_stand() {
    let code = |answer: Value| {
        let mut answer = answer;
        answer["jsonrpc"] = "2.0".into();
        answer["id"] = 1.into();
        let reading = breakfall::read(answer);
        reading.outcome.fault().map(|fault| fault.code().name())
    };
    for words in [
        "Rate limit exceeded",
        "connection refused",
        "missing required parameter: owner",
        "invalid literal: expected a number, got a string",
        "Permission denied",
        "Order 7 not found",
        "Something else",
    ] {
        let result = code(said(words));
        let number = code(error(-32603, words));
        let is_vague = result == Some("INTERNAL_UNKNOWN");
        assert!(
            number == result || (is_vague && number == Some("INTERNAL_ERROR")),
            "{words}: {number:?}, {result:?}"
        );
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
async fn a_call_that_may_have_been_executed_is_never_said_to_be_repeatable() {
    for words in [
        "Request timed out",
        "read ECONNRESET",
        "Internal server error",
        "503 Service Unavailable",
        "connect ECONNREFUSED",
        "Rate limit exceeded, retry after 1 second",
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
    assert_eq!(fault["details"]["executed"], "unknown", "{fault}");
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
async fn failures_inferred_from_text_never_open_the_circuit() {
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
    let object = native::object(unredacted(fault.public()), &Options::new()).to_json();
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
