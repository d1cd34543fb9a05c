//! Which dialect a bare document is in, by its structure alone.

use serde_json::Value;

use super::{Dialect, mcp_error, native, problem, tool_error};
use crate::outcome::Elicitation;

/// A document of one of the formats of this library: the one answer to "is this ours?", for results, errors and bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecognisedDocument {
    pub(crate) dialect: Dialect,
    /// Whether it has a mark that documents of other origin do not have, rather than just the shape.
    pub(crate) is_marked: bool,
    /// Whether it is marked and names a code: the envelopes with `success` in them are in wide use without one.
    pub(crate) is_coded: bool,
}

/// Recognises a document by its structure.
pub(crate) fn recognise(document: &Value) -> Option<RecognisedDocument> {
    let dialect = detect(document)?;
    let is_marked = is_marked(document, dialect);
    Some(RecognisedDocument {
        dialect,
        is_marked,
        is_coded: is_marked && names_a_code(document, dialect),
    })
}

fn names_a_code(document: &Value, dialect: Dialect) -> bool {
    let at = |pointer: &str| document.pointer(pointer).is_some_and(Value::is_string);
    match dialect {
        Dialect::ResponseV2 => at("/data/error_code") || at("/meta/error_code"),
        Dialect::McpAql => at("/error/code") || at("/errorCode"),
        Dialect::Native
        | Dialect::McpError
        | Dialect::ErrorModel
        | Dialect::ToolError
        | Dialect::Problem => true,
    }
}

/// The native error object in metadata or in the data of a JSON-RPC error: under its key, or the value itself.
pub(crate) fn own_error(value: &Value) -> Option<&Value> {
    let keyed = value.get(native::ERROR_KEY);
    keyed.or_else(|| is_native_error(value).then_some(value))
}

/// The dialect of a document, if it has the marks of one.
///
/// Documents of dialects without an envelope for successes (mcp-error, error-model) are recognised only when they
/// are failures: their successes look like any other payload.
pub fn detect(document: &Value) -> Option<Dialect> {
    let is = |test: bool, dialect: Dialect| test.then_some(dialect);
    let object = document.as_object()?;
    is(is_native(document), Dialect::Native)
        .or_else(|| is(is_tool_error(document), Dialect::ToolError))
        .or_else(|| {
            is(
                object.get("success").is_some_and(Value::is_boolean),
                envelope(document),
            )
        })
        .or_else(|| is(is_error_model(document.get("error")), Dialect::ErrorModel))
        .or_else(|| is(mcp_error::is_error(document), Dialect::McpError))
        .or_else(|| is(is_problem(document), Dialect::Problem))
}

pub(crate) fn is_native(document: &Value) -> bool {
    let keys = [
        native::ERROR_KEY,
        native::SUCCESS_KEY,
        native::NEEDS_INPUT_KEY,
        native::BATCH_KEY,
    ];
    let in_meta = document
        .get("_meta")
        .is_some_and(|meta| keys.iter().any(|key| meta.get(key).is_some()));
    in_meta || (is_native_error(document) && document.get("detail").is_none())
}

/// The native error object by itself, as it stands in `structuredContent` or in the data of a JSON-RPC error.
pub(crate) fn is_native_error(object: &Value) -> bool {
    let texts = ["code", "category", "message"]
        .iter()
        .all(|key| object.get(key).is_some_and(Value::is_string));
    texts && object.get("retry").is_some_and(Value::is_object)
}

fn is_tool_error(document: &Value) -> bool {
    let has_kind = |value: &Value| {
        value.get("kind").and_then(Value::as_str) == Some(tool_error::KIND)
            || Elicitation::from_value(value).is_some()
    };
    has_kind(document) || document.get("structuredContent").is_some_and(has_kind)
}

/// Two envelopes share `success`. The version decides; without one, the shape of `error`.
fn envelope(document: &Value) -> Dialect {
    let versioned = document.get("meta").is_some_and(Value::is_object);
    let aql = ["results", "halted_at", "errorCode", "warnings"]
        .iter()
        .any(|key| document.get(key).is_some());
    match document.get("error") {
        _ if versioned => Dialect::ResponseV2,
        _ if aql => Dialect::McpAql,
        Some(Value::Null | Value::String(_)) => Dialect::ResponseV2,
        Some(_) | None => Dialect::McpAql,
    }
}

/// The `ErrorResponse` object: a number beside words. Of numbers outside its ranges and those of JSON-RPC there are
/// too many that mean all is well.
pub(crate) fn is_error_model(error: Option<&Value>) -> bool {
    error.is_some_and(|error| {
        let number = error.get("code").is_some_and(|code| {
            let known = code
                .as_i64()
                .is_some_and(|code| code < 0 || (1000..=5999).contains(&code));
            let stated = code.is_i64() && error.get("retryable").is_some_and(Value::is_boolean);
            known || stated || is_number_text(code)
        });
        number && error.get("message").is_some_and(Value::is_string)
    })
}

fn is_number_text(code: &Value) -> bool {
    code.as_str()
        .is_some_and(|text| text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit()))
}

/// A problem names a failing status, or has a type that is a URI beside a sentence on what happened. Plenty of
/// records have a type and a title.
fn is_problem(document: &Value) -> bool {
    let text = |key| document.get(key).and_then(Value::as_str);
    let status = document.get("status").and_then(Value::as_u64);
    let failing = status.is_some_and(|status| (400..=599).contains(&status));
    let told = text("title").is_some() || text("detail").is_some();
    match text("type") {
        Some(kind) if kind.starts_with(problem::TYPE_PREFIX) => true,
        Some(kind) => {
            kind.contains(':')
                && told
                && (failing || (status.is_none() && text("detail").is_some()))
        }
        None => failing && told && document.get("type").is_none(),
    }
}

/// Whether a document carries a mark that nothing but a document of its dialect has, rather than just its shape.
fn is_marked(document: &Value, dialect: Dialect) -> bool {
    match dialect {
        // A kind, a key of this library, or an explicit success.
        Dialect::Native | Dialect::ToolError | Dialect::ResponseV2 | Dialect::McpAql => true,
        Dialect::McpError => document.get("recovery_actions").is_some(),
        Dialect::ErrorModel => {
            let error = document.get("error").unwrap_or(document);
            let number = error
                .get("code")
                .and_then(Value::as_i64)
                .unwrap_or_default();
            error.get("retryable").is_some_and(Value::is_boolean) || (1000..=5999).contains(&number)
        }
        Dialect::Problem => {
            let kind = document.get("type").and_then(Value::as_str);
            kind.is_some_and(|kind| kind.starts_with(problem::TYPE_PREFIX))
        }
    }
}

/// Whether the `error` of an envelope is one: many always have the member, and leave it empty where all is well.
pub(crate) fn has_error(document: &Value) -> bool {
    match document.get("error") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(words)) => !words.trim().is_empty(),
        Some(Value::Bool(true) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => true,
    }
}

/// Whether a document of a dialect, however damaged, says that something failed.
pub(crate) fn claims_failure(document: &Value, dialect: Dialect) -> bool {
    match dialect {
        Dialect::Native => {
            let in_meta = document.get("_meta").and_then(own_error);
            in_meta.or_else(|| own_error(document)).is_some()
        }
        Dialect::ToolError => Elicitation::from_value(document).is_none(),
        Dialect::ResponseV2 | Dialect::McpAql => {
            has_error(document) || document.get("success") != Some(&Value::Bool(true))
        }
        Dialect::McpError | Dialect::ErrorModel | Dialect::Problem => true,
    }
}
