//! Messages, details and the other texts of the rows.

use std::collections::BTreeMap;

use breakfall::catalog::lint::{self, Finding};
use breakfall::catalog::{CODES, warning};
use breakfall::code::Entry;

use super::row;

/// The templates of the registry. What else it fixes about a code is in `catalog.lock`.
const TEMPLATES: &str = "
VALIDATION_MISSING_PARAM Missing required parameter '{param_name}'
VALIDATION_INVALID_TYPE Parameter '{param_name}' expected '{expected_type}', got '{actual_type}'
VALIDATION_UNKNOWN_PARAM Unknown parameter(s) for operation '{operation}': {param_list}
VALIDATION_INVALID_ENCODING Invalid character encoding in request
VALIDATION_PAYLOAD_TOO_LARGE Payload exceeds {limit_type} limit of {limit_value}
NOT_FOUND_OPERATION Unknown operation: '{operation_name}'
NOT_FOUND_RESOURCE Resource '{resource_type}' not found: '{resource_id}'
PERMISSION_DENIED Permission denied: '{reason}'
INTERNAL_ERROR Internal error: '{description}'
PERMISSION_TRUST_LEVEL_INSUFFICIENT Operation '{operation}' requires trust level '{required_trust}', adapter has '{actual_trust}'
PERMISSION_DANGER_LEVEL_DENIED Operation '{operation}' (danger: {danger_level}) denied for adapter trust level '{adapter_trust}'
CONFIRMATION_REQUIRED This operation requires confirmation
RATE_LIMIT_EXCEEDED API rate limit exceeded
RATE_LIMIT_QUOTA_PAUSE Quota pause threshold reached
RATE_LIMIT_QUOTA_EXHAUSTED Quota exhausted
TOKEN_INVALID Invalid confirmation token
TOKEN_EXPIRED Confirmation token has expired
TOKEN_ALREADY_USED Confirmation token has already been used
TOKEN_SCOPE_MISMATCH Confirmation token scope mismatch
";

#[test]
fn templates_are_those_of_the_registry() {
    testing::proves!(
        "S4-33", "S4-34", "S4-35", "S4-40", "S4-41", "S4-43", "S4-44", "S4-45", "S4-46", "S4-47",
        "S4-48", "S4-49", "S4-50", "S4-51", "S4-52", "S4-54", "S4-55", "S4-56", "S4-57"
    );
    for line in TEMPLATES.trim().lines() {
        let (name, template) = line.split_once(' ').expect("a name and its template");
        assert_eq!(row(name).message.template, template);
    }
}

#[test]
fn a_strict_name_is_in_the_first_two_registries() {
    let early = |name: &str| ["mvp", "phase1"].contains(&row(name).status.as_str());
    for code in CODES {
        let names = code.entry().names;
        assert!(
            early(names.mcp_aql_strict),
            "{code} downgrades to {}",
            names.mcp_aql_strict
        );
        if early(code.name()) {
            assert_eq!(
                (names.mcp_aql, names.mcp_aql_strict),
                (code.name(), code.name())
            );
        }
    }
}

#[test]
fn an_unknown_field_of_an_update_has_a_code_of_its_own() {
    testing::proves!("S4-36");
    let (param, field) = (
        row("VALIDATION_UNKNOWN_PARAM"),
        row("VALIDATION_UNKNOWN_FIELD"),
    );
    assert_ne!(param.message.template, field.message.template);
    assert!(
        field
            .message
            .template
            .starts_with("Unknown field(s) in the input")
    );
    assert_eq!(field.names.mcp_aql, "VALIDATION_UNKNOWN_FIELD");
}

#[test]
fn an_aggregated_batch_counts_its_items() {
    testing::proves!("S4-81");
    let entry = row("BATCH_PARTIAL_FAILURE");
    let keys: Vec<&str> = entry.details.iter().map(|detail| detail.name).collect();
    assert_eq!(keys, ["total", "succeeded", "failed", "errors"]);
    assert!(entry.details.iter().all(|detail| detail.required));
    assert_eq!(
        entry.message.template,
        "{failed} of {total} operations failed"
    );
}

#[test]
fn every_message_is_clean() {
    testing::proves!("S4-29", "S4-30");
    for code in CODES {
        let entry = code.entry();
        let found = lint::message(entry.name, entry.message.template, keys(entry));
        assert_eq!(found, [], "message of {code}");
        assert_eq!(
            lint::plain(entry.message.plain),
            [],
            "plain message of {code}"
        );
        if let Some(sentence) = entry.sentence {
            assert_eq!(
                lint::advice(sentence, keys(entry)),
                [],
                "sentence of {code}"
            );
        }
    }
}

#[test]
fn every_advice_is_clean() {
    for code in CODES {
        let entry = code.entry();
        assert_eq!(
            lint::advice(entry.remediation.template, keys(entry)),
            [],
            "remediation of {code}"
        );
        assert_eq!(
            lint::plain(entry.remediation.plain),
            [],
            "plain remediation of {code}"
        );
        assert_eq!(lint::plain(entry.user), [], "user text of {code}");
        for text in [
            entry.remediation.template,
            entry.remediation.plain,
            entry.user,
        ] {
            assert!(
                text.ends_with(['.', '?']),
                "{code}: a sentence ends with a full stop: {text}"
            );
        }
        for text in [entry.meaning, entry.when] {
            assert!(text.ends_with('.') && text.len() > 20, "{code}: {text}");
        }
        assert!(
            entry
                .details
                .iter()
                .all(|detail| detail.about.ends_with('.')),
            "{code}"
        );
    }
}

#[test]
fn plain_forms_have_no_braces() {
    for code in CODES {
        let entry = code.entry();
        for text in [entry.message.plain, entry.remediation.plain, entry.user] {
            assert!(!text.contains(['{', '}']), "{code}: {text}");
        }
    }
}

#[test]
fn no_two_rows_share_an_advice() {
    let mut seen = BTreeMap::new();
    for code in CODES {
        let text = code.entry().remediation;
        for form in [text.template, text.plain] {
            if let Some(other) = seen.insert(form, *code)
                && other != *code
            {
                panic!("{code} and {other} share {form:?}");
            }
        }
    }
}

#[test]
fn a_message_opens_in_keeping_with_its_category() {
    testing::proves!("S4-31");
    let openings: BTreeMap<&str, &[&str]> = BTreeMap::from([
        (
            "VALIDATION",
            &[
                "Parameter ",
                "Missing required parameter",
                "Unknown parameter",
                "Unknown field",
                "Invalid character encoding",
                "Payload ",
                "Operation ",
            ] as &[&str],
        ),
        ("SCHEMA", &["Schema "]),
        ("AUTHENTICATION", &["Authentication "]),
        ("PERMISSION", &["Permission denied", "Operation "]),
        ("CONFIRMATION", &["This operation requires confirmation"]),
        (
            "TOKEN",
            &["Confirmation token ", "Invalid confirmation token"],
        ),
        ("NOT", &["Resource ", "Unknown operation"]),
        (
            "CONFLICT",
            &[
                "Conflict",
                "Version conflict",
                "Resource '{resource_type}' already exists",
            ],
        ),
        ("RATE", &["API rate limit", "Quota "]),
        ("BUSINESS", &["Business rule", "Insufficient balance"]),
        ("UNAVAILABLE", &["Service "]),
        (
            "INTERNAL",
            &[
                "Internal error",
                "Operation '{operation}' is not implemented",
            ],
        ),
        (
            "BATCH",
            &[
                "Batch request",
                "All {total} operations",
                "{failed} of {total} operations",
            ],
        ),
    ]);
    for code in CODES {
        let prefix = code.name().split('_').next().expect("a first word");
        let template = code.entry().message.template;
        let fits = openings[prefix]
            .iter()
            .any(|opening| template.starts_with(opening));
        assert!(fits, "{code} opens with {template:?}");
    }
}

#[test]
fn the_exceptions_to_the_lint_are_the_known_ones_and_needed() {
    let listed: Vec<String> = lint::EXCEPTIONS
        .iter()
        .map(|e| {
            format!(
                "{} {} {} {}",
                e.code, e.placeholder, e.unquoted, e.undeclared
            )
        })
        .collect();
    assert_eq!(
        listed,
        [
            "VALIDATION_UNKNOWN_PARAM param_list true true",
            "VALIDATION_PAYLOAD_TOO_LARGE limit_type true false",
            "VALIDATION_PAYLOAD_TOO_LARGE limit_value true false",
            "PERMISSION_DANGER_LEVEL_DENIED danger_level true false",
            "NOT_FOUND_OPERATION operation_name false true",
            "INTERNAL_ERROR description false true",
            "BATCH_FAILED total true false",
            "BATCH_PARTIAL_FAILURE failed true false",
            "BATCH_PARTIAL_FAILURE total true false",
            "PARTIAL_FAILURE failed true false",
            "PARTIAL_FAILURE total true false",
        ]
    );
    // Under any other name the same templates are faulty, so no exception is there without need.
    for exception in lint::EXCEPTIONS {
        let (template, keys): (&str, Vec<&str>) = match warning::by_name(exception.code) {
            Some(code) => (
                code.entry().message.template,
                code.entry().context.iter().map(|d| d.name).collect(),
            ),
            None => (
                row(exception.code).message.template,
                keys(row(exception.code)).collect(),
            ),
        };
        let found = lint::message("OTHER_CODE", template, keys);
        let name = exception.placeholder.to_owned();
        assert_eq!(
            found.contains(&Finding::Unquoted(name.clone())),
            exception.unquoted,
            "{exception:?}"
        );
        assert_eq!(
            found.contains(&Finding::Undeclared(name)),
            exception.undeclared,
            "{exception:?}"
        );
    }
}

#[test]
fn a_fixed_text_is_its_own_plain_form() {
    for code in CODES {
        let message = code.entry().message;
        if !message.template.contains('{') {
            assert_eq!(message.template, message.plain, "{code}");
        }
    }
}

fn keys(entry: &Entry) -> impl Iterator<Item = &'static str> {
    entry.details.iter().map(|detail| detail.name)
}
