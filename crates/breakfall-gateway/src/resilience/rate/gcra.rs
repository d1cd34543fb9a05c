//! The generic cell rate algorithm: a leaky bucket as one point in time.
//!
//! Each call takes an interval. The state is the time at which all intervals taken so far are over; a call is admitted
//! unless that is more than `burst` intervals ahead. So in any stretch of time no more than `burst` calls are admitted and
//! one for each whole interval in it.

use std::time::Duration;

use tokio::time::Instant;

/// A rate: one call in an interval, and so many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gcra {
    interval: Duration,
    burst: u32,
}

impl Gcra {
    /// So many calls in a time, and so many of them at once. Zero counts as one.
    ///
    /// ```
    /// use std::time::Duration;
    /// use breakfall_gateway::resilience::rate::{Gcra, RateState};
    /// use tokio::time::Instant;
    ///
    /// let gcra = Gcra::new(60, Duration::from_secs(60), 2);
    /// let (mut state, now) = (RateState::default(), Instant::now());
    /// assert_eq!(gcra.take(&mut state, now).map(|left| left.remaining), Ok(1));
    /// assert_eq!(gcra.take(&mut state, now).map(|left| left.remaining), Ok(0));
    /// let refused = gcra.take(&mut state, now).expect_err("no call is left");
    /// assert_eq!(refused.retry_after, Duration::from_secs(1));
    /// assert_eq!(refused.resets_after, Duration::from_secs(2));
    /// ```
    pub fn new(requests: u32, per: Duration, burst: u32) -> Self {
        // Rounded up, so that the rate is never exceeded.
        let nanos = per.as_nanos().div_ceil(u128::from(requests.max(1)));
        let nanos = u64::try_from(nanos).unwrap_or(u64::MAX);
        Self {
            interval: Duration::from_nanos(nanos.max(1)),
            burst: burst.max(1),
        }
    }

    /// The time a call takes.
    pub const fn interval(&self) -> Duration {
        self.interval
    }

    /// Takes a call.
    ///
    /// # Errors
    /// When none is left. The state does not change.
    pub fn take(&self, state: &mut RateState, now: Instant) -> Result<RateLeft, RateRefusal> {
        let full = self.interval.saturating_mul(self.burst);
        let taken = state.taken(now);
        let after = taken.saturating_add(self.interval);
        if after > full {
            return Err(RateRefusal {
                retry_after: after.saturating_sub(full),
                resets_after: taken,
            });
        }
        state.free_at = Some(now + after);
        let left = full.saturating_sub(after).as_nanos() / self.interval.as_nanos();
        Ok(RateLeft {
            remaining: u32::try_from(left).unwrap_or(u32::MAX),
            resets_after: after,
        })
    }

    /// How many calls are left.
    pub fn remaining(&self, state: &RateState, now: Instant) -> u32 {
        let full = self.interval.saturating_mul(self.burst);
        let left = full.saturating_sub(state.taken(now)).as_nanos() / self.interval.as_nanos();
        u32::try_from(left).unwrap_or(u32::MAX)
    }
}

/// The calls taken from one rate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RateState {
    /// When all of them are over.
    free_at: Option<Instant>,
}

impl RateState {
    /// The time that calls have taken in advance.
    fn taken(&self, now: Instant) -> Duration {
        self.free_at.map_or(Duration::ZERO, |free_at| {
            free_at.saturating_duration_since(now)
        })
    }

    /// Whether it is the same as a new one.
    pub(super) fn is_idle(&self, now: Instant) -> bool {
        self.taken(now).is_zero()
    }
}

/// What is left of a rate after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "what a rate says about a call")]
pub struct RateLeft {
    /// How many calls may be made at once now.
    pub remaining: u32,
    /// After which time all are left again.
    pub resets_after: Duration,
}

/// No call is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "what a rate says about a call")]
pub struct RateRefusal {
    /// After which time one is left.
    pub retry_after: Duration,
    /// After which time all are left again.
    pub resets_after: Duration,
}
