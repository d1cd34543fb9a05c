//! Reading the envelope: the two legal states, with tolerance for where servers put things.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use serde_json::{Map, Value};

use super::{RESULT_KEY, fault_of, partial};
use crate::catalog::warning;
use crate::fault::{CorrelationId, Fault, Public, reserved};
use crate::outcome::{Fidelity, Outcome, Success};
use crate::violation::Violation;
use crate::warning::Warning;
use crate::wire::decode::{DecodeError, ObjectReader};
use crate::wire::{Options, native};

pub(crate) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    let mut root = ObjectReader::new(document, "")?;
    let success = root
        .flag("success")?
        .ok_or_else(|| DecodeError::at("/success", "missing"))?;
    let error = root.text("error")?.filter(|error| !error.is_empty());
    let mut meta = root
        .object("meta")?
        .map_or_else(|| ObjectReader::new(Value::Object(Map::new()), "/meta"), Ok)?;
    match (success, error) {
        (true, None) => decode_success(&mut root, meta, options),
        (false, Some(error)) => {
            let data = root
                .object("data")?
                .map_or_else(|| ObjectReader::new(Value::Object(Map::new()), "/data"), Ok)?;
            if let Some(batch) = partial::decode(&data.map, Some(&error), &[], options)? {
                return Ok(Outcome::Batch(batch));
            }
            decode_fault(data, &mut meta, error, options).map(Outcome::Fault)
        }
        (true, Some(_)) => Err(DecodeError::at(
            "/error",
            "a success has no error: expected null",
        )),
        (false, None) => Err(DecodeError::at(
            "/error",
            "a failure says what went wrong: expected a sentence",
        )),
    }
}

pub(super) fn decode_success(
    root: &mut ObjectReader,
    mut meta: ObjectReader,
    options: &Options,
) -> Result<Outcome, DecodeError> {
    let warnings = decode_warnings(&mut meta)?;
    let data = root.need_object("data")?;
    if let Some(batch) = partial::decode(&data.map, None, &warnings, options)? {
        return Ok(Outcome::Batch(batch));
    }
    let data = unwrap(data.map);
    if let Some(question) = crate::outcome::Elicitation::from_value(&data) {
        return Ok(Outcome::NeedsInput(question));
    }
    let mut success = Success::new(data);
    success.warnings = warnings;
    success.fidelity = meta
        .text("content_fidelity")?
        .as_deref()
        .and_then(Fidelity::from_word);
    success.correlation_id = meta
        .text("request_id")?
        .and_then(|id| CorrelationId::new(id).ok());
    for known in ["version", "content_fidelity_schema_version"] {
        meta.map.remove(known);
    }
    success.meta = meta.map.into_iter().collect();
    Ok(Outcome::Success(success))
}

/// The data behind [`wrap`]. An object that only looks wrapped is taken for it: nothing tells the two apart.
fn unwrap(mut data: Map<String, Value>) -> Value {
    match data.remove(RESULT_KEY) {
        Some(inner) if data.is_empty() && !inner.is_object() => inner,
        Some(inner) => {
            data.insert(RESULT_KEY.into(), inner);
            Value::Object(data)
        }
        None => Value::Object(data),
    }
}

/// The strings decide the order; a structured warning joins the string with its words.
pub(super) fn decode_warnings(meta: &mut ObjectReader) -> Result<Vec<Warning>, DecodeError> {
    let details = meta.list("warning_details")?.into_iter();
    let mut structured: Vec<Option<Warning>> = details.map(structured_warning).collect();
    let mut by_text: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (at, warning) in structured.iter().enumerate() {
        if let Some(warning) = warning {
            by_text
                .entry(warning.text().into_owned())
                .or_default()
                .push_back(at);
        }
    }
    let mut warnings = Vec::new();
    for text in meta.list("warnings")? {
        let Value::String(text) = text else {
            return Err(meta.wrong("warnings", "a list of strings", &text));
        };
        let at = by_text.get_mut(&text).and_then(VecDeque::pop_front);
        let same = at.and_then(|at| structured[at].take());
        warnings.push(same.unwrap_or_else(|| Warning::plain(text)));
    }
    warnings.extend(structured.into_iter().flatten());
    Ok(warnings)
}

pub(super) fn structured_warning(value: Value) -> Option<Warning> {
    let mut warning = native::warning_from_value(value)?;
    let known = warning.code().and_then(warning::by_response_v2_name);
    if let Some(known) = known {
        warning.name = Some(Cow::Borrowed(known.entry().name));
    }
    Some(warning)
}

pub(super) fn decode_fault(
    mut data: ObjectReader,
    meta: &mut ObjectReader,
    error: String,
    options: &Options,
) -> Result<Fault, DecodeError> {
    // Some servers put the code into `meta`; it is read from there, never written there.
    let mut either = |key| match data.text(key)? {
        Some(text) => Ok(Some(text)),
        None => meta.text(key),
    };
    let (code, kind, remediation) = (
        either("error_code")?,
        either("error_type")?,
        either("remediation")?,
    );
    let mut fault = fault_of(code.as_deref(), kind.as_deref(), options);
    let public = fault.public_mut();
    public.message = Some(error.into());
    public.remediation = remediation.map(Into::into);
    let validation_errors = data.list("validation_errors")?;
    let nested = data
        .object("details")?
        .map(|details| details.map)
        .unwrap_or_default();
    let has_field = data.map.contains_key(reserved::FIELD);
    for (wire, native) in [(reserved::FIELD, reserved::PARAM), ("period", "window")] {
        public.details.insert_some(native, data.map.remove(wire));
    }
    reserved::absorb_all(public, data.map);
    if !validation_errors.is_empty() {
        reserved::absorb(
            public,
            Cow::Borrowed("violations"),
            validation_errors.into(),
        );
    }
    decode_details(public, nested, has_field);
    if let Some(id) = meta.text("request_id")? {
        reserved::absorb(public, Cow::Borrowed("correlation_id"), id.into());
    }
    if let Some(mut limit) = meta.object("rate_limit")? {
        decode_rate_limit(public, &mut limit);
    }
    meta.map.remove("version");
    if !meta.map.is_empty() {
        let rest = std::mem::take(&mut meta.map);
        reserved::keep_rest(public, Map::from_iter([("meta".to_owned(), rest.into())]));
    }
    Ok(fault)
}

pub(super) fn decode_details(public: &mut Public, mut nested: Map<String, Value>, has_field: bool) {
    let names_a_rule = nested.contains_key("constraint") || nested.contains_key("message");
    if has_field && nested.get(reserved::FIELD) == public.details.get(reserved::PARAM) {
        nested.remove(reserved::FIELD);
    }
    if !has_field
        && nested.get("field").is_some_and(Value::is_string)
        && (names_a_rule || names_first(&nested, public))
    {
        let mut parts = Map::new();
        for key in ["field", "constraint", "message"] {
            if let Some(value) = nested.remove(key) {
                parts.insert(key.into(), value);
            }
        }
        if public.violations.is_empty() {
            public
                .violations
                .extend(Violation::from_value(Value::Object(parts)));
        }
    }
    reserved::absorb_all(public, nested);
    reserved::field_to_param(public);
}

/// Whether the field is that of the first violation, told twice.
fn names_first(nested: &Map<String, Value>, public: &Public) -> bool {
    let field = nested.get(reserved::FIELD).and_then(Value::as_str);
    let first = public.violations.first().map(Violation::field);
    field.is_some() && field == first.as_deref()
}

pub(super) fn decode_rate_limit(public: &mut Public, limit: &mut ObjectReader) {
    if let (None, Some(wait)) = (
        public.wait,
        limit
            .map
            .remove("retry_after")
            .or_else(|| limit.map.remove("retry_after_seconds")),
    ) {
        reserved::absorb(public, Cow::Borrowed("retry_after_seconds"), wait);
    }
    for (wire, native) in [
        ("limit", "limit"),
        ("remaining", "remaining"),
        ("reset_at", "resets_at"),
        ("period", "window"),
    ] {
        if let (Some(value), None) = (limit.map.remove(wire), public.details.get(native)) {
            public.details.insert(native, value);
        }
    }
}
