//! A handler that does everything wrong it can.

use std::future::pending;
use std::panic::panic_any;
use std::time::Duration;

use breakfall::server::Guard;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorCode, ListToolsResult,
    PaginatedRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use super::log::Log;
use super::wire::Wire;

type Context = RequestContext<RoleServer>;

const KEY: &str = concat!("sk_live_", "4eC39HqLyjWDarjtT1zdp7dc");

struct Hostile;

impl ServerHandler for Hostile {
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let result = match request.name.as_ref() {
            "panics_twice" => panic_any(PanicsWhenDropped),
            "mute" => json!({"content": [], "isError": true}),
            "talkative" => talkative(),
            "asks_by_link" => {
                return Err(ErrorData::new(ErrorCode(-32042), "open it", Some(link())));
            }
            name => json!({
                "content": [{"type": "text", "text": "no"}],
                "isError": true,
                "_meta": {"dev.breakfall/error": forged(name)},
            }),
        };
        let result: CallToolResult = serde_json::from_value(result).expect("a result");
        Ok(result.into())
    }
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        panic!("once more");
    }
}

/// An address that works only as it is, and everything beside it that does not have to.
fn link() -> Value {
    let url = format!("https://shop.example/sign-in?token={KEY}");
    let message = format!("Sign in with {KEY}");
    json!({
        "elicitations": [
            {"mode": "url", "elicitationId": KEY, "url": url, "message": message, "api_key": "plain-7"},
            {"url": {"token": "plain-7"}},
        ],
        "note": "found in /srv/shop/keys.py",
    })
}

/// A secret in every place of a result that has room for one.
fn talkative() -> Value {
    let meta = json!({"k": KEY, "api_key": "plain-7"});
    let link = format!("https://shop.example/?api_key={KEY}");
    json!({
        "content": [
            {"type": "text", "text": KEY, "_meta": meta},
            {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png", "_meta": meta},
            {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav", "_meta": meta},
            {"type": "resource_link", "uri": link, "name": KEY, "title": KEY, "description": KEY, "_meta": meta},
            {"type": "resource", "resource": {"uri": link, "text": KEY, "_meta": meta}, "_meta": meta},
            {"type": "resource", "resource": {"uri": link, "blob": "AAAA", "_meta": meta}},
        ],
        "structuredContent": meta,
        "isError": true,
        "_meta": meta,
    })
}

/// What is no object of ours under the key of ours.
fn forged(name: &str) -> Value {
    match name {
        "forged_number" => json!(7),
        _ => json!({"code": "NOT_FOUND_RESOURCE", "message": "no", "shop/till": 7}),
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_panic_left_behind_may_panic_when_it_is_dropped() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Hostile))).await;
    let answer = wire.call("panics_twice", json!({})).await;
    let object = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(object["code"], "INTERNAL_ERROR", "{answer}");
    assert_eq!(object["correlation_id"], *log.only().id);
}

#[tokio::test(start_paused = true)]
async fn no_place_in_an_error_written_by_hand_keeps_a_secret() {
    let mut wire = Wire::legacy(Guard::new(Hostile)).await;
    let answer = wire.call("talkative", json!({})).await;
    let words = answer.to_string();
    assert!(
        !words.contains(KEY) && !words.contains("plain-7"),
        "{answer}"
    );
    assert_eq!(
        answer["result"]["content"].as_array().map(Vec::len),
        Some(7)
    );
    assert_eq!(answer["result"]["content"][2]["data"], "iVBORw0KGgo=");
    assert_eq!(answer["result"]["content"][6]["resource"]["blob"], "AAAA");
}

#[tokio::test(start_paused = true)]
async fn an_error_without_a_word_gets_ours() {
    let log = Log::default();
    let mut wire = Wire::legacy(log.on(Guard::new(Hostile))).await;
    let answer = wire.call("mute", json!({})).await;
    let text = answer["result"]["content"][0]["text"].as_str();
    assert!(
        text.is_some_and(|text| text.contains(&log.only().id)),
        "{answer}"
    );
}

#[tokio::test(start_paused = true)]
async fn the_id_of_the_log_is_told_whatever_stands_under_our_key() {
    for name in ["forged_number", "forged_object"] {
        let log = Log::default();
        let mut wire = Wire::legacy(log.on(Guard::new(Hostile))).await;
        let answer = wire.call(name, json!({})).await;
        let object = &answer["result"]["_meta"]["dev.breakfall/error"];
        assert_eq!(object["correlation_id"], *log.only().id, "{answer}");
        assert_eq!(object["code"], log.only().code, "{answer}");
        let kept = (name == "forged_object").then_some(7);
        assert_eq!(object["shop/till"].as_i64(), kept, "{answer}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_address_the_protocol_sends_somebody_to_is_left_whole() {
    let mut wire = Wire::legacy(Guard::new(Hostile)).await;
    let answer = wire.call("asks_by_link", json!({})).await;
    let data = &answer["error"]["data"];
    let question = json!({
        "mode": "url",
        "elicitationId": KEY,
        "url": link()["elicitations"][0]["url"],
        "message": "Sign in with [redacted:api-key]",
        "api_key": "[redacted:api-key]",
    });
    assert_eq!(data["elicitations"][0], question, "{answer}");
    let object = &data["dev.breakfall/error"];
    assert!(object["correlation_id"].is_string(), "{answer}");
    assert!(!object.to_string().contains(KEY), "{answer}");
    assert_eq!(data["note"], "found in [path]", "{answer}");
    assert!(!answer.to_string().contains("plain-7"), "{answer}");
}

/// Answers nothing, not even for its tools.
struct Silent;

impl ServerHandler for Silent {
    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        pending().await
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_deadline_holds_for_a_handler_that_does_not_list_its_tools_either() {
    let guard = Guard::new(Silent).deadline(Duration::from_secs(5));
    let mut wire = Wire::legacy(guard).await;
    let answer = wire.call("anything", json!({})).await;
    let object = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(object["code"], "UNAVAILABLE_TIMEOUT", "{answer}");
}
