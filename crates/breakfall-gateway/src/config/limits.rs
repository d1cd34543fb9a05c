//! How big and how deep messages may be.

use std::fmt::{self, Display, Formatter};

use breakfall::LimitType;

use super::units::show_size;
use crate::envelope;

/// How big and how deep messages may be.
///
/// ```
/// use breakfall_gateway::config::Limits;
/// use breakfall_gateway::envelope;
///
/// assert_eq!(Limits::default().of_requests(), envelope::Limits::REQUEST);
/// assert_eq!(Limits::default().of_responses(), envelope::Limits::RESPONSE);
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
    pub const fn of_requests(self) -> envelope::Limits {
        envelope::Limits {
            size: self.request,
            depth: self.depth,
            side: LimitType::RequestSize,
        }
    }

    /// Those of messages from servers.
    pub const fn of_responses(self) -> envelope::Limits {
        envelope::Limits {
            size: self.response,
            depth: self.depth,
            side: LimitType::ResponseSize,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request: envelope::Limits::REQUEST.size,
            response: envelope::Limits::RESPONSE.size,
            depth: envelope::Limits::REQUEST.depth,
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
