//! Receives the messages of a client.

use std::fmt;
use std::sync::Arc;

use super::{Link, answer};
use breakfall_mcp::connection::{Listener, LostRequest, Peer, RelatedRequest, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Id};

/// Answers the requests of a client, itself or through the server.
pub(crate) trait RequestHandler: fmt::Debug + Send + Sync {
    /// Takes a request and answers it in time.
    fn accept(self: Arc<Self>, frame: Frame, ticket: Ticket);
}

/// Hands the requests of a client to a handler, and its notifications to the server.
#[derive(Debug)]
pub(crate) struct ClientSide {
    link: Link,
    handler: Arc<dyn RequestHandler>,
}

impl ClientSide {
    pub(crate) fn new(link: Link, handler: Arc<dyn RequestHandler>) -> Self {
        Self { link, handler }
    }
}

impl Listener for ClientSide {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        Arc::clone(&self.handler).accept(frame, ticket);
    }

    fn notification(&self, frame: Frame, _: &Peer, _: RelatedRequest) {
        self.link.notification(frame);
    }

    fn cancelled(&self, key: &Id) {
        self.link.cancelled(key);
    }

    fn lost(&self, lost: LostRequest) {
        answer::lost_by_client(lost);
    }
}
