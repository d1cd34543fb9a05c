//! What waits to be kept: filled by calls, emptied by the keeper, bounded.

use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use super::entry::Input;
use super::event::{Event, Evidence};

/// A call to keep.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) event: Event,
    /// Its arguments, if there is an audit trail.
    pub(super) input: Option<Input>,
    pub(super) evidence: Option<Evidence>,
    /// What the log says about it.
    pub(super) said: Option<String>,
}

impl Item {
    /// Roughly, in bytes.
    fn size(&self) -> usize {
        let input = self.input.as_ref().map_or(0, Input::size);
        let original = self
            .evidence
            .as_ref()
            .and_then(|known| known.original.as_ref());
        let said = self.said.as_ref().map_or(0, String::len);
        USUAL + input + said + original.map_or(0, |text| text.len())
    }
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct State {
    items: Vec<Item>,
    size: usize,
    /// What the keeper has and has not kept yet.
    held: Held,
    /// Those who want to know when everything up to here is kept.
    flushes: Vec<oneshot::Sender<()>>,
    is_over: bool,
    /// The keeper has nothing to do and has to be woken.
    is_asleep: bool,
}

/// So many, and their size.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Held {
    pub(super) count: usize,
    pub(super) size: usize,
}

/// What the keeper is given to do.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) items: Vec<Item>,
    pub(super) flushes: Vec<oneshot::Sender<()>>,
    pub(super) is_over: bool,
}

impl Queue {
    /// Leaves a call; false if there are too many.
    pub(super) fn put(&self, item: Item) -> bool {
        let size = item.size();
        let mut state = self.lock();
        let is_full = state.items.len() + state.held.count >= MOST
            || state.size + state.held.size + size > MOST_BYTES;
        if is_full || state.is_over {
            return false;
        }
        state.items.push(item);
        state.size += size;
        // Waking somebody is a call to the system: only the first after a pause does it, or one that sees it fill up.
        let is_woken = state.is_asleep || state.items.len() == HALF;
        state.is_asleep = false;
        drop(state);
        if is_woken {
            self.wake.notify_one();
        }
        true
    }

    /// Wants to know when everything up to here is kept.
    pub(super) fn flush(&self, done: oneshot::Sender<()>) {
        self.lock().flushes.push(done);
        self.wake.notify_one();
    }

    /// There is nothing more to come.
    pub(super) fn close(&self) {
        self.lock().is_over = true;
        self.wake.notify_one();
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        let state = self.lock();
        state.items.len() + state.held.count
    }

    /// Waits until there is something to do, or for so long; then a moment longer, for company. The keeper says what it
    /// still has, and brings room for as many as there were the last time.
    pub(super) fn take(&self, held: Held, room: Vec<Item>, patience: Duration) -> Taken {
        let mut state = self.lock();
        state.held = held;
        state.is_asleep = true;
        let (mut state, _) = self
            .wake
            .wait_timeout_while(state, patience, |state| {
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
        // They are the keeper's from now on, and count until it says otherwise.
        state.held.count += state.items.len();
        state.held.size += mem::take(&mut state.size);
        Taken {
            items: mem::replace(&mut state.items, room),
            flushes: mem::take(&mut state.flushes),
            is_over: state.is_over,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_urgent(&self) -> bool {
        self.is_over || !self.flushes.is_empty()
    }
}

/// How long the first call of a group waits for others: the disk is asked once for all of them.
const GROUP: Duration = Duration::from_millis(50);

/// How many calls may wait.
pub(super) const MOST: usize = 16_384;
const HALF: usize = MOST / 2;

/// For how many room is kept while there are fewer.
pub(super) const USUAL_COUNT: usize = 2048;

/// How much room what calls bring along may take while they wait.
const MOST_BYTES: usize = 32 << 20;

/// A call without what it brings along.
const USUAL: usize = 512;
