//! Words a message must not be made of: those that say nothing, and those of a storage engine or a runtime.

/// Whether a text says nothing: it consists of nothing but words any failure could be told with.
/// The compiler may ask.
pub(crate) const fn is_vague(text: &str) -> bool {
    let mut rest = text.as_bytes();
    let mut has_words = false;
    while !rest.is_empty() {
        let mut end = 0;
        // A letter of another script is part of a word that says something.
        while end < rest.len() && (rest[end].is_ascii_alphanumeric() || !rest[end].is_ascii()) {
            end += 1;
        }
        let (word, after) = rest.split_at(end);
        if end > 0 && !is_empty_word(word) {
            return false;
        }
        has_words |= end > 0;
        rest = match after {
            [_, rest @ ..] => rest,
            [] => after,
        };
    }
    has_words
}

const fn is_empty_word(word: &[u8]) -> bool {
    let mut at = 0;
    while at < EMPTY_WORDS.len() {
        if EMPTY_WORDS[at].as_bytes().eq_ignore_ascii_case(word) {
            return true;
        }
        at += 1;
    }
    false
}

/// The first piece of jargon in a text.
pub(super) fn jargon(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    JARGON.iter().copied().find(|term| text.contains(term))
}

#[rustfmt::skip]
const EMPTY_WORDS: &[&str] = &[
    "a", "an", "and", "bad", "be", "broke", "broken", "could", "did", "error", "errors", "fail", "failed",
    "failure", "fault", "has", "incorrect", "input", "invalid", "is", "it", "not", "occurred", "oops",
    "operation", "problem", "request", "something", "sorry", "the", "there", "unexpected", "was", "went",
    "work", "wrong",
];

const JARGON: &[&str] = &[
    "constraint violat",
    "deadlock",
    "duplicate key",
    "errno",
    "exception",
    "foreign key",
    "fk constraint",
    "null pointer",
    "nullpointer",
    "panicked",
    "segfault",
    "sqlstate",
    "stack trace",
    "traceback",
    "unique constraint",
    "violates",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_vague_when_no_word_of_it_says_anything() {
        for text in [
            "Error",
            "Operation failed",
            "Something went wrong!",
            "An unexpected error occurred.",
            "Invalid input",
        ] {
            assert!(is_vague(text), "{text}");
        }
        for text in [
            "Internal error",
            "Invalid email 'x'",
            "Quota exhausted",
            "",
            "The order was not found",
        ] {
            assert!(!is_vague(text), "{text}");
        }
    }
}
