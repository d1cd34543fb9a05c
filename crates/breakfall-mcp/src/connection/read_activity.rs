//! How long the other end has been silent.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Since when the reader of a connection waits for a line.
#[derive(Debug)]
pub(super) struct ReadActivity {
    created: Instant,
    /// In microseconds since the creation; [`PAUSED`] while it does not wait for a line.
    waits_since: AtomicU64,
}

impl Default for ReadActivity {
    fn default() -> Self {
        Self {
            created: Instant::now(),
            waits_since: AtomicU64::new(0),
        }
    }
}

impl ReadActivity {
    /// The reader handles a line, or waits until the messages of the other end can be passed on.
    pub(super) fn pause(&self) {
        self.waits_since.store(PAUSED, Ordering::Relaxed);
    }

    /// The reader waits for a line.
    pub(super) fn resume(&self) {
        let since = self.created.elapsed().as_micros();
        let since = u64::try_from(since).unwrap_or(PAUSED);
        self.waits_since.store(since, Ordering::Relaxed);
    }

    /// Waits until the reader has waited for a line for some time, from now on. Returns when the last line was read.
    pub(super) async fn silent_for(&self, wait: Duration) -> Instant {
        let begun = Instant::now();
        loop {
            let now = Instant::now();
            let last = match self.waits_since.load(Ordering::Relaxed) {
                PAUSED => now,
                since => self.created + Duration::from_micros(since),
            };
            let since = begun.max(last);
            if since + wait <= now {
                return last;
            }
            sleep_until(since + wait).await;
        }
    }
}

const PAUSED: u64 = u64::MAX;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn silence_begins_with_the_last_line_and_does_not_count_while_nothing_is_read() {
        let second = Duration::from_secs(1);
        let activity = ReadActivity::default();
        tokio::time::advance(100 * second).await;
        let begun = Instant::now();
        let last = activity.silent_for(10 * second).await;
        assert_eq!(begun.elapsed(), 10 * second, "counted from now on");
        assert_eq!(
            last,
            begun
                .checked_sub(100 * second)
                .expect("it was created then")
        );
        let reads = async {
            tokio::time::sleep(7 * second).await;
            activity.pause();
            tokio::time::sleep(60 * second).await;
            activity.resume();
        };
        let begun = Instant::now();
        let ((), last) = tokio::join!(reads, activity.silent_for(10 * second));
        assert_eq!(begun.elapsed(), 77 * second);
        assert_eq!(last, begun + 67 * second);
    }
}
