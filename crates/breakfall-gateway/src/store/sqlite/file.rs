//! The database file: creation, recovery, and detection of other files.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::companions::{COMPANIONS, LogInode, beside, directory, inode, lock};
use super::header::{self, HeaderFile, HeaderState};
use super::{failure, token_table, usage};
use crate::store::StoreError;

/// An open database file.
#[derive(Debug)]
pub(super) struct OpenFile {
    // Closed before the header file: see there.
    pub(super) connection: Connection,
    header: HeaderFile,
    /// The inode of the write-ahead log, which belongs to this file and to no other of the same name.
    log: Option<u64>,
}

/// Opens a file, and creates it and its directories if they do not exist. A damaged store is moved aside; all pages of a
/// suspect one are checked.
pub(super) fn open_or_create(path: &Path, is_suspect: bool) -> Result<OpenFile, StoreError> {
    let open = || {
        create(path)?;
        open(path, is_suspect)
    };
    let file = match open() {
        Err(StoreError::Damaged) => move_aside(path, is_suspect).and_then(|()| open())?,
        opened => opened?,
    };
    use_write_ahead_log(&file.connection)?;
    Ok(file)
}

/// Creates an empty file if there is none. [`open`] writes the schema into it, in one transaction: a store is whole, or an
/// empty file.
fn create(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        return Ok(());
    }
    let directory = directory(path);
    let mut builder = DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(directory);
    made.map_err(|error| StoreError::of_directory(&error))?;
    let _lock = lock(directory);
    if path.exists() {
        return Ok(());
    }
    // `SQLite` would read the log of a deleted file into a new one.
    for suffix in COMPANIONS {
        let _ = fs::remove_file(beside(path, suffix));
    }
    match header::create_empty(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(StoreError::of_io(&error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Opens an existing file, and checks its format.
pub(super) fn open(path: &Path, is_suspect: bool) -> Result<OpenFile, StoreError> {
    let about = fs::metadata(path).map_err(|error| StoreError::of_io(&error))?;
    if !about.is_file() {
        return Err(StoreError::Foreign);
    }
    let header = HeaderFile::open(path).map_err(|error| StoreError::of_io(&error))?;
    if !header.may_be_database() {
        return Err(StoreError::Foreign);
    }
    let checked = connect(path).and_then(|mut connection| {
        check(&mut connection)?;
        configure(&connection)?;
        if is_suspect {
            check_pages(&connection)?;
        }
        Ok(connection)
    });
    let connection = checked.map_err(|error| {
        if error == StoreError::Damaged && !header.is_store() {
            StoreError::Foreign
        } else {
            error
        }
    })?;
    // Reports are private to the user. A file that belongs to another user cannot be changed, and is used as it is.
    if about.permissions().mode() & 0o077 != 0 {
        let _ = fs::set_permissions(path, Permissions::from_mode(0o600));
    }
    let mut file = OpenFile {
        connection,
        header,
        log: None,
    };
    file.settle(path);
    Ok(file)
}

impl OpenFile {
    /// What has happened to the file since the last call of [`Self::settle`].
    pub(super) fn state(&self, path: &Path) -> HeaderState {
        match self.header.state(path) {
            // Another process has moved the log away, because the file was overwritten.
            HeaderState::Unchanged | HeaderState::Written
                if self.log.is_some() && inode(&beside(path, "-wal")) != self.log =>
            {
                HeaderState::Overwritten
            }
            state @ (HeaderState::Unchanged
            | HeaderState::Deleted
            | HeaderState::Replaced
            | HeaderState::Written
            | HeaderState::Overwritten) => state,
        }
    }

    /// Whether a file that another process has written to is still this store: the audit trail in it is a part of the known
    /// one, and no page is damaged. The log of a store that was overwritten may hide the file that was copied over it.
    pub(super) fn is_continued(&self, path: &Path) -> bool {
        let is_known = || {
            let head = head_without_log(path)?;
            let start = self
                .connection
                .query_row(START, [], |row| row.get::<_, i64>(0))?;
            if head.0 <= start {
                return Ok(true);
            }
            let known = "SELECT hash FROM audit WHERE seq = ?1";
            let known = self.connection.query_row(known, [head.0], |row| row.get(0));
            known.map(|known: [u8; 32]| known == head.1)
        };
        let is_damaged = |error: StoreError| {
            // A lock, or a disk that fails, says nothing about the file.
            matches!(error, StoreError::Damaged | StoreError::Foreign)
        };
        let is_known = match is_known() {
            Err(rusqlite::Error::QueryReturnedNoRows) => false,
            known => known.unwrap_or_else(|error| !is_damaged(failure(&error))),
        };
        is_known
            && connect(path)
                .and_then(|connection| check_pages(&connection))
                .map_or_else(|error| !is_damaged(error), |()| true)
    }

    /// Remembers the state of the file after an operation.
    pub(super) fn settle(&mut self, path: &Path) {
        self.header.settle();
        let log = inode(&beside(path, "-wal"));
        // In this order: the log may be that of a file which has taken the name meanwhile.
        if self.header.is_at(path) {
            self.log = log.or(self.log);
        }
    }

    /// Closes a file that has changed, and returns its log if that is still beside the file. The log of a file that is gone
    /// must reach neither the other file nor the next one.
    pub(super) fn abandon(self, path: &Path, state: HeaderState) -> Option<LogInode> {
        let Self {
            connection,
            header,
            log,
        } = self;
        let option = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        let _ = connection.set_db_config(option, true);
        // A failure closes it when it is dropped.
        let _ = connection.close();
        let _lock = lock(directory(path));
        let log = log.filter(|log| inode(&beside(path, "-wal")) == Some(*log));
        let is_gone = matches!(state, HeaderState::Deleted | HeaderState::Replaced);
        if is_gone && log.is_some() {
            for suffix in COMPANIONS {
                let _ = fs::remove_file(beside(path, suffix));
            }
        }
        drop(header);
        log.filter(|_| !is_gone).map(LogInode)
    }
}

/// The end of the audit trail in the file itself.
fn head_without_log(path: &Path) -> rusqlite::Result<(i64, [u8; 32])> {
    let path = path.to_str().unwrap_or_default();
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    let file = Connection::open_with_flags(format!("file:{path}?immutable=1"), flags)?;
    let sql = "SELECT seq, hash FROM chain WHERE place = 'head'";
    file.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Waits until a program that is copying a file over the store has finished.
#[expect(
    clippy::disallowed_methods,
    reason = "the thread of the store does nothing else, and copying programs do not notify"
)]
pub(super) fn wait_until_written(path: &Path) {
    let written = || {
        fs::metadata(path)
            .ok()
            .and_then(|about| header::written(&about))
    };
    for _ in 0..MAX_COPY_PAUSES {
        let before = written();
        thread::sleep(COPY_PAUSE);
        if written() == before {
            return;
        }
    }
}

/// Checks that it is a store, and writes the schema into an empty file.
fn check(connection: &mut Connection) -> Result<(), StoreError> {
    let mut look = || {
        match look(connection)? {
            (0, 0, 0) => prepare(connection)?,
            (APPLICATION, FIRST_VERSION..VERSION, _) => migrate(connection)?,
            found => return Ok(found),
        }
        self::look(connection)
    };
    match look().map_err(|error| failure(&error))? {
        (APPLICATION, VERSION, _) => Ok(()),
        (APPLICATION, ..) => Err(StoreError::Newer),
        _ => Err(StoreError::Foreign),
    }
}

/// Application, version, and number of tables and indexes, in one transaction: another process may be creating them.
fn look(connection: &mut Connection) -> rusqlite::Result<(i32, i32, i64)> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
    let number = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    // The schema of a newer version may be one that this `SQLite` cannot parse.
    if application == APPLICATION && version > VERSION {
        return Ok((application, version, 0));
    }
    let sql = "SELECT count(*) FROM sqlite_schema";
    let tables = transaction.query_row(sql, [], |row| row.get(0))?;
    Ok((application, version, tables))
}

/// Checks every page, which reads the whole file.
fn check_pages(connection: &Connection) -> Result<(), StoreError> {
    let sql = "PRAGMA quick_check(1)";
    let verdict = connection.query_row(sql, [], |row| row.get::<_, String>(0));
    match verdict.map_err(|error| failure(&error))?.as_str() {
        "ok" => Ok(()),
        _ => Err(StoreError::Damaged),
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(LOCK_TIMEOUT)?;
        // The schema of an untrusted file runs no functions.
        connection.execute_batch("PRAGMA trusted_schema = OFF")?;
        Ok(connection)
    };
    connect().map_err(|error| failure(&error))
}

/// Sets what parses the schema, so after [`check`]. A commit is durable when it returns.
fn configure(connection: &Connection) -> Result<(), StoreError> {
    let set = connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 8388608;
         PRAGMA cache_size = -4096;",
    );
    set.map_err(|error| failure(&error))
}

/// Creates the schema in an empty file, unless another process has done so meanwhile.
///
/// This uses a rollback journal, which leaves an empty file if the disk is full or the process is killed. With a
/// write-ahead log, part of the pages could reach the file.
fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    // A report takes about a quarter of a page of this size; smaller pages would waste more space.
    connection.pragma_update(None, "page_size", 8192)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let sql = "SELECT count(*) FROM sqlite_schema";
    let tables: i64 = transaction.query_row(sql, [], |row| row.get(0))?;
    if tables == 0 {
        transaction.execute_batch(TABLES)?;
        for (_, step) in MIGRATIONS {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

/// Brings a store of an earlier version to this one, unless another process has done so meanwhile. An older process that has
/// it open goes on with the tables it knows.
fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for (version, step) in MIGRATIONS {
        if found < *version {
            transaction.execute_batch(step)?;
        }
    }
    if found < VERSION {
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()?;
    tracing::info!(
        code = "STATE_MIGRATION_RECOVERED",
        "the store was brought from version {found} to version {VERSION}"
    );
    Ok(())
}

/// Lets readers go on while another process writes. The file keeps this setting.
fn use_write_ahead_log(connection: &Connection) -> Result<(), StoreError> {
    let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()));
    match mode.map_err(|error| failure(&error)) {
        Err(StoreError::Full) => Err(StoreError::Full),
        // The store works without, for example on a file system without shared memory.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Moves a damaged store out of the way, with its log.
fn move_aside(path: &Path, is_suspect: bool) -> Result<(), StoreError> {
    let _lock = lock(directory(path));
    // Another process may have done so already.
    if open(path, is_suspect).err() != Some(StoreError::Damaged) {
        return Ok(());
    }
    let suffix = Timestamp::now()
        .strftime(".damaged-%Y%m%dT%H%M%SZ")
        .to_string();
    let aside = beside(path, &suffix);
    // The log first: without its file it would be read into the next one.
    for companion in COMPANIONS {
        let _ = fs::rename(beside(path, companion), beside(&aside, companion));
    }
    fs::rename(path, &aside).map_err(|error| StoreError::of_io(&error))?;
    tracing::error!(
        "the store {} is damaged; it was moved to {}, and a new store takes its place",
        path.display(),
        aside.display()
    );
    Ok(())
}

/// Where the audit trail begins.
const START: &str = "SELECT seq FROM chain WHERE place = 'start'";

/// What was added to the first version, and the version with it.
const MIGRATIONS: &[(i32, &str)] = &[(2, token_table::TABLE), (3, usage::TABLE)];

/// The tables of the first version. `start` is the position after the last purged entry, `head` the position after the last entry.
const TABLES: &str = "
CREATE TABLE chain (place TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
INSERT INTO chain VALUES ('start', 0, zeroblob(32)), ('head', 0, zeroblob(32));
CREATE TABLE audit (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE INDEX audit_id ON audit (id);
CREATE TABLE report (seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX report_id ON report (id);
CREATE INDEX report_at ON report (at);
";

/// The letters `brkf`, which mark a file as a Breakfall store.
pub(super) const APPLICATION: i32 = 0x6272_6b66;
const FIRST_VERSION: i32 = 1;
const VERSION: i32 = 3;

/// A program that copies a file writes to it at least this often.
const COPY_PAUSE: Duration = Duration::from_millis(100);
const MAX_COPY_PAUSES: u32 = 100;

/// How long to wait for the lock of another process.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
