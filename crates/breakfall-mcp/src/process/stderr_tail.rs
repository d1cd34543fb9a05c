//! The last lines of a child's standard error, for the log and the private report of its failures.

use crate::sync::Mutex;
use std::collections::VecDeque;

/// Keeps the newest lines, bounded in number and length.
#[derive(Debug, Default)]
pub struct StderrTail(Mutex<VecDeque<Box<[u8]>>>);

impl StderrTail {
    /// Adds a line, and drops the oldest one if there are too many.
    /// Adds a line.
    pub fn push(&self, line: &[u8]) {
        let line = &line[..line.len().min(MAX_LINE_BYTES)];
        let mut lines = self.0.lock();
        if lines.len() == MAX_LINES {
            lines.pop_front();
        }
        lines.push_back(line.into());
    }

    /// The lines, oldest first.
    pub fn bytes(&self) -> Vec<u8> {
        let lines = self.0.lock();
        lines
            .iter()
            .map(|line| &**line)
            .collect::<Vec<_>>()
            .join(&b'\n')
    }

    /// The newest line.
    pub fn last(&self) -> Option<Box<[u8]>> {
        self.0.lock().back().cloned()
    }
}

const MAX_LINES: usize = 40;
const MAX_LINE_BYTES: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept_and_long_ones_cut() {
        let tail = StderrTail::default();
        (0..MAX_LINES + 5).for_each(|line| tail.push(line.to_string().as_bytes()));
        tail.push(&[b'x'; MAX_LINE_BYTES + 1]);
        let bytes = tail.bytes();
        assert!(bytes.starts_with(b"6\n7\n"), "{}", bytes.escape_ascii());
        assert!(
            bytes.ends_with(&[b'x'; MAX_LINE_BYTES])
                && !bytes.ends_with(&[b'x'; MAX_LINE_BYTES + 1])
        );
    }
}
