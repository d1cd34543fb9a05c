//! While the other end waits for an answer to a question of its own it is not late with ours.

use std::fmt;
use std::sync::{Arc, Weak};

use super::hear::RelatedRequest;
use super::pending::Quiet;
use super::{Inner, Peer, Ticket};

/// As long as this is kept, what it is about may be quiet.
pub(super) struct Pause {
    peer: Weak<Inner>,
    quiet: Quiet,
}

impl Peer {
    /// A question of this end: until it is answered, the request it belongs to may be quiet; all that have gone out by now if
    /// it is not known which. The hard maximum goes on.
    pub fn pausing(&self, ticket: Ticket, about: RelatedRequest) -> Ticket {
        let quiet = self.0.pending.pause(about);
        ticket.keeping(Pause {
            peer: Arc::downgrade(&self.0),
            quiet,
        })
    }
}

impl fmt::Debug for Pause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pause")
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        if let Some(peer) = self.peer.upgrade() {
            peer.pending.go_on(self.quiet);
        }
    }
}
