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

/// The lines that speak of the failure itself: the first that says anything, and those that open like an error.
pub(super) fn speaking(text: &str) -> impl Iterator<Item = &str> {
    let mut first = true;
    lines(text).filter(move |line| {
        let speaks = first || opens(line);
        first = first && line.trim().is_empty();
        speaks
    })
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]);
    let mut start = 0;
    ends.map(move |end| {
        let line = &text[start..end];
        start = end + 1;
        line
    })
}

/// Whether a line opens like an error: `Error: …`, `ERROR - …`, `psycopg2.OperationalError: …`, `**Error:** …`,
/// `Database error: …`, `[fatal] …`, `Caused by: …`.
pub(super) fn opens(line: &str) -> bool {
    head(line)
        .filter(|head| may_open(head))
        .is_some_and(|head| {
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

/// Whether one of the words is there at all, or begins like one that is: traces have many lines, and hardly any does.
fn may_open(head: &str) -> bool {
    let begins = |four: &[u8; 4]| BEGINNINGS.contains(&(u32::from_le_bytes(*four) | LOWER));
    head.as_bytes().array_windows::<4>().any(begins)
}

/// What the words begin with, and `caused`.
const BEGINNINGS: [u32; 7] = [
    u32::from_le_bytes(*b"erro"),
    u32::from_le_bytes(*b"exce"),
    u32::from_le_bytes(*b"fail"),
    u32::from_le_bytes(*b"faul"),
    u32::from_le_bytes(*b"fata"),
    u32::from_le_bytes(*b"pani"),
    u32::from_le_bytes(*b"caus"),
];

/// The bit that makes ASCII letters lower case, in each of four bytes.
const LOWER: u32 = u32::from_le_bytes([0x20; 4]);

/// What stands before the first colon, dash or bracket of a line, without the marks in front of it.
pub(crate) fn head(line: &str) -> Option<&str> {
    let near = &line[..line.floor_char_boundary(LONGEST_HEAD)];
    let near = near.trim_start_matches(|c: char| !c.is_alphanumeric());
    let bytes = near.as_bytes();
    let mark = memchr::memchr3(b':', b']', b'!', bytes);
    let before = &bytes[..mark.unwrap_or(bytes.len())];
    let spaced = |at: &usize| {
        let around = (at.checked_sub(1).map(|at| before[at]), before.get(at + 1));
        around == (Some(b' '), Some(&b' '))
    };
    let dash = memchr::memchr_iter(b'-', before).find(spaced);
    let end = dash.or(mark)?;
    Some(near[..end].trim_end())
}

/// An opening is short.
const LONGEST_HEAD: usize = 100;

/// The words by which an opening is known.
#[rustfmt::skip]
pub(crate) const ERROR_WORDS: &[&str] = &[
    "error", "errors", "exception", "failure", "failed", "fault", "fatal", "panic", "panicked",
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
    fn every_word_of_an_opening_begins_like_one() {
        for word in ERROR_WORDS.iter().copied().chain(["caused by"]) {
            assert!(opens(&format!("{word}: no")), "{word}");
            assert!(opens(&format!("{}: no", word.to_uppercase())), "{word}");
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
