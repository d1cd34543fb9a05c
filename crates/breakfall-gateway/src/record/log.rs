//! The line of a call in the log.

use std::sync::LazyLock;
use std::time::Duration;

use breakfall::disclose::{Audience, Redactor};
use tracing::Level;

use super::counts::Counts;
use super::event::{End, Event, Evidence};

/// Says it, and gives back the words for a failure if it took the trouble to find them.
pub(super) fn say(event: &Event, evidence: Option<&Evidence>, is_kept: bool) -> Option<String> {
    let End::Failed { code, origin } = event.end else {
        tracing::debug!(
            upstream = &*event.upstream,
            operation = &*event.tool,
            id = event.id.as_str(),
            attempts = again(event),
            took_ms = millis(event.took),
            warnings = (!event.warnings.is_empty()).then_some(event.warnings.len()),
            principal = event.principal.as_deref(),
            trace_id = event
                .trace
                .map(|trace| tracing::field::display(trace.trace_id())),
            "{}",
            event.end.as_str()
        );
        return None;
    };
    if !tracing::enabled!(Level::WARN) {
        return None;
    }
    let said = evidence.map(|evidence| words(evidence, is_kept));
    tracing::warn!(
        upstream = &*event.upstream,
        operation = &*event.tool,
        origin = origin.as_str(),
        attempts = again(event),
        took_ms = millis(event.took),
        principal = event.principal.as_deref(),
        trace_id = event
            .trace
            .map(|trace| tracing::field::display(trace.trace_id())),
        "{}",
        said.as_deref().unwrap_or_else(|| code.name())
    );
    said
}

/// What happened, without credentials. What a server said at length is kept under the id, if it is kept at all.
pub(super) fn words(evidence: &Evidence, is_kept: bool) -> String {
    let report = evidence.fault.report();
    let report = if is_kept && evidence.original.is_some() {
        report.brief()
    } else {
        report
    };
    OPERATOR.text(&report.to_string()).into_owned()
}

/// Says what all calls came to, if there were any.
pub(super) fn sum_up(counts: &Counts) {
    let (calls, failed, codes) = counts.summed_up();
    if calls == 0 {
        return;
    }
    let told = codes.iter().take(MOST);
    let told = told.map(|(code, calls)| format!("{code} {calls}"));
    let told: Vec<String> = told.collect();
    tracing::info!(
        calls,
        failed,
        codes = (!told.is_empty()).then(|| told.join(", ")),
        "this is what calls came to"
    );
}

/// How many codes one line names.
const MOST: usize = 20;

/// One attempt is nothing to speak of.
fn again(event: &Event) -> Option<u32> {
    (event.attempts > 1).then_some(event.attempts)
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Even the log gets no credentials.
pub(super) static OPERATOR: LazyLock<Redactor> =
    LazyLock::new(|| Redactor::new(Audience::Operator));
