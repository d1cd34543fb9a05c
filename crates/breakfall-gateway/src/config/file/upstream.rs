//! A server, as written.

use std::borrow::Cow;

use breakfall::wire::{Dialect, Format as Blocks};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{Breaker, Concurrency, Retry, Tool};
use crate::config::care::Switch;
use crate::config::kinds::{Amount, List, Map, One, Plain, Time, Wait};
use crate::config::policy::{Metric, Trust};
use crate::config::read::{Given, Read, Reader, in_place, table};
use crate::config::tree::{Node, Value};
use crate::config::validate::Validate;
use crate::config::validation::Unlisted;

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

/// A program alone, or with its arguments.
#[derive(Debug)]
pub(in crate::config) enum Command {
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
