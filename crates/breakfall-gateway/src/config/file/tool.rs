//! A tool and how it is treated, as written.

use std::borrow::Cow;

use breakfall::wire::{Dialect, Format as Blocks};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::config::care::Switch;
use crate::config::kinds::{Amount, Count, Example, List, One, Time, Wait};
use crate::config::policy::Danger;
use crate::config::read::{Read, Reader, in_place, table};
use crate::config::tree::{Node, Value};
use crate::config::validate::Validate;
use crate::config::validation::Unlisted;

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
pub(in crate::config) enum Fallback {
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
