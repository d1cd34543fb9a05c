//! What is kept of calls, and for how long.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use super::numbers::{limit, positive_duration};
use super::setting::{Section, Visitor};
use super::units::show_duration;
use super::word::words;

words! {
    /// Whether every call leaves an entry in the audit trail.
    AuditTrail: "settings of the audit trail" {
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
/// let retention = Retention::default();
/// assert_eq!(retention.reports.to_string(), "the last 10000, for 7d");
/// assert_eq!(retention.audit.to_string(), "the last 100000, for 30d");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// Reports on failures.
    pub reports: RetentionLimit,
    /// The audit trail.
    pub audit: RetentionLimit,
}

impl Default for Retention {
    fn default() -> Self {
        const DAY: u64 = 24;
        Self {
            reports: RetentionLimit::new(10_000, Duration::from_hours(7 * DAY)),
            audit: RetentionLimit::new(100_000, Duration::from_hours(30 * DAY)),
        }
    }
}

impl Section for Retention {
    const NAME: &'static str = "Retention";
    const TEXT: &'static str =
        "How much is kept of the past. Whatever is beyond one of these goes.";
    const EXAMPLE: &'static str = "retention: { count: 10000, age: 7d }";

    fn settings(&mut self, visitor: &mut impl Visitor) {
        let Self { reports, audit } = self;
        let count = || limit(1..=MAX_COUNT);
        let text = "How many reports on failures, for `breakfall explain ID`.";
        visitor.setting("count", text, &mut reports.count, count());
        let text = "How old they may be.";
        visitor.setting("age", text, &mut reports.age, positive_duration());
        let text = "How many entries of the audit trail.";
        visitor.setting("audit_count", text, &mut audit.count, count());
        let text = "How old they may be.";
        visitor.setting("audit_age", text, &mut audit.age, positive_duration());
    }
}

/// More fill any disk.
const MAX_COUNT: u64 = 100_000_000;

/// How many are kept, and how old they may be. Whatever is beyond either goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetentionLimit {
    /// How many there may be.
    pub count: u64,
    /// How old they may be.
    pub age: Duration,
}

impl RetentionLimit {
    /// So many, so old.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use breakfall_gateway::config::RetentionLimit;
    ///
    /// let limit = RetentionLimit::new(500, Duration::from_secs(3600));
    /// assert_eq!(limit.to_string(), "the last 500, for 1h");
    /// ```
    pub const fn new(count: u64, age: Duration) -> Self {
        Self { count, age }
    }
}

impl Display for RetentionLimit {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the last {}, for {}",
            self.count,
            show_duration(self.age)
        )
    }
}
