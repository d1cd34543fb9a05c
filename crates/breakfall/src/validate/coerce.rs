//! What a value of the wrong type was meant to be, when that is plain.

use jsonschema::{JsonType, JsonTypeSet};
use serde_json::{Number, Value};

/// The values a value may have been meant for, given the types that are allowed. Whether they fit the schema is for
/// the schema to say.
pub(super) fn coercions(value: &Value, types: JsonTypeSet) -> Vec<Value> {
    let mut meant = Vec::new();
    match value {
        Value::String(text) => from_text(text, types, &mut meant),
        // A whole number and a truth value have one spelling; a fraction has many.
        Value::Number(number) if types.contains(JsonType::String) => {
            if number.is_i64() || number.is_u64() {
                meant.push(number.to_string().into());
            }
        }
        Value::Bool(truth) if types.contains(JsonType::String) => {
            meant.push(truth.to_string().into());
        }
        Value::Number(_) | Value::Bool(_) | Value::Null | Value::Array(_) | Value::Object(_) => {}
    }
    let read = meant
        .iter()
        .any(|meant| meant.is_array() || meant.is_object());
    if !read && types.contains(JsonType::Array) && is_single(value) {
        meant.push(Value::Array(vec![value.clone()]));
    }
    meant
}

/// Texts are read as JSON where they are JSON: models write `"50"`, `"True"` and `"[\"a\"]"`.
fn from_text(text: &str, types: JsonTypeSet, meant: &mut Vec<Value>) {
    let text = text.trim();
    let has = |kind| types.contains(kind);
    let read = || serde_json::from_str::<Value>(text).ok();
    match text.as_bytes().first() {
        Some(b'{') if has(JsonType::Object) => meant.extend(read().filter(Value::is_object)),
        Some(b'[') if has(JsonType::Array) => meant.extend(read().filter(Value::is_array)),
        Some(b'-' | b'0'..=b'9') if has(JsonType::Number) || has(JsonType::Integer) => {
            meant.extend(number(text, has(JsonType::Number)).map(Value::Number));
        }
        _ => {}
    }
    if has(JsonType::Boolean) {
        let truths = [true, false].into_iter();
        meant.extend(
            truths
                .filter(|truth| text.eq_ignore_ascii_case(&truth.to_string()))
                .map(Value::Bool),
        );
    }
    if has(JsonType::Null) && text.eq_ignore_ascii_case("null") {
        meant.push(Value::Null);
    }
}

/// The number a text spells, if nothing of it gets lost.
fn number(text: &str, fraction: bool) -> Option<Number> {
    let number: Number = serde_json::from_str(text).ok()?;
    if number.is_i64() || number.is_u64() {
        return Some(number);
    }
    let value = number.as_f64()?;
    match whole(value) {
        Some(whole) => Some(whole),
        // Digits alone that are no integer any more are an identifier, and rounding one makes another.
        None if fraction && text.contains(['.', 'e', 'E']) => Some(number),
        None => None,
    }
}

/// A number without a fraction as the integer it is.
pub(super) fn whole(value: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole and within the exact range"
    )]
    let whole = (value.fract() == 0.0 && value.abs() < EXACT).then(|| Number::from(value as i64));
    whole
}

/// Whether a value is one thing, rather than several in a text.
fn is_single(value: &Value) -> bool {
    match value {
        Value::String(text) => {
            !text.trim().is_empty() && !text.contains([',', ';', '\n', '[', '{'])
        }
        Value::Number(_) | Value::Bool(_) | Value::Object(_) => true,
        Value::Null | Value::Array(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_is_plain_is_coerced() {
        use JsonType as T;
        for (value, types, meant) in [
            (json!("50"), T::Integer.into(), vec![json!(50)]),
            (json!(" -7 "), T::Integer.into(), vec![json!(-7)]),
            (json!("5.0"), T::Integer.into(), vec![json!(5)]),
            (json!("1e3"), T::Integer.into(), vec![json!(1000)]),
            (json!("2.5"), T::Integer.into(), vec![]),
            (json!("2.5"), T::Number.into(), vec![json!(2.5)]),
            (json!("007"), T::Integer.into(), vec![]),
            (json!("0x10"), T::Integer.into(), vec![]),
            (json!("1,000"), T::Integer.into(), vec![]),
            (json!("123456789012345678901234"), T::Number.into(), vec![]),
            (json!("True"), T::Boolean.into(), vec![json!(true)]),
            (json!("yes"), T::Boolean.into(), vec![]),
            (json!(1), T::Boolean.into(), vec![]),
            (json!("null"), T::Null | T::Integer, vec![json!(null)]),
            (json!(12), T::String.into(), vec![json!("12")]),
            (json!(1.5), T::String.into(), vec![]),
            (json!(true), T::String.into(), vec![json!("true")]),
            (json!("a"), T::Array.into(), vec![json!(["a"])]),
            (json!("a, b"), T::Array.into(), vec![]),
            (json!(5), T::String | T::Array, vec![json!("5"), json!([5])]),
            (json!("[1, 2]"), T::Array.into(), vec![json!([1, 2])]),
            (json!("[1, 2"), T::Array.into(), vec![]),
            (json!({"a": 1}), T::Array.into(), vec![json!([{"a": 1}])]),
            (json!("{\"a\": 1}"), T::Object.into(), vec![json!({"a": 1})]),
            (json!("{}"), T::Array.into(), vec![]),
            (json!(null), T::Array.into(), vec![]),
            (json!([1]), T::Integer.into(), vec![]),
        ] {
            assert_eq!(coercions(&value, types), meant, "{value} as {types:?}");
        }
    }
}
