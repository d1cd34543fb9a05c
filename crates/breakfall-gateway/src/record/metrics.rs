//! The metrics page, in the `OpenMetrics` text format.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use breakfall::redact::{Audience, Redactor};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeCounterValue, EncodeGaugeValue, NoLabelSet,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::Registry;

use super::counts::{CallDurations, Count, Counts, LimitKind};
use super::histogram::DurationHistogram;
use crate::resilience::breaker::BreakerState;

/// The state of the service at the time of a scrape.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the service sets every field")]
pub struct Gauges {
    /// Open sessions of HTTP clients.
    pub sessions: usize,
    /// Open connections of HTTP clients.
    pub connections: usize,
    /// Running server processes.
    pub processes: usize,
}

/// All metrics of the gateway.
///
/// `breakers` are upstreams and their tools with a breaker; tools that no server lists have no name here, and share a label.
/// Without `is_named`, the page names neither upstreams nor tools.
///
/// ```
/// use breakfall_gateway::record::{Gauges, Recorder, metrics};
///
/// let text = metrics(&Recorder::off().counts(), &[], Gauges::default(), true);
/// assert!(text.contains("breakfall_audit_entries_lost_total 0\n"), "{text}");
/// assert!(text.contains("breakfall_sessions 0\n"), "{text}");
/// ```
pub fn metrics(
    counts: &Counts,
    breakers: &[(&str, Option<&str>, BreakerState)],
    gauges: Gauges,
    is_named: bool,
) -> String {
    let scrape = Scrape {
        calls: summed(&counts.calls, is_named),
        call_durations: merged(&counts.call_durations, is_named),
        attempt_durations: merged(&counts.attempt_durations, is_named),
        breakers: is_named.then(|| breaker_states(breakers)),
        stuck: stuck_servers(&counts.stuck, is_named),
        limited: limited_calls(&counts.limited, is_named),
        lost_entries: counts.lost_entries,
        lost_reports: counts.lost_reports,
        waiting: counts.waiting,
        is_failing: counts.failing.is_some(),
        gauges,
    };
    let mut registry = Registry::default();
    registry.register_collector(Box::new(scrape));
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = encode(&mut page, &registry);
    page
}

/// The content type of the page.
pub const METRICS_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

type Labels = Vec<(&'static str, String)>;

/// The values of one scrape.
#[derive(Debug)]
struct Scrape {
    calls: BTreeMap<Labels, CallSums>,
    call_durations: BTreeMap<Labels, DurationHistogram>,
    attempt_durations: BTreeMap<Labels, DurationHistogram>,
    breakers: Option<BTreeMap<Labels, u8>>,
    stuck: BTreeMap<Labels, u64>,
    limited: BTreeMap<Labels, u64>,
    lost_entries: u64,
    lost_reports: u64,
    waiting: u64,
    is_failing: bool,
    gauges: Gauges,
}

impl Collector for Scrape {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut page = MetricsPage(encoder);
        self.calls(&mut page)?;
        self.durations(&mut page)?;
        self.records(&mut page)?;
        page.gauge(
            "breakfall_sessions",
            "Open sessions of HTTP clients",
            self.gauges.sessions,
        )?;
        page.gauge(
            "breakfall_connections",
            "Open connections of HTTP clients",
            self.gauges.connections,
        )?;
        page.gauge(
            "breakfall_processes",
            "Running server processes",
            self.gauges.processes,
        )?;
        let stuck = self.stuck.iter().map(|(labels, times)| (labels, *times));
        page.counters(
            "breakfall_stuck_servers",
            "Servers that were restarted because they did not answer",
            stuck,
        )?;
        let limited = self.limited.iter().map(|(labels, calls)| (labels, *calls));
        page.counters(
            "breakfall_limited_calls",
            "Calls refused by rate limits, quotas and limits that servers have stated",
            limited,
        )?;
        let Some(breakers) = &self.breakers else {
            return Ok(());
        };
        let states = breakers.iter().map(|(labels, state)| (labels, *state));
        page.gauges(
            "breakfall_breaker_state",
            "State of circuit breakers: 0 closed, 1 open, 2 half open",
            states.map(|(labels, state)| (labels, u32::from(state))),
        )
    }
}

impl Scrape {
    fn calls(&self, page: &mut MetricsPage<'_>) -> fmt::Result {
        let calls = &self.calls;
        page.counters(
            "breakfall_calls",
            "Calls of tools, by outcome and origin of the failure",
            calls.iter().map(|(labels, sums)| (labels, sums.calls)),
        )?;
        page.counters(
            "breakfall_attempts",
            "Requests to servers for these calls, retries included",
            calls.iter().map(|(labels, sums)| (labels, sums.attempts)),
        )?;
        page.counters(
            "breakfall_warnings",
            "Warnings on successful calls",
            calls.iter().map(|(labels, sums)| (labels, sums.warnings)),
        )?;
        page.counters(
            "breakfall_call_seconds",
            "Total duration of these calls",
            calls.iter().map(|(labels, sums)| (labels, sums.seconds)),
        )
    }

    fn durations(&self, page: &mut MetricsPage<'_>) -> fmt::Result {
        page.histograms(
            "breakfall_call_duration_seconds",
            "Duration of calls, retries and waits included",
            &self.call_durations,
        )?;
        page.histograms(
            "breakfall_attempt_duration_seconds",
            "Duration of single requests to servers",
            &self.attempt_durations,
        )
    }

    fn records(&self, page: &mut MetricsPage<'_>) -> fmt::Result {
        page.counter(
            "breakfall_audit_entries_lost",
            "Audit entries that could not be stored",
            self.lost_entries,
        )?;
        page.counter(
            "breakfall_reports_lost",
            "Private reports that could not be stored",
            self.lost_reports,
        )?;
        page.gauge(
            "breakfall_records_waiting",
            "Calls whose record is not stored yet",
            self.waiting,
        )?;
        page.gauge(
            "breakfall_store_failing",
            "1 while the store accepts nothing",
            u32::from(self.is_failing),
        )
    }
}

/// The families of one scrape.
struct MetricsPage<'a>(DescriptorEncoder<'a>);

impl MetricsPage<'_> {
    fn counter(&mut self, name: &str, help: &str, value: u64) -> fmt::Result {
        let none = Labels::default();
        self.counters(name, help, [(&none, value)])
    }

    fn counters<'l>(
        &mut self,
        name: &str,
        help: &str,
        all: impl IntoIterator<Item = (&'l Labels, impl EncodeCounterValue)>,
    ) -> fmt::Result {
        let mut family = self
            .0
            .encode_descriptor(name, help, None, MetricType::Counter)?;
        for (labels, value) in all {
            if labels.is_empty() {
                family.encode_counter::<NoLabelSet, _, u64>(&value, None)?;
                continue;
            }
            let mut series = family.encode_family(labels)?;
            series.encode_counter::<NoLabelSet, _, u64>(&value, None)?;
        }
        Ok(())
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl EncodeGaugeValue) -> fmt::Result {
        let none = Labels::default();
        self.gauges(name, help, [(&none, value)])
    }

    fn gauges<'l>(
        &mut self,
        name: &str,
        help: &str,
        all: impl IntoIterator<Item = (&'l Labels, impl EncodeGaugeValue)>,
    ) -> fmt::Result {
        let mut family = self
            .0
            .encode_descriptor(name, help, None, MetricType::Gauge)?;
        for (labels, value) in all {
            if labels.is_empty() {
                family.encode_gauge(&value)?;
                continue;
            }
            family.encode_family(labels)?.encode_gauge(&value)?;
        }
        Ok(())
    }

    fn histograms<'l>(
        &mut self,
        name: &str,
        help: &str,
        all: impl IntoIterator<Item = (&'l Labels, &'l DurationHistogram)>,
    ) -> fmt::Result {
        let mut family = self
            .0
            .encode_descriptor(name, help, None, MetricType::Histogram)?;
        for (labels, histogram) in all {
            let (sum, count) = (histogram.sum().as_secs_f64(), histogram.count());
            let buckets: Vec<(f64, u64)> = histogram.buckets().collect();
            if labels.is_empty() {
                family.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)?;
                continue;
            }
            let mut series = family.encode_family(labels)?;
            series.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)?;
        }
        Ok(())
    }
}

fn breaker_states(breakers: &[(&str, Option<&str>, BreakerState)]) -> BTreeMap<Labels, u8> {
    let operator = Redactor::new(Audience::Operator);
    let mut states: BTreeMap<Labels, u8> = BTreeMap::new();
    for (upstream, tool, state) in breakers {
        // The name of a listed tool may hold a secret.
        let tool = tool.map_or(UNLISTED.into(), |tool| operator.text(tool));
        let labels = vec![
            ("upstream", (*upstream).to_owned()),
            ("tool", tool.into_owned()),
        ];
        let worst = states.entry(labels).or_default();
        *worst = match (*worst, state.gauge()) {
            (OPEN, _) | (_, OPEN) => OPEN,
            (one, other) => one.max(other),
        };
    }
    states
}

/// The label of tools that no server lists.
const UNLISTED: &str = "(unlisted)";
/// Of several breakers under one label, an open one counts.
const OPEN: u8 = 1;

/// The sums of calls with the same labels.
#[derive(Debug, Default)]
struct CallSums {
    calls: u64,
    attempts: u64,
    warnings: u64,
    seconds: f64,
}

fn summed(calls: &[Count], is_named: bool) -> BTreeMap<Labels, CallSums> {
    let mut all: BTreeMap<Labels, CallSums> = BTreeMap::new();
    for count in calls {
        let upstream = is_named.then(|| ("upstream", count.upstream.to_string()));
        let origin = count
            .origin
            .map(|origin| ("origin", origin.as_str().to_owned()));
        let end = ("end", count.end.to_owned());
        let labels = upstream.into_iter().chain([end]).chain(origin);
        let sums = all.entry(labels.collect()).or_default();
        sums.calls += count.calls;
        sums.attempts += count.attempts;
        sums.warnings += count.warnings;
        sums.seconds += count.took.as_secs_f64();
    }
    all
}

fn stuck_servers(stuck: &[(Arc<str>, u64)], is_named: bool) -> BTreeMap<Labels, u64> {
    let mut all = BTreeMap::new();
    for (upstream, times) in stuck {
        let upstream = is_named.then(|| ("upstream", upstream.to_string()));
        *all.entry(Labels::from_iter(upstream)).or_default() += times;
    }
    all
}

fn limited_calls(limited: &[(Arc<str>, LimitKind, u64)], is_named: bool) -> BTreeMap<Labels, u64> {
    let mut all = BTreeMap::new();
    for (upstream, kind, calls) in limited {
        let upstream = is_named.then(|| ("upstream", upstream.to_string()));
        let labels = upstream
            .into_iter()
            .chain([("limit", kind.as_str().to_owned())]);
        *all.entry(labels.collect()).or_default() += calls;
    }
    all
}

fn merged(all: &[CallDurations], is_named: bool) -> BTreeMap<Labels, DurationHistogram> {
    let mut merged: BTreeMap<Labels, DurationHistogram> = BTreeMap::new();
    for durations in all {
        let upstream = is_named.then(|| ("upstream", durations.upstream.to_string()));
        let outcome = ("outcome", durations.outcome.to_owned());
        let labels = upstream.into_iter().chain([outcome]).collect();
        let histogram = merged.entry(labels).or_default();
        histogram.merge(&durations.histogram);
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlisted_tools_share_a_label_and_no_secret_is_one() {
        let secret = format!("ghp_{}", "abcdefghij0123456789abcdefghij012345");
        let breakers = [
            ("s", Some("buy"), BreakerState::HalfOpen),
            ("s", None, BreakerState::Closed),
            ("s", None, BreakerState::Open),
            ("s", None, BreakerState::HalfOpen),
            ("s", Some(&*secret), BreakerState::Closed),
        ];
        let page = metrics(&Counts::default(), &breakers, Gauges::default(), true);
        let series: Vec<_> = page
            .lines()
            .filter(|line| line.starts_with("breakfall_breaker_state{"))
            .collect();
        assert_eq!(series.len(), 3, "{series:?}");
        for line in [
            r#"breakfall_breaker_state{upstream="s",tool="buy"} 2"#,
            r#"breakfall_breaker_state{upstream="s",tool="(unlisted)"} 1"#,
        ] {
            assert!(series.contains(&line), "{series:?}");
        }
        assert!(!page.contains(&secret), "{series:?}");
    }
}
