//! The header of a database file, read beside `SQLite`, which does not notice when another program deletes, replaces or
//! overwrites the file: it goes on writing to a file without a name.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::mem;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::{Arc, Weak};
use std::time::SystemTime;

use breakfall_mcp::sync::Mutex;

use super::file::APPLICATION;

/// A handle to read the header of a database file.
///
/// Closing any descriptor of a file releases all locks that the process holds on it, those of `SQLite` included. So all
/// handles to a file share one descriptor, and each is dropped after its `SQLite` connection.
#[derive(Debug)]
pub(super) struct HeaderFile {
    identity: Identity,
    /// `None` only while it is dropped.
    file: Option<Arc<File>>,
    /// The change counter, which never decreases in a file that only `SQLite` writes. The number of pages may: VACUUM.
    seen: u32,
    /// Time of the last write, and length.
    written: Option<(SystemTime, u64)>,
}

/// Device and inode.
type Identity = (u64, u64);

/// The open descriptors.
static OPEN: Mutex<BTreeMap<Identity, Weak<File>>> = Mutex::new(BTreeMap::new());

/// What has happened to a file that is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeaderState {
    /// Nothing.
    Unchanged,
    /// No file has its name.
    Deleted,
    /// Another file has its name.
    Replaced,
    /// Another process has written to it: one that uses the store, or one that copied another store over it.
    Written,
    /// Another program has written to it.
    Overwritten,
}

impl HeaderState {
    /// The past participle, for messages.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Written => "written by another process",
            Self::Deleted => "deleted",
            Self::Replaced => "replaced by another file",
            Self::Overwritten => "overwritten",
        }
    }
}

impl HeaderFile {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut open = OPEN.lock();
        let identity = identity(&fs::metadata(path)?);
        let shared = open.get(&identity).and_then(Weak::upgrade);
        let file = if let Some(file) = shared {
            file
        } else {
            let file = Arc::new(File::open(path)?);
            if self::identity(&file.metadata()?) != identity {
                // It was replaced meanwhile, maybe by a file that is in the table.
                mem::forget(file);
                return Err(io::ErrorKind::NotFound.into());
            }
            open.insert(identity, Arc::downgrade(&file));
            file
        };
        drop(open);
        let mut header = Self {
            identity,
            file: Some(file),
            seen: 0,
            written: None,
        };
        header.settle();
        Ok(header)
    }

    /// Whether the header is that of a store, whatever follows it.
    pub(super) fn is_store(&self) -> bool {
        self.changes().is_some()
    }

    /// Whether the file is empty or begins as a database does. `SQLite` would not look: with a write-ahead log beside it, it
    /// takes any file for a database, and writes the log into it.
    pub(super) fn may_be_database(&self) -> bool {
        let mut bytes = [0; MAGIC.len()];
        let Some(file) = &self.file else {
            return false;
        };
        match file.read_at(&mut bytes, 0) {
            // `SQLite` says what is wrong with a file that cannot be read.
            Ok(0) | Err(_) => true,
            Ok(_) => bytes == *MAGIC,
        }
    }

    /// Whether the file still has this name.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|about| identity(&about) == self.identity)
    }

    /// What has happened to the file since the last call of [`Self::settle`].
    pub(super) fn state(&self, path: &Path) -> HeaderState {
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => HeaderState::Deleted,
            // Whatever keeps it from being looked at, it is in use.
            Err(_) => HeaderState::Unchanged,
            Ok(about) if identity(&about) != self.identity => HeaderState::Replaced,
            Ok(about) => match self.changes() {
                Some(now) if now >= self.seen && written(&about) == self.written => {
                    HeaderState::Unchanged
                }
                Some(now) if now >= self.seen => HeaderState::Written,
                Some(_) | None => HeaderState::Overwritten,
            },
        }
    }

    /// Remembers the change counter and the time of the last write.
    pub(super) fn settle(&mut self) {
        // In this order: a write in between is noticed the next time.
        let about = self.file.as_ref().and_then(|file| file.metadata().ok());
        self.written = about.and_then(|about| written(&about));
        self.seen = self.changes().unwrap_or_default();
    }

    /// The change counter, if the header is that of a store.
    fn changes(&self) -> Option<u32> {
        let mut bytes = [0; 100];
        self.file.as_ref()?.read_exact_at(&mut bytes, 0).ok()?;
        let number = |at: usize| bytes[at..at + 4].try_into().map(u32::from_be_bytes).ok();
        let is_store = bytes.starts_with(MAGIC) && number(68)? == APPLICATION.cast_unsigned();
        number(24).filter(|_| is_store)
    }
}

impl Drop for HeaderFile {
    fn drop(&mut self) {
        // With the lock held, no other handle is opened while the last one closes the descriptor.
        let mut open = OPEN.lock();
        self.file = None;
        open.retain(|_, file| file.strong_count() > 0);
    }
}

/// Creates an empty file that only its user may read. No handle is opened before its descriptor is closed.
pub(super) fn create_empty(path: &Path) -> io::Result<()> {
    let _open = OPEN.lock();
    let mut options = OpenOptions::new();
    let options = options.write(true).create_new(true).mode(0o600);
    options.open(path).map(|_: File| ())
}

fn identity(about: &fs::Metadata) -> Identity {
    (about.dev(), about.ino())
}

/// Time of the last write, and length.
pub(super) fn written(about: &fs::Metadata) -> Option<(SystemTime, u64)> {
    Some((about.modified().ok()?, about.len()))
}

/// The first bytes of a database.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
