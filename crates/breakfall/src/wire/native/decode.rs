//! Reading a native result: `_meta` first, then `structuredContent`, then the text alone.

use std::borrow::Cow;

use serde_json::Value;

use super::{BATCH_KEY, ERROR_KEY, NEEDS_INPUT_KEY, SUCCESS_KEY};
use crate::code::{Category, Hint, Origin, Retry, Severity};
use crate::fault::{Confidence, CorrelationId, Fault, Provenance, Public, reserved};
use crate::outcome::{Elicitation, Fidelity, Outcome, Success};
use crate::warning::Warning;
use crate::wire::decode::{DecodeError, ObjectReader};
use crate::wire::{Options, batch, detect, error_model, foreign};

pub(crate) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    if detect::is_native_error(&document) {
        return decode_error(document, "", options).map(Outcome::Fault);
    }
    let mut result = ObjectReader::new(document, "")?;
    let mut meta = result
        .object("_meta")?
        .map(|meta| meta.map)
        .unwrap_or_default();
    if let Some(error) = meta.remove(ERROR_KEY) {
        return decode_error(error, &format!("/_meta/{}", escape(ERROR_KEY)), options)
            .map(Outcome::Fault);
    }
    if let Some(question) = meta.remove(NEEDS_INPUT_KEY) {
        let place = format!("/_meta/{}", escape(NEEDS_INPUT_KEY));
        let read = Elicitation::from_value(&question);
        return read
            .map(Outcome::NeedsInput)
            .ok_or_else(|| DecodeError::at(place, "expected a needsInput:v1 object"));
    }
    if let Some(batch) = meta.remove(BATCH_KEY) {
        return batch::from_value(batch, &format!("/_meta/{}", escape(BATCH_KEY)), options)
            .map(Outcome::Batch);
    }
    if let Some(success) = meta.remove(SUCCESS_KEY) {
        let place = format!("/_meta/{}", escape(SUCCESS_KEY));
        return decode_success(&mut result, success, &place).map(Outcome::Success);
    }
    let structured = result.map.remove("structuredContent");
    if let Some(structured) = structured.filter(detect::is_native_error) {
        return decode_error(structured, "/structuredContent", options).map(Outcome::Fault);
    }
    if let Some(text) = first_text(&result)
        && let Some(fault) = foreign::read_text(text, options)
    {
        return Ok(Outcome::Fault(fault));
    }
    Err(DecodeError::at(
        "/_meta",
        format!(
            "no native outcome: expected the key {ERROR_KEY}, {SUCCESS_KEY}, {NEEDS_INPUT_KEY} or {BATCH_KEY}"
        ),
    ))
}

/// Reads the error object, wherever it stood.
pub(crate) fn decode_error(
    value: Value,
    place: &str,
    options: &Options,
) -> Result<Fault, DecodeError> {
    let mut object = ObjectReader::new(value, place)?;
    let name = object.need_text("code")?;
    let message = object.text("message")?;
    let category = object.text("category")?;
    let mut fault = foreign::named(
        &name,
        category.as_deref().and_then(Category::from_word),
        options,
    );
    let public = fault.public_mut();
    public.message = message.filter(|text| !text.is_empty()).map(Into::into);
    decode_rest(public, &mut object)?;
    Ok(fault)
}

pub(crate) fn decode_rest(
    public: &mut Public,
    object: &mut ObjectReader,
) -> Result<(), DecodeError> {
    if let Some(details) = object.object("details")? {
        reserved::absorb_all(public, details.map);
    }
    let violations = object.list("violations")?;
    if !violations.is_empty() {
        reserved::absorb(public, Cow::Borrowed("violations"), violations.into());
    }
    if let Some(mut retry) = object.object("retry")? {
        let policy = retry.text("policy")?;
        let retryable = retry.flag("retryable")?;
        if let Some(wait) = retry.map.remove("after_ms") {
            reserved::absorb(public, Cow::Borrowed("retry_after_ms"), wait);
        }
        // A class of a later version still says true or false.
        match policy.as_deref().and_then(Retry::from_word) {
            Some(class) => public.retry = Some(class),
            None => error_model::set_retryable(public, retryable),
        }
    }
    public.remediation = object.words("remediation")?;
    if object.map.contains_key("recovery_actions") {
        let actions = object.list("recovery_actions")?;
        public.actions = Some(
            actions
                .into_iter()
                .filter_map(|a| a.as_str().map(|a| Cow::Owned(a.to_owned())))
                .collect(),
        );
    }
    public.hint = object
        .text("recovery_hint")?
        .as_deref()
        .and_then(Hint::from_word);
    public.user_message = object.words("user_message")?;
    public.fallback_tool = object.words("fallback_tool")?;
    public.corrective_params = object.map.remove("corrective_params");
    public.origin = object
        .text("origin")?
        .as_deref()
        .and_then(Origin::from_word);
    if let Some(mut provenance) = object.object("provenance")? {
        let confidence = provenance
            .text("confidence")?
            .as_deref()
            .and_then(Confidence::from_word);
        let rule = provenance.need_text("rule")?;
        public.provenance = confidence.map(|confidence| Provenance::new(rule, confidence));
    }
    public.elicitation = object
        .map
        .remove("needs_input")
        .and_then(|question| Elicitation::from_value(&question))
        .map(Box::new);
    for key in ["domain_code", "http_status", "docs_url", "correlation_id"] {
        if let Some(value) = object.map.remove(key).filter(|value| !value.is_null()) {
            reserved::absorb(public, Cow::Borrowed(key), value);
        }
    }
    public.timestamp = object.text("timestamp")?.and_then(|text| text.parse().ok());
    Ok(())
}

pub(super) fn decode_success(
    result: &mut ObjectReader,
    value: Value,
    place: &str,
) -> Result<Success, DecodeError> {
    let text = first_text(result).ok_or_else(|| DecodeError::at("/content/0/text", "missing"))?;
    let data = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let mut object = ObjectReader::new(value, place)?;
    let mut success = Success::new(data);
    success.warnings = object
        .list("warnings")?
        .into_iter()
        .filter_map(warning_from_value)
        .collect();
    success.fidelity = object
        .text("content_fidelity")?
        .as_deref()
        .and_then(Fidelity::from_word);
    success.correlation_id = object
        .text("correlation_id")?
        .and_then(|id| CorrelationId::new(id).ok());
    success.meta = object
        .object("meta")?
        .map(|meta| meta.map.into_iter().collect())
        .unwrap_or_default();
    Ok(success)
}

pub(crate) fn warning_from_value(value: Value) -> Option<Warning> {
    let Value::Object(mut map) = value else {
        return None;
    };
    let Some(Value::String(message)) = map.remove("message") else {
        return None;
    };
    let mut warning = Warning::plain(message);
    let known = match map.remove("code") {
        Some(Value::String(code)) => {
            let known = crate::catalog::warning::by_name(&code);
            warning.name =
                Some(known.map_or(Cow::Owned(code), |known| Cow::Borrowed(known.entry().name)));
            known
        }
        _ => None,
    };
    let severity = map
        .remove("severity")
        .and_then(|word| Severity::from_any_word(word.as_str()?));
    warning.severity = severity
        .or(known.map(|known| known.entry().severity))
        .unwrap_or(Severity::Warning);
    if let Some(Value::Object(context)) = map.remove("context") {
        warning.context = context.into_iter().collect();
    }
    Some(warning)
}

pub(super) fn first_text(result: &ObjectReader) -> Option<&str> {
    result.map.get("content")?.get(0)?.get("text")?.as_str()
}

/// RFC 6901: a slash inside a key.
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
