//! A rule of the domain forbids it.

use super::detail::{may, need};
use crate::code::{
    Category, Entry, Grpc, Hint, Names, Origin, Retry, Severity, Shape, Status, Text,
};

pub(super) static BUSINESS_RULE_VIOLATION: Entry = Entry {
    name: "BUSINESS_RULE_VIOLATION",
    category: Category::Business,
    severity: Severity::Error,
    status: Status::Extension,
    since: "0.1.0",
    meaning: "The call is well formed and permitted, and a rule of the domain still forbids it.",
    when: "For example a refund larger than the payment, or a booking in the past.",
    message: Text {
        template: "Business rule '{rule}' violated",
        plain: "Business rule violated",
    },
    sentence: None,
    details: &[
        need("rule", Shape::Text, "The rule, by name or in a few words."),
        may("reason", Shape::Text, "How the call breaks it."),
        may("operation", Shape::Text, "The operation that was called."),
    ],
    remediation: Text {
        template: "Change the request to keep to the rule '{rule}', or let a person decide.",
        plain: "Change the request to keep to the rule, or let a person decide.",
    },
    user: "This is not possible under the rules of the service.",
    retry: Retry::AfterChange,
    actions: &["review_business_rules", "escalate_to_human"],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Caller,
    http: 422,
    rpc: None,
    grpc: Grpc::FailedPrecondition,
    names: Names {
        response_v2: "VALIDATION_ERROR",
        error_type: "validation",
        mcp_error: "BUSINESS_RULE_VIOLATION",
        error_model: 4001,
        tool_error: "CLIENT_ERROR",
        needs_input: None,
        mcp_aql: "VALIDATION_BUSINESS_RULE",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
    },
};

pub(super) static BUSINESS_INSUFFICIENT_BALANCE: Entry = Entry {
    name: "BUSINESS_INSUFFICIENT_BALANCE",
    category: Category::Business,
    severity: Severity::Error,
    status: Status::Extension,
    since: "0.1.0",
    meaning: "The account does not hold enough for the operation.",
    when: "Money, credits or stock fall short of the amount the call needs, or the target answers with HTTP 402.",
    message: Text {
        template: "Insufficient balance: '{required}' needed, '{available}' available",
        plain: "Insufficient balance",
    },
    sentence: None,
    details: &[
        may("required", Shape::Number, "The amount needed."),
        may("available", Shape::Number, "The amount there is."),
        may("currency", Shape::Text, "The unit of both amounts."),
        may(
            "http_status",
            Shape::Integer,
            "The HTTP status the target answered with.",
        ),
    ],
    remediation: Text::fixed("Check the balance, then add funds or ask for a smaller amount."),
    user: "There is not enough credit for this.",
    retry: Retry::AfterChange,
    actions: &["check_balance", "add_funds"],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Caller,
    http: 402,
    rpc: None,
    grpc: Grpc::FailedPrecondition,
    names: Names {
        response_v2: "RESOURCE_CONFLICT",
        error_type: "conflict",
        mcp_error: "INSUFFICIENT_BALANCE",
        error_model: 4001,
        tool_error: "CLIENT_ERROR",
        needs_input: None,
        mcp_aql: "CONFLICT_INSUFFICIENT_BALANCE",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
    },
};
