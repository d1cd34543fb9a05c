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
    /// The file was found damaged or changed, so its pages are checked before it is used again.
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
        let Some(file) = &mut self.file else {
            return;
        };
        let state = match file.state(&self.path) {
            HeaderState::Unchanged => return,
            // Mostly a process that uses the store, too. One that writes at this moment may leave half a page.
            HeaderState::Written
                if file.is_continued(&self.path) || {
                    file::wait_until_written(&self.path);
                    file.is_continued(&self.path)
                } =>
            {
                return file.settle(&self.path);
            }
            HeaderState::Written | HeaderState::Overwritten => HeaderState::Overwritten,
            state @ (HeaderState::Deleted | HeaderState::Replaced) => state,
        };
        let log = self
            .file
            .take()
            .and_then(|file| file.abandon(&self.path, state));
        self.is_suspect = state == HeaderState::Overwritten;
        // A process that only reads moves no file.
        if self.mode == OpenMode::Create {
            if self.is_suspect {
                file::wait_until_written(&self.path);
            }
            let log = log.and_then(|log| log.move_aside(&self.path));
            self.report(state, log.as_deref());
        }
    }

    fn report(&self, state: HeaderState, log: Option<&Path>) {
        let log = log.map_or_else(String::new, |log| {
            format!("; its write-ahead log was moved to {}", log.display())
        });
        tracing::error!(
            "the store {} was {} while in use: records that are not in the present file are lost{log}",
            self.path.display(),
            state.as_str()
        );
    }

    fn file(&mut self) -> Result<&mut OpenFile, StoreError> {
        if self.file.is_none() {
            self.file = Some(self.opened()?);
            self.is_suspect = false;
        }
        self.file.as_mut().ok_or(StoreError::Over)
    }

    fn opened(&self) -> Result<OpenFile, StoreError> {
        match self.mode {
            OpenMode::Create => file::open_or_create(&self.path, self.is_suspect),
            OpenMode::Existing => file::open(&self.path, self.is_suspect),
        }
    }
}
