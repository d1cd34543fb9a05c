//! Two ladders: how far a server is trusted, and how dangerous an operation is.

use std::fmt;
use std::str::FromStr;

use crate::suggest;

/// Declares a ladder: its steps from the lowest up, each with its word.
macro_rules! ladder {
    ($(#[$meta:meta])* $name:ident, $noun:literal { $(#[doc = $doc:literal] $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(clippy::exhaustive_enums, reason = "the five steps of the ladder, matched in full")]
        pub enum $name { $(#[doc = $doc] $variant,)+ }

        impl $name {
            /// The steps, from the lowest up.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Their words.
            pub const WORDS: &'static [&'static str] = &[$($word,)+];

            /// The word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownLevelError;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().find(|level| level.as_str() == word);
                found.copied().ok_or_else(|| UnknownLevelError {
                    word: word.into(),
                    noun: $noun,
                    known: Self::WORDS,
                })
            }
        }
    };
}

ladder! {
    /// How far a server is trusted, from the least up.
    TrustLevel, "level of trust" {
        /// Nothing was checked.
        Untested = "untested",
        /// Its description is well formed.
        Generated = "generated",
        /// It was tried out and behaves as described.
        Validated = "validated",
        /// People other than its author have looked at it.
        CommunityReviewed = "community_reviewed",
        /// An authority vouches for it.
        Certified = "certified",
    }
}

ladder! {
    /// How dangerous an operation is, from the least up.
    ///
    /// ```
    /// use breakfall::gate::DangerLevel;
    ///
    /// assert_eq!("destructive".parse(), Ok(DangerLevel::Destructive));
    /// assert_eq!(DangerLevel::Destructive.number(), 2);
    /// let error = "destructiv".parse::<DangerLevel>().unwrap_err();
    /// assert_eq!(error.to_string(), "there is no level of danger 'destructiv'; did you mean 'destructive'?");
    /// ```
    DangerLevel, "level of danger" {
        /// It changes nothing.
        Safe = "safe",
        /// What it does can be undone.
        Reversible = "reversible",
        /// It destroys something.
        Destructive = "destructive",
        /// It may do great harm.
        Dangerous = "dangerous",
        /// It must not be called.
        Forbidden = "forbidden",
    }
}

impl DangerLevel {
    /// Its number, 0 to 4.
    pub const fn number(self) -> u8 {
        self as u8
    }
}

/// A word that no step of a ladder has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownLevelError {
    word: Box<str>,
    noun: &'static str,
    known: &'static [&'static str],
}

impl fmt::Display for UnknownLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {} '{}'; ", self.noun, self.word)?;
        match suggest::nearest(&self.word, self.known.iter().copied()) {
            Some(near) => write!(f, "did you mean '{near}'?"),
            None => write!(f, "use one of {}", self.known.join(", ")),
        }
    }
}

impl std::error::Error for UnknownLevelError {}
