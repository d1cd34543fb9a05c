//! Deadlines pause while the other end waits for the answer to a question of its own.

use std::sync::{Arc, Weak};

use super::listener::RelatedRequest;
use super::pending::PausedRequests;
use super::{Connection, Peer, Ticket};

/// Resumes the deadlines it paused when it is dropped.
#[derive(Debug)]
pub(super) struct DeadlinePause {
    peer: Weak<Connection>,
    paused: PausedRequests,
}

impl Peer {
    /// Pauses idle deadlines until a question of this end is answered: that of the request it belongs to, or those of all
    /// requests sent so far if that is unknown. The total timeout goes on.
    pub fn pausing(&self, ticket: Ticket, about: RelatedRequest) -> Ticket {
        let paused = self.0.pending.pause(about);
        ticket.keeping(DeadlinePause {
            peer: Arc::downgrade(&self.0),
            paused,
        })
    }
}

impl Drop for DeadlinePause {
    fn drop(&mut self) {
        if let Some(peer) = self.peer.upgrade() {
            peer.pending.resume(self.paused);
        }
    }
}
