//! How a document travels inside MCP: as the result of a tool call, or as a JSON-RPC error where the failure is at
//! protocol level.

use serde::Serialize;
use serde_json::{Map, Value};

use super::document::{Document, DocumentBody, OrderedFields, to_json, to_pretty, to_value};
use super::native::{ErrorObject, data_text};
use super::{Dialect, EncodeError, Options, encode, error_model, native};
use crate::code::Category;
use crate::fault::Public;
use crate::outcome::{Batch, Outcome, Success, Verdict};
use crate::redact::Redacted;

/// A `CallToolResult`, not yet turned into bytes.
#[derive(Debug)]
pub struct ToolResult<'a>(ToolResultBody<'a>);

#[derive(Debug)]
enum ToolResultBody<'a> {
    Own(Document<'a>),
    Wrapped(OrderedFields),
}

impl Serialize for ToolResult<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            ToolResultBody::Own(document) => document.serialize(serializer),
            ToolResultBody::Wrapped(fields) => fields.serialize(serializer),
        }
    }
}

impl ToolResult<'_> {
    /// The result as a value.
    pub fn to_value(&self) -> Value {
        to_value(self)
    }

    /// The result as compact JSON.
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

/// Writes an outcome as the result of a tool call.
///
/// Every fault has `isError: true`; a question and a success with warnings have none.
///
/// # Errors
/// As [`encode`].
pub fn tool_result<'a>(
    outcome: Redacted<&'a Outcome>,
    dialect: Dialect,
    options: &Options,
) -> Result<ToolResult<'a>, EncodeError> {
    let document = encode(outcome, dialect, options)?;
    let outcome = outcome.into_inner();
    if matches!(dialect, Dialect::Native | Dialect::ToolError) {
        return Ok(ToolResult(ToolResultBody::Own(document)));
    }
    let text = match &document.0 {
        DocumentBody::Payload(data) if data.is_string() => data_text(data).into_owned(),
        DocumentBody::Payload(_)
        | DocumentBody::Native(_)
        | DocumentBody::Problem(_)
        | DocumentBody::Fields(_) => to_pretty(&document),
    };
    let mut block = OrderedFields::default();
    block.put("type", "text").put("text", text);
    let mut result = OrderedFields::default();
    result.list("content", vec![block]);
    if structured(outcome, dialect, options) {
        let value = document.to_value();
        if value.is_object() {
            result.put("structuredContent", value);
        }
    }
    if is_error(outcome, dialect, options) {
        result.put("isError", true);
    }
    let mut meta = warnings(outcome, dialect, options).unwrap_or_default();
    if let (Dialect::McpAql, Some(fault)) = (dialect, outcome.fault()) {
        // The failure body is closed to other keys, so the id rides outside it.
        let id = options.stamp.id_of(fault.public());
        meta.insert(REQUEST_ID_KEY.to_owned(), id.as_str().into());
    }
    if !meta.is_empty() {
        result.put("_meta", meta);
    }
    Ok(ToolResult(ToolResultBody::Wrapped(result)))
}

/// `_meta` key of warnings where the document has no place for them.
pub const WARNINGS_KEY: &str = "dev.breakfall/warnings";

/// The warnings the document of a dialect has no place for, as metadata.
pub(crate) fn warnings(
    outcome: &Outcome,
    dialect: Dialect,
    options: &Options,
) -> Option<Map<String, Value>> {
    let warnings = match outcome {
        Outcome::Success(success) => &success.warnings,
        Outcome::Batch(batch) => &batch.warnings,
        Outcome::NeedsInput(_) | Outcome::Fault(_) => return None,
    };
    let has_failed = || is_error(outcome, dialect, options);
    let is_written = match (outcome, dialect) {
        (Outcome::Batch(_), Dialect::ResponseV2) => !(options.strict && has_failed()),
        (_, Dialect::Native | Dialect::ResponseV2) => true,
        // A batch that failed as a whole is written as one failure.
        (_, Dialect::McpAql) | (Outcome::Batch(_), _) => !has_failed(),
        (_, Dialect::McpError | Dialect::ErrorModel | Dialect::ToolError | Dialect::Problem) => {
            false
        }
    };
    if warnings.is_empty() || is_written {
        return None;
    }
    let list = native::warning_values(warnings);
    Some(Map::from_iter([(WARNINGS_KEY.to_owned(), list)]))
}

/// Adds the warnings in the metadata of a result to what was read from the rest of it.
pub(crate) fn add_warnings(outcome: &mut Outcome, meta: Option<&Value>) {
    let (Outcome::Success(Success { warnings, .. }) | Outcome::Batch(Batch { warnings, .. })) =
        outcome
    else {
        return;
    };
    let list = meta.and_then(|meta| meta.get(WARNINGS_KEY));
    let list = list.and_then(Value::as_array).into_iter().flatten();
    for warning in list.cloned().filter_map(native::warning_from_value) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
}

/// `_meta` key of the correlation id where the document has no place for it.
pub(crate) const REQUEST_ID_KEY: &str = "dev.breakfall/correlation_id";

fn structured(outcome: &Outcome, dialect: Dialect, options: &Options) -> bool {
    options.structured || (dialect == Dialect::ErrorModel && outcome.fault().is_some())
}

fn is_error(outcome: &Outcome, dialect: Dialect, options: &Options) -> bool {
    match outcome {
        Outcome::Fault(fault) => {
            let spared = dialect == Dialect::McpAql && options.recoverable;
            !(spared && super::mcp_aql::is_recoverable(fault.code()))
        }
        Outcome::Batch(batch) => match dialect {
            Dialect::McpAql => options.aggregate && batch.tally().failed > 0,
            Dialect::Native
            | Dialect::ResponseV2
            | Dialect::McpError
            | Dialect::ErrorModel
            | Dialect::ToolError
            | Dialect::Problem => batch.verdict() == Verdict::Failed,
        },
        Outcome::Success(_) | Outcome::NeedsInput(_) => false,
    }
}

/// A JSON-RPC error object, not yet turned into bytes.
#[derive(Debug)]
pub struct RpcError(OrderedFields);

impl Serialize for RpcError {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl RpcError {
    /// The error as a value.
    pub fn to_value(&self) -> Value {
        to_value(self)
    }
}

/// The codes of JSON-RPC. This library adds no others: the ranges below belong to the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the five codes of JSON-RPC 2.0")]
pub enum Rpc {
    /// The frame itself is not JSON, or not UTF-8.
    ParseError,
    /// JSON, but no request.
    InvalidRequest,
    /// An unknown method.
    MethodNotFound,
    /// Parameters that do not fit.
    InvalidParams,
    /// A failure of the receiver.
    InternalError,
}

impl Rpc {
    /// The number.
    pub const fn number(self) -> i32 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::InternalError => -32603,
        }
    }

    /// The code of a fault: its row's; for rows that never occur at protocol level by themselves, "internal error"
    /// when the same call may succeed later and "invalid params" when something about it has to change.
    pub fn of(public: &Public) -> Self {
        let all = [
            Self::ParseError,
            Self::InvalidRequest,
            Self::MethodNotFound,
            Self::InvalidParams,
            Self::InternalError,
        ];
        let row = public.code.entry().rpc;
        let ours = matches!(
            public.category(),
            Category::Unavailable | Category::Internal
        );
        let fallback = if ours || public.retry().is_retryable() {
            Self::InternalError
        } else {
            Self::InvalidParams
        };
        all.into_iter()
            .find(|rpc| Some(rpc.number()) == row)
            .unwrap_or(fallback)
    }
}

/// Writes a fault as a JSON-RPC error, for failures at protocol level: below the tool, or before it ran.
///
/// `data` is the native object; in `error-model`, to the letter, the field at fault and nothing more.
pub fn rpc_error(public: Redacted<&Public>, dialect: Dialect, options: &Options) -> RpcError {
    rpc_error_as(Rpc::of(&public), public, dialect, options)
}

/// [`rpc_error`] with the code chosen: only the receiver knows that it was the frame that could not be read.
pub fn rpc_error_as(
    rpc: Rpc,
    public: Redacted<&Public>,
    dialect: Dialect,
    options: &Options,
) -> RpcError {
    let public = public.into_inner();
    let mut error = OrderedFields::default();
    error.put("code", rpc.number());
    if dialect == Dialect::ErrorModel && options.strict {
        error.put("message", error_model::rpc_message(rpc, public));
        let field = public.details.get("param_name").cloned();
        error.put_some(
            "data",
            field.map(|field| Map::from_iter([("field".to_owned(), field)])),
        );
    } else {
        error.put("message", public.message());
        error.put("data", to_value(&ErrorObject::new(public, options)));
    }
    RpcError(error)
}
