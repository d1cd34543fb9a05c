//! Words a message must not be made of: those that say nothing, and those of a storage engine or a runtime.

/// Whether a text says nothing: it consists of nothing but words any failure could be told with.
pub(super) fn is_vague(text: &str) -> bool {
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some() && words.all(|word| EMPTY_WORDS.contains(&word.to_lowercase().as_str()))
}

/// The first piece of jargon in a text.
pub(super) fn jargon(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    JARGON.iter().copied().find(|term| text.contains(term))
}

const EMPTY_WORDS: &[&str] = &[
    "a",
    "an",
    "and",
    "bad",
    "be",
    "broke",
    "broken",
    "could",
    "did",
    "error",
    "errors",
    "fail",
    "failed",
    "failure",
    "fault",
    "has",
    "incorrect",
    "input",
    "invalid",
    "is",
    "it",
    "not",
    "occurred",
    "oops",
    "operation",
    "problem",
    "request",
    "something",
    "sorry",
    "the",
    "there",
    "unexpected",
    "was",
    "went",
    "work",
    "wrong",
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
