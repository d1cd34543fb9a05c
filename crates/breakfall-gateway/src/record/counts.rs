//! How many calls came to what.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use breakfall::code::Origin;

use super::event::Event;
use crate::store::StoreError;

/// What was counted since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Calls, by server, by what they came to and by whose doing it was, in that order.
    pub calls: Vec<Count>,
    /// Entries of the audit trail that are lost.
    pub lost_entries: u64,
    /// Reports that are lost.
    pub lost_reports: u64,
    /// Calls that wait to be kept.
    pub waiting: u64,
    /// Why the store does not take them, if it does not.
    pub failing: Option<StoreError>,
}

/// Calls that came to the same.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// The server.
    pub upstream: Arc<str>,
    /// A code, or `success`, `asks`, `cancelled`.
    pub end: &'static str,
    /// Whose doing a failure was.
    pub origin: Option<Origin>,
    /// How many there were.
    pub calls: u64,
    /// How often servers were asked for them.
    pub attempts: u64,
    /// How many warnings they had.
    pub warnings: u64,
    /// How long they took, together.
    pub took: Duration,
}

impl Counts {
    /// All calls, those that failed, and how often each code was the reason, the most frequent first.
    ///
    /// ```
    /// use breakfall_gateway::record::Recorder;
    ///
    /// assert_eq!(Recorder::off().counts().summed_up(), (0, 0, Vec::new()));
    /// ```
    pub fn summed_up(&self) -> (u64, u64, Vec<(&'static str, u64)>) {
        let all = self.calls.iter().map(|count| count.calls).sum();
        let mut codes: BTreeMap<&'static str, u64> = BTreeMap::new();
        // Whatever failed was somebody's doing.
        for count in self.calls.iter().filter(|count| count.origin.is_some()) {
            *codes.entry(count.end).or_default() += count.calls;
        }
        let mut codes: Vec<(&str, u64)> = codes.into_iter().collect();
        codes.sort_by_key(|(_, calls)| Reverse(*calls));
        let failed = codes.iter().map(|(_, calls)| calls).sum();
        (all, failed, codes)
    }
}

type Key = (Arc<str>, &'static str, Option<Origin>);

#[derive(Debug, Default)]
pub(super) struct Counters(Mutex<BTreeMap<Key, Count>>);

impl Counters {
    pub(super) fn add(&self, event: &Event) {
        let upstream = Arc::clone(&event.upstream);
        let mut key: Key = (upstream, event.end.as_str(), event.end.origin());
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Servers and codes are few. If they are not, it is better to know less than to grow without end.
        if counts.len() >= MOST && !counts.contains_key(&key) {
            key = ("other".into(), "other", None);
        }
        let count = counts.entry(key).or_insert_with_key(|key| Count {
            upstream: Arc::clone(&key.0),
            end: key.1,
            origin: key.2,
            calls: 0,
            attempts: 0,
            warnings: 0,
            took: Duration::ZERO,
        });
        count.calls += 1;
        count.attempts += u64::from(event.attempts);
        count.warnings += event.warnings.len() as u64;
        count.took = count.took.saturating_add(event.took);
    }

    pub(super) fn snapshot(&self) -> Vec<Count> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.values().cloned().collect()
    }
}

const MOST: usize = 4096;
