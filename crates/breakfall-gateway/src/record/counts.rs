//! The counters of calls, by upstream, outcome and origin.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use breakfall::code::Origin;

use super::event::CallEvent;
use super::histogram::DurationHistogram;
use crate::store::StoreError;
use breakfall_mcp::sync::Mutex;

/// The counters since the start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Calls, ordered by upstream, outcome and origin.
    pub calls: Vec<Count>,
    /// Durations of calls, retries and waits included.
    pub call_durations: Vec<CallDurations>,
    /// Durations of single attempts.
    pub attempt_durations: Vec<CallDurations>,
    /// How often each upstream was restarted because it was stuck.
    pub stuck: Vec<(Arc<str>, u64)>,
    /// How often each kind of limit has refused a call of each upstream.
    pub limited: Vec<(Arc<str>, LimitKind, u64)>,
    /// Audit entries that are lost.
    pub lost_entries: u64,
    /// Reports that are lost.
    pub lost_reports: u64,
    /// Calls whose record is not stored yet.
    pub waiting: u64,
    /// Why the store accepts nothing, if it does not.
    pub failing: Option<StoreError>,
}

/// A limit that refuses calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the limits there are")]
pub enum LimitKind {
    /// A rate limit.
    Rate,
    /// A quota, also one that cannot be checked.
    Quota,
    /// A limit that the server has stated.
    Learned,
}

impl LimitKind {
    /// The label in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Quota => "quota",
            Self::Learned => "learned",
        }
    }
}

/// The durations of calls or attempts with the same upstream and outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallDurations {
    /// The upstream.
    pub upstream: Arc<str>,
    /// `success`, `failed`, `cancelled`, and for calls `asks`.
    pub outcome: &'static str,
    /// The durations.
    pub histogram: DurationHistogram,
}

/// Calls with the same upstream, outcome and origin.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// The upstream.
    pub upstream: Arc<str>,
    /// A code, or `success`, `asks`, `cancelled`.
    pub end: &'static str,
    /// The origin of a failure.
    pub origin: Option<Origin>,
    /// The number of calls.
    pub calls: u64,
    /// Requests to servers for them.
    pub attempts: u64,
    /// Their warnings.
    pub warnings: u64,
    /// Their total duration.
    pub took: Duration,
}

impl Counts {
    /// All calls, failed calls, and how often each code occurred, the most frequent first.
    ///
    /// ```
    /// use breakfall_gateway::record::Recorder;
    ///
    /// assert_eq!(Recorder::off().counts().summed_up(), (0, 0, Vec::new()));
    /// ```
    pub fn summed_up(&self) -> (u64, u64, Vec<(&'static str, u64)>) {
        let all = self.calls.iter().map(|count| count.calls).sum();
        let mut codes: BTreeMap<&'static str, u64> = BTreeMap::new();
        // Every failure has an origin.
        for count in self.calls.iter().filter(|count| count.origin.is_some()) {
            *codes.entry(count.end).or_default() += count.calls;
        }
        let mut codes: Vec<(&str, u64)> = codes.into_iter().collect();
        codes.sort_by_key(|(_, calls)| Reverse(*calls));
        let failed = codes.iter().map(|(_, calls)| calls).sum();
        (all, failed, codes)
    }
}

type CountKey = (Arc<str>, &'static str, Option<Origin>);

#[derive(Debug, Default)]
pub(super) struct Counters(Mutex<CounterTable>);

#[derive(Debug, Default)]
struct CounterTable {
    counts: BTreeMap<CountKey, Count>,
    call_durations: DurationTable,
    attempt_durations: DurationTable,
    /// By upstream. They are few.
    stuck: BTreeMap<Arc<str>, u64>,
    limited: BTreeMap<(Arc<str>, LimitKind), u64>,
}

#[derive(Debug, Default)]
struct DurationTable(BTreeMap<(Arc<str>, &'static str), DurationHistogram>);

impl DurationTable {
    fn observe(&mut self, upstream: &Arc<str>, outcome: &'static str, duration: Duration) {
        let mut key = (Arc::clone(upstream), outcome);
        if self.0.len() >= MAX_COUNTS && !self.0.contains_key(&key) {
            key.0 = "other".into();
        }
        self.0.entry(key).or_default().observe(duration);
    }

    fn durations(&self) -> Vec<CallDurations> {
        let all = self.0.iter().map(|((upstream, outcome), histogram)| {
            let upstream = Arc::clone(upstream);
            let histogram = histogram.clone();
            CallDurations {
                upstream,
                outcome,
                histogram,
            }
        });
        all.collect()
    }
}

impl Counters {
    pub(super) fn add(&self, event: &CallEvent) {
        let mut table = self.0.lock();
        table.count(event);
        table.observe(event);
    }

    pub(super) fn add_stuck(&self, upstream: &Arc<str>) {
        let mut table = self.0.lock();
        *table.stuck.entry(Arc::clone(upstream)).or_default() += 1;
    }

    pub(super) fn add_limited(&self, upstream: &Arc<str>, kind: LimitKind) {
        let mut table = self.0.lock();
        let key = (Arc::clone(upstream), kind);
        *table.limited.entry(key).or_default() += 1;
    }

    /// Copies the counters.
    pub(super) fn copy_to(&self, counts: &mut Counts) {
        let table = self.0.lock();
        counts.calls = table.counts.values().cloned().collect();
        counts.call_durations = table.call_durations.durations();
        counts.attempt_durations = table.attempt_durations.durations();
        let stuck = table.stuck.iter();
        counts.stuck = stuck
            .map(|(upstream, times)| (Arc::clone(upstream), *times))
            .collect();
        let limited = table.limited.iter();
        counts.limited = limited
            .map(|((upstream, kind), times)| (Arc::clone(upstream), *kind, *times))
            .collect();
    }
}

impl CounterTable {
    fn count(&mut self, event: &CallEvent) {
        let upstream = Arc::clone(&event.upstream);
        let mut key: CountKey = (upstream, event.outcome.as_str(), event.outcome.origin());
        // Upstreams and codes are few. If they are not, the counters must not grow without bound.
        if self.counts.len() >= MAX_COUNTS && !self.counts.contains_key(&key) {
            key = ("other".into(), "other", None);
        }
        let count = self.counts.entry(key).or_insert_with_key(|key| Count {
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

    fn observe(&mut self, event: &CallEvent) {
        let upstream = &event.upstream;
        let outcome = event.outcome.class();
        self.call_durations.observe(upstream, outcome, event.took);
        for attempt in &event.attempt_records {
            let outcome = attempt.outcome.as_str();
            self.attempt_durations
                .observe(upstream, outcome, attempt.duration);
        }
    }
}

/// How many series each table has at most.
const MAX_COUNTS: usize = 4096;
