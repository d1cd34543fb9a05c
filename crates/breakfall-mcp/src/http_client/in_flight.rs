//! One message on its way: whether it may still leave, whether it has left, and how much memory it takes until then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use crate::connection::Inbound;

/// A message on its way. It counts as waiting until all of it has left.
#[derive(Debug)]
pub(super) struct InFlight {
    pub(super) inbound: Arc<Inbound>,
    /// The number of the request; a notification has none.
    pub(super) number: Option<u64>,
    weight: usize,
    has_left: AtomicBool,
    left: Notify,
}

impl InFlight {
    pub(super) fn new(inbound: Arc<Inbound>, number: Option<u64>, weight: usize) -> Arc<Self> {
        Arc::new(Self {
            inbound,
            number,
            weight,
            has_left: AtomicBool::new(false),
            left: Notify::new(),
        })
    }

    /// Marks a request as sent, just before its first byte leaves; false if the caller has cancelled it.
    pub(super) fn begin(&self) -> bool {
        self.number
            .is_none_or(|number| self.inbound.peer().begin(number))
    }

    /// Whether the server may see it twice without harm. A notification is not known to be.
    pub(super) fn is_repeatable(&self) -> bool {
        self.number
            .is_some_and(|number| self.inbound.peer().may_repeat(number))
    }

    /// All of it has left.
    pub(super) fn leave(&self) {
        if !self.has_left.swap(true, Ordering::AcqRel) {
            self.inbound.peer().sent(self.weight);
            self.left.notify_waiters();
        }
    }

    /// Waits until all of it has left.
    pub(super) async fn left(&self) {
        let left = self.left.notified();
        tokio::pin!(left);
        // Registers before the check, so that no notice is missed.
        left.as_mut().enable();
        if !self.has_left.load(Ordering::Acquire) {
            left.await;
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.leave();
    }
}
