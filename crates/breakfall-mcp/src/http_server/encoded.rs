//! Values of headers that are no plain text: `=?base64?…?=`.

use std::borrow::Cow;

/// What a value means; nothing if it is encoded wrongly.
pub(super) fn decode(value: &str) -> Option<Cow<'_, str>> {
    let encoded = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let Some(encoded) = encoded else {
        return Some(Cow::Borrowed(value));
    };
    String::from_utf8(base64(encoded.as_bytes())?)
        .ok()
        .map(Cow::Owned)
}

/// The standard alphabet, padded, and nothing but zeros in the bits that are left over.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text
        .iter()
        .rev()
        .take(2)
        .take_while(|byte| **byte == b'=')
        .count();
    let digits = &text[..text.len() - padding];
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for byte in group {
            bits = bits << 6 | digit(*byte)?;
        }
        let missing = 4 - group.len();
        bits <<= 6 * missing;
        let [_, whole @ ..] = bits.to_be_bytes();
        let (kept, rest) = whole.split_at(3 - missing);
        if rest.iter().any(|byte| *byte != 0) {
            return None;
        }
        bytes.extend_from_slice(kept);
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u32> {
    let digit = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(digit.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrapped_is_decoded_and_everything_else_stands_for_itself() {
        let cases = [
            ("plain", Some("plain")),
            ("", Some("")),
            ("=?base64??=", Some("")),
            ("=?base64?SGVsbG8=?=", Some("Hello")),
            ("=?base64?SGVsbG8h?=", Some("Hello!")),
            ("=?base64?SA==?=", Some("H")),
            ("=?base64?w7xiZXI=?=", Some("über")),
            ("SGVsbG8=", Some("SGVsbG8=")),
            ("=?base64?SGVsbG8=", Some("=?base64?SGVsbG8=")),
            ("=?BASE64?SGVsbG8=?=", Some("=?BASE64?SGVsbG8=?=")),
            ("=?base64?SGVsbG8?=", None),
            ("=?base64?SGVs bG8=?=", None),
            ("=?base64?SGVsbG9=?=", None),
            ("=?base64?S===?=", None),
            ("=?base64?====?=", None),
            ("=?base64?SGVs=G8=?=", None),
            ("=?base64?SGVs!!!!?=", None),
            ("=?base64?/w==?=", None),
        ];
        for (value, want) in cases {
            assert_eq!(decode(value).as_deref(), want, "{value}");
        }
    }
}
