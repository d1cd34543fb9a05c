//! JSON as a value for validation, including texts that `Value` cannot represent.
//!
//! `1e400` is valid JSON, and servers in other languages accept it and lone surrogates. A call with one is validated
//! with the closest value, and forwarded unchanged.

use std::borrow::Cow;

use breakfall_mcp::jsonrpc::string_end;
use memchr::memchr3;
use serde::Deserialize;
use serde_json::Value;

/// The closest value of a JSON text. `None` if it is invalid, too deep, or too large as a value: an object of three
/// bytes takes more than half a kilobyte.
///
/// ```
/// use breakfall_gateway::tools::nearest;
///
/// assert_eq!(nearest(r#"["cut \ud83d"]"#).expect("it is JSON")[0], "cut \u{fffd}");
/// ```
pub fn value(json: &str) -> Option<Value> {
    if json.len() > SMALL && weight(json) > MAX_VALUE_BYTES {
        return None;
    }
    serde_json::from_str(json)
        .ok()
        .or_else(|| serde_json::from_str(&softened(json)).ok())
}

/// The memory that the value of a text takes, roughly, without its strings.
fn weight(json: &str) -> usize {
    let bytes = json.as_bytes();
    let (mut at, mut weight) = (0, 0);
    while let Some(found) = memchr3(b'"', b'{', b',', &bytes[at..]) {
        at += found;
        match bytes[at] {
            b'"' => {
                at += length_of_string(&json[at..]);
                continue;
            }
            b'{' => weight += OBJECT,
            _ => weight += VALUE,
        }
        at += 1;
    }
    weight
}

/// The members of a JSON object. An array is rejected, though serde would take its items for members.
pub(super) fn members<'a, T: Deserialize<'a>>(json: &'a str) -> Option<T> {
    let is_object = json.trim_ascii_start().starts_with('{');
    is_object.then(|| serde_json::from_str(json).ok())?
}

/// The closest string of a JSON string.
pub(super) fn text(json: &str) -> Option<Cow<'_, str>> {
    let plain = json.strip_prefix('"')?.strip_suffix('"')?;
    if !plain.contains('\\') {
        return Some(Cow::Borrowed(plain));
    }
    match value(json) {
        Some(Value::String(text)) => Some(Cow::Owned(text)),
        _ => None,
    }
}

/// The same text with every part replaced that a value cannot hold.
fn softened(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with('"') {
            let length = length_of_string(rest);
            soften_string(&rest[..length], &mut out);
            length
        } else {
            let length = rest.find(|c: char| !is_of_number(c)).unwrap_or(rest.len());
            out.push_str(nearest(&rest[..length]));
            length
        };
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

const fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E')
}

fn nearest(number: &str) -> &str {
    match number.parse() {
        Ok(f64::INFINITY) => "1.7976931348623157e308",
        Ok(f64::NEG_INFINITY) => "-1.7976931348623157e308",
        _ => number,
    }
}

/// The length of a string, including its quotes.
fn length_of_string(json: &str) -> usize {
    string_end(json.as_bytes(), 1).map_or(json.len(), |quote| quote + 1)
}

/// Writes a string with U+FFFD for every lone surrogate.
fn soften_string(json: &str, out: &mut String) {
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match (half(rest), rest.get(6..).and_then(half)) {
            (Some(Half::First), Some(Half::Second)) => 12,
            (Some(_), _) => {
                out.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (None, _) => 2,
        };
        // Valid JSON has only ASCII after a backslash; invalid JSON is rejected later.
        let length = rest.floor_char_boundary(length);
        out.push_str(&rest[..length]);
        rest = &rest[length..];
        if length < 2 {
            break;
        }
    }
    out.push_str(rest);
}

enum Half {
    First,
    Second,
}

/// The kind of surrogate that a text begins with.
fn half(text: &str) -> Option<Half> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xd800..=0xdbff => Some(Half::First),
        0xdc00..=0xdfff => Some(Half::Second),
        _ => None,
    }
}

/// Smaller texts are not weighed.
const SMALL: usize = 64 << 10;

/// The memory of a value in an array, and of the smallest object.
const VALUE: usize = 32;
const OBJECT: usize = 640;

/// The memory of a value that is only validated.
const MAX_VALUE_BYTES: usize = 64 << 20;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_value_cannot_hold_becomes_what_comes_nearest() {
        let cases = [
            (r#"{"a": 1e400}"#, json!({"a": f64::MAX})),
            ("[-1E+999, 1e-999, 2]", json!([-f64::MAX, 0.0, 2])),
            (r#""a\ud800b""#, json!("a\u{fffd}b")),
            (r#""\udc00\ud83d\ude00\ud83d""#, json!("\u{fffd}😀\u{fffd}")),
            (
                r#"{"\ud800":"1e999\\\"","b":1e999}"#,
                json!({"\u{fffd}": "1e999\\\"", "b": f64::MAX}),
            ),
            (r#""\ud800\n\ud800""#, json!("\u{fffd}\n\u{fffd}")),
            (r#""\ud800\ud800\udc00""#, json!("\u{fffd}\u{10000}")),
        ];
        for (text, want) in cases {
            assert_eq!(value(text), Some(want), "{text}");
        }
    }

    #[test]
    fn what_takes_too_much_is_not_read() {
        let list = |item: &str, count: usize| format!("[{}]", vec![item; count].join(","));
        assert!(value(&list("1", 1_000_000)).is_some());
        assert!(value(&list("1", 3_000_000)).is_none());
        assert!(value(&list(r#"{"a":1}"#, 90_000)).is_some());
        assert!(value(&list(r#"{"a":1}"#, 110_000)).is_none());
        let text = "{,\\\"".repeat(1_000_000);
        assert_eq!(
            value(&format!("\"{text}\"")).map(|text| text.is_string()),
            Some(true)
        );
    }

    #[test]
    fn what_is_no_json_does_not_become_any() {
        for text in [
            "",
            "{",
            "\"",
            "\"\\",
            "\"\\u",
            "\"\\ud8",
            "\"\\ü\"",
            "1e",
            "-",
            "nul",
            "[1e999",
            "\"\\ud800\\",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        assert_eq!(value(&("[".repeat(1000) + &"]".repeat(1000))), None);
    }
}
