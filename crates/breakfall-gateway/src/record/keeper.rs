//! The thread that writes records to the store, in groups.

use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;

use super::counts::Counts;
use super::queue::{Held, KEPT_CAPACITY, Queue, QueueItem, Taken};
use super::{entry, report};
use crate::config::Retention;
use crate::store::{Batch, Store, StoreError};

/// A handle to the thread. Dropping it waits up to [`MAX_SHUTDOWN`] until all records are stored.
#[derive(Debug)]
pub(super) struct Keeper {
    shared: Arc<KeeperState>,
    ended: Mutex<mpsc::Receiver<()>>,
}

#[derive(Debug, Default)]
struct KeeperState {
    queue: Queue,
    lost_entries: AtomicU64,
    lost_reports: AtomicU64,
    failing: Mutex<Option<StoreError>>,
}

impl Keeper {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(super) fn start(store: Arc<dyn Store>, keep: Retention) -> io::Result<Self> {
        let shared = Arc::new(KeeperState::default());
        let (end, ended) = mpsc::channel();
        let work = StoreThread {
            shared: Arc::clone(&shared),
            store,
            keep,
            runtime: runtime::Builder::new_current_thread().build()?,
            pending: Batch::default(),
            since_purge: 0,
            purged_at: Timestamp::UNIX_EPOCH,
            warned: OncePerMinute::default(),
        };
        thread::Builder::new()
            .name("breakfall-record".to_owned())
            .spawn(move || {
                work.run();
                // The keeper may not wait.
                let _ = end.send(());
            })?;
        Ok(Self {
            shared,
            ended: Mutex::new(ended),
        })
    }

    /// Queues a record, or counts it as lost.
    pub(super) fn put(&self, item: QueueItem) {
        let (entry, report) = (item.input.is_some(), item.evidence.is_some());
        if !self.shared.queue.put(item) {
            self.shared.lose(u64::from(entry), u64::from(report));
        }
    }

    /// Waits until all earlier records are stored, or lost.
    pub(super) async fn flush(&self) {
        let (done, kept) = oneshot::channel();
        self.shared.queue.flush(done);
        // The sender is dropped only if the thread panics.
        let _ = kept.await;
    }

    /// Copies the numbers of lost and waiting records.
    pub(super) fn copy_to(&self, counts: &mut Counts) {
        counts.lost_entries = self.shared.lost_entries.load(Ordering::Relaxed);
        counts.lost_reports = self.shared.lost_reports.load(Ordering::Relaxed);
        counts.waiting = self.shared.queue.waiting() as u64;
        counts.failing.clone_from(&self.shared.failing());
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.shared.queue.close();
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        // A store that does not answer must not block the exit.
        let _ = ended.recv_timeout(MAX_SHUTDOWN);
    }
}

impl KeeperState {
    fn lose(&self, entries: u64, reports: u64) {
        self.lost_entries.fetch_add(entries, Ordering::Relaxed);
        self.lost_reports.fetch_add(reports, Ordering::Relaxed);
    }

    fn failing(&self) -> std::sync::MutexGuard<'_, Option<StoreError>> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of the thread.
struct StoreThread {
    shared: Arc<KeeperState>,
    store: Arc<dyn Store>,
    keep: Retention,
    runtime: Runtime,
    /// Records that the store did not accept.
    pending: Batch,
    since_purge: usize,
    purged_at: Timestamp,
    warned: OncePerMinute,
}

/// Limits a log line to one per minute.
#[derive(Debug, Default)]
struct OncePerMinute(Option<Timestamp>);

impl OncePerMinute {
    /// Whether the line is due. If so, it is not due again for a minute.
    fn is_due(&mut self, now: Timestamp) -> bool {
        let is_recent = self.0.is_some_and(|at| now.duration_since(at) < MINUTE);
        if !is_recent {
            self.0 = Some(now);
        }
        !is_recent
    }
}

impl StoreThread {
    fn run(mut self) {
        let mut room = Vec::new();
        loop {
            let held = held(&self.pending);
            let patience = if held.count > 0 {
                RETRY_WAIT
            } else {
                PURGE_WAIT
            };
            let Taken {
                mut items,
                flushes,
                is_over,
            } = self.shared.queue.take(held, room, patience);
            let mut batch = mem::take(&mut self.pending);
            for item in items.drain(..) {
                self.shared.add_to(&mut batch, item);
            }
            items.shrink_to(KEPT_CAPACITY);
            room = items;
            self.append(batch);
            self.purge();
            for done in flushes {
                // The caller may have stopped waiting.
                let _ = done.send(());
            }
            if is_over {
                return self.give_up();
            }
        }
    }

    /// Stores a batch, or keeps it for the next attempt.
    fn append(&mut self, batch: Batch) {
        if batch.is_empty() {
            return;
        }
        let count = batch.entries.len() + batch.reports.len();
        let batch = Arc::new(batch);
        let appended = self.store.append(Arc::clone(&batch));
        let appended = self.runtime.block_on(appended);
        match appended {
            Ok(()) => {
                self.since_purge += count;
                if self.shared.failing().take().is_some() {
                    self.warned = OncePerMinute::default();
                    let lost = self.shared.lost_entries.load(Ordering::Relaxed);
                    tracing::warn!(
                        lost_entries = lost,
                        "the store takes the records of calls again"
                    );
                }
            }
            Err(failure) => {
                self.pending = Arc::unwrap_or_clone(batch);
                self.warn(&failure);
                *self.shared.failing() = Some(failure);
            }
        }
    }

    /// Logs that the store rejects records, at most once a minute.
    fn warn(&mut self, failure: &StoreError) {
        if !self.warned.is_due(Timestamp::now()) {
            return;
        }
        tracing::error!(
            waiting = self.shared.queue.waiting(),
            lost_entries = self.shared.lost_entries.load(Ordering::Relaxed),
            lost_reports = self.shared.lost_reports.load(Ordering::Relaxed),
            "the records of calls cannot be kept: {failure}; {}. Calls go on",
            failure.fix()
        );
    }

    /// Deletes old records: after many new ones, every ten minutes, and at the first use of the store.
    fn purge(&mut self) {
        let now = Timestamp::now();
        let is_long = now.duration_since(self.purged_at) >= PURGE_INTERVAL;
        if self.since_purge < PURGE_COUNT && !is_long || self.shared.failing().is_some() {
            return;
        }
        self.since_purge = 0;
        self.purged_at = now;
        let purged = self.runtime.block_on(self.store.purge(self.keep, now));
        if let Err(failure) = purged {
            tracing::warn!("what is too old could not be let go of: {failure}");
        }
    }

    /// Counts the records that could not be stored before the end as lost.
    fn give_up(self) {
        let Batch { entries, reports } = self.pending;
        if entries.is_empty() && reports.is_empty() {
            return;
        }
        let (entries, reports) = (entries.len(), reports.len());
        self.shared.lose(entries as u64, reports as u64);
        tracing::error!(entries, reports, "the records of the last calls are lost");
    }
}

impl KeeperState {
    /// Adds the audit entry and the report of a call to a batch.
    fn add_to(&self, batch: &mut Batch, item: QueueItem) {
        let (is_entry, is_report) = (item.input.is_some(), item.evidence.is_some());
        // A panic must not end the thread, and with it the records of all later calls.
        let written = catch_unwind(AssertUnwindSafe(|| {
            let QueueItem {
                event,
                input,
                evidence,
                said,
            } = item;
            let entry = input.map(|input| entry::of(&event, input));
            let report = evidence.map(|evidence| report::of(&event, evidence, said));
            (entry, report)
        }));
        match written {
            Ok((entry, report)) => {
                batch.entries.extend(entry);
                batch.reports.extend(report);
            }
            Err(_) => self.lose(u64::from(is_entry), u64::from(is_report)),
        }
    }
}

fn held(batch: &Batch) -> Held {
    let documents = batch.entries.iter().chain(&batch.reports);
    Held {
        count: batch.entries.len().max(batch.reports.len()),
        size: documents.map(|document| document.text.len()).sum(),
    }
}

/// The wait before records are written again that the store did not accept.
const RETRY_WAIT: Duration = Duration::from_secs(1);

/// How often old records are deleted if there are no new ones.
const PURGE_WAIT: Duration = Duration::from_mins(10);
const PURGE_INTERVAL: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);

/// After how many new records old ones are deleted. Each time counts the whole store.
const PURGE_COUNT: usize = 2048;

const MINUTE: jiff::SignedDuration = jiff::SignedDuration::from_mins(1);

/// How long a shutdown waits for the store.
const MAX_SHUTDOWN: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn losses_are_logged_at_once_and_then_once_a_minute() {
        let start = Timestamp::UNIX_EPOCH;
        let mut limit = OncePerMinute::default();
        let mut logged = Vec::new();
        // The store is tried each second.
        for second in 0..=300 {
            if limit.is_due(start + SignedDuration::from_secs(second)) {
                logged.push(second);
            }
        }
        assert_eq!(logged, [0, 60, 120, 180, 240, 300]);
    }
}
