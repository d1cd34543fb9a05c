//! Everything that is generated from the catalogue and the dialects, and the tests that keep it fresh.
//!
//! The shapes of the dialects are written down once, as a small model of types; JSON Schema, TypeScript and Python
//! are three printers of it. A file on disk that differs from what its generator gives fails its test, and
//! `BREAKFALL_BLESS=1` rewrites it.

mod catalog_json;
mod codes_page;
mod common;
mod dialects;
mod documents;
#[cfg(feature = "locale")]
mod english;
mod goldens;
pub(crate) mod json_schema;
mod model;
mod python;
mod typescript;

use std::path::{Path, PathBuf};

/// Compares a generated text with the file on disk, or rewrites the file when asked to bless.
pub(crate) fn assert_fresh(path: &str, text: &str) {
    let file = workspace_file(path);
    if std::env::var_os("BREAKFALL_BLESS").is_some() {
        write(&file, text);
        return;
    }
    let have = std::fs::read_to_string(&file).unwrap_or_default();
    if have == text {
        return;
    }
    let line = have
        .lines()
        .zip(text.lines())
        .take_while(|(a, b)| a == b)
        .count();
    panic!(
        "{path} is stale from line {} on: run ./check bless\n  on disk:   {}\n  generated: {}",
        line + 1,
        start(have.lines().nth(line)),
        start(text.lines().nth(line)),
    );
}

/// A file of the workspace.
pub(crate) fn workspace_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}

/// Writes a file and the folder it is in. A file that is right already keeps its modification time.
pub(crate) fn write(file: &Path, text: &str) {
    if std::fs::read_to_string(file).is_ok_and(|have| have == text) {
        return;
    }
    let folder = file.parent().expect("a file of the workspace has a folder");
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(file, text).unwrap();
}

fn start(line: Option<&str>) -> String {
    line.map_or_else(
        || "(ends here)".to_owned(),
        |line| line.chars().take(160).collect(),
    )
}
