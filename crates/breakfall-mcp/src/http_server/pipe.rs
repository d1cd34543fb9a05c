//! What waits to be read by one response that streams.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

use hyper::body::Bytes;

/// A queue between whoever has something to say and the response it is said in.
#[derive(Debug, Default)]
pub(super) struct Pipe(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Bytes>,
    bytes: usize,
    /// Nothing more will be put in.
    is_over: bool,
    /// What follows is put into another one.
    is_cut: bool,
    /// Nobody reads any more.
    is_left: bool,
    reader: Option<Waker>,
}

impl Pipe {
    /// Puts something in; false if nobody reads it any more.
    pub(super) fn put(&self, event: Bytes) -> bool {
        self.change(|state| {
            let is_read = !state.is_left && !state.is_over;
            if is_read {
                state.bytes += event.len();
                state.events.push_back(event);
            }
            is_read
        })
    }

    /// Nothing more will be put in.
    pub(super) fn end(&self) {
        self.change(|state| state.is_over = true);
    }

    /// What follows is put into another one.
    pub(super) fn cut(&self) {
        self.change(|state| {
            state.is_over = true;
            state.is_cut = true;
        });
    }

    pub(super) fn is_cut(&self) -> bool {
        self.lock().is_cut
    }

    /// Nobody reads any more.
    pub(super) fn leave(&self) {
        let mut state = self.lock();
        state.is_left = true;
        state.bytes = 0;
        state.events = VecDeque::new();
    }

    /// How much waits to be read.
    pub(super) fn bytes(&self) -> usize {
        self.lock().bytes
    }

    /// Whether somebody reads, and will go on to.
    pub(super) fn is_open(&self) -> bool {
        let state = self.lock();
        !state.is_left && !state.is_over
    }

    pub(super) fn poll(&self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut state = self.lock();
        if let Some(event) = state.events.pop_front() {
            state.bytes -= event.len();
            return Poll::Ready(Some(event));
        }
        if state.is_over {
            return Poll::Ready(None);
        }
        match &mut state.reader {
            Some(reader) => reader.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        let reader = state.reader.take();
        drop(state);
        if let Some(reader) = reader {
            reader.wake();
        }
        result
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}
