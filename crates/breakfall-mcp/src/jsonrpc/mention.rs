//! Whether a JSON text has words in it: looking for them is much cheaper than parsing.

use memchr::memmem;

/// Whether a text may have these words in one of its strings. If not, it has them in no spelling; if so, only parsing tells:
/// plain letters may be written as escapes, and `"\u0075ri"` is the same key as `"uri"`.
pub fn may_mention(text: &[u8], words: &str) -> bool {
    may_mention_any(text, &[words])
}

/// The same of any of several.
pub fn may_mention_any(text: &[u8], words: &[&str]) -> bool {
    let has = |part: &[u8]| memmem::find(text, part).is_some();
    let has_slash = || words.iter().any(|words| words.contains('/'));
    words.iter().any(|words| has(words.as_bytes()))
        || has(ESCAPED)
        || (has_slash() && has(ESCAPED_SLASH))
}

/// How an escape of a plain letter begins, and no other way to write one.
const ESCAPED: &[u8] = br"\u00";
/// But for this.
const ESCAPED_SLASH: &[u8] = br"\/";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn most_texts_are_told_without_a_closer_look() {
        let text = br#"{"text":"a \"quoted\" line\n, \\ and \u4e2d"}"#;
        assert!(!may_mention(text, "\"uri\"") && !may_mention(text, "a/b"));
        assert!(!may_mention(br"http:\/\/a", "uri"));
    }

    proptest! {
        /// However a word is spelt that a parser takes for it.
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
            prop_assert!(may_mention(text.as_bytes(), "a/b"), "{}", text);
        }
    }
}
