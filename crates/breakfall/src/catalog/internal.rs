//! A defect, ours or theirs, and the two codes for batches as a whole.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status, Text};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::Internal,
    status: Status::Extension,
    origin: Origin::Tool,
    http: 500,
    rpc: Some(-32603),
    names: Names {
        response_v2: "INTERNAL_ERROR",
        error_type: "internal",
        mcp_error: "INTERNAL_ERROR",
        error_model: 4001,
        tool_error: "SERVER_ERROR",
        mcp_aql_strict: "INTERNAL_ERROR",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    INTERNAL_ERROR = "A defect: an unexpected failure." [
        may("http_status", Integer, "The HTTP status the target answered with."),
        may("upstream_error", Text, "What the target said, redacted and shortened."),
    ] {
        status = Status::Mvp;
        when = "The target answers with HTTP 500, or the tool itself breaks.";
        message.template = "Internal error: '{description}'";
        message.plain = "Internal error";
        remediation = Text::fixed("Retry once; if it fails again, give the correlation id to support.");
        user = "The service had an internal problem; support can look into it.";
        retry = Retry::Once;
        actions = &["retry_once", "contact_support"];
        hint = Hint::RetryLater;
        hint_with_fallback = Hint::RetryLater;
        grpc = Grpc::Internal;
    }

    INTERNAL_BAD_UPSTREAM = "The target answered with something no one can read." [
        may("service", Text, "The service that was called."),
        may("content_type", Text, "The media type the answer claimed."),
        may("preview", Text, "The first 200 characters, redacted."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "An answer is not valid JSON, is HTML, or breaks the protocol it claims to speak.";
        message.template = "Internal error: answer of '{service}' is unreadable";
        message.plain = "Internal error: upstream answer is unreadable";
        remediation = Text::fixed("Retry once; if the answer stays unreadable, use another tool.");
        user = "The service gave an answer nobody could read.";
        retry = Retry::Once;
        actions = &["use_fallback_service", "retry_later"];
        hint = Hint::RetryLater;
        hint_with_fallback = Hint::RetryLater;
        origin = Origin::Upstream;
        http = 502;
        grpc = Grpc::Internal;
        names.response_v2 = "DEPENDENCY_FAILED";
        names.mcp_error = "DEPENDENCY_FAILED";
        names.mcp_aql = "SERIALIZATION_PARSE_ERROR";
    }

    INTERNAL_ADAPTER = "An adapter reported an error of its own vocabulary. Whether to retry depends on what it said." [
        may("adapter", Text, "The adapter that failed."),
        may("original_error", Text, "The adapter's own name for the error."),
        may("http_status", Integer, "The HTTP status the target answered with."),
        may("upstream_error", Text, "What the target said, redacted and shortened."),
    ] {
        when = "A vendor's or adapter's error has no closer counterpart here.";
        message.template = "Internal error: adapter '{adapter}' failed";
        message.plain = "Internal error: adapter failed";
        remediation.template = "Decide by the adapter's own error '{original_error}'; use another tool if in doubt.";
        remediation.plain = "Decide by the details of the adapter's own error; use another tool if in doubt.";
        user = "The connected service reported a problem of its own.";
        actions = &["use_fallback_service", "retry_later"];
        hint_with_fallback = Hint::TryAlternative;
        origin = Origin::Upstream;
        http = 502;
        names.response_v2 = "DEPENDENCY_FAILED";
        names.mcp_error = "DEPENDENCY_FAILED";
        names.tool_error = "UNKNOWN_ERROR";
        names.mcp_aql = "INTERNAL_ERROR";
    }

    INTERNAL_NOT_IMPLEMENTED = "The operation is known by name, but this server has not built it." [
        need("operation", Text, "The operation that was called."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "A tool is declared without an implementation, or the target answers with HTTP 405 or 501.";
        message.template = "Operation '{operation}' is not implemented";
        message.plain = "Operation is not implemented";
        remediation.template = "Use another tool in place of '{operation}'; no change of arguments will help.";
        remediation.plain = "Use another tool; no change of arguments will help.";
        user = "This service cannot do this yet.";
        actions = &["use_fallback", "escalate_to_human"];
        hint = Hint::TryAlternative;
        hint_with_fallback = Hint::TryAlternative;
        http = 501;
        rpc = Some(-32601);
        grpc = Grpc::Unimplemented;
        names.response_v2 = "VALIDATION_ERROR";
        names.error_type = "validation";
        names.mcp_error = "OPERATION_NOT_ALLOWED";
        names.error_model = 5001;
        names.tool_error = "CLIENT_ERROR";
        names.mcp_aql = "NOT_FOUND_OPERATION";
        names.mcp_aql_strict = "NOT_FOUND_OPERATION";
    }

    INTERNAL_CONFIGURATION = "The server is set up wrongly. Callers cannot mend it; the operator can." [
        may("setting", Text, "The setting, by its name in the configuration."),
        may("reason", Text, "What is wrong with it."),
    ] {
        when = "A setting, a plugin or a credential the server needs is missing or contradictory, or the target answers with HTTP 407, 421, 426 or 431.";
        message.template = "Internal error: setting '{setting}' is missing or invalid";
        message.plain = "Internal error: configuration is invalid";
        remediation.template = "Do not retry; ask the operator to correct the setting '{setting}'.";
        remediation.plain = "Do not retry; ask the operator to correct the configuration.";
        user = "The service is not set up correctly.";
        actions = &["contact_support"];
        origin = Origin::Gateway;
        grpc = Grpc::FailedPrecondition;
        names.mcp_aql = "INTERNAL_ERROR";
    }

    INTERNAL_UNKNOWN = "A failure that could not be classified." [
        may("foreign_code", Text, "The code it came with, if it had one."),
        may("http_status", Integer, "The HTTP status the target answered with."),
        may("upstream_error", Text, "What the target said, redacted and shortened."),
    ] {
        when = "An error arrives without a code, a status or a text any rule recognises.";
        message = Text::fixed("Internal error: failure of unknown kind");
        remediation = Text::fixed("Do not retry blindly; give the correlation id to support for investigation.");
        user = "An unexpected problem occurred; support can look into it.";
        actions = &["contact_support"];
        names.tool_error = "UNKNOWN_ERROR";
        names.mcp_aql = "INTERNAL_ERROR";
    }

    BATCH_FAILED = "Every item of a batch failed. The fault takes its behaviour from the failures of the items where they agree." [
        need("total", Integer, "How many items the batch had."),
        need("succeeded", Integer, "Always 0 here."),
        need("failed", Integer, "Equal to total here."),
        need("errors", Objects, "One object per failed item: index, code, message."),
    ] {
        when = "A batch was processed to its end and none of its items succeeded.";
        message.template = "All {total} operations failed";
        message.plain = "All operations failed";
        remediation = Text::fixed("Read the errors of the items, remove the cause they share, then send the batch once more.");
        user = "None of the requested steps worked.";
        retry = Retry::Once;
        actions = &["retry_once", "contact_support"];
        hint = Hint::RetryLater;
        hint_with_fallback = Hint::RetryLater;
        rpc = None;
        grpc = Grpc::Internal;
        names.mcp_aql = "BATCH_PARTIAL_FAILURE";
    }

    BATCH_PARTIAL_FAILURE = "Some items of a batch succeeded and others failed. Most dialects tell this as a success with warnings; the code exists for those which aggregate." [
        need("total", Integer, "How many items the batch had."),
        need("succeeded", Integer, "How many succeeded."),
        need("failed", Integer, "How many failed."),
        need("errors", Objects, "One object per failed item: index, code, message."),
    ] {
        status = Status::Future;
        when = "A batch was processed to its end with mixed results, and the reader wants one error for it.";
        message.template = "{failed} of {total} operations failed";
        message.plain = "Some operations failed";
        remediation = Text::fixed("Keep the results of the items which succeeded, and send only the failed ones again after fixing them.");
        user = "Some of the requested steps did not work.";
        retry = Retry::AfterChange;
        actions = &["get_existing_result", "reduce_request_scope"];
        hint = Hint::CheckInput;
        hint_with_fallback = Hint::CheckInput;
        rpc = None;
        grpc = Grpc::Internal;
    }
}
