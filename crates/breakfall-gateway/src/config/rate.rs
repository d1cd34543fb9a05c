//! How many calls may be made in a time.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use breakfall::Window;

use super::kinds::{defaulting, optional};
use super::numbers::number;
use super::setting::{Kind, settings};
use super::word::{word, words};

settings! {
    /// How many calls may be made in a time.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct RateLimit {
        /// How many calls.
        pub requests: u32 = 1 => defaulting(calls(), None);
        /// In which time.
        pub per: RateWindow = RateWindow::Minute => defaulting(word(), None);
        /// How many of them may come at once: as many as 'requests' unless it is set.
        pub burst: Option<u32> = None => optional(calls());
        /// Which calls are counted together.
        pub by: CountedBy = CountedBy::All => word();
    }
    impl Section {
        const REQUIRED: &'static [&'static str] = &["requests", "per"];
        const SUBJECT: &'static str = "'rate'";
        const EXAMPLE: &'static str = "{ requests: 60, per: 1m }";
    }
}

impl RateLimit {
    /// So many calls in a time, all of which may come at once.
    ///
    /// ```
    /// use breakfall_gateway::config::{RateLimit, RateWindow};
    ///
    /// assert_eq!(RateLimit::new(60, RateWindow::Minute).to_string(), "60 calls in 1m");
    /// ```
    pub fn new(requests: u32, per: RateWindow) -> Self {
        Self {
            requests,
            per,
            ..Self::default()
        }
    }

    /// How many calls may come at once.
    pub fn burst(&self) -> u32 {
        self.burst.unwrap_or(self.requests)
    }
}

impl Display for RateLimit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} calls in {}", self.requests, self.per.as_str())?;
        if let Some(burst) = self.burst {
            write!(f, ", {burst} at once")?;
        }
        match self.by {
            CountedBy::All => Ok(()),
            CountedBy::Principal => f.write_str(" for each principal"),
        }
    }
}

words! {
    /// The time in which calls are counted.
    RateWindow: "windows" {
        /// A second.
        Second = "1s",
        /// A minute.
        Minute = "1m",
        /// An hour.
        Hour = "1h",
        /// A day.
        Day = "1d",
    }
}

impl RateWindow {
    /// How long it is.
    pub const fn length(self) -> Duration {
        match self {
            Self::Second => Duration::from_secs(1),
            Self::Minute => Duration::from_mins(1),
            Self::Hour => Duration::from_hours(1),
            Self::Day => Duration::from_hours(24),
        }
    }

    /// Its name for callers.
    pub const fn window(self) -> Window {
        match self {
            Self::Second => Window::Second,
            Self::Minute => Window::Minute,
            Self::Hour => Window::Hour,
            Self::Day => Window::Day,
        }
    }
}

words! {
    /// Which calls a limit counts together.
    CountedBy: "ways to count" {
        /// The calls of all clients.
        All = "all",
        /// The calls of each client that has a key; those of all others together.
        Principal = "principal",
    }
}

fn calls() -> impl Kind<Value = u32> {
    number(
        1..=1_000_000_000,
        "write 'rate: off' to let every call through",
    )
}
