//! The file as written → what it means. Whatever does not fit is told, and the rest is looked at all the same.

mod address;
mod care;
mod keep;
mod replies;
mod rules;
mod service;
mod source;
mod upstream;
mod vain;

use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;

pub use address::{Listen, Store};

use super::file::{self, File};
use super::keep::Audit;
use super::limits::Limits;
use super::log::Log;
use super::problem::Problem;
use super::read::{At, Given, Reader};
use super::reference::without_defaults;
use super::reference::{Surroundings, Unresolved, join, resolve};
use super::secret::Secret;
use super::service::{DRAIN, Lost};
use super::units::show_size;
use super::{Config, Note};
use breakfall_mcp::process::MaskedWord;

/// Checks a file that could be read, maybe not all of it.
pub(super) struct Checker<'a> {
    pub(super) text: &'a str,
    /// Where relative paths start.
    pub(super) folder: &'a Path,
    pub(super) around: &'a dyn Surroundings,
    pub(super) reader: Reader,
    pub(super) notes: Vec<Note>,
}

impl Checker<'_> {
    /// What the file means, if there are no problems.
    pub(super) fn config(&mut self, file: &File) -> Config {
        let limits = self.limits(file.limits.as_ref());
        let replies = self.replies(file);
        let mut upstreams = Vec::new();
        match &file.upstreams {
            Some(given) if given.value.0.is_empty() && !self.reader.failed_below("upstreams") => {
                self.none(given.at.key_problem("no upstream is given"));
            }
            Some(given) => {
                for (name, given) in &given.value.0 {
                    upstreams.extend(self.upstream(name, given, limits, &replies));
                }
            }
            None if self.reader.failed("upstreams") => {}
            None => self.none(Problem::new("no upstream is given").at(0..0)),
        }
        let keys = self.keys(file.keys.as_ref());
        let listen = self.listen(file.listen.as_ref(), !keys.is_empty());
        let tls = self.tls(file.tls.as_ref());
        if !listen.is_loopback() && !keys.is_empty() && file.tls.is_none() {
            self.warn(format!(
                "listening at {listen} without 'tls' sends keys over the network as they are, and others on the way can read them"
            ));
        }
        self.keys_stay(file);
        self.fallbacks(file);
        self.vain(file);
        Config {
            listen,
            tls,
            keys,
            hosts: self.hosts(file.hosts.as_ref()),
            origins: self.origins(file.origins.as_ref()),
            sessions: self.sessions(file.sessions.as_ref()),
            drain: file.drain.as_ref().map_or(DRAIN, |given| given.value.0),
            separator: self.separator(file),
            lost_upstream: file
                .lost_upstream
                .as_ref()
                .map_or(Lost::Keep, |given| given.value.0),
            store: self.store(file.store.as_ref()),
            audit: file.audit.as_ref().map_or(Audit::On, |given| given.value.0),
            retention: self.retention(file.retention.as_ref()),
            replies,
            upstreams,
            limits,
            log: log(file.log.as_ref()),
            notes: Vec::new(),
        }
    }

    fn none(&mut self, problem: Problem) {
        self.add(problem.hint("name a server, for example: upstreams: { memory: { command: [npx, -y, \"@modelcontextprotocol/server-memory\"] } }"));
    }

    fn limits(&mut self, given: Option<&Given<file::Limits>>) -> Limits {
        let mut limits = Limits::default();
        let Some(given) = given else {
            return limits;
        };
        let table = &given.value;
        for (given, limit) in [
            (&table.request, &mut limits.request),
            (&table.response, &mut limits.response),
        ] {
            let Some(given) = given else { continue };
            let fits = SIZES.contains(&given.value.0);
            match usize::try_from(given.value.0) {
                Ok(size) if fits => *limit = size,
                _ => {
                    let (least, most) = (show_size(*SIZES.start()), show_size(*SIZES.end()));
                    let problem = given.at.problem("this limit is out of bounds");
                    self.add(problem.hint(format!("it is between {least} and {most}")));
                }
            }
        }
        if let Some(given) = &table.depth {
            match usize::try_from(given.value.0) {
                Ok(depth) if (1..=MAX_DEPTH).contains(&depth) => limits.depth = depth,
                _ => {
                    let problem = given.at.problem("this limit is out of bounds");
                    self.add(problem.hint(format!("it is between 1 and {MAX_DEPTH}")));
                }
            }
        }
        limits
    }

    fn add(&mut self, problem: Problem) {
        self.reader.problems.push(problem);
    }

    fn warn(&mut self, text: String) {
        self.notes.push(Note::warning(text));
    }

    /// A text with its references replaced, shown as written.
    fn word(&mut self, at: &At, text: &str) -> Option<MaskedWord> {
        let (value, any) = self.resolved(at, text, false)?;
        if value.contains('\0') {
            self.add(at.problem("a text with a NUL character cannot be passed on"));
            return None;
        }
        Some(if any {
            MaskedWord::standing_for(without_defaults(text), value)
        } else {
            MaskedWord::from(OsString::from(value))
        })
    }

    /// A text with its references replaced, never shown.
    fn secret(&mut self, at: &At, text: &str) -> Option<Secret> {
        let (value, _) = self.resolved(at, text, true)?;
        if value.contains('\0') {
            self.add(at.problem("a text with a NUL character cannot be passed on"));
            return None;
        }
        Some(Secret::new(value))
    }

    fn path(&mut self, at: &At, text: &str) -> Option<std::path::PathBuf> {
        if text.is_empty() {
            self.add(at.problem("the path is empty"));
            return None;
        }
        let word = self.word(at, text)?;
        Some(join(self.folder, word.reveal_str().unwrap_or_default()))
    }

    fn resolved(&mut self, at: &At, text: &str, secret: bool) -> Option<(String, bool)> {
        match resolve(text, self.folder, self.around) {
            Ok(resolved) => Some(resolved),
            Err(problems) => {
                for problem in problems {
                    let span = self.part(&at.span, &problem.part);
                    let (what, hint) = words(problem, secret);
                    self.add(at.problem(what).at(span).hint(hint));
                }
                None
            }
        }
    }

    /// Where a part of a value stands, if it stands there as it is.
    fn part(&self, span: &Range<usize>, part: &str) -> Range<usize> {
        let whole = self.text.get(span.clone()).unwrap_or_default();
        match whole.find(part) {
            Some(at) => span.start + at..span.start + at + part.len(),
            None => span.clone(),
        }
    }
}

/// What is wrong with a reference; of a secret, without a word of it.
fn words(problem: Unresolved, secret: bool) -> (String, String) {
    if secret && problem.quotes {
        if problem.part.starts_with("${") {
            return (
                "a reference without the name of a variable".to_owned(),
                problem.hint,
            );
        }
        let what = "a '$' that starts no reference".to_owned();
        return (
            what,
            "write $$ for a dollar, and ${NAME} for a variable".to_owned(),
        );
    }
    (problem.what, problem.hint)
}

fn log(given: Option<&Given<file::Log>>) -> Log {
    let mut log = Log::default();
    if let Some(Given { value, .. }) = given {
        log.level = value
            .level
            .as_ref()
            .map_or(log.level, |given| given.value.0);
        log.format = value
            .format
            .as_ref()
            .map_or(log.format, |given| given.value.0);
    }
    log
}

/// Limits of a message that make sense.
const SIZES: std::ops::RangeInclusive<u64> = (1 << 10)..=(1 << 30);

/// What the parser of JSON goes into.
const MAX_DEPTH: usize = 128;
