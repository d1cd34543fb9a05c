//! Stores audit entries and private reports.

use std::io;
use std::sync::Arc;

use super::counts::Counts;
use super::entry::Input;
use super::event::{CallEvent, Evidence};
use super::keeper::Keeper;
use super::queue::QueueItem;
use super::sink::{CallRecord, CallSink};
use crate::config::Retention;
use crate::store::Store;

/// Hands records to the thread that stores them: the audit entry and the report of a call in one transaction.
#[derive(Debug)]
pub(super) struct StoreSink {
    store: Arc<dyn Store>,
    is_audited: bool,
    keeper: Keeper,
}

impl StoreSink {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(super) fn start(
        store: Arc<dyn Store>,
        is_audited: bool,
        keep: Retention,
    ) -> io::Result<Self> {
        let keeper = Keeper::start(Arc::clone(&store), keep)?;
        Ok(Self {
            store,
            is_audited,
            keeper,
        })
    }

    pub(super) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Stores a report without an audit entry.
    pub(super) fn put_report(&self, event: Arc<CallEvent>, evidence: Evidence) {
        self.keeper.put(QueueItem {
            input: None,
            event,
            evidence: Some(evidence),
            said: None,
        });
    }

    pub(super) async fn flush(&self) {
        self.keeper.flush().await;
    }

    pub(super) fn finish(&self) {
        self.keeper.finish();
    }

    pub(super) fn copy_to(&self, counts: &mut Counts) {
        self.keeper.copy_to(counts);
    }
}

impl CallSink for StoreSink {
    fn record(&self, call: &mut CallRecord<'_>) {
        if !self.is_audited && call.evidence.is_none() {
            return;
        }
        self.keeper.put(QueueItem {
            input: self.is_audited.then(|| Input::of(call.arguments)),
            event: Arc::clone(&call.event),
            said: call.take_words(),
            evidence: call.evidence.take(),
        });
    }
}
