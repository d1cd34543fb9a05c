//! How big and how deep messages may be.

use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

use breakfall::LimitType;
use breakfall_mcp::jsonrpc::FrameLimits;

use super::numbers::{limit, size};
use super::setting::settings;
use super::units::show_size;

settings! {
    /// How big and how deep messages may be.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct MessageLimits {
        /// The largest message of a client.
        pub request: usize = FrameLimits::REQUEST.size => size(SIZE_BOUNDS);
        /// The largest message of a server.
        pub response: usize = FrameLimits::RESPONSE.size => size(SIZE_BOUNDS);
        /// Lists and objects inside each other.
        pub depth: usize = FrameLimits::REQUEST.depth => limit(1..=MAX_DEPTH);
    }
    impl Section {
        const EXAMPLE: &'static str = "limits: { request: 16MiB, response: 64MiB, depth: 128 }";
    }
}

const SIZE_BOUNDS: RangeInclusive<u64> = (1 << 10)..=(1 << 30);

/// The deepest JSON the parser reads.
const MAX_DEPTH: u64 = 128;

impl MessageLimits {
    /// The limits of messages from clients.
    ///
    /// ```
    /// use breakfall_gateway::config::MessageLimits;
    /// use breakfall_mcp::jsonrpc::FrameLimits;
    ///
    /// assert_eq!(MessageLimits::default().of_requests(), FrameLimits::REQUEST);
    /// assert_eq!(MessageLimits::default().of_responses(), FrameLimits::RESPONSE);
    /// ```
    pub const fn of_requests(self) -> FrameLimits {
        FrameLimits::new(self.request, self.depth, LimitType::RequestSize)
    }

    /// The limits of messages from servers.
    pub const fn of_responses(self) -> FrameLimits {
        FrameLimits::new(self.response, self.depth, LimitType::ResponseSize)
    }
}

impl Display for MessageLimits {
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
