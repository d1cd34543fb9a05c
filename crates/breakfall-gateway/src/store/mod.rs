//! State that outlives a call: the audit trail, and the private reports on failures.
//!
//! A [`Store`] offers whole operations, each of which happens entirely or not at all, also when several processes have
//! the same store. They are futures, because a store may be a file somebody else writes to right now, or another machine;
//! none of them blocks the thread that waits for it.
//!
//! | store | kept | shared |
//! |---|---|---|
//! | [`Memory`] | as long as the process | no |
//! | [`Sqlite`] | a file, mode 0600 | by all processes of the user |

mod chain;
mod failure;
mod memory;
mod place;
mod sqlite;

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use jiff::Timestamp;

pub use chain::{Anchor, Broken, Hash, Link, Trail, Unsound, check, verify};
pub use failure::Failure;
pub use memory::Memory;
pub use place::{Instead, Opened, default_file, open};
pub use sqlite::Sqlite;

use crate::config::Retention;

/// What an operation of a store comes to, some time soon.
pub type Answer<T> = Pin<Box<dyn Future<Output = Result<T, Failure>> + Send>>;

/// Keeps state. Every operation is atomic.
pub trait Store: fmt::Debug + Send + Sync {
    /// Appends to the audit trail and keeps reports: all of it, or nothing.
    fn append(&self, batch: Arc<Batch>) -> Answer<()>;

    /// The reports under a correlation id, the latest first. Ids that came from elsewhere may have been used twice.
    fn find(&self, id: &str) -> Answer<Vec<Document>>;

    /// The latest reports, the very latest first.
    fn recent(&self, most: usize) -> Answer<Vec<Document>>;

    /// The entries of the audit trail under a correlation id, the latest first.
    fn audited(&self, id: &str) -> Answer<Vec<Link>>;

    /// The audit trail behind a number, in its order, from where it begins today.
    fn trail(&self, after: u64, most: usize) -> Answer<Trail>;

    /// Lets go of what is too much or too old.
    fn purge(&self, keep: Retention, now: Timestamp) -> Answer<Purged>;
}

/// What is kept together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by whoever keeps something")]
pub struct Batch {
    /// For the audit trail, in order.
    pub entries: Vec<Document>,
    /// Reports on failures.
    pub reports: Vec<Document>,
}

impl Batch {
    /// Whether there is nothing to keep.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.reports.is_empty()
    }
}

/// A text under a correlation id. What it says is its author's business; stores keep it as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by whoever keeps something")]
pub struct Document {
    /// The correlation id.
    pub id: Box<str>,
    /// When it happened; stores keep the milliseconds.
    pub at: Timestamp,
    /// JSON.
    pub text: String,
}

/// How much a store let go of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct Purged {
    /// Entries of the audit trail.
    pub entries: u64,
    /// Reports.
    pub reports: u64,
}

/// How many documents under one id are found.
const MOST_FOUND: usize = 16;
