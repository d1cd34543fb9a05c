//! Reading the envelope, with tolerance for older shapes.

use std::borrow::Cow;

use serde_json::Value;

use super::results::{decode_aggregated, decode_results, is_aggregated};
use super::warnings::warning_from_value;
use super::{by_foreign_name, refine};
use crate::fault::{CorrelationId, Fault, Public, reserved};
use crate::outcome::{Elicitation, Outcome, Success};
use crate::wire::decode::{DecodeError, ObjectReader};
use crate::wire::{Options, foreign};

pub(crate) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    let mut root = ObjectReader::new(document, "")?;
    let success = root
        .flag("success")?
        .ok_or_else(|| DecodeError::at("/success", "missing"))?;
    if success {
        return decode_success(root, options);
    }
    if root.map.get("error").is_some_and(is_aggregated) {
        return decode_aggregated(root.need_object("error")?, options).map(Outcome::Batch);
    }
    decode_failure(root, options).map(Outcome::Fault)
}

pub(super) fn decode_success(
    mut root: ObjectReader,
    options: &Options,
) -> Result<Outcome, DecodeError> {
    if root.map.get("error").is_some_and(|error| !error.is_null()) {
        return Err(DecodeError::at("/error", "a success has no error"));
    }
    let warnings = root
        .list("warnings")?
        .into_iter()
        .filter_map(warning_from_value)
        .collect();
    if root.map.contains_key("results") || root.map.contains_key("halted_at") {
        let mut batch = decode_results(&mut root, options)?;
        batch.warnings = warnings;
        return Ok(Outcome::Batch(batch));
    }
    let data = root.need("data")?;
    if let Some(question) = Elicitation::from_value(&data) {
        return Ok(Outcome::NeedsInput(question));
    }
    let mut success = Success {
        warnings,
        ..Success::new(data)
    };
    if let Some(mut meta) = root.object("_meta")? {
        let id = meta.text("request_id")?.or(meta.text("requestId")?);
        success.correlation_id = id.and_then(|id| CorrelationId::new(id).ok());
    }
    Ok(Outcome::Success(success))
}

pub(super) fn decode_failure(
    mut root: ObjectReader,
    options: &Options,
) -> Result<Fault, DecodeError> {
    // An older shape has the code beside a plain sentence.
    if let Some(Value::String(message)) = root.map.get("error") {
        let message = message.clone();
        let name = root.text("errorCode")?.or(root.text("code")?);
        let name = name
            .ok_or_else(|| DecodeError::at("/error", "expected an object with code and message"))?;
        let mut fault = by_foreign_name(&name, options).message(message);
        root.map.remove("error");
        decode_siblings(fault.public_mut(), root)?;
        return Ok(fault);
    }
    let mut error = root.need_object("error")?;
    let mut fault = take_error(&mut error, options)?;
    reserved::keep_rest(fault.public_mut(), error.map);
    decode_siblings(fault.public_mut(), root)?;
    Ok(fault)
}

/// What stands beside the error: a confirmation, an id, and any other member.
fn decode_siblings(public: &mut Public, mut root: ObjectReader) -> Result<(), DecodeError> {
    decode_confirmation(public, &mut root)?;
    if let Some(mut meta) = root.object("_meta")? {
        let id = meta
            .map
            .remove("request_id")
            .or_else(|| meta.map.remove("requestId"));
        if let (None, Some(id)) = (&public.correlation_id, id) {
            reserved::absorb(public, Cow::Borrowed("correlation_id"), id);
        }
        reserved::keep_rest(public, meta.map);
    }
    reserved::keep_rest(public, root.map);
    Ok(())
}

/// Reads the `{code, message, details}` object.
pub(crate) fn decode_error(
    mut error: ObjectReader,
    options: &Options,
) -> Result<Fault, DecodeError> {
    take_error(&mut error, options)
}

fn take_error(error: &mut ObjectReader, options: &Options) -> Result<Fault, DecodeError> {
    let name = error.need_text("code")?;
    let message = error.need_words("message")?;
    let mut fault = by_foreign_name(&name, options);
    let public = fault.public_mut();
    public.message = message;
    if let Some(details) = error.object("details")? {
        reserved::absorb_all(public, details.map);
    }
    if let Some(domain) = public.domain_code.take() {
        foreign::set_domain_code(public, &domain, options);
    }
    public.code = refine(public.code, public.http_status);
    Ok(fault)
}

/// The sibling some adapters send for a confirmation.
pub(super) fn decode_confirmation(
    public: &mut Public,
    root: &mut ObjectReader,
) -> Result<(), DecodeError> {
    let Some(confirmation) = root.object("confirmation")? else {
        return Ok(());
    };
    for (key, value) in confirmation.map {
        let key = match key.as_str() {
            "token" => "confirmation_token".to_owned(),
            "message" => "confirmation_message".to_owned(),
            _ => key,
        };
        if public.details.get(&key).is_none() {
            reserved::absorb(public, Cow::Owned(key), value);
        }
    }
    Ok(())
}
