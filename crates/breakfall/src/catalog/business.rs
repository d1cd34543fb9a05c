//! A rule of the domain forbids it.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Business,
    status: Status::Extension,
    retry: Retry::AfterChange,
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Caller,
    grpc: Grpc::FailedPrecondition,
    names: Names {
        error_model: 4001,
        tool_error: "CLIENT_ERROR",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    BUSINESS_RULE_VIOLATION = "The call is well formed and permitted, and a rule of the domain still forbids it." [
        need("rule", Text, "The rule, by name or in a few words."),
        may("reason", Text, "How the call breaks it."),
        may("operation", Text, "The operation that was called."),
    ] {
        when = "For example a refund larger than the payment, or a booking in the past.";
        message.template = "Business rule '{rule}' violated";
        message.plain = "Business rule violated";
        remediation.template = "Change the request to keep to the rule '{rule}', or let a person decide.";
        remediation.plain = "Change the request to keep to the rule, or let a person decide.";
        user = "This is not possible under the rules of the service.";
        actions = &["review_business_rules", "escalate_to_human"];
        http = 422;
        names.response_v2 = "VALIDATION_ERROR";
        names.error_type = "validation";
        names.mcp_error = "BUSINESS_RULE_VIOLATION";
        names.mcp_aql = "VALIDATION_BUSINESS_RULE";
    }

    BUSINESS_INSUFFICIENT_BALANCE = "The account does not hold enough for the operation." [
        may("required", Number, "The amount needed."),
        may("available", Number, "The amount there is."),
        may("currency", Text, "The unit of both amounts."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "Money, credits or stock fall short of the amount the call needs, or the target answers with HTTP 402.";
        message.template = "Insufficient balance: '{required}' needed, '{available}' available";
        message.plain = "Insufficient balance";
        remediation = Text::fixed("Check the balance, then add funds or ask for a smaller amount.");
        user = "There is not enough credit for this.";
        actions = &["check_balance", "add_funds"];
        http = 402;
        names.response_v2 = "RESOURCE_CONFLICT";
        names.error_type = "conflict";
        names.mcp_error = "INSUFFICIENT_BALANCE";
        names.mcp_aql = "CONFLICT_INSUFFICIENT_BALANCE";
    }
}
