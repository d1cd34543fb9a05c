//! Opens the store that a configuration names.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Failure, Memory, Sqlite, Store};
use crate::config::{self, Environment};

/// An open store.
#[derive(Debug)]
#[non_exhaustive]
pub struct Opened {
    /// The store.
    pub store: Arc<dyn Store>,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
    /// Why it is not the configured store.
    pub instead: Option<Instead>,
}

/// Why state is kept in memory instead of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Instead {
    /// The file cannot be used.
    Unusable(PathBuf, Failure),
    /// The state directory of the user is unknown.
    Homeless,
    /// This kind of store is not supported.
    Unknown,
}

/// Opens the configured store. The gateway starts without it, too: state is then kept in memory, and the operator is
/// told why.
///
/// ```
/// use breakfall_gateway::config::{ProcessEnvironment, StoreLocation};
/// use breakfall_gateway::store;
///
/// let opened = store::open(&StoreLocation::Memory, &ProcessEnvironment);
/// assert!(opened.instead.is_none() && opened.file.is_none());
/// ```
pub fn open(wanted: &config::StoreLocation, around: &dyn Environment) -> Opened {
    let instead = match wanted {
        config::StoreLocation::Memory => None,
        config::StoreLocation::Redis(_) => Some(Instead::Unknown),
        config::StoreLocation::Sqlite(file) => match sqlite(file) {
            Ok(opened) => return opened,
            Err(instead) => Some(instead),
        },
        config::StoreLocation::Default => match default_file(around).map(|file| sqlite(&file)) {
            Some(Ok(opened)) => return opened,
            Some(Err(instead)) => Some(instead),
            None => Some(Instead::Homeless),
        },
    };
    Opened {
        store: Arc::new(Memory::default()),
        file: None,
        instead,
    }
}

fn sqlite(file: &Path) -> Result<Opened, Instead> {
    match Sqlite::open(file) {
        Ok(store) => Ok(Opened {
            store: Arc::new(store),
            file: Some(file.to_owned()),
            instead: None,
        }),
        Err(failure) => Err(Instead::Unusable(file.to_owned(), failure)),
    }
}

/// The default file: `breakfall/breakfall.db` in `$XDG_STATE_HOME`, or in `~/.local/state`.
///
/// ```
/// use breakfall_gateway::config::ProcessEnvironment;
/// use breakfall_gateway::store::default_file;
///
/// let file = default_file(&ProcessEnvironment);
/// assert!(file.is_none_or(|file| file.ends_with("breakfall/breakfall.db")));
/// ```
pub fn default_file(around: &dyn Environment) -> Option<PathBuf> {
    // The XDG specification says to ignore relative paths, which depend on the working directory.
    let directory = |name: &str| {
        let path = around.variable(name).map(PathBuf::from);
        path.filter(|path| path.is_absolute())
    };
    let state = directory("XDG_STATE_HOME")
        .or_else(|| directory("HOME").map(|home| home.join(".local/state")))?;
    Some(state.join("breakfall").join("breakfall.db"))
}

impl Instead {
    /// The fix for users.
    pub const fn fix(&self) -> &'static str {
        match self {
            Self::Unusable(_, failure) => failure.fix(),
            Self::Homeless => "set XDG_STATE_HOME or HOME, or name a file: store: sqlite:FILE",
            Self::Unknown => "use sqlite or memory until a version has it",
        }
    }
}

impl fmt::Display for Instead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(file, failure) => f.write_str(&failure.about(file))?,
            Self::Homeless => f.write_str("there is no state directory")?,
            Self::Unknown => f.write_str("redis is no store in this version yet")?,
        }
        f.write_str("; state is kept in memory, and gone with this process")
    }
}
