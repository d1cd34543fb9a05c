//! The audit trail as a hash chain: each entry is hashed together with the hash of the entry before it, so that a check
//! of the chain detects changed, removed and swapped entries.
//!
//! ```text
//! hash of an entry = SHA-256(hash of the entry before, 32 bytes ‖ the entry, as it is written)
//! ```
//!
//! The chain starts with a hash of zeros. When old entries are purged, the hash of the last one is kept as the start of
//! the chain. The chain shows that it has not changed since its head was written down elsewhere; an attacker who can
//! write the file can compute all hashes anew, and leave a valid chain.

use std::fmt;

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use super::{Store, StoreError};

/// The hash of an entry and of all entries before it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Hash([u8; 32]);

impl Hash {
    /// The hash of the entry that follows.
    ///
    /// ```
    /// use breakfall_gateway::store::Hash;
    ///
    /// let first = Hash::default().then("{}");
    /// assert_eq!(first.to_string(), "fb1634c4e6cd4b1f1afe3ce2d6ef080f7ac5d1f357d723ad4dfca782733b62db");
    /// assert_ne!(first.then("{}"), first);
    /// ```
    #[must_use]
    pub fn then(self, entry: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(entry.as_bytes());
        Self(hash.finalize().into())
    }

    pub(super) const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub(super) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A position in the chain: after the entry of this number, or before the first entry if it is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct ChainAnchor {
    /// The number of the entry.
    pub seq: u64,
    /// The hash of the entry.
    pub hash: Hash,
}

impl ChainAnchor {
    /// The position after one more entry.
    #[must_use]
    pub(super) fn then(self, entry: &str) -> Self {
        Self {
            seq: self.seq + 1,
            hash: self.hash.then(entry),
        }
    }
}

/// An entry of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a row")]
pub struct ChainLink {
    /// Its number. Numbers start at 1 and have no gaps.
    pub seq: u64,
    /// Its time.
    pub at: Timestamp,
    /// Its text, one line of JSON.
    pub entry: String,
    /// Its hash.
    pub hash: Hash,
}

impl ChainLink {
    /// The position after it.
    pub const fn anchor(&self) -> ChainAnchor {
        ChainAnchor {
            seq: self.seq,
            hash: self.hash,
        }
    }
}

/// A part of the audit trail: one consistent read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "rows and what is around them")]
pub struct Trail {
    /// The start of the whole trail, after the purged entries.
    pub start: ChainAnchor,
    /// The entries.
    pub links: Vec<ChainLink>,
    /// The end of the whole trail.
    pub head: ChainAnchor,
}

/// Verifies that entries follow a position in the chain and each other, and returns the position after the last one.
///
/// # Errors
/// At the first entry that is missing or was changed.
///
/// ```
/// use breakfall_gateway::store::{ChainAnchor, Hash, ChainLink, verify};
///
/// let hash = Hash::default().then("{}");
/// let mut link = ChainLink { seq: 1, at: jiff::Timestamp::UNIX_EPOCH, entry: "{}".to_owned(), hash };
/// assert_eq!(verify(ChainAnchor::default(), [&link]), Ok(ChainAnchor { seq: 1, hash }));
/// link.entry = "{ }".to_owned();
/// let broken = verify(ChainAnchor::default(), [&link]).unwrap_err();
/// assert_eq!(broken.to_string(), "entry 1 of the audit trail was changed");
/// ```
pub fn verify<'a>(
    from: ChainAnchor,
    links: impl IntoIterator<Item = &'a ChainLink>,
) -> Result<ChainAnchor, ChainError> {
    links.into_iter().try_fold(from, |before, link| {
        let expected = before.then(&link.entry);
        if link.seq != expected.seq {
            Err(ChainError::Missing(expected.seq))
        } else if link.hash == expected.hash {
            Ok(expected)
        } else {
            Err(ChainError::Changed(link.seq))
        }
    })
}

/// Verifies the whole trail of a store, in parts. Other processes may append entries and purge old ones meanwhile.
///
/// # Errors
/// When the chain is broken, or the store cannot be read.
///
/// ```
/// use breakfall_gateway::store::{ChainAnchor, Memory, check};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// assert_eq!(check(&Memory::default()).await, Ok(ChainAnchor::default()));
/// # });
/// # Ok::<_, std::io::Error>(())
/// ```
pub async fn check(store: &dyn Store) -> Result<ChainAnchor, TrailError> {
    let mut place = ChainAnchor::default();
    loop {
        let trail = store
            .trail(place.seq, ENTRIES_PER_READ)
            .await
            .map_err(TrailError::Unread)?;
        if trail.start.seq > place.seq {
            place = trail.start;
        }
        if trail.links.is_empty() {
            let is_whole = place == trail.head;
            let missing = TrailError::Broken(ChainError::Missing(place.seq + 1));
            return is_whole.then_some(place).ok_or(missing);
        }
        place = verify(place, &trail.links).map_err(TrailError::Broken)?;
    }
}

/// The number of entries verified at a time.
const ENTRIES_PER_READ: usize = 1000;

/// Why an audit trail could not be verified.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no other reason")]
pub enum TrailError {
    /// The chain is broken.
    Broken(ChainError),
    /// The store cannot be read.
    Unread(StoreError),
}

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(broken) => broken.fmt(f),
            Self::Unread(failure) => write!(f, "the audit trail cannot be read: {failure}"),
        }
    }
}

impl std::error::Error for TrailError {}

/// Where a chain is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "there is no other way to break a chain"
)]
pub enum ChainError {
    /// The entry of this number is missing.
    Missing(u64),
    /// The entry of this number, or the one before it, was changed.
    Changed(u64),
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(seq) => write!(f, "entry {seq} of the audit trail is missing"),
            Self::Changed(seq) => write!(f, "entry {seq} of the audit trail was changed"),
        }
    }
}

impl std::error::Error for ChainError {}
