//! The deadline of a request.

use std::time::Duration;

use tokio::time::Instant;

use crate::timeouts::Timeouts;

/// The timeouts of a request that began at some time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    begun: Instant,
    at: Instant,
    timeouts: Timeouts,
}

impl Deadline {
    pub(super) fn new(now: Instant, timeouts: Timeouts) -> Self {
        Self {
            begun: now,
            at: now + timeouts.idle.min(timeouts.total),
            timeouts,
        }
    }

    pub(super) fn at(&self) -> Instant {
        self.at
    }

    /// Moves the deadline after progress.
    pub(super) fn extend(&mut self, now: Instant) {
        self.at = (now + self.timeouts.idle).min(self.begun + self.timeouts.total);
    }

    /// Suspends the idle timeout.
    pub(super) fn pause(&mut self) {
        self.at = self.begun + self.timeouts.total;
    }

    /// The time from the request to the deadline.
    pub(super) fn length(&self) -> Duration {
        self.at - self.begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn progress_moves_a_deadline_up_to_the_total_timeout() {
        let second = Duration::from_secs(1);
        let begun = Instant::now();
        let timeouts = Timeouts {
            idle: 10 * second,
            total: 25 * second,
        };
        let mut deadline = Deadline::new(begun, timeouts);
        assert_eq!(deadline.at(), begun + 10 * second);
        deadline.extend(begun + 9 * second);
        assert_eq!(deadline.at(), begun + 19 * second);
        deadline.extend(begun + 18 * second);
        assert_eq!(deadline.at(), begun + 25 * second);
    }
}
