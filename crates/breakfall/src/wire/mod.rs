//! Public half ↔ bytes. Each file speaks one dialect, both ways; encoding is pure, decoding never panics.
//!
//! A *document* is the JSON value a dialect defines: the envelope of response-v2 and MCP-AQL, the bare object of
//! mcp-error, `{"error": …}` of error-model, a whole tool result for native and tool-error, a problem. How a
//! document travels inside MCP is [`tool_result`] and [`rpc_error`].

mod batch;
pub(crate) mod decode;
mod delivery;
pub mod detect;
mod document;
pub mod error_model;
pub(crate) mod foreign;
mod losses;
pub mod mcp_aql;
pub mod mcp_error;
mod names;
pub mod native;
pub mod problem;
pub mod response_v2;
pub mod tool_error;

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

pub use decode::DecodeError;
pub(crate) use delivery::REQUEST_ID_KEY;
pub(crate) use delivery::add_warnings;
pub use delivery::{Rpc, RpcError, ToolResult, WARNINGS_KEY, rpc_error, rpc_error_as, tool_result};
pub use document::{Document, EncodeError};
pub use losses::{Loss, changes, losses, project};
pub use names::{code_of, name_of, number_name};

use crate::catalog::registry::Catalog;
use crate::fault::Stamp;
use crate::outcome::Outcome;
use crate::redact::Redacted;
use crate::suggest;

/// A wire format. The default is `native`.
///
/// ```
/// use breakfall::wire::Dialect;
///
/// assert_eq!("mcp-aql".parse(), Ok(Dialect::McpAql));
/// assert_eq!(Dialect::default(), Dialect::Native);
/// let error = "mcp-sql".parse::<Dialect>().unwrap_err();
/// assert_eq!(error.to_string(), "there is no dialect 'mcp-sql'; did you mean 'mcp-aql'?");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "adding a dialect is meant to break every match on it"
)]
pub enum Dialect {
    /// Ours: an MCP tool result with text for a model and the object in `_meta`.
    #[default]
    Native,
    /// The `{success, data, error, meta}` envelope.
    ResponseV2,
    /// An object with recovery actions, in one text block.
    McpError,
    /// Numeric codes and a boolean.
    ErrorModel,
    /// `toolError:v1` and `needsInput:v1`, gated by a format.
    ToolError,
    /// `{success: false, error: {code, message, details}}`.
    McpAql,
    /// RFC 9457, for HTTP.
    Problem,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: &'static [Self] = &[
        Self::Native,
        Self::ResponseV2,
        Self::McpError,
        Self::ErrorModel,
        Self::ToolError,
        Self::McpAql,
        Self::Problem,
    ];

    /// The name, as in configuration and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::ResponseV2 => "response-v2",
            Self::McpError => "mcp-error",
            Self::ErrorModel => "error-model",
            Self::ToolError => "tool-error",
            Self::McpAql => "mcp-aql",
            Self::Problem => "problem",
        }
    }

    /// The dialect of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|dialect| dialect.as_str() == name)
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialectError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::from_name(name).ok_or_else(|| UnknownDialectError(name.into()))
    }
}

/// A name that no dialect has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDialectError(Box<str>);

impl fmt::Display for UnknownDialectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = || Dialect::ALL.iter().map(|dialect| dialect.as_str());
        write!(f, "there is no dialect '{}'; ", self.0)?;
        match suggest::nearest(&self.0, names()) {
            Some(near) => write!(f, "did you mean '{near}'?"),
            None => write!(f, "use one of {}", names().collect::<Vec<_>>().join(", ")),
        }
    }
}

impl std::error::Error for UnknownDialectError {}

/// Which blocks tool-error writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "the three formats of the dialect")]
pub enum Format {
    /// Words for a person only.
    #[default]
    Markdown,
    /// The object only.
    Json,
    /// Words first, the object after.
    Both,
}

impl Format {
    /// Every format.
    pub const ALL: &'static [Self] = &[Self::Markdown, Self::Json, Self::Both];

    /// The word of the `format` argument.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Json => "json",
            Self::Both => "both",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.as_str() == word)
    }
}

/// How to speak a dialect.
#[derive(Debug, Clone, Default)]
#[must_use]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches, each set by a method that names it"
)]
pub struct Options {
    pub(crate) strict: bool,
    pub(crate) format: Format,
    pub(crate) stamp: Stamp,
    pub(crate) structured: bool,
    pub(crate) aggregate: bool,
    pub(crate) recoverable: bool,
    pub(crate) catalog: Option<Catalog>,
}

impl Options {
    /// The defaults: contradictions of the formats resolved, extensions on.
    pub fn new() -> Self {
        Self::default()
    }

    /// To the letter of the format's own document, without our extensions.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Which blocks tool-error writes.
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Where ids and times come from that the fault does not have.
    pub fn stamp(mut self, stamp: Stamp) -> Self {
        self.stamp = stamp;
        self
    }

    /// Fill `structuredContent` in native too: only where the tool is known to declare no `outputSchema`.
    pub fn structured(mut self, structured: bool) -> Self {
        self.structured = structured;
        self
    }

    /// MCP-AQL: a batch with failures is one `BATCH_PARTIAL_FAILURE` rather than a list of results.
    pub fn aggregate(mut self, aggregate: bool) -> Self {
        self.aggregate = aggregate;
        self
    }

    /// MCP-AQL: leave `isError` off for codes its integration guide calls recoverable.
    pub fn recoverable(mut self, recoverable: bool) -> Self {
        self.recoverable = recoverable;
        self
    }

    /// Know a server's own codes when reading.
    pub fn catalog(mut self, catalog: Catalog) -> Self {
        self.catalog = Some(catalog);
        self
    }

    /// The row of a native or a server's own name.
    pub(crate) fn code(&self, name: &str) -> Option<crate::code::Code> {
        match &self.catalog {
            Some(catalog) => catalog.get(name),
            None => crate::catalog::by_name(name),
        }
    }
}

/// Writes an outcome as a document of a dialect. The redactor decides for whom.
///
/// ```
/// use breakfall::Fault;
/// use breakfall::redact::Redactor;
/// use breakfall::wire::{Dialect, Options, encode};
///
/// let fault = Fault::missing_param("owner").in_operation("get_repo");
/// let outcome = Redactor::client().outcome(fault);
/// let document = encode(outcome.as_ref(), Dialect::McpAql, &Options::new().strict(true))?;
/// assert_eq!(document.to_value()["error"]["code"], "VALIDATION_MISSING_PARAM");
/// # Ok::<(), breakfall::wire::EncodeError>(())
/// ```
///
/// # Errors
/// When the dialect has no way to say it: `problem` carries failures only.
pub fn encode<'a>(
    outcome: Redacted<&'a Outcome>,
    dialect: Dialect,
    options: &Options,
) -> Result<Document<'a>, EncodeError> {
    match dialect {
        Dialect::Native => Ok(native::encode(outcome, options)),
        Dialect::ResponseV2 => Ok(response_v2::encode(outcome, options)),
        Dialect::McpError => Ok(mcp_error::encode(outcome, options)),
        Dialect::ErrorModel => Ok(error_model::encode(outcome, options)),
        Dialect::ToolError => Ok(tool_error::encode(outcome, options)),
        Dialect::McpAql => Ok(mcp_aql::encode(outcome, options)),
        Dialect::Problem => problem::encode(outcome, options),
    }
}

/// Reads a document of a dialect.
///
/// # Errors
/// When it is not one; the error says where and what was expected.
pub fn decode(
    document: Value,
    dialect: Dialect,
    options: &Options,
) -> Result<Outcome, DecodeError> {
    match dialect {
        Dialect::Native => native::decode(document, options),
        Dialect::ResponseV2 => response_v2::decode(document, options),
        Dialect::McpError => mcp_error::decode(document, options),
        Dialect::ErrorModel => error_model::decode(document, options),
        Dialect::ToolError => tool_error::decode(document, options),
        Dialect::McpAql => mcp_aql::decode(document, options),
        Dialect::Problem => problem::decode(document, options),
    }
}

/// Reads a document from bytes.
///
/// # Errors
/// When they are not UTF-8, not JSON (nesting beyond 127 levels included), or not a document of the dialect.
pub fn decode_slice(
    bytes: &[u8],
    dialect: Dialect,
    options: &Options,
) -> Result<Outcome, DecodeError> {
    decode(decode::parse(bytes)?, dialect, options)
}

pub use decode::parse;
