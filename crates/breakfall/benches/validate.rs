//! What it costs to refuse arguments with reasons, next to parsing them and asking whether they are valid.
//!
//! The bar is ten times both together for three violations. The table at the end shows the ratios of one run; nothing
//! here fails on a slow machine.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench reads the clock and prints what it saw"
)]

mod compare;

use std::hint::black_box;

use breakfall::validate::Schema;
use jsonschema::Validator;
use serde_json::{Value, json};

fn main() {
    let mut criterion = compare::criterion();
    let (schema, validator) = compiled();
    for (name, text) in CALLS {
        let arguments: Value = serde_json::from_str(text).expect("arguments");
        let mut group = criterion.benchmark_group(format!("validate/{name}"));
        group.bench_function("to fault", |bench| {
            bench.iter(|| to_fault(&schema, &arguments));
        });
        group.bench_function("parse + is_valid", |bench| {
            bench.iter(|| parse_and_ask(&validator, text));
        });
        group.finish();
    }
    criterion.final_summary();
    if compare::is_bench() {
        table(&schema, &validator);
    }
}

fn to_fault(schema: &Schema, arguments: &Value) {
    drop(black_box(
        schema
            .check(black_box(arguments))
            .into_fault("create_issue"),
    ));
}

fn parse_and_ask(validator: &Validator, text: &str) -> bool {
    let arguments: Option<Value> = serde_json::from_str(black_box(text)).ok();
    black_box(arguments.is_some_and(|arguments| validator.is_valid(&arguments)))
}

/// The calls of a tool, from valid to hopeless.
const CALLS: &[(&str, &str)] = &[
    (
        "valid",
        r#"{"owner": "ada", "repo": "engine", "title": "Steam", "state": "open", "limit": 20, "since": "2026-03-01",
            "labels": ["bug", "urgent"], "author": {"name": "Ada", "email": "ada@example.com"}, "draft": false}"#,
    ),
    (
        "three violations, one open",
        r#"{"owner": "ada", "title": "Steam", "state": "Open", "limit": "20", "since": "2026-03-01",
            "labels": ["bug", "urgent"], "author": {"name": "Ada", "email": "ada@example.com"}, "draft": false}"#,
    ),
    (
        "three violations, repaired",
        r#"{"owner": "ada", "repo": "engine", "title": "Steam", "state": "Open", "limt": 20, "since": "2026-03-01",
            "labels": "bug", "author": {"name": "Ada", "email": "ada@example.com"}, "draft": false}"#,
    ),
    (
        "nine violations",
        r#"{"owner": 7, "title": "", "state": "ajar", "limit": 5000, "since": "soon", "labels": [1, "urgent"],
            "author": {"email": "ada"}, "draft": "perhaps", "colour": "red"}"#,
    ),
];

fn compiled() -> (Schema, Validator) {
    let schema = json!({
        "type": "object",
        "properties": {
            "owner": {"type": "string", "pattern": "^[a-z0-9-]+$"},
            "repo": {"type": "string", "pattern": "^[a-z0-9-]+$"},
            "title": {"type": "string", "minLength": 1, "maxLength": 200},
            "state": {"type": "string", "enum": ["open", "closed", "all"]},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100},
            "since": {"type": "string", "format": "date"},
            "labels": {"type": "array", "items": {"type": "string"}, "maxItems": 10},
            "author": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "email": {"type": "string", "format": "email"}},
                "required": ["name"]
            },
            "draft": {"type": "boolean"}
        },
        "required": ["owner", "repo", "title"],
        "additionalProperties": false
    });
    let bare = jsonschema::options()
        .should_validate_formats(true)
        .with_pattern_options(jsonschema::PatternOptions::regex())
        .build(&schema)
        .expect("a schema");
    (Schema::compile(&schema).expect("a schema"), bare)
}

fn table(schema: &Schema, validator: &Validator) {
    compare::head();
    for (name, text) in CALLS {
        let arguments: Value = serde_json::from_str(text).expect("arguments");
        compare::row(
            name,
            || to_fault(schema, &arguments),
            || {
                parse_and_ask(validator, text);
            },
        );
    }
}
