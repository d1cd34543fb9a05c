//! Caps: how much of a text is looked at, and how much of it leaves.

use std::borrow::Cow;

/// The least cap: a text shorter than this has no room for saying that it was cut.
pub(super) const LEAST: usize = 64;

/// How much beyond the cap is looked at. What is redacted gets shorter, and something longer than the rest of the cap
/// still has to be seen whole.
const MARGIN: usize = 16 * 1024;

/// How far back from the end of the window a safe place to cut is looked for.
const BACK: usize = 4 * 1024;

/// The part of a text that is looked at, and how many bytes are not.
///
/// The end of the window may lie inside a secret, and half a secret has another shape than a whole one. So the window
/// ends at a line or a blank; without one nearby, all of that stretch goes.
pub(super) fn window(text: &str, limit: usize) -> (&str, usize) {
    let most = limit.saturating_add(MARGIN);
    if text.len() <= most {
        return (text, 0);
    }
    let end = safe_end(&text.as_bytes()[..most]);
    let end = text.floor_char_boundary(end);
    (&text[..end], text.len() - end)
}

/// [`window`], of bytes that need not be text.
pub(super) fn byte_window(bytes: &[u8], limit: usize) -> (&[u8], usize) {
    let most = limit.saturating_add(MARGIN);
    if bytes.len() <= most {
        return (bytes, 0);
    }
    let end = safe_end(&bytes[..most]);
    (&bytes[..end], bytes.len() - end)
}

fn safe_end(bytes: &[u8]) -> usize {
    let from = bytes.len().saturating_sub(BACK);
    let tail = &bytes[from..];
    let line = memchr::memrchr(b'\n', tail);
    let blank = || tail.iter().rposition(u8::is_ascii_whitespace);
    from + line.or_else(blank).unwrap_or(0)
}

/// A text of no more than `limit` bytes, which says how much is missing.
pub(super) fn cap(text: Cow<'_, str>, dropped: usize, limit: usize) -> Cow<'_, str> {
    if dropped == 0 && text.len() <= limit {
        return text;
    }
    let room = limit.saturating_sub(LONGEST_NOTICE);
    let end = text.floor_char_boundary(room.min(text.len()));
    let missing = dropped + (text.len() - end);
    Cow::Owned(format!("{}… [cut: {missing} bytes]", &text[..end]))
}

/// `… [cut: 18446744073709551615 bytes]`
const LONGEST_NOTICE: usize = 3 + 7 + 20 + 7;
