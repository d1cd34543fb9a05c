//! File or standard input → JSON, within bounds.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use breakfall::wire;
use serde_json::Value;

use crate::out::{self, reason};
use crate::report::Problem;

/// The largest input, in bytes. Parsed, a document takes up to two hundred times its size, so this bounds memory.
pub(crate) const MAX_INPUT: u64 = 1 << 20;

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
        return Err(Problem::input(what).hint("convert one document at a time"));
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

    /// Its one JSON value.
    pub(super) fn parse(&self) -> Result<Value, Problem> {
        // Some editors mark UTF-8 as such; JSON does not know the mark, and readers may skip it.
        let bytes = self
            .bytes
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(&self.bytes);
        if bytes.trim_ascii().is_empty() {
            let what = format!("{} is empty: expected a JSON document", self.name);
            return Err(Problem::input(what));
        }
        wire::parse(bytes).map_err(|error| {
            Problem::input(format!(
                "{}, {}: {}",
                self.name,
                error.place(),
                error.problem()
            ))
        })
    }
}
