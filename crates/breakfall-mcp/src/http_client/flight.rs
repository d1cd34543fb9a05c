//! One request on its way: whether it may still leave, whether it has, and what it weighs until then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use crate::connection::Inbound;

/// A message on its way. As long as none of it has left, it counts as waiting.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) ear: Arc<Inbound>,
    /// The request it is, if it is one.
    pub(super) number: Option<u64>,
    weight: usize,
    has_begun: AtomicBool,
    has_left: AtomicBool,
    left: Notify,
}

impl Flight {
    pub(super) fn new(ear: Arc<Inbound>, number: Option<u64>, weight: usize) -> Arc<Self> {
        Arc::new(Self {
            ear,
            number,
            weight,
            has_begun: AtomicBool::new(false),
            has_left: AtomicBool::new(false),
            left: Notify::new(),
        })
    }

    /// It is about to leave; false if nobody wants it to any more.
    pub(super) fn begin(&self) -> bool {
        let begins = self
            .number
            .is_none_or(|number| self.ear.peer().begin(number));
        if begins {
            self.has_begun.store(true, Ordering::Release);
        }
        begins
    }

    /// All of it has left.
    pub(super) fn leave(&self) {
        if !self.has_left.swap(true, Ordering::AcqRel) {
            self.ear.peer().sent(self.weight);
            self.left.notify_waiters();
        }
    }

    /// Whether any of it can have arrived.
    pub(super) fn has_left(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// Waits until all of it has left.
    pub(super) async fn left(&self) {
        let left = self.left.notified();
        tokio::pin!(left);
        // From here on no notice is missed.
        left.as_mut().enable();
        if !self.has_left.load(Ordering::Acquire) {
            left.await;
        }
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.leave();
    }
}
