//! Failures that call themselves successes, and successes that look like failures.

use breakfall::classify::Classifier;
use breakfall::read::{Channel, read_by};
use breakfall::wire::Options;
use breakfall::{Confidence, Outcome, read};
use serde_json::{Value, json};

use super::{failed, rule, said};

fn unmasking() -> Classifier {
    Classifier::new().unmask(true)
}

const DISGUISED: &[&str] = &[
    "Error: Unknown tool: x",
    "Database error: no such table: orders",
    "<error>Page failed to be simplified from HTML</error>",
    "Error executing tool add: boom",
    r#"{"error": "boom"}"#,
    r#"{"ok": false, "error": "channel_not_found"}"#,
    r#"{"status": "error", "message": "boom"}"#,
    "Failed to list issues: 403 Forbidden",
    "missing required parameter: owner",
    "404 Not Found",
];

/// Results of tools that are what they say.
const INNOCENT: &[&str] = &[
    "",
    "[]",
    "{}",
    "null",
    "No errors found",
    "Error handling guide",
    "Errors: 0\nWarnings: 2",
    "Error rate: 0.2 %",
    "Mean squared error: 0.02",
    "2026-01-01 10:00 ERROR: disk full\n2026-01-01 10:01 INFO: ok",
    "ERROR: disk full\nINFO: rotated\nERROR: disk full",
    "The file says: Error: not found",
    "Failed to compile 3 of 12 files",
    "500 items",
    "200 OK",
    "Entities deleted successfully",
    r#"{"error": null, "rows": []}"#,
    r#"{"success": true, "error": false}"#,
    r#"{"success": true, "error": "", "rows": []}"#,
    r#"{"error": "none so far", "rows": [1]}"#,
    r#"{"id": 7, "status": "failed", "message": "build broke"}"#,
    r#"[{"error": "x"}]"#,
    r#"{"errors": [{"message": "unused import", "line": 3}]}"#,
    r#"{"code": "TIMEOUT", "message": "a row of a table of codes"}"#,
    "# Errors\n\nError: is what you see when",
];

#[test]
fn a_disguise_is_seen_only_on_request_and_marked() {
    for text in DISGUISED {
        assert!(
            matches!(read(said(text)).outcome, Outcome::Success(_)),
            "{text}"
        );
        let reading = read_by(said(text), &Options::new(), &unmasking());
        let fault = reading
            .outcome
            .fault()
            .unwrap_or_else(|| panic!("{text} is a failure"));
        assert!(
            rule(fault).starts_with("disguise."),
            "{text}: {}",
            rule(fault)
        );
        assert!(reading.confidence >= Confidence::Structural, "{text}");
        assert_eq!(reading.channel, Channel::Payload);
    }
}

#[test]
fn an_error_that_is_empty_is_none() {
    for error in [json!(null), json!(false), json!(""), json!(" ")] {
        let result = json!({"content": [], "structuredContent": {"success": true, "error": error}});
        let reading = read_by(result.clone(), &Options::new(), &unmasking());
        assert!(
            matches!(reading.outcome, Outcome::Success(_)),
            "{result}: {reading:?}"
        );
    }
}

#[test]
fn innocent_results_stay_successes() {
    for text in INNOCENT {
        let reading = read_by(said(text), &Options::new(), &unmasking());
        assert!(
            matches!(reading.outcome, Outcome::Success(_)),
            "{text}: {:?}",
            reading.outcome
        );
    }
}

#[test]
fn more_than_one_short_block_is_a_result() {
    let block = |text: &str| json!({"type": "text", "text": text});
    let long = format!("Error: {}", "a page of a manual ".repeat(200));
    for result in [
        json!({"content": [block("Error: boom"), block("and more")]}),
        json!({"content": [block(&long)]}),
        json!({"content": [block("Error: boom")], "structuredContent": {"rows": [1]}}),
        json!({"content": [{"type": "image", "data": "", "mimeType": "image/png"}]}),
        json!({"content": []}),
    ] {
        assert!(unmasking().disguised(&result).is_none(), "{result}");
    }
}

#[test]
fn what_frameworks_box_up_is_seen_through() {
    let text = r#"{"error":true,"detail":"The given service name does not exist: s4"}"#;
    let boxed = json!({
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"result": serde_json::from_str::<Value>(text).unwrap()},
        "isError": false,
    });
    let fault = unmasking().disguised(&boxed).expect("a failure");
    assert_eq!(rule(&fault), "disguise.json-error+text.not-found");
    let words = json!({"content": [{"type": "text", "text": "Error: boom"}], "structuredContent": {"result": "Error: boom"}});
    assert!(unmasking().disguised(&words).is_some());
}

#[test]
fn a_denial_without_a_word_has_a_rule_that_can_be_switched_off() {
    let block = |text: &str| json!({"type": "text", "text": text});
    let denial = r#"{"success": false}"#;
    let long = format!(
        r#"{{"success": false, "details": "{}"}}"#,
        "x".repeat(20_000)
    );
    let results = [
        said(denial),
        said(&long),
        said(r#"{"success": false, "error": 5}"#),
        json!({"content": [block("One moment."), block(denial)]}),
        json!({"content": [], "structuredContent": {"success": false}}),
    ];
    let read = |result: &Value, rules: &Classifier| {
        let outcome = read_by(result.clone(), &Options::new(), rules).outcome;
        outcome.fault().map(|fault| rule(fault).to_owned())
    };
    let careful = unmasking().without("disguise.json-denial").unwrap();
    for result in results {
        let seen = read(&result, &unmasking());
        assert_eq!(
            seen.as_deref(),
            Some("disguise.json-denial"),
            "{result:.99}"
        );
        assert_eq!(read(&result, &careful), None, "{result:.99}");
        let mut flagged = result;
        flagged["isError"] = true.into();
        assert!(read(&flagged, &careful).is_some(), "{flagged:.99}");
    }
    // What has words has another.
    let said = said(r#"{"success": false, "message": "no such order"}"#);
    let careless = unmasking().without("disguise.json-success").unwrap();
    assert!(read(&said, &careful).is_some());
    assert_eq!(read(&said, &careless), None);
}

#[test]
fn each_disguise_is_switched_off_by_its_name() {
    for text in DISGUISED {
        let fault = unmasking().disguised(&said(text)).expect("a failure");
        let id = rule(&fault).split('+').next().expect("an id").to_owned();
        let careful = unmasking().without(&id).expect("a rule");
        let still = careful.disguised(&said(text));
        assert!(
            still.is_none_or(|fault| !rule(&fault).starts_with(&id)),
            "{text}"
        );
    }
    assert!(
        unmasking()
            .unmask(false)
            .disguised(&said("Error: boom"))
            .is_none()
    );
}

#[test]
fn a_result_that_says_it_failed_wears_no_disguise() {
    assert!(unmasking().disguised(&failed("Error: boom")).is_none());
    let reading = read_by(
        failed("Error: permission denied"),
        &Options::new(),
        &unmasking(),
    );
    assert_eq!(
        rule(reading.outcome.fault().expect("a fault")),
        "text.forbidden"
    );
}

#[test]
fn a_result_that_says_by_another_name_that_it_failed_did() {
    let content = json!([{"type": "text", "text": "no such order"}]);
    let fault = unmasking()
        .disguised(&json!({"is_error": true, "content": content}))
        .expect("a failure");
    assert!(rule(&fault).starts_with("disguise.json-result"));
    assert_eq!(fault.public().message(), "no such order");
    for innocent in [
        json!({"is_error": false, "content": content}),
        json!({"is_error": true, "isError": false, "content": content}),
        json!({"is_error": true}),
    ] {
        assert!(unmasking().disguised(&innocent).is_none(), "{innocent}");
    }
    let off = unmasking().without("disguise.json-result").expect("a rule");
    assert!(
        off.disguised(&json!({"is_error": true, "content": content}))
            .is_none()
    );
}

#[test]
fn the_words_of_a_failure_are_kept_by_the_names_services_give_them() {
    for (text, words) in [
        (
            r#"{"ok": false, "error_code": 400, "description": "Bad Request: chat not found"}"#,
            "chat not found",
        ),
        (
            r#"{"errorCode": "E_STOCK", "errorMessage": "nothing left"}"#,
            "nothing left",
        ),
        (
            "<Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message></Error>",
            "The key does not exist",
        ),
    ] {
        let result = json!({"content": [{"type": "text", "text": text}]});
        let fault = unmasking().disguised(&result).expect(text);
        assert!(
            fault.public().message().contains(words),
            "{text}: {}",
            fault.public().message()
        );
    }
}
