//! Opens the store that a configuration names.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Memory, Sqlite, Store, StoreError, TokenStore};
use crate::config::{self, Environment};

/// An open store.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpenedStore {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The same store, for confirmation tokens.
    pub tokens: Arc<dyn TokenStore>,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
    /// Why it is not the configured store.
    pub instead: Option<MemoryFallback>,
}

/// Why state is kept in memory instead of a file, for now or for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MemoryFallback {
    /// The file cannot be used.
    Unusable(PathBuf, StoreError),
    /// The file cannot be used now. It is tried again, and records wait in memory until then.
    Waiting(PathBuf, StoreError),
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
pub fn open(wanted: &config::StoreLocation, around: &dyn Environment) -> OpenedStore {
    let instead = match wanted {
        config::StoreLocation::Memory => None,
        config::StoreLocation::Redis(_) => Some(MemoryFallback::Unknown),
        config::StoreLocation::Sqlite(file) => match sqlite(file) {
            Ok(opened) => return opened,
            Err(instead) => Some(instead),
        },
        config::StoreLocation::Default => match default_file(around).map(|file| sqlite(&file)) {
            Some(Ok(opened)) => return opened,
            Some(Err(instead)) => Some(instead),
            None => Some(MemoryFallback::Homeless),
        },
    };
    OpenedStore::new(Arc::new(Memory::default()), None, instead)
}

fn sqlite(file: &Path) -> Result<OpenedStore, MemoryFallback> {
    let opened = |store, instead| OpenedStore::new(Arc::new(store), Some(file.to_owned()), instead);
    match Sqlite::open(file) {
        Ok(store) => Ok(opened(store, None)),
        // There may be room soon, so records wait for it.
        Err(failure @ (StoreError::Full | StoreError::Busy)) => match Sqlite::deferred(file) {
            Ok(store) => {
                let waiting = MemoryFallback::Waiting(file.to_owned(), failure);
                Ok(opened(store, Some(waiting)))
            }
            Err(failure) => Err(MemoryFallback::Unusable(file.to_owned(), failure)),
        },
        Err(failure) => Err(MemoryFallback::Unusable(file.to_owned(), failure)),
    }
}

impl OpenedStore {
    fn new<S: Store + TokenStore + 'static>(
        store: Arc<S>,
        file: Option<PathBuf>,
        instead: Option<MemoryFallback>,
    ) -> Self {
        Self {
            tokens: Arc::clone(&store) as Arc<dyn TokenStore>,
            store,
            file,
            instead,
        }
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

impl MemoryFallback {
    /// The fix for users.
    pub const fn fix(&self) -> &'static str {
        match self {
            Self::Unusable(_, failure) | Self::Waiting(_, failure) => failure.fix(),
            Self::Homeless => "set XDG_STATE_HOME or HOME, or name a file: store: sqlite:FILE",
            Self::Unknown => "use sqlite or memory",
        }
    }
}

impl fmt::Display for MemoryFallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unusable(file, failure) => f.write_str(&failure.about(file))?,
            Self::Waiting(file, failure) => {
                f.write_str(&failure.about(file))?;
                return f.write_str("; records wait in memory until it can be used");
            }
            Self::Homeless => f.write_str(
                "the state directory is unknown: neither XDG_STATE_HOME nor HOME is set",
            )?,
            Self::Unknown => f.write_str("redis is not supported as a store yet")?,
        }
        f.write_str("; state is kept in memory, and lost when this process ends")
    }
}
