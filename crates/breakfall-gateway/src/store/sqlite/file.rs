//! The file: how it comes to be, and how it is told from others.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::failure;
use crate::store::Failure;

/// Makes a file if there is none.
///
/// It is made under another name and gets its own when it is complete: whoever finds it finds a whole one, also if two
/// processes make it at the same time.
pub(super) fn make(path: &Path) -> Result<(), Failure> {
    if path.exists() {
        return Ok(());
    }
    let io = |error: io::Error| Failure::of_io(&error);
    if let Some(directory) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
        let mut builder = DirBuilder::new();
        builder.recursive(true).mode(0o700);
        let made = builder.create(directory);
        made.map_err(|error| Failure::of_directory(&error))?;
    }
    let draft = draft(path)?;
    let made = private(&draft).map_err(io).and_then(|()| {
        let connection = connect(&draft)?;
        prepare(&connection).map_err(|error| failure(&error))?;
        // Closing it puts everything into the one file.
        connection.close().map_err(|(_, error)| failure(&error))?;
        Ok(fs::hard_link(&draft, path))
    });
    // It has its name, or is of no use.
    let _ = fs::remove_file(&draft);
    match made? {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // Not every file system lets a file have two names: then it is made in its place.
            private(path).map_err(io)
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Opens a file that is there, and has a look at what it is.
///
/// It is never opened by other means than those of `SQLite`: closing a file lets go of all locks its process has on it.
pub(super) fn open(path: &Path) -> Result<Connection, Failure> {
    let about = fs::metadata(path).map_err(|error| Failure::of_io(&error))?;
    if !about.is_file() {
        return Err(Failure::Foreign);
    }
    let connection = connect(path)?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let look = || Ok((number("application_id")?, number("user_version")?));
    let (application, version) = look().map_err(|error| failure(&error))?;
    match (application, version) {
        (APPLICATION, VERSION) => {}
        (APPLICATION, _) => return Err(Failure::Newer),
        (0, 0) if about.len() == 0 => prepare(&connection).map_err(|error| failure(&error))?,
        _ => return Err(Failure::Foreign),
    }
    // Reports are for its user alone. One that is not ours to change is not ours to keep from others, either.
    if about.permissions().mode() & 0o077 != 0 {
        let _ = fs::set_permissions(path, Permissions::from_mode(0o600));
    }
    Ok(connection)
}

fn connect(path: &Path) -> Result<Connection, Failure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        // A commit is on the disk when it is done, and what is in the file does nothing by itself.
        connection.execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY;
             PRAGMA journal_size_limit = 8388608; PRAGMA cache_size = -4096;",
        )?;
        Ok(connection)
    };
    connect().map_err(|error| failure(&error))
}

/// Makes an empty file one of ours.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    // A report takes a quarter of such a page: less of it is left empty than of a smaller one.
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

/// An empty file that only its user may read.
fn private(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    options.open(path).map(|_: File| ())
}

/// A name beside the file's own that nobody else uses.
fn draft(path: &Path) -> Result<PathBuf, Failure> {
    let number = getrandom::u64().map_err(|error| Failure::Other(error.to_string()))?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{number:016x}.new"));
    Ok(path.with_file_name(name))
}

/// `start` is the place behind the last entry that is gone, `head` the one behind the last there is.
const TABLES: &str = "
CREATE TABLE chain (place TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
INSERT INTO chain VALUES ('start', 0, zeroblob(32)), ('head', 0, zeroblob(32));
CREATE TABLE audit (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, id TEXT NOT NULL, entry TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
CREATE INDEX audit_id ON audit (id);
CREATE TABLE report (seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX report_id ON report (id);
CREATE INDEX report_at ON report (at);
";

/// The letters `brkf`: what a file of ours says it is.
const APPLICATION: i32 = 0x6272_6b66;
const VERSION: i32 = 1;

/// How long to wait for others who write.
const PATIENCE: Duration = Duration::from_secs(5);
