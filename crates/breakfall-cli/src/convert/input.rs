//! File or standard input → JSON, within bounds.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use breakfall::wire::{self, DecodeError};
use serde_json::Value;

use super::altered;
use crate::out::{self, reason};
use crate::report::{Note, Problem};

/// The largest input, in bytes. Parsed, a document takes up to two hundred times its size, so this bounds memory.
pub(crate) const MAX_INPUT: u64 = 1 << 20;

/// The deepest input, in lists and objects inside each other; the parser's own bound.
pub(crate) const MAX_DEPTH: usize = 127;

/// What was read, and where from.
#[derive(Debug)]
pub(super) struct Input {
    name: String,
    bytes: Vec<u8>,
}

/// Reads a file, or standard input without one. Never more than the cap, whatever the file claims to be.
pub(super) fn read(file: Option<&Path>) -> Result<Input, Problem> {
    let file = file.filter(|path| *path != Path::new("-"));
    let name = file.map_or_else(
        || "standard input".to_owned(),
        |path| path.display().to_string(),
    );
    let unreadable =
        |error: io::Error| Problem::input(format!("cannot read {name}: {}", reason(&error)));
    let bytes = if let Some(path) = file {
        File::open(path).and_then(capped)
    } else {
        out::waiting();
        capped(io::stdin().lock())
    };
    let bytes = bytes.map_err(unreadable)?;
    if bytes.len() as u64 > MAX_INPUT {
        let what = format!("{name} is larger than {} MiB", MAX_INPUT >> 20);
        return Err(Problem::input(what).hint(ONE_AT_A_TIME));
    }
    Ok(Input { name, bytes })
}

fn capped(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Input {
    /// What to call it in a message.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Its one JSON value, and what of it could not be kept as it stands.
    pub(super) fn parse(&self) -> Result<(Value, Vec<Note>), Problem> {
        // Some editors mark UTF-8 as such; JSON does not know the mark, and readers may skip it.
        let bytes = self
            .bytes
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(&self.bytes);
        if bytes.trim_ascii().is_empty() {
            let what = format!("{} is empty: expected a JSON document", self.name);
            return Err(Problem::input(what));
        }
        let value = wire::parse(bytes).map_err(|error| self.unparsed(&error))?;
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        Ok((value, altered::notes(text)))
    }

    fn unparsed(&self, error: &DecodeError) -> Problem {
        let (name, place) = (&self.name, error.place());
        match error.problem().strip_prefix("not JSON: ") {
            Some("number out of range") => {
                let what = "number out of range: beyond what 64 bits of floating point hold";
                Problem::input(format!("{name}, {place}: {what}"))
            }
            Some("trailing characters") => {
                let what = format!("{name}, {place}: more text after the end of the document");
                Problem::input(what).hint(ONE_AT_A_TIME)
            }
            Some(_) | None => Problem::input(format!("{name}, {place}: {}", error.problem())),
        }
    }
}

/// What to do about several documents in one input.
pub(super) const ONE_AT_A_TIME: &str = "convert one message at a time";
