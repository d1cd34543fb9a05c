//! The configuration: a file as written → [`Config`].
//!
//! ```text
//! bytes ──► text        mod.rs       size, encoding
//!       ──► tree        yaml.rs      every value knows its place
//!       ──► Config      reader.rs    read, checked, references replaced, defaults kept
//! ```
//!
//! Reading does not stop at the first problem: each one is kept with its place, and all are reported at once.
//!
//! # Adding a setting
//!
//! 1. A field in a `settings!` section: its text, type, default and kind. From it follow the reading,
//!    the checks of its kind, the JSON Schema and the keys that a typo is compared with. The sections:
//!
//!    | file | section |
//!    |---|---|
//!    | `mod.rs` | the top of the file |
//!    | `upstream.rs`, `source.rs`, `timeouts.rs` | an upstream |
//!    | `tools.rs` | the tools of an upstream; a setting that an upstream has too is merged in `ToolTable::policy` |
//!    | `policies.rs` | retry, circuit breaker, concurrency limit, restart |
//!    | `usage.rs`, `rate.rs`, `quota.rs`, `cost.rs`, `time_zone.rs` | rate limits, quotas, what a call costs |
//!    | `validation.rs` | the rules of `validate` |
//!    | `replies.rs`, `codes.rs` | error formats, own codes, classification rules |
//!    | `service.rs`, `address.rs` | certificate, keys, sessions, names; addresses, URLs, stores |
//!    | `gate.rs` | which calls may be made |
//!    | `limits.rs`, `log.rs`, `retention.rs` | message sizes, log, retention |
//!
//! 2. A new kind of value, if none of `kinds.rs`, `numbers.rs` and `word.rs` fits: a function that returns a `Kind`, mostly `mapped`.
//! 3. A check between settings: `check` of the section. An effect that another setting takes away: `unused.rs`.
//! 4. `schemas/config.json` (`./check bless`), the key in `docs/configuration.md`, a line in `CHANGELOG.md`, a case in
//!    `tests/it/config/`.
//! 5. Its use: the field of the [`Config`] that the gateway is started from.

mod address;
mod codes;
mod cost;
mod gate;
mod kinds;
mod limits;
mod log;
mod mask;
mod mask_lines;
mod names;
mod notes;
mod numbers;
mod pattern;
mod policies;
mod problem;
mod quota;
mod rate;
mod read_file;
mod reader;
mod reference;
mod replies;
mod report;
mod retention;
mod schema;
mod secret;
mod service;
mod setting;
mod source;
mod switch;
mod syntax;
#[cfg(test)]
mod tests;
mod time_zone;
mod timeouts;
mod tools;
mod tree;
mod units;
mod unused;
mod upstream;
mod usage;
mod validation;
mod word;
mod yaml;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::time::Duration;

use breakfall::suggest::nearest;
use breakfall_mcp::http_server::SessionLimits;

use jiff::tz::TimeZone;
use kinds::{defaulting, list, optional, section};
use mask::MaskCollector;
use reader::{Position, Reader, listed};
use setting::{keys, settings};
use units::show_size;
use word::word;

pub use address::{ListenAddress, StoreLocation};
pub use breakfall_mcp::process::MaskedWord;
pub use cost::CostModel;
pub use gate::{ConfirmMethod, ConfirmSettings, GateMode, GateSettings, TrustPolicySettings};
pub use limits::MessageLimits;
pub use log::{LogFormat, LogLevel, LogSettings};
pub use names::{NameConflict, UpstreamNames};
pub use notes::ConfigNote;
pub use pattern::ToolPattern;
pub use policies::{BreakerPolicy, ConcurrencyPolicy, RestartDelay, RetryPolicy};
pub use problem::{ConfigError, ConfigProblem, TextSpan};
pub use quota::{Quota, QuotaMetric, QuotaPeriod, QuotaUnit};
pub use rate::{CountedBy, RateLimit, RateWindow};
pub use reference::{Environment, ProcessEnvironment};
pub use replies::{Redaction, ReplySettings};
pub use retention::{AuditTrail, Retention, RetentionLimit};
pub use schema::schema;
pub use secret::Secret;
pub use service::{ClientKey, LostUpstream, TlsFiles, show_sessions};
pub use source::{
    COMMON_VARIABLES, InheritedEnv, ResendOnLostSession, UpstreamCommand, UpstreamSource,
    UpstreamUrl,
};
pub use switch::Switch;
pub use timeouts::{TimeoutClass, TimeoutSetting, show_timeouts};
pub use tools::{DangerLevel, FallbackTool, ToolSettings, ToolTable};
pub use units::{MAX_TIME, duration};
pub use upstream::{DEFAULT_STUCK_AFTER, HintTrust, TrustLevel, UpstreamSettings};
pub use usage::{LimitScope, ToolUsage, UsageLimits};
pub use validation::{
    UnlistedTools, ValidationMode, ValidationModes, ValidationOverrides, ValidationRule,
};

settings! {
    /// The configuration of Breakfall.
    #[derive(Debug, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct Config {
        /// The address clients reach the gateway at, as `HOST:PORT`. Other machines reach it only if the host is not a loopback address.
        pub listen: ListenAddress = ListenAddress::default() => address::listen_address();
        /// The certificate of the gateway. With it clients use `https://`.
        pub tls: Option<TlsFiles> = None => optional(section());
        /// Who may come in: names of clients, and the key each sends as `Authorization: Bearer KEY`. A key has 16 characters or more; references like `${NAME}` and `${file:PATH}` keep it out of this file.
        pub keys: Vec<ClientKey> = Vec::new() => service::client_keys();
        /// Names clients reach the gateway by, `NAME` or `NAME:PORT`, beside addresses and the names of this machine itself. Others are refused, because a web page can make a browser believe that its own name leads here.
        pub hosts: Vec<String> = Vec::new() => list(address::host());
        /// Web pages whose scripts may call the gateway, as `https://NAME`, beside those of this machine.
        pub origins: Vec<String> = Vec::new() => list(address::origin());
        /// How many sessions clients may have.
        pub sessions: SessionLimits = SessionLimits::default() => section();
        /// How long calls that are under way may take when the gateway ends.
        pub drain: Duration = Duration::from_secs(30) => numbers::duration();
        /// Where state is kept: `memory` (gone with the process), `sqlite` (a file in the user's state directory), or `sqlite:FILE`.
        pub store: StoreLocation = StoreLocation::default() => address::store();
        /// Whether every call leaves an entry in the audit trail of the store.
        pub audit: AuditTrail = AuditTrail::On => word();
        /// How much is kept of the past.
        pub retention: Retention = Retention::default() => section();
        /// How failures are recognised and told.
        pub replies: ReplySettings = ReplySettings::default(), in replies::settings;
        /// How big and how deep messages may be.
        pub limits: MessageLimits = MessageLimits::default() => section();
        /// How much of all servers together may be used.
        pub usage: UsageLimits = UsageLimits::default(), in usage::settings;
        /// The time zone whose calendar quotas follow, by its name in the tz database: their days and months begin at its midnight.
        pub time_zone: TimeZone = TimeZone::UTC => defaulting(time_zone::time_zone(), Some("UTC".into()));
        /// What is done about dangerous calls: `strict` has destructive calls and worse confirmed, `matrix` follows the literal table of trust and danger, `report` lets all calls through and only shows their danger.
        pub gate: GateMode = GateMode::Strict => word();
        /// What is asked of servers beyond the table of trust and danger.
        pub trust_policy: TrustPolicySettings = TrustPolicySettings::default() => section();
        /// How calls are confirmed, by their danger.
        pub confirm: ConfirmSettings = ConfirmSettings::default() => section();
        /// The servers behind the gateway, by name. A name has letters, digits, `-` and `_`, and stands in front of the names of the server's tools.
        pub upstreams: Vec<UpstreamSettings> = Vec::new(), from |config| upstream::upstreams(config.of_upstreams());
        /// What stands between the name of a server and that of its tool where all are served as one, `/mcp`.
        pub separator: String = UpstreamNames::SEPARATOR.to_owned() => service::separator();
        /// What happens to the tools of a server that is lost where all are served as one: they are kept and said to be unavailable, or they are hidden.
        pub lost_upstream: LostUpstream = LostUpstream::Keep => word();
        /// What the gateway says about itself, on standard error.
        pub log: LogSettings = LogSettings::default() => section();
        /// What the operator should know about the file.
        pub notes: Vec<ConfigNote> = Vec::new();
    }
    impl Section {
        const REQUIRED: &'static [&'static str] = &["upstreams"];

        fn missing(_: &str, position: &Position) -> ConfigProblem {
            let problem = position.key_problem(upstream::NO_UPSTREAM);
            problem.hint(upstream::UPSTREAM_HINT)
        }

        fn check(&mut self, reader: &mut Reader<'_>) {
            self.check_listen(reader);
            self.check_unread(reader);
            self.check_passed_keys(reader);
            self.check_names(reader);
            self.check_fallbacks(reader);
            self.check_costs(reader);
            unused::config(self, reader);
        }
    }
}

/// Checks between settings.
impl Config {
    /// The settings from which those of upstreams start.
    fn of_upstreams(&self) -> UpstreamSettings {
        UpstreamSettings {
            replies: self.replies.clone(),
            limits: self.limits,
            gateway_usage: self.usage.clone(),
            time_zone: self.time_zone.clone(),
            gate: GateSettings {
                mode: self.gate,
                trust_policy: self.trust_policy,
            },
            ..UpstreamSettings::default()
        }
    }

    fn check_listen(&self, reader: &mut Reader<'_>) {
        let listen = &self.listen;
        if listen.is_loopback() {
            return;
        }
        if self.keys.is_empty() {
            reader.warn(format!(
                "listening at {listen} lets other machines call every tool; 127.0.0.1 keeps it to this one, and with 'keys' only those come in that have one"
            ));
        } else if reader.present("tls").is_none() {
            reader.warn(format!(
                "listening at {listen} without 'tls' sends keys over the network as they are, and others on the way can read them"
            ));
        }
    }

    /// A quota counts costs only where a call costs something.
    fn check_costs(&self, reader: &mut Reader<'_>) {
        let quotas = self.usage.quotas.iter().flat_map(|all| all.iter());
        for (index, quota) in quotas.enumerate() {
            let mut models = self
                .upstreams
                .iter()
                .flat_map(UpstreamSettings::cost_models);
            let is_counted = models.any(|model| quota.counts_cost(model));
            if quota.metric.unit() == QuotaUnit::Cost && !is_counted {
                let position = reader
                    .given(&format!("quotas[{index}]"))
                    .unwrap_or_default();
                reader.report(quota.uncounted(&position));
            }
        }
    }

    /// One answer alone must not exceed the budget of all: it would close every client.
    fn check_unread(&self, reader: &mut Reader<'_>) {
        let (unread, response) = (self.sessions.unread, self.limits.response);
        let keys = ["sessions.unread", "limits.response"];
        if unread >= response || keys.iter().any(|key| reader.failed(key)) {
            return;
        }
        let position = keys.iter().find_map(|key| reader.given(key));
        let problem = position.unwrap_or_default().problem(format!(
            "sessions.unread is smaller than limits.response: {} and {}",
            show_size(unread as u64),
            show_size(response as u64)
        ));
        reader.report(problem.hint(
            "raise sessions.unread or lower limits.response: an answer of that size would close every client",
        ));
    }

    /// The keys of clients are for the gateway alone.
    fn check_passed_keys(&self, reader: &mut Reader<'_>) {
        let Some(keys) = reader.present("keys") else {
            return;
        };
        for upstream in &self.upstreams {
            let UpstreamSource::Url(UpstreamUrl {
                pass_authorization: true,
                ..
            }) = upstream.source
            else {
                continue;
            };
            let path = format!("upstreams.{}.pass_authorization", upstream.name);
            let problem = reader.given(&path).unwrap_or_default().key_problem(
                "this would send the keys of clients to the server: both stand in the header Authorization",
            );
            reader.report(
                problem
                    .beside(keys.key.clone(), "the keys")
                    .hint("give the server a header of its own under 'headers', or remove 'keys'"),
            );
        }
    }

    /// Tools of two servers never have the same name.
    fn check_names(&self, reader: &mut Reader<'_>) {
        let upstreams = self.upstreams.iter().map(|upstream| &*upstream.name);
        let names = UpstreamNames::unchecked(upstreams, &self.separator);
        for NameConflict(first, second) in names.conflicts() {
            let [name, other] = [second, first].map(|index| &*self.upstreams[index].name);
            let [position, beside] = [name, other].map(|name| {
                reader
                    .given(&format!("upstreams.{name}"))
                    .unwrap_or_default()
            });
            let prefix = names.prefix(first);
            let problem = position.key_problem(format!(
                "a tool of '{other}' could have the same name as one of '{name}': both begin with '{prefix}'"
            ));
            reader.report(
                problem
                    .beside(beside.key, "the other one")
                    .hint("rename one of them, or set another separator"),
            );
        }
    }

    /// The servers of fallback tools exist.
    fn check_fallbacks(&self, reader: &mut Reader<'_>) {
        let names = self.upstreams.iter().map(|upstream| &*upstream.name);
        let names: BTreeSet<&str> = names.collect();
        for upstream in &self.upstreams {
            for (pattern, tool) in upstream.tools.iter() {
                let fallback = tool.fallback_tool.as_ref();
                let Some(other) = fallback.and_then(|fallback| fallback.upstream.as_deref()) else {
                    continue;
                };
                // One that could not be read was reported.
                let is_known = names.contains(other)
                    || reader.present(&format!("upstreams.{other}")).is_some();
                let path = format!(
                    "upstreams.{}.tools.{pattern}.fallback_tool.upstream",
                    upstream.name
                );
                let Some(position) = reader.given(&path).filter(|_| !is_known) else {
                    continue;
                };
                let problem = position.problem(format!("there is no upstream '{other}'"));
                let problem = match nearest(other, names.iter().copied()) {
                    Some(nearest) => problem.label(format!("did you mean '{nearest}'?")),
                    None => problem,
                };
                let shown: Vec<&str> = names.iter().copied().take(MAX_NAMES_SHOWN).collect();
                reader.report(problem.hint(format!("the upstreams here are {}", listed(&shown))));
            }
        }
    }
}

const MAX_NAMES_SHOWN: usize = 10;

/// Reading a file.
impl Config {
    /// Reads and checks a file.
    ///
    /// # Errors
    ///
    /// All that is wrong with it: that it cannot be read, or each problem in it with its place.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ConfigError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = read(path).map_err(|problem| ConfigError::unread(&name, *problem))?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Self::from_bytes(&bytes, &name, folder, &ProcessEnvironment)
    }

    /// Checks a text. Its name is for messages, and relative paths start at its directory, if it has one.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn parse(text: &str, name: &str) -> Result<Self, ConfigError> {
        Self::parse_with(text, name, &ProcessEnvironment)
    }

    /// Checks a text that refers to something else than this machine.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn parse_with(
        text: &str,
        name: &str,
        environment: &dyn Environment,
    ) -> Result<Self, ConfigError> {
        Self::from_slice(text.as_bytes(), name, environment)
    }

    /// Checks bytes that may not even be a text.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn from_slice(
        bytes: &[u8],
        name: &str,
        environment: &dyn Environment,
    ) -> Result<Self, ConfigError> {
        let folder = Path::new(name).parent().unwrap_or_else(|| Path::new(""));
        Self::from_bytes(bytes, name, folder, environment)
    }

    fn from_bytes(
        bytes: &[u8],
        name: &str,
        folder: &Path,
        environment: &dyn Environment,
    ) -> Result<Self, ConfigError> {
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(ConfigError::unread(name, too_large()));
        }
        let text = decode(bytes, name)?;
        let parsed = yaml::parse(text);
        let Some(root) = parsed.root else {
            if parsed.problems.is_empty() {
                return Err(ConfigError::unread(name, empty()));
            }
            let known = [keys::<Self>(), keys::<UpstreamSettings>()].concat();
            let masks = mask_lines::unparsed(text, &known);
            return Err(ConfigError::new(name, text, parsed.problems).masking(&masks));
        };
        if root.is_null() && parsed.problems.is_empty() {
            return Err(ConfigError::unread(name, empty()));
        }
        let mut reader = Reader::new(text, folder, environment);
        reader.problems = parsed.problems;
        reader.hidden = parsed.hidden;
        reader.missing = parsed.missing;
        let config = if reader.missing.has(&root.span) {
            None
        } else {
            reader.section(&root, Self::default())
        };
        match config {
            Some(mut config) if reader.problems.is_empty() => {
                config.withhold(&reader.variables);
                config.notes = reader.notes;
                Ok(config)
            }
            _ => {
                let masks = MaskCollector::secrets_in(text, &parsed.aliased, &root);
                let masks = [masks, reader.hidden].concat();
                Err(ConfigError::new(name, text, reader.problems).masking(&masks))
            }
        }
    }

    /// Withholds from each command the variables that only other parts of the configuration refer to.
    fn withhold(&mut self, references: &[(String, String)]) {
        for upstream in &mut self.upstreams {
            let own = format!("upstreams.{}.", upstream.name);
            let (own, others): (Vec<_>, Vec<_>) = references
                .iter()
                .partition(|(path, _)| path.starts_with(&own));
            if let UpstreamSource::Command(command) = &mut upstream.source {
                let is_own = |name: &str| own.iter().any(|(_, other)| other == name);
                let others = others.iter().map(|(_, name)| name);
                let withheld = others.filter(|name| !is_own(name)).cloned();
                command.withhold(withheld);
            }
        }
    }

    /// The upstream of a name.
    pub fn upstream(&self, name: &str) -> Option<&UpstreamSettings> {
        self.upstreams.iter().find(|upstream| upstream.name == name)
    }
}

impl From<UpstreamSettings> for Config {
    /// One server, and everything else as it is without a file.
    fn from(upstream: UpstreamSettings) -> Self {
        Self {
            replies: upstream.replies.clone(),
            limits: upstream.limits,
            upstreams: vec![upstream],
            ..Self::default()
        }
    }
}

/// The largest file, in bytes. One of a thousand servers has a tenth of it.
const MAX_FILE_BYTES: u64 = 1 << 20;

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the other kinds have one remedy"
)]
fn read(path: &Path) -> Result<Vec<u8>, Box<ConfigProblem>> {
    match read_file::read(path, MAX_FILE_BYTES + 1) {
        Ok(bytes) => Ok(bytes),
        Err(error) => {
            let problem = ConfigProblem::new(format!(
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

fn too_large() -> ConfigProblem {
    let problem = ConfigProblem::new(format!(
        "the file is larger than {} MiB",
        MAX_FILE_BYTES >> 20
    ));
    problem.hint("is it the right one? A configuration has a few lines for each server")
}

fn empty() -> ConfigProblem {
    let problem = ConfigProblem::new("the file is empty");
    problem.hint("name a server, for example: upstreams: { memory: { command: [npx, -y, \"@modelcontextprotocol/server-memory\"] } }")
}

/// Bytes as text, without the mark some editors put in front.
fn decode<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str, ConfigError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        let problem = ConfigProblem::new("the file is UTF-16");
        return Err(ConfigError::unread(name, problem.hint("save it as UTF-8")));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let problem = ConfigProblem::new("the file is not UTF-8").at(at..at);
        let problem = problem
            .label("the first byte that is none")
            .hint("save it as UTF-8");
        // Only what is before it can be shown, and only as far as its place needs.
        let before = String::from_utf8_lossy(&bytes[..at]).into_owned();
        let line = before.rfind('\n').map_or(0, |at| at + 1)..before.len();
        ConfigError::new(name, &before, vec![problem]).masking(&[line])
    })?;
    if text.trim().is_empty() {
        return Err(ConfigError::unread(name, empty()));
    }
    Ok(text)
}
