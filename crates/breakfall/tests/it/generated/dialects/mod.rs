//! What the documents of each dialect look like. Written down by hand, because it is the contract; only what a row
//! decides is read from the rows, and nothing from the encoders.

mod error_model;
mod mcp_aql;
mod mcp_error;
mod native;
mod problem;
mod response_v2;
mod tool_error;

use breakfall::wire::Dialect;
use serde_json::{Value, json};

use super::common;
use super::model::Definition;

/// The documents of one dialect.
pub(super) struct Spec {
    pub(super) dialect: Dialect,
    pub(super) about: &'static str,
    /// The definition that every document matches.
    pub(super) root: &'static str,
    pub(super) definitions: Vec<Definition>,
    /// Rules between fields that the model of types cannot say; JSON Schema can.
    pub(super) rules: Value,
}

pub(super) fn spec(dialect: Dialect) -> Spec {
    match dialect {
        Dialect::Native => native::spec(),
        Dialect::ResponseV2 => response_v2::spec(),
        Dialect::McpError => mcp_error::spec(),
        Dialect::ErrorModel => error_model::spec(),
        Dialect::ToolError => tool_error::spec(),
        Dialect::McpAql => mcp_aql::spec(),
        Dialect::Problem => problem::spec(),
    }
}

/// Every definition there is, each once, the shared ones first.
pub(super) fn definitions() -> Vec<Definition> {
    let mut all = common::definitions();
    for dialect in Dialect::ALL {
        all.extend(spec(*dialect).definitions);
    }
    all
}

/// Each name once, in the order of the rows.
fn distinct<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if !all.iter().any(|have| have == name) {
            all.push(name.to_owned());
        }
    }
    all
}

/// A payload that calls itself a question is one.
fn question_mark() -> Value {
    json!({
        "if": {
            "type": "object",
            "required": ["kind"],
            "properties": {"kind": {"const": "needsInput:v1"}},
        },
        "then": {"$ref": "#/$defs/NeedsInput"},
    })
}

/// A payload that has the counts and the results of a batch is one.
fn batch_mark() -> Value {
    let count = json!({"type": "integer", "minimum": 0});
    json!({
        "if": {
            "type": "object",
            "required": ["total", "succeeded", "failed", "results"],
            "properties": {"total": count, "succeeded": count, "failed": count, "results": {"type": "array"}},
        },
        "then": {"$ref": "#/$defs/BatchReport"},
    })
}
