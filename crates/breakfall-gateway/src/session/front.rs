//! Hears the client.

use std::fmt;
use std::sync::Arc;

use tokio::sync::Notify;

use super::{Link, answer};
use crate::pipeline::Pipeline;
use breakfall_mcp::connection::{
    Listener, LostRequest, Peer, RelatedRequest, RequestSummary, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id};

/// Leaves everything a client says with the server behind it.
pub(crate) struct Front {
    link: Link,
    /// Calls of tools have a life of their own.
    calls: Arc<Pipeline>,
    /// Told when the client has said its last word.
    hung_up: Notify,
}

impl fmt::Debug for Front {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Front")
    }
}

impl Front {
    pub(crate) fn new(link: Link) -> Self {
        Self {
            calls: Pipeline::new(link.clone()),
            link,
            hung_up: Notify::new(),
        }
    }

    /// Waits until the client has said its last word.
    pub(crate) async fn hung_up(&self) {
        self.hung_up.notified().await;
    }
}

impl Listener for Front {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        if frame.method() == "tools/call" {
            return self.calls.take(frame, ticket);
        }
        self.calls.pass_on(frame, ticket);
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
        self.hung_up.notify_one();
    }

    /// Nobody: a client is read always, since it may want to cancel.
    fn slower(&self) -> Option<Peer> {
        None
    }
}
