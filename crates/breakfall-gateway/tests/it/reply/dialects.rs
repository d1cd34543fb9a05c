//! The same failure in every format, language and manner.

use breakfall::locale::Language;
use breakfall::wire::{Dialect, Format, Options, project};
use breakfall::{Fault, Outcome, codes};
use breakfall_gateway::classify::ClassifiedFailure;
use breakfall_gateway::reply::{ReplyOptions, failed, stamped};
use serde_json::{Value, json};

use super::{block, failure, parsed, text, told};

fn manners() -> impl Iterator<Item = ReplyOptions> {
    let all = Dialect::ALL.iter().flat_map(|dialect| {
        let formats = Format::ALL
            .iter()
            .map(|format| ReplyOptions::default().dialect(*dialect).format(*format));
        formats.flat_map(|manner| [false, true].map(|strict| manner.clone().strict(strict)))
    });
    all.flat_map(|manner| {
        [None, Some(false), Some(true)].map(|has| manner.clone().output_schema(has))
    })
}

fn faults() -> Vec<Fault> {
    let system = breakfall::Stamp::System;
    [
        Fault::missing_param("owner"),
        Fault::not_found("user", "usr_9").fallback_tool("list_users"),
        Fault::rate_limited(20, breakfall::Window::Minute)
            .retry_after(std::time::Duration::from_millis(7200)),
        Fault::unavailable("shop"),
        Fault::timeout("buy", std::time::Duration::from_secs(3)),
        Fault::internal(),
        Fault::permission_denied("no"),
    ]
    .into_iter()
    .map(|fault| stamped(fault, &system))
    .collect()
}

#[test]
fn every_format_is_read_back_to_the_same_decision() {
    for manner in manners() {
        for (fault, same) in faults().into_iter().zip(faults()) {
            let options = Options::new().strict(manner.strict).format(manner.format);
            let want = project(&Outcome::Fault(same), manner.dialect, &options).expect("a failure");
            let want = want.fault().expect("a failure").public().category();
            let (code, retry) = (fault.code(), fault.public().retry().is_retryable());
            let failure = ClassifiedFailure::new(fault);
            let answer = parsed(&failed(&failure, None, &manner, "{}"));
            assert_eq!(answer["isError"], true, "{answer}");
            let reading = breakfall::read(answer.clone());
            let read = reading.outcome.fault().expect("a failure").public();
            if manner.strict {
                assert_eq!(read.category(), want, "{manner:?} {answer}");
            } else {
                assert_eq!(
                    (read.code(), read.retry().is_retryable()),
                    (code, retry),
                    "{manner:?} {answer}"
                );
            }
            let may_be = manner.has_output_schema == Some(false);
            let demanded =
                manner.strict && matches!(manner.dialect, Dialect::ToolError | Dialect::ErrorModel);
            if !may_be && !demanded {
                assert!(
                    answer.get("structuredContent").is_none(),
                    "{manner:?} {answer}"
                );
            }
        }
    }
}

#[test]
fn a_server_that_speaks_another_format_is_translated() {
    let theirs = json!({"code": "RATE_LIMITED", "message": "slow down", "recovery_actions": ["wait_and_retry"], "retry_after_ms": 7200, "correlation_id": "abc-1"});
    let frame = text(&theirs.to_string());
    let native = told(&frame, &ReplyOptions::default());
    assert_eq!(
        native["content"].as_array().map(Vec::len),
        Some(1),
        "it says it all itself: {native}"
    );
    let object = &native["_meta"]["dev.breakfall/error"];
    assert_eq!(
        (&object["code"], &object["retry"]["after_ms"]),
        (&json!("RATE_LIMIT_EXCEEDED"), &json!(7200))
    );
    assert_eq!(
        object["correlation_id"], "abc-1",
        "an id that came with it stays"
    );

    let aql = told(&frame, &ReplyOptions::default().dialect(Dialect::McpAql));
    let ours: Value = serde_json::from_str(block(&aql, 0)).expect("JSON");
    assert_eq!(ours["error"]["code"], "RATE_LIMIT_EXCEEDED");
    assert_eq!(block(&aql, 1), theirs.to_string());
}

#[test]
fn our_words_are_in_the_language_of_the_caller() {
    let manner = ReplyOptions::default().language(Language::German);
    let answer = parsed(&failed(
        &ClassifiedFailure::new(Fault::missing_param("owner")),
        None,
        &manner,
        "{}",
    ));
    let german = Fault::missing_param("owner").in_language(Language::German);
    assert!(
        block(&answer, 0).contains(&*german.public().message()),
        "{answer}"
    );
    assert_eq!(
        answer["_meta"]["dev.breakfall/error"]["code"],
        "VALIDATION_MISSING_PARAM"
    );
    // What a server said stays in its own words; the advice is ours.
    let told = told(&text("Error: rate limit exceeded"), &manner);
    assert!(block(&told, 1).contains("rate limit exceeded"));
    let english = Fault::new(codes::RATE_LIMIT_EXCEEDED);
    let remedy = &told["_meta"]["dev.breakfall/error"]["remediation"];
    assert_ne!(remedy.as_str(), Some(&*english.public().remediation()));
}

#[test]
fn a_call_may_ask_for_its_own_manner() {
    let asked = |meta: Value| {
        ReplyOptions::default().asked(&json!({"name": "x", "_meta": meta}).to_string())
    };
    let manner = asked(
        json!({"dev.breakfall/dialect": "tool-error", "dev.breakfall/format": "both", "dev.breakfall/locale": "fr, es;q=0.5", "dev.breakfall/strict": true}),
    );
    assert_eq!(
        (manner.dialect, manner.format, manner.strict),
        (Dialect::ToolError, Format::Both, true)
    );
    assert_eq!(manner.language, Some(Language::Spanish));
    for nonsense in [
        json!({"dev.breakfall/dialect": "klingon", "dev.breakfall/format": 7, "dev.breakfall/strict": "x"}),
        json!({"dev.breakfall/dialect": ["native"]}),
        json!("dev.breakfall/dialect"),
        json!({}),
    ] {
        let manner = asked(nonsense);
        assert_eq!(
            (
                manner.dialect,
                manner.format,
                manner.strict,
                manner.language
            ),
            (Dialect::Native, Format::Markdown, false, None)
        );
    }
    assert_eq!(
        ReplyOptions::default()
            .language(Language::German)
            .asked(r#"{"_meta":{"dev.breakfall/locale":"en"}}"#)
            .language,
        None
    );
}

#[test]
fn what_the_pipeline_adds_to_a_fault_reaches_a_server_that_speaks_our_own_format() {
    let theirs = parsed(&failed(
        &ClassifiedFailure::new(Fault::unavailable("db").detail("zone", "a")),
        None,
        &ReplyOptions::default(),
        "{}",
    ));
    let frame = super::result(&theirs.to_string());
    let mut failure = failure(&frame);
    failure.fault = failure.fault.detail("attempts", 3);
    let answer = parsed(&failed(
        &failure,
        Some(&frame),
        &ReplyOptions::default(),
        "{}",
    ));
    let details = &answer["_meta"]["dev.breakfall/error"]["details"];
    assert_eq!(
        (&details["zone"], &details["attempts"]),
        (&json!("a"), &json!(3))
    );
}

#[test]
fn a_private_note_keeps_what_the_server_said() {
    let failure = failure(&text("no luck at /srv/app/x.py"));
    let report = failure.fault.report().to_string();
    assert!(report.contains("/srv/app/x.py"), "{report}");
    let outcome = Outcome::Fault(failure.fault);
    assert!(outcome.fault().is_some());
}
