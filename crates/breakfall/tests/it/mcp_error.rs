//! mcp-error: hints, corrective parameters, and telling "failed" from "empty".

use breakfall::catalog::CODES;
use breakfall::wire::{Dialect, Options, decode, mcp_error};
use breakfall::{Category, CorrelationId, Fault, Hint, Outcome, Stamp, Success, codes, read};
use serde_json::{Value, json};

use crate::sample::{document_of, result_of};

fn options() -> Options {
    let id = CorrelationId::new("0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11").expect("an id");
    Options::new().stamp(Stamp::Fixed(
        id,
        "2026-01-01T00:00:00.8Z".parse().expect("a time"),
    ))
}

fn written(fault: Fault, strict: bool) -> Value {
    document_of(&fault.into(), Dialect::McpError, &options().strict(strict))
}

#[test]
fn the_factory_fills_in_what_is_required_and_leaves_out_what_was_not_given() {
    testing::proves!("S1-28", "S1-10", "S1-11");
    let fault = Fault::new(codes::RATE_LIMIT_EXCEEDED).message("Slow down");
    let expected = json!({
        "code": "RATE_LIMITED",
        "message": "Slow down",
        "recovery_actions": ["wait_and_retry", "use_cached_data"],
        "correlation_id": "0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11",
        "timestamp": "2026-01-01T00:00:00.800Z",
    });
    assert_eq!(written(fault, true), expected);
}

#[test]
fn the_system_stamp_makes_a_random_id_and_the_time() {
    testing::proves!("S1-10");
    let make = || {
        document_of(
            &Fault::internal().into(),
            Dialect::McpError,
            &Options::new(),
        )
    };
    let (one, two) = (make(), make());
    assert_ne!(one["correlation_id"], two["correlation_id"]);
    let id: uuid::Uuid = one["correlation_id"]
        .as_str()
        .unwrap()
        .parse()
        .expect("a UUID");
    assert_eq!(id.get_version_num(), 7);
}

#[test]
fn default_recovery_can_be_asked_for_by_name() {
    testing::proves!("S1-27", "S1-29");
    assert_eq!(
        mcp_error::default_recovery("TIMEOUT"),
        ["retry_with_timeout", "reduce_request_scope"]
    );
    assert_eq!(
        mcp_error::default_recovery("NO_SUCH_CODE"),
        ["contact_support"]
    );
}

#[test]
fn every_fault_has_one_of_four_hints() {
    testing::proves!("S1-30");
    let words: Vec<_> = Hint::ALL.iter().map(|hint| hint.as_str()).collect();
    assert_eq!(
        words,
        [
            "RETRY_LATER",
            "CHECK_INPUT",
            "TRY_ALTERNATIVE",
            "REPORT_TO_USER"
        ]
    );
    for code in CODES {
        let hint = written(Fault::new(*code), false)["recovery_hint"].clone();
        assert!(words.iter().any(|word| hint == *word), "{code}: {hint}");
    }
}

fn hint(fault: Fault) -> Value {
    written(fault, false)["recovery_hint"].clone()
}

#[test]
fn retry_later_comes_with_the_wait() {
    testing::proves!("S1-32");
    for code in [
        codes::RATE_LIMIT_EXCEEDED,
        codes::UNAVAILABLE_SERVICE,
        codes::UNAVAILABLE_TIMEOUT,
    ] {
        let fault = Fault::new(code).retry_after(std::time::Duration::from_millis(7200));
        assert!(fault.public().retry().is_retryable(), "{code}");
        let object = written(fault, false);
        assert_eq!(
            (&object["recovery_hint"], &object["retry_after_ms"]),
            (&json!("RETRY_LATER"), &json!(7200))
        );
    }
}

#[test]
fn check_input_comes_with_corrected_parameters() {
    testing::proves!("S1-33", "S1-36");
    for code in [
        codes::VALIDATION_INVALID_VALUE,
        codes::VALIDATION_PATTERN_MISMATCH,
        codes::VALIDATION_MISSING_PARAM,
    ] {
        let fault = Fault::new(code).corrective_params(json!({"limit": 100}));
        let object = written(fault, true);
        assert_eq!(object["corrective_params"], json!({"limit": 100}), "{code}");
        assert_eq!(hint(Fault::new(code)), "CHECK_INPUT", "{code}");
        let read = decode(object, Dialect::McpError, &Options::new()).unwrap();
        assert_eq!(
            read.fault().unwrap().public().corrective_params(),
            Some(&json!({"limit": 100}))
        );
    }
}

#[test]
fn try_alternative_comes_with_a_fallback_tool() {
    testing::proves!("S1-34");
    for code in [
        codes::PERMISSION_DENIED,
        codes::PERMISSION_FEATURE_DISABLED,
        codes::INTERNAL_NOT_IMPLEMENTED,
    ] {
        assert_eq!(
            hint(Fault::new(code).fallback_tool("list_orders")),
            "TRY_ALTERNATIVE",
            "{code}"
        );
    }
    assert_eq!(
        hint(Fault::new(codes::PERMISSION_DENIED)),
        "REPORT_TO_USER",
        "nothing else to try"
    );
}

#[test]
fn report_to_user_comes_with_words_for_a_person() {
    testing::proves!("S1-35");
    for code in [
        codes::AUTHENTICATION_EXPIRED,
        codes::BUSINESS_INSUFFICIENT_BALANCE,
    ] {
        assert_eq!(hint(Fault::new(code)), "REPORT_TO_USER", "{code}");
        let words = written(Fault::new(code), false)["userMessage"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        assert!(
            words.len() > 10 && !words.contains(code.name()),
            "{code}: {words}"
        );
    }
    let own = written(
        Fault::new(codes::BUSINESS_INSUFFICIENT_BALANCE).user_message("Please top up."),
        true,
    );
    assert_eq!(own["userMessage"], "Please top up.");
}

/// A failure arrives as a failure and genuine emptiness as a success, in every dialect.
#[test]
fn failed_and_empty_are_never_mistaken_for_each_other() {
    testing::proves!("S1-37", "S1-38");
    let empty = || Outcome::from(Success::new(json!({"orders": [], "total": 0})));
    for dialect in Dialect::ALL
        .iter()
        .filter(|dialect| **dialect != Dialect::Problem)
    {
        let result = result_of(&empty(), *dialect, &options());
        assert_eq!(result.get("isError"), None, "{dialect}");
        let Outcome::Success(success) = read(result).outcome else {
            panic!("{dialect}: emptiness is no failure")
        };
        assert_eq!(
            success.data(),
            &json!({"orders": [], "total": 0}),
            "{dialect}"
        );
        for code in CODES
            .iter()
            .filter(|code| code.category() != Category::Confirmation)
        {
            let failure = Outcome::from(Fault::new(*code));
            let result = result_of(&failure, *dialect, &options());
            let outcome = read(result.clone()).outcome;
            let asks = matches!(outcome, Outcome::NeedsInput(_));
            assert!(
                asks || outcome.fault().is_some(),
                "{dialect} {code}: {result}"
            );
            assert!(
                asks || result["isError"] == true,
                "{dialect} {code}: {result}"
            );
        }
    }
}

#[test]
fn advice_follows_the_retry_class_that_was_set() {
    testing::proves!("S4-04");
    let final_fault = Fault::internal().retry(breakfall::Retry::Never);
    let public = final_fault.public();
    assert_eq!(
        (public.hint(), public.actions().collect::<Vec<_>>()),
        (Hint::ReportToUser, vec!["contact_support"])
    );
    assert!(
        public
            .remediation()
            .starts_with("Do not make the same call"),
        "{}",
        public.remediation()
    );
    let passing = Fault::not_found("user", "u1").retry(breakfall::Retry::Backoff);
    let public = passing.public();
    assert_eq!(
        (public.hint(), public.actions().next()),
        (Hint::RetryLater, Some("wait_and_retry"))
    );
    assert!(
        public.remediation().starts_with("Call again later"),
        "{}",
        public.remediation()
    );
    for fault in [&final_fault, &passing] {
        let remediation = fault.public().remediation();
        assert_eq!(breakfall::catalog::lint::plain(&remediation), []);
    }
    for code in CODES {
        let entry = code.entry();
        let waits = entry.hint == Hint::RetryLater;
        assert!(
            !waits || entry.retry.is_retryable(),
            "{code}: told to retry what must not be retried"
        );
        let repeats = entry
            .actions
            .iter()
            .any(|action| ["wait_and_retry", "retry_later", "retry_with_timeout"].contains(action));
        assert!(
            !repeats || entry.retry.is_retryable() || *code == codes::INTERNAL_ADAPTER,
            "{code}: {:?}",
            entry.actions
        );
    }
}

#[test]
fn a_stated_hint_decides_whether_to_repeat() {
    let object = |code: &str, hint: &str| json!({"code": code, "message": "m", "recovery_actions": [], "recovery_hint": hint});
    let class = |document| {
        read(document)
            .outcome
            .fault()
            .map(|fault| fault.public().retry().is_retryable())
    };
    assert_eq!(
        class(object("BUSINESS_RULE_VIOLATION", "RETRY_LATER")),
        Some(true)
    );
    assert_eq!(class(object("TIMEOUT", "CHECK_INPUT")), Some(false));
}

#[test]
fn a_wait_says_that_the_call_may_be_repeated() {
    let fault = Fault::not_found("user", "u1").retry_after(std::time::Duration::from_secs(5));
    assert!(fault.public().retry().is_retryable());
    let none = Fault::unavailable("x").retry_after(std::time::Duration::ZERO);
    assert_eq!(none.public().retry_after(), None);
}
