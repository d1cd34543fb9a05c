//! The retry budget of a server.
//!
//! A maximum for each call is not enough: when a server is down, every call fails, and three attempts each triple the
//! load on a server that is overloaded already. So the calls to a server share a budget. Each call adds a share of a
//! retry to it, a retry takes a whole one, and with an empty budget failures are not retried. While few calls fail, the
//! budget has no effect.

use std::time::Duration;

use tokio::time::Instant;

/// The retries that the calls to one server may still make.
///
/// ```
/// use breakfall_gateway::resilience::budget::Budget;
/// use tokio::time::Instant;
///
/// let now = Instant::now();
/// let mut budget = Budget::new(now);
/// for _ in 0..Budget::MAX_RETRIES {
///     assert!(budget.take(now));
/// }
/// assert!(!budget.take(now));
/// for _ in 0..Budget::CALLS_FOR_ONE {
///     budget.called(now);
/// }
/// assert!(budget.take(now));
/// ```
#[derive(Debug, Clone)]
pub struct Budget {
    /// In shares of a retry, so that integers are exact.
    shares: u64,
    /// The time up to which shares were added.
    paid_until: Instant,
}

impl Budget {
    /// The maximum and initial number of retries.
    pub const MAX_RETRIES: u32 = 10;

    /// The number of calls that add one retry.
    pub const CALLS_FOR_ONE: u32 = 10;

    /// The time that adds one retry, so that servers with few calls have one when they need it.
    pub const TIME_FOR_ONE: Duration = Duration::from_secs(10);

    /// A full budget.
    pub fn new(now: Instant) -> Self {
        Self {
            shares: FULL,
            paid_until: now,
        }
    }

    /// Adds the share of a call's first attempt.
    pub fn called(&mut self, now: Instant) {
        self.pay_time(now);
        self.pay(ONE / u64::from(Self::CALLS_FOR_ONE));
    }

    /// Takes a retry; false if the budget is empty.
    #[must_use]
    pub fn take(&mut self, now: Instant) -> bool {
        self.pay_time(now);
        match self.shares.checked_sub(ONE) {
            Some(rest) => {
                self.shares = rest;
                true
            }
            None => false,
        }
    }

    fn pay_time(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.paid_until);
        // Whole milliseconds; the remainder is added the next time.
        let millis = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
        if millis > 0 {
            self.paid_until += Duration::from_millis(millis);
            self.pay(millis.saturating_mul(A_MILLISECOND));
        }
    }

    fn pay(&mut self, shares: u64) {
        self.shares = self.shares.saturating_add(shares).min(FULL);
    }
}

/// The shares that a millisecond adds.
const A_MILLISECOND: u64 = 1;

/// The shares of a retry: the number of milliseconds that add one.
const ONE: u64 = 10_000;

const FULL: u64 = ONE * Budget::MAX_RETRIES as u64;

const _: () = assert!(Budget::TIME_FOR_ONE.as_millis() == (ONE / A_MILLISECOND) as u128);
const _: () = assert!(ONE.is_multiple_of(Budget::CALLS_FOR_ONE as u64));
