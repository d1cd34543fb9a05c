//! Which dialect a bare document is in, by its structure alone.

use serde_json::Value;

use super::{Dialect, mcp_error, native, tool_error};
use crate::outcome::Elicitation;

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

fn is_native(document: &Value) -> bool {
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

/// The `ErrorResponse` object: a number beside words.
pub(crate) fn is_error_model(error: Option<&Value>) -> bool {
    error.is_some_and(|error| {
        let number = error
            .get("code")
            .is_some_and(|code| code.is_i64() || code.is_u64() || is_number_text(code));
        number && error.get("message").is_some_and(Value::is_string)
    })
}

fn is_number_text(code: &Value) -> bool {
    code.as_str()
        .is_some_and(|text| text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit()))
}

fn is_problem(document: &Value) -> bool {
    let typed =
        document.get("type").is_some_and(Value::is_string) && document.get("content").is_none();
    let status = document.get("status").is_some_and(Value::is_u64);
    let told = document.get("title").is_some_and(Value::is_string)
        || document.get("detail").is_some_and(Value::is_string);
    told && (status || typed)
}
