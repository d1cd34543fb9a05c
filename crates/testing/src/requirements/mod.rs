//! Traceability: every requirement of the source documents, and the tests that prove it.
//!
//! The data (`docs/requirements.json`) says of each id whether it is `proven`, `waits` for a capability, or is
//! `not-ours`. A test names the ids it proves with [`proves!`](crate::proves). This tool holds the two against the
//! tests that really run, and writes `docs/requirements.md` from them.
//!
//! Exit codes: 0 all is well, 1 problems (each on stderr with what to do), 2 the input cannot be read.

mod data;
mod page;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use data::{DATA, DOCUMENTS, Ledger};
use page::PAGE;
use scan::{Claim, Listing, PACKAGES};
use serde::de::DeserializeOwned;

/// Runs the tool with the arguments after its name; gives its exit code.
///
/// # Errors
///
/// Only when `out` or `err` cannot be written.
pub fn run(
    args: impl Iterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<u8> {
    let report = Arguments::parse(args).and_then(|arguments| {
        let report = Report::read(&arguments.root, arguments.tests.as_deref())?;
        Ok((arguments, report))
    });
    match report {
        Ok((arguments, report)) => match arguments.command.as_str() {
            "check" => report.check(out, err),
            "todo" => report.todo(out),
            _ => report.write(&arguments.root, out, err),
        },
        Err(message) => {
            writeln!(err, "requirements: {message}")?;
            Ok(BAD_INPUT)
        }
    }
}

struct Arguments {
    command: String,
    tests: Option<PathBuf>,
    root: PathBuf,
}

impl Arguments {
    fn parse(mut args: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let (mut command, mut tests, mut root) = (None, None, PathBuf::from("."));
        while let Some(arg) = args.next() {
            let usage = |what| format!("{:?} {what}\n{USAGE}", arg.to_string_lossy());
            let mut value = || {
                args.next()
                    .map(PathBuf::from)
                    .ok_or_else(|| usage("needs a value"))
            };
            match arg.to_str() {
                Some("--tests") => tests = Some(value()?),
                Some("--root") => root = value()?,
                Some(word @ ("check" | "todo" | "write")) if command.is_none() => {
                    command = Some(word.to_owned());
                }
                _ => return Err(usage("is not expected here")),
            }
        }
        let command = command.ok_or_else(|| format!("say what to do\n{USAGE}"))?;
        Ok(Self {
            command,
            tests,
            root,
        })
    }
}

/// The tests that prove each id: the name the runner gives a test, and its file.
type Proofs = BTreeMap<String, BTreeSet<(String, String)>>;

/// Everything known, judged.
struct Report {
    ledger: Ledger,
    proofs: Proofs,
    problems: Vec<String>,
    /// The page as it should be.
    page: String,
}

impl Report {
    /// Reads the workspace at `root` and the listing in `tests`; without one, asks the test runner.
    fn read(root: &Path, tests: Option<&Path>) -> Result<Self, String> {
        let data = root.join(DATA);
        let entries = parse(&data.display(), &text(&data)?)?;
        let claims = sources(root)?;
        let page = root.join(PAGE);
        let page = if page.exists() {
            text(&page)?
        } else {
            String::new()
        };
        let listing: Listing = match tests {
            Some(file) => parse(&file.display(), &text(file)?)?,
            None => parse(&LIST.join(" "), &list(root)?)?,
        };
        Ok(Self::new(Ledger::new(entries), &claims, &listing, &page))
    }

    /// Holds the data, the claims of the sources and the list of tests against each other.
    fn new(ledger: Ledger, claims: &[Claim], listing: &Listing, old_page: &str) -> Self {
        let mut proofs = Proofs::new();
        let mut problems = ledger.flaws.clone();
        for claim in claims {
            let Claim {
                path, file, line, ..
            } = claim;
            let binary = listing.binary(claim);
            if binary.is_none() || claim.ids.is_empty() {
                problems.push(format!(
                    "{file}:{line}: `proves!` in `{path}` names no id as a literal, or is not in a test that runs; \
                     move it into a `#[test]`, or list the tests afresh"
                ));
            }
            for id in &claim.ids {
                match ledger.requirements.get(id).map(|entry| entry.state.as_str()) {
                    None => problems.push(format!("{id:?}: no requirement has this id; correct `proves!` at {file}:{line}")),
                    Some("proven") => {}
                    Some(_) => problems.push(format!(
                        "{id}: named by the test at {file}:{line}, but its state in {DATA} is not proven; \
                         move it to proven, or take the id out of the test"
                    )),
                }
                let proof = binary.map(|binary| (format!("{binary} {path}"), file.clone()));
                proofs.entry(id.clone()).or_default().extend(proof);
            }
        }
        let page = page::render(&ledger, &proofs);
        let mut report = Self {
            ledger,
            proofs,
            problems,
            page,
        };
        let unproven = report.unproven().map(|id| {
            format!(
                "{id}: proven, says {DATA}, but no test that runs names it; \
                 put `testing::proves!(\"{id}\")` into the test that would fail without it, or change its state"
            )
        });
        let unproven: Vec<String> = unproven.collect();
        report.problems.extend(unproven);
        // Git may hand the page out with other line ends than ours; that is not staleness.
        if old_page.replace("\r\n", "\n") != report.page {
            let stale =
                format!("{PAGE}: stale; run `cargo run -p testing --bin requirements -- write`");
            report.problems.push(stale);
        }
        report
    }

    /// The proven ids that no test proves, in order.
    fn unproven(&self) -> impl Iterator<Item = &str> {
        let proven = self
            .ledger
            .requirements
            .values()
            .filter(|entry| entry.state == "proven");
        let ids = proven.map(|entry| entry.id.as_str());
        ids.filter(|id| self.proofs.get(*id).is_none_or(BTreeSet::is_empty))
    }

    fn check(&self, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        if self.problems.is_empty() {
            writeln!(out, "requirements: {}", self.summary())?;
            return Ok(FINE);
        }
        for problem in &self.problems {
            writeln!(err, "{problem}")?;
        }
        writeln!(
            err,
            "requirements: {} problems; {}",
            self.problems.len(),
            self.summary()
        )?;
        Ok(PROBLEMS)
    }

    /// What is left to prove, by document, with the words of each requirement.
    fn todo(&self, out: &mut dyn Write) -> io::Result<u8> {
        let todo: Vec<&str> = self.unproven().collect();
        for (index, (name, _)) in DOCUMENTS.iter().enumerate() {
            let ids: Vec<&&str> = todo
                .iter()
                .filter(|id| id.starts_with(&format!("S{index}-")))
                .collect();
            writeln!(out, "S{index} {name}: {} to prove", ids.len())?;
            for id in ids {
                let entry = &self.ledger.requirements[*id];
                writeln!(out, "  {id} {}: {}", entry.force, entry.text)?;
            }
        }
        writeln!(
            out,
            "requirements: {} to prove; {}",
            todo.len(),
            self.summary()
        )?;
        Ok(FINE)
    }

    /// Writes the page unless the data is unsound; what is unproven is marked there.
    fn write(&self, root: &Path, out: &mut dyn Write, err: &mut dyn Write) -> io::Result<u8> {
        if !self.ledger.flaws.is_empty() {
            for flaw in &self.ledger.flaws {
                writeln!(err, "{flaw}")?;
            }
            writeln!(
                err,
                "requirements: {PAGE} not written; put the data right first"
            )?;
            return Ok(PROBLEMS);
        }
        let path = root.join(PAGE);
        if let Err(error) = fs::write(&path, &self.page) {
            writeln!(err, "requirements: {}: {error}", path.display())?;
            return Ok(BAD_INPUT);
        }
        writeln!(out, "requirements: wrote {PAGE}; {}", self.summary())?;
        Ok(FINE)
    }

    fn summary(&self) -> String {
        let entries = &self.ledger.requirements;
        let [proven, waits, not_ours] = data::STATES.map(|state| {
            entries
                .values()
                .filter(|entry| entry.state == state)
                .count()
        });
        let tests: BTreeSet<_> = self.proofs.values().flatten().collect();
        format!(
            "{} ids: {proven} proven ({} without a test; {} tests), {waits} wait, {not_ours} not ours",
            entries.len(),
            self.unproven().count(),
            tests.len(),
        )
    }
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// JSON errors say line and column themselves.
fn parse<T: DeserializeOwned>(name: &dyn Display, text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{name}: {error}"))
}

/// Scans the sources and tests of every package.
fn sources(root: &Path) -> Result<Vec<Claim>, String> {
    let mut claims = Vec::new();
    // A root without crates is the wrong root; one without examples has none.
    let homes = PACKAGES.iter().map(|home| root.join(home));
    for home in homes.filter(|home| home.ends_with("crates") || home.is_dir()) {
        for package in entries(&home)? {
            for folder in ["src", "tests"].map(|top| package.join(top)) {
                if folder.is_dir() {
                    folder_sources(root, &folder, &mut claims)?;
                }
            }
        }
    }
    Ok(claims)
}

fn folder_sources(root: &Path, folder: &Path, claims: &mut Vec<Claim>) -> Result<(), String> {
    for path in entries(folder)? {
        if path.is_dir() {
            folder_sources(root, &path, claims)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            claims.extend(scan::claims(&parts.join("/"), &text(&path)?));
        }
    }
    Ok(())
}

/// The entries of a folder in the order of their names, so that output never depends on the file system.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let paths = fs::read_dir(folder).and_then(|read| {
        read.map(|entry| Ok(entry?.path()))
            .collect::<io::Result<Vec<_>>>()
    });
    let mut paths = paths.map_err(|error| format!("{}: {error}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

/// Asks the test runner; what it has to say about the build goes to our own stderr.
fn list(root: &Path) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(&cargo);
    command
        .args(&LIST[1..])
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    let output = command
        .output()
        .map_err(|error| format!("{}: {error}", cargo.display()))?;
    if !output.status.success() {
        return Err(format!(
            "{}: {}; see above, or pass --tests FILE",
            LIST.join(" "),
            output.status
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{}: {error}", LIST.join(" ")))
}

const LIST: [&str; 7] = [
    "cargo",
    "nextest",
    "list",
    "--workspace",
    "--all-features",
    "--message-format",
    "json",
];

const FINE: u8 = 0;
const PROBLEMS: u8 = 1;
const BAD_INPUT: u8 = 2;

const USAGE: &str = "\
usage: requirements check|todo|write [--tests FILE] [--root DIR]
  check   fail unless every id is accounted for and docs/requirements.md is fresh
  todo    list the proven ids that no test names yet
  write   write docs/requirements.md
  --tests FILE   the output of `cargo nextest list --workspace --message-format json`; without it that command is run
  --root DIR     the root of the workspace, by default the current directory";
