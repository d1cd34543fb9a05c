//! The thread that keeps what calls leave behind, many at a time.

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

use super::counts::{Count, Counts};
use super::queue::{Held, Item, Queue, Taken, USUAL_COUNT};
use super::{entry, report};
use crate::config::Retention;
use crate::store::{Batch, Store, StoreError};

/// Whoever keeps things. Dropping it waits a moment until everything is kept.
#[derive(Debug)]
pub(super) struct Keeper {
    shared: Arc<Shared>,
    ended: Mutex<mpsc::Receiver<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Queue,
    lost_entries: AtomicU64,
    lost_reports: AtomicU64,
    failing: Mutex<Option<StoreError>>,
}

impl Keeper {
    /// Starts it.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(super) fn start(store: Arc<dyn Store>, keep: Retention) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let (end, ended) = mpsc::channel();
        let work = Work {
            shared: Arc::clone(&shared),
            store,
            keep,
            runtime: runtime::Builder::new_current_thread().build()?,
            unkept: Batch::default(),
            since_purge: 0,
            purged_at: Timestamp::UNIX_EPOCH,
            told: Minutely::default(),
        };
        thread::Builder::new()
            .name("breakfall-record".to_owned())
            .spawn(move || {
                work.run();
                // Perhaps nobody waits.
                let _ = end.send(());
            })?;
        Ok(Self {
            shared,
            ended: Mutex::new(ended),
        })
    }

    /// Leaves a call with it.
    pub(super) fn put(&self, item: Item) {
        let (entry, report) = (item.input.is_some(), item.evidence.is_some());
        if !self.shared.queue.put(item) {
            self.shared.lose(u64::from(entry), u64::from(report));
        }
    }

    /// Waits until everything up to here is kept, or cannot be.
    pub(super) async fn flush(&self) {
        let (done, kept) = oneshot::channel();
        self.shared.queue.flush(done);
        // It ends only with us, or with a defect.
        let _ = kept.await;
    }

    pub(super) fn counts(&self, calls: Vec<Count>) -> Counts {
        Counts {
            calls,
            lost_entries: self.shared.lost_entries.load(Ordering::Relaxed),
            lost_reports: self.shared.lost_reports.load(Ordering::Relaxed),
            waiting: self.shared.queue.waiting() as u64,
            failing: self.shared.failing().clone(),
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.shared.queue.close();
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        // A store that does not answer does not keep us.
        let _ = ended.recv_timeout(LAST_WORDS);
    }
}

impl Shared {
    fn lose(&self, entries: u64, reports: u64) {
        self.lost_entries.fetch_add(entries, Ordering::Relaxed);
        self.lost_reports.fetch_add(reports, Ordering::Relaxed);
    }

    fn failing(&self) -> std::sync::MutexGuard<'_, Option<StoreError>> {
        self.failing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the thread has.
struct Work {
    shared: Arc<Shared>,
    store: Arc<dyn Store>,
    keep: Retention,
    runtime: Runtime,
    /// What the store did not take.
    unkept: Batch,
    since_purge: usize,
    purged_at: Timestamp,
    told: Minutely,
}

/// Something that is said once a minute, as long as it is true.
#[derive(Debug, Default)]
struct Minutely(Option<Timestamp>);

impl Minutely {
    /// Whether it is time to say it, which it is not for a minute then.
    fn is_due(&mut self, now: Timestamp) -> bool {
        let is_said = self.0.is_some_and(|at| now.duration_since(at) < MINUTE);
        if !is_said {
            self.0 = Some(now);
        }
        !is_said
    }
}

impl Work {
    fn run(mut self) {
        let mut room = Vec::new();
        loop {
            let held = held(&self.unkept);
            let patience = if held.count > 0 { AGAIN } else { PURGE };
            let Taken {
                mut items,
                flushes,
                is_over,
            } = self.shared.queue.take(held, room, patience);
            let mut batch = mem::take(&mut self.unkept);
            for item in items.drain(..) {
                self.shared.turn(item, &mut batch);
            }
            items.shrink_to(USUAL_COUNT);
            room = items;
            self.append(batch);
            self.purge();
            for done in flushes {
                // Whoever asked may have gone.
                let _ = done.send(());
            }
            if is_over {
                return self.give_up();
            }
        }
    }

    /// Keeps a batch, or keeps it for the next time.
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
                    self.told = Minutely::default();
                    let lost = self.shared.lost_entries.load(Ordering::Relaxed);
                    tracing::warn!(
                        lost_entries = lost,
                        "the store takes the records of calls again"
                    );
                }
            }
            Err(failure) => {
                self.unkept = Arc::unwrap_or_clone(batch);
                self.tell(&failure);
                *self.shared.failing() = Some(failure);
            }
        }
    }

    /// Tells that the store does not take what calls leave: once a minute, for calls go on.
    fn tell(&mut self, failure: &StoreError) {
        if !self.told.is_due(Timestamp::now()) {
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

    /// Lets go of what is too much or too old: now and then, and when the store is first used.
    fn purge(&mut self) {
        let now = Timestamp::now();
        let is_long = now.duration_since(self.purged_at) >= LONG;
        if self.since_purge < MANY && !is_long || self.shared.failing().is_some() {
            return;
        }
        self.since_purge = 0;
        self.purged_at = now;
        let purged = self.runtime.block_on(self.store.purge(self.keep, now));
        if let Err(failure) = purged {
            tracing::warn!("what is too old could not be let go of: {failure}");
        }
    }

    /// There is no next time.
    fn give_up(self) {
        let Batch { entries, reports } = self.unkept;
        if entries.is_empty() && reports.is_empty() {
            return;
        }
        let (entries, reports) = (entries.len(), reports.len());
        self.shared.lose(entries as u64, reports as u64);
        tracing::error!(entries, reports, "the records of the last calls are lost");
    }
}

impl Shared {
    /// Makes of a call what is kept of it.
    fn turn(&self, item: Item, batch: &mut Batch) {
        let (is_entry, is_report) = (item.input.is_some(), item.evidence.is_some());
        // A defect in here must not take the records of all later calls with it.
        let turned = catch_unwind(AssertUnwindSafe(|| {
            let Item {
                event,
                input,
                evidence,
                said,
            } = item;
            let entry = input.map(|input| entry::of(&event, input));
            let report = evidence.map(|evidence| report::of(&event, evidence, said));
            (entry, report)
        }));
        match turned {
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

/// When to try again what the store did not take.
const AGAIN: Duration = Duration::from_secs(1);

/// How often old things are looked for, if nothing happens.
const PURGE: Duration = Duration::from_mins(10);
const LONG: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);

/// After how many new things old ones are looked for. Looking costs as much as counting what is kept.
const MANY: usize = 2048;

const MINUTE: jiff::SignedDuration = jiff::SignedDuration::from_mins(1);

/// How long the end may take.
const LAST_WORDS: Duration = Duration::from_secs(2);

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn losses_are_told_at_once_and_then_once_a_minute() {
        let start = Timestamp::UNIX_EPOCH;
        let mut told = Minutely::default();
        let mut said = Vec::new();
        // The store is tried again each second.
        for second in 0..=300 {
            if told.is_due(start + SignedDuration::from_secs(second)) {
                said.push(second);
            }
        }
        assert_eq!(said, [0, 60, 120, 180, 240, 300]);
    }
}
