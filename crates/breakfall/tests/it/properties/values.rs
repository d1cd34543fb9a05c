//! Texts, keys and JSON values, with the awkward ones common rather than rare.

use std::time::Duration;

use breakfall::CorrelationId;
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Any text: empty, quoted, in several lines, long, or shaped like the formats it will stand in.
pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(any::<char>(), 0..8).prop_map(String::from_iter),
        4 => "[a-z]{1,8}( [a-z']{1,8}){0,5}",
        4 => prop::sample::select(AWKWARD).prop_map(str::to_owned),
        1 => ("[a-zä\u{1f980}\n ]{1,12}", 20..80_usize).prop_map(|(text, times)| text.repeat(times)),
    ]
}

const AWKWARD: &[&str] = &[
    "",
    " ",
    "\n",
    "two\nlines",
    "\r\n",
    "it's \"quoted\" \\ and '{name}' {resource_type}",
    "a\nFix: b\nRetry: no\nInstead: c\nReference: d",
    "] x\nArguments: {}",
    "{\"kind\":\"toolError:v1\"}",
    "{\"kind\":\"needsInput:v1\"}",
    "{\"code\":\"NOT_FOUND\",\"message\":\"m\"}",
    "[1,2]",
    "null",
    "1e999",
    "**Error:** x",
    "not found",
    "validation_missing_param",
    "NOT_FOUND_RESOURCE",
    "ORDER_NOT_FOUND",
    "TIMEOUT",
    "UNSPECIFIED_WARNING",
    "2 of 3 items could not be processed",
    "\u{0}\u{7f}\u{2028}\u{feff}",
    "2026-01-02T03:04:05Z",
];

/// Any key of an object: free ones, and every name some format gives a meaning to.
pub(super) fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => text(),
        2 => "[a-z]{1,6}",
        4 => prop::sample::select(MEANT).prop_map(str::to_owned),
    ]
}

#[rustfmt::skip]
const MEANT: &[&str] = &[
    "_meta", "action", "actual_type", "available", "batch", "category", "code", "confirmation_message",
    "confirmation_token", "constraint", "content", "context", "correlationId", "correlation_id", "data",
    "details", "docsUrl", "docs_url", "domainCode", "domain_code", "error", "error_code", "error_type",
    "errors", "expected_type", "failed", "field", "halted_at", "httpStatus", "http_status", "id", "index",
    "isError", "kind", "limit", "message", "meta", "operation", "originalError", "param_name", "pending",
    "period", "reason", "received", "remaining", "remediation", "request_id", "required_permission", "reset_at",
    "resets_at", "resource_id", "resource_type", "result", "results", "retry", "retryAfter", "retryAfterMs",
    "retry_after", "retry_after_ms", "retry_after_seconds", "retryable", "service", "statusCode", "status",
    "structuredContent", "succeeded", "success", "suggestion", "timestamp", "total", "type", "unknown_params",
    "validation_errors", "violations", "warnings", "window", "x_field", "x_period",
];

/// Any JSON value. Fractions have few digits: `serde_json` reads longer ones up to one unit in the last place off,
/// unless a feature that slows it down is on, and that is not what these properties are about.
pub(super) fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-100_000..100_000_i32).prop_map(|n| Value::from(f64::from(n) / 100.0)),
        (0..600_u32).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::Object),
        ]
    })
}

pub(super) fn object(
    inner: impl Strategy<Value = Value>,
) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec((key(), inner), 0..4).prop_map(Map::from_iter)
}

/// Any wait, with zero, parts of a millisecond and the longest there is.
pub(super) fn wait() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        (1..2_000_000_000_u64).prop_map(Duration::from_nanos),
        (0..100_000_u64).prop_map(Duration::from_millis),
        (0..100_000_u64).prop_map(Duration::from_secs),
        any::<u64>().prop_map(Duration::from_millis),
        Just(Duration::MAX),
    ]
}

/// Any moment there is, to the nanosecond.
pub(super) fn timestamp() -> impl Strategy<Value = Timestamp> {
    let all = Timestamp::MIN.as_nanosecond()..=Timestamp::MAX.as_nanosecond();
    let recent = 1_700_000_000_000_000_000..1_900_000_000_000_000_000_i128;
    prop_oneof![all, recent]
        .prop_map(|nanos| Timestamp::from_nanosecond(nanos).expect("within the range"))
}

pub(super) fn correlation_id() -> impl Strategy<Value = CorrelationId> {
    prop_oneof![
        "[!#-%(-+,:;=?-Z^-~-][!#-%(-+,.:;=?-Z^-~-]{0,11}",
        "[!#-%(-+,:;=?-Z^-~-]{128}",
        "urn:breakfall:fault:[a-z]{1,4}"
    ]
    .prop_map(|id| CorrelationId::new(id).expect("visible ASCII, not too long"))
}
