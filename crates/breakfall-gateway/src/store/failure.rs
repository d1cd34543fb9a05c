//! Why a store did not do what was asked.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a store did not do what was asked. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// There is no store at this place.
    Missing,
    /// We may not use it.
    Denied,
    /// Its directory cannot be made, for this reason.
    Unmade(String),
    /// There is no room left.
    Full,
    /// Somebody else has it, for too long.
    Busy,
    /// It is no store of ours, or a damaged one.
    Foreign,
    /// A newer version of Breakfall has made it.
    Newer,
    /// It has ended.
    Over,
    /// Something else.
    Other(String),
}

impl Failure {
    /// What to do about it.
    pub const fn fix(&self) -> &'static str {
        match self {
            Self::Missing => "name the file the gateway uses, or its configuration",
            Self::Denied => {
                "use it as the user who runs the gateway, and let that user write its directory"
            }
            Self::Unmade(_) => {
                "name another place: set XDG_STATE_HOME, or store: sqlite:FILE in a configuration"
            }
            Self::Full => "make room, or let less be kept with 'retention'",
            Self::Busy => "look for another program that has the file open",
            Self::Foreign => "name another file; this one is left as it is",
            Self::Newer => "use the newer version here, too, or another file",
            Self::Over => "start Breakfall again",
            Self::Other(_) => "look at the file and its directory",
        }
    }

    /// A directory of a new store could not be made.
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

    /// What went wrong with a file, in a sentence.
    pub fn about(&self, file: &Path) -> String {
        let directory = file.parent().unwrap_or(file).display();
        let file = file.display();
        match self {
            Self::Missing => format!("there is no store at {file}"),
            Self::Denied => format!("the store {file} cannot be opened: permission denied"),
            Self::Unmade(why) => {
                format!("the directory {directory} for the store cannot be made: {why}")
            }
            Self::Full => format!("the store {file} cannot grow: there is no room left"),
            Self::Busy => format!("the store {file} is in use by another program"),
            Self::Foreign => format!("{file} is no store of Breakfall, or a damaged one"),
            Self::Newer => format!("the store {file} was made by a newer version of Breakfall"),
            Self::Over => format!("the store {file} is closed"),
            Self::Other(why) => format!("the store {file} cannot be used: {why}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "there is no store",
            Self::Denied => "permission denied",
            Self::Unmade(why) => return write!(f, "its directory cannot be made: {why}"),
            Self::Full => "there is no room left",
            Self::Busy => "another program has it in use",
            Self::Foreign => "it is no store of Breakfall, or a damaged one",
            Self::Newer => "a newer version of Breakfall has made it",
            Self::Over => "it is closed",
            Self::Other(why) => why,
        })
    }
}

impl std::error::Error for Failure {}

/// Without the number in brackets, which helps nobody.
fn reason(error: &io::Error) -> String {
    let full = error.to_string();
    let reason = full.split_once(" (os error ").map(|(reason, _)| reason);
    reason.unwrap_or(&full).to_owned()
}
