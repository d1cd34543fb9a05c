//! The file in which a client lists its MCP servers: Claude Desktop, Claude Code, Cursor, VS Code.

mod jsonc;
mod places;
mod servers;
mod wrapper;

use std::path::{Path, PathBuf};

pub(crate) use jsonc::JsonNode;
pub(crate) use places::{ClientKind, documented, home, is_shared};
pub(crate) use servers::{CommandEntry, EntrySource, ServerEntry};
pub(crate) use wrapper::{Wrapped, wrapped};

use crate::input;
use crate::report::CommandError;

/// A file that was read and parsed.
#[derive(Debug)]
pub(crate) struct ClientFile {
    pub(crate) path: PathBuf,
    pub(crate) kind: ClientKind,
    pub(crate) text: String,
    root: JsonNode,
}

impl ClientFile {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is not JSON.
    pub(crate) fn read(path: &Path) -> Result<Self, CommandError> {
        let bytes = input::read(path, MAX_FILE_BYTES)?;
        let shown = path.display();
        if bytes.len() as u64 > MAX_FILE_BYTES {
            let most = MAX_FILE_BYTES >> 20;
            return Err(CommandError::config(format!(
                "{shown} is larger than {most} MiB: it is not the file of a client"
            )));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let (line, column) = position(&String::from_utf8_lossy(valid), valid.len());
            CommandError::config(format!("{shown}:{line}:{column}: this is not UTF-8"))
        })?;
        let root = jsonc::parse(&text).map_err(|error| {
            let (line, column) = position(&text, error.at);
            let message = format!("{shown}:{line}:{column}: {}", error.message);
            CommandError::config(message).hint("the file is not valid JSON; nothing was changed")
        })?;
        Ok(Self {
            path: path.to_owned(),
            kind: ClientKind::of(path),
            text,
            root,
        })
    }

    /// Checks that it is the file of a client.
    ///
    /// # Errors
    /// When it has no list of servers.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        if servers::servers(&self.root).is_some() {
            return Ok(());
        }
        let message = format!("{} has no list of servers", self.path.display());
        Err(CommandError::config(message).hint(
            "Claude Desktop, Claude Code and Cursor list them under mcpServers, VS Code under servers",
        ))
    }

    /// Its servers, in its order.
    pub(crate) fn servers(&self) -> Vec<ServerEntry<'_>> {
        servers::servers(&self.root).unwrap_or_default()
    }
}

/// Those of the documented places that have a file.
pub(crate) fn found() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = documented()
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    // In the home directory the files of the project are those of the user.
    let mut seen = Vec::new();
    found.retain(|path| {
        let real = path.canonicalize().unwrap_or_else(|_| path.clone());
        let is_new = !seen.contains(&real);
        seen.push(real);
        is_new
    });
    found
}

/// The line and column of a byte, counted from one; columns in characters.
pub(crate) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        line,
        before[start..]
            .trim_start_matches('\u{feff}')
            .chars()
            .count()
            + 1,
    )
}

/// Claude Code keeps a history beside its servers; it has more than most, and less than this.
const MAX_FILE_BYTES: u64 = 64 << 20;
