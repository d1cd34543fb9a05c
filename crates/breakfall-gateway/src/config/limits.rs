//! How big and how deep messages may be.

use std::fmt::{self, Display, Formatter};

use breakfall::LimitType;

use super::units::show_size;
use breakfall_mcp::jsonrpc;

/// How big and how deep messages may be.
///
/// ```
/// use breakfall_gateway::config::Limits;
/// use breakfall_gateway::jsonrpc;
///
/// assert_eq!(Limits::default().of_requests(), jsonrpc::FrameLimits::REQUEST);
/// assert_eq!(Limits::default().of_responses(), jsonrpc::FrameLimits::RESPONSE);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a message from a client.
    pub request: usize,
    /// Bytes of a message from a server.
    pub response: usize,
    /// Levels of nesting of either.
    pub depth: usize,
}

impl Limits {
    /// Those of messages from clients.
    pub const fn of_requests(self) -> jsonrpc::FrameLimits {
        jsonrpc::FrameLimits::new(self.request, self.depth, LimitType::RequestSize)
    }

    /// Those of messages from servers.
    pub const fn of_responses(self) -> jsonrpc::FrameLimits {
        jsonrpc::FrameLimits::new(self.response, self.depth, LimitType::ResponseSize)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request: jsonrpc::FrameLimits::REQUEST.size,
            response: jsonrpc::FrameLimits::RESPONSE.size,
            depth: jsonrpc::FrameLimits::REQUEST.depth,
        }
    }
}

impl Display for Limits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (request, response) = (
            show_size(self.request as u64),
            show_size(self.response as u64),
        );
        write!(
            f,
            "requests {request}, responses {response}, depth {}",
            self.depth
        )
    }
}
