//! Notes that the threads of a server share, and how they wait for more of them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Shared by all threads.
#[derive(Debug, Default)]
pub(crate) struct Board<N> {
    notes: Mutex<N>,
    changed: Condvar,
}

impl<N> Board<N> {
    pub(crate) fn look(&self) -> MutexGuard<'_, N> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the notes and wakes the threads that wait for that.
    pub(crate) fn note<T>(&self, change: impl FnOnce(&mut N) -> T) -> T {
        let result = change(&mut self.look());
        self.changed.notify_all();
        result
    }

    /// Waits until there is something to take.
    pub(crate) fn wait<T>(&self, mut take: impl FnMut(&mut N) -> Option<T>) -> T {
        let mut notes = self.look();
        loop {
            if let Some(found) = take(&mut notes) {
                return found;
            }
            let woken = self.changed.wait(notes);
            notes = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether something came true before the time was over.
    pub(crate) fn wait_within(&self, time: Duration, is_so: impl Fn(&N) -> bool) -> bool {
        let waited = self
            .changed
            .wait_timeout_while(self.look(), time, |notes| !is_so(notes));
        let (_notes, over) = waited.unwrap_or_else(PoisonError::into_inner);
        !over.timed_out()
    }
}
