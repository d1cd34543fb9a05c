//! What the hooks of a guard are told.

use std::time::Duration;

use serde_json::Value;

#[cfg(feature = "audit")]
use crate::audit::Entry;
#[cfg(feature = "audit")]
use crate::fault::Stamp;
use crate::fault::{CorrelationId, Fault};
use crate::outcome::Outcome;
use crate::redact::Redactor;

/// A failure the caller is about to be told of.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Event<'a> {
    /// The method that was called: `tools/call` for tools.
    pub method: &'a str,
    /// The tool, if one was called.
    pub tool: Option<&'a str>,
    /// The position of the item that failed, where the call was a batch.
    pub item: Option<usize>,
    /// What went wrong, with its private half and before anything was taken out of the public one.
    pub fault: &'a Fault,
    /// The id the caller was given for it: that of the call, unless the fault came with its own.
    pub correlation_id: &'a CorrelationId,
    /// How long the call took.
    pub duration: Duration,
}

impl Event<'_> {
    /// Everything there is to know for the log: the message, the id, notes and the chain of causes. Only credentials
    /// are taken out, which have no place in a log either.
    pub fn report(&self) -> String {
        Redactor::default().report(self.fault)
    }
}

/// A call of a tool that has been answered, one way or another.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Called<'a> {
    /// The tool that was called.
    pub tool: &'a str,
    /// The id of the call, which the handler and its span had too.
    pub correlation_id: &'a CorrelationId,
    /// What it was called with.
    pub arguments: &'a Value,
    /// What it came to. A plain success is without its data here, which is the caller's.
    pub outcome: &'a Outcome,
    /// How long the call took.
    pub duration: Duration,
}

#[cfg(feature = "audit")]
impl Called<'_> {
    /// The entry of an audit trail, under the id of the call. A failure has the id and the time its caller was told; the
    /// time of anything else comes from the stamp.
    pub fn entry(&self, stamp: &Stamp) -> Entry {
        let (_, now) = stamp.take();
        let stamp = Stamp::Fixed(self.correlation_id.clone(), now);
        Entry::new(
            self.tool,
            self.arguments,
            self.outcome,
            &stamp,
            self.duration,
        )
    }
}

/// A call that was cancelled by its caller. It gets no answer.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Cancelled<'a> {
    /// The tool that was called.
    pub tool: &'a str,
    /// The id of the call.
    pub correlation_id: &'a CorrelationId,
    /// How long the call had been running when it ended.
    pub duration: Duration,
}
