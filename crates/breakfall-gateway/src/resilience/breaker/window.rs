//! Recent successes and failures.

use std::time::Duration;

use tokio::time::Instant;

/// A sliding window of successes and failures. It is divided into pieces, and the oldest piece is dropped as a whole,
/// so that counting takes constant time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pieces: [Calls; PIECES],
    /// The current piece, counted from the start.
    newest: u64,
    begun: Instant,
    length: Duration,
}

/// Numbers of successes and failures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Calls {
    pub(super) worked: u32,
    pub(super) failed: u32,
}

impl Calls {
    pub(super) fn all(self) -> u32 {
        self.worked.saturating_add(self.failed)
    }

    /// The failure rate, from 0 to 1.
    pub(super) fn rate(self) -> f64 {
        if self.failed == 0 {
            return 0.0;
        }
        f64::from(self.failed) / f64::from(self.all())
    }
}

impl Window {
    /// An empty window of this length.
    pub(super) fn new(length: Duration, now: Instant) -> Self {
        Self {
            pieces: [Calls::default(); PIECES],
            newest: 0,
            begun: now,
            length,
        }
    }

    pub(super) fn worked(&mut self, now: Instant) {
        let piece = self.piece(now);
        piece.worked = piece.worked.saturating_add(1);
    }

    pub(super) fn failed(&mut self, now: Instant) {
        let piece = self.piece(now);
        piece.failed = piece.failed.saturating_add(1);
    }

    /// The sum of all pieces.
    pub(super) fn calls(&self, now: Instant) -> Calls {
        let mut window = *self;
        window.forget(now);
        let add = |sum: Calls, piece: &Calls| Calls {
            worked: sum.worked.saturating_add(piece.worked),
            failed: sum.failed.saturating_add(piece.failed),
        };
        window.pieces.iter().fold(Calls::default(), add)
    }

    fn piece(&mut self, now: Instant) -> &mut Calls {
        self.forget(now);
        &mut self.pieces[at(self.newest)]
    }

    /// Drops pieces that are too old. Times of several threads are not in order, so the window never moves back.
    fn forget(&mut self, now: Instant) {
        let length = (self.length.as_nanos() / PIECES as u128).max(1);
        let passed = now.saturating_duration_since(self.begun).as_nanos() / length;
        let newest = u64::try_from(passed).unwrap_or(u64::MAX);
        let begun = newest.saturating_sub(self.newest).min(PIECES as u64);
        for back in 0..begun {
            self.pieces[at(newest - back)] = Calls::default();
        }
        self.newest = self.newest.max(newest);
    }
}

fn at(piece: u64) -> usize {
    usize::try_from(piece % PIECES as u64).expect("less than the number of pieces")
}

/// The number of pieces of a window.
const PIECES: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_than_the_window_is_forgotten_piece_by_piece() {
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        let mut window = Window::new(Duration::from_mins(1), begun);
        window.failed(at(0));
        window.failed(at(5));
        window.worked(at(7));
        window.failed(at(59));
        // The clock of another thread was a little behind.
        window.worked(at(58));
        let seen = |seconds| {
            let calls = window.calls(at(seconds));
            (calls.worked, calls.failed)
        };
        assert_eq!(seen(59), (2, 3));
        assert_eq!(seen(60), (2, 1));
        assert_eq!(seen(66), (1, 1));
        assert_eq!(seen(113), (1, 1));
        assert_eq!(seen(114), (0, 0));
        assert_eq!(seen(u64::from(u32::MAX)), (0, 0));
        window.worked(at(1_000_000));
        assert_eq!(window.calls(at(1_000_000)).all(), 1);
    }

    #[test]
    fn the_shortest_window_there_is_does_not_divide_by_nothing() {
        let begun = Instant::now();
        let mut window = Window::new(Duration::ZERO, begun);
        window.failed(begun);
        assert!(window.calls(begun).rate() > 0.99);
        assert_eq!(window.calls(begun + Duration::from_secs(1)).all(), 0);
    }
}
