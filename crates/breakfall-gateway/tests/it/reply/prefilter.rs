//! The first look at an answer misses nothing a full reading would find, and nothing that comes is any trouble.

use breakfall::Outcome;
use breakfall::classify::Classifier;
use breakfall::read::{FailureEvidence, read_by};
use breakfall::wire::Options;
use breakfall_gateway::classify::{
    HiddenFailures, JudgedRequest, Rules, Verdict, judge, judge_result,
};
use breakfall_gateway::reply::{ReplyBody, ReplyOptions, failed};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{error, parsed, result};

fn words() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "Error: no such table",
        "fine",
        "",
        "404 Not Found",
        "MCP error -32602: nope",
        "[NOT_FOUND_RESOURCE] gone\nFix: look\nRetry: no\nReference: abc",
        "toolError:v1",
        "needsInput:v1",
        "error",
        "urn:breakfall:code:INTERNAL_ERROR",
        "not_found",
        "NOT_FOUND",
        "{\"error\": \"inner\"}",
    ]);
    prop_oneof![known.prop_map(str::to_owned), "[a-z ]{0,12}"]
}

/// Objects that look more or less like failures.
fn objects() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec![
        "success",
        "ok",
        "error",
        "errors",
        "status",
        "statusCode",
        "code",
        "kind",
        "type",
        "category",
        "retry",
        "retryable",
        "recovery_actions",
        "message",
        "detail",
        "title",
        "data",
        "meta",
        "result",
        "rows",
        "details",
        "warnings",
        "results",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec![0, 7, 200, 404, 500, 3001, -32602]).prop_map(Value::from),
        words().prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
    ];
    let object = move |inner: BoxedStrategy<Value>| {
        prop::collection::btree_map(key.clone(), inner, 0..5).prop_map(|map| {
            map.into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()
        })
    };
    let inner = prop_oneof![3 => leaf.clone(), 1 => object.clone()(leaf.boxed())];
    object(inner.boxed())
}

fn results() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        words(),
        objects().prop_map(|object| object.to_string()),
        objects().prop_map(|object| format!(" \n\t{object:#}\n")),
        objects().prop_map(|object| format!(
            "{{\"padding\":\"{}\",{}",
            "x".repeat(40_000),
            &object.to_string()[1..]
        )),
    ];
    let block = prop_oneof![
        4 => text.prop_map(|text| json!({"type": "text", "text": text})),
        1 => Just(json!({"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"})),
    ];
    let structured = prop_oneof![2 => Just(None), 1 => objects().prop_map(Some), 1 => objects().prop_map(|object| Some(json!({"result": object})))];
    (
        prop::collection::vec(block, 0..3),
        structured,
        prop::sample::select(vec![None, Some(false), Some(true)]),
    )
        .prop_map(|(content, structured, flag)| {
            let mut result = json!({"content": content});
            if let Some(structured) = structured {
                result["structuredContent"] = structured;
            }
            if let Some(flag) = flag {
                result["isError"] = flag.into();
            }
            result
        })
}

/// Anything at all in the places of a result.
fn odd() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,16}".prop_map(Value::from),
    ];
    let inner = leaf.prop_recursive(4, 24, 4, |inner| {
        let key = prop::sample::select(vec![
            "type",
            "text",
            "resource",
            "uri",
            "data",
            "_meta",
            "code",
            "message",
            "dev.breakfall/error",
            "elicitations",
            "x",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..4).prop_map(|map| map
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()),
        ]
    });
    let keys = prop::sample::select(vec![
        "content",
        "structuredContent",
        "_meta",
        "resultType",
        "task",
        "extra",
        "data",
    ]);
    prop::collection::btree_map(keys, inner, 0..5).prop_map(|map| {
        map.into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect::<Map<_, _>>()
            .into()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_look_misses_nothing(value in results(), unmask in any::<bool>()) {
        let classifier = Classifier::new().unmask(unmask);
        let reading = read_by(value.clone(), &Options::new(), &classifier);
        let text = value.to_string();
        let hidden = if unmask { HiddenFailures::Likely } else { HiddenFailures::Off };
        let rules = Rules::new();
        let about = JudgedRequest::call("buy", &rules).hidden_failures(hidden);
        let verdict = judge_result(&text, &about);
        // Whoever believes servers believes these, too.
        let is_words = reading.evidence == FailureEvidence::Weak;
        let is_believed = !unmask && (reading.is_guess() || is_words) && value["isError"] != true;
        match (&reading.outcome, &verdict) {
            (Outcome::Fault(_), Verdict::Success) if is_believed => {}
            (_, Verdict::Malformed) => prop_assert!(!value["content"].is_array()),
            (Outcome::Fault(want), Verdict::Failed(failure)) => prop_assert_eq!(want.code(), failure.fault.code()),
            (Outcome::Batch(_), _) | (Outcome::Success(_), Verdict::Success) | (Outcome::NeedsInput(_), Verdict::Asks) => {}
            (want, got) => prop_assert!(false, "{want:?} but {got:?} of {text:.500}"),
        }
    }

    #[test]
    fn whatever_fails_however_oddly_is_told_as_a_valid_answer(mut value in odd(), number in any::<i32>()) {
        value["isError"] = true.into();
        let rules = Rules::new();
        let frame = result(&value.to_string());
        if let Verdict::Failed(failure) = judge(&frame, &JudgedRequest::call("buy", &rules)) {
            let told = parsed(&failed(&failure, Some(&frame), &ReplyOptions::default(), "[1"));
            prop_assert_eq!(&told["isError"], true);
            prop_assert!(told["content"].as_array().is_some_and(|blocks| !blocks.is_empty()), "{told}");
            prop_assert!(told["_meta"]["dev.breakfall/error"]["code"].is_string(), "{told}");
        }
        value["code"] = number.into();
        value["message"] = "it broke".into();
        let frame = error(&value.to_string());
        let Verdict::Failed(failure) = judge(&frame, &JudgedRequest::call("buy", &rules)) else {
            panic!("an error is a failure");
        };
        let said = failed(&failure, Some(&frame), &ReplyOptions::default(), "");
        let told = parsed(&said);
        prop_assert!(matches!(said, ReplyBody::Error(_)));
        prop_assert_eq!(&told["code"], number);
    }
}

#[test]
fn a_hundred_thousand_blocks_are_no_trouble() {
    let block = r#"{"type":"text","text":"/srv/app/x.py"}"#;
    let text = format!(
        r#"{{"isError":true,"content":[{}]}}"#,
        vec![block; 100_000].join(",")
    );
    let frame = result(&text);
    let rules = Rules::new();
    let Verdict::Failed(failure) = judge(&frame, &JudgedRequest::call("buy", &rules)) else {
        panic!("it says so");
    };
    let said = failed(&failure, Some(&frame), &ReplyOptions::default(), "{}");
    assert!(!said.body().contains("/srv"));
    let deep = format!(
        r#"{{"isError":true,"content":[],"x":{}1{}}}"#,
        "[".repeat(100),
        "]".repeat(100)
    );
    let about = JudgedRequest::call("buy", &rules);
    assert!(matches!(judge_result(&deep, &about), Verdict::Failed(_)));
}
