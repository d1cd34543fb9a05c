//! What was counted, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};
use std::time::Duration;

use breakfall::disclose::{Audience, Redactor};

use super::counts::{Count, Counts};
use crate::resilience::breaker::BreakerState;

/// What was counted and how the breakers are, in the text format of Prometheus.
///
/// `breakers` are servers and their tools with a breaker; those no server lists have no name here, and share a label. Without names nothing is told by server or tool.
///
/// ```
/// use breakfall_gateway::record::{Recorder, metrics};
///
/// let text = metrics(&Recorder::off().counts(), &[], true);
/// assert!(text.contains("breakfall_audit_entries_lost_total 0\n"), "{text}");
/// ```
pub fn metrics(
    counts: &Counts,
    breakers: &[(&str, Option<&str>, BreakerState)],
    is_named: bool,
) -> String {
    let mut page = Page::default();
    calls(&mut page, &summed(&counts.calls, is_named));
    records(&mut page, counts);
    if is_named {
        states(&mut page, breakers);
    }
    page.0
}

fn calls(page: &mut Page, calls: &BTreeMap<Labels, Sum>) {
    let each = |of: fn(&Sum) -> f64| calls.iter().map(move |(labels, sum)| (labels, of(sum)));
    page.counter(
        "breakfall_calls_total",
        "Calls of tools, by what they came to and whose doing a failure was.",
        each(|sum| float(sum.calls)),
    );
    page.counter(
        "breakfall_attempts_total",
        "How often servers were asked for them.",
        each(|sum| float(sum.attempts)),
    );
    page.counter(
        "breakfall_warnings_total",
        "Warnings they carried.",
        each(|sum| float(sum.warnings)),
    );
    page.counter(
        "breakfall_call_seconds_total",
        "How long they took, together.",
        each(|sum| sum.took.as_secs_f64()),
    );
}

fn records(page: &mut Page, counts: &Counts) {
    let none = Labels::default();
    page.counter(
        "breakfall_audit_entries_lost_total",
        "Entries of the audit trail that could not be kept.",
        [(&none, float(counts.lost_entries))],
    );
    page.counter(
        "breakfall_reports_lost_total",
        "Private reports that could not be kept.",
        [(&none, float(counts.lost_reports))],
    );
    page.gauge(
        "breakfall_records_waiting",
        "Calls whose record is not kept yet.",
        [(&none, float(counts.waiting))],
    );
    let is_failing = u8::from(counts.failing.is_some());
    page.gauge(
        "breakfall_store_failing",
        "1 while the store takes nothing.",
        [(&none, f64::from(is_failing))],
    );
}

fn states(page: &mut Page, breakers: &[(&str, Option<&str>, BreakerState)]) {
    let operator = Redactor::new(Audience::Operator);
    let mut states: BTreeMap<Labels, u8> = BTreeMap::new();
    for (upstream, tool, state) in breakers {
        // A server may list what nobody should read.
        let tool = tool.map_or(UNLISTED.into(), |tool| operator.text(tool));
        let labels = vec![
            ("upstream", (*upstream).to_owned()),
            ("tool", tool.into_owned()),
        ];
        let worst = states.entry(Labels(labels)).or_default();
        *worst = match (*worst, state.gauge()) {
            (OPEN, _) | (_, OPEN) => OPEN,
            (one, other) => one.max(other),
        };
    }
    page.gauge(
        "breakfall_breaker_state",
        "Whether tools are left alone: 0 closed, 1 open, 2 half open.",
        states
            .iter()
            .map(|(labels, gauge)| (labels, f64::from(*gauge))),
    );
}

/// Tools no server lists.
const UNLISTED: &str = "(unlisted)";
/// Of several breakers, one that is open counts.
const OPEN: u8 = 1;

/// What calls with the same labels came to.
#[derive(Debug, Default)]
struct Sum {
    calls: u64,
    attempts: u64,
    warnings: u64,
    took: Duration,
}

fn summed(calls: &[Count], is_named: bool) -> BTreeMap<Labels, Sum> {
    let mut sums: BTreeMap<Labels, Sum> = BTreeMap::new();
    for count in calls {
        let upstream = is_named.then(|| ("upstream", count.upstream.to_string()));
        let origin = count
            .origin
            .map(|origin| ("origin", origin.as_str().to_owned()));
        let end = ("end", count.end.to_owned());
        let labels = upstream.into_iter().chain([end]).chain(origin);
        let sum = sums.entry(Labels(labels.collect())).or_default();
        sum.calls += count.calls;
        sum.attempts += count.attempts;
        sum.warnings += count.warnings;
        sum.took = sum.took.saturating_add(count.took);
    }
    sums
}

/// Good enough for whole numbers nobody counts to.
#[expect(
    clippy::cast_precision_loss,
    reason = "what is counted is exact up to 2^53"
)]
fn float(count: u64) -> f64 {
    count as f64
}

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Labels(Vec<(&'static str, String)>);

impl Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut before = '{';
        for (name, value) in &self.0 {
            write!(f, "{before}{name}=\"")?;
            for one in value.chars() {
                match one {
                    '\\' => f.write_str("\\\\")?,
                    '"' => f.write_str("\\\"")?,
                    '\n' => f.write_str("\\n")?,
                    other => f.write_char(other)?,
                }
            }
            f.write_char('"')?;
            before = ',';
        }
        f.write_char('}')
    }
}

#[derive(Default)]
struct Page(String);

impl Page {
    fn counter<'a>(
        &mut self,
        name: &str,
        help: &str,
        all: impl IntoIterator<Item = (&'a Labels, f64)>,
    ) {
        self.family(name, "counter", help, all);
    }

    fn gauge<'a>(
        &mut self,
        name: &str,
        help: &str,
        all: impl IntoIterator<Item = (&'a Labels, f64)>,
    ) {
        self.family(name, "gauge", help, all);
    }

    fn family<'a>(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        all: impl IntoIterator<Item = (&'a Labels, f64)>,
    ) {
        // Writing to a text does not fail.
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (labels, value) in all {
            let _ = writeln!(self.0, "{name}{labels} {value}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_nobody_lists_share_a_label_and_no_secret_is_one() {
        let secret = format!("ghp_{}", "abcdefghij0123456789abcdefghij012345");
        let breakers = [
            ("s", Some("buy"), BreakerState::HalfOpen),
            ("s", None, BreakerState::Closed),
            ("s", None, BreakerState::Open),
            ("s", None, BreakerState::HalfOpen),
            ("s", Some(&*secret), BreakerState::Closed),
        ];
        let mut page = Page::default();
        states(&mut page, &breakers);
        let series: Vec<_> = page
            .0
            .lines()
            .filter(|line| !line.starts_with('#'))
            .collect();
        assert_eq!(series.len(), 3, "{series:?}");
        for line in [
            r#"breakfall_breaker_state{upstream="s",tool="buy"} 2"#,
            r#"breakfall_breaker_state{upstream="s",tool="(unlisted)"} 1"#,
        ] {
            assert!(series.contains(&line), "{series:?}");
        }
        assert!(!page.0.contains(&secret), "{series:?}");
    }
}
