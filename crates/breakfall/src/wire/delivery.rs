//! How a document travels inside MCP: as the result of a tool call, or as a JSON-RPC error where the failure is at
//! protocol level.

use serde::Serialize;
use serde_json::{Map, Value};

use super::document::{Document, DocumentBody, OrderedFields, to_json, to_pretty, to_value};
use super::native::{ErrorObject, data_text};
use super::{Dialect, EncodeError, Options, encode, error_model};
use crate::code::Category;
use crate::fault::Public;
use crate::outcome::{Outcome, Verdict};

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
    outcome: &'a Outcome,
    dialect: Dialect,
    options: &Options,
) -> Result<ToolResult<'a>, EncodeError> {
    let document = encode(outcome, dialect, options)?;
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
    if let (Dialect::McpAql, Some(fault)) = (dialect, outcome.fault()) {
        // The failure body is closed to other keys, so the id rides outside it.
        let id = options.stamp.id_of(fault.public());
        result.put(
            "_meta",
            Map::from_iter([(REQUEST_ID_KEY.to_owned(), Value::from(id.as_str()))]),
        );
    }
    Ok(ToolResult(ToolResultBody::Wrapped(result)))
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
pub fn rpc_error(public: &Public, dialect: Dialect, options: &Options) -> RpcError {
    rpc_error_as(Rpc::of(public), public, dialect, options)
}

/// [`rpc_error`] with the code chosen: only the receiver knows that it was the frame that could not be read.
pub fn rpc_error_as(rpc: Rpc, public: &Public, dialect: Dialect, options: &Options) -> RpcError {
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
