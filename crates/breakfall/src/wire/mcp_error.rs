//! `mcp-error`: one object with recovery actions, hint and correlation id, sent as indented JSON in a text block.

use std::borrow::Cow;

use jiff::Timestamp;
use serde_json::Value;

use super::decode::{DecodeError, ObjectReader};
use super::document::{Document, DocumentBody, OrderedFields};
use super::{Options, batch, foreign, native};
use crate::catalog::codes;
use crate::code::{Code, Hint, Retry};
use crate::details::Details;
use crate::fault::{Fault, Public, reserved};
use crate::outcome::Outcome;
use crate::redact::Redacted;

pub(super) fn encode<'a>(outcome: Redacted<&'a Outcome>, options: &Options) -> Document<'a> {
    match outcome.into_inner() {
        Outcome::Fault(fault) => encode_fault(fault.public(), options).into(),
        Outcome::Success(success) => Document(DocumentBody::Payload(success.data.clone())),
        Outcome::NeedsInput(question) => Document(DocumentBody::Payload(question.to_value())),
        Outcome::Batch(batch) => match batch::as_fault(batch) {
            Some(fault) => encode_fault(fault.public(), options).into(),
            None => Document(DocumentBody::Payload(batch::to_value(batch, options))),
        },
    }
}

fn encode_fault(public: &Public, options: &Options) -> OrderedFields {
    let stamp = options.stamp.take();
    let id = public.correlation_id().unwrap_or(&stamp.0);
    let timestamp = public.timestamp().unwrap_or(stamp.1);
    let mut fields = OrderedFields::default();
    fields
        .put("code", public.code.entry().names.mcp_error)
        .put("message", public.message());
    let details = details(public, options);
    fields.put_details("details", details);
    fields
        .put_some("retry_after_ms", public.retry_after().map(native::millis))
        .put(
            "recovery_actions",
            public.actions().map(Value::from).collect::<Value>(),
        )
        .put_some("fallback_tool", public.fallback_tool())
        .put("correlation_id", id.as_str())
        .put("timestamp", iso_millis(timestamp));
    // To the letter, what was not given stays absent.
    if !options.strict || public.hint.is_some() {
        fields.put("recovery_hint", public.hint().as_str());
    }
    if !options.strict || public.user_message.is_some() {
        fields.put("userMessage", public.user_message());
    }
    fields.put_some("corrective_params", public.corrective_params().cloned());
    fields
}

fn details(public: &Public, options: &Options) -> Details {
    let mut details = public.details.clone();
    reserved::param_to_field(&mut details);
    details.insert_some("domain_code", foreign::domain_code(public));
    details.insert_some("http_status", public.http_status);
    if !options.strict {
        details.insert("remediation", public.remediation().into());
        details.insert_some("docs_url", public.docs_url());
        details.insert_some("violations", public.violations_value());
    }
    details
}

/// ISO 8601 in UTC with milliseconds, always three digits of them.
pub(crate) fn iso_millis(timestamp: Timestamp) -> String {
    format!("{timestamp:.3}")
}

pub(super) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    if !is_error(&document) {
        return batch::from_payload(document, "", options);
    }
    decode_fault(ObjectReader::new(document, "")?, options).map(Outcome::Fault)
}

/// Whether a payload is an error object: a code and a message are not enough, any record may have those.
pub(crate) fn is_error(value: &Value) -> bool {
    let coded = value.get("code").is_some_and(Value::is_string)
        && value.get("message").is_some_and(Value::is_string);
    let known = value
        .get("code")
        .and_then(Value::as_str)
        .is_some_and(|code| by_name(code).is_some());
    coded
        && (value.get("recovery_actions").is_some()
            || value.get("recovery_hint").is_some()
            || known)
}

fn decode_fault(mut object: ObjectReader, options: &Options) -> Result<Fault, DecodeError> {
    let name = object.need_text("code")?;
    let message = object.need_words("message")?;
    let mut fault = match by_name(&name) {
        Some(code) => Fault::new(code),
        None => foreign::named(&name, None, options),
    };
    let public = fault.public_mut();
    public.message = message;
    if let Some(details) = object.object("details")? {
        reserved::absorb_all(public, details.map);
    }
    if let Some(domain) = public.domain_code.take() {
        foreign::set_domain_code(public, &domain, options);
    }
    reserved::field_to_param(public);
    for key in ["retry_after_ms", "correlation_id"] {
        if let Some(value) = object.map.remove(key).filter(|value| !value.is_null()) {
            reserved::absorb(public, Cow::Borrowed(key), value);
        }
    }
    if object.map.contains_key("recovery_actions") {
        let actions = object.list("recovery_actions")?;
        public.actions = Some(
            actions
                .iter()
                .filter_map(|a| Some(Cow::Owned(a.as_str()?.to_owned())))
                .collect(),
        );
    }
    public.fallback_tool = object.words("fallback_tool")?;
    public.timestamp = object.text("timestamp")?.and_then(|text| text.parse().ok());
    public.hint = object
        .text("recovery_hint")?
        .as_deref()
        .and_then(Hint::from_word);
    heed(public);
    public.user_message = object.words("userMessage")?;
    public.corrective_params = object.map.remove("corrective_params");
    reserved::absorb_all(public, object.map);
    Ok(fault)
}

/// A stated hint says what to do with the call, which the row's class may contradict: "retry later" is a retry, and
/// "check the input" rules one out.
pub(crate) fn heed(public: &mut Public) {
    public.retry = None;
    public.retry = match (public.hint, public.retry().is_retryable()) {
        (Some(Hint::RetryLater), false) => Some(Retry::Backoff),
        (Some(Hint::CheckInput), true) => Some(Retry::AfterChange),
        (
            Some(Hint::RetryLater | Hint::CheckInput | Hint::TryAlternative | Hint::ReportToUser)
            | None,
            _,
        ) => None,
    };
}

/// The native code a name stands for when nothing more is said.
pub(crate) fn by_name(name: &str) -> Option<Code> {
    CODES
        .iter()
        .find(|(have, _)| have.eq_ignore_ascii_case(name))
        .map(|(_, code)| *code)
}

/// The recovery actions of a code of this vocabulary, the preferred one first. A code without an entry gives
/// `contact_support`.
pub fn default_recovery(name: &str) -> &'static [&'static str] {
    by_name(name).map_or(&["contact_support"], |code| code.entry().actions)
}

pub(crate) const CODES: &[(&str, Code)] = &[
    ("INVALID_INPUT", codes::VALIDATION_INVALID_TYPE),
    ("UNAUTHORIZED", codes::AUTHENTICATION_REQUIRED),
    ("FORBIDDEN", codes::PERMISSION_DENIED),
    ("NOT_FOUND", codes::NOT_FOUND_RESOURCE),
    ("RATE_LIMITED", codes::RATE_LIMIT_EXCEEDED),
    ("VALIDATION_FAILED", codes::VALIDATION_INVALID_VALUE),
    ("INTERNAL_ERROR", codes::INTERNAL_ERROR),
    ("SERVICE_UNAVAILABLE", codes::UNAVAILABLE_SERVICE),
    ("TIMEOUT", codes::UNAVAILABLE_TIMEOUT),
    ("CIRCUIT_OPEN", codes::UNAVAILABLE_CIRCUIT_OPEN),
    ("DEPENDENCY_FAILED", codes::UNAVAILABLE_DEPENDENCY),
    ("BUSINESS_RULE_VIOLATION", codes::BUSINESS_RULE_VIOLATION),
    ("INSUFFICIENT_BALANCE", codes::BUSINESS_INSUFFICIENT_BALANCE),
    ("DUPLICATE_OPERATION", codes::CONFLICT_DUPLICATE_OPERATION),
    ("OPERATION_NOT_ALLOWED", codes::PERMISSION_NOT_ALLOWED),
];
