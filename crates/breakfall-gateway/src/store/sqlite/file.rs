//! The database file: creation, and detection of other files.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::failure;
use crate::store::StoreError;

/// Creates the file if it does not exist.
///
/// It is written under another name and linked to its own when it is complete, so that other processes see only complete
/// files, also if two of them create it at the same time.
pub(super) fn make(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        return Ok(());
    }
    let io = |error: io::Error| StoreError::of_io(&error);
    if let Some(directory) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        let made = builder.create(directory);
        made.map_err(|error| StoreError::of_directory(&error))?;
    }
    let draft = draft(path)?;
    let made = private(&draft).map_err(io).and_then(|()| {
        let connection = connect(&draft)?;
        prepare(&connection).map_err(|error| failure(&error))?;
        // Closing writes everything into the one file.
        connection.close().map_err(|(_, error)| failure(&error))?;
        Ok(fs::hard_link(&draft, path))
    });
    // It is linked to its own name, or useless.
    let _ = fs::remove_file(&draft);
    match made? {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // Some file systems have no hard links: the file is then created in place.
            private(path).map_err(io)
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Opens an existing file, and checks its format.
///
/// The file must only be opened by `SQLite`: closing another descriptor would release all locks of the process on it.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let about = fs::metadata(path).map_err(|error| StoreError::of_io(&error))?;
    if !about.is_file() {
        return Err(StoreError::Foreign);
    }
    let connection = connect(path)?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let look = || Ok((number("application_id")?, number("user_version")?));
    let (application, version) = look().map_err(|error| failure(&error))?;
    match (application, version) {
        (APPLICATION, VERSION) => {}
        (APPLICATION, _) => return Err(StoreError::Newer),
        (0, 0) if about.len() == 0 => prepare(&connection).map_err(|error| failure(&error))?,
        _ => return Err(StoreError::Foreign),
    }
    // Reports are private to the user. A file that belongs to another user cannot be changed, and is used as it is.
    if about.permissions().mode() & 0o077 != 0 {
        let _ = fs::set_permissions(path, Permissions::from_mode(0o600));
    }
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(LOCK_TIMEOUT)?;
        // A commit is durable when it returns, and the schema of an untrusted file runs no functions.
        connection.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;
             PRAGMA journal_size_limit = 8388608; PRAGMA cache_size = -4096;",
        )?;
        Ok(connection)
    };
    connect().map_err(|error| failure(&error))
}

/// Creates the schema in an empty file.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    // A report takes about a quarter of a page of this size; smaller pages would waste more space.
    connection.pragma_update(None, "page_size", 8192)?;
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.execute_batch(&format!(
        "BEGIN IMMEDIATE;
         {TABLES}
         PRAGMA application_id = {APPLICATION};
         PRAGMA user_version = {VERSION};
         COMMIT;"
    ))
}

/// Creates an empty file that only its user may read.
fn private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    options.open(path).map(|_: File| ())
}

/// An unused name in the same directory.
fn draft(path: &Path) -> Result<PathBuf, StoreError> {
    let number = getrandom::u64().map_err(|error| StoreError::Other(error.to_string()))?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{number:016x}.new"));
    Ok(path.with_file_name(name))
}

/// `start` is the position after the last purged entry, `head` the position after the last entry.
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
const APPLICATION: i32 = 0x6272_6b66;
const VERSION: i32 = 1;

/// How long to wait for the lock of another process.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
