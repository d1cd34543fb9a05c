//! The files that `SQLite` keeps beside a database: found, locked and moved with it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

/// The write-ahead log of a store that was overwritten.
#[derive(Debug)]
pub(super) struct LogInode(pub(super) u64);

impl LogInode {
    /// Moves the log of a store that was overwritten out of the way: `SQLite` would read it into the file that was copied
    /// over the store. Returns where it is now.
    pub(super) fn move_aside(self, path: &Path) -> Option<PathBuf> {
        let _lock = lock(directory(path));
        let log = beside(path, "-wal");
        // Another process may have done so already.
        if inode(&log) != Some(self.0) {
            return None;
        }
        let suffix = Timestamp::now().strftime(".overwritten-%Y%m%dT%H%M%SZ-wal");
        let aside = beside(path, &suffix.to_string());
        fs::rename(&log, &aside).ok()?;
        for suffix in COMPANIONS {
            let _ = fs::remove_file(beside(path, suffix));
        }
        Some(aside)
    }
}

/// Keeps other processes from creating or moving files of the store. File systems without locks do without.
pub(super) fn lock(directory: &Path) -> Option<File> {
    let directory = File::open(directory).ok()?;
    directory.lock().ok()?;
    Some(directory)
}

pub(super) fn directory(path: &Path) -> &Path {
    let directory = path.parent().filter(|path| !path.as_os_str().is_empty());
    directory.unwrap_or(Path::new("."))
}

pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

pub(super) fn inode(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|about| about.ino())
}

/// The files that `SQLite` keeps beside a database.
pub(super) const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];
