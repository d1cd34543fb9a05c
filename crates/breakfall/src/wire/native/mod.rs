//! `native`: an MCP tool result. The text is made for a model and suffices alone; `_meta` carries the whole object;
//! `structuredContent` too where the caller of the encoder says it may.

mod decode;
mod object;

pub(crate) use decode::{decode, decode_error, decode_rest, warning_from_value};
pub(crate) use object::{ErrorObject, millis};
use object::{StringPairs, entry};

use std::borrow::Cow;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};

use crate::fault::{CorrelationId, Public};
use crate::outcome::{Elicitation, Fidelity, Outcome, Success};
use crate::redact::Redacted;
use crate::render;
use crate::warning::Warning;
use crate::wire::Options;
use crate::wire::batch::BatchObject;
use crate::wire::document::{Document, DocumentBody, to_json};

/// `_meta` key of the error object.
pub const ERROR_KEY: &str = "dev.breakfall/error";

/// `_meta` key of what rides on a success.
pub const SUCCESS_KEY: &str = "dev.breakfall/success";

/// `_meta` key of a question.
pub const NEEDS_INPUT_KEY: &str = "dev.breakfall/needs_input";

/// `_meta` key of a batch.
pub const BATCH_KEY: &str = "dev.breakfall/batch";

/// The object of a fault by itself, not yet turned into bytes: for places that no dialect covers.
#[derive(Debug)]
pub struct Object<'a>(ErrorObject<'a>);

/// The object of a fault, as it stands in `_meta`.
///
/// ```
/// use breakfall::Fault;
/// use breakfall::redact::Redactor;
/// use breakfall::wire::{Options, native};
///
/// let fault = Redactor::client().fault(Fault::not_found("user", "usr_999"));
/// let object = native::object(fault.public(), &Options::new());
/// assert!(object.to_json().starts_with(r#"{"code":"NOT_FOUND_RESOURCE","category":"not_found""#));
/// assert!(object.text().starts_with("[NOT_FOUND_RESOURCE] "));
/// ```
pub fn object<'a>(public: Redacted<&'a Public>, options: &Options) -> Object<'a> {
    Object(ErrorObject::new(public.into_inner(), options))
}

/// Foreign text, to be followed by the lines of [`Object::text`]: quoted, if a line of it could be taken
/// for one of these.
///
/// ```
/// use breakfall::wire::native::quoted;
///
/// assert_eq!(quoted("no luck"), "no luck");
/// assert_eq!(quoted("no luck\nFix: pay"), "> no luck\n> Fix: pay");
/// ```
pub fn quoted(words: &str) -> Cow<'_, str> {
    render::quoted(words)
}

/// The message of a JSON-RPC error, then code, remedy, retry and id in a line each: most programs show only the message.
/// One that could be taken for the rest is quoted.
///
/// ```
/// use breakfall::redact::Redactor;
/// use breakfall::wire::{Options, native};
/// use breakfall::{CorrelationId, Fault};
///
/// let fault = Fault::unavailable("stock").correlation_id(CorrelationId::new("c-1").expect("an id"));
/// let shown = Redactor::client().fault(fault);
/// let message = native::rpc_message("no luck", shown.public(), &Options::new());
/// assert!(message.starts_with("no luck [UNAVAILABLE_SERVICE]\nFix: "));
/// assert!(message.ends_with("\nReference: c-1"));
/// ```
pub fn rpc_message(words: &str, public: Redacted<&Public>, options: &Options) -> String {
    let text = object(public, options).preamble();
    // Its first line is the code and the message, which is said already.
    let (first, rest) = text.split_once('\n').unwrap_or_default();
    let code = first.split_inclusive(']').next().unwrap_or_default();
    match render::quoted(words) {
        Cow::Borrowed(words) => format!("{words} {code}\n{rest}"),
        Cow::Owned(quote) => format!("{quote}\n{code}\n{rest}"),
    }
}

/// Whether clients act on a JSON-RPC error by its number, without showing its message: by these, client and server agree
/// on a version, a header, a capability or an address to open.
pub fn is_acted_on(code: i64) -> bool {
    matches!(code, -32042 | -32022 | -32021 | -32020)
}

impl Object<'_> {
    /// The object as compact JSON.
    pub fn to_json(&self) -> String {
        to_json(&self.0)
    }

    /// The text of a native result: made for a model, and enough to recover by.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// The same in at most 400 bytes, for the front of a result that has the message in full: a longer message or
    /// remediation is cut.
    pub fn preamble(&self) -> String {
        self.0.preamble()
    }
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

pub(crate) fn encode<'a>(outcome: Redacted<&'a Outcome>, options: &Options) -> Document<'a> {
    let result = match outcome.into_inner() {
        Outcome::Fault(fault) => {
            let error = ErrorObject::new(fault.public(), options);
            CallResult::Failure {
                text: error.text(),
                error,
                structured: options.structured,
            }
        }
        Outcome::Success(success) => CallResult::Success(success, options.structured),
        Outcome::NeedsInput(question) => CallResult::NeedsInput(question, options.structured),
        Outcome::Batch(batch) => {
            CallResult::Batch(BatchObject::new(batch, options), options.structured)
        }
    };
    Document(DocumentBody::Native(result))
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
    NeedsInput(&'a Elicitation, bool),
    Batch(BatchObject<'a>, bool),
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
                map.serialize_entry("_meta", &KeyedValue(ERROR_KEY, error))?;
            }
            Self::Success(success, structured) => {
                let data = data_text(&success.data);
                let notices = render::warnings(&success.warnings);
                let blocks = [
                    TextBlock(&data),
                    TextBlock(notices.as_deref().unwrap_or_default()),
                ];
                map.serialize_entry("content", &blocks[..=usize::from(notices.is_some())])?;
                if *structured && success.data.is_object() {
                    map.serialize_entry("structuredContent", &success.data)?;
                }
                map.serialize_entry("_meta", &KeyedValue(SUCCESS_KEY, &SuccessObject(success)))?;
            }
            Self::NeedsInput(question, structured) => {
                let object = question.to_value();
                map.serialize_entry("content", &[TextBlock(&render::question(question))])?;
                entry(&mut map, "structuredContent", structured.then_some(&object))?;
                map.serialize_entry("_meta", &KeyedValue(NEEDS_INPUT_KEY, &object))?;
            }
            Self::Batch(batch, structured) => {
                let object = batch.to_value();
                map.serialize_entry("content", &[TextBlock(&batch.text())])?;
                entry(&mut map, "structuredContent", structured.then_some(&object))?;
                if batch.has_failed() {
                    map.serialize_entry("isError", &true)?;
                }
                map.serialize_entry("_meta", &KeyedValue(BATCH_KEY, &object))?;
            }
        }
        map.end()
    }
}

struct SuccessObject<'a>(&'a Success);

impl Serialize for SuccessObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let success = self.0;
        let mut map = serializer.serialize_map(None)?;
        if !success.warnings.is_empty() {
            map.serialize_entry("warnings", &warning_values(&success.warnings))?;
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

/// Warnings as a list.
pub(crate) fn warning_values(warnings: &[Warning]) -> Value {
    warnings.iter().map(warning_value).collect()
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

/// Data as text: JSON, except that a string that could not be taken for JSON stays as it is.
pub(crate) fn data_text(data: &Value) -> Cow<'_, str> {
    let words = data
        .as_str()
        .filter(|text| serde_json::from_str::<IgnoredAny>(text).is_err());
    words.map_or_else(|| Cow::Owned(to_json(data)), Cow::Borrowed)
}

pub(crate) struct TextBlock<'a>(pub(crate) &'a str);

impl Serialize for TextBlock<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StringPairs(&[("type", "text"), ("text", self.0)]).serialize(serializer)
    }
}

struct KeyedValue<'a, T>(&'static str, &'a T);

impl<T: Serialize> Serialize for KeyedValue<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, self.1)])
    }
}
