//! The fault: one pointer with two halves, made in words.

mod getters;
mod helpers;
mod made;

use std::error::Error;
use std::fmt;
use std::time::Duration;

use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Format, Options, decode, encode, rpc_error, tool_result};
use breakfall::{CorrelationId, Elicitation, Fault, Outcome, Retry, Stamp, Window, codes};
use jiff::Timestamp;
use serde_json::json;

use crate::sample::document_of;

const ID: &str = "0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11";

fn id() -> CorrelationId {
    CorrelationId::new(ID).unwrap()
}

fn at() -> Timestamp {
    "2026-01-01T00:00:00.8Z".parse().unwrap()
}

fn strict() -> Options {
    Options::new().strict(true).stamp(Stamp::Fixed(id(), at()))
}

// One pointer, two halves.

#[test]
fn a_fault_is_one_pointer_wide() {
    assert_eq!(size_of::<Fault>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Fault>>(), size_of::<usize>());
    assert_eq!(size_of::<Option<Fault>>(), size_of::<usize>());
}

/// It crosses threads and outlives the call: this compiles.
const _: () = {
    const fn travels<T: Send + Sync + 'static>() {}
    travels::<Fault>();
    travels::<Outcome>();
};

/// An error with a cause of its own, as a driver's would be.
#[derive(Debug)]
struct Driver(&'static str, Option<Box<Self>>);

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Driver {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|cause| cause as _)
    }
}

const PLANTED: [&str; 3] = ["planted outer", "planted inner", "planted note"];

fn planted() -> Fault {
    let cause = Driver(PLANTED[0], Some(Box::new(Driver(PLANTED[1], None))));
    Fault::internal()
        .caused_by(cause)
        .note(PLANTED[2])
        .correlation_id(id())
}

#[test]
fn the_report_has_the_whole_story_for_the_log() {
    testing::proves!("S0-08", "S2-36");
    let fault = planted();
    let message = fault.public().message().into_owned();
    let expected = format!(
        "INTERNAL_ERROR: {message} [{ID}]\n  note: planted note\n  caused by: planted outer\n  caused by: planted inner"
    );
    assert_eq!(fault.report().to_string(), expected);
    assert_eq!(format!("{:?}", fault.report()), expected);
    assert_eq!(fault.source().unwrap().to_string(), PLANTED[0]);
}

#[test]
fn no_words_of_a_caller_look_like_a_line_of_the_log() {
    let forged = "7'\nINTERNAL_ERROR: the vault is open";
    let fault = Fault::not_found("order", forged)
        .note(forged)
        .caused_by(forged);
    let report = fault.report().to_string();
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines.len(), 6, "{report}");
    let own = lines.iter().filter(|line| !line.starts_with(' '));
    assert_eq!(own.count(), 1, "{report}");
}

#[test]
fn an_error_that_is_its_own_cause_has_an_end() {
    #[derive(Debug)]
    struct Cycle;
    impl fmt::Display for Cycle {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("again")
        }
    }
    impl Error for Cycle {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&Self)
        }
    }
    let report = Fault::internal().caused_by(Cycle).report().to_string();
    assert_eq!(report.matches("again").count(), 64);
}

#[test]
fn printing_a_fault_shows_its_public_half_only() {
    testing::proves!("S2-36");
    let fault = planted();
    let outcome = Outcome::from(planted());
    let printed = [
        format!("{fault}"),
        format!("{fault:?}"),
        format!("{fault:#?}"),
        format!("{:?}", fault.public()),
        format!("{outcome:?}"),
        format!("{:?}", Err::<(), _>(planted())),
    ];
    for text in printed {
        assert!(!text.contains("planted"), "{text}");
        // It says something all the same.
        assert!(text.to_lowercase().contains("internal"), "{text}");
    }
}

#[test]
fn no_dialect_writes_the_private_half() {
    testing::proves!("S0-08", "S1-45", "S2-36");
    let outcome = Outcome::from(planted());
    for dialect in Dialect::ALL.iter().copied() {
        for options in every_option() {
            let written = [
                encode(unredacted(&outcome), dialect, &options)
                    .unwrap()
                    .to_json(),
                tool_result(unredacted(&outcome), dialect, &options)
                    .unwrap()
                    .to_json(),
                rpc_error(unredacted(planted().public()), dialect, &options)
                    .to_value()
                    .to_string(),
            ];
            for text in written {
                assert!(!text.contains("planted"), "{dialect} {options:?}: {text}");
            }
        }
    }
}

fn every_option() -> impl Iterator<Item = Options> {
    let flags = [false, true];
    let pairs = flags
        .into_iter()
        .flat_map(move |strict| flags.map(|structured| (strict, structured)));
    pairs.flat_map(|(strict, structured)| {
        Format::ALL.iter().map(move |format| {
            Options::new()
                .strict(strict)
                .structured(structured)
                .format(*format)
        })
    })
}

#[test]
fn the_exception_text_others_send_is_read_and_kept() {
    testing::proves!("S1-45");
    let sent = json!({
        "code": "INTERNAL_ERROR",
        "message": "Could not fetch the orders",
        "details": {"originalError": "socket hang up"},
        "recovery_actions": ["retry_once", "contact_support"],
        "correlation_id": ID,
        "timestamp": "2026-01-01T00:00:00.800Z",
    });
    let read = decode(sent.clone(), Dialect::McpError, &strict()).unwrap();
    let fault = read.fault().unwrap();
    assert_eq!(
        fault.public().details().text("originalError"),
        Some("socket hang up")
    );
    assert_eq!(document_of(&read, Dialect::McpError, &strict()), sent);
}

// Builders that read like the sentence they make.

#[test]
fn a_missing_parameter_of_an_operation() {
    let fault = Fault::missing_param("owner").in_operation("get_repo");
    let public = fault.public();
    assert_eq!(fault.code(), codes::VALIDATION_MISSING_PARAM);
    assert_eq!(public.message(), "Missing required parameter 'owner'");
    assert_eq!(public.details().text("param_name"), Some("owner"));
    assert_eq!(public.details().text("operation"), Some("get_repo"));
    assert_eq!(public.retry(), Retry::AfterChange);
}

#[test]
fn a_thing_not_found_and_what_to_call_instead() {
    let fault = Fault::not_found("user", "usr_999").fallback_tool("list_users");
    let public = fault.public();
    assert_eq!(fault.code(), codes::NOT_FOUND_RESOURCE);
    assert_eq!(public.message(), "user 'usr_999' not found");
    assert_eq!(public.fallback_tool(), Some("list_users"));
    assert!(!public.retry().is_retryable());
}

#[test]
fn a_rate_limit_and_when_to_come_back() {
    let fault = Fault::rate_limited(100, Window::Minute).retry_after(Duration::from_millis(44_001));
    let public = fault.public();
    assert_eq!(fault.code(), codes::RATE_LIMIT_EXCEEDED);
    assert_eq!(
        public.message(),
        "Rate limit exceeded: 100 requests per minute"
    );
    assert_eq!(public.retry(), Retry::After);
    // Coming back a moment too early is refused again, so seconds are rounded up.
    assert_eq!(public.retry_after_seconds(), Some(45));
    assert_eq!(public.remediation(), "Wait 45 seconds before retrying.");
}

#[test]
fn a_bound_reads_as_it_was_written() {
    let details = |minimum, maximum| {
        json!(
            Fault::out_of_range("limit", minimum, maximum)
                .public()
                .details()
        )
    };
    assert_eq!(
        details(Some(1.0), Some(2.5)),
        json!({"param_name": "limit", "minimum": 1, "maximum": 2.5})
    );
    assert_eq!(
        details(None, Some(-3.0)),
        json!({"param_name": "limit", "maximum": -3})
    );
}

#[test]
fn an_id_that_is_the_users_to_correct_is_asked_for() {
    let fault = Fault::not_found("user", "usr_999").or_ask("id", ["usr_1", "usr_2"]);
    let question = fault.public().elicitation().expect("a question");
    let expected = Elicitation::new("user 'usr_999' not found")
        .field("id")
        .reason("user 'usr_999' not found")
        .suggest("id", ["usr_1", "usr_2"]);
    assert_eq!(*question, expected);
}

#[test]
fn an_id_that_could_do_harm_is_refused() {
    for id in [
        "",
        ".",
        "../../etc/passwd",
        "a b",
        "<script>",
        "a\"b",
        "a\nb",
        "ü",
        &"x".repeat(129),
    ] {
        assert!(breakfall::CorrelationId::new(id).is_err(), "{id:?}");
    }
    for id in [
        "req_abc123",
        "0b6c6f0e-4a4e-4a0e-9a43-0e6f0d1f7c11",
        "trace:1=2",
        &"x".repeat(128),
    ] {
        assert!(breakfall::CorrelationId::new(id).is_ok(), "{id:?}");
    }
}

#[test]
fn a_success_of_a_type_of_ones_own_or_a_fault() {
    use std::collections::BTreeMap;
    let data = BTreeMap::from([("n", 1)]);
    assert_eq!(
        breakfall::Success::of(&data).unwrap().data(),
        &serde_json::json!({"n": 1})
    );
    let keys_are_no_text = BTreeMap::from([((1, 2), 3)]);
    let fault = breakfall::Success::of(&keys_are_no_text).unwrap_err();
    assert_eq!(fault.code(), breakfall::codes::INTERNAL_ERROR);
}
