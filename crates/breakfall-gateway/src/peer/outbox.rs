//! What waits to be written, and the task that writes it.

use std::fmt;
use std::io::{self, IoSlice};
use std::sync::Weak;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Notify, mpsc};

use super::Inner;
use crate::envelope::Message;

/// The queue in front of a connection.
#[derive(Debug)]
pub(super) struct Outbox {
    sender: mpsc::UnboundedSender<Item>,
    /// How many bytes wait.
    waiting: AtomicUsize,
    closed: AtomicBool,
    /// Told when a write is done.
    written: Notify,
}

/// A message to write, or the wish to end.
#[derive(Debug)]
pub(super) enum Item {
    Message {
        message: Message,
        /// The request of ours it is, to be marked as written.
        request: Option<u64>,
    },
    Close,
}

/// Why a message was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third reason")]
pub enum Unsent {
    /// The other end has not read for so long that nothing more may wait for it.
    Full,
    /// The connection is over.
    Over,
}

impl fmt::Display for Unsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Full => "the other end does not read",
            Self::Over => "the connection is over",
        })
    }
}

impl std::error::Error for Unsent {}

impl Outbox {
    pub(super) fn new() -> (Self, mpsc::UnboundedReceiver<Item>) {
        let (sender, queue) = mpsc::unbounded_channel();
        let outbox = Self {
            sender,
            waiting: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
            written: Notify::new(),
        };
        (outbox, queue)
    }

    /// Takes a message if there is room. One message always fits, however big, if nothing else waits.
    pub(super) fn put(&self, message: Message, request: Option<u64>) -> Result<(), Unsent> {
        let waiting = self.waiting.load(Ordering::Relaxed);
        if waiting > 0 && waiting + message.weight() > MOST {
            return Err(Unsent::Full);
        }
        self.put_anyway(message, request)
    }

    /// Takes a message whether there is room or not: what must not be lost, and is bounded elsewhere.
    pub(super) fn put_anyway(&self, message: Message, request: Option<u64>) -> Result<(), Unsent> {
        if self.closed.load(Ordering::Acquire) {
            return Err(Unsent::Over);
        }
        let weight = message.weight();
        self.waiting.fetch_add(weight, Ordering::Relaxed);
        let sent = self.sender.send(Item::Message { message, request });
        sent.map_err(|_| Unsent::Over)
    }

    /// Waits until so little waits that the next message may be read from whoever writes to this end. A writer that
    /// is slower than the other side's writer slows that one down, rather than fill the memory.
    pub(super) async fn room(&self) {
        self.at_most(ENOUGH).await;
    }

    /// Waits until more may be put in anyway. Who does not read what it is answered is not heard for so long.
    pub(super) async fn room_for_answers(&self) {
        self.at_most(MOST).await;
    }

    async fn at_most(&self, most: usize) {
        loop {
            let written = self.written.notified();
            let waiting = self.waiting.load(Ordering::Acquire);
            if waiting <= most || self.closed.load(Ordering::Acquire) {
                return;
            }
            written.await;
        }
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.written.notify_waiters();
        // Nobody there any more is as good as closed.
        let _ = self.sender.send(Item::Close);
    }

    fn done(&self, weight: usize) {
        self.waiting.fetch_sub(weight, Ordering::Release);
        self.written.notify_waiters();
    }
}

/// Writes until told to end or the other end is gone. Messages that wait together go out together.
pub(super) async fn run<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: mpsc::UnboundedReceiver<Item>,
    peer: Weak<Inner>,
) {
    let mut batch = Vec::new();
    let mut buffer = Vec::new();
    loop {
        if queue.recv_many(&mut batch, BATCH).await == 0 {
            break;
        }
        let Some(peer) = peer.upgrade() else { break };
        let goes_on = write(&mut writer, &mut batch, &mut buffer, &peer).await;
        buffer.shrink_to(KEPT);
        if !matches!(goes_on, Ok(true)) {
            break;
        }
    }
    queue.close();
    // Taken out of the queue one by one: what waits there may hold the last handle on something.
    while queue.try_recv().is_ok() {}
    // The other end may be gone already; then there is nobody to tell.
    let _ = writer.shutdown().await;
    if let Some(peer) = peer.upgrade() {
        peer.outbox.close();
        peer.writing_ended.notify_waiters();
        peer.writing_ended.notify_one();
    }
}

/// Writes a batch; false if the last of it was the wish to end.
async fn write<W: AsyncWrite + Unpin>(
    writer: &mut W,
    batch: &mut Vec<Item>,
    buffer: &mut Vec<u8>,
    peer: &Inner,
) -> io::Result<bool> {
    let mut weight = 0;
    let mut goes_on = true;
    for item in batch.drain(..) {
        let Item::Message { message, request } = item else {
            goes_on = false;
            break;
        };
        weight += message.weight();
        // Marked before it is written: half a request may be read, and acted on. One that nobody waits for any more
        // is not written at all: its caller was told that it did not happen, and may have asked again.
        if request.is_some_and(|request| !peer.pending.mark_written(request)) {
            continue;
        }
        for piece in message.pieces() {
            if piece.len() < BIG {
                buffer.extend_from_slice(piece);
            } else {
                write_both(writer, buffer, piece).await?;
                buffer.clear();
            }
        }
        if buffer.len() >= KEPT {
            writer.write_all(buffer).await?;
            buffer.clear();
        }
    }
    writer.write_all(buffer).await?;
    buffer.clear();
    writer.flush().await?;
    peer.outbox.done(weight);
    Ok(goes_on)
}

/// Writes two pieces as one: what stands before a big one is hardly ever worth waking the other end for.
async fn write_both<W: AsyncWrite + Unpin>(
    writer: &mut W,
    first: &[u8],
    second: &[u8],
) -> io::Result<()> {
    let mut slices = [IoSlice::new(first), IoSlice::new(second)];
    let mut rest = &mut slices[..];
    // Without those that are empty, or nothing would be written of them.
    IoSlice::advance_slices(&mut rest, 0);
    while !rest.is_empty() {
        let written = writer.write_vectored(rest).await?;
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        IoSlice::advance_slices(&mut rest, written);
    }
    Ok(())
}

/// How many bytes may wait for an end that does not read, before it is refused more.
const MOST: usize = 64 << 20;
/// How many bytes may wait for an end before whoever writes to it is slowed down.
const ENOUGH: usize = 1 << 20;
/// How many messages are taken out of the queue at a time.
const BATCH: usize = 64;
/// What is gathered into one write, and what a buffer keeps of its size.
const KEPT: usize = 64 << 10;
/// What is written from where it lies rather than gathered.
const BIG: usize = 16 << 10;
