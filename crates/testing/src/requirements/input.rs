//! Reads what the tool needs from disk. Whatever cannot be read is named with its file and place.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::de::DeserializeOwned;

use super::data::{DATA, Raw};
use super::list::Listing;
use super::page::PAGE;
use super::scan::{PACKAGES, Scan};

/// Why the tool could not start.
#[derive(Debug)]
pub(super) struct BadInput(pub(super) String);

/// All input, read and parsed but not judged.
pub(super) struct Input {
    pub(super) raws: Vec<Raw>,
    pub(super) scan: Scan,
    pub(super) listing: Listing,
    /// The page as it is; none if it was never written.
    pub(super) page: Option<String>,
}

impl Input {
    /// Reads the workspace at `root` and the listing in `tests`; without one, asks the test runner.
    pub(super) fn read(root: &Path, tests: Option<&Path>) -> Result<Self, BadInput> {
        let data = root.join(DATA);
        let raws = parse(&data.display().to_string(), &text(&data)?)?;
        let scan = sources(root)?;
        let page = match fs::read_to_string(root.join(PAGE)) {
            Ok(page) => Some(page),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(bad(&root.join(PAGE), error)),
        };
        let listing = match tests {
            Some(file) => parse(&file.display().to_string(), &text(file)?)?,
            None => parse(LIST, &list(root)?)?,
        };
        Ok(Self {
            raws,
            scan,
            listing,
            page,
        })
    }
}

fn text(path: &Path) -> Result<String, BadInput> {
    fs::read_to_string(path).map_err(|error| bad(path, error))
}

/// JSON errors say line and column themselves.
fn parse<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, BadInput> {
    serde_json::from_str(text).map_err(|error| BadInput(format!("{name}: {error}")))
}

/// Scans the sources and tests of every package.
fn sources(root: &Path) -> Result<Scan, BadInput> {
    let mut scan = Scan::default();
    // A root without crates is the wrong root; one without examples has none.
    let homes = PACKAGES.iter().map(|home| root.join(home));
    for home in homes.filter(|home| home.ends_with("crates") || home.is_dir()) {
        for package in entries(&home)? {
            for folder in ["src", "tests"].map(|top| package.join(top)) {
                if folder.is_dir() {
                    folder_sources(root, &folder, &mut scan)?;
                }
            }
        }
    }
    Ok(scan)
}

fn folder_sources(root: &Path, folder: &Path, scan: &mut Scan) -> Result<(), BadInput> {
    for path in entries(folder)? {
        if path.is_dir() {
            folder_sources(root, &path, scan)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let parts: Vec<_> = path
                .strip_prefix(root)
                .unwrap_or(&path)
                .iter()
                .map(|part| part.to_string_lossy())
                .collect();
            scan.file(&parts.join("/"), &text(&path)?);
        }
    }
    Ok(())
}

/// The entries of a folder in the order of their names, so that output never depends on the file system.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let read = || -> io::Result<Vec<PathBuf>> {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
            .map(|entry| Ok(entry?.path()))
            .collect::<io::Result<_>>()?;
        paths.sort();
        Ok(paths)
    };
    read().map_err(|error| bad(folder, error))
}

/// Asks the test runner; what it has to say about the build goes to our own stderr.
fn list(root: &Path) -> Result<String, BadInput> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let output = Command::new(&cargo)
        .args([
            "nextest",
            "list",
            "--workspace",
            "--all-features",
            "--message-format",
            "json",
        ])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| BadInput(format!("{}: {error}", cargo.display())))?;
    if !output.status.success() {
        return Err(BadInput(format!(
            "{LIST}: {}; see above, or pass --tests FILE",
            output.status
        )));
    }
    String::from_utf8(output.stdout).map_err(|error| BadInput(format!("{LIST}: {error}")))
}

#[expect(clippy::needless_pass_by_value, reason = "made for map_err")]
fn bad(path: &Path, error: io::Error) -> BadInput {
    BadInput(format!("{}: {error}", path.display()))
}

const LIST: &str = "cargo nextest list --workspace --message-format json";
