//! Answers the bridge makes itself.

use breakfall::wire::{Dialect, Options, Rpc, tool_result};
use breakfall::{Fault, Success, Warning};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use breakfall::LimitType;

use breakfall_mcp::connection::{RpcMethod, Ticket};
use breakfall_mcp::error::REDACTOR;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};

/// Parses a message the gateway has made or changed. Its size is not limited again: the original was within the
/// limits.
pub(super) fn frame(bytes: Vec<u8>) -> Option<Frame> {
    Frame::parse(bytes, &ANY).ok()
}

const ANY: FrameLimits = FrameLimits::new(usize::MAX, 1024, LimitType::ResponseSize);

/// Warnings as members of `_meta`, in the same place and words as on the result of a tool.
pub(crate) fn warned(warnings: Vec<Warning>) -> Map<String, Value> {
    if warnings.is_empty() {
        return Map::new();
    }
    let success = Success::new(Value::Null);
    let success = warnings.into_iter().fold(success, Success::warning);
    let outcome = REDACTOR.outcome(success);
    let result = tool_result(outcome.as_ref(), Dialect::Native, &Options::new());
    let mut result = result.map(|result| result.to_value()).unwrap_or_default();
    match result["_meta"].take() {
        Value::Object(meta) => meta,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

/// Answers with a serialized result.
pub(super) fn result(ticket: Ticket, json: String) {
    match RawValue::from_string(json) {
        Ok(result) => ticket.result(&result),
        Err(_) => ticket.fail(&Fault::internal(), None),
    }
}

/// Answers with a serialized message that lacks only its id.
pub(super) fn answer(ticket: Ticket, bytes: Vec<u8>, to: RpcMethod) {
    match frame(bytes) {
        Some(frame) => ticket.answer(frame, to),
        None => ticket.fail(&Fault::internal(), None),
    }
}

/// Refuses a method that the client's version or the server does not have.
pub(super) fn no_such_method(ticket: Ticket, method: &str, remediation: &str) {
    let fault = Fault::not_implemented(method)
        .message(format!("There is no '{method}' here"))
        .detail("executed", "no")
        .remediation(remediation);
    ticket.fail(&fault, Some(Rpc::MethodNotFound));
}

/// Refuses tasks, which cannot be bridged.
pub(super) fn no_tasks(ticket: Ticket, is_method: bool) {
    let fault = Fault::not_implemented("tasks")
        .message("Client and server speak versions of the protocol between which tasks are not translated")
        .detail("executed", "no")
        .remediation("Call without a task, or use a client that speaks the same version of the protocol as the server.");
    let rpc = if is_method {
        Rpc::MethodNotFound
    } else {
        Rpc::InvalidParams
    };
    ticket.fail(&fault, Some(rpc));
}
