//! What we write is valid by the schemas we publish, and the schemas say something.

use std::fmt::Write as _;

use breakfall::catalog::CODES;
use breakfall::code::Entry;
use breakfall::redact::unredacted;
use breakfall::wire::native::ERROR_KEY;
use breakfall::wire::{Dialect, Format, Options, decode, encode, rpc_error};
use breakfall::{Code, Fault, Outcome, codes, read};
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::generated::json_schema::tight_schema;
use crate::generated::workspace_file;
use crate::sample::{document_of, full_fault, outcomes, result_of, sample_fault, stamp};

#[test]
fn every_schema_is_a_schema() {
    for dialect in Dialect::ALL {
        let schema = published(*dialect);
        if let Err(error) = jsonschema::draft202012::meta::validate(&schema) {
            panic!("{dialect}: {error} at {}", error.instance_path());
        }
        assert_eq!(schema["$id"], format!("urn:breakfall:schema:{dialect}"));
    }
}

#[test]
fn every_fault_is_written_as_its_dialects_schema_says() {
    testing::proves!(
        "S0-20", "S0-26", "S1-04", "S1-05", "S1-08", "S1-10", "S1-11", "S2-04", "S2-05", "S2-06",
        "S3-04", "S3-05", "S3-06", "S4-08",
    );
    let faults = CODES
        .iter()
        .flat_map(|code| [Fault::new(*code), sample_fault(*code), full_fault(*code)]);
    let faults: Vec<Outcome> = faults.map(Outcome::from).collect();
    for judge in judges() {
        for outcome in &faults {
            let fault = outcome.fault().unwrap();
            judge.judge(outcome, &format!("{}", fault.code()));
        }
    }
}

#[test]
fn every_other_outcome_is_written_as_its_dialects_schema_says() {
    testing::proves!("S0-30");
    for judge in judges() {
        let mut written = 0;
        for (name, outcome) in outcomes() {
            written += judge.judge(&outcome, name);
        }
        assert!(written > 0, "{} wrote none of the outcomes", judge.dialect);
    }
}

#[test]
fn a_servers_own_code_is_written_as_its_dialects_schema_says() {
    static ROW: Entry = Entry::extends(codes::NOT_FOUND_RESOURCE, "ORDER_NOT_FOUND")
        .message("Order '{order_id}' not found", "Order not found");
    let fault = Fault::new(Code::new(&ROW)).detail("order_id", "ord_9");
    let outcome = Outcome::from(fault);
    for judge in judges() {
        judge.judge(&outcome, "a code of a server's own");
    }
}

#[test]
fn what_was_read_from_others_is_written_as_our_schemas_say() {
    let rows: Vec<Value> = serde_json::from_str(include_str!("../fixtures/wild.json")).unwrap();
    let judges = judges();
    let mut count = 0;
    for row in rows {
        let name = row["name"].as_str().unwrap().to_owned();
        let outcome = match row["channel"].as_str() {
            Some("document") => {
                let dialect = Dialect::from_name(row["dialect"].as_str().unwrap()).unwrap();
                decode(row["document"].clone(), dialect, &Options::new()).ok()
            }
            _ => Some(read(row["document"].clone()).outcome),
        };
        for judge in outcome.iter().flat_map(|_| &judges) {
            count += judge.judge(outcome.as_ref().unwrap(), &name);
        }
    }
    assert!(count > 0);
}

#[test]
fn native_and_tool_error_documents_are_tool_results_as_they_stand() {
    for dialect in [Dialect::Native, Dialect::ToolError] {
        let judge = Judge::of(dialect);
        for (name, outcome) in outcomes() {
            let result = result_of(&outcome, dialect, &options());
            judge.accept(&result, name);
        }
    }
}

#[test]
fn the_data_of_a_protocol_error_is_the_native_error() {
    let error = definition(Dialect::Native, "NativeError");
    for code in CODES {
        let fault = sample_fault(*code);
        let written = rpc_error(unredacted(fault.public()), Dialect::Native, &options()).to_value();
        assert_eq!(complaints(&error, &written["data"]), "", "{code}");
    }
}

#[test]
fn a_fault_with_what_its_row_requires_keeps_the_promise_of_its_code() {
    let judges = [
        (Dialect::Native, "PromisedNativeError"),
        (Dialect::McpAql, "PromisedMcpAqlError"),
        (Dialect::Problem, "PromisedProblem"),
    ];
    for (dialect, name) in judges {
        let promised = definition(dialect, name);
        let mut broken = 0;
        for code in CODES {
            let kept = error_part(dialect, &Outcome::from(sample_fault(*code)));
            assert_eq!(complaints(&promised, &kept), "", "{dialect} {code}");
            let bare = error_part(dialect, &Outcome::from(Fault::new(*code)));
            broken += usize::from(!promised.is_valid(&bare));
        }
        assert!(
            broken > CODES.len() / 3,
            "{dialect}: only {broken} codes promise anything"
        );
    }
}

#[test]
fn details_of_the_wrong_shape_are_refused() {
    let wrong = [
        (codes::VALIDATION_MISSING_PARAM, "param_name", json!(7)),
        (codes::RATE_LIMIT_EXCEEDED, "limit", json!("many")),
        (codes::RATE_LIMIT_EXCEEDED, "window", json!("fortnight")),
        (
            codes::VALIDATION_UNKNOWN_PARAM,
            "unknown_params",
            json!("one"),
        ),
        (codes::TOKEN_EXPIRED, "expired_at", json!("yesterday")),
        (codes::BATCH_FAILED, "errors", json!(["one"])),
    ];
    for (code, key, value) in wrong {
        let fault = sample_fault(code).detail(key, value);
        let outcome = Outcome::from(fault);
        for dialect in [Dialect::Native, Dialect::McpAql, Dialect::Problem] {
            let document = document_of(&outcome, dialect, &options());
            Judge::of(dialect).refuse(&document, &format!("{code} with an odd {key}"));
        }
    }
}

#[test]
fn hand_broken_documents_are_refused() {
    testing::proves!("S0-88", "S0-89", "S0-90");
    let judges = judges();
    for line in BROKEN.lines().filter(|line| !line.is_empty()) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [dialect, name, pointer, value] = cells[..] else {
            panic!("{line}")
        };
        let dialect = Dialect::from_name(dialect).unwrap();
        let mut judges = judges.iter();
        let judge = judges.find(|judge| judge.dialect == dialect).unwrap();
        let outcome = named_outcome(name);
        let sound = document_of(&outcome, dialect, &options());
        judge.accept(&sound, "the document before it is broken");
        let mut document = sound.clone();
        set(&mut document, pointer, serde_json::from_str(value).ok());
        assert_ne!(document, sound, "breaks nothing: {line}");
        judge.refuse(&document, line);
    }
}

/// Dialect, outcome, where to break it, and what to put there: JSON, or `-` to take it out.
const BROKEN: &str = r#"
response-v2 | fault | /success | true
response-v2 | fault | /error | null
response-v2 | fault | /error | ""
response-v2 | fault | /error | -
response-v2 | fault | /data | null
response-v2 | fault | /data/error_type | "bad_luck"
response-v2 | fault | /data/error_code | 429
response-v2 | fault | /data/limit | "many"
response-v2 | fault | /meta/version | "response-v1"
response-v2 | fault | /meta | -
response-v2 | fault | /status | "failed"
response-v2 | success with warnings | /success | false
response-v2 | success with warnings | /error | "But it failed"
response-v2 | success with warnings | /data | [1]
response-v2 | success with warnings | /meta/warnings/0 | {"code": "X"}
response-v2 | success with warnings | /meta/warning_details/0/severity | "fatal"
response-v2 | success with warnings | /meta/warning_details/0/context/dropped_count | "some"
response-v2 | success with warnings | /meta/content_fidelity | "most"
response-v2 | success with warnings | /warnings | []
response-v2 | batch that failed | /data/failed/0/reason | -
response-v2 | batch that failed | /data/batch/results/0/status | "lost"
native | fault | /isError | -
native | fault | /isError | false
native | fault | /content | []
native | fault | /content/0/type | "image"
native | fault | /_meta/dev.breakfall~1error | -
native | fault | /_meta/dev.breakfall~1error/code | -
native | fault | /_meta/dev.breakfall~1error/code | "rate limited"
native | fault | /_meta/dev.breakfall~1error/code | 429
native | fault | /_meta/dev.breakfall~1error/category | "internal"
native | fault | /_meta/dev.breakfall~1error/message | ""
native | fault | /_meta/dev.breakfall~1error/retry | -
native | fault | /_meta/dev.breakfall~1error/retry/policy | "sometimes"
native | fault | /_meta/dev.breakfall~1error/retry/retryable | false
native | fault | /_meta/dev.breakfall~1error/recovery_hint | "PRAY"
native | fault | /_meta/dev.breakfall~1error/correlation_id | "two words"
native | fault | /_meta/dev.breakfall~1error/timestamp | "now"
native | fault | /_meta/dev.breakfall~1error/violations/0/pointer | -
native | fault | /_meta/dev.breakfall~1error/http_status | 42
native | success with warnings | /isError | true
native | success with warnings | /_meta/dev.breakfall~1success/warnings/0/severity | -
native | success with warnings | /_meta/dev.breakfall~1success/content_fidelity | "most"
native | question with everything | /_meta/dev.breakfall~1needs_input/kind | "needsInput:v2"
native | question with everything | /_meta/dev.breakfall~1needs_input/options/0/value | -
native | mixed batch | /_meta/dev.breakfall~1batch/results/0/status | "failed"
native | mixed batch | /_meta/dev.breakfall~1batch/total | -1
mcp-error | fault | /code | "TOO_FAST"
mcp-error | fault | /recovery_actions | -
mcp-error | fault | /recovery_actions | "wait"
mcp-error | fault | /correlation_id | -
mcp-error | fault | /timestamp | "2026-01-02T03:04:05Z"
mcp-error | fault | /retry_after_ms | 1.5
mcp-error | fault | /details | "none"
mcp-error | fault | /user_message | "wrong spelling"
mcp-error | question with everything | /options/0/value | -
mcp-error | mixed batch | /results/0/status | -
error-model | fault | /error/code | "3001"
error-model | fault | /error/code | 3999
error-model | fault | /error/message | -
error-model | fault | /error/retryable | -
error-model | fault | /error/retryable | "yes"
error-model | fault | /error/details/context | "none"
error-model | fault | /result | {}
tool-error | fault | /isError | -
tool-error | fault | /structuredContent/kind | "toolError:v2"
tool-error | fault | /structuredContent/code | "LIMIT_ERROR"
tool-error | fault | /structuredContent/message | -
tool-error | fault | /structuredContent/retryable | "no"
tool-error | fault | /structuredContent/details/statusCode | "429"
tool-error | fault | /content/0/mimeType | "text/html"
tool-error | fault | /content | []
tool-error | question | /isError | true
tool-error | mixed batch | /structuredContent/results/0/status | -
mcp-aql | fault | /success | true
mcp-aql | fault | /success | -
mcp-aql | fault | /error/code | -
mcp-aql | fault | /error/code | "rate-limited"
mcp-aql | fault | /error/message | -
mcp-aql | fault | /error/details | []
mcp-aql | fault | /error/severity | "high"
mcp-aql | fault | /data | null
mcp-aql | mixed batch of operations | /summary | -
mcp-aql | mixed batch of operations | /results/1/result/error/code | -
mcp-aql | mixed batch of operations | /results/0/index | -
mcp-aql | mixed batch of operations | /warnings/0/code | -
mcp-aql | success with warnings | /error | {"code": "INTERNAL_ERROR", "message": "But it failed"}
mcp-aql | success with warnings | /data | -
mcp-aql | success with warnings | /warnings/0/severity | "warning"
mcp-aql | success with warnings | /warnings | []
problem | fault | /type | "about:blank"
problem | fault | /status | 500
problem | fault | /title | "Slow down"
problem | fault | /detail | -
problem | fault | /instance | "call 7"
problem | fault | /code | "INTERNAL_ERROR"
problem | fault | /category | "internal"
problem | fault | /retry | -
"#;

fn named_outcome(name: &str) -> Outcome {
    if name == "fault" {
        return full_fault(codes::RATE_LIMIT_EXCEEDED).into();
    }
    let mut all = outcomes().into_iter();
    let found = all.find(|(have, _)| *have == name);
    found
        .unwrap_or_else(|| panic!("no outcome is called {name}"))
        .1
}

/// Sets the value at a pointer whose parent exists, or takes it out.
fn set(document: &mut Value, pointer: &str, value: Option<Value>) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/");
    let parent = document
        .pointer_mut(parent)
        .unwrap_or_else(|| panic!("no {parent}"));
    match (parent, value) {
        (Value::Object(map), Some(value)) => drop(map.insert(key, value)),
        (Value::Object(map), None) => drop(map.remove(&key)),
        (Value::Array(items), Some(value)) => items[key.parse::<usize>().unwrap()] = value,
        (other, _) => panic!("nothing to set in {other}"),
    }
}

/// The schemas of one dialect: as published, and with every open object closed.
struct Judge {
    dialect: Dialect,
    published: Validator,
    tight: Validator,
}

fn judges() -> Vec<Judge> {
    let all = Dialect::ALL.iter();
    all.map(|dialect| Judge::of(*dialect)).collect()
}

impl Judge {
    fn of(dialect: Dialect) -> Self {
        Self {
            dialect,
            published: validator(&published(dialect)),
            tight: validator(&tight_schema(dialect)),
        }
    }

    /// Writes an outcome in every way the dialect has, and says in how many.
    fn judge(&self, outcome: &Outcome, name: &str) -> usize {
        let mut written = 0;
        for (how, options) in ways(self.dialect) {
            if let Ok(document) = encode(unredacted(outcome), self.dialect, &options) {
                self.accept(&document.to_value(), &format!("{name}, {how}"));
                written += 1;
            }
        }
        written
    }

    fn accept(&self, document: &Value, name: &str) {
        for (which, validator) in [("published", &self.published), ("tight", &self.tight)] {
            let complaints = complaints(validator, document);
            assert!(
                complaints.is_empty(),
                "{} refuses {name} by its {which} schema:{complaints}\n{document:#}",
                self.dialect
            );
        }
    }

    fn refuse(&self, document: &Value, name: &str) {
        assert!(
            !self.published.is_valid(document),
            "{} accepts {name}:\n{document:#}",
            self.dialect
        );
    }
}

/// Every option that changes a document of the dialect.
fn ways(dialect: Dialect) -> Vec<(String, Options)> {
    let formats = if dialect == Dialect::ToolError {
        Format::ALL
    } else {
        &[Format::Markdown]
    };
    let mut all = Vec::new();
    for strict in [false, true] {
        for format in formats {
            for (more, extra) in [
                ("", options()),
                (" structured", options().structured(true)),
                (" aggregated", options().aggregate(true)),
            ] {
                let how = format!("strict {strict} {}{more}", format.as_str());
                all.push((how, extra.strict(strict).format(*format)));
            }
        }
    }
    all
}

fn options() -> Options {
    Options::new().stamp(stamp())
}

fn published(dialect: Dialect) -> Value {
    let file = workspace_file(&format!("schemas/{dialect}.schema.json"));
    let text = std::fs::read_to_string(&file).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// One definition of a published schema, on its own.
fn definition(dialect: Dialect, name: &str) -> Validator {
    let defs = &published(dialect)["$defs"];
    assert!(defs.get(name).is_some(), "{dialect} has no {name}");
    validator(&json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": format!("#/$defs/{name}"),
        "$defs": defs,
    }))
}

fn validator(schema: &Value) -> Validator {
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(schema).unwrap()
}

/// The document of a problem is the error itself; other dialects have it inside.
fn error_part(dialect: Dialect, outcome: &Outcome) -> Value {
    let document = document_of(outcome, dialect, &options());
    let inside = document["_meta"].get(ERROR_KEY).or(document.get("error"));
    inside.unwrap_or(&document).clone()
}

fn complaints(validator: &Validator, value: &Value) -> String {
    let mut all = String::new();
    for error in validator.iter_errors(value) {
        write!(all, "\n  {}: {error}", error.instance_path()).unwrap();
    }
    all
}
