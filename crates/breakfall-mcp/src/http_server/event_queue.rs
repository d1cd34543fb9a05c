//! The events that wait to be written to one response.
//!
//! Not a channel of tokio: the queue counts its bytes, is ended while events are still in it, and its consumer may be
//! replaced by another response.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use hyper::body::Bytes;

/// A queue between the producers of events and the response that writes them.
#[derive(Debug, Default)]
pub(super) struct EventQueue(Mutex<QueueState>);

#[derive(Debug, Default)]
struct QueueState {
    events: VecDeque<Bytes>,
    bytes: usize,
    /// No event will follow.
    is_ended: bool,
    /// Later events go to the queue of another response.
    is_replaced: bool,
    /// The response is gone.
    is_abandoned: bool,
    reader: Option<Waker>,
}

impl EventQueue {
    /// Adds an event; false if the response is gone or ended.
    pub(super) fn push(&self, event: Bytes) -> bool {
        self.change(|state| {
            let is_open = !state.is_abandoned && !state.is_ended;
            if is_open {
                state.bytes += event.len();
                state.events.push_back(event);
            }
            is_open
        })
    }

    /// Ends the response after the events that wait.
    pub(super) fn end(&self) {
        self.change(|state| state.is_ended = true);
    }

    /// Ends the response, because later events go to another one.
    pub(super) fn replace(&self) {
        self.change(|state| {
            state.is_ended = true;
            state.is_replaced = true;
        });
    }

    pub(super) fn is_replaced(&self) -> bool {
        self.lock().is_replaced
    }

    /// The response is gone.
    pub(super) fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        state.bytes = 0;
        state.events = VecDeque::new();
    }

    /// The number of bytes that wait.
    pub(super) fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Whether events are still written.
    pub(super) fn is_open(&self) -> bool {
        let state = self.lock();
        !state.is_abandoned && !state.is_ended
    }

    pub(super) fn poll(&self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut state = self.lock();
        if let Some(event) = state.events.pop_front() {
            state.bytes -= event.len();
            return Poll::Ready(Some(event));
        }
        if state.is_ended {
            return Poll::Ready(None);
        }
        match &mut state.reader {
            Some(reader) => reader.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    fn change<T>(&self, change: impl FnOnce(&mut QueueState) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().expect("the lock is never poisoned")
    }
}
