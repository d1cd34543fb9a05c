//! A server behind the gateway: where it is, and how calls to it are treated.

use std::path::PathBuf;
use std::time::Duration;

pub use breakfall::gate::TrustLevel;
use breakfall_mcp::process::MaskedWord;
use breakfall_mcp::timeouts::Timeouts;
use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json, json};

use super::cost::CostModel;
use super::gate::GateSettings;
use super::kinds::{defaulting, entries_from, flag, mapped, section};
use super::limits::MessageLimits;
use super::mask::{SECRET_KEYS, is_secret_key};
use super::numbers::duration_or_off;
use super::policies::{BreakerPolicy, ConcurrencyPolicy, RestartDelay, RetryPolicy};
use super::quota::QuotaUnit;
use super::reader::Reader;
use super::replies::{self, ReplySettings};
use super::schema::Definitions;
use super::secret::Secret;
use super::setting::{Kind, settings};
use super::source::{
    self, ResendOnLostSession, SOURCES, UpstreamCommand, UpstreamSource, UpstreamUrl,
};
use super::switch::{Switch, on_or_off};
use super::timeouts::{self, TimeoutSetting};
use super::tools::{ToolSettings, ToolTable, tools};
use super::tree::YamlNode;
use super::unused;
use super::usage::{self, UsageLimits};
use super::validation::{UnlistedTools, ValidationModes, validation};
use super::word::{word, word_of, words};

settings! {
    /// A server behind the gateway: a command to start, a URL, or an adapter.
    #[derive(Debug, Clone, PartialEq)]
    #[non_exhaustive]
    pub struct UpstreamSettings {
        /// What it is called: in messages, in logs, in front of the names of its tools.
        pub name: String = "demo".to_owned();
        /// Where it is.
        pub source: UpstreamSource = UpstreamSource::Demo, in source::settings;
        /// How far the server is trusted. `validated` unless it is an adapter, which is `untested`.
        pub trust: TrustLevel = TrustLevel::Validated => defaulting(word(), None);
        /// Whether `readOnlyHint` and `idempotentHint` of its tools are believed, for one thing only: whether a failed call may be made again.
        pub hints: HintTrust = HintTrust::Believe => word();
        /// How long to wait for an answer.
        pub timeouts: Timeouts = Timeouts::default(), in timeouts::settings;
        /// How often a call that failed is made again, and how soon. Only calls that were not carried out, or that are known to do no harm twice.
        pub retry: Option<RetryPolicy> = Some(RetryPolicy::default()) => on_or_off();
        /// When a tool that keeps failing is left alone for a while. Only failures of what is below it count, no errors of its own.
        pub breaker: Option<BreakerPolicy> = Some(BreakerPolicy::default()) => on_or_off();
        /// How many calls may be under way at once. `off`, which is the default: any number.
        pub concurrency: Option<ConcurrencyPolicy> = None => on_or_off();
        /// Whether clients of one era of the protocol are translated for a server of the other. If not, a client that speaks both eras finds out which one the server speaks, and speaks that.
        pub bridge: bool = true => flag();
        /// Whether calls and answers pass as they come: nothing is checked, repeated, judged or recorded, and only what the server does not answer is answered here.
        pub wire_only: bool = false => flag();
        /// How long to wait before starting the command again when it has ended.
        pub restart: RestartDelay = RestartDelay::default() => section();
        /// How long the command may be silent once a call has passed its deadline before it counts as stuck and is started again; it is asked for a sign of life before. `off`: never.
        pub stuck_after: Option<Duration> = Some(DEFAULT_STUCK_AFTER) => duration_or_off();
        /// What happens to calls that do not fit the schema of their tool, and to results: one word for all rules, or a word for each. `reject` refuses the call, `warn` lets it through and tells the caller, `strip` removes unknown parameters, `coerce` writes `"50"` as 50, `off` looks away.
        pub modes as "validate": ValidationModes = ValidationModes::default(), from |upstream| modes(ValidationModes::default_of(&upstream.source));
        /// What happens to the call of a tool that the server does not list.
        pub unlisted: UnlistedTools = UnlistedTools::Refuse => word();
        /// What is known about the tools, by name. In a name `*` stands for any characters; where several fit a tool, the more exact one has the last word.
        pub tools: ToolTable = ToolTable::default(), from |upstream| tools(upstream.of_tools());
        /// How failures are recognised and told.
        pub replies: ReplySettings = ReplySettings::default(), in replies::upstream_settings;
        /// How much of the server may be used.
        pub usage: UsageLimits = UsageLimits::default(), in usage::settings;
        /// How much of all servers together may be used.
        pub gateway_usage: UsageLimits = UsageLimits::default();
        /// The time zone whose calendar quotas follow.
        pub time_zone: TimeZone = TimeZone::UTC;
        /// How big and how deep its messages may be.
        pub limits: MessageLimits = MessageLimits::default();
        /// Which calls may be made.
        pub gate: GateSettings = GateSettings::default();
    }
    impl Section {
        fn check(&mut self, reader: &mut Reader<'_>) {
            if reader.given("trust").is_none() {
                self.trust = default_trust(&self.source);
            }
            if reader.given("validate").is_none() {
                self.modes = ValidationModes::default_of(&self.source);
            }
            check_name(reader);
            check_source(reader);
            self.check_tool_times(reader);
            self.check_costs(reader);
            unused::upstream(self, reader);
        }

        fn describe(schema: &mut Map<String, Json>) {
            let sources = SOURCES.iter().map(only);
            schema.insert("oneOf".to_owned(), sources.collect());
        }
    }
}

impl UpstreamSettings {
    /// The settings from which those of its tools start.
    fn of_tools(&self) -> ToolSettings {
        ToolSettings {
            retry: self.retry.map(Switch::On),
            breaker: self.breaker.map(Switch::On),
            concurrency: self.concurrency.map(Switch::On),
            ..ToolSettings::default()
        }
    }

    /// The times of tools fit the longest time of the server.
    fn check_tool_times(&self, reader: &mut Reader<'_>) {
        for (pattern, tool) in self.tools.iter() {
            let given =
                |key: &str, reader: &Reader<'_>| reader.given(&format!("tools.{pattern}.{key}"));
            if let Some(TimeoutSetting::Idle(idle)) = tool.timeout
                && idle > self.timeouts.total
                && let Some(position) = given("timeout", reader)
            {
                let problem = position.problem("this is longer than the max_timeout of the server");
                reader.report(problem.hint("raise max_timeout too"));
            }
            let timeouts = TimeoutSetting::replacing(tool.timeout, self.timeouts);
            if tool.slow.is_some_and(|slow| slow >= timeouts.total)
                && let Some(position) = given("slow", reader)
            {
                let problem = position.problem("no call takes this long: it is ended before");
                reader.report(problem.hint("write a shorter time, or wait longer"));
            }
        }
    }

    /// A quota counts costs only where a call costs something.
    fn check_costs(&self, reader: &mut Reader<'_>) {
        let of_tools = self.tools.iter();
        let of_tools =
            of_tools.map(|(pattern, tool)| (format!("tools.{pattern}.quotas"), &tool.usage));
        let all = of_tools.chain([("quotas".to_owned(), &self.usage)]);
        for (key, usage) in all {
            for (index, quota) in usage.quotas.iter().flat_map(|all| all.iter()).enumerate() {
                let is_counted = self.cost_models().any(|model| quota.counts_cost(model));
                if quota.metric.unit() == QuotaUnit::Cost
                    && !is_counted
                    && let Some(position) = reader.given(&format!("{key}[{index}]"))
                {
                    reader.report(quota.uncounted(&position));
                }
            }
        }
    }

    /// What calls of its tools may cost.
    pub(super) fn cost_models(&self) -> impl Iterator<Item = &CostModel> {
        let of_tools = self.tools.iter().map(|(_, tool)| &tool.usage);
        let all = [&self.gateway_usage, &self.usage]
            .into_iter()
            .chain(of_tools);
        all.filter_map(UsageLimits::cost)
    }

    /// Whether anything counts quotas.
    pub fn has_quotas(&self) -> bool {
        let of_tools = self.tools.iter().map(|(_, tool)| &tool.usage);
        let mut all = [&self.gateway_usage, &self.usage]
            .into_iter()
            .chain(of_tools);
        all.any(|usage| usage.quotas.as_ref().is_some_and(|all| !all.is_empty()))
    }

    /// What happens where a call or a result of one tool breaks a rule.
    pub fn modes_with(&self, tool: &str) -> ValidationModes {
        self.tools.modes(tool, self.modes)
    }

    /// How long to wait for one tool.
    ///
    /// ```
    /// use breakfall_gateway::config::UpstreamSettings;
    /// use breakfall_mcp::timeouts::Timeouts;
    ///
    /// assert_eq!(UpstreamSettings::demo().timeouts_with("search"), Timeouts::default());
    /// ```
    pub fn timeouts_with(&self, tool: &str) -> Timeouts {
        TimeoutSetting::replacing(self.tools.timeout(tool), self.timeouts)
    }
}

/// The servers behind the gateway, by name, which start from the same settings.
pub(super) fn upstreams(before: UpstreamSettings) -> impl Kind<Value = Vec<UpstreamSettings>> {
    let names = json!({
        "minProperties": 1,
        "propertyNames": {"pattern": NAME_PATTERN, "not": {"enum": SECRET_KEYS}},
    });
    let upstreams = entries_from(UpstreamKind, before);
    mapped(upstreams, names, |entries, reader| {
        if entries.is_empty() && !reader.failed_entry() {
            let problem = reader.here().key_problem(NO_UPSTREAM);
            reader.report(problem.hint(UPSTREAM_HINT));
        }
        let named = |(name, upstream): (String, UpstreamSettings)| upstream.with_name(name);
        Some(entries.into_iter().map(named).collect())
    })
}

/// The settings of a server, unless its name is that of a section with secrets which is not indented far enough: problems of
/// the settings would quote them.
struct UpstreamKind;

impl Kind for UpstreamKind {
    type Value = UpstreamSettings;

    fn read(
        &self,
        node: &YamlNode,
        before: Option<&UpstreamSettings>,
        reader: &mut Reader<'_>,
    ) -> Option<UpstreamSettings> {
        let name = reader.name();
        if is_secret_key(name) {
            let problem = format!("'{name}' is no name for an upstream: it is a key of one");
            let problem = reader.here().key_problem(problem);
            reader.report(problem.hint("indent it further, or give the upstream another name"));
            return None;
        }
        section().read(node, before, reader)
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        section::<UpstreamSettings>().schema(definitions)
    }
}

/// How long a server may be silent once a call has passed its deadline.
pub const DEFAULT_STUCK_AFTER: Duration = Duration::from_secs(30);

pub(super) const NO_UPSTREAM: &str = "no upstream is given";
pub(super) const UPSTREAM_HINT: &str = "name a server, for example: upstreams: { memory: { command: [npx, -y, \"@modelcontextprotocol/server-memory\"] } }";

/// The name of an upstream.
const NAME_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";

/// The same as the pattern.
fn check_name(reader: &mut Reader<'_>) {
    let name = reader.name();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.bytes().all(is_plain)
    {
        return;
    }
    let message = format!("'{name}' is no name for an upstream");
    let problem = reader.here().key_problem(message);
    reader.report(problem.hint(
        "a name starts with a letter or digit and has letters, digits, '-' and '_', up to 64 of them",
    ));
}

/// An upstream has exactly one source, and no keys of another one.
fn check_source(reader: &mut Reader<'_>) {
    let position = |key: &str| match key {
        // `demo: false` was reported already.
        "demo" => reader.given(key),
        _ => reader.present(key),
    };
    let present = SOURCES.iter();
    let present = present.filter_map(|(key, ..)| Some((*key, position(key)?)));
    let present: Vec<_> = present.collect();
    match present.as_slice() {
        [] => {
            if !SOURCES.iter().any(|(key, ..)| reader.failed(key)) {
                let problem = reader.here().key_problem("this upstream leads nowhere");
                reader.report(
                    problem.hint(
                        "give it a command or a url; `demo: true` is a shop to try things on",
                    ),
                );
            }
        }
        [(only, _)] => {
            let others = SOURCES.iter().filter(|(key, ..)| key != only);
            for (owner, key) in
                others.flat_map(|(owner, _, keys)| keys.iter().map(move |key| (owner, key)))
            {
                let Some(position) = reader.present(key) else {
                    continue;
                };
                let message =
                    format!("'{key}' belongs to '{owner}', and this upstream has '{only}'");
                reader.report(position.key_problem(message).hint("remove it"));
            }
        }
        [(first, one), (second, other), ..] => {
            let message = format!("an upstream has '{first}' or '{second}', not both");
            reader.report(
                other
                    .key_problem(message)
                    .beside(one.key.clone(), "the other one")
                    .hint("make two upstreams of it, or remove one"),
            );
        }
    }
}

/// The schema of an upstream with one source. A key without a value is the same as no key, so the type of its value is a
/// part of it.
fn only((key, types, _): &(&str, &[&str], &[&str])) -> Json {
    let others = SOURCES.iter().filter(|(other, ..)| other != key);
    let foreign = others.flat_map(|(other, _, keys)| keys.iter().chain([other]));
    let mut properties = json!({*key: {"type": types}});
    for key in foreign {
        properties[*key] = json!({"type": "null"});
    }
    json!({"required": [key], "properties": properties})
}

/// Overrides on top of modes.
fn modes(before: ValidationModes) -> impl Kind<Value = ValidationModes> {
    mapped(validation(), json!({}), move |overrides, _| {
        Some(overrides.over(before))
    })
}

word_of!(TrustLevel, "levels of trust");

words! {
    /// What the annotations of tools count for.
    HintTrust: "settings for hints" {
        /// A tool that says it only reads, or does no more when it is called twice, may be called twice.
        Believe = "believe",
        /// Only the operator's `idempotent` counts.
        Ignore = "ignore",
    }
}

/// The trust where none is set: servers count as tried out, descriptions of APIs do not.
fn default_trust(source: &UpstreamSource) -> TrustLevel {
    match source {
        UpstreamSource::Adapter(_) => TrustLevel::Untested,
        UpstreamSource::Command(_) | UpstreamSource::Url(_) | UpstreamSource::Demo => {
            TrustLevel::Validated
        }
    }
}

/// Servers that are configured in code.
impl UpstreamSettings {
    /// A program and its arguments. Its name is that of the file.
    pub fn command<W: Into<MaskedWord>>(
        program: impl Into<MaskedWord>,
        args: impl IntoIterator<Item = W>,
    ) -> Self {
        let program = program.into();
        let shown = program.to_string();
        let name = shown.rsplit('/').find(|part| !part.is_empty());
        let name = name.unwrap_or("server").to_owned();
        let args = args.into_iter().map(Into::into).collect();
        let source = UpstreamSource::Command(UpstreamCommand::new(program, args));
        Self::new(name, source)
    }

    /// A server that runs already. Its name is that of the host.
    ///
    /// ```
    /// use breakfall_gateway::config::{Secret, UpstreamSettings};
    ///
    /// let upstream = UpstreamSettings::url("https://mcp.example.test/mcp")
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
        let source = UpstreamSource::Url(UpstreamUrl {
            url,
            headers: Vec::new(),
            pass_authorization: false,
            ca: None,
            resend_on_lost_session: ResendOnLostSession::On,
        });
        Self::new(name, source)
    }

    /// The built-in demo.
    ///
    /// ```
    /// use breakfall_gateway::config::{UpstreamSource, UpstreamSettings};
    ///
    /// assert_eq!(UpstreamSettings::demo().source, UpstreamSource::Demo);
    /// ```
    pub fn demo() -> Self {
        Self::new("demo".to_owned(), UpstreamSource::Demo)
    }

    fn new(name: String, source: UpstreamSource) -> Self {
        Self {
            name,
            trust: default_trust(&source),
            modes: ValidationModes::default_of(&source),
            source,
            ..Self::default()
        }
    }

    /// Sets its name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Adds a variable to the environment of a command. A later value of the same name wins; other sources have no
    /// environment, and nothing changes.
    #[must_use]
    pub fn with_env(mut self, name: impl Into<String>, value: Secret) -> Self {
        if let UpstreamSource::Command(command) = &mut self.source {
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
        if let UpstreamSource::Url(remote) = &mut self.source {
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
        if let UpstreamSource::Url(remote) = &mut self.source {
            remote.ca = Some(file.into());
        }
        self
    }

    /// Sets the directory a command runs in.
    #[must_use]
    pub fn with_cwd(mut self, path: impl Into<PathBuf>) -> Self {
        if let UpstreamSource::Command(command) = &mut self.source {
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
        self.timeouts = Timeouts {
            idle,
            total: self.timeouts.total.max(idle),
        };
        self
    }

    /// Sets how long to wait in all. The time without a sign of life shrinks with it where it must.
    #[must_use]
    pub fn with_max_timeout(mut self, total: Duration) -> Self {
        self.timeouts = Timeouts {
            idle: self.timeouts.idle.min(total),
            total,
        };
        self
    }

    /// Sets how long to wait before starting it again, the first time and at most.
    #[must_use]
    pub fn with_restart(mut self, first: Duration, max: Duration) -> Self {
        self.restart = RestartDelay::new(first, max);
        self
    }

    /// Sets how big and how deep its messages may be.
    #[must_use]
    pub fn with_limits(mut self, limits: MessageLimits) -> Self {
        self.limits = limits;
        self
    }
}
