//! The event logs of all sessions: together they are bounded, however many sessions there are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use super::event_log::EventLog;
use crate::sync::Mutex;

/// The logs of all sessions.
#[derive(Debug)]
pub(super) struct EventLogs {
    logs: Mutex<Vec<Weak<EventLog>>>,
    /// The size of all events.
    bytes: AtomicUsize,
    max_bytes: usize,
    /// The number of events so far, which orders those of different sessions by age.
    events: AtomicU64,
    /// Beats since the start.
    clock: AtomicU32,
}

impl EventLogs {
    pub(super) fn new(max_bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            logs: Mutex::default(),
            bytes: AtomicUsize::new(0),
            max_bytes,
            events: AtomicU64::new(0),
            clock: AtomicU32::new(0),
        })
    }

    pub(super) fn add(&self, log: &Arc<EventLog>) {
        self.logs.lock().push(Arc::downgrade(log));
    }

    /// The age of an event that is added now.
    pub(super) fn next_order(&self) -> u64 {
        self.events.fetch_add(1, Ordering::Relaxed)
    }

    /// The current beat.
    pub(super) fn now(&self) -> u32 {
        self.clock.load(Ordering::Relaxed)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Advances the clock, and removes streams that were delivered so many beats ago.
    pub(super) fn beat(&self, kept_beats: u32) {
        self.clock.fetch_add(1, Ordering::Relaxed);
        for log in self.open_logs() {
            log.remove_delivered(kept_beats);
        }
    }

    /// Counts bytes added and removed. Beyond the bound, the oldest events of all sessions are removed.
    pub(super) fn changed(&self, added: usize, removed: usize) {
        self.bytes.fetch_add(added, Ordering::Relaxed);
        self.bytes.fetch_sub(removed, Ordering::Relaxed);
        if self.bytes() > self.max_bytes {
            // By a quarter, so that this does not happen again at the next event.
            self.shrink(self.max_bytes - self.max_bytes / 4);
        }
    }

    fn shrink(&self, max_bytes: usize) {
        let logs = self.open_logs();
        let oldest_of = |at: usize| logs[at].oldest().map(|order| Reverse((order, at)));
        let mut oldest: BinaryHeap<_> = (0..logs.len()).filter_map(oldest_of).collect();
        let newest = self.events.load(Ordering::Relaxed).saturating_sub(1);
        while self.bytes() > max_bytes
            && let Some(Reverse((order, at))) = oldest.pop()
            // The newest event may be the answer a client comes back for.
            && order < newest
        {
            let removed = logs[at].remove_oldest();
            self.bytes.fetch_sub(removed, Ordering::Relaxed);
            oldest.extend(oldest_of(at));
        }
    }

    fn open_logs(&self) -> Vec<Arc<EventLog>> {
        let mut logs = self.logs.lock();
        logs.retain(|log| log.strong_count() > 0);
        // Collected, because dropping the last clone of a log calls `changed`.
        logs.iter().filter_map(Weak::upgrade).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::event_stream::EventId;
    use super::*;

    #[test]
    fn all_logs_together_are_bounded_and_the_oldest_event_is_removed_first() {
        let all = EventLogs::new(1000);
        let logs: Vec<_> = (0..5)
            .map(|_| Arc::new(EventLog::new(Arc::clone(&all))))
            .collect();
        for log in &logs {
            all.add(log);
        }
        let say = |log: usize, length: usize| {
            let message = format!("\"{}\"", "x".repeat(length)).into_bytes().into();
            logs[log].push(1, &message);
        };
        let kept = || {
            let start = EventId {
                stream: 1,
                number: 0,
            };
            let count = |log: &Arc<EventLog>| log.after(start).len();
            logs.iter().map(count).collect::<Vec<_>>()
        };
        for log in [0, 1, 2, 0, 3] {
            say(log, 150);
        }
        assert_eq!(kept(), [2, 1, 1, 1, 0]);
        say(4, 150);
        // A quarter is free again.
        assert_eq!(kept(), [1, 0, 1, 1, 1]);
        assert!(all.bytes() <= 750);
        say(1, 5000);
        assert_eq!(kept(), [0, 1, 0, 0, 0], "the newest event is kept");
        say(2, 1);
        assert_eq!(kept(), [0, 0, 1, 0, 0]);
        drop(logs);
        assert_eq!(all.bytes(), 0);
    }
}
