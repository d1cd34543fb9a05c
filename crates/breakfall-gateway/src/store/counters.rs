//! The counters of quotas, shared by all processes that use a store.

use std::fmt;

use jiff::Timestamp;

use super::StoreFuture;
use crate::resilience::quota::{Amount, CalendarWindow, CounterKey};

/// A store of counters. Every operation is atomic.
pub trait CounterStore: fmt::Debug + Send + Sync {
    /// Adds to counters, all of them or none, and returns their values after it in the same order. Adding zero reads one.
    fn add_usage(&self, additions: Vec<CounterAddition>) -> StoreFuture<Vec<Amount>>;

    /// The counters of a scope whose windows a time lies in, by principal and metric.
    fn usage(&self, scope: &str, now: Timestamp) -> StoreFuture<Vec<StoredCounter>>;
}

/// An addition to the counter of one window.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct CounterAddition {
    /// The counter.
    pub key: CounterKey,
    /// Its window.
    pub window: CalendarWindow,
    /// How much is added.
    pub amount: Amount,
}

/// The counter of one window.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "stores construct it")]
pub struct StoredCounter {
    /// What is counted.
    pub key: CounterKey,
    /// Its window.
    pub window: CalendarWindow,
    /// How much is used.
    pub used: Amount,
}

/// How long counters are kept after the end of their window, so that a clock that is set back finds them.
pub(super) const KEPT_AFTER_END: jiff::SignedDuration = jiff::SignedDuration::from_hours(24);
