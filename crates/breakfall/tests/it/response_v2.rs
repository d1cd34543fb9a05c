//! response-v2: the two legal states, warnings, partial success.

use breakfall::catalog::{CODES, warning};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, decode, encode};
use breakfall::{
    Batch, Category, Fault, Fidelity, ItemResult, Outcome, Success, Verdict, Violation, Warning,
    codes,
};
use serde_json::{Value, json};

use crate::sample::{document_of, result_of};

fn written(outcome: &Outcome, strict: bool) -> Value {
    document_of(outcome, Dialect::ResponseV2, &Options::new().strict(strict))
}

#[test]
fn success_false_means_failure_and_nothing_else() {
    testing::proves!("S0-01", "S0-06");
    for code in CODES {
        let failure = written(&Fault::new(*code).into(), false);
        assert_eq!(failure["success"], false, "{code}");
        assert!(
            failure["error"]
                .as_str()
                .is_some_and(|error| !error.is_empty()),
            "{code}"
        );
        assert!(failure["data"]["error_code"].is_string(), "{code}");
    }
    let degraded = Success::new(json!({})).warning(Warning::new(warning::CONTENT_TRUNCATED));
    let success = written(&degraded.into(), false);
    assert_eq!(
        (&success["success"], &success["error"]),
        (&json!(true), &Value::Null)
    );
}

#[test]
fn every_failure_has_a_class() {
    testing::proves!("S0-05");
    let classes = [
        "validation",
        "authentication",
        "authorization",
        "not_found",
        "conflict",
        "rate_limit",
        "internal",
        "unavailable",
    ];
    for code in CODES {
        let failure = written(&Fault::new(*code).into(), true);
        let class = failure["data"]["error_type"].as_str().expect("a type");
        assert!(classes.contains(&class), "{code}: {class}");
    }
}

#[test]
fn warnings_ride_on_a_success_and_leave_no_key_when_there_are_none() {
    testing::proves!("S0-28");
    let clean = written(&Success::new(json!({"n": 1})).into(), true);
    assert_eq!(
        clean,
        json!({"success": true, "data": {"n": 1}, "error": null, "meta": {"version": "response-v2"}})
    );
    let two = Success::new(json!({}))
        .warning(Warning::plain("stale"))
        .warning(Warning::new(warning::CONTENT_DROPPED));
    let degraded = written(&two.into(), true);
    assert_eq!(
        degraded["meta"]["warnings"].as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(
        degraded["meta"]["warning_details"][1]["code"],
        "CONTENT_DROPPED"
    );
    assert_eq!(
        degraded["meta"]["warnings"][1],
        degraded["meta"]["warning_details"][1]["message"]
    );
}

#[test]
fn retry_hints_and_documentation_links_are_carried() {
    testing::proves!("S0-09", "S0-10");
    let wait = std::time::Duration::from_millis(7200);
    let fault = Fault::unavailable("ledger")
        .retry_after(wait)
        .docs_url("https://docs.example.test/outages");
    let failure = written(&fault.into(), false);
    assert_eq!(failure["data"]["retry_after_seconds"], 8);
    assert_eq!(
        failure["data"]["docs_url"],
        "https://docs.example.test/outages"
    );
    let read = decode(failure, Dialect::ResponseV2, &Options::new()).unwrap();
    let public = read.fault().unwrap().public();
    assert_eq!(public.retry_after_seconds(), Some(8));
    assert_eq!(public.docs_url(), Some("https://docs.example.test/outages"));
}

#[test]
fn mixed_states_are_refused_on_reading_with_the_place() {
    testing::proves!("S0-88", "S0-89", "S0-90");
    for (state, words) in [
        (
            json!({"success": true, "data": {}, "error": "no", "meta": {}}),
            "a success has no error",
        ),
        (
            json!({"success": false, "data": {}, "error": null, "meta": {}}),
            "a failure says what went wrong",
        ),
        (
            json!({"success": false, "data": {}, "error": "", "meta": {}}),
            "a failure says what went wrong",
        ),
    ] {
        let error = decode(state.clone(), Dialect::ResponseV2, &Options::new())
            .expect_err("an illegal state");
        assert_eq!(error.place(), "/error", "{state}");
        assert!(error.problem().contains(words), "{error}");
    }
}

#[test]
fn an_empty_message_cannot_make_an_illegal_state() {
    testing::proves!("S0-90");
    let failure = written(&Fault::internal().message("").into(), true);
    assert_eq!(failure["error"], "Internal error");
}

fn deleted() -> Batch {
    Batch::new("delete", "deleted")
        .done("a", json!({"gone": true}))
        .done("b", Value::Null)
}

#[test]
fn a_batch_without_failures_lists_what_was_done() {
    testing::proves!("S0-84");
    let batch = written(&deleted().into(), true);
    let expected = json!({"success": true, "data": {"deleted": ["a", "b"]}, "error": null, "meta": {"version": "response-v2"}});
    assert_eq!(batch, expected);
}

#[test]
fn a_batch_without_successes_is_a_failure_that_counts() {
    testing::proves!("S0-85", "S0-87");
    let batch = Batch::new("delete", "deleted")
        .failed("x", Fault::new(codes::NOT_FOUND_RESOURCE))
        .failed("y", Fault::new(codes::PERMISSION_DENIED));
    assert_eq!(batch.verdict(), Verdict::Failed);
    let failure = written(&batch.into(), true);
    assert_eq!(failure["success"], false);
    assert_eq!(failure["error"], "Failed to delete all 2 items");
    let reasons =
        json!([{"id": "x", "reason": "not found"}, {"id": "y", "reason": "permission denied"}]);
    assert_eq!(failure["data"], json!({"failed": reasons}));
}

#[test]
fn a_mixed_batch_is_a_success_with_both_lists_and_one_warning() {
    testing::proves!("S0-86");
    let batch = deleted().failed("x", Fault::not_found("item", "x"));
    let success = written(&batch.into(), true);
    assert_eq!(
        (&success["success"], &success["error"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(success["data"]["deleted"], json!(["a", "b"]));
    assert_eq!(
        success["data"]["failed"],
        json!([{"id": "x", "reason": "not found"}])
    );
    assert_eq!(
        success["meta"]["warnings"],
        json!(["1 of 3 items could not be deleted"])
    );
}

#[test]
fn a_pending_confirmation_in_a_batch_is_no_failure() {
    let batch = deleted()
        .pending("z", Fault::new(codes::CONFIRMATION_REQUIRED))
        .halted();
    let tally = batch.tally();
    assert_eq!(
        (tally.total, tally.succeeded, tally.failed, tally.pending),
        (3, 2, 0, 1)
    );
    assert_eq!(batch.verdict(), Verdict::Complete);
    let success = written(&batch.into(), true);
    assert_eq!(success["success"], true);
    assert_eq!(success["data"]["pending"], json!(["z"]));
}

#[test]
fn a_violation_reads_as_details_and_several_as_a_list() {
    testing::proves!("S0-23");
    let one = Violation::of_field("email")
        .keyword("format")
        .message("Not an address");
    let two = Violation::of_field("age")
        .keyword("minimum")
        .message("Too young")
        .got(3);
    let first = Fault::invalid("The form is incomplete").violation(one.clone());
    let failure = written(&first.into(), true);
    assert_eq!(
        failure["data"]["details"],
        json!({"field": "email", "constraint": "format", "message": "Not an address"})
    );
    let both = Fault::invalid("The form is incomplete")
        .violation(one)
        .violation(two);
    let failure = written(&both.into(), false);
    assert_eq!(failure["data"]["validation_errors"][1]["field"], "age");
    assert_eq!(failure["data"]["validation_errors"][1]["received"], 3);
    let read = decode(failure, Dialect::ResponseV2, &Options::new()).unwrap();
    assert_eq!(read.fault().unwrap().public().violations().len(), 2);
}

#[test]
fn warnings_are_dropped_from_failures_and_curated_in_mcp_aql() {
    let mut success = Success::new(Value::Null);
    for n in 0..12 {
        success = success.warning(Warning::new(warning::CONTENT_TRUNCATED).context("n", n));
    }
    success = success.warning(Warning::new(warning::CONTENT_TRUNCATED).context("n", 0));
    success = success.warning(Warning::plain("loud").severity(breakfall::Severity::Error));
    let document = document_of(&success.into(), Dialect::McpAql, &Options::new());
    let warnings = document["warnings"].as_array().expect("a list");
    assert_eq!(warnings.len(), 10, "no more than ten");
    assert_eq!(warnings[0]["severity"], "high", "the worst first");
    assert_eq!(warnings[9]["code"], "WARNINGS_SUPPRESSED");
    assert_eq!(
        warnings[9]["details"]["suppressed_count"], 4,
        "thirteen distinct, nine shown"
    );
}

#[test]
fn an_aggregated_batch_reads_back_with_its_positions() {
    testing::proves!("S4-81");
    let batch = deleted().failed("x", Fault::not_found("item", "x"));
    let outcome = Outcome::from(batch);
    let options = Options::new().aggregate(true);
    let document = document_of(&outcome, Dialect::McpAql, &options);
    assert_eq!(document["error"]["code"], "BATCH_PARTIAL_FAILURE");
    assert_eq!(document["error"]["message"], "1 of 3 operations failed");
    assert_eq!(document["error"]["details"]["errors"][0]["index"], 2);
    let Outcome::Batch(read) = decode(document, Dialect::McpAql, &options).unwrap() else {
        panic!("a batch")
    };
    let ItemResult::Failed(fault) = &read.items()[2].result else {
        panic!("failed")
    };
    assert_eq!(fault.public().category(), Category::NotFound);
}

#[test]
fn a_structured_warning_goes_by_the_name_of_the_registry() {
    testing::proves!("S0-31");
    for code in warning::WARNINGS {
        let outcome = Success::new(json!({})).warning(Warning::new(*code)).into();
        let details = written(&outcome, true)["meta"]["warning_details"].clone();
        assert_eq!(
            details[0]["code"],
            code.entry().response_v2,
            "{}",
            code.name()
        );
        assert_eq!(details[0]["severity"], code.entry().severity.as_str());
    }
}

#[test]
fn a_failure_has_something_to_ask_by_even_if_nobody_gave_it_an_id() {
    testing::proves!("S0-91");
    let failure = written(&Fault::internal().into(), false);
    assert!(
        failure["meta"]["request_id"]
            .as_str()
            .is_some_and(|id| id.len() == 36),
        "{failure}"
    );
    assert_eq!(failure["error"], "Internal error");
}

#[test]
fn an_aggregate_may_not_claim_items_without_end() {
    let claim = |total: u64| {
        let errors = json!([{"index": 0, "code": "NOT_FOUND_RESOURCE", "message": "gone"}]);
        json!({"success": false, "error": {"code": "BATCH_PARTIAL_FAILURE", "message": "m", "details": {
            "total": total, "succeeded": 0, "failed": 1, "errors": errors,
        }}})
    };
    let read = |total| decode(claim(total), Dialect::McpAql, &Options::new());
    let Outcome::Batch(batch) = read(10_000).unwrap() else {
        panic!("a batch")
    };
    assert_eq!(batch.tally().total, 10_000);
    assert_eq!(read(10_001).unwrap_err().place(), "/error/details/total");
}

#[test]
fn recoverable_codes_go_without_the_flag_where_that_is_asked_for() {
    let flag = |code, recoverable: bool| {
        let options = Options::new().recoverable(recoverable);
        let outcome = Outcome::from(Fault::new(code));
        let result = result_of(&outcome, Dialect::McpAql, &options);
        result.get("isError").cloned()
    };
    for code in CODES {
        assert_eq!(
            flag(*code, false),
            Some(json!(true)),
            "{code}: a fault is an error"
        );
    }
    let spared: Vec<_> = CODES
        .iter()
        .filter(|code| flag(**code, true).is_none())
        .map(|code| code.entry().names.mcp_aql)
        .collect();
    for name in [
        "NOT_FOUND_RESOURCE",
        "NOT_FOUND_OPERATION",
        "VALIDATION_MISSING_PARAM",
        "VALIDATION_INVALID_TYPE",
        "VALIDATION_INVALID_VALUE",
        "PERMISSION_DENIED",
        "RATE_LIMIT_EXCEEDED",
        "RATE_LIMIT_QUOTA_PAUSE",
        "CONFIRMATION_REQUIRED",
    ] {
        assert!(spared.contains(&name), "{name}");
    }
    assert!(
        !spared.contains(&"INTERNAL_ERROR") && !spared.contains(&"TOKEN_INVALID"),
        "{spared:?}"
    );
}

#[test]
fn a_batch_that_failed_as_a_whole_is_no_question() {
    let confirm = || Fault::new(codes::CONFIRMATION_REQUIRED);
    let batch = Batch::new("delete", "deleted")
        .failed("a", confirm())
        .failed("b", confirm())
        .failed("c", Fault::internal());
    let result = document_of(&batch.into(), Dialect::ToolError, &Options::new());
    assert_eq!(result["isError"], true);
    assert_eq!(
        result["structuredContent"]["code"], "SERVER_ERROR",
        "the failure that is one stands for all"
    );
}

#[test]
fn what_a_success_brings_along_cannot_forge_the_metadata() {
    let meta = json!({"version": "evil", "warnings": ["w"], "pagination": {"cursor": "c"}});
    let native = json!({"content": [{"type": "text", "text": "{}"}], "_meta": {"dev.breakfall/success": {"meta": meta}}});
    let outcome = decode(native, Dialect::Native, &Options::new()).unwrap();
    let text = encode(unredacted(&outcome), Dialect::ResponseV2, &Options::new())
        .unwrap()
        .to_json();
    assert!(!text.contains("evil"), "{text}");
    assert!(
        text.contains("pagination"),
        "what is nobody's is kept: {text}"
    );
}

#[test]
fn a_big_batch_takes_no_more_than_its_size() {
    // Not timed: quadratic work on this many items would not end within the limit of the test runner.
    let mut batch = Batch::new("delete", "deleted");
    let mut success = Success::new(Value::Null);
    for n in 0..60_000 {
        batch = batch.failed(n.to_string(), Fault::not_found("item", "x"));
        success = success.warning(Warning::plain(n.to_string()));
    }
    assert!(
        encode(
            unredacted(&batch.into()),
            Dialect::McpError,
            &Options::new()
        )
        .is_ok()
    );
    assert!(
        encode(
            unredacted(&success.into()),
            Dialect::McpAql,
            &Options::new()
        )
        .is_ok()
    );
}

#[test]
fn what_was_left_out_and_where_it_is_survives_the_wire() {
    let success = || {
        Success::new(json!({"orders": []}))
            .fidelity(Fidelity::Partial)
            .dropped(["ord_1", "ord_2"])
            .dropped([""; 0])
            .dropped(["ord_3"])
            .archived("2025.tar", "sha256:aa")
            .archived("2026.tar", "sha256:bb")
    };
    let meta = &written(&success().into(), false)["meta"];
    let ids = json!(["ord_1", "ord_2", "ord_3"]);
    let hashes = json!({"2025.tar": "sha256:aa", "2026.tar": "sha256:bb"});
    assert_eq!(meta["dropped_content_ids"], ids);
    assert_eq!(meta["content_archive_hashes"], hashes);
    for dialect in [Dialect::ResponseV2, Dialect::Native] {
        let options = Options::new();
        let document = document_of(&success().into(), dialect, &options);
        let Outcome::Success(back) = decode(document, dialect, &options).unwrap() else {
            panic!("a success")
        };
        let left: Vec<&str> = back.dropped_ids().collect();
        assert_eq!(left, ["ord_1", "ord_2", "ord_3"], "{dialect}");
        let archives: Vec<_> = back.archives().collect();
        assert_eq!(archives[1], ("2026.tar", "sha256:bb"), "{dialect}");
    }
    let whole = Success::new(json!({})).dropped([""; 0]);
    assert!(
        written(&whole.into(), false)["meta"]
            .get("dropped_content_ids")
            .is_none()
    );
}
