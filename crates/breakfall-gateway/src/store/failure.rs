//! The errors of stores.

use std::fmt;
use std::io;
use std::path::Path;

/// The error of a store operation, which has changed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreError {
    /// The file does not exist.
    Missing,
    /// Permission denied.
    Denied,
    /// The directory cannot be created, for this reason.
    Unmade(String),
    /// No space is left.
    Full,
    /// Another process has held the lock for too long.
    Busy,
    /// The file is not a store.
    Foreign,
    /// The file is a store, and corrupt.
    Damaged,
    /// The file was created by a newer version of Breakfall.
    Newer,
    /// The store is closed.
    Over,
    /// Another error.
    Other(String),
}

impl StoreError {
    /// The fix for users.
    pub const fn fix(&self) -> &'static str {
        match self {
            Self::Missing => "name the file the gateway uses, or its configuration",
            Self::Denied => {
                "use it as the user who runs the gateway, and let that user write its directory"
            }
            Self::Unmade(_) => {
                "name another place: set XDG_STATE_HOME, or store: sqlite:FILE in a configuration"
            }
            Self::Full => "free disk space, or lower the limits of 'retention'",
            Self::Busy => "look for another program that has the file open",
            Self::Foreign => "name another file; this one is left as it is",
            Self::Damaged => "start a gateway, which moves it aside and creates a new one",
            Self::Newer => "use the newer version here, too, or another file",
            Self::Over => "start Breakfall again",
            Self::Other(_) => "look at the file and its directory",
        }
    }

    /// The error of creating a directory for a new store.
    pub(super) fn of_directory(error: &io::Error) -> Self {
        let failure = Self::of_io(error);
        if failure == Self::Full {
            return failure;
        }
        Self::Unmade(reason(error))
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other kinds have no name here"
    )]
    pub(super) fn of_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::Denied,
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::Full,
            _ => Self::Other(error.to_string()),
        }
    }

    /// The message about a file.
    pub fn about(&self, file: &Path) -> String {
        let directory = file.parent().unwrap_or(file).display();
        let file = file.display();
        match self {
            Self::Missing => format!("the store {file} does not exist"),
            Self::Denied => format!("the store {file} cannot be opened: permission denied"),
            Self::Unmade(why) => {
                format!("the directory {directory} for the store cannot be created: {why}")
            }
            Self::Full => format!("the store {file} cannot grow: no space left on device"),
            Self::Busy => format!("the store {file} is in use by another program"),
            Self::Foreign => format!("{file} is not a Breakfall store, or is corrupt"),
            Self::Damaged => format!("the store {file} is corrupt"),
            Self::Newer => format!("the store {file} was created by a newer version of Breakfall"),
            Self::Over => format!("the store {file} is closed"),
            Self::Other(why) => format!("the store {file} cannot be used: {why}"),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "the store does not exist",
            Self::Denied => "permission denied",
            Self::Unmade(why) => return write!(f, "its directory cannot be created: {why}"),
            Self::Full => "no space left on device",
            Self::Busy => "another program is using it",
            Self::Foreign => "it is not a Breakfall store, or is corrupt",
            Self::Damaged => "it is corrupt",
            Self::Newer => "a newer version of Breakfall created it",
            Self::Over => "it is closed",
            Self::Other(why) => why,
        })
    }
}

impl std::error::Error for StoreError {}

/// The message without the error number, which means nothing to users.
fn reason(error: &io::Error) -> String {
    let full = error.to_string();
    let reason = full.split_once(" (os error ").map(|(reason, _)| reason);
    reason.unwrap_or(&full).to_owned()
}
