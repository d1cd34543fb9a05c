//! Which arguments are the same.

use std::fmt::Write as _;

use breakfall::confirm::ArgumentsHash;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn hash(text: &str) -> ArgumentsHash {
    ArgumentsHash::of(text, None).expect("JSON")
}

#[test]
fn numbers_are_the_same_in_every_form_and_only_then() {
    let groups: [&[&str]; 8] = [
        &["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"],
        &["0", "-0", "0.0", "0e5", "-0.0E-3"],
        &["-12.5", "-125e-1", "-1.25E1"],
        &["9007199254740992", "9007199254740992.0"],
        &["9007199254740993"],
        &["1e400", "10e399"],
        &["-1e99999999999999999999"],
        &["1e99999999999999999999"],
    ];
    for (at, group) in groups.iter().enumerate() {
        for one in *group {
            for (other_at, others) in groups.iter().enumerate() {
                for other in *others {
                    let (a, b) = (format!("{{\"n\":{one}}}"), format!("{{\"n\":{other}}}"));
                    assert_eq!(hash(&a) == hash(&b), at == other_at, "{one} {other}");
                }
            }
        }
    }
}

#[test]
fn texts_are_the_same_in_every_escape_and_types_differ() {
    assert_eq!(hash(r#"{"a":"\u0041\/\u00e9"}"#), hash(r#"{"a":"A/é"}"#));
    assert_eq!(hash(r#"{"\u0061":1}"#), hash(r#"{"a":1}"#));
    let different = [
        r#"{"a":1}"#,
        r#"{"a":"1"}"#,
        r#"{"a":true}"#,
        r#"{"a":null}"#,
        r#"{"a":[1]}"#,
        r#"{"a":{"1":1}}"#,
        "{}",
        r#"{"a":1,"a":1}"#,
        r#"{"a":[1,2]}"#,
        r#"{"a":[2,1]}"#,
        r#"{"a":[12]}"#,
        r#"{"a":"\ud800"}"#,
        r#"{"a":"\ud801"}"#,
        r#"{"a":{"b":{},"c":1}}"#,
        r#"{"a":{"b":{"c":1}}}"#,
    ];
    for (at, one) in different.iter().enumerate() {
        for other in &different[..at] {
            assert_ne!(hash(one), hash(other), "{one} {other}");
        }
    }
}

#[test]
fn confirmation_arguments_count_only_inside_other_values() {
    let plain = hash(r#"{"id":7}"#);
    for name in [
        "_confirmation",
        "confirmation_token",
        "_quota_continue",
        r"\u005fconfirmation",
    ] {
        assert_eq!(
            hash(&format!(r#"{{"{name}":"conf_x","id":7}}"#)),
            plain,
            "{name}"
        );
        let inside = hash(&format!(r#"{{"id":7,"of":{{"{name}":"conf_x"}}}}"#));
        assert_ne!(inside, hash(r#"{"id":7,"of":{}}"#));
    }
    assert_ne!(hash(r#"{"id":7,"_other":1}"#), plain);
}

#[test]
fn what_is_no_json_or_too_deep_has_no_hash() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let deep = nested(100_000);
    assert!(ArgumentsHash::of(&nested(128), None).is_ok());
    assert!(ArgumentsHash::of(&nested(129), None).is_err());
    for text in ["", "{", "{}}", "nonsense", "{\"a\":}", "{\"a\":01}", &deep] {
        assert!(ArgumentsHash::of(text, None).is_err(), "{text:.40}");
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-c]{1,2}", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// The same JSON in other words: members backwards, with space, with numbers and texts in another form.
fn reworded(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            out.push_str("{ ");
            for (at, (key, value)) in members.iter().rev().enumerate() {
                out.push_str(if at == 0 { "" } else { " ,\n" });
                escaped(key, out);
                out.push_str(" :\t");
                reworded(value, out);
            }
            out.push_str(" }");
        }
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { " " } else { " , " });
                reworded(item, out);
            }
            out.push(']');
        }
        Value::String(text) => escaped(text, out),
        Value::Number(number) => {
            let text = number.to_string();
            let form = if text.contains(['e', 'E']) {
                ""
            } else if text.contains('.') {
                "000e0"
            } else {
                ".00E+0"
            };
            out.push_str(&text);
            out.push_str(form);
        }
        Value::Null | Value::Bool(_) => out.push_str(&value.to_string()),
    }
}

fn escaped(text: &str, out: &mut String) {
    out.push('"');
    for unit in text.encode_utf16() {
        let _ = write!(out, "\\u{unit:04X}");
    }
    out.push('"');
}

proptest! {
    #![proptest_config(crate::properties::cases(512))]

    #[test]
    fn other_words_for_the_same_arguments_have_the_same_hash(value in value()) {
        let arguments = json!({"value": value});
        let mut other = String::new();
        reworded(&arguments, &mut other);
        prop_assert_eq!(hash(&arguments.to_string()), hash(&other), "{}", other);
    }

    #[test]
    fn other_arguments_have_another_hash(one in value(), other in value()) {
        let (a, b) = (json!({"value": &one}).to_string(), json!({"value": &other}).to_string());
        prop_assert_eq!(one == other, hash(&a) == hash(&b));
    }

    #[test]
    fn any_text_has_a_hash_or_none(text in any::<String>()) {
        let _ = ArgumentsHash::of(&text, None);
    }
}
