//! What real servers send: read with tolerance, as far as it can be understood.

use breakfall::wire::{self, Dialect, Options};
use breakfall::{ItemResult, Outcome, Severity};
use serde_json::{Value, json};

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../fixtures/wild.json")).expect("the table is JSON")
}

fn read(case: &Value) -> Result<Outcome, String> {
    let dialect = Dialect::from_name(case["dialect"].as_str().unwrap_or_default());
    let document = case["document"].clone();
    match (case["channel"].as_str(), dialect) {
        (Some("document" | "snippet"), Some(dialect)) => {
            wire::decode(document, dialect, &Options::new()).map_err(|error| error.to_string())
        }
        _ => Ok(breakfall::read(document).outcome),
    }
}

/// What the reading says under each key the table may ask for.
fn facts(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Fault(fault) => {
            let public = fault.public();
            json!({
                "outcome": "fault",
                "code": fault.code().name(),
                "category": public.category().as_str(),
                "retryable": public.retry().is_retryable(),
                "domain_code": public.domain_code(),
                "retry_after_ms": public.retry_after().map(|wait| u64::try_from(wait.as_millis()).unwrap()),
                "field": public.details().get("param_name"),
                "message": public.message(),
                "token": public.details().get("confirmation_token"),
                "violations": public.violations().len(),
            })
        }
        Outcome::Success(success) => json!({
            "outcome": "success",
            "warnings": success.warnings().iter().map(|warning| warning.code()).collect::<Vec<_>>(),
            "severities": success.warnings().iter().map(breakfall::Warning::level).collect::<Vec<Severity>>(),
            "fidelity": success.content_fidelity().map(breakfall::Fidelity::as_str),
        }),
        Outcome::NeedsInput(question) => {
            json!({"outcome": "elicitation", "fields": question.fields()})
        }
        Outcome::Batch(batch) => {
            let tally = batch.tally();
            let token = batch.items().iter().find_map(|item| match &item.result {
                ItemResult::Pending(fault) => fault.public().details().get("confirmation_token"),
                ItemResult::Done(_) | ItemResult::Failed(_) => None,
            });
            json!({"outcome": "batch", "token": token, "batch": {
                "total": tally.total, "succeeded": tally.succeeded, "failed": tally.failed, "pending": tally.pending,
            }})
        }
    }
}

#[test]
fn variants_seen_in_the_wild_are_understood() {
    testing::proves!("S3-09", "S3-12");
    let mut problems = Vec::new();
    let cases = cases();
    for case in &cases {
        let name = &case["name"];
        let facts = match read(case) {
            Ok(outcome) => facts(&outcome),
            Err(error) => {
                problems.push(format!("{name}: {error}"));
                continue;
            }
        };
        for (key, want) in case["expect"].as_object().expect("expectations") {
            let have = &facts[key];
            let same = match (want, have) {
                (Value::Object(want), have) => want.iter().all(|(key, want)| have[key] == *want),
                (want, have) => want == have,
            };
            if !same {
                problems.push(format!(
                    "{name} ({}): {key}: expected {want}, read {have}",
                    case["source"]
                ));
            }
        }
    }
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert!(cases.len() >= 120, "only {} cases", cases.len());
}
