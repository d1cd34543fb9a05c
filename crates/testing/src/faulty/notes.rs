//! What the server remembers, and how its threads wait for more of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::call::Call;

/// Shared by all threads.
#[derive(Debug, Default)]
pub(super) struct Board {
    notes: Mutex<Notes>,
    changed: Condvar,
}

#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The params of `initialize`, once it came.
    pub initialize: Value,
    /// How often `notifications/initialized` came.
    pub initialized: u64,
    pub level: Option<Value>,
    pub subscriptions: BTreeSet<String>,
    /// Open `subscriptions/listen`: id and filter.
    pub listens: Vec<(Value, Value)>,
    /// Calls of tools so far, in this process.
    pub calls: u64,
    /// Answers to calls of tools so far, in this process.
    pub answered: u64,
    /// The highest number of a call that was answered.
    pub latest: u64,
    pub cancelled: Vec<Value>,
    /// Nothing of what we say from now on is heard.
    pub stuck: bool,
    pub parked: Vec<Call>,
    /// Our own questions so far.
    pub asked: u64,
    /// What the client replied to them, by the id as JSON.
    pub replies: BTreeMap<String, Value>,
}

impl Board {
    pub(super) fn look(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a note and wakes waiting requests.
    pub(super) fn note<T>(&self, change: impl FnOnce(&mut Notes) -> T) -> T {
        let result = change(&mut self.look());
        self.changed.notify_all();
        result
    }

    /// Waits until there is something to take.
    pub(super) fn wait<T>(&self, mut take: impl FnMut(&mut Notes) -> Option<T>) -> T {
        let mut notes = self.look();
        loop {
            if let Some(found) = take(&mut notes) {
                return found;
            }
            notes = self
                .changed
                .wait(notes)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether the call was cancelled before the time was over.
    pub(super) fn cancelled_within(&self, id: &Value, time: Duration) -> bool {
        let (_notes, over) = self
            .changed
            .wait_timeout_while(self.look(), time, |notes| !notes.cancelled.contains(id))
            .unwrap_or_else(PoisonError::into_inner);
        !over.timed_out()
    }
}

impl Notes {
    /// What the tool `state` tells.
    pub(super) fn told(&self) -> Value {
        json!({
            "pid": std::process::id(),
            "initialize": self.initialize,
            "initialized": self.initialized,
            "level": self.level,
            "subscriptions": self.subscriptions,
            "listens": self.listens.iter().map(|(_, filter)| filter).collect::<Vec<_>>(),
            "calls": self.calls,
            "answered": self.answered,
            "cancelled": self.cancelled,
            "parked": self.parked.len(),
        })
    }
}
