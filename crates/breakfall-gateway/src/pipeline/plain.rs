//! The wire and nothing else, for whoever wants only that.

use super::Pipeline;
use super::receive::twice;
use breakfall::wire::Rpc;
use breakfall_mcp::connection::Ticket;
use breakfall_mcp::jsonrpc::Frame;

impl Pipeline {
    /// Passes a call on as it is. What comes back goes to its caller as it comes.
    pub(super) fn pass(&self, frame: Frame, ticket: Ticket) {
        match twice(&frame) {
            Some(fault) => ticket.fail(&fault, Some(Rpc::InvalidParams)),
            None => self.link.request(frame, ticket),
        }
    }
}
