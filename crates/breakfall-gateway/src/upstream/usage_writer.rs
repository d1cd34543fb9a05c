//! Stores what quotas count: behind the calls, within a tenth of a second.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{sleep, timeout};

use crate::resilience::quota::{Amount, PendingUsage, QuotaCounters};
use crate::store::{CounterAddition, Store, StoreError};

/// Stores the counters of quotas. Clones share their state.
///
/// ```
/// use breakfall_gateway::upstream::UsageWriter;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// // Without a store counters are kept in memory.
/// runtime.block_on(UsageWriter::default().flush());
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct UsageWriter(Arc<WriterState>);

#[derive(Debug, Default)]
struct WriterState {
    counters: Arc<QuotaCounters>,
    store: Option<Arc<dyn Store>>,
    /// Whether a task will store what is pending.
    is_scheduled: AtomicBool,
    is_failing: AtomicBool,
    /// One at a time writes.
    writing: Mutex<()>,
}

impl UsageWriter {
    /// Stores these counters.
    pub fn new(counters: Arc<QuotaCounters>, store: Option<Arc<dyn Store>>) -> Self {
        Self(Arc::new(WriterState {
            counters,
            store,
            ..WriterState::default()
        }))
    }

    /// The counters.
    pub fn counters(&self) -> &Arc<QuotaCounters> {
        &self.0.counters
    }

    /// Reads what was used before.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn read(&self, unread: Vec<PendingUsage>) -> Result<(), StoreError> {
        // What another task is writing would be counted twice.
        let _writing = self.0.writing.lock().await;
        let done = self.0.write(unread).await;
        self.0.report(done.as_ref().err().map(|(error, _)| error));
        done.map_err(|(error, _)| error)
    }

    /// Stores what is pending soon.
    pub fn schedule(&self) {
        let state = &self.0;
        if !state.counters.has_pending() || state.is_scheduled.swap(true, Ordering::AcqRel) {
            return;
        }
        let writer = self.clone();
        tokio::spawn(async move {
            let mut wait = INTERVAL;
            loop {
                sleep(wait).await;
                writer.0.is_scheduled.store(false, Ordering::Release);
                writer.flush().await;
                let is_done = !writer.0.counters.has_pending();
                if is_done || writer.0.is_scheduled.swap(true, Ordering::AcqRel) {
                    return;
                }
                wait = if writer.0.is_failing.load(Ordering::Relaxed) {
                    AFTER_FAILURE
                } else {
                    INTERVAL
                };
            }
        });
    }

    /// Stores what is pending before the process ends. A store that hangs does not keep it from ending.
    pub async fn finish(&self) {
        let _ = timeout(LAST_WRITE, self.flush()).await;
    }

    /// Stores what is pending now.
    pub async fn flush(&self) {
        let state = &self.0;
        let _writing = state.writing.lock().await;
        let pending = state.counters.take_pending();
        if pending.is_empty() {
            return;
        }
        match state.write(pending).await {
            Ok(()) => state.report(None),
            Err((error, pending)) => {
                state.counters.put_back(pending);
                state.report(Some(&error));
            }
        }
    }
}

impl WriterState {
    /// Adds to the stored counters. On failure what was to be added is returned.
    async fn write(
        &self,
        pending: Vec<PendingUsage>,
    ) -> Result<(), (StoreError, Vec<PendingUsage>)> {
        let values = match &self.store {
            None => vec![Amount(0); pending.len()],
            Some(store) => {
                let additions = pending.iter().map(|one| CounterAddition {
                    key: one.key().clone(),
                    window: one.window(),
                    amount: one.amount(),
                });
                match store.add_usage(additions.collect()).await {
                    Ok(values) => values,
                    Err(error) => return Err((error, pending)),
                }
            }
        };
        for (one, value) in pending.into_iter().zip(values) {
            one.stored(value);
        }
        Ok(())
    }

    /// Logs when storing begins to fail, and when it works again.
    fn report(&self, error: Option<&StoreError>) {
        let was_failing = self.is_failing.swap(error.is_some(), Ordering::Relaxed);
        match error {
            Some(error) if !was_failing => tracing::error!(
                "quotas cannot be stored: {error}; calls that are not counted yet in this window are refused"
            ),
            None if was_failing => tracing::info!("quotas are stored again"),
            Some(_) | None => {}
        }
    }
}

/// How long a count waits in memory at most. Processes that share a store exceed a quota by no more than the calls of this time.
const INTERVAL: Duration = Duration::from_millis(50);

/// How long the last write may take.
const LAST_WRITE: Duration = Duration::from_secs(2);

/// How long a store that fails is left alone.
const AFTER_FAILURE: Duration = Duration::from_secs(1);
