//! The log line of a call.

use std::time::Duration;

use tracing::Level;

use super::counts::Counts;
use super::event::{CallEvent, CallOutcome, Evidence};
use super::sink::CallRecord;
use breakfall_mcp::error::OPERATOR_REDACTOR;

/// The line of a call that did not fail. The level of a line is a constant.
macro_rules! say_outcome {
    ($level:ident, $event:expr) => {
        tracing::$level!(
            target: TARGET,
            upstream = &*$event.upstream,
            operation = &*$event.tool,
            id = $event.id.as_str(),
            attempts = retried($event),
            took_ms = millis($event.took),
            warnings = (!$event.warnings.is_empty()).then_some($event.warnings.len()),
            principal = $event.principal.as_deref(),
            trace_id = $event
                .trace
                .map(|trace| tracing::field::display(trace.trace_id())),
            "call {}",
            $event.outcome.as_str()
        )
    };
}

/// The level of the log lines about calls that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "other levels have other uses")]
pub enum SuccessLevel {
    /// For a service, whose log is its access log.
    Info,
    /// For a wrapper, whose log is mixed into that of a client.
    #[default]
    Debug,
}

/// Logs a call.
pub(super) fn say(call: &CallRecord<'_>, successes: SuccessLevel) {
    let event = &*call.event;
    let CallOutcome::Failed { code, origin } = event.outcome else {
        return match successes {
            SuccessLevel::Info => say_outcome!(info, event),
            SuccessLevel::Debug => say_outcome!(debug, event),
        };
    };
    if !tracing::enabled!(Level::WARN) {
        return;
    }
    tracing::warn!(
        target: TARGET,
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
        whole_words(call)
            .as_deref()
            .or_else(|| call.words())
            .unwrap_or_else(|| code.name())
    );
}

/// The report with the whole message, if the stored one is cut and the message is not too long.
fn whole_words(call: &CallRecord<'_>) -> Option<String> {
    let evidence = call.evidence.as_ref()?;
    evidence.original.as_ref()?;
    let message = evidence.fault.public().message();
    let is_cut = message.trim_end().contains('\n') || message.len() > MAX_UNCUT_BYTES;
    (is_cut && message.len() <= MAX_MESSAGE_BYTES).then(|| words(evidence, false))
}

/// The report on a failure, without credentials. A long answer of the server is left out if it is stored.
pub(super) fn words(evidence: &Evidence, is_kept: bool) -> String {
    let report = evidence.fault.report();
    let report = if is_kept && evidence.original.is_some() {
        report.brief()
    } else {
        report
    };
    OPERATOR_REDACTOR.text(&report.to_string()).into_owned()
}

/// The shortest line that a brief report may cut.
const MAX_UNCUT_BYTES: usize = 512;

/// The longest message that is whole in the log.
const MAX_MESSAGE_BYTES: usize = 4096;

/// The target of the lines of calls.
const TARGET: &str = "call";

/// Logs the sums of all calls, if there were any.
pub(super) fn sum_up(counts: &Counts) {
    let (calls, failed, codes) = counts.summed_up();
    if calls == 0 {
        return;
    }
    let told = codes.iter().take(MAX_CODES);
    let told = told.map(|(code, calls)| format!("{code} {calls}"));
    let told: Vec<String> = told.collect();
    let lost = |count: u64| (count > 0).then_some(count);
    tracing::info!(
        calls,
        failed,
        lost_entries = lost(counts.lost_entries),
        lost_reports = lost(counts.lost_reports),
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
