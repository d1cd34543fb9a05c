//! How many calls may be made in a time.

mod gcra;
mod learned;

use std::time::Duration;

use breakfall::{Fault, Timestamp};
use tokio::time::Instant;

use super::bounded::BoundedMap;
use crate::config::{CountedBy, LimitScope, RateWindow};
use breakfall_mcp::sync::Mutex;

pub use crate::config::RateLimit;
pub use gcra::{Gcra, RateLeft, RateRefusal, RateState};
pub use learned::{LearnedLimits, UpstreamLimited};

/// The calls taken from the rate of one scope: by all clients together, and by each principal.
#[derive(Debug)]
pub struct RateStates {
    shared: Mutex<RateState>,
    by_principal: BoundedMap<Mutex<RateState>>,
}

impl Default for RateStates {
    fn default() -> Self {
        Self {
            shared: Mutex::default(),
            by_principal: BoundedMap::with_capacity(MAX_PRINCIPALS),
        }
    }
}

impl RateStates {
    /// Takes a call. A limit that changes keeps what was taken before.
    ///
    /// ```
    /// use breakfall_gateway::config::{LimitScope, RateLimit, RateWindow};
    /// use breakfall_gateway::resilience::rate::RateStates;
    /// use tokio::time::Instant;
    ///
    /// let (states, now) = (RateStates::default(), Instant::now());
    /// let limit = RateLimit::new(1, RateWindow::Minute);
    /// assert!(states.take(&limit, None, now).is_ok());
    /// let refused = states.take(&limit, Some("ann"), now).expect_err("all clients share it");
    /// assert_eq!(refused.limit, 1);
    /// ```
    ///
    /// # Errors
    /// When no call is left, or there are too many principals to count each.
    pub fn take(
        &self,
        limit: &RateLimit,
        principal: Option<&str>,
        now: Instant,
    ) -> Result<RateLeft, RateExceeded> {
        let gcra = gcra(limit);
        let exceeded = |refusal: RateRefusal| RateExceeded {
            limit: limit.requests,
            window: limit.per,
            refusal,
        };
        let Some(principal) = principal.filter(|_| limit.by == CountedBy::Principal) else {
            return gcra.take(&mut self.shared.lock(), now).map_err(exceeded);
        };
        let is_idle = |state: &Mutex<RateState>| state.lock().is_idle(now);
        let own = self
            .by_principal
            .find_or(principal, now, Mutex::default, is_idle);
        let own = own.ok_or_else(|| exceeded(UNCOUNTED))?;
        let taken = gcra.take(&mut own.lock(), now);
        taken.map_err(exceeded)
    }

    /// Whether no call was taken that still counts.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        let all = self.by_principal.all();
        self.shared.lock().is_idle(now) && all.iter().all(|(_, one)| one.lock().is_idle(now))
    }
}

fn gcra(limit: &RateLimit) -> Gcra {
    Gcra::new(limit.requests, limit.per.length(), limit.burst())
}

/// No call is left in a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RateExceeded {
    /// How many calls the window allows.
    pub limit: u32,
    /// The window.
    pub window: RateWindow,
    /// When there is one again.
    pub refusal: RateRefusal,
}

impl RateExceeded {
    /// The fault for the caller. The call was not made.
    pub fn fault(&self, scope: &LimitScope, upstream: &str, now: Timestamp) -> Fault {
        Fault::rate_limited(u64::from(self.limit), self.window.window())
            .detail("remaining", 0)
            .resets_at(later(now, self.refusal.resets_after))
            .retry_after(self.refusal.retry_after)
            .detail("scope", scope.name(upstream))
            .detail("executed", "no")
    }
}

/// A time, or the last one there is.
pub(super) fn later(now: Timestamp, wait: Duration) -> Timestamp {
    now.checked_add(wait).unwrap_or(Timestamp::MAX)
}

/// How many principals are counted apart.
const MAX_PRINCIPALS: usize = 1 << 20;

/// What a principal is told who cannot be counted: the map is searched for room once in a second.
const UNCOUNTED: RateRefusal = RateRefusal {
    retry_after: Duration::from_secs(1),
    resets_after: Duration::from_secs(1),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_that_cannot_be_counted_is_refused() {
        let states = RateStates {
            by_principal: BoundedMap::with_capacity(1),
            ..RateStates::default()
        };
        let mut limit = RateLimit::new(10, RateWindow::Second);
        limit.by = CountedBy::Principal;
        let now = Instant::now();
        assert!(states.take(&limit, Some("ann"), now).is_ok());
        assert!(states.take(&limit, Some("bob"), now).is_err());
        assert!(states.take(&limit, Some("ann"), now).is_ok());
        // What is the same as new makes room.
        let later = now + Duration::from_secs(2);
        assert!(states.take(&limit, Some("bob"), later).is_ok());
    }
}
