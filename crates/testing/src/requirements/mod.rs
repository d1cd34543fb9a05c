//! Traceability: every requirement of the source documents, and the tests that prove it.
//!
//! The data (`docs/requirements.json`) says of each id whether it is `proven`, `waits` for a capability, or is
//! `not-ours`. A test names the ids it proves with [`proves!`](crate::proves). This tool holds the two against the
//! tests that really run, and writes `docs/requirements.md` from them. The owners an entry can wait for are a closed
//! list: classify, disclose, locale, server, gateway, limits, adapters, checker, console (`data.rs`).
//!
//! Exit codes: 0 all is well, 1 problems (each on stderr with what to do), 2 the input cannot be read.

mod data;
mod ids;
mod input;
mod judge;
mod lex;
mod list;
mod page;
mod problem;
mod scan;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use data::{Ledger, State};
use ids::DOCUMENTS;
use input::{BadInput, Input};
use judge::{Proofs, judge, unproven};
use page::PAGE;
use problem::Problem;

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
    let result = Arguments::parse(args).and_then(|arguments| {
        let input = Input::read(&arguments.root, arguments.tests.as_deref())?;
        Ok((arguments, input))
    });
    match result {
        Ok((arguments, input)) => {
            let report = Report::new(input);
            match arguments.command {
                Command::Check => report.check(out, err),
                Command::Todo => report.todo(out),
                Command::Write => report.write(&arguments.root, out, err),
            }
        }
        Err(BadInput(message)) => {
            writeln!(err, "requirements: {message}")?;
            Ok(BAD_INPUT)
        }
    }
}

struct Arguments {
    command: Command,
    tests: Option<PathBuf>,
    root: PathBuf,
}

#[derive(Clone, Copy)]
enum Command {
    Check,
    Todo,
    Write,
}

impl Arguments {
    fn parse(mut args: impl Iterator<Item = OsString>) -> Result<Self, BadInput> {
        let mut command = None;
        let mut tests = None;
        let mut root = PathBuf::from(".");
        while let Some(arg) = args.next() {
            let mut value = || {
                args.next()
                    .map(PathBuf::from)
                    .ok_or_else(|| usage(&arg, "needs a value"))
            };
            match arg.to_str() {
                Some("--tests") => tests = Some(value()?),
                Some("--root") => root = value()?,
                Some("check") if command.is_none() => command = Some(Command::Check),
                Some("todo") if command.is_none() => command = Some(Command::Todo),
                Some("write") if command.is_none() => command = Some(Command::Write),
                _ => return Err(usage(&arg, "is not expected here")),
            }
        }
        let command = command.ok_or_else(|| BadInput(format!("say what to do\n{USAGE}")))?;
        Ok(Self {
            command,
            tests,
            root,
        })
    }
}

fn usage(arg: &OsString, what: &str) -> BadInput {
    BadInput(format!("{:?} {what}\n{USAGE}", arg.to_string_lossy()))
}

/// Everything known, judged.
struct Report {
    ledger: Ledger,
    proofs: Proofs,
    problems: Vec<Problem>,
    /// The page as it should be.
    page: String,
}

impl Report {
    fn new(input: Input) -> Self {
        let ledger = Ledger::new(input.raws);
        let (proofs, found) = judge(&ledger, &input.scan, &input.listing);
        let page = page::render(&ledger, &proofs);
        let mut problems: Vec<Problem> = ledger.flaws.iter().cloned().map(Problem::Entry).collect();
        problems.extend(found);
        // Git may hand the page out with other line ends than ours; that is not staleness.
        if input
            .page
            .is_none_or(|old| old.replace("\r\n", "\n") != page)
        {
            problems.push(Problem::Stale);
        }
        Self {
            ledger,
            proofs,
            problems,
            page,
        }
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
        let todo: Vec<_> = unproven(&self.ledger, &self.proofs).collect();
        for (index, document) in DOCUMENTS.iter().enumerate() {
            let ids = || todo.iter().filter(|id| id.document() == index);
            writeln!(
                out,
                "S{index} {}: {} to prove",
                document.name,
                ids().count()
            )?;
            for id in ids() {
                let requirement = &self.ledger.requirements[id];
                writeln!(out, "  {id} {}: {}", requirement.force, requirement.text)?;
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
        if let Err(error) = std::fs::write(&path, &self.page) {
            writeln!(err, "requirements: {}: {error}", path.display())?;
            return Ok(BAD_INPUT);
        }
        writeln!(out, "requirements: wrote {PAGE}; {}", self.summary())?;
        Ok(FINE)
    }

    fn summary(&self) -> String {
        let count = |wanted: fn(&State) -> bool| {
            self.ledger
                .requirements
                .values()
                .filter(|requirement| wanted(&requirement.state))
                .count()
        };
        let tests: std::collections::BTreeSet<_> = self.proofs.values().flatten().collect();
        format!(
            "{} ids: {} proven ({} without a test; {} tests), {} wait, {} not ours",
            self.ledger.requirements.len(),
            count(|state| *state == State::Proven),
            unproven(&self.ledger, &self.proofs).count(),
            tests.len(),
            count(|state| matches!(state, State::Waits { .. })),
            count(|state| matches!(state, State::NotOurs { .. })),
        )
    }
}

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
