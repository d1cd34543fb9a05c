//! Receives the messages of a client.

use std::fmt;
use std::sync::Arc;

use super::{Link, answer};
use breakfall_mcp::connection::{
    Listener, LostRequest, Peer, RelatedRequest, RequestSummary, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id};

/// Answers the requests of a client, itself or through the server.
pub(crate) trait RequestHandler: Send + Sync {
    /// Takes a request and answers it in time.
    fn accept(self: Arc<Self>, frame: Frame, ticket: Ticket);
}

/// Hands the requests of a client to a handler, and its notifications to the server.
pub(crate) struct ClientSide {
    link: Link,
    handler: Arc<dyn RequestHandler>,
}

impl fmt::Debug for ClientSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSide")
    }
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

    fn answered(&self, _: &RequestSummary, _: &Frame) {}

    fn lost(&self, lost: LostRequest) {
        answer::lost_by_client(lost);
    }

    fn end(&self, lost: Vec<LostRequest>, _: usize) {
        lost.into_iter().for_each(answer::lost_by_client);
    }

    /// A client is always read, since it may want to cancel.
    fn slower(&self) -> Option<Peer> {
        None
    }
}
