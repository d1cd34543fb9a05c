//! The bound on what waits to be sent.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;

use super::{OutgoingMessage, Transport};

/// Counts the bytes that wait for a transport, and delays or refuses more.
#[derive(Debug)]
pub(super) struct Outbox {
    transport: Arc<dyn Transport>,
    /// The bytes that wait.
    waiting: AtomicUsize,
    closed: AtomicBool,
    /// Notified after a write.
    written: Notify,
}

/// Why a message was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "full or closed")]
pub enum SendError {
    /// The other end does not read, and too much waits for it.
    Full,
    /// The connection is closed.
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
    pub(super) fn new(transport: Arc<dyn Transport>) -> Self {
        Self {
            transport,
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            written: Notify::new(),
        }
    }

    pub(super) fn transport(&self) -> &dyn Transport {
        &*self.transport
    }

    /// Takes a message if there is room. Any message fits if nothing else waits.
    pub(super) fn put(&self, outgoing: OutgoingMessage) -> Result<(), SendError> {
        let waiting = self.waiting.load(Ordering::Relaxed);
        if waiting > 0 && waiting + outgoing.message.weight() > MAX_WAITING_BYTES {
            return Err(SendError::Full);
        }
        self.put_anyway(outgoing)
    }

    /// Queues a message even if the queue is full: one that must not be lost, and is bounded elsewhere.
    pub(super) fn put_anyway(&self, outgoing: OutgoingMessage) -> Result<(), SendError> {
        if self.closed.load(Ordering::Acquire) {
            return Err(SendError::Over);
        }
        self.waiting
            .fetch_add(outgoing.message.weight(), Ordering::Relaxed);
        self.transport.carry(outgoing)
    }

    /// Waits until so little waits that more may be read for this end: a slow reader slows the sender down rather than fill
    /// the memory.
    pub(super) async fn room(&self) {
        self.at_most(SLOW_DOWN_BYTES).await;
    }

    /// Waits until a message of some size fits.
    pub(super) async fn room_for(&self, size: usize) {
        // A copy may take twice its size for a moment.
        let is_huge = size > MAX_WAITING_BYTES / 4;
        self.at_most(if is_huge { 0 } else { SLOW_DOWN_BYTES })
            .await;
    }

    /// Waits until [`Self::put_anyway`] is allowed: a client that does not read its answers is not read either.
    pub(super) async fn room_for_answers(&self) {
        self.at_most(MAX_WAITING_BYTES).await;
    }

    async fn at_most(&self, most: usize) {
        while !self.is_at_most(most) {
            let written = self.written.notified();
            // A write may have ended meanwhile.
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
        self.transport.close();
    }

    /// So many bytes are written.
    pub(super) fn done(&self, weight: usize) {
        self.waiting.fetch_sub(weight, Ordering::Release);
        self.written.notify_waiters();
    }
}

/// How many bytes may wait before more is refused.
const MAX_WAITING_BYTES: usize = 64 << 20;
/// How many bytes may wait before the sender is slowed down.
const SLOW_DOWN_BYTES: usize = 1 << 20;
