//! How many calls may be under way at once, and how many may wait for that.
//!
//! Not every server can do a thousand things at a time, and one slow tool must not take all there is. Who finds no
//! place waits for a while in a queue that has an end, and is told when there is none.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use breakfall::{Fault, codes};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use super::bounded::Bounded;

pub use crate::config::ConcurrencyPolicy as Policy;

/// Places for calls.
#[derive(Debug)]
pub struct Bulkhead {
    policy: Policy,
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
}

impl Bulkhead {
    /// As many as the policy says.
    ///
    /// ```
    /// use std::time::Duration;
    /// use breakfall_gateway::resilience::bulkhead::{Bulkhead, Policy};
    ///
    /// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    /// # runtime.block_on(async {
    /// let bulkhead = Bulkhead::new(Policy::new(1));
    /// let place = bulkhead.enter(Duration::MAX).await.expect("there is room");
    /// assert!(bulkhead.enter(Duration::MAX).await.is_err());
    /// drop(place);
    /// assert!(bulkhead.enter(Duration::MAX).await.is_ok());
    /// # });
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(policy: Policy) -> Self {
        let most = policy.limit.min(Semaphore::MAX_PERMITS);
        Self {
            policy,
            places: Arc::new(Semaphore::new(most)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Takes a place, and waits for one if it must: in order, and no longer than the caller has time.
    ///
    /// # Errors
    /// When there is none in time, or too many wait already.
    pub async fn enter(&self, left: Duration) -> Result<Place, Overloaded> {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(Place { _held: place });
        }
        let full = Overloaded {
            limit: self.policy.limit,
        };
        let Some(_waiting) = self.queue() else {
            return Err(full);
        };
        let place = Arc::clone(&self.places).acquire_owned();
        match timeout(self.policy.wait.min(left), place).await {
            Ok(Ok(place)) => Ok(Place { _held: place }),
            // Nobody closes it; and whoever has waited long enough goes.
            Ok(Err(_)) | Err(_) => Err(full),
        }
    }

    /// How many calls are under way.
    pub fn in_flight(&self) -> usize {
        let most = self.policy.limit.min(Semaphore::MAX_PERMITS);
        most - self.places.available_permits()
    }

    /// How many wait.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    fn queue(&self) -> Option<Waiting<'_>> {
        let most = self.policy.queue;
        let join = |waiting| (waiting < most).then_some(waiting + 1);
        let joined = self
            .waiting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, join);
        joined.ok().map(|_| Waiting(&self.waiting))
    }

    fn is_idle(&self) -> bool {
        self.in_flight() == 0 && self.waiting() == 0
    }
}

/// Somebody in the queue, who leaves it whatever happens: a caller may give up.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A place, as long as it is kept.
#[derive(Debug)]
#[must_use]
pub struct Place {
    _held: OwnedSemaphorePermit,
}

/// There is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Overloaded {
    /// How many calls may be under way, and are.
    pub limit: usize,
}

impl Overloaded {
    /// What the caller is told. Nothing was done.
    pub fn fault(&self, service: &str) -> Fault {
        Fault::new(codes::UNAVAILABLE_OVERLOADED)
            .detail("service", service)
            .detail("in_flight", self.limit)
            .detail("limit", self.limit)
            .detail("executed", "no")
    }
}

/// The places of one server: those all tools share, and those of tools that have their own.
#[derive(Debug, Default)]
pub struct Bulkheads {
    shared: OnceLock<Bulkhead>,
    own: Bounded<Bulkhead>,
}

impl Bulkheads {
    /// Takes a place among those all tools share. The first policy it hears of is the one that counts.
    ///
    /// # Errors
    /// When there is none in time, or too many wait already.
    pub async fn enter(&self, policy: &Policy, left: Duration) -> Result<Place, Overloaded> {
        let shared = self.shared.get_or_init(|| Bulkhead::new(*policy));
        shared.enter(left).await
    }

    /// Takes a place among those of one tool, which takes none of the others'.
    ///
    /// # Errors
    /// When there is none in time, or too many wait already.
    pub async fn enter_own(
        &self,
        tool: &str,
        policy: &Policy,
        left: Duration,
        now: Instant,
    ) -> Result<Place, Overloaded> {
        let make = || Bulkhead::new(*policy);
        match self.own.find_or(tool, now, make, Bulkhead::is_idle) {
            Some(own) => own.enter(left).await,
            // There are too many names to count them one by one.
            None => self.enter(policy, left).await,
        }
    }
}
