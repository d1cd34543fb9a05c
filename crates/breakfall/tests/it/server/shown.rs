//! What a caller gets to see: dialects, redaction, structured content, and successes as they are.

use breakfall::locale::Language;
use breakfall::redact::Audience;
use breakfall::server::Guard;
use breakfall::wire::{Dialect, Format, Options};
use breakfall::{CorrelationId, Stamp, Timestamp, read};
use serde_json::{Value, json};

use super::log::Log;
use super::others::Faulty;
use super::shop::Shop;
use super::wire::{Era, Wire};

#[tokio::test(start_paused = true)]
async fn one_line_chooses_the_dialect() {
    for dialect in Dialect::ALL {
        let mut wire = Wire::legacy(Guard::new(Shop).dialect(*dialect)).await;
        let answer = wire.call("order", json!({"sku": "coffee"})).await;
        let reading = read(answer.clone());
        assert_eq!(reading.dialect, Some(*dialect), "{answer}");
        let fault = reading.outcome.fault().expect("a failure");
        assert_eq!(fault.code().entry().http, 404, "{dialect}");
    }
}

#[tokio::test(start_paused = true)]
async fn one_line_sets_how_it_is_spoken() {
    let id = CorrelationId::new("req-7").unwrap();
    let options = Options::new()
        .format(Format::Both)
        .stamp(Stamp::Fixed(id, Timestamp::UNIX_EPOCH));
    let server = Guard::new(Shop)
        .dialect(Dialect::ToolError)
        .options(options);
    let mut wire = Wire::legacy(server).await;
    let answer = wire.call("order", json!({"sku": "coffee"})).await;
    let blocks = answer["result"]["content"].as_array().unwrap();
    assert_eq!(blocks.len(), 2, "{answer}");
    let structured = &answer["result"]["structuredContent"];
    assert_eq!(structured["details"]["correlationId"], "req-7");
}

#[tokio::test(start_paused = true)]
async fn a_tool_with_a_schema_for_its_output_keeps_the_place_of_it_free() {
    let arguments = json!({"code": "CONFLICT_VERSION_MISMATCH"});
    for dialect in Dialect::ALL {
        for strict in [false, true] {
            let server = Guard::new(Shop)
                .dialect(*dialect)
                .options(Options::new().strict(strict));
            let mut wire = Wire::legacy(server).await;
            let typed = wire.call("fail_typed", arguments.clone()).await;
            let demanded = strict && matches!(dialect, Dialect::ToolError | Dialect::ErrorModel);
            let filled = typed["result"].get("structuredContent").is_some();
            assert_eq!(filled, demanded, "{dialect} {strict}: {typed}");
            assert_eq!(typed["result"]["isError"], true);
            let untyped = wire.call("fail", arguments.clone()).await;
            let structured = &untyped["result"]["structuredContent"];
            assert!(structured.is_object(), "{dialect} {strict}: {untyped}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_success_is_what_it_is_without_a_guard() {
    for era in Era::ALL {
        let mut bare = Wire::open(Shop, era).await;
        let server = Guard::new(Shop).dialect(Dialect::ResponseV2);
        let mut guarded = Wire::open(server, era).await;
        for (tool, arguments) in [
            ("order", json!({"sku": "tea", "count": 2, "wrap": "box"})),
            ("total", json!({})),
            ("recovers", json!({})),
        ] {
            let answer = guarded.call(tool, arguments.clone()).await;
            assert_eq!(answer, bare.call(tool, arguments).await, "{era:?} {tool}");
        }
        let listed = guarded.request("tools/list", json!({})).await;
        assert_eq!(listed, bare.request("tools/list", json!({})).await);
    }
}

#[tokio::test(start_paused = true)]
async fn warnings_ride_on_a_success() {
    let mut wire = Wire::legacy(Guard::new(Shop)).await;
    let answer = wire.call("degraded", json!({})).await;
    let result = &answer["result"];
    assert!(result.get("isError").is_none(), "{answer}");
    assert_eq!(result["structuredContent"], json!({"text": "half of /srv"}));
    let warnings = &result["_meta"]["dev.breakfall/success"]["warnings"];
    assert_eq!(warnings[0]["message"], "the rest of '[path]' did not fit");
    // An envelope goes into the text; the place for data is for data.
    let mut wire = Wire::legacy(Guard::new(Shop).dialect(Dialect::ResponseV2)).await;
    let answer = wire.call("degraded", json!({})).await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("\"success\": true"), "{text}");
    let structured = &answer["result"]["structuredContent"];
    assert_eq!(*structured, json!({"text": "half of /srv"}));
    // There is no problem to tell.
    let mut wire = Wire::legacy(Guard::new(Shop).dialect(Dialect::Problem)).await;
    let answer = wire.call("degraded", json!({})).await;
    assert!(answer["result"]["_meta"]["dev.breakfall/success"].is_object());
}

#[tokio::test(start_paused = true)]
async fn a_batch_tells_of_each_item_that_failed() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("empty_drawers", json!({})).await;
    let batch = &answer["result"]["_meta"]["dev.breakfall/batch"];
    assert_eq!(batch["failed"], 2, "{answer}");
    assert!(answer["result"].get("isError").is_none(), "a part of it");
    let told = log.all();
    let items: Vec<_> = told.iter().map(|told| told.item).collect();
    assert_eq!(items, [Some(1), Some(2)]);
    for told in &told {
        let at = told.item.unwrap();
        let error = &batch["results"][at]["error"];
        assert_eq!(error["correlation_id"], *told.id);
        assert!(told.report.contains("/srv/drawers"), "{}", told.report);
    }
    assert!(!answer.to_string().contains("/srv/drawers"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_question_is_no_error_wherever_it_comes_out() {
    let mut wire = Wire::legacy(Guard::new(Shop)).await;
    let answer = wire.call("asks", json!({})).await;
    assert!(answer["result"].get("isError").is_none(), "{answer}");
    let question = &answer["result"]["_meta"]["dev.breakfall/needs_input"];
    assert_eq!(question["message"], "Which till?");
    // The same fault asks in one dialect and fails in another.
    let arguments = json!({"code": "CONFIRMATION_REQUIRED"});
    let answer = wire.call("fail", arguments.clone()).await;
    assert_eq!(answer["result"]["isError"], true);
    let mut wire = Wire::legacy(Guard::new(Shop).dialect(Dialect::ToolError)).await;
    let answer = wire.call("fail", arguments).await;
    assert!(answer["result"].get("isError").is_none(), "{answer}");
    assert_eq!(
        answer["result"]["structuredContent"]["kind"],
        "needsInput:v1"
    );
}

#[tokio::test(start_paused = true)]
async fn nothing_private_leaves_except_what_the_caller_sent() {
    let arguments = json!({"path": "/home/ada/list.txt"});
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Shop))).await;
    let answer = wire.call("open", arguments.clone()).await;
    let object = &answer["result"]["_meta"]["dev.breakfall/error"];
    let message = "cannot open '/home/ada/list.txt': it is not below '[path]'";
    assert_eq!(object["message"], message);
    let report = log.only().report;
    assert!(report.contains("/srv/lists"), "{report}");
    assert!(!report.contains("hunter2"), "{report}");
    let server = Guard::new(Shop).audience(Audience::Unredacted);
    let mut wire = Wire::legacy(server).await;
    let answer = wire.call("open", arguments).await;
    assert!(answer.to_string().contains("/srv/lists"), "{answer}");
}

#[tokio::test(start_paused = true)]
async fn without_a_guard_a_fault_is_a_native_error() {
    let mut wire = Wire::legacy(Shop).await;
    let answer = wire.call("open", json!({"path": "a"})).await;
    assert_eq!(answer["result"]["isError"], true);
    let object = &answer["result"]["_meta"]["dev.breakfall/error"];
    let message = "cannot open 'a': it is not below '[path]'";
    assert_eq!(object["message"], message);
}

#[tokio::test(start_paused = true)]
async fn a_tool_with_a_schema_for_its_output_fails_where_another_would_ask() {
    let mut wire = Wire::legacy(Guard::new(Shop).dialect(Dialect::ToolError)).await;
    let arguments = json!({"code": "CONFIRMATION_REQUIRED"});
    let answer = wire.call("fail_typed", arguments).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let object = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(object["code"], "CONFIRMATION_REQUIRED");
}

#[tokio::test(start_paused = true)]
async fn failures_speak_the_language_of_their_caller() {
    let log = Log::default();
    let server = Guard::new(Shop)
        .language(Language::German)
        .language_of(|context| {
            let ranges = context.meta.get("example.com/language")?.as_str()?;
            Language::negotiate(ranges).map(Into::into)
        });
    let mut wire = Wire::legacy(log.on(server)).await;
    let call = json!({"name": "order", "arguments": {"sku": "coffee"}});
    let answer = wire.request("tools/call", call.clone()).await;
    let message = &answer["result"]["_meta"]["dev.breakfall/error"]["message"];
    assert_eq!(message, "article 'coffee' nicht gefunden");
    let mut spanish = call;
    spanish["_meta"] = json!({"example.com/language": "es-MX"});
    let answer = wire.request("tools/call", spanish).await;
    let text = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("article 'coffee' no encontrado"), "{text}");
    let answer = wire.request("resources/read", json!({"uri": "a:b"})).await;
    let object = &answer["error"]["data"]["dev.breakfall/error"];
    let user = object["user_message"].as_str().unwrap();
    assert!(!user.is_ascii() || user.contains("Die"), "{object}");
    for told in log.all().iter().filter(|told| told.tool.is_some()) {
        let report = &told.report;
        assert!(report.contains("article 'coffee' not found"), "{report}");
    }
}

/// Everything that carries words of ours, whatever the method.
#[tokio::test(start_paused = true)]
async fn every_method_is_answered_in_the_language_of_its_caller() {
    let spanish = |mut params: Value| {
        params["_meta"] = json!({"example.com/language": "es-MX"});
        params
    };
    let mut wire = Wire::legacy(by_meta(Guard::new(Faulty))).await;
    for (method, params) in [
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        ("resources/list", json!({})),
        ("shop/close", json!({})),
        ("resources/read", json!({"uri": "a:b"})),
        ("prompts/get", json!({"name": "greet"})),
        ("resources/subscribe", json!({"uri": "a:b"})),
    ] {
        let english = wire.request(method, params.clone()).await;
        let answer = wire.request(method, spanish(params)).await;
        let (english, object) = (object_of(&english), object_of(&answer));
        for key in ["remediation", "user_message"] {
            assert!(object[key].is_string(), "{method}: {answer}");
            assert_ne!(object[key], english[key], "{method}");
        }
    }
    let mut wire = Wire::legacy(by_meta(Guard::new(Shop))).await;
    let near = spanish(json!({"name": "ordr", "arguments": {}}));
    let answer = wire.request("tools/call", near).await;
    let said = "Herramienta desconocida: 'ordr'; ¿se quería decir 'order'?";
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.starts_with(said), "{message}");
    let answer = wire.request("no/such", spanish(json!({}))).await;
    assert_eq!(
        object_of(&answer)["message"],
        "Método desconocido: 'no/such'"
    );
    let answer = wire.request("tools/call", spanish(json!({}))).await;
    let message = answer["error"]["message"].as_str().unwrap();
    let said = "Falta el parámetro requerido 'name' [";
    assert!(message.starts_with(said), "{message}");
    let unfit = spanish(json!({"name": "refused", "arguments": {"data": [7]}}));
    let answer = wire.request("tools/call", unfit).await;
    let words = answer["error"]["message"].as_str().unwrap();
    assert!(words.contains("Fix: Corregir"), "{words}");
}

fn by_meta<H>(guard: Guard<H>) -> Guard<H> {
    guard.language_of(|context| {
        let ranges = context.meta.get("example.com/language")?.as_str()?;
        Language::negotiate(ranges).map(Into::into)
    })
}

fn object_of(answer: &Value) -> &Value {
    let data = &answer["error"]["data"];
    data.get("dev.breakfall/error").unwrap_or(data)
}
