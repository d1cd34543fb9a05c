//! The rate limit of log lines: what any client can cause must not fill a disk.
//!
//! Each place in the code may write [`MAX_LINES`] lines in [`WINDOW`]; further ones are counted. Not limited: the lines of calls,
//! of which there is one each, those of servers, and everything at level debug, which an operator asks for.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;
use tracing::callsite::Identifier;
use tracing::{Level, Metadata};

/// The lines of each place in the code.
#[derive(Debug, Default)]
pub(super) struct LineLimits(HashMap<Identifier, LineWindow>);

#[derive(Debug)]
struct LineWindow {
    start: Instant,
    lines: u32,
    left_out: u64,
    target: String,
}

/// Lines that are left out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LeftOutLines {
    count: u64,
    target: String,
}

impl LineLimits {
    /// Whether a line may be written. If not, it is counted.
    pub(super) fn admits(&mut self, event: &Metadata<'_>, now: Instant) -> bool {
        let is_limited =
            *event.level() <= Level::INFO && !UNLIMITED_TARGETS.contains(&event.target());
        if !is_limited {
            return true;
        }
        let window = self
            .0
            .entry(event.callsite())
            .or_insert_with(|| LineWindow {
                start: now,
                lines: 0,
                left_out: 0,
                target: event.target().to_owned(),
            });
        if now.duration_since(window.start) >= WINDOW {
            window.start = now;
            window.lines = 0;
        }
        window.lines += 1;
        let is_admitted = window.lines <= MAX_LINES;
        window.left_out += u64::from(!is_admitted);
        is_admitted
    }

    /// When [`Self::take_left_out`] has something next.
    pub(super) fn next_due(&self) -> Option<Instant> {
        let due = self.0.values().filter(|window| window.left_out > 0);
        due.map(|window| window.start + WINDOW).min()
    }

    /// What was left out in windows that are over; in all of them at the end.
    pub(super) fn take_left_out(&mut self, now: Instant, is_end: bool) -> Vec<LeftOutLines> {
        let is_over = |window: &LineWindow| is_end || now >= window.start + WINDOW;
        let due = self.0.values_mut();
        let due = due.filter(|window| window.left_out > 0 && is_over(window));
        let left_out = due.map(|window| LeftOutLines {
            count: std::mem::take(&mut window.left_out),
            target: window.target.clone(),
        });
        left_out.collect()
    }
}

impl LeftOutLines {
    /// The line about them.
    pub(super) fn text(&self) -> String {
        let Self { count, target } = self;
        format!(
            "{count} more lines of {target} are left out: it may write {MAX_LINES} in {WINDOW:?}"
        )
    }
}

const MAX_LINES: u32 = 100;
const WINDOW: Duration = Duration::from_secs(10);
const UNLIMITED_TARGETS: [&str; 3] = ["call", "stderr", "stdout"];
