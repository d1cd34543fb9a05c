//! Where in a text words count: the part that is looked at, and the lines that speak of the failure itself.

use std::borrow::Cow;

use super::words::words;

/// The beginning and the end of a long text, the whole of a short one. Servers echo arguments of megabytes; what went
/// wrong stands in front of them or, in a stack trace, behind.
pub(super) fn excerpt(text: &str) -> Cow<'_, str> {
    if text.len() <= FRONT + BACK {
        return Cow::Borrowed(text);
    }
    let front = &text[..text.floor_char_boundary(FRONT)];
    let back = &text[text.ceil_char_boundary(text.len() - BACK)..];
    Cow::Owned([front, "\n", back].concat())
}

const FRONT: usize = 16 * 1024;
const BACK: usize = 4 * 1024;

/// Tells for places in a text whether their line is the first one or opens like an error. Asks each line once as long
/// as the places come in order.
pub(super) struct Lines<'a> {
    text: &'a str,
    /// Where the last line asked for begins and ends, and the answer.
    last: Option<(usize, usize, bool)>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, last: None }
    }

    pub(super) fn speaks(&mut self, at: usize) -> bool {
        if let Some((start, end, answer)) = self.last
            && (start..=end).contains(&at)
        {
            return answer;
        }
        let bytes = self.text.as_bytes();
        let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |before| before + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |after| at + after);
        let first = self.text[..start].trim().is_empty();
        let answer = first || opens(&self.text[start..end]);
        self.last = Some((start, end, answer));
        answer
    }
}

/// Whether a line opens like an error: `Error: …`, `ERROR - …`, `psycopg2.OperationalError: …`, `**Error:** …`,
/// `Database error: …`, `[fatal] …`, `Caused by: …`.
pub(super) fn opens(line: &str) -> bool {
    head(line).is_some_and(|head| {
        let (bytes, words) = (head.as_bytes(), words(head.as_bytes()));
        let [first, .., last] = words.as_slice() else {
            return words
                .first()
                .is_some_and(|word| word.is_any(bytes, ERROR_WORDS));
        };
        first.is_any(bytes, ERROR_WORDS)
            || last.is_any(bytes, ERROR_WORDS)
            || (first.is(bytes, "caused") && last.is(bytes, "by"))
    })
}

/// What stands before the first colon, dash or bracket of a line, without the marks in front of it.
pub(crate) fn head(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let near = &line[..line.floor_char_boundary(LONGEST_HEAD)];
    let end = near.char_indices().find_map(|(at, c)| {
        let dash = matches!(c, '-' | '–' | '—') && near[..at].ends_with(' ');
        (dash || matches!(c, ':' | ']' | '!' | '\n')).then_some(at)
    });
    end.map(|end| &near[..end])
}

/// An opening is short.
const LONGEST_HEAD: usize = 100;

/// The words by which an opening is known.
pub(crate) const ERROR_WORDS: &[&str] = &[
    "error",
    "errors",
    "exception",
    "failure",
    "failed",
    "fault",
    "fatal",
    "panic",
    "panicked",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_known_by_their_words() {
        for line in [
            "Error: no",
            "  ERROR - no",
            "**Error:** no",
            "[error] no",
            "Database error: no",
            "❌ API Error: no",
            "psycopg2.errors.UndefinedTable.OperationalError: no",
            "Error executing tool x: no",
            "Caused by: no",
            "fatal: not a git repository",
        ] {
            assert!(opens(line), "{line}");
        }
        for line in [
            "",
            "All is well: yes",
            "Error handling guide",
            "at f (x.js:1:2)",
            "see errors.md: chapter 2",
        ] {
            assert!(!opens(line), "{line}");
        }
    }

    #[test]
    fn a_long_text_is_looked_at_from_both_ends() {
        let text = format!("front{}back", "é".repeat(30_000));
        let seen = excerpt(&text);
        assert!(seen.len() <= FRONT + BACK + 1);
        assert!(seen.starts_with("front") && seen.ends_with("back"));
        assert_eq!(excerpt("short"), "short");
    }
}
