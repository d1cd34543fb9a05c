//! Failures at protocol level: unknown tools, the errors of handlers, and methods other than calls.

use std::sync::Arc;

use breakfall::read;
use breakfall::server::Guard;
use breakfall::wire::Options;
use serde_json::json;

use super::log::Log;
use super::others::{Bare, Endless, Faulty, Listed};
use super::shop::Shop;
use super::wire::Wire;

#[tokio::test(start_paused = true)]
async fn an_unknown_tool_is_told_with_the_nearest_there_is() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("ordr", json!({"sku": "tea"})).await;
    let error = &answer["error"];
    assert_eq!(error["code"], -32602, "{answer}");
    let message = error["message"].as_str().expect("a message");
    let said =
        "Unknown tool 'ordr'; did you mean 'order'? [NOT_FOUND_OPERATION]\nFix: Call 'order' if";
    assert!(message.starts_with(said), "{message}");
    assert!(
        message.ends_with(&format!("\nReference: {}", log.only().id)),
        "{message}"
    );
    let data = &error["data"];
    assert_eq!(data["code"], "NOT_FOUND_OPERATION");
    assert_eq!(data["fallback_tool"], "order");
    let available = data["details"]["available"].as_array().unwrap();
    assert!(available.contains(&json!("nothing")), "{data}");
    assert_eq!(data["correlation_id"], *log.only().id);
    assert!(read(answer).outcome.fault().is_some());
    let answer = wire.call("launch_rocket", json!({})).await;
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(
        message.starts_with("Unknown tool 'launch_rocket' ["),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_only_lists_its_tools_is_asked_for_the_list() {
    let mut wire = Wire::legacy(Guard::new(Listed)).await;
    let answer = wire.call("page_towo", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let message = answer["error"]["message"].as_str().expect("a message");
    let said = "Unknown tool 'page_towo'; did you mean 'page_two'? [";
    assert!(message.starts_with(said), "{message}");
    let answer = wire.call("page_two", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "its own words: {answer}");
    let answer = wire.call("page_one", json!({})).await;
    let result = &answer["result"];
    assert_eq!(
        result["structuredContent"], result["_meta"]["dev.breakfall/error"],
        "its list says that there is no schema for the output"
    );
}

/// Lists come from the handler, and a handler may have them from somebody who means no good.
#[tokio::test(start_paused = true)]
async fn a_list_without_end_is_not_read_to_its_end_and_not_offered_in_full() {
    for (to_a_page, pages) in [(1000, 5), (4096, 1), (4095, 2), (1, 64), (0, 64)] {
        let asked = Arc::default();
        let server = Endless {
            to_a_page,
            asked: Arc::clone(&asked),
        };
        let mut wire = Wire::legacy(Guard::new(server)).await;
        let answer = wire.call("tool-150", json!({})).await;
        assert_eq!(*asked.lock().unwrap(), pages, "{to_a_page} to a page");
        if to_a_page > 150 {
            let data = &answer["error"]["data"];
            assert_eq!(data["fallback_tool"], "tool_150", "looked for among all");
            let available = data["details"]["available"].as_array().unwrap();
            assert_eq!(available.len(), 100);
            assert!(data["details"]["available_omitted"].as_u64() > Some(3000));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_handler_that_says_nothing_about_its_tools_is_not_guessed_about() {
    let mut wire = Wire::legacy(Guard::new(Bare)).await;
    let answer = wire.call("anything", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(message.starts_with("the moon is wrong ["), "{message}");
    let answer = wire.call("fault", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(answer["result"].get("structuredContent").is_none());
}

#[tokio::test(start_paused = true)]
async fn an_error_of_the_handler_keeps_its_code_and_data_and_gets_an_object() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("refused", json!({"data": null})).await;
    let error = &answer["error"];
    assert_eq!(error["code"], -32600, "{answer}");
    let message = error["message"].as_str().expect("a message");
    let said = "not on a sunday, says [path] [VALIDATION_INVALID_VALUE]\nFix: ";
    assert!(message.starts_with(said), "{message}");
    assert!(
        message.ends_with(&format!("\nReference: {}", log.only().id)),
        "{message}"
    );
    let object = &error["data"]["dev.breakfall/error"];
    assert_eq!(object["correlation_id"], *log.only().id);
    let answer = wire.call("refused", json!({"data": {"day": 7}})).await;
    assert_eq!(answer["error"]["data"]["day"], 7, "{answer}");
    assert!(answer["error"]["data"]["dev.breakfall/error"].is_object());
    let answer = wire.call("refused", json!({"data": [7]})).await;
    assert_eq!(answer["error"]["data"], json!([7]), "no room for ours");
}

#[tokio::test(start_paused = true)]
async fn an_error_whose_data_has_no_room_for_an_object_says_code_fix_and_id_in_words() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    for data in [json!([7]), json!("sunday"), json!(7), json!(false)] {
        let answer = wire.call("refused", json!({"data": data})).await;
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["data"]), (&json!(-32600), &data));
        let message = error["message"].as_str().unwrap();
        let id = log.all().pop().expect("the hook is told").id;
        for part in [
            "not on a sunday, says [path] [VALIDATION_INVALID_VALUE]\nFix: ",
            "\nRetry: ",
            &format!("\nReference: {id}"),
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
    let strict = Guard::new(Shop).options(Options::new().strict(true));
    let answer = Wire::legacy(strict)
        .await
        .call("refused", json!({"data": [7]}))
        .await;
    assert_eq!(answer["error"]["message"], "not on a sunday, says [path]");
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_any_other_method_is_answered_too() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Faulty))).await;
    for method in ["tools/list", "prompts/list", "resources/list", "shop/close"] {
        let answer = wire.request(method, json!({})).await;
        assert_eq!(answer["error"]["code"], -32603, "{method}: {answer}");
        assert_eq!(answer["error"]["data"]["code"], "INTERNAL_ERROR");
        assert!(!answer.to_string().contains("broken"), "{answer}");
        let told = log.all().pop().expect("the hook is told");
        assert_eq!((told.method.as_str(), told.tool), (method, None));
        assert!(told.report.contains("broken"), "{}", told.report);
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_of_any_other_method_gets_an_object() {
    let mut wire = Wire::legacy(Guard::new(Faulty)).await;
    let uri = "file:///srv/shop/prices.txt";
    let answer = wire.request("resources/read", json!({"uri": uri})).await;
    let error = &answer["error"];
    assert_eq!(error["code"], -32002, "{answer}");
    let message = error["message"].as_str().expect("a message");
    let said = format!("no {uri} below [path] [NOT_FOUND_RESOURCE]\nFix: ");
    assert!(
        message.starts_with(&said),
        "what the caller sent is theirs: {message}"
    );
    let object = &error["data"]["dev.breakfall/error"];
    assert_eq!(object["code"], "NOT_FOUND_RESOURCE");
}

#[tokio::test(start_paused = true)]
async fn an_unknown_method_is_told_in_a_sentence() {
    let mut wire = Wire::legacy(Guard::new(Shop)).await;
    let answer = wire.request("no/such", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let object = &answer["error"]["data"]["dev.breakfall/error"];
    assert_eq!(object["code"], "NOT_FOUND_OPERATION");
    assert_eq!(object["message"], "Unknown method 'no/such'");
}

#[tokio::test(start_paused = true)]
async fn a_name_of_any_length_is_repeated_in_short() {
    let mut wire = Wire::legacy(Guard::new(Shop)).await;
    let answer = wire.call(&"n".repeat(100_000), json!({})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert!(answer.to_string().len() < 10_000, "{answer}");
}
