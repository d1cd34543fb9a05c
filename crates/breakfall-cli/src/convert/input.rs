//! A file or standard input → JSON, within bounds.

use std::path::Path;

use breakfall::wire::{self, DecodeError};
use serde_json::Value;

use super::lossy_json;
use crate::args::MAX_CONVERT_BYTES;
use crate::input;
use crate::report::{CommandError, ReportNote};

/// The bytes of a file, with its name.
#[derive(Debug)]
pub(super) struct ConvertInput {
    name: String,
    bytes: Vec<u8>,
}

/// Reads a file, or standard input without one.
pub(super) fn read(file: Option<&Path>) -> Result<ConvertInput, CommandError> {
    let file = file.unwrap_or(Path::new("-"));
    let name = input::name(file);
    let bytes = input::read(file, MAX_CONVERT_BYTES)?;
    if bytes.len() as u64 > MAX_CONVERT_BYTES {
        let message = format!("{name} is larger than {} MiB", MAX_CONVERT_BYTES >> 20);
        return Err(CommandError::input(message).hint(ONE_AT_A_TIME));
    }
    Ok(ConvertInput { name, bytes })
}

impl ConvertInput {
    /// The name in messages.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its one JSON value, with notes on numbers and keys that are not kept exactly.
    pub(super) fn parse(&self) -> Result<(Value, Vec<ReportNote>), CommandError> {
        // Some editors write a byte order mark; JSON has none, and readers may skip it.
        let bytes = self
            .bytes
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(&self.bytes);
        if bytes.trim_ascii().is_empty() {
            let message = format!("{} is empty: expected a JSON document", self.name);
            return Err(CommandError::input(message));
        }
        let value = wire::parse(bytes).map_err(|error| self.parse_error(&error))?;
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        Ok((value, lossy_json::notes(text)))
    }

    fn parse_error(&self, error: &DecodeError) -> CommandError {
        let (name, place) = (&self.name, error.place());
        match error.problem().strip_prefix("not JSON: ") {
            Some("number out of range") => {
                let message = "number out of range: beyond what 64 bits of floating point hold";
                CommandError::input(format!("{name}, {place}: {message}"))
            }
            Some("trailing characters") => {
                let message = format!("{name}, {place}: more text after the end of the document");
                CommandError::input(message).hint(ONE_AT_A_TIME)
            }
            Some(_) | None => CommandError::input(format!("{name}, {place}: {}", error.problem())),
        }
    }
}

/// The hint for several documents in one input.
pub(super) const ONE_AT_A_TIME: &str = "convert one message at a time";
