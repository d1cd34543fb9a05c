//! Reading a connection: answers go to those who wait for them, everything else to the listener.

use std::sync::Arc;

use breakfall::wire::Rpc;
use tokio::io::AsyncRead;

use super::lines::{Line, Lines};
use super::ticket::error;
use super::{Answer, Cancel, Peer, Side, Ticket};
use crate::envelope::{Failure, Frame, Kind, Limits, Refusal};

/// Hears what the other end asks and tells. It is called by the task that reads, in the order of the messages, so it
/// must not wait: what takes time is spawned.
pub trait Listener: Send + Sync {
    /// The other end asks.
    fn request(&self, frame: Frame, ticket: Ticket, cancel: Cancel);

    /// The other end tells.
    fn notification(&self, frame: Frame);

    /// The other end is gone. `half` is the length of a last line without an end.
    fn end(&self, half: usize);
}

pub(super) async fn run<R: AsyncRead + Unpin>(
    reader: R,
    peer: Peer,
    limits: Limits,
    listener: Arc<dyn Listener>,
) {
    let mut lines = Lines::new(reader, limits.size);
    let mut half = 0;
    // An error of the stream is its end.
    while let Ok(Some(line)) = lines.next().await {
        let frame = match line {
            Line::Whole(bytes) => Frame::parse(bytes, &limits),
            Line::TooLong { scan, length } => Err(Refusal::too_big(&scan, length, &limits)),
            Line::Half { length } => {
                half = length;
                break;
            }
        };
        match frame {
            Ok(frame) => take(&peer, frame, &*listener),
            Err(refusal) => refuse(&peer, refusal),
        }
    }
    peer.0.pending.end();
    listener.end(half);
}

fn take(peer: &Peer, frame: Frame, listener: &dyn Listener) {
    match frame.kind() {
        Kind::Request => ask(peer, frame, listener),
        Kind::Notification => {
            let known = if frame.method() == "notifications/progress" {
                peer.0.pending.progress(&frame)
            } else if frame.method() == "notifications/cancelled" {
                peer.0.tickets.cancel(frame)
            } else {
                return listener.notification(frame);
            };
            if !known {
                peer.count_stray();
            }
        }
        Kind::Result | Kind::Error => {
            let id = frame.id().cloned();
            if !peer.0.pending.answer(id.as_ref(), Answer::Reply(frame)) {
                peer.count_stray();
            }
        }
    }
}

fn ask(peer: &Peer, frame: Frame, listener: &dyn Listener) {
    let id = frame.id().expect("a request has an id");
    let refusal = match peer.0.tickets.open(id, peer) {
        Ok((ticket, cancel)) => return listener.request(frame, ticket, cancel),
        Err(fault) => fault,
    };
    let bytes = error(Some(id), &refusal, Some(Rpc::InvalidRequest));
    // Who does not read its answers does not get them.
    let _ = peer.notify(bytes);
}

/// A line that is no message. A client is told; from a server it is noise, unless it carries the id of a request: then
/// that request has had its answer, such as it is.
fn refuse(peer: &Peer, refusal: Failure) {
    peer.count_garbage();
    match peer.0.side {
        Side::Client => {
            let bytes = error(refusal.id.as_ref(), &refusal.fault, Some(refusal.rpc));
            // As above.
            let _ = peer.notify(bytes);
        }
        Side::Server => {
            let id = refusal.id.clone();
            peer.0
                .pending
                .answer(id.as_ref(), Answer::Unreadable(refusal));
        }
    }
}
