//! The private report on a failure: what its caller was told, and what really happened.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use breakfall::Stamp;
use breakfall::wire::Options;
use breakfall::wire::native::{Object, object};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event::{Event, Evidence};
use super::log::{self, OPERATOR, millis};
use crate::store::Document;

/// What is kept about a failure, for whoever runs the gateway: traces, paths and statements are in it, credentials are not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// What its caller was told to ask by.
    pub correlation_id: String,
    /// When the call began.
    pub timestamp: String,
    /// The server.
    pub upstream: String,
    /// The tool, or what else was asked for.
    pub tool: String,
    /// Whether it is a call of a tool.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub is_call: bool,
    /// Who called, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// The trace it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_id: Option<String>,
    /// How often the server was asked.
    pub attempts: u32,
    /// How long was waited between attempts.
    #[serde(default)]
    pub waited_ms: u64,
    /// How long it took in all.
    pub duration_ms: u64,
    /// The fault in the native format. Its message is all the server said, unless there is an original.
    pub error: Value,
    /// The message, or its first line if there is more to it, notes and the chain of causes.
    pub report: String,
    /// What the server said, where that is more than the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

impl Report {
    /// Reads one back.
    ///
    /// # Errors
    /// When it is none.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// How long the call took.
    pub const fn took(&self) -> Duration {
        Duration::from_millis(self.duration_ms)
    }

    /// How long was waited between attempts.
    pub const fn waited(&self) -> Duration {
        Duration::from_millis(self.waited_ms)
    }
}

/// The report on a call that failed, ready to be kept.
pub(super) fn of(event: &Event, evidence: Evidence, said: Option<String>) -> Document {
    let words = said.unwrap_or_else(|| log::words(&evidence, true));
    let Evidence { fault, original } = evidence;
    let original = original.filter(|body| !is_nothing_but(body, &fault.public().message()));
    let original = original.as_deref().map(|body| OPERATOR.text(body));
    let fault = OPERATOR.fault(fault);
    let options = Options::new().stamp(Stamp::Fixed(event.id.clone(), event.at));
    let report = Written {
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
    let room = USUAL + words.len() + original.as_deref().map_or(0, str::len);
    let mut text = Vec::with_capacity(room + fault.public().message().len());
    serde_json::to_writer(&mut text, &report).expect("a report is JSON");
    Document {
        id: event.id.as_str().into(),
        at: event.at,
        text: String::from_utf8(text).expect("JSON is text"),
    }
}

/// Nearly all are, and those that were kept before others were.
fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants it so")]
fn is_yes(is_call: &bool) -> bool {
    *is_call
}

/// A report without what it has to say.
const USUAL: usize = 1200;

/// A [`Report`] that is written once and never held.
#[derive(Serialize)]
struct Written<'a> {
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

/// Whether an answer is a failure and these words, and nothing else: then they need not be kept twice.
fn is_nothing_but(answer: &str, words: &str) -> bool {
    let answer: Result<Bare<'_>, _> = serde_json::from_str(answer);
    answer.is_ok_and(
        |Bare {
             content: [block],
             is_error,
         }| { is_error && block.kind == "text" && block.text == words },
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bare<'a> {
    #[serde(borrow)]
    content: [Text<'a>; 1],
    #[serde(rename = "isError")]
    is_error: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Cow<'a, str>,
}
