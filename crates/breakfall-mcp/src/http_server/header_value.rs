//! Header values that are not plain ASCII: `=?base64?…?=`.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The text of a value; nothing if it is encoded wrongly.
pub(super) fn decode(value: &str) -> Option<Cow<'_, str>> {
    let encoded = value
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    let Some(encoded) = encoded else {
        return Some(Cow::Borrowed(value));
    };
    let bytes = STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapped_value_is_decoded_and_any_other_is_taken_literally() {
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
