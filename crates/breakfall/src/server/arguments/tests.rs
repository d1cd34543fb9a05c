//! The words serde really has, for arguments that really do not fit.

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only reading them is the subject")]
struct Order {
    sku: String,
    count: Option<u8>,
    weight: Option<f64>,
    gift: Option<bool>,
    tags: Option<Vec<String>>,
    wrap: Option<Wrap>,
    to: Option<Address>,
    pair: Option<(i64, i64)>,
    mark: Option<char>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Wrap {
    Paper,
    Box,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only reading them is the subject")]
struct Address {
    zip: i32,
}

/// The fault of arguments, told in the words serde really has for them.
fn told(arguments: &Value) -> Fault {
    let Err(error) = serde_json::from_value::<Order>(arguments.clone()) else {
        panic!("they fit: {arguments}");
    };
    let message = format!("{UNREADABLE} {error}");
    let sent = json!({"name": "order", "arguments": arguments});
    fault_of_error(&ErrorData::invalid_params(message, None), &sent).expect("a fault")
}

/// Arguments, the code of what is wrong with them, and where.
const CASES: &str = r#"
MISSING_PARAM sku {}
INVALID_TYPE sku {"sku": 7}
INVALID_TYPE sku {"sku": null}
INVALID_TYPE sku {"sku": true}
INVALID_TYPE sku {"sku": {}}
INVALID_TYPE sku {"sku": 1.5}
INVALID_TYPE count {"sku": "a", "count": "b"}
INVALID_TYPE count {"sku": "a", "count": 1.5}
OUT_OF_RANGE count {"sku": "a", "count": 256}
OUT_OF_RANGE count {"sku": "a", "count": -1}
INVALID_TYPE weight {"sku": "a", "weight": "b"}
INVALID_TYPE gift {"sku": "a", "gift": "yes"}
INVALID_TYPE tags {"sku": "a", "tags": 1}
INVALID_TYPE tags.1 {"sku": "a", "tags": ["b", 2]}
INVALID_ENUM wrap {"sku": "a", "wrap": "papper"}
INVALID_TYPE to.zip {"sku": "a", "to": {"zip": "b"}}
INVALID_VALUE mark {"sku": "a", "mark": "bc"}
"#;

#[test]
fn the_words_of_serde_become_codes() {
    for case in CASES.trim().lines() {
        let [code, field, arguments] = case.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("three columns: {case}");
        };
        let fault = told(&serde_json::from_str(arguments).expect("JSON"));
        let name = fault.code().name().strip_prefix("VALIDATION_");
        assert_eq!(name, Some(code), "{case}");
        let at = fault.public().details().text("param_name");
        assert_eq!(at, Some(field), "{case}");
    }
}

#[test]
fn the_message_names_json_types_and_no_values() {
    let fault = told(&json!({"sku": "a", "count": "hunter2"}));
    let message = fault.public().message();
    assert_eq!(
        message,
        "Parameter 'count' expected 'integer', got 'string'"
    );
}

#[test]
fn a_typo_gets_the_right_name() {
    let fault = told(&json!({"sku": "a", "cuont": 1}));
    assert_eq!(fault.code(), codes::VALIDATION_UNKNOWN_PARAM);
    let violation = fault.public().violations()[0].to_value();
    assert_eq!(violation["suggestion"], "count");
    let fault = told(&json!({"sku": "a", "wrap": "papr"}));
    let violation = fault.public().violations()[0].to_value();
    assert_eq!(violation["suggestion"], "paper");
}

#[test]
fn a_value_that_stands_in_two_places_accuses_neither() {
    let fault = told(&json!({"sku": "a", "count": "a"}));
    assert_eq!(fault.code(), codes::VALIDATION_INVALID_TYPE);
    assert_eq!(fault.public().details().get("param_name"), None);
    let message = fault.public().message();
    assert_eq!(message, "An argument must be integer, got string");
}

#[test]
fn words_nobody_knows_are_kept_in_short() {
    let fault = told(&json!({"sku": "a", "pair": [1]}));
    assert_eq!(fault.code(), codes::VALIDATION_INVALID_VALUE);
    let message = fault.public().message();
    let start = "The arguments do not fit: invalid length 1";
    assert!(message.starts_with(start), "{message}");
    let long = format!("{UNREADABLE} {}", "ü".repeat(100_000));
    let fault = fault_of_error(&ErrorData::invalid_params(long, None), &Value::Null);
    assert!(fault.expect("a fault").public().message().len() < 300);
}

#[test]
fn other_errors_are_not_about_arguments() {
    let error = ErrorData::invalid_params("tool not found", None);
    assert!(fault_of_error(&error, &Value::Null).is_none());
}
