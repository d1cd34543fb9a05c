//! The connection to a file, opened anew when the file is not the same any more.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::failure;
use super::file::{self, OpenFile};
use super::header::HeaderState;
use crate::store::StoreError;

/// A connection to the file of this name.
#[derive(Debug)]
pub(super) struct StoreConnection {
    path: PathBuf,
    mode: OpenMode,
    file: Option<OpenFile>,
    /// The file was found damaged, so its pages are checked before it is used again.
    is_suspect: bool,
}

/// Whether a file is created if it does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenMode {
    Create,
    Existing,
}

impl StoreConnection {
    pub(super) fn open(path: &Path, mode: OpenMode) -> Result<Self, StoreError> {
        let mut connection = Self::closed(path, mode);
        connection.file()?;
        Ok(connection)
    }

    pub(super) fn closed(path: &Path, mode: OpenMode) -> Self {
        Self {
            path: path.to_owned(),
            mode,
            file: None,
            is_suspect: false,
        }
    }

    /// Runs an operation on the file.
    pub(super) fn run<T>(
        &mut self,
        job: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.close_if_changed();
        let done = job(&mut self.file()?.connection).map_err(|error| failure(&error));
        if done.as_ref().err() == Some(&StoreError::Damaged) {
            self.is_suspect = true;
            self.file = None;
        }
        if let Some(file) = &mut self.file {
            file.settle(&self.path);
        }
        done
    }

    /// Closes a file that was deleted, replaced or overwritten: what is written to it would be lost.
    fn close_if_changed(&mut self) {
        let state = self.file.as_ref().map(|file| file.state(&self.path));
        let Some(state) = state.filter(|state| *state != HeaderState::Unchanged) else {
            return;
        };
        if self.mode == OpenMode::Create {
            tracing::error!(
                "the store {} was {} while in use: its earlier records are gone",
                self.path.display(),
                state.as_str()
            );
        }
        if let Some(file) = self.file.take() {
            file.abandon(&self.path, state);
        }
    }

    fn file(&mut self) -> Result<&mut OpenFile, StoreError> {
        if self.file.is_none() {
            let opened = match self.mode {
                OpenMode::Create => file::open_or_create(&self.path, self.is_suspect),
                OpenMode::Existing => file::open(&self.path, self.is_suspect),
            };
            self.file = Some(opened?);
            self.is_suspect = false;
        }
        self.file.as_mut().ok_or(StoreError::Over)
    }
}
