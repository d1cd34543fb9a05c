//! The store of a gateway, read by another process.

use std::path::{Path, PathBuf};

use breakfall_gateway::config::{Config, ProcessEnvironment, StoreLocation};
use breakfall_gateway::store::{Sqlite, StoreError, default_file};

use crate::report::CommandError;

/// The file in which a gateway with this configuration keeps something.
pub(crate) fn of(config: Option<&Config>, what: &str) -> Result<PathBuf, CommandError> {
    match config.map(|config| &config.store) {
        None | Some(StoreLocation::Default) => default_file(&ProcessEnvironment).ok_or_else(|| {
            let error = CommandError::input("there is no state directory to look in");
            error.hint(
                "set XDG_STATE_HOME or HOME, or name the configuration of the gateway with -c",
            )
        }),
        Some(StoreLocation::Sqlite(file)) => Ok(file.clone()),
        Some(kind) => {
            let error = CommandError::input(format!(
                "this gateway keeps {what} in {kind}, which other processes cannot read"
            ));
            Err(error.hint("store: sqlite keeps it in a file"))
        }
    }
}

/// Reads an existing store.
pub(crate) fn read<T>(
    file: &Path,
    read: impl AsyncFnOnce(&Sqlite) -> Result<T, StoreError>,
) -> Result<Result<T, StoreError>, CommandError> {
    let store = match Sqlite::existing(file) {
        Ok(store) => store,
        Err(failure) => return Ok(Err(failure)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.map_err(|error| CommandError::runtime(&error))?;
    Ok(runtime.block_on(read(&store)))
}

/// The error of a store that cannot be read. `is_named` if a configuration names it.
pub(crate) fn unable(file: &Path, is_named: bool, failure: &StoreError) -> CommandError {
    let error = CommandError::input(failure.about(file));
    if *failure == StoreError::Missing && !is_named {
        return error.hint("a gateway makes one when it first runs; -c names the configuration of one that keeps it elsewhere");
    }
    error.hint(failure.fix())
}
