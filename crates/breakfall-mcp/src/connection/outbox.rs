//! What waits to be carried, in bounds.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;

use super::{OutgoingMessage, Transport};

/// What stands in front of a connection: it counts what waits, and slows down or refuses.
#[derive(Debug)]
pub(super) struct Outbox {
    carrier: Arc<dyn Transport>,
    /// How many bytes wait.
    waiting: AtomicUsize,
    closed: AtomicBool,
    /// Told when a write is done.
    written: Notify,
}

/// Why a message was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third reason")]
pub enum SendError {
    /// The other end has not read for so long that nothing more may wait for it.
    Full,
    /// The connection is over.
    Over,
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the other end does not read",
            Self::Over => "the connection is over",
        })
    }
}

impl std::error::Error for SendError {}

impl Outbox {
    pub(super) fn new(carrier: Arc<dyn Transport>) -> Self {
        Self {
            carrier,
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            written: Notify::new(),
        }
    }

    pub(super) fn carrier(&self) -> &dyn Transport {
        &*self.carrier
    }

    /// Takes a message if there is room. One message always fits, however big, if nothing else waits.
    pub(super) fn put(&self, parcel: OutgoingMessage) -> Result<(), SendError> {
        let waiting = self.waiting.load(Ordering::Relaxed);
        if waiting > 0 && waiting + parcel.message.weight() > MOST {
            return Err(SendError::Full);
        }
        self.put_anyway(parcel)
    }

    /// Takes a message whether there is room or not: what must not be lost, and is bounded elsewhere.
    pub(super) fn put_anyway(&self, parcel: OutgoingMessage) -> Result<(), SendError> {
        if self.closed.load(Ordering::Acquire) {
            return Err(SendError::Over);
        }
        self.waiting
            .fetch_add(parcel.message.weight(), Ordering::Relaxed);
        self.carrier.carry(parcel)
    }

    /// Waits until so little waits that the next message may be read from whoever writes to this end. A writer that
    /// is slower than the other side's writer slows that one down, rather than fill the memory.
    pub(super) async fn room(&self) {
        self.at_most(ENOUGH).await;
    }

    /// Waits until there is so little that a message of some size is taken.
    pub(super) async fn room_for(&self, size: usize) {
        // A copy may take twice its size for a moment. One always fits if nothing else waits.
        let is_huge = size > MOST / 4;
        self.at_most(if is_huge { 0 } else { ENOUGH }).await;
    }

    /// Waits until more may be put in anyway. Who does not read what it is answered is not heard for so long.
    pub(super) async fn room_for_answers(&self) {
        self.at_most(MOST).await;
    }

    async fn at_most(&self, most: usize) {
        while !self.is_at_most(most) {
            let written = self.written.notified();
            // It may have been written meanwhile.
            if !self.is_at_most(most) {
                written.await;
            }
        }
    }

    fn is_at_most(&self, most: usize) -> bool {
        self.waiting.load(Ordering::Acquire) <= most || self.is_closed()
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.written.notify_waiters();
        self.carrier.close();
    }

    /// So much is on its way.
    pub(super) fn done(&self, weight: usize) {
        self.waiting.fetch_sub(weight, Ordering::Release);
        self.written.notify_waiters();
    }
}

/// How many bytes may wait for an end that does not read, before it is refused more.
const MOST: usize = 64 << 20;
/// How many bytes may wait for an end before whoever writes to it is slowed down.
const ENOUGH: usize = 1 << 20;
