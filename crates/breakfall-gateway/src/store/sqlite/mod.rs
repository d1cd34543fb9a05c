//! A `SQLite` file, which several processes may use at the same time.
//!
//! `SQLite` blocks, so it runs on a thread of its own: callers send it jobs and await the answers.

mod header;
mod token_table;
mod companions;
mod file;
mod connection;
mod table;
mod usage;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use breakfall::confirm::{ClockSkew, TokenHash, TokenRecord, TokenRefusal};
use jiff::Timestamp;
use rusqlite::{Connection, ErrorCode};
use tokio::sync::oneshot;

use super::tokens::in_millis;
use super::{
    Batch, ChainLink, CounterAddition, CounterStore, Document, PresentedToken, Purged, Store,
    StoreError, StoreFuture, StoredCounter, TokenStore, Trail,
};
use crate::config::Retention;
use crate::resilience::quota::Amount;
use connection::{OpenMode, StoreConnection};

/// A store in a file. Dropped, it closes after the jobs that are queued.
///
/// A file that is deleted, replaced or overwritten while it is in use is opened anew, and the log says so.
///
/// ```
/// use breakfall_gateway::store::{StoreError, Sqlite};
///
/// let directory = tempfile::tempdir()?;
/// let file = directory.path().join("state").join("breakfall.db");
/// assert_eq!(Sqlite::existing(&file).err(), Some(StoreError::Missing));
/// Sqlite::open(&file).expect("directories are made, too");
/// Sqlite::existing(&file).expect("now there is one");
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Sqlite {
    jobs: Sender<Job>,
}

type Job = Box<dyn FnOnce(&mut StoreConnection) + Send>;

impl Sqlite {
    /// Opens a file, and creates it and its directories if they do not exist. Only its user may read it. A damaged store is
    /// moved aside.
    ///
    /// # Errors
    /// When it cannot be created or written, or is not a store.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::start(StoreConnection::open(path.as_ref(), OpenMode::Create)?)
    }

    /// Opens an existing file.
    ///
    /// # Errors
    /// When it does not exist, cannot be read, or is not a store.
    pub fn existing(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::start(StoreConnection::open(path.as_ref(), OpenMode::Existing)?)
    }

    /// Opens a file as [`Self::open`] does, but with its first operation; until then, and as long as that fails, operations
    /// fail. For a disk that is full now.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn deferred(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        Self::start(StoreConnection::closed(path.as_ref(), OpenMode::Create))
    }

    /// Limits the size of the file in bytes. Writes beyond it fail as on a full disk.
    ///
    /// # Errors
    /// When the file is corrupt.
    pub async fn capped(self, bytes: u64) -> Result<Self, StoreError> {
        self.ask(move |connection| table::cap(connection, bytes))
            .await?;
        Ok(self)
    }

    fn start(connection: StoreConnection) -> Result<Self, StoreError> {
        let (jobs, waiting) = mpsc::channel();
        thread::Builder::new()
            .name("breakfall-store".to_owned())
            .spawn(move || work(connection, &waiting))
            .map_err(|error| StoreError::of_io(&error))?;
        Ok(Self { jobs })
    }

    fn ask<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> StoreFuture<T> {
        let (done, answer) = oneshot::channel();
        // If the thread has ended, the job is dropped, and the answer is `Over`.
        let _ = self.jobs.send(Box::new(move |connection| {
            // The caller may have been cancelled.
            let _ = done.send(connection.run(job));
        }));
        Box::pin(async { answer.await.unwrap_or(Err(StoreError::Over)) })
    }
}

fn work(mut connection: StoreConnection, jobs: &Receiver<Job>) {
    for job in jobs {
        job(&mut connection);
    }
}

impl CounterStore for Sqlite {
    fn add_usage(&self, additions: Vec<CounterAddition>) -> StoreFuture<Vec<Amount>> {
        self.ask(move |connection| usage::add(connection, &additions))
    }

    fn usage(&self, scope: &str, now: Timestamp) -> StoreFuture<Vec<StoredCounter>> {
        let scope = scope.to_owned();
        self.ask(move |connection| usage::of_scope(connection, &scope, now))
    }
}

impl Store for Sqlite {
    fn append(&self, batch: Arc<Batch>) -> StoreFuture<()> {
        self.ask(move |connection| table::append(connection, &batch))
    }

    fn find(&self, id: &str) -> StoreFuture<Vec<Document>> {
        let id = id.to_owned();
        self.ask(move |connection| table::find(connection, &id))
    }

    fn ids(&self, prefix: &str, most: usize) -> StoreFuture<Vec<Box<str>>> {
        let prefix = prefix.to_owned();
        self.ask(move |connection| table::ids(connection, &prefix, most))
    }

    fn recent(&self, most: usize) -> StoreFuture<Vec<Document>> {
        self.ask(move |connection| table::recent(connection, most))
    }

    fn audited(&self, id: &str) -> StoreFuture<Vec<ChainLink>> {
        let id = id.to_owned();
        self.ask(move |connection| table::audited(connection, &id))
    }

    fn trail(&self, after: u64, most: usize) -> StoreFuture<Trail> {
        self.ask(move |connection| table::trail(connection, after, most))
    }

    fn newest(&self, until: Timestamp) -> StoreFuture<Option<Timestamp>> {
        self.ask(move |connection| table::newest(connection, until))
    }

    fn purge(&self, keep: Retention, now: Timestamp) -> StoreFuture<Purged> {
        self.ask(move |connection| {
            usage::purge(connection, now)?;
            table::purge(connection, keep, now)
        })
    }
}

impl TokenStore for Sqlite {
    fn issue_token(&self, token: TokenHash, record: TokenRecord) -> StoreFuture<()> {
        let record = in_millis(record);
        self.ask(move |connection| token_table::issue(connection, token, &record))
    }

    fn load_token(&self, token: TokenHash) -> StoreFuture<Option<TokenRecord>> {
        self.ask(move |connection| token_table::load(connection, token))
    }

    fn consume_token(&self, presented: PresentedToken) -> StoreFuture<Result<(), TokenRefusal>> {
        self.ask(move |connection| token_table::consume(connection, &presented))
    }

    fn revoke_token(&self, token: TokenHash, now: Timestamp) -> StoreFuture<bool> {
        self.ask(move |connection| token_table::revoke(connection, token, now))
    }

    fn purge_tokens(&self, now: Timestamp) -> StoreFuture<u64> {
        self.ask(move |connection| token_table::purge(connection, now))
    }

    fn live_tokens(&self, now: Timestamp, skew: ClockSkew) -> StoreFuture<u64> {
        self.ask(move |connection| token_table::live(connection, now, skew))
    }
}

fn failure(error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        // The system refuses a write, for example at its limit for the size of a file.
        Some(ErrorCode::SystemIoFailure) if is_write(error) => StoreError::Full,
        Some(ErrorCode::PermissionDenied | ErrorCode::ReadOnly | ErrorCode::CannotOpen) => {
            StoreError::Denied
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
        Some(ErrorCode::NotADatabase) => StoreError::Foreign,
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged,
        _ => StoreError::Other(error.to_string()),
    }
}

fn is_write(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| WRITES.contains(&code))
}

/// The error codes of a write and of a change of size.
const WRITES: [i32; 2] = [
    rusqlite::ffi::SQLITE_IOERR_WRITE,
    rusqlite::ffi::SQLITE_IOERR_SHMSIZE,
];
