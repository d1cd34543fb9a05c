//! JSON-RPC errors, as a reading.

use serde_json::Value;

use super::{Channel, Reading};
use crate::classify::rpc::{self, Call};
use crate::outcome::Outcome;
use crate::wire::Options;

/// Whether a value is a JSON-RPC error object by itself. Outside a JSON-RPC message only numbers that mean a failure
/// count: a record `{code: 0, message: "ok"}` is none.
pub(super) fn is_error(value: &Value) -> bool {
    let Some(object) = value.as_object() else {
        return false;
    };
    let failing = |code: i64| code < 0 || (1000..=5999).contains(&code);
    let shaped = object
        .get("code")
        .and_then(Value::as_i64)
        .is_some_and(failing)
        && object.get("message").is_some_and(Value::is_string);
    shaped
        && object
            .keys()
            .all(|key| matches!(key.as_str(), "code" | "message" | "data"))
}

pub(super) fn read(error: &Value, options: &Options) -> Reading {
    let read = rpc::read(error, &Call::new(), options);
    Reading {
        outcome: Outcome::Fault(read.fault),
        dialect: read.dialect,
        channel: Channel::RpcError,
        confidence: read.confidence,
    }
}
