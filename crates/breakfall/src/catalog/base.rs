//! The row that the rows of every category start from. It has no texts: a lint refuses a row without its own.

use crate::code::{Category, Entry, Grpc, Hint, Names, Origin, Retry, Severity, Status, Text};

const NO_TEXT: Text = Text {
    template: "",
    plain: "",
};

/// A row without a name and texts. Every category sets what its rows share.
pub(super) const ENTRY: Entry = Entry {
    name: "",
    category: Category::Internal,
    severity: Severity::Error,
    status: Status::Extension,
    since: "0.1.0",
    meaning: "",
    when: "",
    message: NO_TEXT,
    sentence: None,
    details: &[],
    remediation: NO_TEXT,
    user: "",
    retry: Retry::Never,
    actions: &[],
    hint: Hint::ReportToUser,
    hint_with_fallback: Hint::ReportToUser,
    origin: Origin::Gateway,
    http: 0,
    rpc: None,
    grpc: Grpc::Unknown,
    names: Names {
        response_v2: "",
        error_type: "",
        mcp_error: "",
        error_model: 0,
        tool_error: "",
        needs_input: None,
        mcp_aql: "",
        mcp_aql_strict: "",
    },
};
