//! Notes while a tool has not answered yet.

use std::pin::pin;
use std::time::Duration;

use breakfall_mcp::timeouts::Timeouts;
use tokio::time::timeout;

use crate::args::CallArgs;
use crate::report::ReportNote;

/// Waits, and calls `note` with the time so far, at first soon and then each minute.
pub(super) async fn with_notes<T>(work: impl Future<Output = T>, note: impl Fn(Duration)) -> T {
    let mut work = pin!(work);
    let mut waited = Duration::ZERO;
    let soon = [3, 10, 30].map(Duration::from_secs);
    for next in soon.into_iter().chain((1..).map(Duration::from_mins)) {
        if let Ok(done) = timeout(next.saturating_sub(waited), &mut work).await {
            return done;
        }
        waited = next;
        note(waited);
    }
    work.await
}

/// The note on a tool that has not answered, unless it is not wanted or the time is over.
pub(super) fn for_answer(tool: &str, waited: Duration, args: &CallArgs) -> Option<ReportNote> {
    let limit = args.server.timeout.unwrap_or(Timeouts::default().idle);
    let total = args.server.max_timeout.unwrap_or(Timeouts::default().total);
    if args.quiet || waited >= limit.min(total) {
        return None;
    }
    let text = format!(
        "no answer from '{tool}' after {}; it has {} without progress, --timeout sets another time",
        shown(waited),
        shown(limit)
    );
    Some(ReportNote::new("waiting", text))
}

fn shown(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        seconds if seconds >= 60 && seconds % 60 == 0 => format!("{} min", seconds / 60),
        seconds => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tokio::time::sleep;

    use super::*;

    #[test]
    fn a_slow_answer_is_waited_for_with_notes_that_become_rarer() {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().start_paused(true).build().unwrap();
        let notes = RefCell::new(Vec::new());
        let note = |waited| notes.borrow_mut().push(shown(waited));
        runtime.block_on(async { with_notes(sleep(Duration::from_secs(200)), note).await });
        let want = ["3 s", "10 s", "30 s", "1 min", "2 min", "3 min"];
        assert_eq!(*notes.borrow(), want);
    }
}
