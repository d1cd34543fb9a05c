//! Whatever a server sent is still there.

use breakfall::wire::{Dialect, Format};
use breakfall_gateway::reply::{ReplyOptions, failed};
use proptest::prelude::*;
use serde_json::{Map, Value};

use super::{error, failure, parsed, result};

/// A value without anything to redact: short words and small numbers, under keys that name no secret, as `pw` would.
fn harmless() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-999_i32..999).prop_map(Value::from),
        "[a-z]{0,6}( [a-z]{1,5}){0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[q-z]{1,4}", inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

fn members() -> impl Strategy<Value = Vec<(String, Value)>> {
    prop::collection::vec(("x[p-z]{1,4}", harmless()), 0..4)
}

fn blocks() -> impl Strategy<Value = Vec<Value>> {
    let one = prop_oneof![
        "[a-z ]{0,20}".prop_map(|text| serde_json::json!({"type": "text", "text": text, "annotations": {"priority": 1}})),
        Just(serde_json::json!({"type": "image", "data": "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHBpY3R1cmU=", "mimeType": "image/png"})),
        "[a-z ]{0,9}".prop_map(|text| serde_json::json!({"type": "resource", "resource": {"uri": "note:a", "text": text}})),
        harmless(),
    ];
    prop::collection::vec(one, 0..4)
}

fn manners() -> impl Strategy<Value = ReplyOptions> {
    let dialect = prop::sample::select(Dialect::ALL);
    let format = prop::sample::select(Format::ALL);
    let schema = prop::sample::select(vec![None, Some(true), Some(false)]);
    (dialect, format, any::<bool>(), schema).prop_map(|(dialect, format, strict, schema)| {
        ReplyOptions::default()
            .dialect(dialect)
            .format(format)
            .strict(strict)
            .output_schema(schema)
    })
}

/// What is no block is in one of text.
fn readable(block: &Value) -> Value {
    if block.get("type").is_some() {
        return block.clone();
    }
    let text = block
        .as_str()
        .map_or_else(|| block.to_string(), str::to_owned);
    serde_json::json!({"type": "text", "text": text})
}

/// Every member of the one is a member of the other; what is an object may have gained more.
fn is_kept(theirs: &Value, told: &Value) -> bool {
    match (theirs, told) {
        (Value::Object(theirs), Value::Object(told)) => theirs
            .iter()
            .all(|(key, value)| told.get(key).is_some_and(|told| is_kept(value, told))),
        (theirs, told) => theirs == told,
    }
}

proptest! {
    #[test]
    fn blocks_metadata_and_unknown_members_of_a_result_are_kept(
        content in blocks(),
        meta in members(),
        unknown in members(),
        structured in prop::option::of(harmless()),
        manner in manners(),
    ) {
        let mut body = Map::new();
        body.insert("content".to_owned(), content.clone().into());
        body.insert("isError".to_owned(), true.into());
        body.insert("_meta".to_owned(), meta.into_iter().collect::<Map<_, _>>().into());
        body.extend(unknown);
        body.extend(structured.map(|value| ("structuredContent".to_owned(), value)));
        let body = Value::Object(body);
        let frame = result(&body.to_string());
        let failure = failure(&frame);
        let said = failed(&failure, Some(&frame), &manner, "{}");
        let told = parsed(&said);
        for (key, value) in body.as_object().expect("an object") {
            if key == "content" || key == "structuredContent" && value.is_null() {
                continue;
            }
            if key == "structuredContent" && !value.is_object() {
                prop_assert_eq!(&told[key]["result"], value);
                continue;
            }
            prop_assert!(is_kept(value, &told[key]), "{key}: {value} in {told}");
        }
        let blocks = told["content"].as_array().expect("blocks");
        let readable: Vec<Value> = content.iter().map(readable).collect();
        prop_assert!(blocks.ends_with(&readable), "{told}");
        prop_assert!(!blocks.is_empty());
        if !manner.strict {
            let read = breakfall::read(told.clone());
            let read = read.outcome.fault().expect("a failure").public();
            let fault = failure.fault.public();
            prop_assert_eq!(read.code(), fault.code());
            prop_assert_eq!(read.retry().is_retryable(), fault.retry().is_retryable());
            prop_assert_eq!(read.correlation_id(), fault.correlation_id());
        }
    }

    #[test]
    fn code_data_and_unknown_members_of_an_error_are_kept(
        code in prop_oneof![Just(0_i64), -33_000_i64..-31_000, any::<i32>().prop_map(i64::from)],
        message in "[a-z ]{0,20}",
        data in prop::option::of(harmless()),
        unknown in members(),
        manner in manners(),
    ) {
        let mut body: Map<String, Value> = unknown.into_iter().collect();
        body.insert("code".to_owned(), code.into());
        body.insert("message".to_owned(), message.into());
        body.extend(data.map(|data| ("data".to_owned(), data)));
        let body = Value::Object(body);
        let frame = error(&body.to_string());
        let failure = failure(&frame);
        let said = failed(&failure, Some(&frame), &manner, "{}");
        let told = parsed(&said);
        for (key, value) in body.as_object().expect("an object") {
            let is_room = key == "data" && value.is_null();
            let is_said = key == "message" && told["message"].as_str().is_some_and(|told| told.contains(value.as_str().unwrap_or_default().trim()));
            prop_assert!(is_room || is_said || is_kept(value, &told[key]), "{key}: {value} in {told}");
        }
        if !manner.strict {
            let read = breakfall::read(serde_json::json!({"jsonrpc": "2.0", "id": 1, "error": told}));
            let read = read.outcome.fault().expect("a failure").public();
            let has_room = body.get("data").is_none_or(|data| data.is_null() || data.is_object());
            if has_room {
                prop_assert_eq!(read.code(), failure.fault.code());
                prop_assert_eq!(read.retry().is_retryable(), failure.fault.public().retry().is_retryable());
            }
        }
    }
}

#[test]
fn what_is_not_redacted_keeps_its_bytes() {
    let body = r#"{ "isError" : true , "b" : 1.50e3 , "content" : [ {"text":"\u0041b","type":"text", "z":1e400} ] , "_meta" : {"k":12345678901234567890123,"k":0} , "b":-0.0 }"#;
    let frame = result(body);
    let said = failed(
        &failure(&frame),
        Some(&frame),
        &ReplyOptions::default(),
        "{}",
    );
    let told = said.body();
    for part in [
        r#""b" : 1.50e3 ,"#,
        r#"{"text":"\u0041b","type":"text", "z":1e400}"#,
        r#"{"k":12345678901234567890123,"k":0,"dev.breakfall/error":"#,
        r#", "b":-0.0 }"#,
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
}
