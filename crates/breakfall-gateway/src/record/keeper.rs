//! The thread that writes records to the store, in groups.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use tokio::runtime::{self, Runtime};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::age_clock::{AgeClock, Newest, PROBATION};
use super::counts::Counts;
use super::queue::{Held, KEPT_CAPACITY, Queue, QueueItem, Taken};
use super::{entry, report};
use crate::config::{Retention, RetentionLimit};
use crate::store::{Batch, Store, StoreError};
use breakfall_mcp::sync::Mutex;

/// A handle to the thread. Dropping it finishes.
#[derive(Debug)]
pub(super) struct Keeper {
    shared: Arc<KeeperState>,
    ended: Mutex<mpsc::Receiver<()>>,
}

#[derive(Debug, Default)]
struct KeeperState {
    queue: Queue,
    tally: Mutex<Tally>,
    failing: Mutex<Option<StoreError>>,
}

/// Records that are not stored.
#[derive(Debug, Default)]
struct Tally {
    /// They may be stored yet.
    open: RecordCount,
    lost: RecordCount,
}

/// A number of audit entries and of reports.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct RecordCount {
    entries: u64,
    reports: u64,
}

impl RecordCount {
    fn of_item(item: &QueueItem) -> Self {
        Self {
            entries: item.input.is_some().into(),
            reports: item.evidence.is_some().into(),
        }
    }

    fn of_batch(batch: &Batch) -> Self {
        Self {
            entries: batch.entries.len() as u64,
            reports: batch.reports.len() as u64,
        }
    }

    const fn add(&mut self, other: Self) {
        self.entries += other.entries;
        self.reports += other.reports;
    }

    const fn remove(&mut self, other: Self) {
        self.entries = self.entries.saturating_sub(other.entries);
        self.reports = self.reports.saturating_sub(other.reports);
    }
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
            started: Instant::now(),
            since_purge: 0,
            purged_at: None,
            ages: AgeClock::default(),
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
        let count = RecordCount::of_item(&item);
        self.shared.tally.lock().open.add(count);
        if !self.shared.queue.put(item) {
            self.shared.tally.lock().lose(count);
        }
    }

    /// Waits until all earlier records are stored, or lost.
    pub(super) async fn flush(&self) {
        let (done, kept) = oneshot::channel();
        self.shared.queue.flush(done);
        // The sender is dropped only if the thread has ended.
        let _ = kept.await;
    }

    /// Accepts no more records, waits up to [`MAX_SHUTDOWN`] until all are stored, and counts the others as lost.
    pub(super) fn finish(&self) {
        self.shared.queue.close();
        let ended = self.ended.lock();
        // A store that does not answer must not block the exit.
        if ended.recv_timeout(MAX_SHUTDOWN) == Err(RecvTimeoutError::Timeout) {
            self.shared.give_up("the store does not answer");
        }
    }

    /// Copies the numbers of lost and waiting records.
    pub(super) fn copy_to(&self, counts: &mut Counts) {
        let lost = self.shared.tally.lock().lost;
        counts.lost_entries = lost.entries;
        counts.lost_reports = lost.reports;
        counts.waiting = self.shared.queue.waiting() as u64;
        counts.failing.clone_from(&self.shared.failing.lock());
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Tally {
    /// Counts open records as lost.
    const fn lose(&mut self, count: RecordCount) {
        self.open.remove(count);
        self.lost.add(count);
    }
}

impl KeeperState {
    /// Counts all records that are not stored as lost, at the end.
    fn give_up(&self, reason: &str) {
        let mut tally = self.tally.lock();
        let open = tally.open;
        tally.lose(open);
        let lost = tally.lost;
        drop(tally);
        if open != RecordCount::default() {
            tracing::error!(
                lost_entries = lost.entries,
                lost_reports = lost.reports,
                "the records of the last calls are lost: {reason}"
            );
        }
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
    /// The start of the monotonic clock.
    started: Instant,
    since_purge: usize,
    purged_at: Option<Duration>,
    ages: AgeClock,
    warned: OncePerMinute,
}

/// Limits a log line to one per minute.
#[derive(Debug, Default)]
struct OncePerMinute(Option<Duration>);

impl OncePerMinute {
    /// Whether the line is due. If so, it is not due again for a minute.
    fn is_due(&mut self, now: Duration) -> bool {
        let is_recent = self.0.is_some_and(|at| now.saturating_sub(at) < MINUTE);
        if !is_recent {
            self.0 = Some(now);
        }
        !is_recent
    }
}

impl StoreThread {
    fn run(mut self) {
        let wall = Timestamp::now();
        let newest = self.newest(wall);
        self.ages.start(wall, Duration::ZERO, newest);
        let mut room = Vec::new();
        loop {
            let held = held(&self.pending);
            let wait = if held.count > 0 {
                RETRY_WAIT
            } else {
                PURGE_WAIT
            };
            let Taken {
                mut items,
                flushes,
                is_over,
            } = self.shared.queue.take(held, room, wait);
            for item in items.drain(..) {
                self.shared.add_to(&mut self.pending, item);
            }
            items.shrink_to(KEPT_CAPACITY);
            room = items;
            self.append();
            self.purge();
            for done in flushes {
                // The caller may have stopped waiting.
                let _ = done.send(());
            }
            if is_over {
                return self.end();
            }
        }
    }

    /// Stores what is pending: in one batch, or as much of it as there is room for.
    fn append(&mut self) {
        // A store that failed is tried with one record: writing many to a full disk, each time, would be in vain.
        let is_failing = self.shared.failing.lock().is_some();
        let mut most = if is_failing { 1 } else { usize::MAX };
        let mut is_any = false;
        while !self.pending.is_empty() {
            let part = self.pending.take_first(most);
            let count = RecordCount::of_batch(&part);
            let part = Arc::new(part);
            let appended = self.store.append(Arc::clone(&part));
            let appended = self.runtime.block_on(appended);
            let Err(failure) = appended else {
                is_any = true;
                self.stored(count);
                most = most.saturating_mul(4);
                continue;
            };
            let mut part = Arc::unwrap_or_clone(part);
            part.append(&mut self.pending);
            self.pending = part;
            let longest = count.entries.max(count.reports);
            if failure != StoreError::Full || longest <= 1 {
                return self.failed(failure);
            }
            most = usize::try_from(longest / 2).unwrap_or(usize::MAX);
        }
        if is_any {
            self.recovered();
        }
    }

    fn stored(&mut self, count: RecordCount) {
        self.since_purge += usize::try_from(count.entries + count.reports).unwrap_or(usize::MAX);
        self.shared.tally.lock().open.remove(count);
    }

    /// The store accepts everything, maybe again.
    fn recovered(&mut self) {
        if self.shared.failing.lock().take().is_none() {
            return;
        }
        self.warned = OncePerMinute::default();
        let lost = self.shared.tally.lock().lost;
        tracing::warn!(
            lost_entries = lost.entries,
            lost_reports = lost.reports,
            "the store takes the records of calls again"
        );
    }

    /// Logs that the store rejects records, at most once a minute.
    fn failed(&mut self, failure: StoreError) {
        if self.warned.is_due(self.started.elapsed()) {
            let lost = self.shared.tally.lock().lost;
            tracing::error!(
                waiting = self.shared.queue.waiting(),
                lost_entries = lost.entries,
                lost_reports = lost.reports,
                "the records of calls cannot be kept: {failure}; {}. Calls go on",
                failure.fix()
            );
        }
        *self.shared.failing.lock() = Some(failure);
    }

    /// Deletes old records: after many new ones, every ten minutes, and at the first use of the store.
    fn purge(&mut self) {
        let now = self.started.elapsed();
        let is_long = self
            .purged_at
            .is_none_or(|at| now.saturating_sub(at) >= PURGE_INTERVAL);
        if self.since_purge < PURGE_COUNT && !is_long || self.shared.failing.lock().is_some() {
            return;
        }
        self.since_purge = 0;
        self.purged_at = Some(now);
        let wall = Timestamp::now();
        if self.ages.read(wall, now) {
            tracing::warn!(
                "the system clock jumped; for an hour no records are deleted for their age"
            );
        }
        let keep = if self.ages.is_believed() {
            self.keep
        } else {
            of_any_age(self.keep)
        };
        let purged = self.runtime.block_on(self.store.purge(keep, wall));
        if let Err(failure) = purged {
            tracing::warn!("old records cannot be deleted: {failure}");
        }
    }

    /// The time of the newest record that does not depend on a clock that has not run evenly for long enough.
    fn newest(&self, wall: Timestamp) -> Newest {
        let until = wall.checked_sub(PROBATION).unwrap_or(Timestamp::MIN);
        match self.runtime.block_on(self.store.newest(until)) {
            Ok(newest) => newest.map_or(Newest::None, Newest::At),
            Err(_) => Newest::Unknown,
        }
    }

    /// Counts the records that could not be stored before the end as lost.
    fn end(self) {
        let failure = self.shared.failing.lock().take();
        let reason = failure.map_or_else(|| "the end came first".to_owned(), |it| it.to_string());
        self.shared.give_up(&reason);
    }
}

impl KeeperState {
    /// Adds the audit entry and the report of a call to a batch.
    fn add_to(&self, batch: &mut Batch, item: QueueItem) {
        let count = RecordCount::of_item(&item);
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
            Err(_) => self.tally.lock().lose(count),
        }
    }
}

/// The same limits without the ages.
fn of_any_age(mut keep: Retention) -> Retention {
    keep.audit = RetentionLimit::new(keep.audit.count, Duration::MAX);
    keep.reports = RetentionLimit::new(keep.reports.count, Duration::MAX);
    keep
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
const PURGE_INTERVAL: Duration = Duration::from_mins(10);

/// After how many new records old ones are deleted. Each time counts the whole store.
const PURGE_COUNT: usize = 2048;

const MINUTE: Duration = Duration::from_mins(1);

/// How long a shutdown waits for the store.
const MAX_SHUTDOWN: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_logged_at_once_and_then_once_a_minute() {
        let mut limit = OncePerMinute::default();
        let mut logged = Vec::new();
        // The store is tried each second.
        for second in 0..=300 {
            if limit.is_due(Duration::from_secs(second)) {
                logged.push(second);
            }
        }
        assert_eq!(logged, [0, 60, 120, 180, 240, 300]);
    }
}
