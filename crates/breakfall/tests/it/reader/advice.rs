//! From a reading to what a client does next: every branch of the algorithm for agents, and what is never advised.

use std::time::Duration;

use breakfall::read::{Advice, Reader, Reading};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, rpc_error, tool_result};
use breakfall::{
    Batch, CorrelationId, Elicitation, Fault, Outcome, Retry, Success, Timestamp, Violation,
    Window, codes, read,
};
use serde_json::{Value, json};

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn native(outcome: impl Into<Outcome>) -> Value {
    let outcome = outcome.into();
    let written = tool_result(unredacted(&outcome), Dialect::Native, &Options::new());
    written.expect("native says everything").to_value()
}

fn words(text: &str) -> Value {
    json!({"isError": true, "content": [{"type": "text", "text": text}]})
}

/// What is advised, in a word and its value.
fn advised(reading: &Reading, attempt: u32) -> String {
    match reading.advice(attempt, 0.0, NOW) {
        None => "nothing".to_owned(),
        Some(Advice::Repeat { after }) => format!("repeat {}", after.as_millis()),
        Some(Advice::Send(params)) => format!("send {params}"),
        Some(Advice::Correct(all)) => format!("correct {}", all[0].field()),
        Some(Advice::CallTool(tool)) => format!("call {tool}"),
        Some(Advice::AskUser(question)) => format!("ask {}", question.message()),
        Some(Advice::GiveUp { .. }) => "give up".to_owned(),
    }
}

fn limited() -> Fault {
    Fault::rate_limited(3, Window::Minute).retry_after(Duration::from_secs(20))
}

fn invalid() -> Fault {
    Fault::missing_param("id").violation(Violation::of_field("id").keyword("required"))
}

fn till() -> Elicitation {
    Elicitation::new("Which till?").field("till")
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn each_reading_has_its_advice() {
    let params = json!({"id": "7"});
    let cases = [
        (native(Success::new(1)), "nothing"),
        (native(till()), "ask Which till?"),
        // Repeated, as long as it may be.
        (native(limited()), "repeat 20000"),
        (native(limited().fallback_tool("cached")), "repeat 20000"),
        (native(Fault::unavailable("shop")), "repeat 500"),
        (native(Fault::internal()), "repeat 500"),
        // In the order of the algorithm.
        (
            native(invalid().corrective_params(params).fallback_tool("list")),
            r#"send {"id":"7"}"#,
        ),
        (native(invalid().fallback_tool("list")), "correct id"),
        (
            native(
                Fault::not_found("order", "7")
                    .fallback_tool("list")
                    .ask(till()),
            ),
            "call list",
        ),
        (
            native(Fault::not_found("order", "7").ask(till())),
            "ask Which till?",
        ),
        (native(Fault::not_found("order", "7")), "give up"),
        (native(Fault::permission_denied("no")), "give up"),
        (
            native(Fault::unavailable("shop").retry(Retry::Never)),
            "give up",
        ),
        // After an effect, or what may have been one, nothing is done twice, in this way or another.
        (
            native(Fault::unavailable("shop").maybe_executed()),
            "give up",
        ),
        (
            native(
                Fault::unavailable("shop")
                    .fallback_tool("pay_by_card")
                    .maybe_executed(),
            ),
            "give up",
        ),
        (
            native(
                Fault::internal()
                    .retry(Retry::Never)
                    .detail("executed", "yes")
                    .ask(till()),
            ),
            "ask Which till?",
        ),
        // A batch: item by item.
        (native(Batch::default().done("a", 1)), "nothing"),
        (
            native(Batch::default().done("a", 1).failed("b", limited())),
            "give up",
        ),
    ];
    for (message, want) in cases {
        assert_eq!(advised(&read(message.clone()), 0), want, "{message}");
    }
}

#[test]
fn a_call_is_not_repeated_for_ever() {
    let reading = read(native(Fault::unavailable("shop").fallback_tool("cached")));
    let advice: Vec<_> = (0..4).map(|attempt| advised(&reading, attempt)).collect();
    assert_eq!(
        advice,
        ["repeat 500", "repeat 1000", "repeat 2000", "call cached"]
    );
    let once = read(native(Fault::internal()));
    assert_eq!(advised(&once, 1), "give up");
}

/// What the server did not say itself is no reason to do something twice; a client that knows the tool may.
#[test]
fn a_guess_is_never_repeated_and_words_only_where_that_does_no_harm() {
    let rpc = |code: i64, message: &str| json!({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": message}});
    let cases = [
        // By words.
        (words("request timed out"), false, true),
        (words("503 Service Unavailable"), false, true),
        (words("Rate limit exceeded, retry after 20 s"), false, true),
        // By a guess.
        (words("no luck"), false, false),
        (json!({"success": false, "error": "no luck"}), false, false),
        (
            json!({"success": false, "error": "timed out"}),
            false,
            false,
        ),
        (rpc(-32603, "it broke"), false, true),
        // By a statement.
        (native(Fault::unavailable("shop")), true, true),
        (
            json!({"jsonrpc": "2.0", "id": 1, "error": rpc_error(unredacted(limited().public()), Dialect::Native, &Options::new()).to_value()}),
            true,
            true,
        ),
    ];
    for (message, alone, repeatable) in cases {
        let repeats = |reader: Reader| {
            let reading = reader.read(message.clone());
            matches!(reading.advice(0, 0.5, NOW), Some(Advice::Repeat { .. }))
        };
        assert_eq!(repeats(Reader::new()), alone, "{message}");
        assert_eq!(
            repeats(Reader::new().repeatable(true)),
            repeatable,
            "{message}"
        );
    }
}

#[test]
fn the_retry_answer_of_a_guess_is_no() {
    for document in [
        json!({"success": false, "error": "no luck"}),
        json!({"success": false}),
        json!({"success": false, "error": {"code": "X_Y"}}),
    ] {
        let reading = read(document.clone());
        assert!(reading.is_guess(), "{document}");
        let fault = reading.outcome.fault().expect("a fault");
        assert!(!fault.public().retry().is_retryable(), "{document}");
        assert_ne!(
            fault.public().remediation(),
            codes::INTERNAL_ERROR.entry().remediation.plain
        );
    }
}

#[test]
fn who_gives_up_has_something_to_say_to_the_user() {
    let id = CorrelationId::new("c-7").expect("an id");
    let fault = Fault::permission_denied("no")
        .correlation_id(id.clone())
        .user_message("Not yours.");
    let advice = read(native(fault));
    let told = Advice::GiveUp {
        user_message: Some("Not yours."),
        reference: Some(&id),
    };
    assert_eq!(advice.advice(0, 0.5, NOW), Some(told));
}

#[test]
fn a_text_that_looks_like_a_number_is_a_text() {
    let data = |text: &str| {
        let result = json!({"content": [{"type": "text", "text": text}], "isError": false});
        let Outcome::Success(success) = read(result).outcome else {
            panic!("{text}")
        };
        success.data().clone()
    };
    for text in ["01234", "42", "1e400", "true", "null", " 7"] {
        assert_eq!(data(text), json!(text));
    }
    assert_eq!(data(r#" {"a": 1}"#), json!({"a": 1}));
    assert_eq!(data("[1, 2]"), json!([1, 2]));
}

#[test]
fn what_says_that_it_is_no_failure_is_overruled_by_its_structure_not_by_its_words() {
    let ours = "[NOT_FOUND_RESOURCE] order '7' not found\nFix: f\nRetry: no\nReference: c-1";
    let of = |text: &str, flag: Value| json!({"content": [{"type": "text", "text": text}], "isError": flag});
    let is_fault = |message: Value| read(message).outcome.fault().is_some();
    assert!(
        is_fault(of(ours, Value::Null)),
        "the flag was dropped on the way"
    );
    assert!(
        !is_fault(of(ours, json!(false))),
        "a page that quotes an error"
    );
    let envelope = r#"{"success": false, "error": {"code": "NOT_FOUND", "message": "gone"}}"#;
    assert!(is_fault(of(envelope, json!(false))), "it says so itself");
    let marked =
        r#"{"kind": "toolError:v1", "code": "NOT_FOUND", "message": "gone", "retryable": false}"#;
    assert!(is_fault(of(marked, json!(false))));
    let meta = native(Fault::internal())["_meta"].clone();
    let with_meta =
        json!({"content": [{"type": "text", "text": "m"}], "isError": false, "_meta": meta});
    assert!(is_fault(with_meta));
}

#[test]
fn a_bound_on_one_side_is_said() {
    for (fault, message) in [
        (
            Fault::out_of_range("n", Some(1.0), None),
            "Parameter 'n' must be at least 1",
        ),
        (
            Fault::out_of_range("n", None, Some(9.5)),
            "Parameter 'n' must be at most 9.5",
        ),
        (
            Fault::out_of_range("n", Some(1.0), Some(9.0)),
            "Parameter 'n' must be between 1 and 9",
        ),
    ] {
        assert_eq!(fault.public().message(), message);
    }
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}, "s": {"minLength": 3}}});
    let schema = breakfall::validate::Schema::compile(&schema).expect("a schema");
    for (arguments, message) in [
        (json!({"n": 0}), "Parameter 'n' must be at least 1"),
        (
            json!({"s": "ab"}),
            "Parameter 's' must have at least 3 characters",
        ),
    ] {
        let fault = schema
            .check(&arguments)
            .into_fault("tool")
            .expect("a fault");
        assert_eq!(fault.public().message(), message);
        let german = fault.in_language(breakfall::locale::Language::German);
        assert!(
            german.public().message().contains("mindestens"),
            "{}",
            german.public().message()
        );
    }
}
