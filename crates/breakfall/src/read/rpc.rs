//! JSON-RPC errors: our object in `data` if there is one, numbers of error-model, the standard codes.

use std::borrow::Cow;

use serde_json::Value;

use super::{Channel, Reading};
use crate::catalog::codes;
use crate::code::Code;
use crate::fault::{Confidence, Fault, Provenance, reserved};
use crate::outcome::Outcome;
use crate::wire::decode::Object;
use crate::wire::{Dialect, Options, detect, error_model, native};

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
    let own = error.get("data").and_then(|data| {
        data.get(native::ERROR_KEY)
            .or_else(|| detect::is_native_error(data).then_some(data))
    });
    if let Some(Ok(fault)) =
        own.map(|own| native::decode_error(own.clone(), "/error/data", options))
    {
        return reading(fault, Some(Dialect::Native), Confidence::Exact);
    }
    let number = error
        .get("code")
        .and_then(Value::as_i64)
        .unwrap_or_default();
    if (1000..=5999).contains(&number)
        && let Ok(object) = Object::new(error.clone(), "/error")
        && let Ok(fault) = error_model::decode_error(object, options)
    {
        return reading(fault, Some(Dialect::ErrorModel), Confidence::Exact);
    }
    let standard = code_for_rpc(number);
    let (code, confidence) = standard
        .map_or((codes::INTERNAL_UNKNOWN, Confidence::Default), |code| {
            (code, Confidence::Structural)
        });
    let mut fault = Fault::new(code).provenance(Provenance::new("JSON-RPC code", confidence));
    if standard.is_none() {
        fault = fault.domain_code(number.to_string());
    }
    if let Some(message) = error
        .get("message")
        .and_then(Value::as_str)
        .filter(|message| !message.is_empty())
    {
        fault = fault.message(message);
    }
    match error.get("data") {
        Some(Value::Object(data)) => {
            for (key, value) in data {
                reserved::absorb(fault.public_mut(), Cow::Owned(key.clone()), value.clone());
            }
        }
        None | Some(Value::Null) => {}
        Some(other) => reserved::absorb(fault.public_mut(), Cow::Borrowed("data"), other.clone()),
    }
    reading(fault, None, confidence)
}

fn reading(fault: Fault, dialect: Option<Dialect>, confidence: Confidence) -> Reading {
    Reading {
        outcome: Outcome::Fault(fault),
        dialect,
        channel: Channel::RpcError,
        confidence,
    }
}

/// The code a JSON-RPC code stands for when there is nothing but the number, for those the protocol gives a meaning.
pub fn code_for_rpc(number: i64) -> Option<Code> {
    let standard = STANDARD.iter().find(|(have, _)| *have == number);
    standard.map(|(_, code)| *code)
}

/// The codes whose meaning the protocol fixes, in any version.
const STANDARD: &[(i64, Code)] = &[
    (-32700, codes::VALIDATION_INVALID_VALUE),
    (-32600, codes::VALIDATION_INVALID_VALUE),
    (-32601, codes::NOT_FOUND_OPERATION),
    (-32602, codes::VALIDATION_INVALID_VALUE),
    (-32603, codes::INTERNAL_ERROR),
    (-32002, codes::NOT_FOUND_RESOURCE),
    (-32020, codes::VALIDATION_INVALID_VALUE),
    (-32021, codes::PERMISSION_FEATURE_DISABLED),
    (-32022, codes::VALIDATION_INVALID_VALUE),
];
