//! The caller's side: a tool result or JSON-RPC error in any dialect → an [`Outcome`], how it was recognised, and
//! how long to wait before a retry. An agent or client author needs nothing else.

mod delay;
mod rpc;

pub use delay::Backoff;
pub use rpc::code_for_rpc;
use serde_json::Value;

use crate::catalog::codes;
use crate::fault::{Confidence, CorrelationId, Fault, Provenance};
use crate::outcome::{Outcome, Success};
use crate::render;
use crate::wire::{self, Dialect, Options, detect, tool_error};

/// What was read, and how.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// What the call came to.
    pub outcome: Outcome,
    /// The dialect, where there was one.
    pub dialect: Option<Dialect>,
    /// Where it stood.
    pub channel: Channel,
    /// How sure that is what it means.
    pub confidence: Confidence,
}

/// Where an outcome was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the places MCP has for an outcome")]
pub enum Channel {
    /// `_meta` of a tool result, under a key of ours.
    Meta,
    /// A text block that holds JSON.
    JsonBlock,
    /// `structuredContent`.
    Structured,
    /// A text block in our own wording.
    Text,
    /// Nothing but `isError`.
    IsError,
    /// A JSON-RPC error.
    RpcError,
    /// A bare document, outside any MCP message.
    Document,
    /// Content without any mark of a failure.
    Payload,
}

/// Reads a JSON-RPC response, a tool result, a JSON-RPC error object, or a bare document of any dialect.
///
/// Inside a tool result our own `_meta` key is asked first, since only we write it. Then, in the order clients are
/// told to look: a JSON block, `structuredContent`, and last the bare `isError` flag. It never fails: what nobody
/// marks as a failure is a success, and what only says that it failed is a fault nobody could classify.
///
/// ```
/// use breakfall::read::Channel;
/// use serde_json::json;
///
/// let reading = breakfall::read(json!({"isError": true, "content": [{"type": "text", "text": "no luck"}]}));
/// assert_eq!(reading.channel, Channel::IsError);
/// assert_eq!(reading.outcome.fault().map(|fault| fault.code().name()), Some("INTERNAL_UNKNOWN"));
/// ```
pub fn read(message: Value) -> Reading {
    read_with(message, &Options::new())
}

/// [`read`], knowing a server's own codes.
pub fn read_with(mut message: Value, options: &Options) -> Reading {
    if message.get("jsonrpc").is_some()
        && let Some(object) = message.as_object_mut()
    {
        if let Some(error) = object.remove("error").filter(|error| !error.is_null()) {
            return rpc::read(&error, options);
        }
        if let Some(result) = object.remove("result") {
            return read_result(result, options);
        }
    }
    if rpc::is_error(&message) {
        return rpc::read(&message, options);
    }
    read_result(message, options)
}

fn read_result(result: Value, options: &Options) -> Reading {
    if result.get("content").is_some_and(Value::is_array) {
        return tool_result(result, options);
    }
    if let Some(object) = bare_error_model(&result)
        && let Some(reading) = document(object, Channel::Document, options)
    {
        return reading;
    }
    match document_of(&result, Channel::Document, options) {
        Some(reading) => reading,
        None => payload(result),
    }
}

/// The `ErrorResponse` without the `error` around it.
fn bare_error_model(value: &Value) -> Option<Value> {
    let bare = detect::is_error_model(Some(value)) && value.get("retryable").is_some();
    bare.then(|| serde_json::json!({"error": value}))
}

fn tool_result(result: Value, options: &Options) -> Reading {
    let failed = result.get("isError") == Some(&Value::Bool(true));
    if detect::detect(&result) == Some(Dialect::Native)
        && let Ok(outcome) = wire::decode(result.clone(), Dialect::Native, options)
    {
        return Reading {
            outcome,
            dialect: Some(Dialect::Native),
            channel: Channel::Meta,
            confidence: Confidence::Exact,
        };
    }
    let reading = json_block(&result, options)
        .or_else(|| {
            document_of(
                result.get("structuredContent")?,
                Channel::Structured,
                options,
            )
        })
        .or_else(|| own_text(&result, options));
    let reading = reading.map(|reading| with_id(reading, &result));
    match reading {
        // A failure never looks like success: the flag overrules a body that claims otherwise.
        Some(reading) if !(failed && matches!(reading.outcome, Outcome::Success(_))) => reading,
        _ if failed => flagged(&result),
        _ => payload(result),
    }
}

/// The id that rides outside the document, where the document has no place for one.
fn with_id(mut reading: Reading, result: &Value) -> Reading {
    let id = result
        .get("_meta")
        .and_then(|meta| meta.get(wire::REQUEST_ID_KEY)?.as_str());
    if let (Outcome::Fault(fault), Some(id)) = (&mut reading.outcome, id) {
        let public = fault.public_mut();
        public.correlation_id = public.correlation_id.take().or(CorrelationId::new(id).ok());
    }
    reading
}

/// The last block that is a document of some dialect: writers that send words as well put the JSON after them.
fn json_block(result: &Value, options: &Options) -> Option<Reading> {
    blocks(result).iter().rev().find_map(|block| {
        if tool_error::is_words(block) {
            return None;
        }
        let value: Value = serde_json::from_str(block.get("text")?.as_str()?).ok()?;
        document(value, Channel::JsonBlock, options)
    })
}

fn own_text(result: &Value, options: &Options) -> Option<Reading> {
    let fault = texts(result).find_map(|text| render::read_fault(text, options))?;
    let (dialect, channel) = (Some(Dialect::Native), Channel::Text);
    Some(Reading {
        outcome: Outcome::Fault(fault),
        dialect,
        channel,
        confidence: Confidence::Exact,
    })
}

fn document_of(value: &Value, channel: Channel, options: &Options) -> Option<Reading> {
    detect::detect(value)?;
    document(value.clone(), channel, options)
}

fn document(value: Value, channel: Channel, options: &Options) -> Option<Reading> {
    let dialect = detect::detect(&value)?;
    let outcome = wire::decode(value, dialect, options).ok()?;
    let stated = outcome
        .fault()
        .and_then(|fault| fault.public().provenance())
        .map(|provenance| provenance.confidence);
    Some(Reading {
        outcome,
        dialect: Some(dialect),
        channel,
        confidence: stated.unwrap_or(Confidence::Exact),
    })
}

/// All it says is that it failed. The words are kept, the cause is not guessed.
fn flagged(result: &Value) -> Reading {
    let words = texts(result).next().unwrap_or_default();
    let words = words.strip_prefix("**Error:** ").unwrap_or(words).trim();
    let provenance = Provenance::new("isError without a known format", Confidence::Default);
    let mut fault = Fault::new(codes::INTERNAL_UNKNOWN).provenance(provenance);
    if !words.is_empty() {
        fault = fault.message(words);
    }
    Reading {
        outcome: Outcome::Fault(fault),
        dialect: None,
        channel: Channel::IsError,
        confidence: Confidence::Default,
    }
}

fn payload(result: Value) -> Reading {
    let mut blocks = texts(&result);
    let data = match (
        result
            .get("structuredContent")
            .filter(|value| !value.is_null()),
        blocks.next(),
        blocks.next(),
    ) {
        (Some(structured), ..) => structured.clone(),
        (None, Some(only), None) => {
            serde_json::from_str(only).unwrap_or_else(|_| Value::from(only))
        }
        (None, Some(_), Some(_)) | (None, None, _) => {
            drop(blocks);
            result
        }
    };
    let outcome = Outcome::Success(Success::new(data));
    Reading {
        outcome,
        dialect: None,
        channel: Channel::Payload,
        confidence: Confidence::Structural,
    }
}

fn texts(result: &Value) -> impl Iterator<Item = &str> {
    blocks(result)
        .iter()
        .filter_map(|block| block.get("text")?.as_str())
}

fn blocks(result: &Value) -> &[Value] {
    let blocks = result.get("content").and_then(Value::as_array);
    blocks.map(Vec::as_slice).unwrap_or_default()
}
