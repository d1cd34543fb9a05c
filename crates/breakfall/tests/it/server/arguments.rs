//! Arguments that do not fit are told as a tool result, with the code of what is wrong with them.

use breakfall::server::{ArgumentCheck, Guard};
use serde_json::{Value, json};

use super::others::Changing;
use super::shop::Shop;
use super::wire::Wire;

const CHECKS: [ArgumentCheck; 3] = [
    ArgumentCheck::Off,
    ArgumentCheck::Warn,
    ArgumentCheck::Reject,
];

#[tokio::test(start_paused = true)]
async fn what_is_wrong_with_an_argument_has_a_code_of_its_own() {
    let cases = [
        (json!({}), "VALIDATION_MISSING_PARAM", "sku"),
        (json!({"sku": 7}), "VALIDATION_INVALID_TYPE", "sku"),
        (
            json!({"sku": "tea", "count": "many"}),
            "VALIDATION_INVALID_TYPE",
            "count",
        ),
        (
            json!({"sku": "tea", "count": -1}),
            "VALIDATION_OUT_OF_RANGE",
            "count",
        ),
        (
            json!({"sku": "tea", "wrap": "papre"}),
            "VALIDATION_INVALID_ENUM",
            "wrap",
        ),
    ];
    for check in CHECKS {
        let mut wire = Wire::legacy(Guard::new(Shop).validate(check)).await;
        for (arguments, code, field) in &cases {
            let answer = wire.call("order", arguments.clone()).await;
            let object = &answer["result"]["_meta"]["dev.breakfall/error"];
            assert_eq!(answer["result"]["isError"], true, "{answer}");
            assert_eq!(object["code"], *code, "{check:?} {arguments}: {object}");
            assert_eq!(object["details"]["param_name"], *field, "{object}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn every_broken_rule_is_told_and_the_arguments_that_would_do() {
    for check in [ArgumentCheck::Warn, ArgumentCheck::Reject] {
        let mut wire = Wire::legacy(Guard::new(Shop).validate(check)).await;
        let arguments = json!({"sku": "tea", "count": "2", "wrap": "papre"});
        let answer = wire.call("order", arguments).await;
        let object = &answer["result"]["_meta"]["dev.breakfall/error"];
        let broken = object["violations"].as_array().map(Vec::len);
        assert_eq!(broken, Some(2), "{check:?}: {object}");
        let better = &object["corrective_params"];
        assert_eq!(*better, json!({"sku": "tea", "count": 2, "wrap": "paper"}));
        let answer = wire.call("order", better.clone()).await;
        let text = &answer["result"]["content"][0]["text"];
        assert_eq!(text, "2 tea in paper", "sent as they are");
    }
}

/// Having the feature compiled in changes nothing: the schema is looked at where the server asks for that.
#[tokio::test(start_paused = true)]
async fn arguments_beyond_the_schema_pass_pass_with_a_warning_or_are_refused() {
    let call = async |guard: Guard<Shop>| {
        let mut wire = Wire::legacy(guard).await;
        // The schema knows a type that the handler does not mind.
        wire.call("any_count", json!({"count": "7"})).await
    };
    for guard in [
        Guard::new(Shop),
        Guard::new(Shop).validate(ArgumentCheck::Off),
    ] {
        let answer = call(guard).await;
        assert_eq!(answer["result"]["content"][0]["text"], "7", "{answer}");
        assert!(answer["result"].get("_meta").is_none(), "{answer}");
    }
    let answer = call(Guard::new(Shop).validate(ArgumentCheck::Warn)).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert_eq!(answer["result"]["content"][0]["text"], "7", "{answer}");
    let warnings = &answer["result"]["_meta"]["dev.breakfall/success"]["warnings"];
    assert_eq!(warnings[0]["code"], "ARGUMENTS_MISMATCH", "{answer}");
    assert_eq!(warnings[0]["context"]["params"], json!(["count"]));
    let text = answer["result"]["content"][1]["text"].as_str();
    assert!(
        text.is_some_and(|text| text.contains("'count'")),
        "{answer}"
    );
    let answer = call(Guard::new(Shop).validate(ArgumentCheck::Reject)).await;
    let object = &answer["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(object["code"], "VALIDATION_INVALID_TYPE", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn what_only_the_handler_finds_wrong_is_told_the_same_way() {
    let mut wire = Wire::legacy(Guard::new(Shop)).await;
    for (count, code) in [
        (json!("x"), "VALIDATION_INVALID_TYPE"),
        (json!(300), "VALIDATION_OUT_OF_RANGE"),
    ] {
        let answer = wire.call("loose", json!({"count": count})).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let object = &answer["result"]["_meta"]["dev.breakfall/error"];
        assert_eq!(object["code"], code, "{object}");
        assert_eq!(object["details"]["param_name"], "count");
        assert_eq!(object["provenance"]["rule"], "words of serde");
    }
}

#[tokio::test(start_paused = true)]
async fn arguments_are_held_against_the_schema_the_tool_has_now() {
    let tool = Changing::default();
    let guard = Guard::new(tool.clone()).validate(ArgumentCheck::Reject);
    let mut wire = Wire::legacy(guard).await;
    let answer = wire.call("changing", json!({})).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    tool.set(json!({"type": "object"}));
    let answer = wire.call("changing", json!({})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "fine", "{answer}");
    // A schema nobody can read says nothing about arguments.
    tool.set(json!({"type": 7}));
    let answer = wire.call("changing", json!({"old": true})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "fine", "{answer}");
    tool.remove();
    let answer = wire.call("changing", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let data = &answer["error"]["data"];
    assert_eq!(data["code"], "NOT_FOUND_OPERATION", "{answer}");
}

#[tokio::test(start_paused = true)]
async fn a_wrong_argument_is_not_sent_back_whole() {
    let long = "x".repeat(200_000);
    for check in CHECKS {
        let mut wire = Wire::legacy(Guard::new(Shop).validate(check)).await;
        for arguments in [
            json!({"sku": {"name": long}}),
            json!({"sku": "tea", "count": long}),
            json!({"sku": "tea", "wrap": long}),
        ] {
            let answer = wire.call("order", arguments).await;
            assert_eq!(answer["result"]["isError"], true);
            let length = answer.to_string().len();
            assert!(length < 20_000, "{length} bytes for a mistake");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_no_call_is_invalid_rather_than_unknown() {
    let mut wire = Wire::legacy(Guard::new(Shop)).await;
    for (params, field) in [
        (Value::Null, "name"),
        (json!({}), "name"),
        (json!({"name": 7}), "name"),
        (json!({"name": "order", "arguments": "tea"}), "arguments"),
    ] {
        let answer = wire.request("tools/call", params.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{params}: {answer}");
        let details = &answer["error"]["data"]["details"];
        assert_eq!(details["param_name"], field, "{answer}");
    }
}
