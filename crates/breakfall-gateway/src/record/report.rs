//! The private report on a failure: the public fault, and its private details.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use breakfall::Stamp;
use breakfall::wire::Options;
use breakfall::wire::native::{Object, object};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event::{CallEvent, Evidence};
use super::log::{self, millis};
use crate::store::Document;
use breakfall_mcp::error::OPERATOR_REDACTOR;

/// The stored report on a failure, for the operator. It has stack traces, paths and SQL, but no credentials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The id the caller was told.
    pub correlation_id: String,
    /// The time of the start of the call.
    pub timestamp: String,
    /// The upstream.
    pub upstream: String,
    /// The tool; for other requests, the prompt or the method.
    pub tool: String,
    /// Whether it is a call of a tool.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub is_call: bool,
    /// The principal of the caller, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// The trace it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// The number of requests to the server.
    pub attempts: u32,
    /// The time waited between attempts.
    #[serde(default)]
    pub waited_ms: u64,
    /// The duration of the call, waits included.
    pub duration_ms: u64,
    /// The fault in the native format. Without `original`, its message is the whole answer of the server.
    pub error: Value,
    /// The message (its first line if there is an original), notes and the chain of causes.
    pub report: String,
    /// The answer of the server, if it has more than the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

impl Report {
    /// Parses a stored report.
    ///
    /// # Errors
    /// When the text is not a report.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The duration of the call.
    pub const fn took(&self) -> Duration {
        Duration::from_millis(self.duration_ms)
    }

    /// The time waited between attempts.
    pub const fn waited(&self) -> Duration {
        Duration::from_millis(self.waited_ms)
    }
}

/// The report on a failed call, ready to be stored.
pub(super) fn of(event: &CallEvent, evidence: Evidence, said: Option<String>) -> Document {
    let words = said.unwrap_or_else(|| log::words(&evidence, true));
    let Evidence { fault, original } = evidence;
    let original = original.filter(|body| !is_only_text(body, &fault.public().message()));
    let original = original.as_deref().map(|body| OPERATOR_REDACTOR.text(body));
    let fault = OPERATOR_REDACTOR.fault(fault);
    let options = Options::new().stamp(Stamp::Fixed(event.id.clone(), event.at));
    let report = BorrowedReport {
        correlation_id: event.id.as_str(),
        timestamp: format_args!("{:.3}", event.at),
        upstream: &event.upstream,
        tool: &event.tool,
        is_call: event.is_call,
        principal: event.principal.as_deref(),
        trace_id: event.trace.map(|trace| trace.trace_id().to_string()),
        attempts: event.attempts,
        waited_ms: millis(event.waited),
        duration_ms: millis(event.took),
        error: object(fault.public(), &options),
        report: &words,
        original: original.as_deref(),
    };
    let room = BASE_BYTES + words.len() + original.as_deref().map_or(0, str::len);
    let mut text = Vec::with_capacity(room + fault.public().message().len());
    serde_json::to_writer(&mut text, &report).expect("a report is JSON");
    Document {
        id: event.id.as_str().into(),
        at: event.at,
        text: String::from_utf8(text).expect("JSON is text"),
    }
}

/// The default for reports stored before the field existed.
fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_yes(is_call: &bool) -> bool {
    *is_call
}

/// About the size of a report without its texts.
const BASE_BYTES: usize = 1200;

/// A [`Report`] that borrows its texts, for writing.
#[derive(Serialize)]
struct BorrowedReport<'a> {
    correlation_id: &'a str,
    timestamp: fmt::Arguments<'a>,
    upstream: &'a str,
    tool: &'a str,
    #[serde(skip_serializing_if = "is_yes")]
    is_call: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    principal: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_id: Option<String>,
    attempts: u32,
    waited_ms: u64,
    duration_ms: u64,
    error: Object<'a>,
    report: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    original: Option<&'a str>,
}

/// Whether an answer is an error result with only this text, which then need not be stored twice.
fn is_only_text(answer: &str, words: &str) -> bool {
    let answer: Result<TextResult<'_>, _> = serde_json::from_str(answer);
    answer.is_ok_and(
        |TextResult {
             content: [block],
             is_error,
         }| { is_error && block.kind == "text" && block.text == words },
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextResult<'a> {
    #[serde(borrow)]
    content: [TextContent<'a>; 1],
    #[serde(rename = "isError")]
    is_error: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextContent<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}
