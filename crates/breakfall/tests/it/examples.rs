//! Every example of the source documents: read, checked against what it should mean, written again to the letter.

use breakfall::redact::unredacted;
use breakfall::wire::{self, Dialect, Format, Options};
use breakfall::{CorrelationId, Outcome, Stamp};
use serde_json::{Value, json};

/// The rows of `fixtures/examples.json`.
fn rows() -> Vec<Value> {
    let table = include_str!("../fixtures/examples.json");
    serde_json::from_str(table).expect("the table is JSON")
}

fn fixture(row: &Value) -> Value {
    let name = row["fixture"].as_str().expect("a fixture");
    let path = format!(
        "{}/tests/fixtures/examples/{name}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn options(row: &Value, value: &Value) -> Options {
    let format = row["format"]
        .as_str()
        .and_then(Format::from_word)
        .unwrap_or_default();
    let aggregated = value["error"]["code"] == "BATCH_PARTIAL_FAILURE";
    let id = CorrelationId::new("not-in-any-example").expect("an id");
    let stamp = Stamp::Fixed(id, jiff::Timestamp::UNIX_EPOCH);
    Options::new()
        .strict(true)
        .format(format)
        .aggregate(aggregated)
        .stamp(stamp)
}

struct Example {
    outcome: Outcome,
    written: Value,
    original: Value,
}

/// Reads an example through its channel and writes it again.
fn round_trip(row: &Value) -> Result<Example, String> {
    let value = fixture(row);
    let dialect =
        Dialect::from_name(row["dialect"].as_str().expect("a dialect")).expect("a known dialect");
    let options = options(row, &value);
    let is_result = row["channel"] == "tool-result" && dialect != Dialect::ToolError;
    match row["channel"].as_str().expect("a channel") {
        "rpc-error" => {
            let outcome = breakfall::read(value.clone()).outcome;
            let fault = outcome.fault().ok_or("not read as a fault")?;
            let written = wire::rpc_error(unredacted(fault.public()), dialect, &options).to_value();
            let original = value["error"].clone();
            Ok(Example {
                outcome,
                written,
                original,
            })
        }
        "tool-result" if is_result => {
            let reading = breakfall::read(value.clone());
            let written = wire::tool_result(unredacted(&reading.outcome), dialect, &options)
                .map_err(|e| e.to_string())?
                .to_value();
            Ok(Example {
                outcome: reading.outcome,
                written,
                original: value,
            })
        }
        channel => {
            let original = if channel == "rpc-result" {
                value["result"].clone()
            } else {
                value
            };
            let outcome = wire::decode(original.clone(), dialect, &options)
                .map_err(|error| error.to_string())?;
            let written = wire::encode(unredacted(&outcome), dialect, &options)
                .map_err(|error| error.to_string())?
                .to_value();
            Ok(Example {
                outcome,
                written,
                original,
            })
        }
    }
}

/// What the table says of an example that the reading does not.
fn differences(row: &Value, outcome: &Outcome) -> Vec<String> {
    let facts = match outcome {
        Outcome::Success(success) => {
            let codes: Vec<_> = success
                .warnings()
                .iter()
                .map(breakfall::Warning::code)
                .collect();
            let fidelity = success.content_fidelity().map(breakfall::Fidelity::as_str);
            json!({"outcome": "success", "warnings": codes, "fidelity": fidelity})
        }
        Outcome::NeedsInput(_) => json!({"outcome": "elicitation"}),
        Outcome::Batch(batch) => {
            let tally = batch.tally();
            let counts =
                json!({"total": tally.total, "succeeded": tally.succeeded, "failed": tally.failed});
            json!({"outcome": "batch", "batch": counts})
        }
        Outcome::Fault(fault) => {
            let public = fault.public();
            let wait = public
                .retry_after()
                .map(|wait| u64::try_from(wait.as_millis()).unwrap());
            json!({
                "outcome": "fault",
                "code": fault.code().name(),
                "retryable": public.retry().is_retryable(),
                "domain_code": public.domain_code(),
                "retry_after_ms": wait,
            })
        }
    };
    let facts = facts.as_object().expect("an object").iter();
    // A table that says nothing of warnings says that there are none.
    let none = json!([]);
    let said = |key: &str| {
        if key == "warnings" && row[key].is_null() {
            &none
        } else {
            &row[key]
        }
    };
    let wrong = facts.filter(|(key, have)| said(key) != *have);
    wrong
        .map(|(key, have)| format!("{key}: expected {}, read {have}", row[key]))
        .collect()
}

/// Checks the examples of one document; all that is wrong is told at once.
fn check(document: &str, at_least: usize) {
    let mut problems = Vec::new();
    let mut checked = 0;
    for row in rows()
        .iter()
        .filter(|row| row["document"] == document && row["excluded"].is_null())
    {
        let name = row["fixture"].as_str().expect("a fixture");
        checked += 1;
        if row["outcome"] == "illegal" {
            if let Ok(example) = round_trip(row) {
                problems.push(format!("{name}: accepted as {}", example.outcome.kind()));
            }
            continue;
        }
        match round_trip(row) {
            Err(error) => problems.push(format!("{name}: {error}")),
            Ok(example) => {
                problems.extend(
                    differences(row, &example.outcome)
                        .into_iter()
                        .map(|wrong| format!("{name}: {wrong}")),
                );
                if example.written != example.original {
                    problems.push(format!(
                        "{name}: written\n  {}\nfor\n  {}",
                        example.written, example.original
                    ));
                }
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert!(checked >= at_least, "only {checked} examples of {document}");
}

#[test]
fn every_example_of_response_v2_is_read_and_written_to_the_letter() {
    testing::proves!(
        "S0-03", "S0-20", "S0-21", "S0-22", "S0-23", "S0-24", "S0-25", "S0-26", "S0-27", "S0-29",
        "S0-30", "S0-31", "S0-64", "S0-65", "S0-66", "S0-67", "S0-68", "S0-69", "S0-70"
    );
    check("000", 33);
}

#[test]
fn every_example_of_mcp_error_is_read_and_written_to_the_letter() {
    testing::proves!(
        "S1-01", "S1-02", "S1-03", "S1-04", "S1-05", "S1-06", "S1-07", "S1-08", "S1-09", "S1-10",
        "S1-11", "S1-31", "S1-40", "S1-42", "S1-43", "S1-44"
    );
    check("001", 22);
}

#[test]
fn every_example_of_error_model_is_read_and_written_to_the_letter() {
    testing::proves!(
        "S2-04", "S2-05", "S2-06", "S2-07", "S2-25", "S2-27", "S2-28", "S2-29", "S2-32"
    );
    check("002", 9);
}

#[test]
fn every_example_of_tool_error_is_read_and_written_to_the_letter() {
    testing::proves!(
        "S3-04", "S3-05", "S3-06", "S3-07", "S3-08", "S3-09", "S3-16", "S3-19", "S3-26", "S3-27",
        "S3-28", "S3-29", "S3-30", "S3-31", "S3-32", "S3-33"
    );
    check("003", 8);
}

#[test]
fn every_example_of_mcp_aql_is_read_and_written_to_the_letter() {
    testing::proves!("S4-08", "S4-09", "S4-37", "S4-38", "S4-81");
    check("004", 27);
}

#[test]
fn the_table_names_every_example_or_says_why_not() {
    for row in rows() {
        let named = row["document"].is_string() && row["section"].is_string();
        let said =
            row["excluded"].as_str().is_some_and(|why| why.len() > 3) != row["fixture"].is_string();
        assert!(named && said, "{row}");
    }
    let folder = format!("{}/tests/fixtures/examples", env!("CARGO_MANIFEST_DIR"));
    let dialects = std::fs::read_dir(folder).expect("the folder");
    let files: usize = dialects
        .map(|dialect| std::fs::read_dir(dialect.unwrap().path()).unwrap().count())
        .sum();
    let used = rows()
        .iter()
        .filter(|row| row["fixture"].is_string())
        .count();
    assert_eq!(
        files, used,
        "a fixture that no row names, or a row without its own"
    );
}
