//! JSON-RPC errors: numbers, what was called, `data` and words.

use std::time::Duration;

use breakfall::classify::rpc::{Call, fault};
use breakfall::wire::{Dialect, Options};
use breakfall::{Confidence, Fault, Hint, Outcome, Retry, codes};
use serde_json::{Value, json};

use super::verdict;
use Confidence::{Default as Guess, Exact, Structural};

use crate::sample::document_of;

fn of(method: &str, error: &Value) -> Fault {
    let call = if method.is_empty() {
        Call::new()
    } else {
        Call::new().method(method)
    };
    fault(error, &call)
}

/// Method, error, code, rule, confidence.
#[rustfmt::skip]
const CASES: &[(&str, &str, &str, &str, Confidence)] = &[
    ("", r#"{"code":-32700,"message":"Parse error"}"#, "VALIDATION_INVALID_VALUE", "rpc.-32700", Structural),
    ("", r#"{"code":-32600,"message":"Invalid Request"}"#, "VALIDATION_INVALID_VALUE", "rpc.-32600", Structural),
    ("tools/fly", r#"{"code":-32601,"message":"Method not found"}"#, "NOT_FOUND_OPERATION", "rpc.-32601", Structural),
    ("tools/call", r#"{"code":-32602,"message":"Invalid params"}"#, "VALIDATION_INVALID_VALUE", "rpc.-32602", Structural),
    ("tools/call", r#"{"code":-32602,"message":"Unknown tool: x"}"#, "NOT_FOUND_OPERATION", "rpc.-32602.unknown-tool", Structural),
    (
        "resources/read",
        r#"{"code":-32602,"message":"nope","data":{"uri":"file:///x"}}"#,
        "NOT_FOUND_RESOURCE",
        "rpc.-32602.unknown-resource",
        Structural,
    ),
    ("prompts/get", r#"{"code":0,"message":"Unknown prompt: p"}"#, "NOT_FOUND_RESOURCE", "rpc.0.unknown-prompt", Structural),
    ("tools/call", r#"{"code":-32603,"message":"Internal error"}"#, "INTERNAL_ERROR", "rpc.-32603", Structural),
    (
        "resources/read",
        r#"{"code":-32002,"message":"Resource not found","data":{"uri":"x:y"}}"#,
        "NOT_FOUND_RESOURCE",
        "rpc.-32002.resource",
        Structural,
    ),
    ("tools/call", r#"{"code":-32020,"message":"Header mismatch"}"#, "VALIDATION_INVALID_VALUE", "rpc.-32020", Structural),
    (
        "tools/call",
        r#"{"code":-32021,"message":"Missing capability","data":{"requiredCapabilities":{"elicitation":{}}}}"#,
        "PERMISSION_FEATURE_DISABLED",
        "rpc.-32021",
        Structural,
    ),
    (
        "tools/call",
        r#"{"code":-32022,"message":"Unsupported","data":{"supported":["2026-07-28"],"requested":"x"}}"#,
        "VALIDATION_INVALID_VALUE",
        "rpc.-32022.protocol-version",
        Structural,
    ),
    (
        "tools/call",
        r#"{"code":-32042,"message":"More needed","data":{"elicitations":[]}}"#,
        "AUTHENTICATION_REQUIRED",
        "rpc.-32042.url-elicitation",
        Structural,
    ),
    ("tools/call", r#"{"code":-32800,"message":"Request cancelled"}"#, "INTERNAL_UNKNOWN", "rpc.-32800.cancelled", Structural),
    ("tools/call", r#"{"code":-32000,"message":"mystery"}"#, "INTERNAL_UNKNOWN", "rpc.-32000", Guess),
    ("tools/call", r#"{"code":0,"message":"mystery"}"#, "INTERNAL_UNKNOWN", "rpc.0", Guess),
    ("tools/call", r#"{"code":404,"message":"mystery"}"#, "NOT_FOUND_RESOURCE", "rpc.http-404", Structural),
    ("tools/call", r#"{"code":503,"message":"mystery"}"#, "UNAVAILABLE_SERVICE", "rpc.http-503", Structural),
    ("tools/call", r#"{"code":77,"message":"mystery"}"#, "INTERNAL_UNKNOWN", "rpc.77", Guess),
    (
        "tools/call",
        r#"{"code":-32602,"message":"bad","data":[{"loc":["q"],"msg":"Field required","type":"missing"}]}"#,
        "VALIDATION_MISSING_PARAM",
        "rpc.-32602.errors",
        Structural,
    ),
    (
        "tools/call",
        r#"{"code":-32603,"message":"[{\"code\":\"invalid_type\",\"expected\":\"object\",\"received\":\"string\",\"path\":[\"params\",\"arguments\"],\"message\":\"Expected object\"}]"}"#,
        "VALIDATION_INVALID_TYPE",
        "rpc.-32603.dump.zod",
        Structural,
    ),
    (
        "tools/call",
        r#"{"code":-32050,"message":"slow","data":{"code":"RATE_LIMITED","retry_after_ms":1500}}"#,
        "RATE_LIMIT_EXCEEDED",
        "rpc.-32050.message",
        Structural,
    ),
];

fn parsed(error: &str) -> Value {
    serde_json::from_str(error).expect("a case is JSON")
}

#[test]
fn numbers_are_read_with_what_was_called_and_what_came_along() {
    let mut wrong = Vec::new();
    for &(method, error, code, rule, sure) in CASES {
        let fault = of(method, &parsed(error));
        let have = verdict(&fault);
        if have != (code, rule, sure) {
            wrong.push(format!(
                "{error}\n  want {code} {rule} {sure:?}\n  have {have:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_reading_agrees_with_the_classifier() {
    for (_, error, ..) in CASES {
        let error = parsed(error);
        let reading = breakfall::read(json!({"jsonrpc": "2.0", "id": 1, "error": error}));
        let read = reading.outcome.fault().expect("a failure");
        let fault = fault(&error, &Call::new());
        assert_eq!(read.public(), fault.public(), "{error}");
    }
}

#[test]
fn every_dialect_in_the_data_is_read_exactly() {
    let sent = Outcome::from(Fault::missing_param("owner").in_operation("get_repo"));
    for &dialect in Dialect::ALL {
        let data = document_of(&sent, dialect, &Options::new());
        let reading = breakfall::read(
            json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32050, "message": "x", "data": data}}),
        );
        assert_eq!(
            (reading.dialect, reading.confidence),
            (Some(dialect), Exact),
            "{dialect}"
        );
        let fault = reading.outcome.fault().expect("a failure");
        assert_eq!(fault.code().category(), breakfall::Category::Validation);
    }
}

#[test]
fn what_is_missing_is_named() {
    let call = Call::new().method("tools/call").name("serach");
    let fault = fault(&json!({"code": -32602, "message": "Unknown tool"}), &call);
    assert_eq!(fault.public().details().text("operation"), Some("serach"));
    let fault = of(
        "resources/read",
        &json!({"code": -32002, "message": "gone", "data": {"uri": "file:///x"}}),
    );
    assert_eq!(
        fault.public().details().text("resource_id"),
        Some("file:///x")
    );
    assert_eq!(fault.public().message(), "gone");
}

#[test]
fn a_question_for_a_person_is_not_repeated_blindly() {
    let data = json!({"elicitations": [{"mode": "url", "elicitationId": "e1", "url": "https://example.test/c"}]});
    let fault = of(
        "tools/call",
        &json!({"code": -32042, "message": "Connect first", "data": data}),
    );
    let public = fault.public();
    assert_eq!(
        (public.retry(), public.hint()),
        (Retry::AfterChange, Hint::ReportToUser)
    );
    assert_eq!(
        public.details().get("elicitations"),
        data.get("elicitations")
    );
}

#[test]
fn numbers_nobody_gave_a_meaning_are_kept_beside_the_code() {
    let fault = of(
        "tools/call",
        &json!({"code": -32050, "message": "quota", "data": {"retry_after_ms": 1500}}),
    );
    assert_eq!(fault.public().domain_code(), Some("-32050"));
    assert_eq!(
        fault.public().retry_after(),
        Some(Duration::from_millis(1500))
    );
    let standard = of("tools/call", &json!({"code": -32603, "message": "x"}));
    assert_eq!(standard.public().domain_code(), None);
    let adapter = of(
        "tools/call",
        &json!({"code": 2002, "message": "missing", "retryable": false}),
    );
    assert_eq!(adapter.code(), codes::VALIDATION_MISSING_PARAM);
}

#[test]
fn what_stands_for_the_number_is_kept_and_none_is_invented() {
    let kept = |error: Value| of("", &error).public().domain_code().map(str::to_owned);
    for (error, label) in [
        (json!({"code": "E_ODD", "message": "x"}), Some("E_ODD")),
        (json!({"code": 0, "message": "x"}), Some("0")),
        (json!({"code": 1e20, "message": "x"}), Some("1e+20")),
        (json!({"message": "x"}), None),
        (json!({"code": null, "message": "x"}), None),
        (json!({"code": "-32603", "message": "x"}), None),
    ] {
        assert_eq!(kept(error.clone()).as_deref(), label, "{error}");
    }
    let named = of("", &json!({"code": "RESOURCE_EXHAUSTED", "message": "x"}));
    let by_name = ("RATE_LIMIT_EXCEEDED", "rpc.0.name", Structural);
    assert_eq!(verdict(&named), by_name);
    let fraction = of("", &json!({"code": -32602.0, "message": "x"}));
    let by_number = ("VALIDATION_INVALID_VALUE", "rpc.-32602", Structural);
    assert_eq!(verdict(&fraction), by_number);
}

#[test]
fn numbers_of_a_model_are_believed_where_the_model_defines_them() {
    let sure = |error: Value| verdict(&of("", &error)).2;
    let word = |error: Value| of("", &error).code().name();
    assert_eq!(sure(json!({"code": 4002, "message": "x"})), Exact);
    assert_eq!(
        word(json!({"code": 4004, "message": "User not found"})),
        "NOT_FOUND_RESOURCE"
    );
    assert_eq!(sure(json!({"code": 4004, "message": "x"})), Guess);
    let marked = json!({"code": 4004, "message": "x", "retryable": true});
    assert_eq!(word(marked), "UNAVAILABLE_SERVICE");
}

#[test]
fn words_in_place_of_the_object_are_kept() {
    let fault = of("", &json!("connection refused"));
    assert_eq!(fault.code(), codes::UNAVAILABLE_NETWORK);
    assert_eq!(fault.public().message(), "connection refused");
    let response = json!({"jsonrpc": "2.0", "id": 1, "error": "connection refused"});
    let reading = breakfall::read(response);
    let fault = reading.outcome.fault().expect("a failure");
    assert_eq!(fault.public().message(), "connection refused");
}

#[test]
fn a_wait_without_a_unit_is_in_seconds() {
    for key in ["retryAfter", "retry_after"] {
        let error = json!({"code": -32050, "message": "rate limit exceeded", "data": {key: 30}});
        let fault = of("", &error);
        assert_eq!(fault.public().retry_after_seconds(), Some(30), "{key}");
        assert!(fault.public().details().get(key).is_none(), "{key}");
    }
}

#[test]
fn hostile_errors_do_no_harm() {
    let long = "tool ".repeat(1_000_000);
    let nested = format!("{}x", "MCP error -32603: ".repeat(100_000));
    let deep = "[".repeat(50_000);
    for message in [
        long,
        nested,
        deep,
        "\u{0}\u{1b}[2J".to_owned(),
        String::new(),
    ] {
        for code in [
            json!(-32602),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(1e300),
            json!("x"),
            json!(null),
        ] {
            let fault = of("tools/call", &json!({"code": code, "message": message}));
            assert!(fault.public().message().chars().count() <= 1001);
            assert!(!fault.public().message().contains('\u{1b}'));
        }
    }
    for error in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"code": {}, "message": [], "data": "x"}),
    ] {
        assert_eq!(of("", &error).code(), codes::INTERNAL_UNKNOWN, "{error}");
    }
}

#[test]
fn what_happened_may_stand_beside_words_that_say_nothing() {
    for (data, want) in [
        (
            json!({"error": "connect ECONNREFUSED 127.0.0.1:80"}),
            "UNAVAILABLE_NETWORK",
        ),
        (json!("quota exceeded"), "RATE_LIMIT_QUOTA_EXHAUSTED"),
        (
            json!("ENOENT: no such file or directory, open 'a'"),
            "NOT_FOUND_RESOURCE",
        ),
        (json!({"error": "permission denied"}), "PERMISSION_DENIED"),
        (json!({"cause": "timed out"}), "UNAVAILABLE_TIMEOUT"),
        (
            json!({"details": "Invalid API key"}),
            "AUTHENTICATION_INVALID_CREDENTIALS",
        ),
        // A broken server finds fault with much.
        (json!({"error": "name must be a string"}), "INTERNAL_ERROR"),
        (json!("it is what it is"), "INTERNAL_ERROR"),
    ] {
        let error = json!({"code": -32603, "message": "Internal error", "data": data});
        let fault = of("", &error);
        assert_eq!(fault.code().name(), want, "{error}");
    }
    let said = json!({"code": -32603, "message": "Rate limit exceeded", "data": {"error": "fetch failed"}});
    let fault = of("", &said);
    assert_eq!(
        fault.code().name(),
        "RATE_LIMIT_EXCEEDED",
        "the message comes first"
    );
}
