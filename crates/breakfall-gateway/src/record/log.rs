//! The log line of a call.

use std::sync::LazyLock;
use std::time::Duration;

use breakfall::disclose::{Audience, Redactor};
use tracing::Level;

use super::counts::Counts;
use super::event::{CallEvent, CallOutcome, Evidence};
use super::sink::CallRecord;

/// Logs a call.
pub(super) fn say(call: &CallRecord<'_>) {
    let event = &*call.event;
    let CallOutcome::Failed { code, origin } = event.outcome else {
        tracing::debug!(
            upstream = &*event.upstream,
            operation = &*event.tool,
            id = event.id.as_str(),
            attempts = retried(event),
            took_ms = millis(event.took),
            warnings = (!event.warnings.is_empty()).then_some(event.warnings.len()),
            principal = event.principal.as_deref(),
            trace_id = event
                .trace
                .map(|trace| tracing::field::display(trace.trace_id())),
            "{}",
            event.outcome.as_str()
        );
        return;
    };
    if !tracing::enabled!(Level::WARN) {
        return;
    }
    tracing::warn!(
        upstream = &*event.upstream,
        operation = &*event.tool,
        origin = origin.as_str(),
        attempts = retried(event),
        took_ms = millis(event.took),
        principal = event.principal.as_deref(),
        trace_id = event
            .trace
            .map(|trace| tracing::field::display(trace.trace_id())),
        "{}",
        call.words().unwrap_or_else(|| code.name())
    );
}

/// The report on a failure, without credentials. A long answer of the server is left out if it is stored.
pub(super) fn words(evidence: &Evidence, is_kept: bool) -> String {
    let report = evidence.fault.report();
    let report = if is_kept && evidence.original.is_some() {
        report.brief()
    } else {
        report
    };
    OPERATOR.text(&report.to_string()).into_owned()
}

/// Logs the sums of all calls, if there were any.
pub(super) fn sum_up(counts: &Counts) {
    let (calls, failed, codes) = counts.summed_up();
    if calls == 0 {
        return;
    }
    let told = codes.iter().take(MAX_CODES);
    let told = told.map(|(code, calls)| format!("{code} {calls}"));
    let told: Vec<String> = told.collect();
    tracing::info!(
        calls,
        failed,
        codes = (!told.is_empty()).then(|| told.join(", ")),
        "summary of calls"
    );
}

const MAX_CODES: usize = 20;

/// The number of attempts, if there was more than one.
fn retried(event: &CallEvent) -> Option<u32> {
    (event.attempts > 1).then_some(event.attempts)
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Removes credentials, also from the log.
pub(super) static OPERATOR: LazyLock<Redactor> =
    LazyLock::new(|| Redactor::new(Audience::Operator));
