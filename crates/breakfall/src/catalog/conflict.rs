//! The thing is in another state than the call assumes.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Conflict,
    hint: Hint::TryAlternative,
    hint_with_fallback: Hint::TryAlternative,
    origin: Origin::Caller,
    http: 409,
    names: Names {
        response_v2: "RESOURCE_CONFLICT",
        error_type: "conflict",
        error_model: 4001,
        tool_error: "CLIENT_ERROR",
        mcp_aql_strict: "VALIDATION_INVALID_TYPE",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    CONFLICT_ALREADY_EXISTS = "What the call wants to create is there already." [
        may("resource_type", Text, "What kind of thing it is."),
        may("resource_id", Text, "Its identifier."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        status = Status::Future;
        when = "A creation meets an existing resource with the same name or key.";
        message.template = "Resource '{resource_type}' already exists: '{resource_id}'";
        message.plain = "Resource already exists";
        remediation.template = "Use the existing {resource_type} '{resource_id}', or create one under another name.";
        remediation.plain = "Use the existing resource, or create one under another name.";
        user = "This already exists.";
        actions = &["get_existing_result", "skip_operation"];
        grpc = Grpc::AlreadyExists;
        names.response_v2 = "RESOURCE_ALREADY_EXISTS";
        names.mcp_error = "DUPLICATE_OPERATION";
    }

    CONFLICT_VERSION_MISMATCH = "The resource has changed since the caller read it." [
        need("expected_version", Text, "The version the caller built on."),
        need("actual_version", Text, "The version there is now."),
        may("resource_type", Text, "What kind of thing it is."),
        may("resource_id", Text, "Its identifier."),
    ] {
        status = Status::Future;
        when = "An update names the version it is based on, and the resource has moved on.";
        message.template = "Version conflict: expected '{expected_version}', found '{actual_version}'";
        message.plain = "Version conflict";
        remediation.template = "Read the resource again, apply the change to version '{actual_version}', then retry.";
        remediation.plain = "Read the resource again, apply the change to its current version, then retry.";
        user = "Somebody else changed this in the meantime.";
        retry = Retry::AfterChange;
        actions = &["get_existing_result", "retry_once"];
        hint = Hint::CheckInput;
        hint_with_fallback = Hint::CheckInput;
        grpc = Grpc::Aborted;
        names.mcp_error = "BUSINESS_RULE_VIOLATION";
    }

    CONFLICT_INVALID_STATE = "The resource is in a state in which the operation makes no sense." [
        need("operation", Text, "The operation that was tried."),
        need("current_state", Text, "The state the resource is in."),
        may("allowed_states", Texts, "The states in which the operation is possible."),
        may("resource_type", Text, "What kind of thing it is."),
        may("resource_id", Text, "Its identifier."),
    ] {
        when = "For example a shipped order is cancelled, or a locked record is edited.";
        message.template = "Conflict: operation '{operation}' is not possible in state '{current_state}'";
        message.plain = "Conflict with the current state";
        remediation.template = "Read the current state and first bring the resource into one in which '{operation}' is possible.";
        remediation.plain = "Read the current state and first bring the resource into a suitable one.";
        user = "This cannot be done in the current situation.";
        retry = Retry::AfterChange;
        actions = &["review_business_rules", "escalate_to_human"];
        grpc = Grpc::FailedPrecondition;
        names.mcp_error = "OPERATION_NOT_ALLOWED";
    }

    CONFLICT_DUPLICATE_OPERATION = "The very same operation has been carried out before; doing it again would double its effect." [
        need("operation", Text, "The operation that came twice."),
        may("idempotency_key", Text, "The key both calls share."),
        may("first_seen_at", Timestamp, "When the first call came."),
        may("original_result", Any, "The result of the first call, if it is kept."),
    ] {
        when = "A call carries an idempotency key or a content the server has already dealt with.";
        message.template = "Conflict: operation '{operation}' was already carried out";
        message.plain = "Conflict: operation was already carried out";
        remediation = Text::fixed("Use the result of the first call; do not send this one again.");
        user = "This has already been done.";
        actions = &["get_existing_result", "skip_operation"];
        grpc = Grpc::AlreadyExists;
        names.mcp_error = "DUPLICATE_OPERATION";
        names.mcp_aql = "CONFLICT_ALREADY_EXISTS";
    }
}
