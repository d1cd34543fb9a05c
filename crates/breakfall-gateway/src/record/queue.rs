//! The bounded queue of records that are not stored yet, from calls to the recorder's thread.

use std::mem;
use std::sync::{Arc, Condvar, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::entry::Input;
use super::event::{CallEvent, Evidence};
use breakfall_mcp::sync::Mutex;

/// The record of a call.
#[derive(Debug)]
pub(super) struct QueueItem {
    pub(super) event: Arc<CallEvent>,
    /// The arguments, if there is an audit trail.
    pub(super) input: Option<Input>,
    pub(super) evidence: Option<Evidence>,
    /// The text of its log line.
    pub(super) said: Option<String>,
}

impl QueueItem {
    /// About how many bytes it takes.
    fn size(&self) -> usize {
        let input = self.input.as_ref().map_or(0, Input::size);
        let original = self
            .evidence
            .as_ref()
            .and_then(|known| known.original.as_ref());
        let said = self.said.as_ref().map_or(0, String::len);
        BASE_BYTES + input + said + original.map_or(0, |text| text.len())
    }
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<QueueState>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    items: Vec<QueueItem>,
    size: usize,
    /// Records that the keeper has taken and not stored yet.
    held: Held,
    /// Notified when all earlier records are stored, or lost.
    flushes: Vec<oneshot::Sender<()>>,
    is_over: bool,
    /// The keeper waits for `wake`.
    is_asleep: bool,
}

/// A number of records and their size in bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    pub(super) count: usize,
    pub(super) size: usize,
}

/// The work the keeper takes from the queue.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) items: Vec<QueueItem>,
    pub(super) flushes: Vec<oneshot::Sender<()>>,
    pub(super) is_over: bool,
}

impl Queue {
    /// Adds a record; false if the queue is full or closed.
    pub(super) fn put(&self, item: QueueItem) -> bool {
        let size = item.size();
        let mut state = self.state.lock();
        let is_full = state.items.len() + state.held.count >= MAX_ITEMS
            || state.size + state.held.size + size > MAX_QUEUE_BYTES;
        if is_full || state.is_over {
            return false;
        }
        state.items.push(item);
        state.size += size;
        // Waking a thread is a system call: only the first record after a pause does it, and the one that fills half the queue.
        let is_woken = state.is_asleep || state.items.len() == HALF;
        state.is_asleep = false;
        drop(state);
        if is_woken {
            self.wake.notify_one();
        }
        true
    }

    /// Notifies when all earlier records are stored, or lost.
    pub(super) fn flush(&self, done: oneshot::Sender<()>) {
        self.state.lock().flushes.push(done);
        self.wake.notify_one();
    }

    /// Accepts no more records.
    pub(super) fn close(&self) {
        self.state.lock().is_over = true;
        self.wake.notify_one();
    }

    /// How many records are not stored yet.
    pub(super) fn waiting(&self) -> usize {
        let state = self.state.lock();
        state.items.len() + state.held.count
    }

    /// Waits for records, at most for `wait`, then [`GROUP`] longer to take more at once. `held` is what the keeper has not
    /// stored yet; `room` is an empty vector to fill.
    pub(super) fn take(&self, held: Held, room: Vec<QueueItem>, wait: Duration) -> Taken {
        let mut state = self.state.lock();
        state.held = held;
        state.is_asleep = true;
        let (mut state, _) = self
            .wake
            .wait_timeout_while(state, wait, |state| {
                state.items.is_empty() && !state.is_urgent()
            })
            .unwrap_or_else(PoisonError::into_inner);
        state.is_asleep = false;
        if !state.items.is_empty() {
            (state, _) = self
                .wake
                .wait_timeout_while(state, GROUP, |state| {
                    state.items.len() < HALF && !state.is_urgent()
                })
                .unwrap_or_else(PoisonError::into_inner);
        }
        // They count as waiting until the keeper reports the next `held`.
        state.held.count += state.items.len();
        state.held.size += mem::take(&mut state.size);
        Taken {
            items: mem::replace(&mut state.items, room),
            flushes: mem::take(&mut state.flushes),
            is_over: state.is_over,
        }
    }
}

impl QueueState {
    fn is_urgent(&self) -> bool {
        self.is_over || !self.flushes.is_empty()
    }
}

/// How long the first record of a group waits for others, so that one sync stores them all.
const GROUP: Duration = Duration::from_millis(50);

/// How many records may wait.
const MAX_ITEMS: usize = 16_384;
const HALF: usize = MAX_ITEMS / 2;

/// The capacity that is kept when there are fewer records.
pub(super) const KEPT_CAPACITY: usize = 2048;

/// How many bytes waiting records may take.
const MAX_QUEUE_BYTES: usize = 32 << 20;

/// About the size of a record without arguments and texts.
const BASE_BYTES: usize = 512;
