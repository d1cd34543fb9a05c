//! What all sessions have sent in streams: together it takes no more than so much, however many sessions there are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use super::log::Log;

/// The logs of all sessions.
#[derive(Debug)]
pub(super) struct Logs {
    all: Mutex<Vec<Weak<Log>>>,
    /// What all of them take.
    bytes: AtomicUsize,
    most: usize,
    /// Events so far, by which those of different sessions are put in order.
    events: AtomicU64,
    /// Beats since the start.
    clock: AtomicU32,
}

impl Logs {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            all: Mutex::default(),
            bytes: AtomicUsize::new(0),
            most,
            events: AtomicU64::new(0),
            clock: AtomicU32::new(0),
        })
    }

    /// There is another one.
    pub(super) fn add(&self, log: &Arc<Log>) {
        self.lock().push(Arc::downgrade(log));
    }

    /// The place of an event that comes now.
    pub(super) fn order(&self) -> u64 {
        self.events.fetch_add(1, Ordering::Relaxed)
    }

    /// The time, in beats.
    pub(super) fn now(&self) -> u32 {
        self.clock.load(Ordering::Relaxed)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Another beat: what was taken so many ago is forgotten.
    pub(super) fn beat(&self, kept: u32) {
        self.clock.fetch_add(1, Ordering::Relaxed);
        for log in self.there() {
            log.tidy(kept);
        }
    }

    /// So much has come, and so much is gone. If it is too much, the oldest of all goes.
    pub(super) fn changed(&self, more: usize, less: usize) {
        self.bytes.fetch_add(more, Ordering::Relaxed);
        self.bytes.fetch_sub(less, Ordering::Relaxed);
        if self.bytes() > self.most {
            // Some more than that, so that it is not to be done for every event.
            self.shrink(self.most - self.most / 4);
        }
    }

    fn shrink(&self, most: usize) {
        let logs = self.there();
        let place = |at: usize| logs[at].oldest().map(|order| Reverse((order, at)));
        let mut oldest: BinaryHeap<_> = (0..logs.len()).filter_map(place).collect();
        let newest = self.events.load(Ordering::Relaxed).saturating_sub(1);
        while self.bytes() > most
            && let Some(Reverse((order, at))) = oldest.pop()
            // What is said just now may be the answer somebody comes back for.
            && order < newest
        {
            let gone = logs[at].forget_oldest();
            self.bytes.fetch_sub(gone, Ordering::Relaxed);
            oldest.extend(place(at));
        }
    }

    /// Those that are still there.
    fn there(&self) -> Vec<Arc<Log>> {
        let mut all = self.lock();
        all.retain(|log| log.strong_count() > 0);
        // They are let go outside the lock, because the last of them to go comes back here.
        all.iter().filter_map(Weak::upgrade).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Log>>> {
        self.all
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::EventId;
    use super::*;

    #[test]
    fn all_sessions_together_keep_so_much_and_the_oldest_goes_first() {
        let all = Logs::new(1000);
        let logs: Vec<_> = (0..5)
            .map(|_| Arc::new(Log::new(Arc::clone(&all))))
            .collect();
        for log in &logs {
            all.add(log);
        }
        let say = |log: usize, length: usize| {
            let message = format!("\"{}\"", "x".repeat(length)).into_bytes().into();
            logs[log].keep(1, &message);
        };
        let kept = || {
            let start = EventId {
                stream: 1,
                number: 0,
            };
            let count = |log: &Arc<Log>| log.after(start).len();
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
        assert_eq!(kept(), [0, 1, 0, 0, 0], "the last one is kept");
        say(2, 1);
        assert_eq!(kept(), [0, 0, 1, 0, 0]);
        drop(logs);
        assert_eq!(all.bytes(), 0);
    }
}
