//! The audit entry: what it says, and what it never says.

use std::time::Duration;

use breakfall::audit::{Entry, OutputStatus, input_hash};
use breakfall::{Batch, CorrelationId, Elicitation, Fault, Outcome, Stamp, Success, Timestamp};
use serde_json::{Value, json};

fn stamp() -> Stamp {
    let at: Timestamp = "2026-01-28T12:00:00.123456Z".parse().expect("a moment");
    Stamp::Fixed(CorrelationId::new("c-1").expect("an id"), at)
}

fn entry(arguments: &Value, outcome: &Outcome) -> Entry {
    Entry::new(
        "place_order",
        arguments,
        outcome,
        &stamp(),
        Duration::from_micros(12_700),
    )
}

#[test]
fn the_keys_are_those_of_the_trail_and_what_is_unknown_is_left_out() {
    let outcome = Outcome::from(Success::new(json!({"id": 7})));
    let bare = entry(&json!({}), &outcome).to_string();
    assert_eq!(
        bare,
        r#"{"correlation_id":"c-1","tool_name":"place_order","action":"tools/call","timestamp":"2026-01-28T12:00:00.123Z","input_hash":"44136fa355b3678a","output_status":"success","duration_ms":12}"#
    );
    let full = entry(&json!({}), &outcome)
        .tenant("t1")
        .user("u1")
        .action("create")
        .metadata("region", "eu");
    let full: Value = serde_json::from_str(&full.to_string()).expect("a line is JSON");
    let mut keys: Vec<_> = full
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "action",
            "correlation_id",
            "duration_ms",
            "input_hash",
            "metadata",
            "output_status",
            "tenant_id",
            "timestamp",
            "tool_name",
            "user_id"
        ]
    );
}

#[test]
fn nothing_of_the_input_is_stored() {
    let secret = "hunter2-ürgent";
    let arguments = json!({"password": secret, "nested": [{"note": format!("line\n{secret}")}], "count": 918_273});
    let faults = [
        Fault::not_found("user", secret)
            .caused_by(secret)
            .note(secret),
        Fault::invalid(secret)
            .detail("value", secret)
            .domain_code(secret),
    ];
    for fault in faults {
        let line = entry(&arguments, &Outcome::from(fault)).to_string();
        for part in [secret, "hunter2", "password", "nested", "note", "918273"] {
            assert!(!line.contains(part), "{part} in {line}");
        }
        assert_eq!(line.lines().count(), 1);
    }
}

#[test]
fn three_words_say_what_it_came_to() {
    let batch = || Batch::new("delete", "deleted");
    let failed = || Fault::not_found("order", "1");
    #[rustfmt::skip]
    let cases = [
        (Outcome::from(Success::new(json!([]))), OutputStatus::Success),
        (Outcome::from(failed()), OutputStatus::Error),
        (Outcome::from(batch().done("1", json!({}))), OutputStatus::Success),
        (Outcome::from(batch().done("1", json!({})).failed("2", failed())), OutputStatus::Partial),
        (Outcome::from(batch().failed("1", failed())), OutputStatus::Error),
        (Outcome::from(batch().pending("1", failed())), OutputStatus::Partial),
        (Outcome::from(Elicitation::new("Which?")), OutputStatus::Partial),
    ];
    for (outcome, status) in cases {
        let entry = entry(&json!({}), &outcome);
        assert_eq!(entry.output_status(), status, "{outcome:?}");
        assert!(
            entry
                .to_string()
                .contains(&format!("\"output_status\":\"{}\"", status.as_str()))
        );
    }
}

#[test]
fn the_entry_is_found_by_the_id_the_caller_was_told() {
    let told = CorrelationId::new("told-7").expect("an id");
    let at: Timestamp = "2026-02-01T00:00:00Z".parse().expect("a moment");
    let outcome = Outcome::from(Fault::internal().correlation_id(told.clone()).at(at));
    let entry = entry(&json!({}), &outcome);
    assert_eq!(entry.correlation_id(), &told);
    assert!(entry.to_string().contains("2026-02-01T00:00:00.000Z"));
    let success = Outcome::from(Success::new(json!({})).correlation_id(told.clone()));
    assert_eq!(self::entry(&json!({}), &success).correlation_id(), &told);
}

#[test]
fn equal_input_has_an_equal_hash_whatever_the_order_of_its_keys() {
    let one: Value =
        serde_json::from_str(r#"{"b":[1,{"y":null,"x":"é\n"}],"a":1.5}"#).expect("JSON");
    let two: Value =
        serde_json::from_str(r#"{ "a" : 1.5, "b" : [1, {"x":"é\n", "y":null}] }"#).expect("JSON");
    assert_eq!(input_hash(&one), input_hash(&two));
    // SHA-256 of {"a":1.5,"b":[1,{"x":"é\n","y":null}]}, the line break written as \n.
    assert_eq!(input_hash(&one), "d4215cc6adb18e67");
    let hash = input_hash(&json!({"a": 2}));
    assert_ne!(hash, input_hash(&one));
    assert!(
        hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()),
        "{hash}"
    );
}

#[test]
fn a_large_input_is_hashed_like_any_other() {
    let large = json!({"blob": "x".repeat(50 << 20)});
    assert_eq!(input_hash(&large).len(), 16);
}
