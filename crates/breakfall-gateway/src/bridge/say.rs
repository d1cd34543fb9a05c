//! Answers the bridge makes itself.

use breakfall::wire::{Dialect, Options, Rpc, rpc_error_as, tool_result};
use breakfall::{Fault, Outcome, Success, Warning};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::splice::Object;
use breakfall::LimitType;

use breakfall_mcp::connection::{RpcMethod, Ticket};
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
    let (outcome, options) = (Outcome::from(success), Options::new());
    let result = tool_result(&outcome, Dialect::Native, &options);
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

/// Answers with an error that has a code of the protocol, and the data the protocol requires.
pub(super) fn error(ticket: Ticket, fault: &Fault, code: i32, data: &[(&'static str, Value)]) {
    let error = rpc_error_as(
        Rpc::InvalidRequest,
        fault.public(),
        Dialect::Native,
        &Options::new(),
    );
    let Ok(error) = serde_json::to_string(&error) else {
        return ticket.fail(fault, None);
    };
    let names: Vec<&'static str> = data.iter().map(|(name, _)| *name).collect();
    let object = Object::of(&error, &["code", "data"]);
    let (Some(object), id) = (object, ticket.id().clone()) else {
        return ticket.fail(fault, None);
    };
    let own = Object::of(object.get("data").unwrap_or("{}"), &names).map(Object::edit);
    let own = own.map(|own| {
        let data = data.iter();
        data.fold(own, |own, (name, value)| own.put(name, value.to_string()))
            .write()
    });
    let edit = object.edit().put("code", code.to_string());
    let edit = match own {
        Some(own) => edit.put("data", own),
        None => edit,
    };
    let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{}}}"#, edit.write());
    answer(ticket, text.into_bytes(), RpcMethod::Other);
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
