//! The file as written. The comments on its keys are the documentation editors show: they are the schema's words.

use std::borrow::Cow;

use breakfall::locale::Language;
use breakfall::wire::{Dialect, Format as Blocks};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::care::Switch;
use super::keep::Audit;
use super::kinds::{Amount, Choice, Count, Example, List, Map, One, Plain, Size, Time, Wait};
use super::log::{Format, Level};
use super::names::Names;
use super::policy::{Danger, Metric, Trust};
use super::read::{Given, Read, Reader, in_place, table};
use super::row::Row;
use super::service::Lost;
use super::tree::{Node, Value};
use super::validate::Validate;
use super::validation::{Mode, Unlisted};

table! {
    /// The configuration of Breakfall.
    #[schemars(extend("required" = ["upstreams"]))]
    File {
        /// The address clients reach the gateway at, as `HOST:PORT`. Other machines reach it only if the host is not a loopback address.
        #[schemars(with = "Option<String>", extend("default" = "127.0.0.1:7332"))]
        listen: Plain,

        /// The certificate of the gateway. With it clients use `https://`.
        tls: Tls,

        /// Who may come in: names of clients, and the key each sends as `Authorization: Bearer KEY`. A key has 16 characters or more; references like `${NAME}` and `${file:PATH}` keep it out of this file.
        #[schemars(extend("minProperties" = 1, "propertyNames" = {"pattern": PRINCIPAL_PATTERN}))]
        keys: Map<Plain>,

        /// Names clients reach the gateway by, `NAME` or `NAME:PORT`, beside addresses and the names of this machine itself. Others are refused, because a web page can make a browser believe that its own name leads here.
        hosts: List<Plain>,

        /// Web pages whose scripts may call the gateway, as `https://NAME`, beside those of this machine.
        origins: List<Plain>,

        /// How many sessions clients may have.
        sessions: Sessions,

        /// How long calls that are under way may take when the gateway ends.
        #[schemars(extend("default" = "30s"))]
        drain: Time,

        /// Where state is kept: `memory` (gone with the process), `sqlite` (a file in the user's state directory), `sqlite:FILE`, or `redis://HOST` for several gateways that share it.
        #[schemars(extend("default" = "sqlite", "examples" = ["memory", "sqlite", "sqlite:/var/lib/breakfall/state.db", "redis://127.0.0.1:6379"]))]
        store: String,

        /// Whether every call leaves an entry in the audit trail of the store.
        #[schemars(extend("default" = "on"))]
        audit: One<Audit>,

        /// How much is kept of the past.
        retention: Retention,

        /// The wire format of errors.
        #[schemars(extend("default" = "native"))]
        dialect: One<Dialect>,

        /// Which blocks `tool-error` writes: words, the object, or both.
        #[schemars(extend("default" = "markdown"))]
        format: One<Blocks>,

        /// Whether a wire format is held to the letter of its own document, without anything of ours beside it.
        #[schemars(extend("default" = false))]
        strict: bool,

        /// The language of errors for callers who ask for none.
        #[schemars(extend("default" = "en"))]
        locale: One<Language>,

        /// How much of a server's own error text is passed on. A longer one is cut, and says so.
        #[schemars(extend("default" = "64KiB"))]
        error_text_limit: Size,

        /// Whether failures that call themselves successes are told as what they are.
        #[schemars(extend("default" = true))]
        unmask: bool,

        /// Codes of your own, by name: upper-case words joined by underscores.
        #[schemars(extend("propertyNames" = {"pattern": CODE_PATTERN}))]
        codes: Map<Row>,

        /// Rules by which failures are recognised in words, by name: your own, which come first, and `off` for a rule that is built in.
        #[schemars(extend("propertyNames" = {"pattern": RULE_PATTERN}))]
        classify: Map<Switch<Phrases>>,

        /// The servers behind the gateway, by name. A name has letters, digits, `-` and `_`, and stands in front of the names of the server's tools.
        #[schemars(extend("minProperties" = 1, "propertyNames" = {"pattern": NAME_PATTERN}))]
        upstreams: Map<Upstream>,

        /// What stands between the name of a server and that of its tool where all are served as one, `/mcp`.
        #[schemars(extend("default" = Names::SEPARATOR, "pattern" = SEPARATOR_PATTERN))]
        separator: String,

        /// What happens to the tools of a server that is lost where all are served as one: they are kept and said to be unavailable, or they are hidden.
        #[schemars(extend("default" = "keep"))]
        lost_upstream: One<Lost>,

        /// How big and how deep messages may be.
        limits: Limits,

        /// What the gateway says about itself, on standard error.
        log: Log,
    }
}

/// What a code may be called.
const CODE_PATTERN: &str = "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$";

/// What a rule may be called.
const RULE_PATTERN: &str = "^[a-z0-9-]+([.][a-z0-9-]+)*$";

/// What a client may be called.
const PRINCIPAL_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$";

/// What every client takes in the name of a tool, and no name needs itself.
const SEPARATOR_PATTERN: &str = "^[_-]{1,8}$";

table! {
    /// The certificate of the gateway.
    #[schemars(extend("required" = ["cert", "key"]))]
    Tls {
        /// The chain of certificates, a file in PEM. A relative path starts at the directory of this file; a file that changes is read again.
        #[schemars(extend("minLength" = 1))]
        cert: String,

        /// The private key, a file in PEM. A relative path starts at the directory of this file.
        #[schemars(extend("minLength" = 1))]
        key: String,
    }
}

table! {
    /// How many sessions clients may have. A server that is a command is started for each.
    Sessions {
        /// At the same time.
        #[schemars(extend("default" = 1000, "minimum" = 1, "maximum" = 100_000))]
        max: Count,

        /// How long one is kept without a request.
        #[schemars(extend("default" = "30m"))]
        idle: Time,
    }
}

table! {
    /// How much is kept of the past. Whatever is beyond one of these goes.
    Retention {
        /// How many reports on failures, for `breakfall explain ID`.
        #[schemars(extend("default" = 10_000, "minimum" = 1, "maximum" = MAX_KEPT))]
        count: Count,

        /// How old they may be.
        #[schemars(extend("default" = "7d"))]
        age: Time,

        /// How many entries of the audit trail.
        #[schemars(extend("default" = 100_000, "minimum" = 1, "maximum" = MAX_KEPT))]
        audit_count: Count,

        /// How old they may be.
        #[schemars(extend("default" = "30d"))]
        audit_age: Time,
    }
}

/// As many as anybody has a disk for.
pub(super) const MAX_KEPT: u64 = 100_000_000;

/// What an upstream may be called.
pub(super) const NAME_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$";

table! {
    /// A server behind the gateway: a command to start, a URL, or an adapter.
    #[schemars(transform = exactly_one)]
    Upstream {
        /// The program to start: its name or path, or a list of it and its arguments. It speaks MCP over its standard input and output.
        #[schemars(extend("examples" = [["npx", "-y", "@modelcontextprotocol/server-filesystem", "."]]))]
        command: Command,

        /// Arguments of the command, after those that stand in `command` itself.
        args: List<Plain>,

        /// Variables of the command's environment, beside those Breakfall runs with itself.
        env: Map<Plain>,

        /// The directory the command runs in. A relative path starts at the directory of this file.
        #[schemars(extend("minLength" = 1))]
        cwd: String,

        /// The address of a server that runs already, over HTTP.
        #[schemars(extend("pattern" = URL_PATTERN))]
        url: String,

        /// Headers of every request to the URL.
        headers: Map<Plain>,

        /// Whether the `Authorization` of a client goes on to the server, and the server's demand for one comes back. Only for a server that expects the very tokens your clients have.
        #[schemars(extend("default" = false))]
        pass_authorization: bool,

        /// Certificates to trust beside those of this machine when the URL is `https://`, a file in PEM. A relative path starts at the directory of this file.
        #[schemars(extend("minLength" = 1))]
        ca: String,

        /// The description of a REST API, a Markdown file with YAML. A relative path starts at the directory of this file.
        #[schemars(extend("minLength" = 1))]
        adapter: String,

        /// The built-in demo: a small shop that shows every kind of error.
        #[schemars(extend("enum" = [true, null]))]
        demo: bool,

        /// How far the server is trusted. `validated` unless it is an adapter, which is `untested`.
        trust: One<Trust>,

        /// How long to wait for an answer without a sign of life; progress starts it anew. Or a class, which says how long in all, too: `fast` (5s, 10s in all), `medium` (30s, 1m), `slow` (2m, 5m) or `background` (10m, 1h).
        #[schemars(extend("default" = "5m"))]
        timeout: Wait,

        /// How long to wait for an answer in all, whatever progress there is.
        #[schemars(extend("default" = "30m"))]
        max_timeout: Time,

        /// How often a call that failed is made again, and how soon. Only calls that were not carried out, or that are known to do no harm twice.
        retry: Switch<Retry>,

        /// When a tool that keeps failing is left alone for a while. Only failures of what is below it count, no errors of its own.
        breaker: Switch<Breaker>,

        /// How many calls may be under way at once. `off`, which is the default: any number.
        concurrency: Switch<Concurrency>,

        /// Whether clients of one era of the protocol are translated for a server of the other. If not, a client that speaks both eras finds out which one the server speaks, and speaks that.
        #[schemars(extend("default" = true))]
        bridge: bool,

        /// Whether calls and answers pass as they come: nothing is checked, repeated, judged or recorded, and only what the server does not answer is answered here.
        #[schemars(extend("default" = false))]
        wire_only: bool,

        /// How long to wait before starting the command again when it has ended.
        restart: Restart,

        /// What happens to calls that do not fit the schema of their tool, and to results: one word for all rules, or a word for each. `reject` refuses the call, `warn` lets it through and tells the caller, `strip` removes unknown parameters, `coerce` writes `"50"` as 50, `off` looks away.
        validate: Validate,

        /// What happens to the call of a tool that the server does not list.
        #[schemars(extend("default" = "refuse"))]
        unlisted: One<Unlisted>,

        /// What is known about the tools, by name. In a name `*` stands for any characters; where several fit a tool, the more exact one has the last word.
        tools: Map<Tool>,

        /// The wire format of the server's errors, in place of that for all.
        dialect: One<Dialect>,

        /// Which blocks `tool-error` writes, in place of those for all.
        format: One<Blocks>,

        /// Whether the wire format is held to the letter, in place of what holds for all.
        strict: bool,

        /// Whether failures that call themselves successes are told as what they are, in place of what holds for all.
        unmask: bool,

        /// Whether callers may choose the blocks of an error by an argument `format`: then every tool that has no such argument of its own lists it, and the server does not get it.
        #[schemars(extend("default" = false))]
        format_argument: bool,

        /// How much of the server may be used.
        quotas: List<Quota>,
    }
}

/// What a URL starts with. A reference may stand for any part of it.
const URL_PATTERN: &str = r"^https?://|\$\{";

/// An upstream is one thing, with the keys that go with it and none of the others'. Nothing is the same as no key, so
/// the kind of value is part of it.
fn exactly_one(schema: &mut Schema) {
    let sources: [(&str, &[&str], &[&str]); 4] = [
        (
            "command",
            &["string", "array"],
            &["args", "env", "cwd", "restart"],
        ),
        ("url", &["string"], &["headers", "pass_authorization", "ca"]),
        ("adapter", &["string"], &[]),
        ("demo", &["boolean"], &[]),
    ];
    let one = |(key, kinds, _): (&str, &[&str], &[&str])| {
        let others = sources.iter().filter(|(other, ..)| *other != key);
        let foreign = others.flat_map(|(other, _, theirs)| theirs.iter().chain([other]));
        let mut properties = serde_json::json!({key: {"type": kinds}});
        for key in foreign {
            properties[*key] = serde_json::json!({"type": "null"});
        }
        serde_json::json!({"required": [key], "properties": properties})
    };
    let sources: Vec<_> = sources.into_iter().map(one).collect();
    schema.insert("oneOf".to_owned(), sources.into());
}

table! {
    /// How long to wait before starting a command again: twice as long each time.
    Restart {
        /// The first time.
        #[schemars(extend("default" = "100ms"))]
        first: Time,

        /// At most.
        #[schemars(extend("default" = "30s"))]
        max: Time,
    }
}

table! {
    /// What is known about tools. What is left out is taken from the tool's own annotations.
    Tool {
        /// How dangerous a call is. Together with the trust in the server it decides whether a human must confirm.
        danger: One<Danger>,

        /// Why it is dangerous, in words for whoever has to confirm.
        reasons: List<String>,

        /// Whether calling it twice does no more than calling it once, so that a failed call may be repeated.
        idempotent: bool,

        /// How long to wait for an answer without a sign of life, in place of the server's `timeout`; or a class: `fast`, `medium`, `slow` or `background`.
        timeout: Wait,

        /// How often a call that failed is made again, in place of the server's `retry`.
        retry: Switch<Retry>,

        /// When the tool is left alone, in place of the server's `breaker`.
        breaker: Switch<Breaker>,

        /// How many calls of each of these tools may be under way at once. They then take no places of the others; `off`: they are not counted.
        concurrency: Switch<Concurrency>,

        /// The tool callers are told to use when this one is left alone: its name, or the name of another server and of its tool.
        fallback_tool: Fallback,

        /// What happens to calls that do not fit the schema, in place of what the server's `validate` says.
        validate: Validate,

        /// What happens to the call if the server does not list the tool, in place of the server's `unlisted`.
        unlisted: One<Unlisted>,

        /// The tool to use instead, or what to do in words, for a tool that should not be called any more. Successes carry it as a warning.
        #[schemars(extend("minLength" = 1))]
        deprecated: String,

        /// How long a call may take before its success carries a warning.
        slow: Time,

        /// The wire format of errors, in place of the server's.
        dialect: One<Dialect>,

        /// Which blocks `tool-error` writes, in place of the server's.
        format: One<Blocks>,

        /// Whether the wire format is held to the letter, in place of what holds for the server.
        strict: bool,

        /// Parameters a user can correct, ids above all: where what they name is not there or is not clear, the user is asked.
        ask: List<String>,
    }
}

table! {
    /// How often a call that failed is made again, and how soon.
    Retry {
        /// How often a call is made at most, the first time included.
        #[schemars(extend("default" = 3, "minimum" = 1, "maximum" = 10))]
        attempts: Count,

        /// The longest pause before the second attempt; twice as long before each one after that. How much of it is chance.
        #[schemars(extend("default" = "100ms"))]
        base: Time,

        /// The longest pause there is.
        #[schemars(extend("default" = "5s"))]
        cap: Time,

        /// The longest pause a server may ask for. If it asks for more, the caller is told.
        #[schemars(extend("default" = "10s"))]
        max_wait: Time,
    }
}

impl Example for Retry {
    const EXAMPLE: &'static str = "{ attempts: 3, base: 100ms, cap: 5s, max_wait: 10s }";
}

table! {
    /// When a tool that keeps failing is left alone.
    Breaker {
        /// The share of calls that have to fail, above 0 and up to 1.
        #[schemars(extend("default" = 0.5, "exclusiveMinimum" = 0, "maximum" = 1))]
        rate: Amount,

        /// How far back calls count.
        #[schemars(extend("default" = "1m"))]
        window: Time,

        /// How many calls there have to be.
        #[schemars(extend("default" = 10, "minimum" = 1, "maximum" = 1_000_000))]
        minimum: Count,

        /// How long it is left alone.
        #[schemars(extend("default" = "30s"))]
        open: Time,

        /// How many calls are let through then, and have to work before all are.
        #[schemars(extend("default" = 2, "minimum" = 1, "maximum" = 100))]
        probes: Count,
    }
}

impl Example for Breaker {
    const EXAMPLE: &'static str = "{ rate: 0.5, window: 1m, minimum: 10, open: 30s, probes: 2 }";
}

table! {
    /// How many calls may be under way at once.
    Concurrency {
        /// How many.
        #[schemars(extend("minimum" = 1, "maximum" = 100_000))]
        limit: Count,

        /// How many more may wait for that.
        #[schemars(extend("default" = 20, "minimum" = 0, "maximum" = 100_000))]
        queue: Count,

        /// For how long.
        #[schemars(extend("default" = "5s"))]
        wait: Time,
    }
}

impl Example for Concurrency {
    const EXAMPLE: &'static str = "{ limit: 10, queue: 20, wait: 5s }";
}

table! {
    /// A tool of another server.
    #[schemars(extend("required" = ["tool"]))]
    OtherTool {
        /// The name of the server.
        upstream: String,

        /// What it calls the tool.
        #[schemars(extend("minLength" = 1))]
        tool: String,
    }
}

/// A tool of the same server, or of another.
#[derive(Debug)]
pub(super) enum Fallback {
    Tool(String),
    Other(OtherTool),
}

impl Read for Fallback {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::Text(tool) => Some(Self::Tool(tool.clone())),
            Value::Map(_) => OtherTool::read(node, reader).map(Self::Other),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) => {
                reader.wrong(node, "the name of a tool, or a map of upstream and tool")
            }
        }
    }
}

in_place!(Fallback, generator => json_schema!({
    "anyOf": [
        {"type": "string", "minLength": 1},
        generator.subschema_for::<OtherTool>(),
    ],
}));

table! {
    /// Words by which a failure is recognised.
    #[schemars(extend("required" = ["code", "phrases"]))]
    Phrases {
        /// The code they stand for: one of `breakfall explain`, or your own.
        code: String,

        /// Words separated by spaces, matched as whole words in any case. `a|b` stands for either, `_` for one name.
        #[schemars(extend("minItems" = 1))]
        phrases: List<String>,

        /// What it recognises, for people.
        about: String,
    }
}

impl Example for Phrases {
    const EXAMPLE: &'static str = "{ code: RATE_LIMIT_EXCEEDED, phrases: [\"slow down please\"] }";
}

table! {
    /// How much of a server may be used.
    #[schemars(extend("required" = ["metric", "warn", "pause"]))]
    Quota {
        /// What is counted, over which time.
        metric: One<Metric>,

        /// From here on, successes carry a warning.
        warn: Amount,

        /// From here on, somebody has to confirm.
        pause: Amount,

        /// From here on, nothing goes until the time is over.
        hard_stop: Amount,

        /// What a cost is counted in, as a code of three letters.
        #[schemars(extend("pattern" = "^[A-Z]{3}$"))]
        currency: String,
    }
}

table! {
    /// How big and how deep messages may be.
    Limits {
        /// The largest message of a client.
        #[schemars(extend("default" = "16MiB"))]
        request: Size,

        /// The largest message of a server.
        #[schemars(extend("default" = "64MiB"))]
        response: Size,

        /// Lists and objects inside each other.
        #[schemars(extend("default" = 128, "minimum" = 1, "maximum" = 128))]
        depth: Count,
    }
}

table! {
    /// What the gateway says about itself, on standard error.
    Log {
        /// The least important thing it says.
        #[schemars(extend("default" = "info"))]
        level: One<Level>,

        /// Lines for people, or JSON for programs.
        #[schemars(extend("default" = "text"))]
        format: One<Format>,
    }
}

/// A program alone, or with its arguments.
#[derive(Debug)]
pub(super) enum Command {
    Program(String),
    Words(Vec<Given<Plain>>),
}

impl Read for Command {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(Self::Program(text.clone())),
            Value::List(_) => List::read(node, reader).map(|list: List<Plain>| Self::Words(list.0)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Map(_) => {
                reader.wrong(node, "a program, or a list of a program and its arguments")
            }
        }
    }
}

in_place!(Command, generator => json_schema!({
    "type": ["string", "array"],
    "pattern": "^[^ \t\r\n]+$",
    "items": generator.subschema_for::<Plain>(),
    "minItems": 1,
}));

macro_rules! choices {
    ($($type:ty: $what:literal,)+) => {
        $(impl Choice for $type {
            const WHAT: &'static str = $what;

            fn all() -> &'static [Self] {
                Self::ALL
            }

            fn word(self) -> &'static str {
                self.as_str()
            }
        })+
    };
}

choices! {
    Dialect: "dialects",
    Blocks: "formats",
    Language: "languages",
    Trust: "levels of trust",
    Danger: "levels of danger",
    Metric: "metrics",
    Audit: "settings of the audit trail",
    Lost: "ways to treat a lost upstream",
    Mode: "ways to validate",
    Unlisted: "ways to treat an unlisted tool",
    Level: "log levels",
    Format: "log formats",
}
