//! The output of a server that is not a message: a banner, a forgotten print, or an error at startup.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::upstream::StderrTail;
use breakfall_mcp::error::REDACTOR;

/// The stray output of one server run. The first line is logged with a hint for the operator.
#[derive(Debug, Default)]
pub(super) struct StrayOutput {
    is_told: AtomicBool,
    lines: StderrTail,
}

impl StrayOutput {
    pub(super) fn heard(&self, line: &[u8], upstream: &str) {
        if line.is_empty() {
            return;
        }
        self.lines.push(line);
        let is_told = self.is_told.swap(true, Ordering::Relaxed);
        if is_told && !tracing::enabled!(target: "stdout", tracing::Level::DEBUG) {
            return;
        }
        let line = shown(line);
        if is_told {
            tracing::debug!(target: "stdout", upstream, "no message: {line}");
        } else {
            tracing::warn!(
                target: "stdout",
                upstream,
                "the server prints what is no message to its stdout, which belongs to the protocol: '{line}'; make it print to stderr"
            );
        }
    }

    /// The last line, for an error about a failed start.
    pub(super) fn last(&self) -> Option<String> {
        self.lines.last().map(|line| shown(&line))
    }

    /// The last few lines, for the private report.
    pub(super) fn note(&self) -> Option<String> {
        let bytes = self.lines.bytes();
        let text = String::from_utf8_lossy(&bytes);
        // Before cutting: half of a credential is not recognised as one.
        let text = REDACTOR.text(&text);
        let cut = text.ceil_char_boundary(text.len().saturating_sub(NOTE));
        let said = text[cut..].trim();
        (!said.is_empty()).then(|| format!("it printed what is no message to its stdout: {said}"))
    }
}

/// A line for the log: shortened, and without credentials.
fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    // Half of a credential is not recognised as one, so more is redacted than is shown.
    let text = REDACTOR.text(&text[..text.floor_char_boundary(CLEANED)]);
    let short = &text[..text.floor_char_boundary(LINE)];
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("{short}{more}")
}

/// How many bytes of a line are shown.
const LINE: usize = 1000;
/// How many bytes of a line are redacted first.
const CLEANED: usize = 4096;
/// How many bytes the private report gets.
const NOTE: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_it_is_kept_in_few_words() {
        let noise = StrayOutput::default();
        assert_eq!((noise.last(), noise.note()), (None, None));
        noise.heard(b"", "shop");
        assert_eq!(noise.last(), None);
        for line in [
            "ünd".repeat(2000),
            "\u{1b}[1m Error: no key \u{fffd}".to_owned(),
        ] {
            noise.heard(line.as_bytes(), "shop");
        }
        let last = noise.last().unwrap_or_default();
        assert!(last.ends_with("Error: no key \u{fffd}"), "{last}");
        let note = noise.note().unwrap_or_default();
        assert!(note.len() < NOTE + 60 && note.ends_with(&last), "{note}");
        let token = format!("{} ghp_{}", "x".repeat(LINE - 40), "a1B2".repeat(9));
        noise.heard(token.as_bytes(), "shop");
        let last = noise.last().unwrap_or_default();
        assert!(!last.contains("ghp_a1"), "{last}");
        noise.heard("ü".repeat(LINE).as_bytes(), "shop");
        let last = noise.last().unwrap_or_default();
        assert!(last.ends_with("ü…") && last.len() < LINE + 4, "{last}");
    }
}
