//! One constructor for each thing that goes wrong often: its code, its sentence, its details.

use breakfall::{Code, Fault, LimitType, Window, codes};
use serde_json::{Value, json};

use super::at;

#[test]
fn every_constructor_makes_its_code_with_its_details_and_fills_its_sentence() {
    let faults = [
        invalid_input(),
        absent_or_refused(),
        conflicting(),
        limited(),
        failed_downstream(),
    ];
    for (fault, code, message, details) in faults.into_iter().flatten() {
        assert_eq!(fault.code(), code);
        assert_eq!(fault.public().message(), message, "{code}");
        assert_eq!(json!(fault.public().details()), details, "{code}");
    }
}

type Made = (Fault, Code, &'static str, Value);

fn invalid_input() -> Vec<Made> {
    vec![
        (
            Fault::invalid("Age is not positive"),
            codes::VALIDATION_INVALID_VALUE,
            "Age is not positive",
            json!({}),
        ),
        (
            Fault::missing_param("owner"),
            codes::VALIDATION_MISSING_PARAM,
            "Missing required parameter 'owner'",
            json!({"param_name": "owner"}),
        ),
        (
            Fault::invalid_type("age", "integer", "string"),
            codes::VALIDATION_INVALID_TYPE,
            "Parameter 'age' expected 'integer', got 'string'",
            json!({"param_name": "age", "expected_type": "integer", "actual_type": "string"}),
        ),
        (
            Fault::unknown_params("get_repo", &["ownr", "rpo"], &["owner", "repo"]),
            codes::VALIDATION_UNKNOWN_PARAM,
            "Unknown parameter(s) for operation 'get_repo': ownr, rpo",
            json!({"operation": "get_repo", "unknown_params": ["ownr", "rpo"], "valid_params": ["owner", "repo"]}),
        ),
        (
            Fault::unknown_fields("update_repo", &["colour"]),
            codes::VALIDATION_UNKNOWN_FIELD,
            "Unknown field(s) in the input of operation 'update_repo': 'colour'",
            json!({"operation": "update_repo", "unknown_fields": ["colour"]}),
        ),
        (
            Fault::invalid_enum("state", &["open", "closed"]),
            codes::VALIDATION_INVALID_ENUM,
            "Parameter 'state' must be one of 'open, closed'",
            json!({"param_name": "state", "allowed_values": ["open", "closed"]}),
        ),
        (
            Fault::pattern_mismatch("zip", "^[0-9]{5}$"),
            codes::VALIDATION_PATTERN_MISMATCH,
            "Parameter 'zip' does not match '^[0-9]{5}$'",
            json!({"param_name": "zip", "pattern": "^[0-9]{5}$"}),
        ),
        (
            Fault::invalid_encoding("/name", 7),
            codes::VALIDATION_INVALID_ENCODING,
            "Invalid character encoding in request",
            json!({"location": "/name", "byte_offset": 7}),
        ),
        (
            Fault::payload_too_large(LimitType::NestingDepth, 10, 12),
            codes::VALIDATION_PAYLOAD_TOO_LARGE,
            "Payload exceeds nesting_depth limit of 10",
            json!({"limit_type": "nesting_depth", "limit_value": 10, "actual_value": 12, "unit": "levels"}),
        ),
    ]
}

fn absent_or_refused() -> Vec<Made> {
    vec![
        (
            Fault::not_found("user", "u1"),
            codes::NOT_FOUND_RESOURCE,
            "user 'u1' not found",
            json!({"resource_type": "user", "resource_id": "u1"}),
        ),
        (
            Fault::unknown_operation("get_rep", &["get_repo"]),
            codes::NOT_FOUND_OPERATION,
            "Unknown operation: 'get_rep'",
            json!({"operation": "get_rep", "available": ["get_repo"]}),
        ),
        (
            Fault::unknown_operation::<&str>("get_rep", &[]),
            codes::NOT_FOUND_OPERATION,
            "Unknown operation: 'get_rep'",
            json!({"operation": "get_rep"}),
        ),
        (
            Fault::unauthenticated(),
            codes::AUTHENTICATION_REQUIRED,
            "Authentication required",
            json!({}),
        ),
        (
            Fault::permission_denied("read only"),
            codes::PERMISSION_DENIED,
            "Permission denied: 'read only'",
            json!({"reason": "read only"}),
        ),
        (
            Fault::confirmation_required("drop", "destructive", "tok", at()),
            codes::CONFIRMATION_REQUIRED,
            "This operation requires confirmation",
            json!({
                "operation": "drop",
                "danger_level": "destructive",
                "confirmation_token": "tok",
                "expires_at": at().to_string(),
            }),
        ),
    ]
}

fn conflicting() -> Vec<Made> {
    vec![
        (
            Fault::already_exists("user", "u1"),
            codes::CONFLICT_ALREADY_EXISTS,
            "Resource 'user' already exists: 'u1'",
            json!({"resource_type": "user", "resource_id": "u1"}),
        ),
        (
            Fault::version_mismatch("1", "2"),
            codes::CONFLICT_VERSION_MISMATCH,
            "Version conflict: expected '1', found '2'",
            json!({"expected_version": "1", "actual_version": "2"}),
        ),
        (
            Fault::invalid_state("ship", "cancelled"),
            codes::CONFLICT_INVALID_STATE,
            "Conflict: operation 'ship' is not possible in state 'cancelled'",
            json!({"operation": "ship", "current_state": "cancelled"}),
        ),
        (
            Fault::business_rule("no refunds"),
            codes::BUSINESS_RULE_VIOLATION,
            "Business rule 'no refunds' violated",
            json!({"rule": "no refunds"}),
        ),
    ]
}

fn limited() -> Vec<Made> {
    let window = |window, word: &str| {
        let fault = Fault::rate_limited(5, window);
        (fault, json!({"limit": 5, "window": word}))
    };
    let sentences = [
        (
            window(Window::Second, "second"),
            "Rate limit exceeded: 5 requests per second",
        ),
        (
            window(Window::Minute, "minute"),
            "Rate limit exceeded: 5 requests per minute",
        ),
        (
            window(Window::Hour, "hour"),
            "Rate limit exceeded: 5 requests per hour",
        ),
        (
            window(Window::Day, "day"),
            "Rate limit exceeded: 5 requests per day",
        ),
    ];
    let rates = sentences
        .map(|((fault, details), message)| (fault, codes::RATE_LIMIT_EXCEEDED, message, details));
    let quota = (
        Fault::quota_exhausted("calls", 1001, 1000),
        codes::RATE_LIMIT_QUOTA_EXHAUSTED,
        "Quota exhausted",
        json!({"metric": "calls", "current": 1001, "hard_stop_threshold": 1000}),
    );
    rates.into_iter().chain([quota]).collect()
}

fn failed_downstream() -> Vec<Made> {
    vec![
        (
            Fault::internal(),
            codes::INTERNAL_ERROR,
            "Internal error",
            json!({}),
        ),
        (
            Fault::dependency_failed("postgres"),
            codes::UNAVAILABLE_DEPENDENCY,
            "Service dependency 'postgres' failed",
            json!({"dependency": "postgres"}),
        ),
        (
            Fault::circuit_open("erp"),
            codes::UNAVAILABLE_CIRCUIT_OPEN,
            "Service 'erp' is paused after repeated failures",
            json!({"service": "erp"}),
        ),
    ]
}
