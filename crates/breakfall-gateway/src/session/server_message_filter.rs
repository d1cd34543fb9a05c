//! A look at what a server says of its own accord, before the client hears it.

use std::fmt;

use breakfall_mcp::connection::Ticket;
use breakfall_mcp::jsonrpc::Frame;

/// Changes what a server tells and asks, or keeps it from the client. Answers are changed where they are asked for
/// ([`Ticket::then`]).
pub(crate) trait ServerMessageFilter: fmt::Debug + Send + Sync {
    /// The server tells something.
    fn told(&self, frame: Frame) -> Option<Frame> {
        Some(frame)
    }

    /// The server asks something.
    fn asked(&self, frame: Frame, ticket: Ticket) -> Option<(Frame, Ticket)> {
        Some((frame, ticket))
    }
}
