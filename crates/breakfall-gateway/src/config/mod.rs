//! The configuration: a file as written → what it means.
//!
//! ```text
//! bytes ──► text        mod.rs       size, encoding
//!       ──► tree        yaml.rs      every value knows its place
//!       ──► tables      file.rs      as written: keys, kinds, units; the words of the schema
//!       ──► Config      check/       as meant: references replaced, defaults filled in, what fits with what
//! ```
//!
//! Nothing stops at the first problem: each step keeps what is wrong and goes on with the rest, so whoever wrote the file
//! hears of everything at once.

mod care;
mod check;
mod file;
mod keep;
mod kinds;
mod limits;
mod log;
mod mask;
mod names;
mod patient;
mod pending;
mod policy;
mod problem;
mod read;
mod reference;
mod render;
mod replies;
mod row;
mod schema;
mod secret;
mod service;
mod syntax;
#[cfg(test)]
mod tests;
mod tree;
mod units;
mod upstream;
mod validate;
mod validation;
mod yaml;

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use breakfall_mcp::http_server::SessionLimits;
pub use breakfall_mcp::process::MaskedWord;
pub use care::{Fallback, Switch, Timeout};
pub use check::{Listen, Store};
pub use keep::{Audit, Keep, Retention};
pub use limits::Limits;
pub use log::{Format, Level, Log};
pub use names::{Clash, Names};
pub use policy::{Danger, Metric, Pattern, Policy, Quota, Tools, Trust};
pub use problem::{Place, Problem, Problems};
pub use reference::{Machine, Surroundings};
pub use replies::Replies;
pub use schema::schema;
pub use secret::Secret;
pub use service::{Key, Lost, Tls, show_sessions};
pub use units::{LONGEST_TIME, duration};
pub use upstream::{Command, Remote, Restart, Source, Upstream, show_timeouts};
pub use validation::{Mode, Modes, Rule, Unlisted, Validation};

use check::Checker;
use read::Reader;

/// What a gateway is told to do, everything decided.
///
/// ```
/// use breakfall_gateway::config::Config;
///
/// let config = Config::parse("upstreams: { memory: { command: npx, timeout: 30s } }", "my.yaml")?;
/// assert_eq!(config.upstreams[0].name, "memory");
/// assert_eq!(config.listen.to_string(), "127.0.0.1:7332");
/// # Ok::<(), breakfall_gateway::config::Problems>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Config {
    /// The address clients reach it at.
    pub listen: Listen,
    /// How it proves who it is; nothing is encrypted without it.
    pub tls: Option<Tls>,
    /// Who may come in. Without any, everybody who reaches it.
    pub keys: Vec<Key>,
    /// Names clients may reach it by beside those of this machine, in lower case: `name` or `name:port`.
    pub hosts: Vec<String>,
    /// Web pages whose scripts may call it beside those of this machine, as browsers write them.
    pub origins: Vec<String>,
    /// How many sessions there may be, and for how long.
    pub sessions: SessionLimits,
    /// How long calls that are under way may take when it ends.
    pub drain: Duration,
    /// What stands between the name of a server and that of its tool, where several are served as one.
    pub separator: String,
    /// What happens there to the tools of a server that is lost.
    pub lost_upstream: Lost,
    /// Where state is kept.
    pub store: Store,
    /// Whether every call leaves an entry in the audit trail.
    pub audit: Audit,
    /// How much is kept of the past.
    pub retention: Retention,
    /// How failures are recognised and told.
    pub replies: Replies,
    /// The servers behind it, in the order of the file.
    pub upstreams: Vec<Upstream>,
    /// How big and how deep messages may be.
    pub limits: Limits,
    /// What it says about itself.
    pub log: Log,
    /// What whoever wrote the file should know.
    pub notes: Vec<Note>,
}

impl Config {
    /// Reads and checks a file.
    ///
    /// # Errors
    ///
    /// All that is wrong with it: that it cannot be read, or each problem in it with its place.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Problems> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = read_file(path).map_err(|problem| Problems::unread(&name, *problem))?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Self::from_bytes(&bytes, &name, folder, &Machine)
    }

    /// Checks a text. Its name is for messages, and relative paths start at its directory, if it has one.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn parse(text: &str, name: &str) -> Result<Self, Problems> {
        Self::parse_with(text, name, &Machine)
    }

    /// Checks a text that refers to something else than this machine.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn parse_with(text: &str, name: &str, around: &dyn Surroundings) -> Result<Self, Problems> {
        Self::from_slice(text.as_bytes(), name, around)
    }

    /// Checks bytes that may not even be a text.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn from_slice(
        bytes: &[u8],
        name: &str,
        around: &dyn Surroundings,
    ) -> Result<Self, Problems> {
        let folder = Path::new(name).parent().unwrap_or_else(|| Path::new(""));
        Self::from_bytes(bytes, name, folder, around)
    }

    fn from_bytes(
        bytes: &[u8],
        name: &str,
        folder: &Path,
        around: &dyn Surroundings,
    ) -> Result<Self, Problems> {
        if bytes.len() as u64 > MAX_FILE {
            return Err(Problems::unread(name, too_large()));
        }
        let text = decode(bytes, name)?;
        let parsed = yaml::parse(text);
        let Some(root) = parsed.root else {
            if parsed.problems.is_empty() {
                return Err(Problems::unread(name, empty()));
            }
            let masks = mask::lines(text, &parsed.problems, &parsed.stopped_in);
            return Err(Problems::new(name, text, parsed.problems).masking(&masks));
        };
        if root.is_null() && parsed.problems.is_empty() {
            return Err(Problems::unread(name, empty()));
        }
        let mut checker = Checker {
            text,
            folder,
            around,
            reader: Reader::default(),
            notes: Vec::new(),
        };
        checker.reader.problems = parsed.problems;
        checker.reader.hidden = parsed.hidden;
        let is_missing = parsed.missing.has(&root.span);
        checker.reader.missing = parsed.missing;
        let file: Option<file::File> = (!is_missing)
            .then(|| read::Read::read(&root, &mut checker.reader))
            .flatten();
        let config = file.map(|file| checker.config(&file));
        let Checker {
            mut notes, reader, ..
        } = checker;
        match config {
            Some(mut config) if reader.problems.is_empty() => {
                notes.extend(pending::note(&root, text));
                config.notes = notes;
                Ok(config)
            }
            _ => {
                let masks = mask::secrets(&root, reader.hidden);
                Err(Problems::new(name, text, reader.problems).masking(&masks))
            }
        }
    }

    /// The upstream of a name.
    pub fn upstream(&self, name: &str) -> Option<&Upstream> {
        self.upstreams.iter().find(|upstream| upstream.name == name)
    }
}

impl From<Upstream> for Config {
    /// One server, and everything else as it is without a file.
    fn from(upstream: Upstream) -> Self {
        Self {
            listen: Listen::default(),
            tls: None,
            keys: Vec::new(),
            hosts: Vec::new(),
            origins: Vec::new(),
            sessions: SessionLimits::default(),
            drain: service::DRAIN,
            separator: Names::SEPARATOR.to_owned(),
            lost_upstream: Lost::Keep,
            store: Store::default(),
            audit: Audit::On,
            retention: Retention::default(),
            replies: upstream.replies.clone(),
            limits: upstream.limits,
            upstreams: vec![upstream],
            log: Log::default(),
            notes: Vec::new(),
        }
    }
}

/// Something to know about a configuration that is no problem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Note {
    /// `note` or `warning`.
    pub label: &'static str,
    /// What it is.
    pub text: String,
}

impl Note {
    fn warning(text: String) -> Self {
        let label = "warning";
        Self { label, text }
    }

    fn unused(text: String) -> Self {
        let label = "note";
        Self { label, text }
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.label, self.text)
    }
}

/// The largest file, in bytes. One of a thousand servers has a tenth of it.
const MAX_FILE: u64 = 1 << 20;

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other kinds have one remedy"
)]
fn read_file(path: &Path) -> Result<Vec<u8>, Box<Problem>> {
    match patient::read(path, MAX_FILE + 1) {
        Ok(bytes) => Ok(bytes),
        Err(error) => {
            let problem = Problem::new(format!(
                "cannot read the file: {}",
                reference::reason(&error)
            ));
            let hint = match error.kind() {
                io::ErrorKind::NotFound => {
                    "name the file, or make one: `breakfall config schema` has its keys"
                }
                io::ErrorKind::IsADirectory => "name the file in it, for example breakfall.yaml",
                io::ErrorKind::PermissionDenied => "let the user who runs breakfall read it",
                _ => "name another file",
            };
            Err(Box::new(problem.hint(hint)))
        }
    }
}

fn too_large() -> Problem {
    let problem = Problem::new(format!("the file is larger than {} MiB", MAX_FILE >> 20));
    problem.hint("is it the right one? A configuration has a few lines for each server")
}

fn empty() -> Problem {
    let problem = Problem::new("the file is empty");
    problem.hint("name a server, for example: upstreams: { memory: { command: [npx, -y, \"@modelcontextprotocol/server-memory\"] } }")
}

/// Bytes as text, without the mark some editors put in front.
fn decode<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, Problems> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let problem = Problem::new("the file is UTF-16");
        return Err(Problems::unread(name, problem.hint("save it as UTF-8")));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let problem = Problem::new("the file is not UTF-8").at(at..at);
        let problem = problem
            .label("the first byte that is none")
            .hint("save it as UTF-8");
        // Only what is before it can be shown, and only as far as its place needs.
        let before = String::from_utf8_lossy(&bytes[..at]).into_owned();
        let line = before.rfind('\n').map_or(0, |at| at + 1)..before.len();
        Problems::new(name, &before, vec![problem]).masking(&[line])
    })?;
    if text.trim().is_empty() {
        return Err(Problems::unread(name, empty()));
    }
    Ok(text)
}
