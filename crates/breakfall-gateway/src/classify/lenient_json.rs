//! Lenient JSON parsing. A number that no type can hold becomes its digits, and a lone surrogate becomes U+FFFD: a
//! failure that cannot be parsed strictly is still a failure.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde_json::{Map, Value};

use breakfall_mcp::jsonrpc::splice::{each, members};

/// The value of a JSON text, as close as possible. It recurses for every level, so the text must come from a
/// [`Frame`](breakfall_mcp::jsonrpc::Frame), which is never deep.
///
/// ```
/// use breakfall_gateway::classify::value_of;
///
/// assert_eq!(value_of(r#"{"text":"cut \ud83d"}"#)["text"], "cut \u{fffd}");
/// ```
pub fn value_of(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|_| slowly(json))
}

fn slowly(json: &str) -> Value {
    match json.trim_ascii_start().bytes().next() {
        Some(b'{') => {
            let mut map = Map::new();
            members(json, |key, value| {
                map.insert(text_of(key), value_of(value));
            });
            map.into()
        }
        Some(b'[') => {
            let mut list = Vec::new();
            each(json, |item| list.push(value_of(item)));
            list.into()
        }
        Some(b'"') => text_of(json).into(),
        _ => json.trim_ascii().into(),
    }
}

/// The string that a JSON string stands for.
pub(crate) fn text_of(json: &str) -> String {
    let json = json.trim_ascii();
    serde_json::from_str(json).unwrap_or_else(|_| {
        let bytes: Result<LossyBytes, _> = serde_json::from_str(json);
        bytes.map_or_else(|_| json.trim_matches('"').to_owned(), LossyBytes::into_text)
    })
}

/// The bytes of a JSON string, which need not be valid UTF-8.
struct LossyBytes(Vec<u8>);

impl LossyBytes {
    /// Replaces each lone surrogate by U+FFFD. Both are three bytes long, and no character begins with the bytes of a
    /// surrogate.
    fn into_text(mut self) -> String {
        for at in 0..self.0.len() {
            if let Some(half @ [0xed, 0xa0..=0xbf, _]) = self.0.get_mut(at..at + 3) {
                half.copy_from_slice("\u{fffd}".as_bytes());
            }
        }
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

impl<'de> Deserialize<'de> for LossyBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(LenientVisitor)
    }
}

struct LenientVisitor;

impl Visitor<'_> for LenientVisitor {
    type Value = LossyBytes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<LossyBytes, E> {
        Ok(LossyBytes(bytes.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn odd_numbers_and_half_characters_do_not_hide_the_rest() {
        let odd = r#"{"a":1e400,"b":["x\ud800y","\ud83d\ude00\udc00\ud800힣",12345678901234567890123],"c":"fine","c":{"d":null}}"#;
        let want = json!({"a": "1e400", "b": ["x\u{fffd}y", "😀\u{fffd}\u{fffd}힣", 1.234_567_890_123_456_8e22], "c": {"d": null}});
        assert_eq!(value_of(odd), want);
    }
}
