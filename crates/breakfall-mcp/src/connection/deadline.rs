//! How long a request may take.

use std::time::Duration;

use tokio::time::Instant;

use crate::timeouts::Timeouts;

/// Timeouts with a request that began at some time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    begun: Instant,
    at: Instant,
    patience: Timeouts,
}

impl Deadline {
    pub(super) fn new(now: Instant, patience: Timeouts) -> Self {
        Self {
            begun: now,
            at: now + patience.idle.min(patience.total),
            patience,
        }
    }

    pub(super) fn at(&self) -> Instant {
        self.at
    }

    /// There was progress.
    pub(super) fn extend(&mut self, now: Instant) {
        self.at = (now + self.patience.idle).min(self.begun + self.patience.total);
    }

    /// It may be quiet.
    pub(super) fn pause(&mut self) {
        self.at = self.begun + self.patience.total;
    }

    /// How long that is, from the request.
    pub(super) fn length(&self) -> Duration {
        self.at - self.begun
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn progress_pushes_a_deadline_up_to_the_hard_maximum() {
        let second = Duration::from_secs(1);
        let begun = Instant::now();
        let patience = Timeouts {
            idle: 10 * second,
            total: 25 * second,
        };
        let mut deadline = Deadline::new(begun, patience);
        assert_eq!(deadline.at(), begun + 10 * second);
        deadline.extend(begun + 9 * second);
        assert_eq!(deadline.at(), begun + 19 * second);
        deadline.extend(begun + 18 * second);
        assert_eq!(deadline.at(), begun + 25 * second);
    }
}
