//! Arguments that do not fit.

use rmcp::ErrorData;
use rmcp::model::CallToolResult;

use crate::fault::Fault;

/// The fault of an error the SDK makes of arguments it cannot read, or of an answer it cannot write.
pub(super) fn fault_of(error: &ErrorData, tool: &str) -> Option<Fault> {
    let reason = error.message.strip_prefix(UNREADABLE)?;
    Some(unreadable(reason, tool))
}

/// The same where the SDK has made a result of it already.
pub(super) fn fault_of_result(result: &CallToolResult, tool: &str) -> Option<Fault> {
    let [block] = result.content.as_slice() else {
        return None;
    };
    let reason = block.as_text()?.text.strip_prefix(UNREADABLE)?;
    Some(unreadable(reason, tool))
}

fn unreadable(reason: &str, tool: &str) -> Fault {
    let reason: String = reason.trim().chars().take(200).collect();
    Fault::invalid(reason).in_operation(tool)
}

const UNREADABLE: &str = "failed to deserialize parameters:";
