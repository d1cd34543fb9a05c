//! A server behind the gateway, as meant: where it is, and how patient to be with it.

use breakfall_mcp::timeouts::Timeouts;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;
use std::time::Duration;

use breakfall::disclose::{Audience, Redactor};

use super::care::Timeout;
use super::limits::Limits;
use super::policy::{Quota, Tools, Trust};
use super::replies::Replies;
use super::secret::Secret;
use super::units::show_duration;
use super::validation::{Modes, Unlisted};
use crate::resilience::{breaker, bulkhead, retry};
use breakfall_mcp::process::MaskedWord;

/// A server behind the gateway, everything decided.
///
/// ```
/// use std::time::Duration;
/// use breakfall_gateway::config::{Secret, Upstream};
///
/// let upstream = Upstream::command("npx", ["-y", "@modelcontextprotocol/server-memory"])
///     .with_env("MEMORY_FILE_PATH", Secret::new("/tmp/memory.json"))
///     .with_timeout(Duration::from_secs(30));
/// assert_eq!(upstream.name, "npx");
/// assert_eq!(upstream.patience.idle, Duration::from_secs(30));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Upstream {
    /// What it is called: in messages, in logs, in front of the names of its tools.
    pub name: String,
    /// Where it is.
    pub source: Source,
    /// How long to wait for an answer.
    pub patience: Timeouts,
    /// How often a call that failed is made again, if ever.
    pub retry: Option<retry::RetryPolicy>,
    /// When a tool that keeps failing is left alone, if ever.
    pub breaker: Option<breaker::BreakerPolicy>,
    /// How many calls may be under way at once, if there is an end to them.
    pub concurrency: Option<bulkhead::BulkheadPolicy>,
    /// Whether clients of one era of the protocol are translated for a server of the other.
    pub bridge: bool,
    /// Whether calls and answers pass as they come.
    pub wire_only: bool,
    /// How long to wait before starting it again.
    pub restart: Restart,
    /// How big and how deep its messages may be.
    pub limits: Limits,
    /// How far it is trusted.
    pub trust: Trust,
    /// What happens where a call or a result breaks a rule of its tool's schema.
    pub modes: Modes,
    /// What happens to calls of tools it does not list.
    pub unlisted: Unlisted,
    /// What is known about its tools.
    pub tools: Tools,
    /// How much of it may be used.
    pub quotas: Vec<Quota>,
    /// How its failures are recognised and told.
    pub replies: Replies,
}

/// Where a server is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Source {
    /// A program we start and speak to over its standard streams.
    Command(Command),
    /// A server somebody else runs, over HTTP.
    Url(Remote),
    /// A REST API, described in a file.
    Adapter(PathBuf),
    /// The built-in demo, in this process.
    Demo,
}

/// A program, and what it is started with.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Command {
    /// A path, or a name to look for in `PATH`.
    pub program: MaskedWord,
    /// Its arguments.
    pub args: Vec<MaskedWord>,
    /// Variables added to the environment we run in ourselves.
    pub env: Vec<(String, Secret)>,
    /// The directory it runs in; ours without one.
    pub cwd: Option<PathBuf>,
}

/// A server over HTTP.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Remote {
    /// Its address.
    pub url: MaskedWord,
    /// Headers of every request.
    pub headers: Vec<(String, Secret)>,
    /// Whether the client's own `Authorization` goes on to it, and its demand for one comes back.
    pub pass_authorization: bool,
    /// Certificates to trust beside those of this machine, in PEM.
    pub ca: Option<PathBuf>,
}

/// How long to wait before starting a server again: twice as long each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a pair of times")]
pub struct Restart {
    /// The first time.
    pub first: Duration,
    /// At most.
    pub max: Duration,
}

impl Upstream {
    /// A program and its arguments. Its name is that of the file.
    pub fn command<W: Into<MaskedWord>>(
        program: impl Into<MaskedWord>,
        args: impl IntoIterator<Item = W>,
    ) -> Self {
        let program = program.into();
        let shown = program.to_string();
        let name = shown.rsplit('/').find(|part| !part.is_empty());
        let name = name.unwrap_or("server").to_owned();
        let source = Source::Command(Command {
            program,
            args: args.into_iter().map(Into::into).collect(),
            env: Vec::new(),
            cwd: None,
        });
        Self::new(name, source)
    }

    /// A server somebody else runs. Its name is that of the host.
    ///
    /// ```
    /// use breakfall_gateway::config::{Secret, Upstream};
    ///
    /// let upstream = Upstream::url("https://mcp.example.test/mcp")
    ///     .with_header("Authorization", Secret::new("Bearer s3cr3t"));
    /// assert_eq!(upstream.name, "mcp.example.test");
    /// assert_eq!(upstream.source.to_string(), "https://mcp.example.test/mcp");
    /// ```
    pub fn url(url: impl Into<MaskedWord>) -> Self {
        let url = url.into();
        let shown = url.to_string();
        let host = shown.split_once("://").map_or(&*shown, |(_, rest)| rest);
        let host = host.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        let name = if host.is_empty() { "server" } else { host };
        let name = name.to_owned();
        let source = Source::Url(Remote {
            url,
            headers: Vec::new(),
            pass_authorization: false,
            ca: None,
        });
        Self::new(name, source)
    }

    /// The built-in demo.
    ///
    /// ```
    /// use breakfall_gateway::config::{Source, Upstream};
    ///
    /// assert_eq!(Upstream::demo().source, Source::Demo);
    /// ```
    pub fn demo() -> Self {
        Self::new("demo".to_owned(), Source::Demo)
    }

    pub(super) fn new(name: String, source: Source) -> Self {
        Self {
            name,
            trust: Trust::default_of(&source),
            modes: Modes::default_of(&source),
            unlisted: Unlisted::Refuse,
            source,
            patience: Timeouts::default(),
            retry: Some(retry::RetryPolicy::default()),
            breaker: Some(breaker::BreakerPolicy::default()),
            concurrency: None,
            bridge: true,
            wire_only: false,
            restart: Restart::default(),
            limits: Limits::default(),
            tools: Tools::default(),
            quotas: Vec::new(),
            replies: Replies::default(),
        }
    }

    /// Calls it something else.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Adds a variable to the environment of a command. A later value of the same name wins; other sources have no
    /// environment, and nothing changes.
    #[must_use]
    pub fn with_env(mut self, name: impl Into<String>, value: Secret) -> Self {
        if let Source::Command(command) = &mut self.source {
            let name = name.into();
            command.env.retain(|(other, _)| *other != name);
            command.env.push((name, value));
        }
        self
    }

    /// Adds a header to every request to a server over HTTP. A later value of the same name wins; other sources have no
    /// headers, and nothing changes.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, value: Secret) -> Self {
        if let Source::Url(remote) = &mut self.source {
            let name = name.into();
            let headers = &mut remote.headers;
            headers.retain(|(other, _)| !other.eq_ignore_ascii_case(&name));
            headers.push((name, value));
        }
        self
    }

    /// Trusts certificates of a file, in PEM, beside those of this machine. Only servers over HTTP have certificates; with
    /// other sources nothing changes.
    #[must_use]
    pub fn with_ca(mut self, file: impl Into<PathBuf>) -> Self {
        if let Source::Url(remote) = &mut self.source {
            remote.ca = Some(file.into());
        }
        self
    }

    /// Sets the directory a command runs in.
    #[must_use]
    pub fn with_cwd(mut self, path: impl Into<PathBuf>) -> Self {
        if let Source::Command(command) = &mut self.source {
            command.cwd = Some(path.into());
        }
        self
    }

    /// Lets calls and answers pass as they come, or not.
    #[must_use]
    pub fn with_wire_only(mut self, wire_only: bool) -> Self {
        self.wire_only = wire_only;
        self
    }

    /// Sets how long to wait without a sign of life. The total grows with it where it must.
    #[must_use]
    pub fn with_timeout(mut self, idle: Duration) -> Self {
        self.patience = Timeouts {
            idle,
            total: self.patience.total.max(idle),
        };
        self
    }

    /// Sets how long to wait in all. The time without a sign of life shrinks with it where it must.
    #[must_use]
    pub fn with_max_timeout(mut self, total: Duration) -> Self {
        self.patience = Timeouts {
            idle: self.patience.idle.min(total),
            total,
        };
        self
    }

    /// Sets how long to wait before starting it again, the first time and at most.
    #[must_use]
    pub fn with_restart(mut self, first: Duration, max: Duration) -> Self {
        self.restart = Restart {
            first,
            max: max.max(first),
        };
        self
    }

    /// Sets how big and how deep its messages may be.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What happens where a call or a result of one tool breaks a rule.
    pub fn modes_with(&self, tool: &str) -> Modes {
        self.tools.modes(tool, self.modes)
    }

    /// How long to wait for one tool.
    ///
    /// ```
    /// use breakfall_gateway::config::Upstream;
    /// use breakfall_mcp::timeouts::Timeouts;
    ///
    /// assert_eq!(Upstream::demo().patience_with("search"), Timeouts::default());
    /// ```
    pub fn patience_with(&self, tool: &str) -> Timeouts {
        Timeout::replacing(self.tools.timeout(tool), self.patience)
    }
}

impl Default for Restart {
    /// A tenth of a second, and half a minute at most.
    fn default() -> Self {
        Self {
            first: Duration::from_millis(100),
            max: Duration::from_secs(30),
        }
    }
}

impl Display for Source {
    /// In one line, without secrets.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(command) => Display::fmt(command, f),
            Self::Url(remote) => Display::fmt(&remote.url, f),
            Self::Adapter(file) => write!(f, "adapter {}", file.display()),
            Self::Demo => f.write_str("the built-in demo"),
        }
    }
}

impl Display for Command {
    /// The program and its arguments, quoted where a shell would need it, without credentials.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, word) in self.shown().iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            quote(word, f)?;
        }
        Ok(())
    }
}

impl Command {
    /// The program and its arguments as they may be shown: references as they were written, no credentials.
    ///
    /// ```
    /// use breakfall_gateway::config::{Source, Upstream};
    ///
    /// let upstream = Upstream::command("db", ["--password", "hunter2", "a b"]);
    /// let Source::Command(command) = upstream.source else { unreachable!() };
    /// assert_eq!(command.shown(), ["db", "--password", "[redacted:password]", "a b"]);
    /// ```
    pub fn shown(&self) -> Vec<String> {
        let mut before = self.program.to_string();
        let mut words = vec![before.clone()];
        for word in &self.args {
            words.push(masked(&before, word));
            before = word.to_string();
        }
        words
    }
}

/// An argument without the credential in it, which the one before may give a name: `--password …`. A reference is none.
fn masked(before: &str, word: &MaskedWord) -> String {
    let shown = word.to_string();
    if word.is_reference() {
        return shown;
    }
    let redactor = Redactor::new(Audience::Operator);
    let alone = redactor.text(&shown).into_owned();
    if alone != shown {
        return alone;
    }
    let pair = format!("{before} {shown}");
    let clean = redactor.text(&pair);
    let rest = clean
        .strip_prefix(before)
        .and_then(|rest| rest.strip_prefix(' '));
    rest.map_or(shown, str::to_owned)
}

fn quote(word: &str, f: &mut Formatter<'_>) -> fmt::Result {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,${}[]".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        f.write_str(word)
    } else {
        write!(f, "'{}'", word.replace('\'', "'\\''"))
    }
}

/// Timeouts, for people.
pub fn show_timeouts(timeouts: Timeouts) -> String {
    let (idle, total) = (show_duration(timeouts.idle), show_duration(timeouts.total));
    format!("{idle} without progress, {total} in all")
}

impl Display for Restart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (first, max) = (show_duration(self.first), show_duration(self.max));
        write!(f, "after {first}, then twice as long up to {max}")
    }
}
