//! How long a call may take, in a word.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// A class of calls that take about as long as each other.
///
/// ```
/// use std::time::Duration;
/// use breakfall_gateway::resilience::timeouts::Class;
///
/// assert_eq!(Class::from_word("slow"), Some(Class::Slow));
/// assert_eq!(Class::Slow.quiet(), Duration::from_secs(120));
/// assert_eq!(Class::Slow.total(), Duration::from_secs(300));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a closed set of words, matched in full"
)]
pub enum Class {
    /// Looking something up.
    Fast,
    /// Ordinary work.
    Medium,
    /// Heavy work.
    Slow,
    /// Work nobody sits and waits for.
    Background,
}

impl Class {
    /// All of them, the shortest first.
    pub const ALL: &'static [Self] = &[Self::Fast, Self::Medium, Self::Slow, Self::Background];

    /// Its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Medium => "medium",
            Self::Slow => "slow",
            Self::Background => "background",
        }
    }

    /// The class of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|class| class.as_str() == word)
    }

    /// How long to wait without a sign of life.
    pub const fn quiet(self) -> Duration {
        Duration::from_secs(self.seconds().0)
    }

    /// How long to wait in all, whatever progress there is.
    pub const fn total(self) -> Duration {
        Duration::from_secs(self.seconds().1)
    }

    const fn seconds(self) -> (u64, u64) {
        match self {
            Self::Fast => (5, 10),
            Self::Medium => (30, 60),
            Self::Slow => (120, 300),
            Self::Background => (600, 3600),
        }
    }
}

impl Display for Class {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
