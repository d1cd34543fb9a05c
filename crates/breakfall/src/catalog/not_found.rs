//! The thing is not there.

use super::base::{self, rows};
use crate::code::{Category, Code, Entry, Grpc, Hint, Names, Origin, Retry, Status};

/// What the rows of this file share unless they say otherwise.
const BASE: Entry = Entry {
    category: Category::NotFound,
    status: Status::Mvp,
    origin: Origin::Caller,
    http: 404,
    rpc: Some(-32602),
    grpc: Grpc::NotFound,
    names: Names {
        response_v2: "RESOURCE_NOT_FOUND",
        error_type: "not_found",
        mcp_error: "NOT_FOUND",
        tool_error: "NOT_FOUND",
        ..base::ENTRY.names
    },
    ..base::ENTRY
};

rows! {
    Code of Entry with details;

    NOT_FOUND_RESOURCE = "The thing the call is about does not exist, or the caller cannot see it." [
        may("resource_type", Text, "What kind of thing it is, for example repository."),
        may("resource_id", Text, "The identifier nothing was found for."),
        may("http_status", Integer, "The HTTP status the target answered with."),
    ] {
        when = "An identifier leads nowhere, or the target answers with HTTP 404 or 410.";
        message.template = "Resource '{resource_type}' not found: '{resource_id}'";
        message.plain = "Resource not found";
        sentence = Some("{resource_type} '{resource_id}' not found");
        remediation.template = "Verify the {resource_type} ID exists.";
        remediation.plain = "Verify the ID of the resource, or list the ones there are.";
        user = "The thing you asked for could not be found.";
        actions = &["verify_resource_id", "list_available_resources"];
        hint = Hint::CheckInput;
        hint_with_fallback = Hint::CheckInput;
        names.error_model = 4001;
        names.mcp_aql_strict = "NOT_FOUND_RESOURCE";
    }

    NOT_FOUND_OPERATION = "There is no tool or operation of this name. Correcting arguments will not help; discovering the right name will." [
        need("operation", Text, "The name that was asked for."),
        may("available", Texts, "Names the caller may use instead."),
    ] {
        when = "A call names a tool or operation the server does not have.";
        message.template = "Unknown operation: '{operation_name}'";
        message.plain = "Unknown operation";
        remediation.template = "Call one of the available operations instead: {available}.";
        remediation.plain = "List the tools or operations the server has and call one of them.";
        user = "The requested action does not exist.";
        retry = Retry::AfterChange;
        actions = &["list_available_resources", "get_schema_info"];
        hint = Hint::TryAlternative;
        hint_with_fallback = Hint::TryAlternative;
        names.error_model = 5001;
        names.mcp_aql_strict = "NOT_FOUND_OPERATION";
    }
}
