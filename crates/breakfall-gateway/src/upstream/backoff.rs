//! The delay before a server that ended is restarted.

use std::time::Duration;

use crate::config::RestartDelay;

/// The number of times a server has ended in a row.
#[derive(Debug)]
pub(crate) struct Backoff {
    restart: RestartDelay,
    failures: u32,
}

impl Backoff {
    pub(crate) fn new(restart: RestartDelay) -> Self {
        Self {
            restart,
            failures: 0,
        }
    }

    /// The delay before the restart of a server that ended after this time. A server that ran for long starts over with
    /// the shortest delay.
    pub(crate) fn ended_after(&mut self, ran: Duration) -> Duration {
        if ran >= FORGIVEN {
            self.failures = 0;
        }
        let doubled = 2_u32.saturating_pow(self.failures);
        self.failures = self.failures.saturating_add(1);
        self.restart
            .first
            .saturating_mul(doubled)
            .min(self.restart.max)
    }
}

const FORGIVEN: Duration = Duration::from_mins(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_doubles_up_to_the_most_and_starts_over_after_a_good_run() {
        let mut backoff = Backoff::new(RestartDelay {
            first: Duration::from_millis(100),
            max: Duration::from_secs(1),
        });
        let mut ended = |ran| backoff.ended_after(Duration::from_secs(ran)).as_millis();
        let waits: Vec<_> = [0, 1, 5, 0, 0, 0, 60, 0]
            .into_iter()
            .map(&mut ended)
            .collect();
        assert_eq!(waits, [100, 200, 400, 800, 1000, 1000, 100, 200]);
    }

    #[test]
    fn it_never_overflows() {
        let mut backoff = Backoff::new(RestartDelay::default());
        for _ in 0..100 {
            assert!(backoff.ended_after(Duration::ZERO) <= RestartDelay::default().max);
        }
    }
}
