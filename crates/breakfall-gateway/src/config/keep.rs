//! What is kept of calls, and for how long.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use super::policy::words;
use super::units::show_duration;

words! {
    /// Whether every call leaves an entry in the audit trail.
    Audit {
        /// It does.
        On = "on",
        /// It does not.
        Off = "off",
    }
}

/// How much is kept of the past.
///
/// ```
/// use breakfall_gateway::config::Retention;
///
/// let keep = Retention::default();
/// assert_eq!(keep.reports.to_string(), "the last 10000, for 7d");
/// assert_eq!(keep.audit.to_string(), "the last 100000, for 30d");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// Reports on failures.
    pub reports: Keep,
    /// The audit trail.
    pub audit: Keep,
}

impl Default for Retention {
    fn default() -> Self {
        const DAY: u64 = 24;
        Self {
            reports: Keep::new(10_000, Duration::from_hours(7 * DAY)),
            audit: Keep::new(100_000, Duration::from_hours(30 * DAY)),
        }
    }
}

/// How many, and how old. Whatever is beyond either goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Keep {
    /// How many there may be.
    pub count: u64,
    /// How old they may be.
    pub age: Duration,
}

impl Keep {
    /// So many, so old.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use breakfall_gateway::config::Keep;
    ///
    /// assert_eq!(Keep::new(500, Duration::from_secs(3600)).to_string(), "the last 500, for 1h");
    /// ```
    pub const fn new(count: u64, age: Duration) -> Self {
        Self { count, age }
    }
}

impl Display for Keep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the last {}, for {}",
            self.count,
            show_duration(self.age)
        )
    }
}
