//! The sinks of the recorder: each gets every recorded call.

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;

use tokio::sync::broadcast;

use super::counts::Counters;
use super::event::{CallEvent, Evidence};
use super::log;

/// A call that is over, for the sinks.
#[derive(Debug)]
pub struct CallRecord<'a> {
    /// The call.
    pub event: Arc<CallEvent>,
    /// The arguments, as JSON. No sink may keep them.
    pub arguments: &'a str,
    /// The evidence of a failure. The store takes it.
    pub(super) evidence: Option<Evidence>,
    is_stored: bool,
    words: OnceCell<Option<String>>,
}

impl<'a> CallRecord<'a> {
    pub(super) fn new(
        event: CallEvent,
        arguments: &'a str,
        evidence: Option<Evidence>,
        is_stored: bool,
    ) -> Self {
        Self {
            event: Arc::new(event),
            arguments,
            evidence,
            is_stored,
            words: OnceCell::new(),
        }
    }

    /// The report on a failure, without credentials. An answer that is stored in full is left out.
    pub(super) fn words(&self) -> Option<&str> {
        let words = self.words.get_or_init(|| {
            let evidence = self.evidence.as_ref();
            evidence.map(|evidence| log::words(evidence, self.is_stored))
        });
        words.as_deref()
    }

    /// The words, if an earlier sink has asked for them.
    pub(super) fn take_words(&mut self) -> Option<String> {
        self.words.take().flatten()
    }
}

/// Gets every call when it is over. It must not block: the call is answered only afterwards.
pub trait CallSink: fmt::Debug + Send + Sync {
    /// A call is over.
    fn record(&self, call: &mut CallRecord<'_>);
}

/// One line in the log for each call: failures as warnings.
#[derive(Debug)]
pub(super) struct LogSink(pub(super) log::SuccessLevel);

impl CallSink for LogSink {
    fn record(&self, call: &mut CallRecord<'_>) {
        log::say(call, self.0);
    }
}

impl CallSink for Counters {
    fn record(&self, call: &mut CallRecord<'_>) {
        self.add(&call.event);
    }
}

/// A bounded broadcast to any number of subscribers.
#[derive(Debug)]
pub(super) struct LiveFeed(broadcast::Sender<Arc<CallEvent>>);

impl LiveFeed {
    pub(super) fn subscribe(&self) -> broadcast::Receiver<Arc<CallEvent>> {
        self.0.subscribe()
    }
}

impl Default for LiveFeed {
    fn default() -> Self {
        Self(broadcast::Sender::new(MAX_LIVE_EVENTS))
    }
}

impl CallSink for LiveFeed {
    fn record(&self, call: &mut CallRecord<'_>) {
        if self.0.receiver_count() > 0 {
            // The last subscriber may be gone by now.
            let _ = self.0.send(Arc::clone(&call.event));
        }
    }
}

/// How many events a slow subscriber may be behind.
const MAX_LIVE_EVENTS: usize = 1024;
