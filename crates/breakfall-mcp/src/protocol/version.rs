//! The versions of the protocol, and what differs between them on HTTP.

/// A known version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(&'static str);

/// The first version without sessions.
pub const MODERN: Version = Version("2026-07-28");
/// The first version whose streams begin with an event to resume from, and whose errors may lack an id.
const PRIMED: Version = Version("2025-11-25");

const ALL: [Version; 5] = [
    Version("2024-11-05"),
    Version("2025-03-26"),
    Version("2025-06-18"),
    PRIMED,
    MODERN,
];

impl Version {
    /// The version of this name.
    /// The version of that name.
    pub fn of(text: &str) -> Option<Self> {
        ALL.into_iter().find(|version| version.0 == text)
    }

    /// All known versions, oldest first.
    /// All versions, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.into_iter()
    }

    /// As it stands in messages.
    /// The name.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether it is 2026-07-28 or later: no handshake, no sessions.
    /// Whether it has no sessions.
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
