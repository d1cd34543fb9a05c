//! How many retries there may be at all.
//!
//! A maximum for each call is not enough: when a server is down, every call fails, and three attempts each make three
//! times the load on a server that has enough to do already. So the calls to a server share a purse. Each call pays a
//! little into it, a retry takes a whole coin out, and an empty purse means that failures are told at once. As long as
//! few calls fail nobody notices it.

use std::time::Duration;

use tokio::time::Instant;

/// The retries the calls to one server may still make.
///
/// ```
/// use breakfall_gateway::resilience::budget::Budget;
/// use tokio::time::Instant;
///
/// let now = Instant::now();
/// let mut budget = Budget::new(now);
/// for _ in 0..Budget::MOST {
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
    /// In shares of a retry, so that nothing is lost in fractions.
    shares: u64,
    /// Until when time has been paid in.
    paid_until: Instant,
}

impl Budget {
    /// How many retries can be saved up, and how many there are at first.
    pub const MOST: u32 = 10;

    /// How many calls pay for a retry.
    pub const CALLS_FOR_ONE: u32 = 10;

    /// How much time pays for a retry: whoever calls now and then has one when it is needed.
    pub const TIME_FOR_ONE: Duration = Duration::from_secs(10);

    /// A full one.
    pub fn new(now: Instant) -> Self {
        Self {
            shares: FULL,
            paid_until: now,
        }
    }

    /// A call is made for the first time.
    pub fn called(&mut self, now: Instant) {
        self.pay_time(now);
        self.pay(ONE / u64::from(Self::CALLS_FOR_ONE));
    }

    /// Takes a retry out; false if there is none.
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
        // Whole milliseconds; the rest of one is paid the next time.
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

/// What a millisecond pays.
const A_MILLISECOND: u64 = 1;

/// The shares of a retry: as many as the milliseconds that pay for it.
const ONE: u64 = 10_000;

const FULL: u64 = ONE * Budget::MOST as u64;

const _: () = assert!(Budget::TIME_FOR_ONE.as_millis() == (ONE / A_MILLISECOND) as u128);
const _: () = assert!(ONE.is_multiple_of(Budget::CALLS_FOR_ONE as u64));
