//! Foreign text, cut to a size and freed of control characters before it is kept.

use std::borrow::Cow;

use super::page;

/// The longest message that is taken over, in characters.
pub(crate) const MESSAGE: usize = 1000;

/// The longest foreign name of an error that is taken over, in characters.
pub(crate) const NAME: usize = 128;

/// The longest private note, in characters.
pub(crate) const NOTE: usize = 4096;

/// The words of a failure, without the page they may have come with; nothing if nothing is left of them.
pub(crate) fn message(words: &str) -> Option<String> {
    text(&page::without(words), MESSAGE)
}

/// A text in one or more lines; nothing if nothing is left of it.
pub(crate) fn text(text: &str, longest: usize) -> Option<String> {
    let text = text.trim();
    if let Some(kept) = plain(text, longest, |b| b == b'\n' || b == b'\t') {
        return Some(kept);
    }
    let kept = text.chars().filter_map(|c| match c {
        '\n' | '\t' => Some(c),
        c if is_junk(c) => None,
        c => Some(c),
    });
    cut(kept, longest)
}

/// [`text`] of an owned text, which is mostly returned unchanged.
pub(crate) fn kept(own: String, longest: usize) -> Option<String> {
    let edge = |c: char| c.is_whitespace();
    let fits = own.len() <= longest && !own.starts_with(edge) && !own.ends_with(edge);
    if fits && is_plain(&own, |b| b == b'\n' || b == b'\t') {
        return Some(own);
    }
    text(&own, longest)
}

/// A text in one line: whatever separates words is one space.
pub(crate) fn line(text: &str, longest: usize) -> Option<String> {
    let text = text.trim();
    if !text.contains("  ")
        && let Some(kept) = plain(text, longest, |_| false)
    {
        return Some(kept);
    }
    let mut space = false;
    let kept = text.chars().filter_map(|c| {
        let is_space = c.is_whitespace() || is_junk(c);
        let again = is_space && space;
        space = is_space;
        (!again).then_some(if is_space { ' ' } else { c })
    });
    cut(kept, longest)
}

/// The short way for what nearly every text is: printable ASCII, in which a character is a byte. Nothing if it is not.
fn plain(text: &str, longest: usize, also: impl Fn(u8) -> bool) -> Option<String> {
    is_plain(text, also).then(|| match text.get(longest..) {
        None | Some("") => text.to_owned(),
        Some(_) => format!("{}…", safe(&text[..longest])),
    })
}

fn is_plain(text: &str, also: impl Fn(u8) -> bool) -> bool {
    let printable = |b: u8| (b' '..=b'~').contains(&b) || also(b);
    // Without a way out of the loop, it looks at many bytes at a time.
    text.bytes()
        .fold(!text.is_empty(), |all, b| all & printable(b))
}

/// Bytes that should be text, from their end: what a process said last says most.
pub(crate) fn tail(bytes: &[u8], longest: usize) -> Option<String> {
    // Four bytes a character at most; the odd one at the cut is replaced like any other that is not UTF-8.
    let from = bytes.len().saturating_sub(longest.saturating_mul(4));
    let lossy = lossy(&bytes[from..]);
    let surplus = lossy.chars().count().saturating_sub(longest);
    let start = lossy
        .char_indices()
        .nth(surplus)
        .map_or(lossy.len(), |(at, _)| at);
    text(&lossy[start..], longest)
}

/// Bytes as text, what is not UTF-8 replaced. Asking first is several times faster for what is.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Control characters, and the marks that turn the reading direction around to hide what follows.
fn is_junk(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn cut(mut chars: impl Iterator<Item = char>, longest: usize) -> Option<String> {
    let mut kept: String = chars.by_ref().take(longest).collect();
    if chars.next().is_some() {
        kept.truncate(safe(&kept).len());
        kept.push('…');
    }
    (!kept.trim().is_empty()).then_some(kept)
}

/// The start of a text that is cut, up to a line or a blank not far from its end: half a secret, or half a line of a
/// trace, has another shape than a whole one, and redaction would not recognize it later.
fn safe(start: &str) -> &str {
    let half = start.floor_char_boundary(start.len() / 2);
    let tail = &start[half..];
    let blank = tail.rfind('\n').or_else(|| tail.rfind(char::is_whitespace));
    blank.map_or(start, |at| &start[..half + at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_go_and_lines_stay() {
        assert_eq!(
            text(" a\u{1b}[31mb\r\nc\u{202e} ", 80).as_deref(),
            Some("a[31mb\nc")
        );
        assert_eq!(line("a \r\n\t b\0c", 80).as_deref(), Some("a b c"));
        assert_eq!(text("\u{7}\u{0} ", 80), None);
    }

    #[test]
    fn a_cut_is_shown_and_never_splits_a_character() {
        assert_eq!(text("äöü", 2).as_deref(), Some("äö…"));
        assert_eq!(text("äöü", 3).as_deref(), Some("äöü"));
    }

    #[test]
    fn a_cut_is_at_a_line_or_a_blank_if_there_is_one_near() {
        let cases = [
            ("one two three four", 12, "one two…"),
            ("one\ntwo three\nfour", 16, "one\ntwo three…"),
            ("one two-three-four-five", 16, "one two-three-fo…"),
            ("eins zwei fünf-sechs", 13, "eins zwei…"),
        ];
        for (whole, longest, want) in cases {
            assert_eq!(text(whole, longest).as_deref(), Some(want));
        }
    }

    #[test]
    fn the_end_of_bytes_is_kept_whatever_they_are() {
        assert_eq!(tail(b"start\nend", 3).as_deref(), Some("end"));
        assert_eq!(tail(&[0xff, b'x'], 10).as_deref(), Some("\u{fffd}x"));
        let long = "ü".repeat(100_000);
        assert_eq!(
            tail(long.as_bytes(), 50).map(|end| end.chars().count()),
            Some(50)
        );
    }
}
