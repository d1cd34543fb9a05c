//! The registries of the five vocabularies: what each has, and what it says about retrying.

use std::collections::{BTreeMap, BTreeSet};

use breakfall::catalog::CODES;
use breakfall::code::{Retry, Status};
use breakfall::wire::mcp_error::default_recovery;

use super::{cells, row};

fn distinct(name_of: impl Fn(&breakfall::Entry) -> String) -> BTreeSet<String> {
    CODES.iter().map(|code| name_of(code.entry())).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn each_error_type_has_its_status_and_retry() {
    testing::proves!(
        "S0-12", "S0-13", "S0-14", "S0-15", "S0-16", "S0-17", "S0-18", "S0-19"
    );
    let mut types = BTreeSet::new();
    for line in cells(ERROR_TYPES) {
        let [error_type, name, http, retry, hint] = line[..] else {
            panic!("five cells: {line:?}")
        };
        let entry = row(name);
        assert_eq!(entry.names.error_type, error_type);
        assert_eq!(entry.http.to_string(), http, "{name}");
        assert_eq!(
            (entry.retry.as_str(), entry.hint.as_str()),
            (retry, hint),
            "{name}"
        );
        types.insert(error_type.to_owned());
    }
    assert_eq!(types.len(), 8);
    assert_eq!(distinct(|entry| entry.names.error_type.to_owned()), types);
}

#[test]
fn caller_mistakes_are_never_retryable_and_outages_mostly_are() {
    for code in CODES {
        let entry = code.entry();
        let waits = entry.retry.is_retryable();
        match entry.names.error_type {
            "validation" | "authentication" | "authorization" | "not_found" | "conflict" => {
                assert!(!waits, "{code}");
            }
            "unavailable" => assert_eq!(waits, entry.name != "UNAVAILABLE_TLS", "{code}"),
            "rate_limit" => assert_eq!(waits, entry.names.needs_input.is_none(), "{code}"),
            "internal" => assert_eq!(waits, entry.retry == Retry::Once, "{code}"),
            other => panic!("{code} has the type {other}"),
        }
    }
}

#[test]
fn response_v2_has_its_sixteen_codes_in_their_families() {
    testing::proves!("S0-75", "S0-76", "S0-77", "S0-78", "S0-79", "S0-80");
    let validation: &[&str] = &[
        "VALIDATION_ERROR",
        "INVALID_FORMAT",
        "MISSING_REQUIRED",
        "VALUE_OUT_OF_RANGE",
    ];
    #[rustfmt::skip]
    let families: [(&[&str], &[&str]); 6] = [
        (validation, &["validation"]),
        (&["AUTHENTICATION_REQUIRED", "INVALID_CREDENTIALS", "TOKEN_EXPIRED"], &["authentication"]),
        // The quota stands among the authorization codes but behaves like a limit.
        (&["PERMISSION_DENIED", "QUOTA_EXCEEDED"], &["authorization", "rate_limit"]),
        (&["RESOURCE_NOT_FOUND", "RESOURCE_ALREADY_EXISTS", "RESOURCE_CONFLICT"], &["not_found", "conflict"]),
        (&["RATE_LIMIT_EXCEEDED"], &["rate_limit"]),
        (&["INTERNAL_ERROR", "SERVICE_UNAVAILABLE", "DEPENDENCY_FAILED"], &["internal", "unavailable"]),
    ];
    let mut all = BTreeMap::new();
    for (codes, types) in families {
        all.extend(codes.iter().map(|code| (code.to_string(), types)));
    }
    assert_eq!(all.len(), 16);
    assert_eq!(
        distinct(|entry| entry.names.response_v2.to_owned()),
        all.keys().cloned().collect()
    );
    for code in CODES {
        let names = code.entry().names;
        assert!(all[names.response_v2].contains(&names.error_type), "{code}");
    }
}

#[test]
fn mcp_error_has_its_fifteen_codes() {
    testing::proves!("S1-01", "S1-02", "S1-03");
    let client = [
        "INVALID_INPUT",
        "UNAUTHORIZED",
        "FORBIDDEN",
        "NOT_FOUND",
        "RATE_LIMITED",
        "VALIDATION_FAILED",
    ];
    let server = [
        "INTERNAL_ERROR",
        "SERVICE_UNAVAILABLE",
        "TIMEOUT",
        "CIRCUIT_OPEN",
        "DEPENDENCY_FAILED",
    ];
    let business = [
        "BUSINESS_RULE_VIOLATION",
        "INSUFFICIENT_BALANCE",
        "DUPLICATE_OPERATION",
        "OPERATION_NOT_ALLOWED",
    ];
    let all: Vec<&str> = client.into_iter().chain(server).chain(business).collect();
    assert_eq!(
        distinct(|entry| entry.names.mcp_error.to_owned()),
        set(&all)
    );
    for code in CODES {
        let entry = code.entry();
        if client.contains(&entry.names.mcp_error) {
            assert!((400..500).contains(&entry.http), "{code}");
        }
        if server.contains(&entry.names.mcp_error) {
            assert!(entry.http >= 500, "{code}");
        }
    }
}

#[test]
fn each_mcp_error_code_has_its_default_actions() {
    testing::proves!(
        "S1-12", "S1-13", "S1-14", "S1-15", "S1-16", "S1-17", "S1-18", "S1-19", "S1-20", "S1-21",
        "S1-22", "S1-23", "S1-24", "S1-25", "S1-26", "S1-27", "S1-29"
    );
    for (name, actions) in [
        ("RATE_LIMITED", ["wait_and_retry", "use_cached_data"]),
        (
            "CIRCUIT_OPEN",
            ["use_fallback_service", "check_service_status"],
        ),
        ("TIMEOUT", ["retry_with_timeout", "reduce_request_scope"]),
        (
            "VALIDATION_FAILED",
            ["check_input_format", "get_schema_info"],
        ),
        (
            "NOT_FOUND",
            ["verify_resource_id", "list_available_resources"],
        ),
        ("UNAUTHORIZED", ["refresh_token", "reauthenticate"]),
        ("FORBIDDEN", ["check_permissions", "escalate_to_human"]),
        ("INVALID_INPUT", ["check_input_format", "get_schema_info"]),
        ("INTERNAL_ERROR", ["retry_once", "contact_support"]),
        ("SERVICE_UNAVAILABLE", ["wait_and_retry", "use_fallback"]),
        ("DEPENDENCY_FAILED", ["use_fallback_service", "retry_later"]),
        (
            "BUSINESS_RULE_VIOLATION",
            ["review_business_rules", "escalate_to_human"],
        ),
        ("INSUFFICIENT_BALANCE", ["check_balance", "add_funds"]),
        (
            "DUPLICATE_OPERATION",
            ["get_existing_result", "skip_operation"],
        ),
        (
            "OPERATION_NOT_ALLOWED",
            ["check_permissions", "escalate_to_human"],
        ),
    ] {
        assert_eq!(default_recovery(name), actions, "{name}");
    }
    assert_eq!(default_recovery("NO_SUCH_CODE"), ["contact_support"]);
}

#[test]
fn error_model_has_its_eight_numbers() {
    testing::proves!(
        "S2-17", "S2-18", "S2-19", "S2-20", "S2-21", "S2-22", "S2-23", "S2-24"
    );
    let table = [
        (2001, "VALIDATION_INVALID_VALUE", false),
        (2002, "VALIDATION_MISSING_PARAM", false),
        (2003, "VALIDATION_PATTERN_MISMATCH", false),
        (3001, "RATE_LIMIT_EXCEEDED", true),
        (3002, "UNAVAILABLE_TIMEOUT", true),
        (4001, "INTERNAL_ADAPTER", false),
        (4002, "UNAVAILABLE_SERVICE", true),
        (5001, "INTERNAL_NOT_IMPLEMENTED", false),
    ];
    for (number, name, retryable) in table {
        let entry = row(name);
        assert_eq!(
            (entry.names.error_model, entry.retry.is_retryable()),
            (number, retryable),
            "{name}"
        );
    }
    let numbers: BTreeSet<u16> = CODES
        .iter()
        .map(|code| code.entry().names.error_model)
        .collect();
    assert_eq!(numbers, table.iter().map(|line| line.0).collect());
    for code in CODES {
        let entry = code.entry();
        // The adapter error varies with its data; the pause of a quota asks a person instead.
        if entry.names.error_model != 4001 && entry.names.needs_input.is_none() {
            let (_, _, retryable) = table
                .iter()
                .find(|line| line.0 == entry.names.error_model)
                .expect("one of the eight");
            assert_eq!(entry.retry.is_retryable(), *retryable, "{code}");
        }
    }
}

#[test]
fn tool_error_has_its_six_codes() {
    testing::proves!("S3-20", "S3-21", "S3-22", "S3-23", "S3-24", "S3-25");
    let table = [
        ("NETWORK_ERROR", "UNAVAILABLE_NETWORK", true),
        ("NETWORK_ERROR", "UNAVAILABLE_TIMEOUT", true),
        ("SERVER_ERROR", "INTERNAL_ERROR", true),
        ("SERVER_ERROR", "UNAVAILABLE_SERVICE", true),
        ("CLIENT_ERROR", "VALIDATION_INVALID_VALUE", false),
        ("NOT_FOUND", "NOT_FOUND_RESOURCE", false),
        ("AUTHENTICATION_ERROR", "AUTHENTICATION_REQUIRED", false),
        ("AUTHENTICATION_ERROR", "PERMISSION_DENIED", false),
        ("UNKNOWN_ERROR", "INTERNAL_UNKNOWN", false),
    ];
    for (tool_error, name, retryable) in table {
        let entry = row(name);
        assert_eq!(
            (entry.names.tool_error, entry.retry.is_retryable()),
            (tool_error, retryable)
        );
    }
    assert_eq!(
        distinct(|entry| entry.names.tool_error.to_owned()),
        set(&table.map(|line| line.0))
    );
    for code in CODES {
        let entry = code.entry();
        match entry.names.tool_error {
            "NOT_FOUND" => assert_eq!(entry.http, 404, "{code}"),
            "AUTHENTICATION_ERROR" => assert!([401, 403].contains(&entry.http), "{code}"),
            "SERVER_ERROR" | "NETWORK_ERROR" | "UNKNOWN_ERROR" => {
                assert!(entry.http >= 500, "{code}");
            }
            _ => assert!(
                (400..500).contains(&entry.http) || entry.http == 501,
                "{code}"
            ),
        }
    }
}

#[test]
fn each_mcp_aql_prefix_has_its_statuses() {
    testing::proves!(
        "S4-11", "S4-12", "S4-13", "S4-14", "S4-15", "S4-16", "S4-17", "S4-18", "S4-39"
    );
    let table: &[(&str, &str, &[u16])] = &[
        // A payload that is too large has a status of its own.
        ("VALIDATION_", "validation", &[400, 422, 413]),
        ("NOT_FOUND_", "not_found", &[404]),
        ("PERMISSION_", "authorization", &[401, 403]),
        ("CONFLICT_", "conflict", &[409]),
        ("RATE_LIMIT_", "rate_limit", &[429]),
        ("TOKEN_", "confirmation", &[400, 403]),
        ("INTERNAL_", "internal", &[500, 501, 502]),
    ];
    for (prefix, category, statuses) in table {
        let rows: Vec<_> = CODES
            .iter()
            .filter(|code| code.name().starts_with(prefix))
            .collect();
        assert!(rows.len() >= 2, "{prefix}");
        for code in rows {
            assert_eq!(code.category().as_str(), *category, "{code}");
            assert!(statuses.contains(&code.entry().http), "{code}");
        }
    }
    let large: Vec<&str> = CODES
        .iter()
        .filter(|code| code.entry().http == 413)
        .map(|code| code.name())
        .collect();
    assert_eq!(large, ["VALIDATION_PAYLOAD_TOO_LARGE"]);
    assert_eq!(row("VALIDATION_UNKNOWN_PARAM").http, 400);
    let schema: Vec<_> = CODES
        .iter()
        .filter(|code| code.name().starts_with("SCHEMA_"))
        .collect();
    assert_eq!(schema.len(), 7);
    for code in schema {
        assert_eq!(
            code.entry().rpc,
            None,
            "{code} is never raised while a call runs"
        );
    }
}

#[test]
fn the_mcp_aql_registries_are_complete() {
    testing::proves!(
        "S4-06", "S4-19", "S4-20", "S4-21", "S4-22", "S4-23", "S4-24", "S4-25", "S4-26", "S4-27",
        "S4-77", "S4-78"
    );
    for line in cells(REGISTRIES) {
        let status = Status::from_word(line[0]).expect(line[0]);
        let with_status = CODES.iter().filter(|code| code.entry().status == status);
        let actual: BTreeSet<&str> = with_status.map(|code| code.name()).collect();
        assert_eq!(actual, line[1..].iter().copied().collect(), "{status}");
    }
}

#[test]
fn a_name_is_words_with_the_category_first() {
    testing::proves!("S4-02", "S4-10");
    #[rustfmt::skip]
    let prefixes = [
        "VALIDATION_", "SCHEMA_", "BATCH_", "AUTHENTICATION_", "PERMISSION_", "CONFIRMATION_", "TOKEN_",
        "NOT_FOUND_", "CONFLICT_", "RATE_LIMIT_", "BUSINESS_", "UNAVAILABLE_", "INTERNAL_",
    ];
    let mut seen = BTreeSet::new();
    for code in CODES {
        let name = code.name();
        assert!(
            prefixes.iter().any(|prefix| name.starts_with(prefix)),
            "{name}"
        );
        assert!((2..=5).contains(&name.split('_').count()), "{name}");
        assert!(
            name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'),
            "{name}"
        );
        assert!(seen.insert(name), "{name} is listed twice");
        let names = code.entry().names;
        for other in [names.mcp_aql, names.mcp_aql_strict] {
            assert!(
                other.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'),
                "{other}"
            );
        }
    }
}

/// The types of response-v2: a code of the type, its status, retry class and hint.
const ERROR_TYPES: &str = "
validation VALIDATION_MISSING_PARAM 400 after_change CHECK_INPUT
authentication AUTHENTICATION_REQUIRED 401 after_change REPORT_TO_USER
authorization PERMISSION_DENIED 403 never REPORT_TO_USER
not_found NOT_FOUND_RESOURCE 404 never CHECK_INPUT
conflict CONFLICT_VERSION_MISMATCH 409 after_change CHECK_INPUT
rate_limit RATE_LIMIT_EXCEEDED 429 after RETRY_LATER
internal INTERNAL_ERROR 500 once RETRY_LATER
unavailable UNAVAILABLE_SERVICE 503 backoff RETRY_LATER
";

/// The registries of MCP-AQL, by the status their codes have here.
const REGISTRIES: &str = "
mvp VALIDATION_MISSING_PARAM VALIDATION_INVALID_TYPE VALIDATION_UNKNOWN_PARAM VALIDATION_INVALID_ENCODING VALIDATION_PAYLOAD_TOO_LARGE NOT_FOUND_OPERATION NOT_FOUND_RESOURCE PERMISSION_DENIED INTERNAL_ERROR
phase1 PERMISSION_TRUST_LEVEL_INSUFFICIENT PERMISSION_DANGER_LEVEL_DENIED CONFIRMATION_REQUIRED RATE_LIMIT_EXCEEDED RATE_LIMIT_QUOTA_PAUSE RATE_LIMIT_QUOTA_EXHAUSTED TOKEN_INVALID TOKEN_EXPIRED TOKEN_ALREADY_USED TOKEN_SCOPE_MISMATCH
future CONFLICT_ALREADY_EXISTS CONFLICT_VERSION_MISMATCH VALIDATION_INVALID_ENUM VALIDATION_OUT_OF_RANGE VALIDATION_PATTERN_MISMATCH BATCH_PARTIAL_FAILURE
companion VALIDATION_UNKNOWN_FIELD VALIDATION_ENDPOINT_MISMATCH VALIDATION_READ_ONLY_FIELD BATCH_VALIDATION_ERROR SCHEMA_MISSING_FIELD SCHEMA_INVALID_TYPE SCHEMA_UNRESOLVED_REF SCHEMA_DUPLICATE_NAME SCHEMA_INVALID_NAME SCHEMA_VERSION_DEPRECATED SCHEMA_VERSION_UNSUPPORTED
";
