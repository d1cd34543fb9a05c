//! How long tokens live.

use std::time::Duration;

use super::token::TokenPurpose;
use crate::ladder::DangerLevel;

/// How long a token lives: what is wanted, up to the most its purpose and the danger of the call allow.
///
/// | | default | at most |
/// |---|---|---|
/// | a dangerous call | 5 min | 15 min |
/// | a forbidden call | 2 min | 5 min |
/// | beyond a paused quota | 5 min | 10 min |
///
/// ```
/// use std::time::Duration;
/// use breakfall::confirm::{TokenPurpose, token_lifetime};
/// use breakfall::gate::DangerLevel;
///
/// let lifetime = |danger, wanted| token_lifetime(TokenPurpose::Confirmation, danger, wanted);
/// assert_eq!(lifetime(DangerLevel::Destructive, None), Duration::from_mins(5));
/// assert_eq!(lifetime(DangerLevel::Forbidden, Some(Duration::from_hours(1))), Duration::from_mins(5));
/// ```
pub fn token_lifetime(
    purpose: TokenPurpose,
    danger: DangerLevel,
    wanted: Option<Duration>,
) -> Duration {
    let (default, most) = match (purpose, danger) {
        (TokenPurpose::QuotaContinue, _) => (5, 10),
        (TokenPurpose::Confirmation, DangerLevel::Forbidden) => (2, 5),
        (
            TokenPurpose::Confirmation,
            DangerLevel::Safe
            | DangerLevel::Reversible
            | DangerLevel::Destructive
            | DangerLevel::Dangerous,
        ) => (5, 15),
    };
    let wanted = wanted.unwrap_or(Duration::from_mins(default));
    wanted.min(Duration::from_mins(most))
}

/// How far the clocks of those who share a store may differ: 0 to 300 seconds, 30 by default. A token counts as expired
/// only so long after its expiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockSkew(u16);

impl ClockSkew {
    /// One clock.
    pub const NONE: Self = Self(0);

    /// So many seconds; `None` if they are more than 300.
    ///
    /// ```
    /// use breakfall::confirm::ClockSkew;
    ///
    /// assert_eq!(ClockSkew::from_secs(0).map(ClockSkew::as_secs), Some(0));
    /// assert_eq!(ClockSkew::default().as_secs(), 30);
    /// assert_eq!(ClockSkew::from_secs(301), None);
    /// assert!(ClockSkew::from_secs(61).is_some_and(ClockSkew::is_wide));
    /// ```
    pub const fn from_secs(seconds: u16) -> Option<Self> {
        if seconds <= MAX_SKEW_SECS {
            Some(Self(seconds))
        } else {
            None
        }
    }

    /// Its seconds.
    pub const fn as_secs(self) -> u16 {
        self.0
    }

    /// Whether it is so wide that its operator should be told.
    pub const fn is_wide(self) -> bool {
        self.0 > 60
    }

    pub(super) const fn duration(self) -> Duration {
        Duration::from_secs(self.0 as u64)
    }
}

impl Default for ClockSkew {
    fn default() -> Self {
        Self(30)
    }
}

const MAX_SKEW_SECS: u16 = 300;

/// How long after its expiry a token is known, so that its caller can be told what became of it.
pub const PURGE_DELAY: Duration = Duration::from_hours(1);
