//! State that outlives a call: the audit trail, the private reports about failures, what quotas count, and confirmation tokens.
//!
//! Every operation of a [`Store`] and a [`TokenStore`] is atomic, also when several processes share the store. Operations are futures,
//! because a store may be a file that another process is writing, or on another machine; none of them blocks the thread
//! that waits for it.
//!
//! | store | kept | shared |
//! |---|---|---|
//! | [`Memory`] | as long as the process | no |
//! | [`Sqlite`] | a file, mode 0600 | by all processes of the user |

mod chain;
mod counters;
mod failure;
mod tokens;
mod memory;
mod place;
mod sqlite;

use std::mem;
use std::pin::Pin;
use std::sync::Arc;

use jiff::Timestamp;

pub use chain::{ChainAnchor, ChainError, ChainLink, Hash, Trail, TrailError, check, verify};
pub use counters::{CounterAddition, CounterStore, StoredCounter};
pub use failure::StoreError;
pub use memory::Memory;
pub use place::{MemoryFallback, OpenedStore, default_file, open};
pub use sqlite::Sqlite;
pub use tokens::{PresentedToken, TokenStore};

use crate::config::Retention;

/// The future of a store operation.
pub type StoreFuture<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// A store. Every operation is atomic.
pub trait Store: CounterStore {
    /// Appends entries to the audit trail and stores reports.
    fn append(&self, batch: Arc<Batch>) -> StoreFuture<()>;

    /// The reports under a correlation id, the latest first. An id that another system assigned may occur twice.
    fn find(&self, id: &str) -> StoreFuture<Vec<Document>>;

    /// The correlation ids of reports and entries that begin with these characters, in their order.
    fn ids(&self, prefix: &str, most: usize) -> StoreFuture<Vec<Box<str>>>;

    /// The latest reports, the very latest first.
    fn recent(&self, most: usize) -> StoreFuture<Vec<Document>>;

    /// The entries of the audit trail under a correlation id, the latest first.
    fn audited(&self, id: &str) -> StoreFuture<Vec<ChainLink>>;

    /// The entries after this number, in order, from the current start of the trail.
    fn trail(&self, after: u64, most: usize) -> StoreFuture<Trail>;

    /// The time of the last entry or report that is not after this time.
    fn newest(&self, until: Timestamp) -> StoreFuture<Option<Timestamp>>;

    /// Purges entries and reports beyond the limits, and counters that are over.
    fn purge(&self, keep: Retention, now: Timestamp) -> StoreFuture<Purged>;
}

/// Documents that are stored in one operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct Batch {
    /// Entries for the audit trail, in order.
    pub entries: Vec<Document>,
    /// Reports about failures.
    pub reports: Vec<Document>,
}

impl Batch {
    /// Moves all of another batch behind this one.
    pub(crate) fn append(&mut self, other: &mut Self) {
        self.entries.append(&mut other.entries);
        self.reports.append(&mut other.reports);
    }

    /// Takes at most so many entries and so many reports from its start.
    pub(crate) fn take_first(&mut self, most: usize) -> Self {
        let first = |all: &mut Vec<Document>| {
            let rest = all.split_off(most.min(all.len()));
            mem::replace(all, rest)
        };
        Self {
            entries: first(&mut self.entries),
            reports: first(&mut self.reports),
        }
    }

    /// Whether it contains nothing to store.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.reports.is_empty()
    }
}

/// A text under a correlation id. Stores do not interpret the text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers construct it")]
pub struct Document {
    /// The correlation id.
    pub id: Box<str>,
    /// Its time, stored in milliseconds.
    pub at: Timestamp,
    /// JSON.
    pub text: String,
}

/// What a purge removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct Purged {
    /// The number of entries of the audit trail.
    pub entries: u64,
    /// The number of reports.
    pub reports: u64,
}

/// The number of documents found under one id.
const MAX_FOUND: usize = 16;
