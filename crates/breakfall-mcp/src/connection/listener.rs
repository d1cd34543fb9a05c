//! The handler of what the other end of a connection sends.

use super::{LostRequest, Peer, RequestSummary, Ticket};
use crate::error::ReplyOptions;
use crate::jsonrpc::{Frame, Id};

/// The number of the request in whose response a message came, where the transport tells.
pub type RelatedRequest = Option<u64>;

/// Handles what the other end sends. It is called on the task that reads the connection, in the order of the messages, so it
/// must not block. A panic in it costs the message it handles.
pub trait Listener: Send + Sync {
    /// A request came.
    fn request(&self, frame: Frame, ticket: Ticket, about: RelatedRequest);

    /// A notification came.
    fn notification(&self, frame: Frame, from: &Peer, about: RelatedRequest);

    /// Handles progress of a request that this process sent with its own token. Returns false if the token is unknown.
    fn progress(&self, _: &Frame) -> bool {
        false
    }

    /// The other end cancelled a request that is not forwarded.
    fn cancelled(&self, _key: &Id) {}

    /// The other end answered a forwarded request; the answer is sent next.
    fn answered(&self, _asked: &RequestSummary, _frame: &Frame) {}

    /// The other end will not answer a forwarded request.
    fn lost(&self, lost: LostRequest);

    /// The connection ended, and with it the requests that were forwarded to it. `half` is the length of an unfinished last
    /// line.
    fn end(&self, lost: Vec<LostRequest>, _half: usize) {
        for lost in lost {
            self.lost(lost);
        }
    }

    /// A server printed a line that is not a message.
    fn noise(&self, _line: &[u8]) {}

    /// The connection most messages of this one are forwarded to. This one is read only as fast as that one is written.
    /// A client is always read, since it may want to cancel.
    fn slower(&self) -> Option<Peer> {
        None
    }

    /// How this process answers requests that it fails itself. Asked once, when the connection begins.
    fn reply_options(&self) -> ReplyOptions {
        ReplyOptions::default()
    }

    /// The messages to send first to an end that has lost its state.
    fn again(&self) -> Vec<ReplayMessage> {
        Vec::new()
    }
}

/// A message to send again.
#[derive(Debug)]
pub enum ReplayMessage {
    /// A request that has to succeed.
    Ask(Frame),
    /// A notification.
    Tell(Frame),
}
