//! What the hooks of a guard are told.

use std::time::Duration;

use crate::disclose::Redactor;
use crate::fault::{CorrelationId, Fault};

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
    /// The id the caller was given for it.
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

/// A call that was cancelled by its caller. Nobody answers it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Cancelled<'a> {
    /// The tool that was called.
    pub tool: &'a str,
    /// How long the call had been running when it ended.
    pub duration: Duration,
}
