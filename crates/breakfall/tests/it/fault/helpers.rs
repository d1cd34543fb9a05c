//! The helpers that the formats' own documents have, each with its equal here.

use std::time::Duration;

use breakfall::wire::{Dialect, Options};
use breakfall::{CorrelationId, Fault, Window, codes};
use serde_json::{Value, json};

use super::strict;

use crate::sample::document_of;

fn document(fault: Fault, dialect: Dialect) -> Value {
    document_of(&fault.into(), dialect, &strict())
}

#[test]
fn the_validation_helper_of_response_v2_adds_only_what_it_is_given() {
    testing::proves!("S0-81");
    let least = document(Fault::invalid("Age is not positive"), Dialect::ResponseV2);
    let mut expected = json!({
        "success": false,
        "data": {"error_code": "VALIDATION_ERROR", "error_type": "validation"},
        "error": "Age is not positive",
        "meta": {"version": "response-v2"},
    });
    assert_eq!(least, expected);

    let most = Fault::invalid("Age is not positive")
        .field("age")
        .detail("minimum", 1)
        .remediation("Send 1 or more.");
    expected["data"]["field"] = json!("age");
    expected["data"]["details"] = json!({"minimum": 1});
    expected["data"]["remediation"] = json!("Send 1 or more.");
    assert_eq!(document(most, Dialect::ResponseV2), expected);
}

#[test]
fn the_not_found_helper_of_response_v2_names_the_thing_and_asks_to_verify_it() {
    testing::proves!("S0-82");
    let mut expected = json!({
        "success": false,
        "data": {
            "error_code": "RESOURCE_NOT_FOUND",
            "error_type": "not_found",
            "resource_type": "User",
            "resource_id": "usr_999",
            "remediation": "Verify the user ID exists.",
        },
        "error": "User 'usr_999' not found",
        "meta": {"version": "response-v2"},
    });
    assert_eq!(
        document(Fault::not_found("User", "usr_999"), Dialect::ResponseV2),
        expected
    );

    let own = Fault::not_found("User", "usr_999").remediation("Ask list_users.");
    expected["data"]["remediation"] = json!("Ask list_users.");
    assert_eq!(document(own, Dialect::ResponseV2), expected);
}

#[test]
fn the_rate_limit_helper_of_response_v2_says_how_long_to_wait() {
    testing::proves!("S0-83");
    let fault = || Fault::rate_limited(100, Window::Minute).retry_after(Duration::from_secs(45));
    let data = json!({
        "error_code": "RATE_LIMIT_EXCEEDED",
        "error_type": "rate_limit",
        "limit": 100,
        "period": "minute",
        "retry_after_seconds": 45,
        "remediation": "Wait 45 seconds before retrying.",
    });
    let written = encode_default(fault());
    assert_eq!(
        written["error"],
        "Rate limit exceeded: 100 requests per minute"
    );
    assert_eq!(written["data"], data);

    let to_the_letter = document(fault(), Dialect::ResponseV2);
    assert_eq!(to_the_letter["data"], data);
    assert_eq!(to_the_letter["meta"], json!({"version": "response-v2"}));
}

fn encode_default(fault: Fault) -> Value {
    let outcome = fault.into();
    document_of(&outcome, Dialect::ResponseV2, &Options::new())
}

#[test]
fn the_factory_of_mcp_error_takes_a_code_a_message_and_options() {
    testing::proves!("S1-28");
    let own = CorrelationId::new("req-1").unwrap();
    let fault = Fault::new(codes::NOT_FOUND_RESOURCE)
        .message("No order has this id")
        .detail("orderId", "ord_7")
        .retry_after(Duration::from_secs(5))
        .fallback_tool("list_orders")
        .correlation_id(own);
    let expected = json!({
        "code": "NOT_FOUND",
        "message": "No order has this id",
        "details": {"orderId": "ord_7"},
        "retry_after_ms": 5000,
        "recovery_actions": ["verify_resource_id", "list_available_resources"],
        "fallback_tool": "list_orders",
        "correlation_id": "req-1",
        "timestamp": "2026-01-01T00:00:00.800Z",
    });
    assert_eq!(document(fault, Dialect::McpError), expected);
}

#[test]
fn every_constructor_of_error_model_has_its_equal() {
    testing::proves!("S2-06", "S2-11", "S2-35");
    for (fault, error) in error_model_cases() {
        let mut written = document(fault, Dialect::ErrorModel);
        // The remedy in the row's own words is no argument of the constructor.
        let details = written["error"]["details"].as_object_mut();
        let remedy = details.and_then(|details| details.remove("suggestion"));
        assert!(remedy.is_some_and(|remedy| remedy.is_string()), "{written}");
        assert_eq!(written, json!({"error": error}));
    }
}

fn error_model_cases() -> [(Fault, Value); 6] {
    [
        (
            Fault::invalid_value("age", "must be positive").detail("value", -1),
            json!({
                "code": 2001,
                "message": "Parameter 'age' has an invalid value: must be positive",
                "retryable": false,
                "details": {"field": "age", "reason": "must be positive", "context": {"value": -1}},
            }),
        ),
        (
            Fault::unavailable("erp"),
            json!({
                "code": 4002,
                "message": "Service 'erp' is unavailable",
                "retryable": true,
                "details": {"context": {"service": "erp"}},
            }),
        ),
        (
            Fault::adapter_not_initialized("erp"),
            json!({
                "code": 4001,
                "message": "Internal error: adapter 'erp' failed",
                "retryable": false,
                "details": {"originalError": "ADAPTER_NOT_INITIALIZED", "context": {"adapter": "erp"}},
            }),
        ),
        (
            Fault::rate_limited(20, Window::Second),
            json!({
                "code": 3001,
                "message": "Rate limit exceeded: 20 requests per second",
                "retryable": true,
                "details": {"context": {"limit": 20, "window": "second"}},
            }),
        ),
        (
            Fault::timeout("export", Duration::from_secs(3)),
            json!({
                "code": 3002,
                "message": "Operation 'export' did not finish within 3000 ms",
                "retryable": true,
                "details": {"context": {"operation": "export", "timeout_ms": 3000}},
            }),
        ),
        (
            Fault::not_implemented("subscribe"),
            json!({
                "code": 5001,
                "message": "Operation 'subscribe' is not implemented",
                "retryable": false,
                "details": {"context": {"operation": "subscribe"}},
            }),
        ),
    ]
}

#[test]
fn a_wrong_setting_is_final_and_a_lost_connection_is_not() {
    let setting = Fault::configuration("api_key");
    assert_eq!(setting.code().entry().http, 500);
    assert_eq!(
        document(setting, Dialect::ErrorModel)["error"]["retryable"],
        false
    );
    let connection = document(Fault::connection("erp"), Dialect::ErrorModel);
    assert_eq!(connection["error"]["code"], 4002);
    assert_eq!(connection["error"]["retryable"], true);
}

#[test]
fn an_adapters_own_code_stands_beside_the_number_and_it_says_whether_to_retry() {
    for name in [
        "CONNECTION_FAILED",
        "AUTHENTICATION_FAILED",
        "INVALID_REQUEST",
        "ORDER_NOT_FOUND",
        "INSUFFICIENT_INVENTORY",
        "INVALID_ORDER_STATE",
        "API_ERROR",
        "TIMEOUT",
        "UNKNOWN_ERROR",
    ] {
        for retryable in [false, true] {
            let fault = Fault::adapter(name, retryable)
                .message("The shop said no")
                .detail("sku", "A1");
            let expected = json!({"error": {
                "code": 4001,
                "message": "The shop said no",
                "retryable": retryable,
                "details": {"originalError": name, "context": {"sku": "A1"}},
            }});
            assert_eq!(document(fault, Dialect::ErrorModel), expected);
        }
    }
}
