//! A search for words in a JSON text, which is much cheaper than parsing.

use memchr::memmem;

/// Whether one of the strings of a text may contain these words. False is certain. True is not: letters may be written as
/// escapes (`"\u0075ri"` is the key `"uri"`), and only parsing tells.
pub fn may_contain(text: &[u8], words: &str) -> bool {
    may_contain_any(text, &[words])
}

/// Like [`may_contain`], of any of several words.
pub fn may_contain_any(text: &[u8], words: &[&str]) -> bool {
    let has = |part: &[u8]| memmem::find(text, part).is_some();
    let has_slash = || words.iter().any(|words| words.contains('/'));
    words.iter().any(|words| has(words.as_bytes()))
        || has(ESCAPED)
        || (has_slash() && has(ESCAPED_SLASH))
}

/// How an escape of an ASCII letter begins.
const ESCAPED: &[u8] = br"\u00";
/// The only other escape of one.
const ESCAPED_SLASH: &[u8] = br"\/";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn most_texts_need_no_parser() {
        let text = br#"{"text":"a \"quoted\" line\n, \\ and \u4e2d"}"#;
        assert!(!may_contain(text, "\"uri\"") && !may_contain(text, "a/b"));
        assert!(!may_contain(br"http:\/\/a", "uri"));
    }

    proptest! {
            #[test]
        fn no_spelling_hides_a_word(ways in proptest::collection::vec(0..3_u8, 3), upper: bool) {
            let spelt: String = "a/b"
                .chars()
                .zip(ways)
                .map(|(letter, way)| match way {
                    0 => letter.to_string(),
                    1 if letter == '/' => r"\/".to_owned(),
                    _ if upper => format!(r"\u{:04X}", u32::from(letter)),
                    _ => format!(r"\u{:04x}", u32::from(letter)),
                })
                .collect();
            let text = format!("\"{spelt}\"");
            prop_assert_eq!(serde_json::from_str::<String>(&text).expect("a text"), "a/b");
            prop_assert!(may_contain(text.as_bytes(), "a/b"), "{}", text);
        }
    }
}
