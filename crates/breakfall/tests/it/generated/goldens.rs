//! `tests/it/snapshots/<dialect>.txt`: every code and every kind of outcome as its dialect writes it, byte for byte.
//!
//! One document a line, so that a diff names the code. A way of writing that gives the same document as the first
//! one says `the same`.

use std::fmt::Write as _;

use breakfall::catalog::CODES;
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Format, Options, encode, rpc_error, tool_result};
use breakfall::{Outcome, codes};

use crate::sample::{full_fault, outcomes, sample_fault, stamp};

fn golden(dialect: Dialect) -> String {
    let mut text = format!("# What {dialect} writes. Generated; ./check bless rewrites it.\n");
    for code in CODES {
        entry(&mut text, dialect, code.name(), &sample_fault(*code).into());
    }
    let full = full_fault(codes::RATE_LIMIT_EXCEEDED).into();
    entry(&mut text, dialect, "a fault with every part", &full);
    for (name, outcome) in outcomes() {
        entry(&mut text, dialect, name, &outcome);
    }
    deliveries(&mut text, dialect, &full);
    text
}

/// A heading, then the document in every way the dialect has.
fn entry(text: &mut String, dialect: Dialect, name: &str, outcome: &Outcome) {
    heading(text, name);
    let mut first = None;
    for (how, options) in ways(dialect, outcome) {
        let document = match encode(unredacted(outcome), dialect, &options) {
            Ok(document) => document.to_json(),
            Err(error) => error.to_string(),
        };
        let same = first.as_ref() == Some(&document);
        let shown = if same { "the same" } else { &document };
        line(text, how, shown);
        first.get_or_insert(document);
    }
}

/// The options that can change a document of the dialect.
fn ways(dialect: Dialect, outcome: &Outcome) -> Vec<(&'static str, Options)> {
    let strict = |options: Options| options.strict(true);
    let mut ways = vec![("default", options()), ("strict", strict(options()))];
    match dialect {
        Dialect::Native => ways.push(("structured", options().structured(true))),
        Dialect::ToolError => {
            for (how, letter, format) in [
                ("json", "strict json", Format::Json),
                ("both", "strict both", Format::Both),
            ] {
                ways.push((how, options().format(format)));
                ways.push((letter, strict(options().format(format))));
            }
        }
        Dialect::McpAql if matches!(outcome, Outcome::Batch(_)) => {
            ways.push(("aggregated", options().aggregate(true)));
        }
        Dialect::ResponseV2
        | Dialect::McpError
        | Dialect::ErrorModel
        | Dialect::McpAql
        | Dialect::Problem => {}
    }
    ways
}

/// How a document travels inside MCP: as a tool result, and as a JSON-RPC error.
fn deliveries(text: &mut String, dialect: Dialect, outcome: &Outcome) {
    heading(text, "delivery of a fault with every part");
    for (how, options) in [
        ("tool result", options()),
        ("tool result, strict", options().strict(true)),
    ] {
        let result = tool_result(unredacted(outcome), dialect, &options).unwrap();
        line(text, how, &result.to_json());
    }
    let public = outcome.fault().unwrap().public();
    for (how, options) in [
        ("rpc error", options()),
        ("rpc error, strict", options().strict(true)),
    ] {
        let error = rpc_error(unredacted(public), dialect, &options);
        line(text, how, &serde_json::to_string(&error).unwrap());
    }
}

fn options() -> Options {
    Options::new().stamp(stamp())
}

fn heading(text: &mut String, name: &str) {
    writeln!(text, "\n== {name}").expect(INFALLIBLE);
}

fn line(text: &mut String, how: &str, document: &str) {
    assert!(!document.contains('\n'), "a document is one line");
    writeln!(text, "{how}: {document}").expect(INFALLIBLE);
}

const INFALLIBLE: &str = "writing to a string cannot fail";

fn assert_golden(dialect: Dialect) {
    let path = format!("crates/breakfall/tests/it/snapshots/{dialect}.txt");
    super::assert_fresh(&path, &golden(dialect));
}

#[test]
fn native_writes_every_code_as_before() {
    assert_golden(Dialect::Native);
}

#[test]
fn response_v2_writes_every_code_as_before() {
    assert_golden(Dialect::ResponseV2);
}

#[test]
fn mcp_error_writes_every_code_as_before() {
    assert_golden(Dialect::McpError);
}

#[test]
fn error_model_writes_every_code_as_before() {
    assert_golden(Dialect::ErrorModel);
}

#[test]
fn tool_error_writes_every_code_as_before() {
    assert_golden(Dialect::ToolError);
}

#[test]
fn mcp_aql_writes_every_code_as_before() {
    assert_golden(Dialect::McpAql);
}

#[test]
fn problem_writes_every_code_as_before() {
    assert_golden(Dialect::Problem);
}
