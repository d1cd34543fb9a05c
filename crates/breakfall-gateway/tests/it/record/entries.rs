//! The records of a call: audit entries, reports, counters.

use std::sync::Arc;
use std::time::Duration;

use breakfall::catalog::CODES;
use breakfall::code::Origin;
use breakfall::{Fault, Timestamp, codes};
use breakfall_gateway::config::{AuditTrail, Retention};
use breakfall_gateway::record::{CallOutcome, Evidence, Recorder, Report};
use breakfall_gateway::store::{Batch, Document, Memory, Sqlite, Store};
use serde_json::{Value, json};

use super::{event, for_ever};

fn recorder(audit: AuditTrail) -> (Recorder, Arc<Memory>) {
    let store = Arc::new(Memory::default());
    let recorder = Recorder::new(store.clone(), audit, for_ever());
    (recorder, store)
}

async fn audited(store: &Memory, id: &str) -> Value {
    let found = store.audited(id).await.expect("it can be read");
    let [link] = found.as_slice() else {
        panic!("one entry of {id}: {found:?}");
    };
    serde_json::from_str(&link.entry).expect("an entry is JSON")
}

#[tokio::test]
async fn every_call_has_an_entry_and_no_entry_has_the_input() {
    let (recorder, store) = recorder(AuditTrail::On);
    let mut ends = vec![
        CallOutcome::Success,
        CallOutcome::Asks,
        CallOutcome::Cancelled,
    ];
    let origin = Origin::Upstream;
    ends.extend(CODES.iter().map(|code| CallOutcome::Failed {
        code: *code,
        origin,
    }));
    for (n, end) in ends.iter().enumerate() {
        let mut event = event(&format!("c-{n}"));
        event.outcome = *end;
        event.principal = Some("ada".into());
        recorder.record(event, r#"{"card": "4111 1111 1111 1111"}"#, None);
    }
    recorder.flush().await;
    for (n, end) in ends.iter().enumerate() {
        let entry = audited(&store, &format!("c-{n}")).await;
        let status = match end {
            CallOutcome::Success => "success",
            CallOutcome::Asks => "partial",
            CallOutcome::Failed { .. } | CallOutcome::Cancelled => "error",
        };
        assert_eq!(entry["output_status"], status);
        assert_eq!(entry["duration_ms"], 12);
        assert_eq!(entry["user_id"], "ada");
        // The hash that a server on the library writes, whatever the whitespace.
        let hash = breakfall::audit::input_hash(&json!({"card": "4111 1111 1111 1111"}));
        assert_eq!(entry["input_hash"], hash);
        assert!(!entry.to_string().contains("4111"), "{entry}");
        let said = &entry["metadata"];
        let said = said["code"].as_str().or(said["end"].as_str());
        assert_eq!(said.unwrap_or("success"), end.as_str());
    }
    let trail = store.trail(0, usize::MAX).await.expect("it can be read");
    assert_eq!(trail.links.len(), ends.len());
}

#[tokio::test]
async fn an_entry_has_the_keys_of_the_trail() {
    let (recorder, store) = recorder(AuditTrail::On);
    let mut event = event("c-1");
    event.outcome = CallOutcome::of(&Fault::timeout("get_order", Duration::from_secs(5)));
    event.attempts = 3;
    event.waited = Duration::from_millis(350);
    event.trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        .parse()
        .ok();
    recorder.record(event, "", None);
    recorder.flush().await;
    let entry = audited(&store, "c-1").await;
    assert_eq!(
        entry,
        json!({
            "correlation_id": "c-1",
            "tool_name": "get_order",
            "action": "tools/call",
            "timestamp": "2026-01-28T12:00:00.123Z",
            "input_hash": "44136fa355b3678a",
            "output_status": "error",
            "duration_ms": 12,
            "metadata": {
                "upstream": "shop",
                "code": "UNAVAILABLE_TIMEOUT",
                "origin": entry["metadata"]["origin"],
                "attempts": 3,
                "waited_ms": 350,
                "sent_bytes": 100,
                "received_bytes": 200,
                "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
            },
        })
    );
}

#[tokio::test]
async fn arguments_of_any_size_and_shape_are_hashed() {
    let (recorder, store) = recorder(AuditTrail::On);
    let large = format!("[{}1]", "1, ".repeat(50_000));
    for (id, arguments) in [
        ("large", &*large),
        ("huge-number", "{\"n\":1e400}"),
        ("no-json", "{"),
    ] {
        recorder.record(event(id), arguments, None);
    }
    recorder.flush().await;
    for id in ["large", "huge-number", "no-json"] {
        let entry = audited(&store, id).await;
        assert_eq!(entry["input_hash"].as_str().map(str::len), Some(16), "{id}");
    }
}

#[tokio::test]
async fn a_report_has_private_details_but_no_credentials() {
    let (recorder, store) = recorder(AuditTrail::Off);
    let fault = Fault::internal()
        .detail("service", "shop")
        .note("SELECT * FROM orders WHERE id = 7")
        .caused_by("cannot open /srv/shop/db.key: password=hunter2-and-more");
    let mut event = event("c-1");
    event.outcome = CallOutcome::of(&fault);
    event.attempts = 2;
    let original = r#"{"isError":true,"content":[{"type":"text","text":"at /srv/shop/index.js:7, token=abcdefgh12345678"}]}"#;
    recorder.record(event, "{}", Some(Evidence::new(fault).original(original)));
    recorder.flush().await;
    let found = store.find("c-1").await.expect("it can be read");
    let report = Report::from_json(&found[0].text).expect("it is a report");
    assert_eq!(report.error["code"], "INTERNAL_ERROR");
    assert_eq!(report.error["correlation_id"], "c-1");
    assert_eq!(
        (report.attempts, report.took()),
        (2, Duration::from_millis(12))
    );
    for kept in ["SELECT * FROM orders", "/srv/shop/db.key"] {
        assert!(report.report.contains(kept), "{}", report.report);
    }
    let original = report.original.expect("it was given");
    assert!(original.contains("/srv/shop/index.js:7"), "{original}");
    for secret in ["hunter2", "abcdefgh12345678"] {
        assert!(!found[0].text.contains(secret), "{}", found[0].text);
    }
    let trail = store.trail(0, 1).await.expect("it can be read");
    assert_eq!(
        trail.links,
        [],
        "without an audit trail there are no entries"
    );
}

#[tokio::test]
async fn the_answer_of_a_server_is_stored_once() {
    let words = "Order 7 was not found\n    at find (/srv/shop/orders.js:42:17)";
    let text = json!({"type": "text", "text": words});
    let bare = json!({"isError": true, "content": [text]});
    let answers = [
        (bare.clone(), false),
        (json!({"content": [text], "isError": true}), false),
        (json!({"isError": true, "content": [text, text]}), true),
        (
            json!({"isError": true, "content": [text], "_meta": {}}),
            true,
        ),
        (json!({"isError": false, "content": [text]}), true),
        (json!({"code": -32603, "message": words}), true),
        (bare["content"].clone(), true),
        (
            json!({"isError": true, "content": [{"type": "text", "text": "Order 7"}]}),
            true,
        ),
        (
            json!({"isError": true, "content": [{"type": "image", "text": words}]}),
            true,
        ),
    ];
    for (answer, is_kept) in answers {
        let (recorder, store) = recorder(AuditTrail::Off);
        let fault = Fault::internal().message(words).note("the second note");
        let mut event = event("c-1");
        event.outcome = CallOutcome::of(&fault);
        let evidence = Evidence::new(fault).original(&answer.to_string());
        recorder.record(event, "{}", Some(evidence));
        recorder.flush().await;
        let found = store.find("c-1").await.expect("it can be read");
        let report = Report::from_json(&found[0].text).expect("it is a report");
        assert_eq!(report.error["message"], words);
        assert_eq!(report.original.is_some(), is_kept, "{answer}");
        assert!(!report.report.contains("orders.js"), "{}", report.report);
        for part in ["Order 7 was not found …", "the second note"] {
            assert!(report.report.contains(part), "{}", report.report);
        }
    }
}

#[tokio::test]
async fn records_are_found_by_the_id_the_caller_was_told() {
    let (recorder, store) = recorder(AuditTrail::On);
    let theirs = breakfall::CorrelationId::new("req-7").expect("an id");
    let fault = Fault::internal().correlation_id(theirs);
    let mut event = event("c-1");
    event.outcome = CallOutcome::of(&fault);
    recorder.record(event, "{}", Some(Evidence::new(fault)));
    recorder.flush().await;
    assert_eq!(audited(&store, "req-7").await["correlation_id"], "req-7");
    assert_eq!(store.find("req-7").await.map(|found| found.len()), Ok(1));
}

#[tokio::test]
async fn long_names_and_answers_are_cut() {
    let (recorder, store) = recorder(AuditTrail::On);
    let long = "é".repeat(1 << 20);
    let mut event = breakfall_gateway::record::CallEvent::new(
        breakfall::CorrelationId::new("c-1").expect("an id"),
        breakfall::Timestamp::now(),
        "shop".into(),
        &long,
    );
    let fault = Fault::invalid(long.clone()).note(long.clone());
    event.outcome = CallOutcome::of(&fault);
    recorder.record(event, &long, Some(Evidence::new(fault).original(&long)));
    recorder.flush().await;
    let report = store.find("c-1").await.expect("it can be read").remove(0);
    assert!(report.text.len() < 1 << 19, "{}", report.text.len());
    assert!(audited(&store, "c-1").await.to_string().len() < 2000);
}

#[tokio::test]
async fn old_records_are_deleted() {
    let store = Arc::new(Memory::default());
    let mut keep = for_ever();
    keep.audit.count = 600;
    let recorder = Recorder::new(store.clone(), AuditTrail::On, keep);
    for n in 0..5 {
        for m in 0..1000 {
            recorder.record(event(&format!("c-{n}-{m}")), "{}", None);
        }
        recorder.flush().await;
    }
    let trail = store.trail(0, usize::MAX).await.expect("it can be read");
    assert_eq!(trail.head.seq, 5000);
    assert!(
        (600..3600).contains(&trail.links.len()),
        "{}",
        trail.links.len()
    );
    let end = breakfall_gateway::store::verify(trail.start, &trail.links);
    assert_eq!(end, Ok(trail.head));
}

#[tokio::test]
async fn records_of_an_earlier_process_do_not_show_that_the_clock_is_right() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("store.db");
    let store = Arc::new(Sqlite::open(&file).expect("it is made"));
    let now = Timestamp::now();
    let old = Document {
        id: "old".into(),
        at: now - Duration::from_hours(24 * 365),
        text: "{}".to_owned(),
    };
    let batch = Batch {
        entries: vec![old.clone()],
        reports: vec![old],
    };
    store.append(Arc::new(batch)).await.expect("it is kept");
    for n in 0..2 {
        let process = Arc::new(Sqlite::open(&file).expect("it opens"));
        let recorder = Recorder::new(process, AuditTrail::On, Retention::default());
        let mut event = event(&format!("c-{n}"));
        event.at = now;
        recorder.record(event, "{}", None);
        recorder.flush().await;
        recorder.finish();
        assert_eq!(store.find("old").await.map(|found| found.len()), Ok(1));
        assert_eq!(store.audited("old").await.map(|found| found.len()), Ok(1));
    }
}

#[test]
fn calls_are_counted_by_server_code_and_origin() {
    let recorder = Recorder::off();
    let count = |end: CallOutcome, times: usize| {
        for _ in 0..times {
            let mut event = event("c-1");
            event.outcome = end;
            recorder.record(event, "{}", None);
        }
    };
    let code = codes::UNAVAILABLE_TIMEOUT;
    count(CallOutcome::Success, 3);
    count(CallOutcome::Cancelled, 1);
    for origin in [Origin::Upstream, Origin::Gateway] {
        count(CallOutcome::Failed { code, origin }, 2);
    }
    let counts = recorder.counts();
    let calls = counts
        .calls
        .iter()
        .map(|count| (count.end, count.origin, count.calls));
    let expected = [
        ("UNAVAILABLE_TIMEOUT", Some(Origin::Gateway), 2),
        ("UNAVAILABLE_TIMEOUT", Some(Origin::Upstream), 2),
        ("cancelled", None, 1),
        ("success", None, 3),
    ];
    assert!(calls.eq(expected), "{counts:?}");
    assert_eq!(counts.calls[3].took, Duration::from_millis(36));
}
