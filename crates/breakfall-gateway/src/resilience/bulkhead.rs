//! How many calls may be in flight at once, and how many may wait for room.
//!
//! A slow tool must not take everything a server has. A call that finds no room waits in a bounded queue for a bounded time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use breakfall::{Fault, codes};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::bounded::BoundedMap;
use breakfall_mcp::sync::Mutex;

pub use crate::config::ConcurrencyPolicy;

/// A concurrency limit. Its policy may change while calls are in flight: they stay counted.
#[derive(Debug)]
pub struct Bulkhead {
    policy: Mutex<ConcurrencyPolicy>,
    permits: Arc<Semaphore>,
    /// Permits above a lowered limit, which are withdrawn as calls end.
    surplus: Arc<AtomicUsize>,
    waiting: AtomicUsize,
}

impl Bulkhead {
    /// A limit that no call has entered.
    ///
    /// ```
    /// use std::time::Duration;
    /// use breakfall_gateway::resilience::bulkhead::{Bulkhead, ConcurrencyPolicy};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    /// # runtime.block_on(async {
    /// let bulkhead = Bulkhead::new(ConcurrencyPolicy::new(1));
    /// let permit = bulkhead.enter(Duration::MAX).await.expect("there is room");
    /// assert!(bulkhead.enter(Duration::MAX).await.is_err());
    /// drop(permit);
    /// assert!(bulkhead.enter(Duration::MAX).await.is_ok());
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(policy: ConcurrencyPolicy) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(permits(&policy))),
            policy: Mutex::new(policy),
            surplus: Arc::default(),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Changes the policy. A lower limit takes effect as calls end.
    pub fn set_policy(&self, policy: ConcurrencyPolicy) {
        let mut current = self.policy.lock();
        let (before, after) = (permits(&current), permits(&policy));
        *current = policy;
        if after < before {
            let fewer = before - after;
            let withdrawn = self.permits.forget_permits(fewer);
            self.surplus.fetch_add(fewer - withdrawn, Ordering::AcqRel);
            return;
        }
        for _ in before..after {
            if !withdraw(&self.surplus) {
                self.permits.add_permits(1);
            }
        }
    }

    /// Enters, and waits for room if it must: in order, and no longer than the caller has time.
    ///
    /// # Errors
    /// When no permit is free in time, or the queue is full.
    pub async fn enter(&self, remaining: Duration) -> Result<BulkheadPermit, BulkheadFull> {
        if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
            return Ok(self.permit(permit));
        }
        let policy = *self.policy.lock();
        let full = BulkheadFull {
            limit: policy.limit,
        };
        let Some(_waiting) = self.queue(policy.queue) else {
            return Err(full);
        };
        let permit = Arc::clone(&self.permits).acquire_owned();
        match timeout(policy.wait.min(remaining), permit).await {
            Ok(Ok(permit)) => Ok(self.permit(permit)),
            // The semaphore is never closed.
            Ok(Err(_)) | Err(_) => Err(full),
        }
    }

    /// The number of calls in flight.
    pub fn in_flight(&self) -> usize {
        let policy = self.policy.lock();
        let all = permits(&policy) + self.surplus.load(Ordering::Acquire);
        all - self.permits.available_permits()
    }

    /// The number of calls that wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn permit(&self, permit: OwnedSemaphorePermit) -> BulkheadPermit {
        BulkheadPermit {
            permit: Some(permit),
            surplus: Arc::clone(&self.surplus),
        }
    }

    fn queue(&self, limit: usize) -> Option<QueueEntry<'_>> {
        let join = |waiting| (waiting < limit).then_some(waiting + 1);
        let joined = self
            .waiting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, join);
        joined.ok().map(|_| QueueEntry(&self.waiting))
    }

    fn is_idle(&self) -> bool {
        self.in_flight() == 0 && self.waiting() == 0
    }
}

/// The permits of a limit.
fn permits(policy: &ConcurrencyPolicy) -> usize {
    policy.limit.min(Semaphore::MAX_PERMITS)
}

/// Withdraws one permit above the limit, if there is one.
fn withdraw(surplus: &AtomicUsize) -> bool {
    let fewer = |surplus: usize| surplus.checked_sub(1);
    let withdrawn = surplus.fetch_update(Ordering::AcqRel, Ordering::Acquire, fewer);
    withdrawn.is_ok()
}

/// A call that waits. It leaves the queue also when it is cancelled.
struct QueueEntry<'a>(&'a AtomicUsize);

impl Drop for QueueEntry<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A call in flight. Dropping it makes room.
#[derive(Debug)]
#[must_use]
pub struct BulkheadPermit {
    permit: Option<OwnedSemaphorePermit>,
    surplus: Arc<AtomicUsize>,
}

impl Drop for BulkheadPermit {
    fn drop(&mut self) {
        if withdraw(&self.surplus)
            && let Some(permit) = self.permit.take()
        {
            permit.forget();
        }
    }
}

/// The concurrency limit and its queue are full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BulkheadFull {
    /// The limit that is reached.
    pub limit: usize,
}

impl BulkheadFull {
    /// The fault for the caller. The call was not made.
    pub fn fault(&self, service: &str) -> Fault {
        Fault::new(codes::UNAVAILABLE_OVERLOADED)
            .detail("service", service)
            .detail("in_flight", self.limit)
            .detail("limit", self.limit)
            .detail("executed", "no")
    }
}

/// Which calls a concurrency limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "matched in full where a call enters"
)]
pub enum BulkheadScope {
    /// No limit.
    Unlimited,
    /// The calls of all tools of the upstream.
    Upstream(ConcurrencyPolicy),
    /// The calls of this tool.
    Tool(ConcurrencyPolicy),
}

/// The limits of one upstream: the one its tools share, and those of single tools.
#[derive(Debug, Default)]
pub struct Bulkheads {
    shared: OnceLock<Bulkhead>,
    own: BoundedMap<Bulkhead>,
}

impl Bulkheads {
    /// Enters the limit for a call of a tool, and waits for room if it must.
    ///
    /// # Errors
    /// When no permit is free in time, or the queue is full.
    pub async fn enter(
        &self,
        tool: &str,
        scope: BulkheadScope,
        remaining: Duration,
    ) -> Result<Option<BulkheadPermit>, BulkheadFull> {
        let policy = match scope {
            BulkheadScope::Unlimited => return Ok(None),
            BulkheadScope::Upstream(policy) => policy,
            BulkheadScope::Tool(policy) => {
                let make = || Bulkhead::new(policy);
                let now = Instant::now();
                if let Some(own) = self.own.find_or(tool, now, make, Bulkhead::is_idle) {
                    return own.enter_with(&policy, remaining).await.map(Some);
                }
                // There are too many names to count each.
                policy
            }
        };
        let shared = self.shared.get_or_init(|| Bulkhead::new(policy));
        shared.enter_with(&policy, remaining).await.map(Some)
    }

    /// Whether no call has entered a limit, or waits for one.
    pub(super) fn is_idle(&self) -> bool {
        let own = self.own.all();
        self.shared.get().is_none_or(Bulkhead::is_idle) && own.iter().all(|(_, own)| own.is_idle())
    }
}

impl Bulkhead {
    async fn enter_with(
        &self,
        policy: &ConcurrencyPolicy,
        remaining: Duration,
    ) -> Result<BulkheadPermit, BulkheadFull> {
        if *self.policy.lock() != *policy {
            self.set_policy(*policy);
        }
        self.enter(remaining).await
    }
}
