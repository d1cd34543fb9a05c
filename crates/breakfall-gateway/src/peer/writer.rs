//! What waits to be written, bounded in bytes, and the task that writes it.

use std::fmt;
use std::sync::Weak;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;

use super::Inner;

/// The queue in front of a connection.
#[derive(Debug)]
pub(crate) struct Outbox {
    sender: mpsc::UnboundedSender<Item>,
    bytes: AtomicUsize,
    closed: AtomicBool,
}

/// A message to write, or the wish to end.
#[derive(Debug)]
pub(crate) enum Item {
    Message {
        bytes: Vec<u8>,
        /// The request of ours it is, to be marked as written.
        request: Option<u64>,
    },
    Close,
}

/// The other end has not read for so long that nothing more may wait for it, or it is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the other end does not read")
    }
}

impl std::error::Error for Full {}

impl Outbox {
    pub(super) fn new() -> (Self, mpsc::UnboundedReceiver<Item>) {
        let (sender, queue) = mpsc::unbounded_channel();
        let outbox = Self {
            sender,
            bytes: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        };
        (outbox, queue)
    }

    /// Puts a message in the queue. One message always fits, however big, if nothing else waits.
    pub(super) fn put(&self, bytes: Vec<u8>, request: Option<u64>) -> Result<(), Full> {
        let size = bytes.len();
        let before = self.bytes.fetch_add(size, Ordering::Relaxed);
        let fits = before == 0 || before + size <= MOST;
        let item = Item::Message { bytes, request };
        if self.closed.load(Ordering::Acquire) || !fits || self.sender.send(item).is_err() {
            self.bytes.fetch_sub(size, Ordering::Relaxed);
            return Err(Full);
        }
        Ok(())
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        // Nobody there any more is as good as closed.
        let _ = self.sender.send(Item::Close);
    }

    fn written(&self, size: usize) {
        self.bytes.fetch_sub(size, Ordering::Relaxed);
    }
}

/// Writes until told to end or the other end is gone. Several messages that wait go out together.
pub(super) async fn run<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: mpsc::UnboundedReceiver<Item>,
    peer: Weak<Inner>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    let mut buffer = Vec::new();
    let mut open = true;
    while open && queue.recv_many(&mut batch, BATCH).await > 0 {
        let Some(peer) = peer.upgrade() else { break };
        let mut size = 0;
        for item in batch.drain(..) {
            let Item::Message { bytes, request } = item else {
                open = false;
                break;
            };
            if let Some(request) = request {
                peer.pending.mark_written(request);
            }
            size += bytes.len();
            buffer.extend_from_slice(&bytes);
            buffer.push(b'\n');
        }
        let result = async {
            writer.write_all(&buffer).await?;
            writer.flush().await
        };
        if result.await.is_err() {
            break;
        }
        peer.outbox.written(size);
        buffer.clear();
        buffer.shrink_to(KEPT);
    }
    queue.close();
    if let Some(peer) = peer.upgrade() {
        peer.outbox.closed.store(true, Ordering::Release);
    }
    // The other end may be gone already; then there is nobody to tell.
    let _ = writer.shutdown().await;
}

/// How many bytes may wait for a connection that does not read.
const MOST: usize = 64 << 20;
/// How many messages go out in one write at most.
const BATCH: usize = 64;
/// What a write buffer keeps of its size.
const KEPT: usize = 64 << 10;
