//! Lists and their filters.

use breakfall::catalog::CODES;
use breakfall::catalog::warning::WARNINGS;
use serde_json::Value;
use snapbox::str;

use crate::{breakfall, json, stdout};

/// The native names `explain --list` gives for some filters.
fn names(filters: &[&str]) -> Vec<String> {
    let rows = json(breakfall(
        &[&["explain", "--list", "--json"], filters].concat(),
    ));
    let name = |row: &Value| row["name"].as_str().unwrap_or_default().to_owned();
    let rows = rows.as_array().expect("a list is an array");
    rows.iter().map(name).collect()
}

fn codes(passes: impl Fn(&breakfall::Entry) -> bool) -> Vec<String> {
    let entries = CODES.iter().map(|code| code.entry());
    entries
        .filter(|entry| passes(entry))
        .map(|entry| entry.name.to_owned())
        .collect()
}

#[test]
fn the_list_has_every_code_in_order() {
    assert_eq!(names(&[]), codes(|_| true));
    let warnings: Vec<&str> = WARNINGS.iter().map(|code| code.name()).collect();
    assert_eq!(names(&["--warnings"]), warnings);
}

#[test]
fn filters_keep_what_they_say() {
    use breakfall::code::Status;
    use breakfall::{Category, Retry};
    assert_eq!(
        names(&["--category", "not_found"]),
        codes(|entry| entry.category == Category::NotFound)
    );
    assert_eq!(
        names(&["--retryable"]),
        codes(|entry| entry.retry.is_retryable())
    );
    assert_eq!(
        names(&["--retry", "once"]),
        codes(|entry| entry.retry == Retry::Once)
    );
    assert_eq!(
        names(&["--status", "mvp"]),
        codes(|entry| entry.status == Status::Mvp)
    );
    assert_eq!(
        names(&["--category", "unavailable", "--retry", "never"]),
        ["UNAVAILABLE_TLS"]
    );
}

#[test]
fn every_value_of_a_filter_keeps_something() {
    let help = stdout(breakfall(&["explain", "--help"]));
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, help) = help.split_once("Filters of --list").unwrap();
    let mut count = 0;
    for option in help.split(" --").skip(1) {
        let filter = option.split([' ', ':']).next().unwrap();
        let values = option.split_once("[possible values: ");
        let values = values.and_then(|(_, rest)| rest.split_once(']'));
        for value in values
            .into_iter()
            .flat_map(|(values, _)| values.split(", "))
        {
            let kept = names(&[&format!("--{filter}"), value]);
            assert!(!kept.is_empty(), "--{filter} {value}");
            count += 1;
        }
    }
    assert!(count > 20, "{count} values in {help}");
}

#[test]
fn a_text_keeps_codes_that_mention_it_by_any_name() {
    assert_eq!(names(&["missing_required"]), ["VALIDATION_MISSING_PARAM"]);
    assert_eq!(
        names(&["--warnings", "TOKENIZER"]),
        ["TOKEN_COUNT_ESTIMATE_USED"]
    );
}

#[test]
fn a_list_is_one_line_for_each_code_under_a_head() {
    breakfall(&["explain", "--list", "--category", "rate_limit"])
        .assert()
        .success()
        .stderr_eq("")
        .stdout_eq(str![[r#"
CODE                        HTTP  RETRY         MESSAGE
RATE_LIMIT_EXCEEDED         429   after         API rate limit exceeded
RATE_LIMIT_QUOTA_PAUSE      429   after_change  Quota pause threshold reached
RATE_LIMIT_QUOTA_EXHAUSTED  429   after         Quota exhausted

"#]]);
    let all = stdout(breakfall(&["explain", "-l"]));
    assert_eq!(all.lines().count(), CODES.len() + 1);
}

#[test]
fn a_dialect_puts_its_names_first() {
    breakfall(&[
        "explain",
        "--list",
        "--dialect",
        "tool-error",
        "--category",
        "rate_limit",
    ])
    .assert()
    .success()
    .stdout_eq(str![[r#"
TOOL-ERROR     CODE                        HTTP  RETRY         MESSAGE
CLIENT_ERROR   RATE_LIMIT_EXCEEDED         429   after         API rate limit exceeded
needsInput:v1  RATE_LIMIT_QUOTA_PAUSE      429   after_change  Quota pause threshold reached
CLIENT_ERROR   RATE_LIMIT_QUOTA_EXHAUSTED  429   after         Quota exhausted

"#]]);
    breakfall(&[
        "explain",
        "--list",
        "--warnings",
        "--dialect",
        "response-v2",
        "quota",
    ])
    .assert()
    .success()
    .stdout_eq(str![[r#"
RESPONSE-V2             CODE                      SEVERITY  PHASE  MESSAGE
RATE_LIMIT_APPROACHING  RATE_LIMIT_QUOTA_WARNING  warning   -      Approaching quota limit

"#]]);
}

#[test]
fn an_empty_list_is_noted_and_is_not_an_error() {
    breakfall(&["explain", "--list", "xyzzy"])
        .assert()
        .success()
        .stdout_eq("")
        .stderr_eq("note: nothing passes these filters\n");
    assert!(names(&["xyzzy"]).is_empty());
}

#[test]
fn a_dialect_without_warnings_has_none_to_list() {
    breakfall(&["explain", "--list", "--warnings", "--dialect", "mcp-error"])
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
error: mcp-error has no codes for warnings
  hint: native, response-v2 and mcp-aql have them

"#]]);
}
