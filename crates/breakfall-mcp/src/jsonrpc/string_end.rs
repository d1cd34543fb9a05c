//! The end of a JSON string.

use memchr::memchr2;

/// The place of the quote that ends a string, looked for from some place inside the string.
pub(super) fn string_end(bytes: &[u8], inside: usize) -> Option<usize> {
    let mut at = inside;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_a_quote_without_a_backslash_ends_a_string() {
        for (text, want) in [
            (r#"""#, Some(0)),
            (r#"a"b"#, Some(1)),
            (r#"\"a""#, Some(3)),
            (r#"\\"a""#, Some(2)),
            (r#"\\\"a"#, None),
            (r"a\", None),
            ("", None),
        ] {
            assert_eq!(string_end(text.as_bytes(), 0), want, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_end_of_any_string_is_found(text in "\\PC{0,20}|[\"\\\\\n]{0,9}", rest in "[\"\\\\a]{0,5}") {
            let json = serde_json::Value::from(text).to_string();
            let both = format!("{json}{rest}");
            prop_assert_eq!(string_end(both.as_bytes(), 1), Some(json.len() - 1));
        }
    }
}
