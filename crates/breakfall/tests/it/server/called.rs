//! Every call that is answered is told once, however it ended.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use breakfall::server::Guard;
use breakfall::{ItemResult, Outcome, Stamp};
use serde_json::{Value, json};

use super::others::Careful;
use super::shop::Shop;
use super::wire::Wire;

/// A call as the hook was told of it: tool, kind of outcome, code, and the audit entry.
#[derive(Clone, Debug)]
struct Told {
    tool: String,
    kind: &'static str,
    code: Option<&'static str>,
    entry: Value,
}

fn listening() -> (Guard<Shop>, Arc<Mutex<Vec<Told>>>) {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&log);
    let guard = Guard::new(Shop)
        .deadline(Duration::from_secs(5))
        .on_call(move |call| {
            let entry = call.entry(&Stamp::System).to_string();
            kept.lock().unwrap().push(Told {
                tool: call.tool.to_owned(),
                kind: call.outcome.kind(),
                code: call.outcome.fault().map(|fault| fault.code().name()),
                entry: serde_json::from_str(&entry).expect("JSON"),
            });
        });
    (guard, log)
}

#[tokio::test(start_paused = true)]
async fn a_call_is_told_once_however_it_ended() {
    let (guard, log) = listening();
    let mut wire = Wire::legacy(guard).await;
    let cases = [
        ("total", json!({}), "success", None),
        ("degraded", json!({}), "success", None),
        (
            "order",
            json!({"sku": "coffee"}),
            "fault",
            Some("NOT_FOUND_RESOURCE"),
        ),
        (
            "order",
            json!({}),
            "fault",
            Some("VALIDATION_MISSING_PARAM"),
        ),
        ("panic", json!({}), "fault", Some("INTERNAL_ERROR")),
        ("slow", json!({}), "fault", Some("UNAVAILABLE_TIMEOUT")),
        ("odrer", json!({}), "fault", Some("NOT_FOUND_OPERATION")),
        ("unwritable", json!({}), "fault", Some("INTERNAL_ERROR")),
        ("empty_drawers", json!({}), "batch", None),
        ("asks", json!({}), "needs input", None),
    ];
    for (at, (tool, arguments, kind, code)) in cases.into_iter().enumerate() {
        let answer = wire.call(tool, arguments).await;
        let log = log.lock().unwrap();
        assert_eq!(log.len(), at + 1, "{tool}");
        let told = &log[at];
        assert_eq!(
            (told.tool.as_str(), told.kind, told.code),
            (tool, kind, code)
        );
        let id = told.entry["correlation_id"].as_str().expect("an id");
        let shown = code.is_none() || answer.to_string().contains(id);
        assert!(shown, "the caller was told another id than {id}: {answer}");
    }
    let log = log.lock().unwrap();
    let status = |at: usize| log[at].entry["output_status"].clone();
    assert_eq!((status(0), status(2)), (json!("success"), json!("error")));
    assert_eq!(log[5].entry["duration_ms"], 5000);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_is_answered_by_nobody_and_not_told_as_if_it_were() {
    let (guard, log) = listening();
    let mut wire = Wire::legacy(guard).await;
    let params = json!({"name": "until_cancelled", "arguments": {}});
    let id = wire.send("tools/call", params).await;
    wire.request("ping", json!({})).await;
    let cancel = json!({"requestId": id, "reason": "enough"});
    wire.notify("notifications/cancelled", cancel).await;
    wire.request("ping", json!({})).await;
    wire.request("ping", json!({})).await;
    assert!(log.lock().unwrap().is_empty());
}

/// What waits has an id too, the same for whoever reads the answer and for whoever audits the call.
#[tokio::test(start_paused = true)]
async fn an_item_that_waits_is_shown_and_told_under_one_id() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&told);
    let guard = Guard::new(Careful).on_call(move |call| {
        let Outcome::Batch(batch) = call.outcome else {
            panic!("a batch")
        };
        for item in batch.items() {
            if let ItemResult::Pending(fault) = &item.result {
                let id = fault.public().correlation_id().map(ToString::to_string);
                kept.lock()
                    .unwrap()
                    .push((id, fault.public().message().into_owned()));
            }
        }
    });
    let answer = Wire::legacy(guard).await.call("empty", json!({})).await;
    let error = &answer["result"]["_meta"]["dev.breakfall/batch"]["results"][1]["error"];
    assert_eq!(error["message"], "empty [path] first", "{answer}");
    let id = error["correlation_id"].as_str().map(str::to_owned);
    assert!(id.is_some(), "{answer}");
    assert_eq!(
        *told.lock().unwrap(),
        [(id, "empty [path] first".to_owned())]
    );
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_is_not_the_callers_business() {
    let guard = Guard::new(Shop).on_call(|call| match call.outcome {
        Outcome::Success(_) => panic!("out of paper"),
        Outcome::NeedsInput(_) | Outcome::Batch(_) | Outcome::Fault(_) => {}
    });
    let mut wire = Wire::legacy(guard).await;
    let answer = wire.call("total", json!({})).await;
    assert_eq!(
        answer["result"]["structuredContent"]["cents"], 320,
        "{answer}"
    );
}
