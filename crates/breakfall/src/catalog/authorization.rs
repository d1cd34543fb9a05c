//! The caller is known and may not.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status};
use crate::ladder::{DangerLevel, TrustLevel};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Authorization,
    retry: Retry::Never,
    actions: &["check_permissions", "escalate_to_human"],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::TryAlternative,
    origin: Origin::Caller,
    http: 403,
    grpc: Grpc::PermissionDenied,
    names: Names {
        response_v2: "PERMISSION_DENIED",
        error_type: "authorization",
        mcp_error: "OPERATION_NOT_ALLOWED",
        error_model: 4001,
        tool_error: "CLIENT_ERROR",
        mcp_aql: "PERMISSION_DENIED",
        mcp_aql_strict: "PERMISSION_DENIED",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    PERMISSION_DENIED = "The caller is known and may not do this." [
        may("reason", Text, "Why access was refused, in one sentence."),
        may("http_status", Integer, "The HTTP status of the target, 401 or 403."),
        may("required_scope", Text, "The scope or permission that would be enough."),
    ] {
        status = Status::Mvp;
        when = "The target refuses the call for want of a role, a scope or ownership.";
        message.template = "Permission denied: '{reason}'";
        message.plain = "Permission denied";
        remediation.template = "Ask an administrator for the permission '{required_scope}', or reach the goal another way.";
        remediation.plain = "Ask an administrator for access, or reach the goal another way.";
        user = "You do not have permission to do this.";
        names.mcp_error = "FORBIDDEN";
        names.tool_error = "AUTHENTICATION_ERROR";
    }

    PERMISSION_TRUST_LEVEL_INSUFFICIENT = "The adapter or server has not earned enough trust for this operation." [
        need("operation", Text, "The operation that was called."),
        need("required_trust", OneOf(TrustLevel::WORDS), "The least trust level the operation asks for."),
        need("actual_trust", Text, "The trust level of the adapter."),
        may("danger_level", Integer, "The danger of the operation, 0 to 4."),
    ] {
        status = Status::Phase1;
        when = "The gate compares the trust level of the upstream with the least one the operation asks for.";
        message.template = "Operation '{operation}' requires trust level '{required_trust}', adapter has '{actual_trust}'";
        message.plain = "Operation requires a higher trust level";
        remediation.template = "Have the adapter promoted to trust level '{required_trust}', or use an operation with less danger.";
        remediation.plain = "Have the adapter promoted to a higher trust level, or use an operation with less danger.";
        user = "This action is blocked until the connection has been reviewed.";
        origin = Origin::Gateway;
        names.mcp_aql_strict = "PERMISSION_TRUST_LEVEL_INSUFFICIENT";
        names.mcp_aql = "PERMISSION_TRUST_LEVEL_INSUFFICIENT";
    }

    PERMISSION_DANGER_LEVEL_DENIED = "The operation is too dangerous for the trust its adapter has, and no confirmation can change this." [
        need("operation", Text, "The operation that was called."),
        need("danger_level", OneOf(DangerLevel::WORDS), "The danger of the operation."),
        need("adapter_trust", Text, "The trust level of the adapter."),
        need("minimum_trust_required", Text, "The least trust level that is not denied."),
        may("reasons", Texts, "Why the operation is dangerous."),
    ] {
        status = Status::Phase1;
        when = "The trust and danger matrix says deny.";
        message.template = "Operation '{operation}' (danger: {danger_level}) denied for adapter trust level '{adapter_trust}'";
        message.plain = "Operation denied for its danger level";
        remediation.template = "Choose a less dangerous operation, or ask the operator to raise the adapter to trust level '{minimum_trust_required}'.";
        remediation.plain = "Choose a less dangerous operation, or ask the operator to raise the adapter's trust level.";
        user = "This action is too risky to run here.";
        origin = Origin::Gateway;
        names.mcp_aql_strict = "PERMISSION_DANGER_LEVEL_DENIED";
        names.mcp_aql = "PERMISSION_DANGER_LEVEL_DENIED";
    }

    PERMISSION_NOT_ALLOWED = "A policy forbids the operation to every caller." [
        need("operation", Text, "The operation that was called."),
        may("reason", Text, "The rule that forbids it."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "A deny list, a read-only mode or a similar rule matches the operation.";
        message.template = "Permission denied: operation '{operation}' is not allowed";
        message.plain = "Permission denied: operation is not allowed";
        remediation.template = "Choose an operation the policy allows, or ask the operator to allow '{operation}'.";
        remediation.plain = "Choose an operation the policy allows, or ask the operator to allow this one.";
        user = "This action is not permitted here.";
    }

    PERMISSION_FEATURE_DISABLED = "The feature exists and is switched off." [
        need("feature", Text, "The feature that is off."),
        may("operation", Text, "The operation that was called."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "A feature flag, a licence or a setting of the server keeps the operation from running.";
        message.template = "Permission denied: feature '{feature}' is disabled";
        message.plain = "Permission denied: feature is disabled";
        remediation.template = "Ask the operator to switch on '{feature}', or work without it.";
        remediation.plain = "Ask the operator to switch the feature on, or work without it.";
        user = "This feature is switched off.";
        names.error_model = 5001;
    }
}
