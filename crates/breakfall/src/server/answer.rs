//! What a handler may return.

use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::CallToolResponse;

use super::note;
use crate::fault::Fault;
use crate::outcome::{Batch, Elicitation, Outcome, Success};

/// Lets a handler return `Result<T, Fault>`. An error that becomes a fault gets there by `?`; one that has
/// `#[derive(Fault)]` may be returned as it is.
impl IntoCallToolResult for Fault {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Outcome::Fault(self).into_call_tool_result()
    }
}

/// A success with warnings.
impl IntoCallToolResult for Success {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Outcome::Success(self).into_call_tool_result()
    }
}

/// Several results, some of them failures.
impl IntoCallToolResult for Batch {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Outcome::Batch(self).into_call_tool_result()
    }
}

/// A question to the user.
impl IntoCallToolResult for Elicitation {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Outcome::NeedsInput(self).into_call_tool_result()
    }
}

/// Whatever a call came to.
impl IntoCallToolResult for Outcome {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(note::say(self).into())
    }
}
