//! The transport that writes lines, and its task.

use std::io::{self, IoSlice};
use std::sync::{Arc, Weak};
use std::vec::Drain;

use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::pending::PendingRequests;
use super::{Connection, OutgoingMessage, SendError, Transport};
use crate::jsonrpc::RawMessage;
use crate::sync::Mutex;

/// The queue of the writing task; `None` once it is closed. The outbox bounds what waits in it.
#[derive(Debug)]
pub(super) struct LineWriter(Mutex<Option<UnboundedSender<OutgoingMessage>>>);

impl LineWriter {
    /// Starts the task.
    pub(super) fn start<W>(writer: W, peer: Weak<Connection>) -> Arc<Self>
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, queue) = unbounded_channel();
        tokio::spawn(run(writer, queue, peer));
        Arc::new(Self(Mutex::new(Some(sender))))
    }
}

impl Transport for LineWriter {
    fn carry(&self, outgoing: OutgoingMessage) -> Result<(), SendError> {
        let queue = self.0.lock();
        let sender = queue.as_ref().ok_or(SendError::Over)?;
        sender.send(outgoing).map_err(|_| SendError::Over)
    }

    fn close(&self) {
        self.0.lock().take();
    }
}

/// Writes until the queue is closed or the other end is gone. Messages that wait together are written together.
async fn run<W: AsyncWrite + Unpin>(
    mut writer: W,
    mut queue: UnboundedReceiver<OutgoingMessage>,
    peer: Weak<Connection>,
) {
    let mut batch = Vec::new();
    let mut buffer = Vec::new();
    while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
        let Some(peer) = peer.upgrade() else { break };
        let written = write(&mut writer, &mut batch, &mut buffer, &peer).await;
        buffer.shrink_to(WRITE_BYTES);
        if written.is_err() {
            break;
        }
    }
    drop(queue);
    // Fails if the other end is gone already.
    let _ = writer.shutdown().await;
    if let Some(peer) = peer.upgrade() {
        peer.end_writing();
    }
}

/// Writes a batch, and reports what is written.
async fn write<W: AsyncWrite + Unpin>(
    writer: &mut W,
    batch: &mut Vec<OutgoingMessage>,
    buffer: &mut Vec<u8>,
    peer: &Connection,
) -> io::Result<()> {
    let mut messages = batch.drain(..);
    loop {
        let (weight, big) = gather(&mut messages, buffer, &peer.pending);
        if let Some(big) = big {
            write_big(writer, &big, buffer).await?;
        }
        let is_last = messages.len() == 0;
        if is_last || buffer.len() >= WRITE_BYTES {
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

/// Gathers messages up to the size of a write, or up to a big one, which is given back with the weight of all.
fn gather(
    messages: &mut Drain<'_, OutgoingMessage>,
    buffer: &mut Vec<u8>,
    pending: &PendingRequests,
) -> (usize, Option<RawMessage>) {
    let mut weight = 0;
    for outgoing in messages {
        let OutgoingMessage {
            message, request, ..
        } = outgoing;
        weight += message.weight();
        // Marked before it is written: half a request may be read, and acted on. A request that is no longer pending is not
        // written at all: its caller was told that it was not executed, and may have repeated it.
        if request.is_some_and(|request| !pending.mark_written(request)) {
            continue;
        }
        if message.original().len() >= BIG_PIECE_BYTES {
            return (weight, Some(message));
        }
        message.append_to(buffer);
        if buffer.len() >= WRITE_BYTES {
            break;
        }
    }
    (weight, None)
}

/// Writes what was gathered and a message, whose big pieces are not copied.
async fn write_big<W: AsyncWrite + Unpin>(
    writer: &mut W,
    message: &RawMessage,
    buffer: &mut Vec<u8>,
) -> io::Result<()> {
    for piece in message.pieces() {
        if piece.len() < BIG_PIECE_BYTES {
            buffer.extend_from_slice(piece);
        } else {
            write_both(writer, buffer, piece).await?;
            buffer.clear();
        }
    }
    Ok(())
}

/// Writes two pieces as one: the little before a big piece is not worth a write of its own.
async fn write_both<W: AsyncWrite + Unpin>(
    writer: &mut W,
    first: &[u8],
    second: &[u8],
) -> io::Result<()> {
    let mut slices = [IoSlice::new(first), IoSlice::new(second)];
    let mut rest = &mut slices[..];
    // Drops empty slices: a write of nothing looks like the end.
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
/// How much is gathered into one write, and the capacity a buffer keeps.
const WRITE_BYTES: usize = 64 << 10;
/// From this size on a piece is written without copying it.
const BIG_PIECE_BYTES: usize = 16 << 10;
