//! The versions of the protocol, and what differs between them on HTTP.

/// A version that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(&'static str);

/// The first one without sessions.
pub const MODERN: Version = Version("2026-07-28");
/// The first one whose streams begin with an event to come back to, and whose errors may lack an id.
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
    pub fn of(text: &str) -> Option<Self> {
        ALL.into_iter().find(|version| version.0 == text)
    }

    /// All known versions, oldest first.
    pub fn all() -> impl Iterator<Item = Self> {
        ALL.into_iter()
    }

    /// As it stands in messages.
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Whether it is 2026-07-28 or later: no handshake, no sessions.
    pub fn is_modern(self) -> bool {
        self >= MODERN
    }

    /// An older client may take an event without data for a broken message.
    pub fn primes(self) -> bool {
        self >= PRIMED
    }

    /// An error that answers nothing has no id; before, it had one that is `null`.
    pub fn omits_unknown_id(self) -> bool {
        self >= PRIMED
    }
}
