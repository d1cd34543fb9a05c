//! The private report on a failure: what its caller was told, and what really happened.

use std::time::Duration;

use breakfall::Stamp;
use breakfall::disclose::{Audience, Redactor};
use breakfall::wire::{Dialect, Options, rpc_error};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::event::{Event, Evidence};
use super::log::millis;
use crate::store::Document;
use crate::verdict::SAID;

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
    /// The tool.
    pub tool: String,
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
    /// The fault in the native format.
    pub error: Value,
    /// The message, notes and the chain of causes.
    pub report: String,
    /// What the server said.
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

/// What the server said, without secrets. Mostly it stands in the words on the failure already, where nothing of it had to go.
fn kept(original: Box<str>, words: &str, redactor: &Redactor) -> String {
    let noted = words.split_once(SAID).map(|(_, noted)| noted);
    if noted.is_some_and(|noted| noted.starts_with(&*original)) {
        original.into()
    } else {
        redactor.text(&original).into_owned()
    }
}

/// The report on a call that failed, ready to be kept.
pub(super) fn of(event: &Event, evidence: Evidence, said: Option<String>) -> Document {
    let redactor = Redactor::new(Audience::Operator);
    let Evidence { fault, original } = evidence;
    let words = said.unwrap_or_else(|| redactor.report(&fault));
    let fault = redactor.fault(fault);
    let options = Options::new().stamp(Stamp::Fixed(event.id.clone(), event.at));
    let mut error = rpc_error(fault.public(), Dialect::Native, &options).to_value();
    let report = Report {
        correlation_id: event.id.to_string(),
        timestamp: format!("{:.3}", event.at),
        upstream: event.upstream.to_string(),
        tool: event.tool.to_string(),
        principal: event.principal.as_deref().map(str::to_owned),
        trace_id: event.trace.map(|trace| trace.trace_id().to_string()),
        attempts: event.attempts,
        waited_ms: millis(event.waited),
        duration_ms: millis(event.took),
        error: error["data"].take(),
        original: original.map(|text| kept(text, &words, &redactor)),
        report: words,
    };
    Document {
        id: event.id.as_str().into(),
        at: event.at,
        text: serde_json::to_string(&report).expect("a report is JSON"),
    }
}
