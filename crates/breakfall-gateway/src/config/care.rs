//! What is done about a server that fails, as meant.

use breakfall_mcp::timeouts::Timeouts;
use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use super::units::show_duration;
use crate::resilience::timeouts::Class;
use crate::resilience::{breaker, bulkhead, retry};

/// Something that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum Switch<T> {
    /// It is not done.
    Off,
    /// It is done, like this.
    On(T),
}

impl<T> Switch<T> {
    /// How it is done, if it is.
    ///
    /// ```
    /// use breakfall_gateway::config::Switch;
    ///
    /// assert_eq!(Switch::On(3).on(), Some(3));
    /// assert_eq!(Switch::<u8>::Off.on(), None);
    /// ```
    pub fn on(self) -> Option<T> {
        match self {
            Self::Off => None,
            Self::On(value) => Some(value),
        }
    }
}

/// How long to wait for a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two ways to say it")]
pub enum Timeout {
    /// This long without a sign of life, and in all as long as for every tool of the server.
    Quiet(Duration),
    /// As long as tools of a class.
    Class(Class),
}

impl Timeout {
    /// How long to wait for a tool that has a timeout of its own, in place of its server's.
    pub fn replacing(own: Option<Self>, timeouts: Timeouts) -> Timeouts {
        match own {
            None => timeouts,
            Some(Self::Quiet(idle)) => Timeouts {
                idle,
                total: timeouts.total.max(idle),
            },
            Some(Self::Class(class)) => Timeouts {
                idle: class.quiet(),
                total: class.total(),
            },
        }
    }
}

/// A tool that does what another does, more or less.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fallback {
    /// The server that has it; the same server without one.
    pub upstream: Option<String>,
    /// What that server calls it.
    pub tool: String,
}

impl Fallback {
    pub(super) fn new(upstream: Option<String>, tool: String) -> Self {
        Self { upstream, tool }
    }
}

impl Display for Timeout {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Quiet(quiet) => f.write_str(&show_duration(*quiet)),
            Self::Class(class) => Display::fmt(class, f),
        }
    }
}

impl Display for Fallback {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.upstream {
            Some(upstream) => write!(f, "{} of {upstream}", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

impl<T: Display> Display for Switch<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::On(value) => Display::fmt(value, f),
        }
    }
}

impl Display for retry::RetryPolicy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (base, cap) = (show_duration(self.base), show_duration(self.cap));
        let wait = show_duration(self.max_wait);
        write!(
            f,
            "{} attempts, pauses from {base} to {cap}, {wait} if the server asks for it",
            self.attempts
        )
    }
}

impl Display for breaker::BreakerPolicy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (window, open) = (show_duration(self.window), show_duration(self.open));
        write!(
            f,
            "opens for {open} when {}% of {} calls or more fail in {window}; {} must work again",
            self.rate * 100.0,
            self.minimum,
            self.probes
        )
    }
}

impl Display for bulkhead::BulkheadPolicy {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let wait = show_duration(self.wait);
        write!(
            f,
            "{} at once, {} wait up to {wait}",
            self.limit, self.queue
        )
    }
}
