//! The last lines a child said beside the protocol, for the private report of its failures.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

/// Keeps the newest lines, bounded in number and length.
#[derive(Debug, Default)]
pub struct StderrTail(Mutex<VecDeque<Box<[u8]>>>);

impl StderrTail {
    /// Adds a line, and drops the oldest one if there are too many.
    pub fn push(&self, line: &[u8]) {
        let line = &line[..line.len().min(LONGEST)];
        let mut lines = self.lock();
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(line.into());
    }

    /// The lines, oldest first.
    pub fn bytes(&self) -> Vec<u8> {
        let lines = self.lock();
        lines
            .iter()
            .map(|line| &**line)
            .collect::<Vec<_>>()
            .join(&b'\n')
    }

    /// The newest line.
    pub fn last(&self) -> Option<Box<[u8]>> {
        self.lock().back().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Box<[u8]>>> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

const LINES: usize = 40;
const LONGEST: usize = 2000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_lines_are_kept_and_long_ones_cut() {
        let ring = StderrTail::default();
        (0..LINES + 5).for_each(|line| ring.push(line.to_string().as_bytes()));
        ring.push(&[b'x'; LONGEST + 1]);
        let bytes = ring.bytes();
        assert!(bytes.starts_with(b"6\n7\n"), "{}", bytes.escape_ascii());
        assert!(bytes.ends_with(&[b'x'; LONGEST]) && !bytes.ends_with(&[b'x'; LONGEST + 1]));
    }
}
