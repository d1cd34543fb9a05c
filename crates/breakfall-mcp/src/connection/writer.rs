//! The carrier that writes lines, and the task that does it.

use std::io::{self, IoSlice};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::vec::Drain;

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::pending::Pending;
use super::{Inner, OutgoingMessage, SendError, Transport};
use crate::jsonrpc::RawMessage;

/// The queue of the task that writes; empty once it is closed. The outbox bounds what waits in it.
#[derive(Debug)]
pub(super) struct Writer(Mutex<Option<UnboundedSender<OutgoingMessage>>>);

impl Writer {
    /// Begins to write for a connection.
    pub(super) fn start<W>(writer: W, peer: Weak<Inner>) -> Arc<Self>
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, queue) = unbounded_channel();
        tokio::spawn(run(writer, queue, peer));
        Arc::new(Self(Mutex::new(Some(sender))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<UnboundedSender<OutgoingMessage>>> {
        self.0.lock().expect("no panic while this lock is held")
    }
}

impl Transport for Writer {
    fn carry(&self, parcel: OutgoingMessage) -> Result<(), SendError> {
        let queue = self.lock();
        let sender = queue.as_ref().ok_or(SendError::Over)?;
        sender.send(parcel).map_err(|_| SendError::Over)
    }

    fn close(&self) {
        self.lock().take();
    }
}

/// Writes until told to end or the other end is gone. Messages that wait together go out together.
async fn run<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: UnboundedReceiver<OutgoingMessage>,
    peer: Weak<Inner>,
) {
    let mut batch = Vec::new();
    let mut buffer = Vec::new();
    while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let Some(peer) = peer.upgrade() else { break };
        let written = write(&mut writer, &mut batch, &mut buffer, &peer).await;
        buffer.shrink_to(KEPT);
        if written.is_err() {
            break;
        }
    }
    drop(queue);
    // The other end may be gone already; then there is nobody to tell.
    let _ = writer.shutdown().await;
    if let Some(peer) = peer.upgrade() {
        peer.end_writing();
    }
}

/// Writes a batch, and says what is on its way.
async fn write<W: AsyncWrite + Unpin>(
    writer: &mut W,
    batch: &mut Vec<OutgoingMessage>,
    buffer: &mut Vec<u8>,
    peer: &Inner,
) -> io::Result<()> {
    let mut parcels = batch.drain(..);
    loop {
        let (weight, big) = gather(&mut parcels, buffer, &peer.pending);
        if let Some(big) = big {
            write_big(writer, &big, buffer).await?;
        }
        let is_last = parcels.len() == 0;
        if is_last || buffer.len() >= KEPT {
            writer.write_all(buffer).await?;
            buffer.clear();
        }
        if is_last {
            writer.flush().await?;
        }
        peer.outbox.done(weight);
        if is_last {
            return Ok(());
        }
    }
}

/// Gathers messages up to what is worth a write, or up to a big one, which is given back. Says what they weigh.
fn gather(
    parcels: &mut Drain<'_, OutgoingMessage>,
    buffer: &mut Vec<u8>,
    pending: &Pending,
) -> (usize, Option<RawMessage>) {
    let mut weight = 0;
    for parcel in parcels {
        let OutgoingMessage {
            message, request, ..
        } = parcel;
        weight += message.weight();
        // Marked before it is written: half a request may be read, and acted on. One that nobody waits for any more
        // is not written at all: its caller was told that it did not happen, and may have asked again.
        if request.is_some_and(|request| !pending.mark_written(request)) {
            continue;
        }
        if message.original().len() >= BIG {
            return (weight, Some(message));
        }
        message.append_to(buffer);
        if buffer.len() >= KEPT {
            break;
        }
    }
    (weight, None)
}

/// Writes what was gathered and a message, whose big pieces are written from where they lie.
async fn write_big<W: AsyncWrite + Unpin>(
    writer: &mut W,
    message: &RawMessage,
    buffer: &mut Vec<u8>,
) -> io::Result<()> {
    for piece in message.pieces() {
        if piece.len() < BIG {
            buffer.extend_from_slice(piece);
        } else {
            write_both(writer, buffer, piece).await?;
            buffer.clear();
        }
    }
    Ok(())
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

/// How many messages are taken out of the queue at a time.
const MAX_BATCH: usize = 256;
/// What is gathered into one write, and what a buffer keeps of its size.
const KEPT: usize = 64 << 10;
/// What is written from where it lies rather than gathered.
const BIG: usize = 16 << 10;
