//! `tool-error`: `toolError:v1` and `needsInput:v1` objects inside a tool result, gated by a format.
//!
//! A JSON block, if any, comes last; markdown has no JSON block, and the object is in
//! `structuredContent` only.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::batch::{self, BatchObject};
use super::decode::{DecodeError, ObjectReader};
use super::delivery;
use super::document::{Document, OrderedFields, to_pretty, to_value};
use super::error_model::set_retryable;
use super::{Dialect, Format, Options, foreign, native};
use crate::catalog::codes;
use crate::catalog::status;
use crate::code::{Category, Code};
use crate::details::Details;
use crate::fault::{CorrelationId, Fault, Public, reserved};
use crate::outcome::{Choice, Elicitation, Outcome, Success};
use crate::phrase::Phrase;
use crate::redact::Redacted;
use crate::render;

/// The discriminator of the error object.
pub const KIND: &str = "toolError:v1";

/// `_meta` key that mirrors a block's `mimeType`, which some transports strip.
pub const MIME_KEY: &str = "dev.breakfall/mimeType";

pub(super) fn encode<'a>(outcome: Redacted<&'a Outcome>, options: &Options) -> Document<'a> {
    let outcome = outcome.into_inner();
    let mut fields = match outcome {
        Outcome::Fault(fault) => encode_fault(fault.public(), options),
        Outcome::Success(success) => result(&human(&success.data), &success.data, false, options),
        Outcome::NeedsInput(question) => ask(question, options),
        Outcome::Batch(batch) => {
            if let Some(fault) = batch::as_fault(batch) {
                encode_fault(fault.public(), options)
            } else {
                let batch = BatchObject::new(batch, options);
                result(&batch.text(), &batch.to_value(), false, options)
            }
        }
    };
    if let Some(warnings) = delivery::warnings(outcome, Dialect::ToolError, options) {
        fields.put("_meta", warnings);
    }
    fields.into()
}

/// Data for a person to read.
pub(crate) fn human(data: &Value) -> Cow<'_, str> {
    data.as_str()
        .map_or_else(|| fenced(&to_pretty(data)).into(), words)
}

/// Words that could be taken for the JSON block are fenced, since markdown has no JSON block.
fn words(text: &str) -> Cow<'_, str> {
    let is_object = text.trim_start().starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if is_object {
        fenced(text).into()
    } else {
        text.into()
    }
}

fn fenced(json: &str) -> String {
    format!("```json\n{json}\n```")
}

fn encode_fault(public: &Public, options: &Options) -> OrderedFields {
    if let Some(question) = question(public) {
        return ask(&question, options);
    }
    let message = public.message();
    // To the letter there is nothing but the message, and no place for an id.
    let id = (!options.strict).then(|| options.stamp.id_of(public));
    let object = error_object(public, &message, id.as_deref(), options);
    let words = words(&message);
    let told = match &id {
        // In markdown the words are all a model sees.
        Some(id) => render::points(public, &words, id).into(),
        None => words,
    };
    result(&told, &object, true, options)
}

fn ask(question: &Elicitation, options: &Options) -> OrderedFields {
    result(
        &render::question(question),
        &question.to_value(),
        false,
        options,
    )
}

/// The question that stands in for a fault here: one the fault brings, or a confirmation.
pub(crate) fn question(public: &Public) -> Option<Elicitation> {
    if let Some(question) = public.elicitation() {
        return Some(question.clone());
    }
    let field = public.code.entry().names.needs_input?;
    let mut question = Elicitation::new(public.message())
        .field(field)
        .reason(public.remediation());
    if let Some(token) = public.details.text("confirmation_token") {
        question = question.option(Choice {
            label: public.phrase(Phrase::CONFIRM).into_owned(),
            value: token.to_owned(),
            description: public
                .details
                .text("confirmation_message")
                .map(str::to_owned),
            field: Some(field.to_owned()),
        });
    }
    Some(question)
}

/// The blocks of a format. `structuredContent` is best effort and the same in all of them.
fn result(
    human: &str,
    object: &impl serde::Serialize,
    is_error: bool,
    options: &Options,
) -> OrderedFields {
    let mut blocks = Vec::with_capacity(2);
    if options.format != Format::Json {
        blocks.push(block(human, "text/markdown", options));
    }
    if options.format != Format::Markdown {
        blocks.push(block(&to_pretty(object), "application/json", options));
    }
    let mut fields = OrderedFields::default();
    fields.list("content", blocks);
    let object = to_value(object);
    if object.is_object() {
        fields.put("structuredContent", object);
    }
    if is_error {
        fields.put("isError", true);
    }
    fields
}

fn block(text: &str, mime: &'static str, options: &Options) -> OrderedFields {
    let mut block = OrderedFields::default();
    block
        .put("type", "text")
        .put("text", text)
        .put("mimeType", mime);
    if !options.strict {
        block.put(
            "_meta",
            Map::from_iter([(MIME_KEY.to_owned(), Value::from(mime))]),
        );
    }
    block
}

fn error_object(
    public: &Public,
    message: &str,
    id: Option<&CorrelationId>,
    options: &Options,
) -> OrderedFields {
    let mut object = OrderedFields::default();
    object
        .put("kind", KIND)
        .put("code", public.code.entry().names.tool_error)
        .put("message", message)
        .put("retryable", is_retryable(public, options));
    let details = details(public, id, options);
    object.put_details("details", details);
    object
}

/// To the letter, nothing the client did wrong may be retried, a rate limit included.
pub(crate) fn is_retryable(public: &Public, options: &Options) -> bool {
    let client = public.code.entry().names.tool_error == "CLIENT_ERROR";
    public.retry().is_retryable() && !(options.strict && client)
}

fn details(public: &Public, id: Option<&CorrelationId>, options: &Options) -> Details {
    let mut details = public.details.clone();
    reserved::param_to_field(&mut details);
    details.insert_some("statusCode", status_code(public, options));
    details.insert_some("domainCode", foreign::domain_code(public));
    if let Some(id) = id {
        details.insert("remediation", public.remediation().into());
        details.insert_some("retryAfterMs", public.retry_after().map(native::millis));
        details.insert("correlationId", id.as_str().into());
        details.insert_some("docsUrl", public.docs_url());
        details.insert_some("violations", public.violations_value());
    }
    details
}

/// A status only where one exists; a limit of this server has one by its nature, and readers need it to tell 429 apart.
pub(crate) fn status_code(public: &Public, options: &Options) -> Option<u16> {
    let implied = !options.strict && public.category() == Category::RateLimit;
    public
        .http_status
        .or(implied.then_some(public.code.entry().http))
}

pub(super) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    let meta = document.get("_meta").cloned();
    let mut outcome = decode_result(document, options)?;
    delivery::add_warnings(&mut outcome, meta.as_ref());
    Ok(outcome)
}

fn decode_result(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    let mut result = ObjectReader::new(document, "")?;
    if result.map.get("kind").is_some() {
        return decode_object(Value::Object(result.map), "", options);
    }
    let is_error = result.flag("isError")?.unwrap_or(false);
    let blocks = result.list("content")?;
    let structured = result.map.remove("structuredContent");
    let json = blocks.iter().rev().find_map(json_object);
    if let Some(object) = json {
        return decode_object(object, "/content", options);
    }
    if let Some(object) = structured.filter(|value| !value.is_null()) {
        return decode_object(object, "/structuredContent", options);
    }
    let Some(text) = blocks
        .first()
        .and_then(|block| block.get("text"))
        .and_then(Value::as_str)
    else {
        return Err(DecodeError::at(
            "/content",
            "expected a text block, a JSON block or structuredContent",
        ));
    };
    let words = text.strip_prefix("**Error:** ").unwrap_or(text);
    Ok(if is_error {
        Fault::new(codes::INTERNAL_UNKNOWN).message(words).into()
    } else {
        Success::new(text).into()
    })
}

/// Whether a block says that it holds words: then they are no JSON block, whatever they look like.
pub(crate) fn is_words(block: &Value) -> bool {
    mime(block) == Some("text/markdown")
}

fn mime(block: &Value) -> Option<&str> {
    let mirrored = || block.get("_meta")?.get(MIME_KEY);
    block.get("mimeType").or_else(mirrored)?.as_str()
}

/// The JSON value of a block that holds one. In markdown a number or a word is not a payload.
fn json_object(block: &Value) -> Option<Value> {
    if is_words(block) {
        return None;
    }
    let declared = mime(block) == Some("application/json");
    let value: Value = serde_json::from_str(block.get("text")?.as_str()?).ok()?;
    (declared || value.get("kind").is_some()).then_some(value)
}

/// An object with a kind, or a payload without.
fn decode_object(value: Value, place: &str, options: &Options) -> Result<Outcome, DecodeError> {
    match value.get("kind").and_then(Value::as_str) {
        Some(KIND) => decode_error(value, place, options).map(Outcome::Fault),
        _ => batch::from_payload(value, place, options),
    }
}

/// Reads the toolError:v1 object.
pub(crate) fn decode_error(
    value: Value,
    place: &str,
    options: &Options,
) -> Result<Fault, DecodeError> {
    let mut object = ObjectReader::new(value, place)?;
    let name = object.need_text("code")?;
    let message = object.need_words("message")?;
    let retryable = object.flag("retryable")?;
    let mut fault = match CODES.iter().find(|(have, _)| *have == name) {
        Some((_, code)) => Fault::new(*code),
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
    object.map.remove("kind");
    reserved::keep_rest(public, object.map);
    public.code = refine(public.code, public.http_status);
    set_retryable(public, retryable);
    Ok(fault)
}

/// Six names stand for all codes; a status tells more, as long as it agrees with the name.
pub(crate) fn refine(code: Code, status: Option<u16>) -> Code {
    let exact = status.map(status::code_for_status);
    exact
        .filter(|exact| {
            exact.entry().names.tool_error == code.entry().names.tool_error && is_default(code)
        })
        .unwrap_or(code)
}

fn is_default(code: Code) -> bool {
    CODES.iter().any(|(_, have)| *have == code)
}

pub(crate) const CODES: &[(&str, Code)] = &[
    ("NETWORK_ERROR", codes::UNAVAILABLE_NETWORK),
    ("SERVER_ERROR", codes::INTERNAL_ERROR),
    ("CLIENT_ERROR", codes::VALIDATION_INVALID_VALUE),
    ("NOT_FOUND", codes::NOT_FOUND_RESOURCE),
    ("AUTHENTICATION_ERROR", codes::AUTHENTICATION_REQUIRED),
    ("UNKNOWN_ERROR", codes::INTERNAL_UNKNOWN),
];
