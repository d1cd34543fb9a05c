//! Input of a command: a file or standard input, up to a size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::output;
use crate::report::{CommandError, io_reason};

/// What standard input is called in messages.
pub(crate) const STDIN: &str = "standard input";

/// Whether a path names standard input.
pub(crate) fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// What to call a file in messages.
pub(crate) fn name(file: &Path) -> String {
    if is_stdin(file) {
        STDIN.to_owned()
    } else {
        file.display().to_string()
    }
}

/// Reads a file, or standard input for `-`: at most one byte more than `max_bytes`, whatever the size of the file is said
/// to be, so that the caller sees that it is too long.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read(file: &Path, max_bytes: u64) -> Result<Vec<u8>, CommandError> {
    let read = if is_stdin(file) {
        output::note_keyboard();
        capped(io::stdin().lock(), max_bytes)
    } else {
        File::open(file).and_then(|file| capped(file, max_bytes))
    };
    read.map_err(|error| {
        CommandError::input(format!("cannot read {}: {}", name(file), io_reason(&error)))
    })
}

fn capped(source: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(max_bytes + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
