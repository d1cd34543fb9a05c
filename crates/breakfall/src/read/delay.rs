//! When to try again. Pure: time and chance are arguments.

use std::time::Duration;

use jiff::Timestamp;

use super::Reading;
use crate::code::Retry;
use crate::fault::Public;
use crate::fault::reserved::LONGEST_WAIT;

/// Exponential backoff with jitter, for faults that may be retried and do not say when.
#[derive(Debug, Clone, Copy, PartialEq)]
#[must_use]
pub struct Backoff {
    base: Duration,
    cap: Duration,
    retries: u32,
}

impl Default for Backoff {
    /// Three retries, from one second, doubling, up to a minute.
    fn default() -> Self {
        Self {
            base: Duration::from_secs(1),
            cap: Duration::from_mins(1),
            retries: 3,
        }
    }
}

impl Backoff {
    /// A first delay, the longest delay, and how many retries at most.
    pub const fn new(base: Duration, cap: Duration, retries: u32) -> Self {
        Self { base, cap, retries }
    }

    /// How long to wait before the retry after `attempt` earlier retries, or nothing if there should be none.
    ///
    /// `chance` is a random number from 0 up to 1. A stated wait is never shortened: the jitter only adds to it. An
    /// unstated one is multiplied by 0.5 to 1.5.
    pub fn delay(
        &self,
        public: &Public,
        attempt: u32,
        chance: f64,
        now: Timestamp,
    ) -> Option<Duration> {
        let chance = if chance.is_finite() {
            chance.clamp(0.0, 1.0)
        } else {
            0.5
        };
        let retries = match public.retry() {
            Retry::Never | Retry::AfterChange => return None,
            Retry::Once => self.retries.min(1),
            Retry::Backoff | Retry::After => self.retries,
        };
        if attempt >= retries {
            return None;
        }
        if let Some(wait) = stated(public, now) {
            return Some(wait.saturating_add(wait.mul_f64(0.1 * chance)));
        }
        let doubled = self.base.saturating_mul(2_u32.saturating_pow(attempt));
        // Bounded once more, since a cap without an end would not survive the multiplication.
        let capped = doubled.min(self.cap).min(LONGEST_WAIT);
        Some(capped.mul_f64(0.5 + chance))
    }
}

/// The wait the fault states: a duration, or the moment a limit resets.
fn stated(public: &Public, now: Timestamp) -> Option<Duration> {
    public.retry_after().or_else(|| {
        let at: Timestamp = public.details().text("resets_at")?.parse().ok()?;
        Duration::try_from(at.duration_since(now)).ok()
    })
}

impl Reading {
    /// How long to wait before repeating the call, or nothing if it should not be repeated as it is: see
    /// [`Backoff::delay`], and [`Reading::advice`] for what to do then.
    pub fn delay(&self, attempt: u32, chance: f64, now: Timestamp) -> Option<Duration> {
        let public = self.outcome.fault()?.public();
        let may_repeat = self.may_repeat(public);
        may_repeat.then(|| Backoff::default().delay(public, attempt, chance, now))?
    }
}
