//! `native`: an MCP tool result. The text is made for a model and suffices alone; `_meta` carries the whole object;
//! `structuredContent` too where the caller of the encoder says it may.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};

use super::decode::{DecodeError, Object};
use super::document::{Body, Document, to_json};
use super::{Options, batch, detect, foreign, reserved};
use crate::code::{Category, Hint, Origin, Retry, Severity};
use crate::fault::{Confidence, CorrelationId, Fault, Provenance, Public};
use crate::outcome::{Batch, Elicitation, Fidelity, Outcome, Success};
use crate::render;
use crate::violation::Violation;
use crate::warning::Warning;

/// `_meta` key of the error object.
pub const ERROR_KEY: &str = "dev.breakfall/error";
/// `_meta` key of what rides on a success.
pub const SUCCESS_KEY: &str = "dev.breakfall/success";
/// `_meta` key of a question.
pub const NEEDS_INPUT_KEY: &str = "dev.breakfall/needs_input";
/// `_meta` key of a batch.
pub const BATCH_KEY: &str = "dev.breakfall/batch";

pub(super) fn encode<'a>(outcome: &'a Outcome, options: &Options) -> Document<'a> {
    let result = match outcome {
        Outcome::Fault(fault) => {
            let error = ErrorObject::new(fault.public(), options);
            CallResult::Failure {
                text: error.text(),
                error,
                structured: options.structured,
            }
        }
        Outcome::Success(success) => CallResult::Success(success, options.structured),
        Outcome::NeedsInput(question) => CallResult::NeedsInput(question),
        Outcome::Batch(batch) => CallResult::Batch(batch, batch::to_value(batch, options)),
    };
    Document(Body::Native(result))
}

/// The tool result, borrowed from the outcome.
#[derive(Debug)]
pub(crate) enum CallResult<'a> {
    Failure {
        text: String,
        error: ErrorObject<'a>,
        structured: bool,
    },
    Success(&'a Success, bool),
    NeedsInput(&'a Elicitation),
    Batch(&'a Batch, Value),
}

impl Serialize for CallResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Failure {
                text,
                error,
                structured,
            } => {
                map.serialize_entry("content", &[TextBlock(text)])?;
                if *structured {
                    map.serialize_entry("structuredContent", error)?;
                }
                map.serialize_entry("isError", &true)?;
                map.serialize_entry("_meta", &Keyed(ERROR_KEY, error))?;
            }
            Self::Success(success, structured) => {
                let data = data_text(&success.data);
                let notices = render::warnings(&success.warnings);
                match &notices {
                    Some(notices) => {
                        map.serialize_entry("content", &[TextBlock(&data), TextBlock(notices)])?
                    }
                    None => map.serialize_entry("content", &[TextBlock(&data)])?,
                }
                if *structured && success.data.is_object() {
                    map.serialize_entry("structuredContent", &success.data)?;
                }
                map.serialize_entry("_meta", &Keyed(SUCCESS_KEY, &SuccessObject(success)))?;
            }
            Self::NeedsInput(question) => {
                map.serialize_entry("content", &[TextBlock(&render::question(question))])?;
                map.serialize_entry("_meta", &Keyed(NEEDS_INPUT_KEY, &question.to_value()))?;
            }
            Self::Batch(batch, value) => {
                map.serialize_entry("content", &[TextBlock(&render::batch(batch))])?;
                if batch.verdict() == crate::outcome::Verdict::Failed {
                    map.serialize_entry("isError", &true)?;
                }
                map.serialize_entry("_meta", &Keyed(BATCH_KEY, value))?;
            }
        }
        map.end()
    }
}

/// The error object, the same in `_meta`, `structuredContent`, JSON-RPC `data` and problems.
#[derive(Debug)]
pub(crate) struct ErrorObject<'a> {
    pub(crate) public: &'a Public,
    pub(crate) message: Cow<'a, str>,
    correlation_id: Cow<'a, CorrelationId>,
    timestamp: Timestamp,
}

impl<'a> ErrorObject<'a> {
    pub(crate) fn new(public: &'a Public, options: &Options) -> Self {
        let (correlation_id, timestamp) = match (&public.correlation_id, public.timestamp) {
            (Some(id), Some(at)) => (Cow::Borrowed(id), at),
            (own, at) => {
                let (id, now) = options.stamp.take();
                (
                    own.as_ref().map_or(Cow::Owned(id), Cow::Borrowed),
                    at.unwrap_or(now),
                )
            }
        };
        Self {
            public,
            message: public.message(),
            correlation_id,
            timestamp,
        }
    }

    pub(crate) fn correlation_id(&self) -> &CorrelationId {
        &self.correlation_id
    }

    fn text(&self) -> String {
        render::fault(self.public, &self.message, &self.correlation_id)
    }

    /// The members that `problem` and the object itself share: everything but code and message.
    pub(crate) fn serialize_rest<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let public = self.public;
        entry(map, "domain_code", public.domain_code())?;
        if !public.details.is_empty() {
            map.serialize_entry("details", &public.details)?;
        }
        if !public.violations.is_empty() {
            let all: Vec<Value> = public.violations.iter().map(Violation::to_value).collect();
            map.serialize_entry("violations", &all)?;
        }
        map.serialize_entry("retry", &RetryObject(public))?;
        map.serialize_entry("remediation", &public.remediation())?;
        map.serialize_entry("recovery_actions", &Actions(public))?;
        map.serialize_entry("recovery_hint", &public.hint())?;
        map.serialize_entry("user_message", public.user_message())?;
        entry(map, "fallback_tool", public.fallback_tool())?;
        entry(map, "corrective_params", public.corrective_params())?;
        map.serialize_entry("origin", &public.origin())?;
        if let Some(provenance) = &public.provenance {
            let pair = [
                ("rule", provenance.rule.as_ref()),
                ("confidence", provenance.confidence.as_str()),
            ];
            map.serialize_entry("provenance", &Pairs(&pair))?;
        }
        entry(map, "http_status", public.http_status())?;
        entry(map, "docs_url", public.docs_url())?;
        entry(
            map,
            "needs_input",
            public.elicitation().map(Elicitation::to_value),
        )?;
        map.serialize_entry("correlation_id", self.correlation_id.as_str())?;
        map.serialize_entry("timestamp", &Text(self.timestamp))
    }
}

impl Serialize for ErrorObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", self.public.code.name())?;
        map.serialize_entry("category", &self.public.category())?;
        map.serialize_entry("message", &self.message)?;
        self.serialize_rest(&mut map)?;
        map.end()
    }
}

pub(super) fn decode(document: Value, options: &Options) -> Result<Outcome, DecodeError> {
    if detect::is_native_error(&document) {
        return decode_error(document, "", options).map(Outcome::Fault);
    }
    let mut result = Object::new(document, "")?;
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
    if let Some(structured) = result.map.remove("structuredContent")
        && result.map.get("isError") == Some(&Value::Bool(true))
        && structured.get("code").is_some()
    {
        return decode_error(structured, "/structuredContent", options).map(Outcome::Fault);
    }
    if let Some(text) = first_text(&result)
        && let Some(fault) = render::read_fault(text, options)
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
    let mut object = Object::new(value, place)?;
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

pub(crate) fn decode_rest(public: &mut Public, object: &mut Object) -> Result<(), DecodeError> {
    if let Some(details) = object.object("details")? {
        for (key, value) in details.map {
            reserved::absorb(public, Cow::Owned(key), value);
        }
    }
    let violations = object
        .list("violations")?
        .into_iter()
        .filter_map(Violation::from_value);
    public.violations.extend(violations);
    if let Some(mut retry) = object.object("retry")? {
        let policy = retry.text("policy")?;
        public.retry = policy.as_deref().and_then(Retry::from_word);
        if let Some(wait) = retry.map.remove("after_ms") {
            reserved::absorb(public, Cow::Borrowed("retry_after_ms"), wait);
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

struct SuccessObject<'a>(&'a Success);

impl Serialize for SuccessObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let success = self.0;
        let mut map = serializer.serialize_map(None)?;
        if !success.warnings.is_empty() {
            let all: Vec<Value> = success.warnings.iter().map(warning_value).collect();
            map.serialize_entry("warnings", &all)?;
        }
        entry(
            &mut map,
            "content_fidelity",
            success.fidelity.map(Fidelity::as_str),
        )?;
        entry(
            &mut map,
            "correlation_id",
            success.correlation_id.as_ref().map(CorrelationId::as_str),
        )?;
        if !success.meta.is_empty() {
            map.serialize_entry("meta", &success.meta)?;
        }
        map.end()
    }
}

fn decode_success(result: &mut Object, value: Value, place: &str) -> Result<Success, DecodeError> {
    let text = first_text(result).ok_or_else(|| DecodeError::at("/content/0/text", "missing"))?;
    let data = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
    let mut object = Object::new(value, place)?;
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

/// `{code?, severity, message, context?}`: ours, and response-v2's `warning_details`.
pub(crate) fn warning_value(warning: &Warning) -> Value {
    let mut map = Map::new();
    if let Some(code) = warning.code() {
        map.insert("code".into(), code.into());
    }
    map.insert("severity".into(), warning.severity.as_str().into());
    map.insert("message".into(), warning.text().into());
    if !warning.context.is_empty() {
        map.insert("context".into(), warning.context.to_map().into());
    }
    Value::Object(map)
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

/// Data as text: JSON, except that a string that could not be taken for JSON stays as it is.
pub(crate) fn data_text(data: &Value) -> Cow<'_, str> {
    match data {
        Value::String(text) if serde_json::from_str::<serde::de::IgnoredAny>(text).is_err() => {
            Cow::Borrowed(text)
        }
        other => Cow::Owned(to_json(other)),
    }
}

fn first_text(result: &Object) -> Option<&str> {
    result.map.get("content")?.get(0)?.get("text")?.as_str()
}

/// RFC 6901: a slash inside a key.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

pub(crate) fn entry<M: SerializeMap, T: Serialize>(
    map: &mut M,
    key: &'static str,
    value: Option<T>,
) -> Result<(), M::Error> {
    match value {
        Some(value) => map.serialize_entry(key, &value),
        None => Ok(()),
    }
}

pub(crate) struct TextBlock<'a>(pub(crate) &'a str);

impl Serialize for TextBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Pairs(&[("type", "text"), ("text", self.0)]).serialize(serializer)
    }
}

struct Pairs<'a>(&'a [(&'static str, &'a str)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

struct Keyed<'a, T>(&'static str, &'a T);

impl<T: Serialize> Serialize for Keyed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, self.1)])
    }
}

struct Actions<'a>(&'a Public);

impl Serialize for Actions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.actions())
    }
}

struct RetryObject<'a>(&'a Public);

impl Serialize for RetryObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("policy", &self.0.retry())?;
        map.serialize_entry("retryable", &self.0.retry().is_retryable())?;
        entry(&mut map, "after_ms", self.0.retry_after().map(millis))?;
        map.end()
    }
}

/// Rounded up: a caller must not come back too early.
pub(crate) fn millis(wait: std::time::Duration) -> u64 {
    u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

struct Text<T>(T);

impl<T: std::fmt::Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
