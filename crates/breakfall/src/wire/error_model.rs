//! `error-model`: a number, a message, a boolean. Domain failures travel as `{"error": …}` in the result; protocol
//! failures as JSON-RPC errors.

use std::borrow::Cow;

use serde_json::Value;

use super::decode::{DecodeError, ObjectReader};
use super::document::{Document, DocumentBody, OrderedFields};
use super::{Options, Rpc, batch, detect, foreign, native};
use crate::catalog::status::code_for_status;
use crate::catalog::{self, codes};
use crate::code::{Category, Code, Retry, Status};
use crate::details::Details;
use crate::fault::{Fault, Public, reserved};
use crate::outcome::Outcome;
use crate::redact::Redacted;

/// "Adapter error": what stands for codes the model has no number for; the name goes beside it.
pub const ADAPTER_ERROR: u16 = 4001;

pub(super) fn encode<'a>(outcome: Redacted<&'a Outcome>, options: &Options) -> Document<'a> {
    match outcome.into_inner() {
        Outcome::Fault(fault) => failure(fault.public(), options).into(),
        Outcome::Success(success) => Document(DocumentBody::Payload(success.data.clone())),
        Outcome::NeedsInput(question) => Document(DocumentBody::Payload(question.to_value())),
        Outcome::Batch(batch) => match batch::as_fault(batch) {
            Some(fault) => failure(fault.public(), options).into(),
            None => Document(DocumentBody::Payload(batch::to_value(batch, options))),
        },
    }
}

fn failure(public: &Public, options: &Options) -> OrderedFields {
    let mut error = OrderedFields::default();
    error
        .put("code", public.code.entry().names.error_model)
        .put("message", public.message())
        .put("retryable", public.retry().is_retryable())
        .nest_some("details", details(public, options));
    let mut fields = OrderedFields::default();
    fields.nest("error", error);
    fields
}

fn details(public: &Public, options: &Options) -> OrderedFields {
    let mut context = public.details.clone();
    let mut details = OrderedFields::default();
    details.put_some("originalError", original_error(public));
    details.put_some("field", context.remove("param_name"));
    if options.strict {
        if context.text("reason").is_some() {
            details.put_some("reason", context.remove("reason"));
        }
        details.put_some("suggestion", public.stated_remediation());
    } else {
        details.put("reason", reason(public.code).to_ascii_lowercase());
        details.put("suggestion", public.remediation());
        extend(&mut context, public, options);
    }
    details.put_details("context", context);
    details
}

/// The native name; for a server's own row, that of the nearest built-in one, which any reader knows.
fn reason(code: Code) -> &'static str {
    let entry = code.entry();
    let near = |near: &&Code| near.category() == entry.category && same_number(**near, code);
    match entry.status {
        Status::Custom => catalog::CODES
            .iter()
            .find(near)
            .map_or(entry.name, |near| near.name()),
        Status::Mvp | Status::Phase1 | Status::Future | Status::Companion | Status::Extension => {
            entry.name
        }
    }
}

fn extend(context: &mut Details, public: &Public, options: &Options) {
    context.insert_some("retryAfterMs", public.retry_after().map(native::millis));
    context.insert("correlationId", options.stamp.id_of(public).as_str().into());
    context.insert_some("httpStatus", public.http_status);
    context.insert_some("docsUrl", public.docs_url());
    context.insert_some("violations", public.violations_value());
}

/// The domain's name, or ours where the number says no more than "adapter error".
fn original_error(public: &Public) -> Option<&str> {
    let unspecific = public.code.entry().names.error_model == ADAPTER_ERROR
        && public.code != codes::INTERNAL_ADAPTER;
    foreign::domain_code(public).or(unspecific.then(|| public.code.name()))
}

pub(super) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    if detect::is_error_model(Some(&document)) {
        return decode_error(ObjectReader::new(document, "")?, options).map(Outcome::Fault);
    }
    if !document.get("error").is_some_and(Value::is_object) {
        return batch::from_payload(document, "", options);
    }
    let mut root = ObjectReader::new(document, "")?;
    let error = root.need_object("error")?;
    decode_error(error, options).map(Outcome::Fault)
}

/// Reads the `ErrorResponse` object.
pub(crate) fn decode_error(
    mut error: ObjectReader,
    options: &Options,
) -> Result<Fault, DecodeError> {
    let number = number(&mut error)?;
    let message = error.need_words("message")?;
    let retryable = error.flag("retryable")?;
    let mut fault = Fault::new(by_number(number));
    if !is_standard(number) {
        fault = fault.domain_code(number.to_string());
    }
    let public = fault.public_mut();
    public.message = message;
    // Some servers send `data` for `details`, and nest the details once more.
    let details = match error.object("details")? {
        Some(details) => Some(details),
        None => error.object("data")?,
    };
    if let Some(details) = details {
        decode_details(public, details, options)?;
    }
    reserved::keep_rest(public, error.map);
    set_retryable(public, retryable);
    Ok(fault)
}

fn number(error: &mut ObjectReader) -> Result<i64, DecodeError> {
    let value = error.need("code")?;
    let number = value
        .as_i64()
        .or_else(|| value.as_str()?.trim().parse().ok());
    number.ok_or_else(|| error.wrong("code", "a number", &value))
}

fn decode_details(
    public: &mut Public,
    mut details: ObjectReader,
    options: &Options,
) -> Result<(), DecodeError> {
    let original = details.text("originalError")?;
    let reason = details.text("reason")?;
    if let Some(inner) = details.object("details")? {
        details.map.extend(inner.map);
    }
    let field = details.map.remove(reserved::FIELD);
    let context = details.object("context")?;
    public.remediation = details.words("suggestion")?;
    for (key, value) in details
        .map
        .into_iter()
        .chain(context.map(|context| context.map).unwrap_or_default())
    {
        reserved::absorb(public, Cow::Owned(key), value);
    }
    public.details.insert_some(reserved::PARAM, field);
    let native = |name: &str| {
        options
            .code(&name.to_ascii_uppercase())
            .filter(|code| same_number(public.code, *code))
    };
    if let Some(code) = reason.as_deref().and_then(native) {
        public.code = code;
        public.domain_code = None;
    } else if let Some(reason) = reason {
        public.details.insert("reason", reason.into());
    }
    if let Some(original) = original {
        match options
            .code(&original)
            .filter(|code| same_number(public.code, *code))
        {
            Some(code) => public.code = code,
            None => foreign::set_domain_code(public, &original, options),
        }
    }
    Ok(())
}

fn same_number(a: Code, b: Code) -> bool {
    a.entry().names.error_model == b.entry().names.error_model
}

/// A boolean says less than a retry class: it only overrides a class it contradicts.
pub(crate) fn set_retryable(public: &mut Public, retryable: Option<bool>) {
    public.retry = None;
    if let Some(retryable) = retryable.filter(|flag| *flag != public.retry().is_retryable()) {
        public.retry = Some(if retryable {
            Retry::Backoff
        } else {
            Retry::Never
        });
    }
}

/// Whether the model defines a number.
pub(crate) fn is_standard(number: i64) -> bool {
    CODES.iter().any(|(have, _)| i64::from(*have) == number)
}

/// The native code a number stands for. The category belongs to the code; the range is only for strangers.
pub(crate) fn by_number(number: i64) -> Code {
    if let Some((_, code)) = CODES.iter().find(|(have, _)| i64::from(*have) == number) {
        return *code;
    }
    match number {
        1000..=2999 => catalog::usual(Category::Validation),
        3000..=3999 => catalog::usual(Category::Business),
        4000..=4999 => catalog::usual(Category::Unavailable),
        5000..=5999 => codes::INTERNAL_ADAPTER,
        // The status of an API behind the server, in the place of a number of the model.
        _ => match u16::try_from(number) {
            Ok(status @ 400..=599) => code_for_status(status),
            _ => codes::INTERNAL_UNKNOWN,
        },
    }
}

pub(crate) const CODES: &[(u16, Code)] = &[
    (2001, codes::VALIDATION_INVALID_VALUE),
    (2002, codes::VALIDATION_MISSING_PARAM),
    (2003, codes::VALIDATION_PATTERN_MISMATCH),
    (3001, codes::RATE_LIMIT_EXCEEDED),
    (3002, codes::UNAVAILABLE_TIMEOUT),
    (4001, codes::INTERNAL_ADAPTER),
    (4002, codes::UNAVAILABLE_SERVICE),
    (5001, codes::INTERNAL_NOT_IMPLEMENTED),
];

/// The standard sentence of a JSON-RPC code, unless the fault says its own.
pub(crate) fn rpc_message(rpc: Rpc, public: &Public) -> Cow<'_, str> {
    let standard = match rpc {
        Rpc::ParseError => "Parse error",
        Rpc::InvalidRequest => "Invalid request",
        Rpc::MethodNotFound => "Method not found",
        Rpc::InvalidParams => "Invalid params",
        Rpc::InternalError => "Internal error",
    };
    public
        .message
        .as_deref()
        .map_or(Cow::Borrowed(standard), Cow::Borrowed)
}
