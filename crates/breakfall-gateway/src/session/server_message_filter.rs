//! A filter for the notifications and requests of a server.

use std::fmt;

use breakfall_mcp::connection::Ticket;
use breakfall_mcp::jsonrpc::Frame;

/// Rewrites or drops notifications and requests of a server. Answers are rewritten with [`Ticket::then`].
pub(crate) trait ServerMessageFilter: fmt::Debug + Send + Sync {
    /// A notification of the server; `None` drops it.
    fn told(&self, frame: Frame) -> Option<Frame> {
        Some(frame)
    }

    /// A request of the server; `None` if the filter has answered it.
    fn asked(&self, frame: Frame, ticket: Ticket) -> Option<(Frame, Ticket)> {
        Some((frame, ticket))
    }
}
