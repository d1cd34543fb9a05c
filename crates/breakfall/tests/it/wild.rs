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

#[test]
fn what_a_failure_says_beyond_its_format_is_kept() {
    let kept = |dialect, document: Value, key: &str| {
        let outcome = wire::decode(document, dialect, &Options::new()).expect("a failure");
        let public = outcome.fault().expect("a fault").public();
        assert!(
            public.details().get(key).is_some(),
            "{dialect} {key}: {:?}",
            public.details()
        );
    };
    let aql = json!({
        "success": false, "deprecated": true, "_meta": {"requestId": "r-1", "node": 7},
        "error": {"code": "NOT_FOUND_RESOURCE", "message": "gone", "hint": "look elsewhere"},
    });
    for key in ["hint", "deprecated", "node"] {
        kept(Dialect::McpAql, aql.clone(), key);
    }
    let id = breakfall::read(aql)
        .outcome
        .fault()
        .and_then(|fault| fault.public().correlation_id().cloned());
    assert_eq!(
        id.as_ref().map(breakfall::CorrelationId::as_str),
        Some("r-1")
    );
    let model = json!({"error": {"code": 3001, "message": "m", "retryable": true, "node": 7}});
    kept(Dialect::ErrorModel, model, "node");
    let tool = json!({"kind": "toolError:v1", "code": "SERVER_ERROR", "message": "m", "node": 7});
    kept(Dialect::ToolError, tool, "node");
    let telemetry = json!({"version": "response-v2", "telemetry": {"duration_ms": 4}});
    let envelope = json!({
        "success": false, "error": "m", "meta": telemetry,
        "data": {"error_code": "INTERNAL_ERROR", "error_type": "internal", "validation_errors": [7]},
    });
    kept(Dialect::ResponseV2, envelope.clone(), "meta");
    kept(Dialect::ResponseV2, envelope, "x_violations");
    let result = json!({"isError": true, "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
        "structuredContent": {"why": "boom"}});
    let reading = breakfall::read(result);
    let public = reading.outcome.fault().expect("a fault").public();
    assert_eq!(public.message(), "one\ntwo");
    assert_eq!(
        public.details().get("structured_content"),
        Some(&json!({"why": "boom"}))
    );
}
