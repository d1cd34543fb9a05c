//! Each way a tool can fail, one by one.

use std::time::Duration;

use breakfall::classify::Classifier;
use breakfall::server::Guard;
use serde_json::{Value, json};

use super::log::Log;
use super::shop::Shop;
use super::wire::{Era, Wire};

fn object(answer: &Value) -> &Value {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    &answer["result"]["_meta"]["dev.breakfall/error"]
}

#[tokio::test(start_paused = true)]
async fn a_returned_fault_has_one_id_in_text_meta_structured_content_and_log() {
    testing::proves!("S4-71");
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("order", json!({"sku": "coffee"})).await;
    let object = object(&answer);
    assert_eq!(object["code"], "NOT_FOUND_RESOURCE");
    assert_eq!(object["fallback_tool"], "list_articles");
    assert_eq!(
        &answer["result"]["structuredContent"], object,
        "the tool has no schema for its output"
    );
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    let start = "[NOT_FOUND_RESOURCE] article 'coffee' not found\nFix: ";
    assert!(text.starts_with(start), "{text}");
    let told = log.only();
    assert!(text.ends_with(&told.id), "{text}");
    assert_eq!(object["correlation_id"], *told.id);
    assert_eq!(
        (told.method.as_str(), told.tool.as_deref()),
        ("tools/call", Some("order"))
    );
    let context = [
        "article 'coffee' not found",
        &told.id,
        "note: looked in shop 7",
        "caused by: no row in stock.articles",
    ];
    for known in context {
        assert!(told.report.contains(known), "{known}: {}", told.report);
    }
    for hidden in ["shop 7", "stock.articles"] {
        assert!(!answer.to_string().contains(hidden), "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_is_an_internal_error_whose_words_stay_here() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    for (tool, words) in [
        ("panic", "the drawer of /srv/till is stuck"),
        ("panic_at_once", "owned words"),
        ("panic_with_a_number", "without a message"),
        ("panic_in_drop", "one more"),
    ] {
        let answer = wire.call(tool, json!({})).await;
        assert_eq!(object(&answer)["code"], "INTERNAL_ERROR");
        assert!(!answer.to_string().contains(words), "{answer}");
        let report = log.all().pop().expect("the hook is told").report;
        assert!(report.contains(words), "{report}");
    }
    let answer = wire.call("order", json!({"sku": "tea"})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "1 tea", "it lives");
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_takes_too_long_is_a_timeout() {
    let log = Log::default();
    let server = log.on(Guard::new(Shop).deadline(Duration::from_secs(5)));
    let mut wire = Wire::legacy(server).await;
    let answer = wire.call("slow", json!({})).await;
    assert_eq!(object(&answer)["code"], "UNAVAILABLE_TIMEOUT");
    assert_eq!(object(&answer)["details"]["timeout_ms"], 5000);
    assert_eq!(log.only().seconds, 5);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_cannot_be_written_is_an_internal_error() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("unwritable", json!({})).await;
    assert_eq!(object(&answer)["code"], "INTERNAL_ERROR");
    assert!(!answer.to_string().contains("vault"), "{answer}");
    assert!(log.only().report.contains("the vault at /srv/vault"));
}

#[tokio::test(start_paused = true)]
async fn an_error_written_by_hand_is_kept_behind_ours() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("by_hand", json!({})).await;
    let result = &answer["result"];
    let ours = result["content"][0]["text"].as_str().expect("a text");
    let (code, id) = (&object(&answer)["code"], &log.only().id);
    assert!(
        ours.starts_with(&format!("[{}] ", code.as_str().expect("a code"))),
        "{ours}"
    );
    assert!(ours.contains("\nFix: ") && ours.contains(&**id), "{ours}");
    assert_eq!(
        result["content"][1]["text"],
        "Error: the till at [path] is locked"
    );
    assert_eq!(result["content"][2]["type"], "image");
    assert_eq!(result["content"][2]["data"], "iVBORw0KGgo=");
    assert_eq!(result["_meta"]["shop/till"], 7);
    assert_eq!(result["structuredContent"], json!({"till": 7}));
    assert_eq!(object(&answer)["correlation_id"], *log.only().id);
}

#[tokio::test(start_paused = true)]
async fn a_failure_disguised_as_a_success_is_unmasked_where_that_is_asked_for() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("disguised", json!({})).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert_eq!(log.all(), []);
    let server = Guard::new(Shop).classifier(Classifier::new().unmask(true));
    let mut wire = Wire::legacy(log.on(server)).await;
    let answer = wire.call("disguised", json!({})).await;
    assert_eq!(object(&answer)["code"], "NOT_FOUND_RESOURCE");
    let text = &answer["result"]["content"][1]["text"];
    assert_eq!(text, "Database error: no such table: orders");
    assert_eq!(log.only().code, "NOT_FOUND_RESOURCE");
    let answer = wire.call("order", json!({"sku": "tea"})).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_fault_converted_on_another_thread_is_treated_like_one_written_by_hand() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("elsewhere", json!({})).await;
    assert_eq!(object(&answer)["code"], "CONFLICT_INVALID_STATE");
    let told = log.only();
    assert_eq!(told.code, "CONFLICT_INVALID_STATE");
    assert_eq!(object(&answer)["correlation_id"], *told.id, "the same");
}

#[tokio::test(start_paused = true)]
async fn a_fault_that_was_converted_and_thrown_away_is_nobodys_answer() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("recovers", json!({})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "the second try");
    assert_eq!(answer["result"]["isError"], false);
    assert_eq!(log.all(), [], "nothing failed");
}

#[tokio::test(start_paused = true)]
async fn a_hook_that_panics_does_not_keep_the_answer_back() {
    let server = Guard::new(Shop).on_fault(|_| panic!("the log is full"));
    let mut wire = Wire::legacy(server).await;
    let answer = wire.call("order", json!({"sku": "coffee"})).await;
    assert_eq!(object(&answer)["code"], "NOT_FOUND_RESOURCE");
}

#[tokio::test(start_paused = true)]
async fn failures_are_the_same_in_both_eras() {
    for era in Era::ALL {
        let mut wire = Wire::open(Guard::new(Shop), era).await;
        for (tool, code) in [
            ("order", "VALIDATION_MISSING_PARAM"),
            ("panic", "INTERNAL_ERROR"),
        ] {
            let answer = wire.call(tool, json!({})).await;
            assert_eq!(object(&answer)["code"], code, "{era:?}");
            let complete = (era == Era::Modern).then_some("complete");
            let kind = answer["result"]["resultType"].as_str();
            assert_eq!(kind, complete, "{answer}");
        }
        let answer = wire.call("oder", json!({})).await;
        assert_eq!(answer["error"]["code"], -32602, "{era:?}: {answer}");
    }
}
