//! The versions of the protocol, and what differs between them.

use std::fmt;

/// A known version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(&'static str);

/// The first version without sessions.
pub const MODERN: Version = Version("2026-07-28");
/// The last version with sessions.
pub const LATEST_LEGACY: Version = Version("2025-11-25");
/// The first version whose streams begin with an event to resume from, and whose errors may lack an id.
const PRIMED: Version = LATEST_LEGACY;

const ALL: [Version; 5] = [
    Version("2024-11-05"),
    Version("2025-03-26"),
    Version("2025-06-18"),
    LATEST_LEGACY,
    MODERN,
];

impl Version {
    /// The version of this name.
    pub fn of(text: &str) -> Option<Self> {
        ALL.into_iter().find(|version| version.0 == text)
    }

    /// The version a legacy client is answered with: the one it requested if it is known, else the latest.
    pub fn negotiated(wanted: &str) -> Self {
        let known = Self::of(wanted).filter(|version| !version.is_modern());
        known.unwrap_or(LATEST_LEGACY)
    }

    /// All known versions, oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        ALL.into_iter()
    }

    /// As it stands in messages.
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether it is 2026-07-28 or later: no handshake, no sessions.
    pub fn is_modern(self) -> bool {
        self >= MODERN
    }

    /// Whether streams begin with an event without data. Older clients may take it for a broken message.
    pub fn primes(self) -> bool {
        self >= PRIMED
    }

    /// Whether an error that answers no request has no id; in older versions its id is `null`.
    pub fn omits_unknown_id(self) -> bool {
        self >= PRIMED
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legacy_client_gets_its_own_version_or_the_latest() {
        for version in Version::all().filter(|version| !version.is_modern()) {
            assert_eq!(Version::negotiated(version.as_str()), version);
        }
        for odd in ["1999-01-01", MODERN.as_str(), ""] {
            assert_eq!(Version::negotiated(odd), LATEST_LEGACY);
        }
    }
}
