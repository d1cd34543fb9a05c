//! Representative faults and outcomes, made from the rows: whoever needs "one of each" takes them from here.

use std::time::Duration;

use breakfall::catalog::CODES;
use breakfall::catalog::warning::{self, WARNINGS, WarningCode};
use breakfall::code::{Detail, Shape};
use breakfall::redact::unredacted;
use breakfall::wire::{Dialect, Options, decode, encode, tool_result};
use breakfall::{
    Batch, Choice, Code, Confidence, CorrelationId, Elicitation, Fault, Fidelity, Hint, ItemResult,
    Origin, Outcome, Provenance, Retry, Severity, Stamp, Success, Violation, Warning, codes,
};
use serde_json::{Value, json};

/// An id and a time that are the same in every run.
pub(crate) fn stamp() -> Stamp {
    let id = CorrelationId::new("0197f0c0-0000-7000-8000-000000000001").unwrap();
    Stamp::Fixed(id, "2026-01-02T03:04:05.678Z".parse().unwrap())
}

/// The document of an outcome, as it is.
pub(crate) fn document_of(outcome: &Outcome, dialect: Dialect, options: &Options) -> Value {
    let document = encode(unredacted(outcome), dialect, options);
    document
        .expect("`problem` alone refuses an outcome")
        .to_value()
}

/// The tool result of an outcome, as it is.
pub(crate) fn result_of(outcome: &Outcome, dialect: Dialect, options: &Options) -> Value {
    let result = tool_result(unredacted(outcome), dialect, options);
    result
        .expect("`problem` alone refuses an outcome")
        .to_value()
}

/// A fault of a code with every detail its row requires, and nothing more.
pub(crate) fn sample_fault(code: Code) -> Fault {
    with_details(code, |detail| detail.required)
}

/// A fault of a code with every detail its row names, and every other part a fault can have.
pub(crate) fn full_fault(code: Code) -> Fault {
    let Stamp::Fixed(id, at) = stamp() else {
        unreachable!("the stamp of tests is fixed")
    };
    with_details(code, |_| true)
        .violation(
            Violation::of_field("address.zip")
                .keyword("pattern")
                .message("must be five digits")
                .expected("^[0-9]{5}$")
                .got("1234")
                .suggestion("01234"),
        )
        .violation(Violation::of_field("name"))
        .domain_code("ORDER_GONE")
        .retry(Retry::Once)
        .retry_after(Duration::from_millis(1500))
        .remediation("Ask list_orders for the ids there are.")
        .actions(["list_orders", "ask_the_user"])
        .hint(Hint::TryAlternative)
        .user_message("That order is gone.")
        .fallback_tool("list_orders")
        .corrective_params(json!({"order_id": "ord_2"}))
        .origin(Origin::Upstream)
        .provenance(Provenance::new("sample", Confidence::Exact))
        .http_status(code.entry().http)
        .correlation_id(id)
        .at(at)
        .docs_url("https://docs.example.test/orders")
}

/// A warning of a code with every fact its row names.
pub(crate) fn sample_warning(code: WarningCode) -> Warning {
    let context = code.entry().context.iter();
    context.fold(Warning::new(code), |warning, detail| {
        warning.context(detail.name, sample_value(detail))
    })
}

/// A value of a detail's shape.
pub(crate) fn sample_value(detail: &Detail) -> Value {
    let name = detail.name;
    match detail.shape {
        Shape::Text => format!("some_{name}").into(),
        Shape::OneOf(words) => words[0].into(),
        Shape::Integer => 30.into(),
        Shape::Number => 1.5.into(),
        Shape::Flag => true.into(),
        Shape::Texts => json!([format!("first_{name}"), format!("second_{name}")]),
        Shape::Timestamp => "2026-01-02T03:05:00Z".into(),
        Shape::Object => json!({"key": "value"}),
        // The lists of objects that rows have are about items of a batch.
        Shape::Objects => {
            json!([{"index": 0, "code": "INTERNAL_ERROR", "message": "An item failed"}])
        }
        Shape::Any => json!(["anything", 1]),
        other => panic!("no sample of the shape {other:?} of '{name}'"),
    }
}

/// Every kind of outcome that is no single fault, each with a name.
pub(crate) fn outcomes() -> Vec<(&'static str, Outcome)> {
    let mut all = successes();
    all.extend(questions());
    all.extend(batches());
    all
}

fn successes() -> Vec<(&'static str, Outcome)> {
    let Stamp::Fixed(id, _) = stamp() else {
        unreachable!("the stamp of tests is fixed")
    };
    let paged = json!({
        "success": true, "data": {"orders": []}, "error": null,
        "meta": {"version": "response-v2", "pagination": {"cursor": null, "has_more": false}},
    });
    let paged = decode(paged, Dialect::ResponseV2, &Options::new()).unwrap();
    let every_warning = WARNINGS
        .iter()
        .fold(Success::new(json!({"ok": true})), |all, code| {
            all.warning(sample_warning(*code))
        });
    let degraded = Success::new(json!({"orders": ["ord_1"], "total_orders": 9}))
        .warning(sample_warning(warning::CONTENT_DROPPED))
        .warning(Warning::plain("Some orders are older than a day"))
        .warning(Warning::foreign(
            "ORDERS_STALE",
            Severity::Error,
            "Orders are stale",
        ))
        .fidelity(Fidelity::Partial)
        .correlation_id(id);
    vec![
        (
            "success with an object",
            Success::new(json!({"id": "usr_1"})).into(),
        ),
        ("success with a list", Success::new(json!([1, 2])).into()),
        ("success with an empty list", Success::new(json!([])).into()),
        ("success with a text", Success::new("done").into()),
        (
            "success with text that looks like JSON",
            Success::new("{}").into(),
        ),
        ("success with a number", Success::new(7).into()),
        ("success with nothing", Success::new(Value::Null).into()),
        ("success with warnings", degraded.into()),
        ("success with every warning", every_warning.into()),
        ("success with operational metadata", paged),
    ]
}

fn questions() -> Vec<(&'static str, Outcome)> {
    let choice = |field: Option<&str>| Choice {
        label: "The first".into(),
        value: "ord_1".into(),
        description: field.map(|_| "Ordered yesterday".into()),
        field: field.map(Into::into),
    };
    let full = Elicitation::new("Which order?")
        .field("order_id")
        .reason("Two orders fit")
        .suggest("order_id", ["ord_1", "ord_2"])
        .option(choice(None))
        .option(choice(Some("order_id")));
    vec![
        ("question", Elicitation::new("Which order?").into()),
        ("question with everything", full.into()),
    ]
}

fn batches() -> Vec<(&'static str, Outcome)> {
    let missing = || Fault::not_found("order", "ord_9");
    let waiting = || sample_fault(codes::CONFIRMATION_REQUIRED);
    let deleting = || Batch::new("delete", "deleted");
    let mixed = deleting()
        .done("ord_1", json!({"deleted": true}))
        .failed("ord_9", missing())
        .failed("ord_8", Fault::internal().message("The order is odd"));
    let operations = Batch::default()
        .item(
            None,
            Some("get_order".into()),
            ItemResult::Done(Value::Null),
        )
        .item(
            None,
            Some("delete_order".into()),
            ItemResult::Failed(missing()),
        )
        .warning(sample_warning(warning::RETRIED));
    let all_failed = deleting()
        .failed("ord_9", missing())
        .failed("ord_8", missing());
    let pending = deleting()
        .done("ord_1", Value::Null)
        .pending("ord_2", waiting())
        .halted();
    vec![
        ("empty batch", Batch::default().into()),
        ("batch without failures", deleting().done("ord_1", 1).into()),
        ("mixed batch", mixed.into()),
        ("mixed batch of operations", operations.into()),
        ("batch that failed", all_failed.into()),
        ("batch that waits", pending.into()),
        (
            "batch that waits and failed",
            deleting()
                .pending("a", waiting())
                .failed("b", missing())
                .into(),
        ),
    ]
}

fn with_details(code: Code, wanted: fn(&Detail) -> bool) -> Fault {
    let details = code.entry().details.iter().filter(|detail| wanted(detail));
    details.fold(Fault::new(code), |fault, detail| match detail.name {
        // The one integer with bounds of its own.
        "http_status" => fault.http_status(code.entry().http),
        name => fault.detail(name, sample_value(detail)),
    })
}

#[test]
fn a_sample_has_every_detail_its_row_requires_where_a_reader_looks_for_it() {
    for code in CODES {
        let fault = sample_fault(*code);
        for detail in code.entry().details.iter().filter(|detail| detail.required) {
            let public = fault.public();
            let present = match detail.name {
                "retry_after_seconds" => public.retry_after().is_some(),
                name => public.details().get(name).is_some(),
            };
            assert!(present, "{code}: {}", detail.name);
        }
    }
}

#[test]
fn the_message_of_a_sample_has_no_placeholder_left() {
    for code in CODES {
        for fault in [sample_fault(*code), full_fault(*code)] {
            let public = fault.public();
            let message = public.message();
            assert!(
                !message.contains(['{', '}']) && !message.is_empty(),
                "{code}: {message}"
            );
        }
    }
}

#[test]
fn the_outcomes_are_told_apart_by_their_names() {
    let mut names: Vec<_> = outcomes().into_iter().map(|(name, _)| name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
