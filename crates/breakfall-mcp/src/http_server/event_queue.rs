//! The events that wait to be written to one response.
//!
//! Not a channel of tokio: the queue counts its bytes, is ended while events are still in it, and its consumer may be
//! replaced by another response.

use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use hyper::body::Bytes;

use super::unread_answers::{HeldBytes, UnreadAnswers};
use crate::sync::Mutex;

/// A queue between the producers of events and the response that writes them.
#[derive(Debug, Default)]
pub(super) struct EventQueue {
    state: Mutex<QueueState>,
    /// What the events count for.
    unread: Option<Arc<UnreadAnswers>>,
}

#[derive(Debug, Default)]
struct QueueState {
    events: VecDeque<HeldBytes>,
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
    /// A queue of events for a client.
    pub(super) fn of(unread: &Arc<UnreadAnswers>) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            unread: Some(Arc::clone(unread)),
        })
    }

    /// What the events count for.
    pub(super) fn unread(&self) -> Option<&Arc<UnreadAnswers>> {
        self.unread.as_ref()
    }

    /// Adds an event; false if the response is gone or ended.
    pub(super) fn push(&self, event: Bytes) -> bool {
        if !self.is_open() {
            return false;
        }
        let held = match &self.unread {
            Some(unread) => unread.hold(event),
            None => Some(HeldBytes::uncounted(event)),
        };
        let Some(event) = held else {
            return false;
        };
        self.change(|state| {
            let is_open = state.is_open();
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
        self.state.lock().is_replaced
    }

    /// The response is gone.
    pub(super) fn abandon(&self) {
        let mut state = self.state.lock();
        state.is_abandoned = true;
        state.bytes = 0;
        state.events = VecDeque::new();
    }

    /// The number of bytes that wait.
    pub(super) fn bytes(&self) -> usize {
        self.state.lock().bytes
    }

    /// Whether events are still written.
    pub(super) fn is_open(&self) -> bool {
        self.state.lock().is_open()
    }

    pub(super) fn poll(&self, context: &mut Context<'_>) -> Poll<Option<HeldBytes>> {
        let mut state = self.state.lock();
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
        let mut state = self.state.lock();
        let result = change(&mut state);
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
        result
    }
}

impl QueueState {
    fn is_open(&self) -> bool {
        !self.is_abandoned && !self.is_ended
    }
}
