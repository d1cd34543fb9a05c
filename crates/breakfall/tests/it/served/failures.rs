//! Each way to fail, one by one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use breakfall::server::Guard;
use serde_json::json;

use super::shop::Shop;
use super::wire::{Era, Wire};

#[tokio::test(start_paused = true)]
async fn a_returned_fault_is_an_error_result_with_one_id_everywhere() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&log);
    let server = Guard::new(Shop).on_fault(move |event| {
        let line = (
            event.correlation_id.to_string(),
            event.fault.report().to_string(),
        );
        kept.lock().unwrap().push(line);
    });
    let mut wire = Wire::legacy(server).await;
    let answer = wire.call("order", json!({"sku": "coffee"})).await;
    let result = &answer["result"];
    assert_eq!(result["isError"], true, "{answer}");
    let object = &result["_meta"]["dev.breakfall/error"];
    assert_eq!(object["code"], "NOT_FOUND_RESOURCE");
    assert_eq!(object["fallback_tool"], "list_articles");
    assert_eq!(
        &result["structuredContent"], object,
        "the tool has no schema for its output"
    );
    let id = object["correlation_id"].as_str().unwrap();
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("[NOT_FOUND_RESOURCE] article 'coffee' not found"),
        "{text}"
    );
    assert!(text.ends_with(id), "{text}");
    let log = log.lock().unwrap();
    let [(logged, report)] = log.as_slice() else {
        panic!("one event: {log:?}");
    };
    assert_eq!(logged, id);
    assert!(report.contains("no row in stock.articles"), "{report}");
    assert!(!answer.to_string().contains("stock.articles"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_an_internal_error_and_its_words_stay_here() {
    let log = Arc::new(Mutex::new(String::new()));
    let kept = Arc::clone(&log);
    let server = Guard::new(Shop).on_fault(move |event| {
        kept.lock()
            .unwrap()
            .push_str(&event.fault.report().to_string())
    });
    let mut wire = Wire::legacy(server).await;
    for (tool, words) in [
        ("panic", "the drawer of /srv/till"),
        ("panic_at_once", "owned words"),
    ] {
        let answer = wire.call(tool, json!({})).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let code = &answer["result"]["_meta"]["dev.breakfall/error"]["code"];
        assert_eq!(code, "INTERNAL_ERROR");
        assert!(!answer.to_string().contains(words), "{answer}");
        assert!(log.lock().unwrap().contains(words));
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_takes_too_long_is_a_timeout() {
    let server = Guard::new(Shop).deadline(Duration::from_secs(5));
    let mut wire = Wire::legacy(server).await;
    let answer = wire.call("slow", json!({})).await;
    let object = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(object["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
    assert_eq!(object["details"]["timeout_ms"], 5000);
}

#[tokio::test(start_paused = true)]
async fn failures_are_the_same_in_both_eras() {
    for era in Era::ALL {
        let mut wire = Wire::open(Guard::new(Shop), era).await;
        let answer = wire.call("order", json!({"sku": "coffee"})).await;
        assert_eq!(answer["result"]["isError"], true, "{era:?}: {answer}");
        let complete = (era == Era::Modern).then_some("complete");
        assert_eq!(
            answer["result"]["resultType"].as_str(),
            complete,
            "{answer}"
        );
    }
}
