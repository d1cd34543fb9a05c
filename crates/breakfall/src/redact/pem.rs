//! Private keys in armour: the block as a whole, on many lines or on one, finished or cut off.

use super::bytes::{is_blank, line_end, run};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;

/// Looks at a place that holds `BEGIN`, or `Private-Lines`.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.is_new(Rule::Pem, at) {
        return;
    }
    let text = finder.text;
    let line = line_end(text, at, 160);
    let label = &text[at..line];
    if !label.starts_with(b"BEGIN ") || !text[..at].trim_ascii_end().ends_with(b"--") {
        return;
    }
    let Some(found) = memchr::memmem::find(label, b"PRIVATE KEY") else {
        return;
    };
    let start = at
        - text[..at]
            .iter()
            .rev()
            .take(8)
            .take_while(|byte| matches!(byte, b'-' | b' '))
            .count();
    let start = start
        + text[start..at]
            .iter()
            .take_while(|byte| **byte == b' ')
            .count();
    let body = at + found + b"PRIVATE KEY".len();
    let body = run(text, body, 16, |byte| {
        matches!(byte, b'-' | b' ' | b'B' | b'L' | b'O' | b'C' | b'K')
    });
    let end = end(text, body);
    finder.found(start, end, Mark::PrivateKey);
    finder.passed(Rule::Pem, end);
}

/// `PuTTY` writes no armour: the lines are counted.
pub(super) fn putty(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    if !text[at..].starts_with(b"Private-Lines:") || !finder.is_new(Rule::Pem, at) {
        return;
    }
    let start = line_end(text, at, 64).min(text.len());
    let end = chunks(text, start);
    finder.found(
        run(text, start, 2, |byte| matches!(byte, b'\r' | b'\n')),
        end,
        Mark::PrivateKey,
    );
    finder.passed(Rule::Pem, end);
}

/// The end of a block: its last line, or as far as it looks like a key.
fn end(text: &[u8], body: usize) -> usize {
    let window = &text[body..text.len().min(body + LONGEST)];
    // The end of another block is not ours.
    let other = memchr::memmem::find(window, b"BEGIN ").unwrap_or(window.len());
    let Some(found) = memchr::memmem::find(&window[..other], b"END ") else {
        return chunks(text, body);
    };
    let label = body + found;
    let name = run(text, label, 64, |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b' '
    });
    let dashes = run(text, name, 8, |byte| byte == b'-');
    if dashes > name {
        dashes
    } else {
        label + text[label..name].trim_ascii_end().len()
    }
}

/// The longest block.
const LONGEST: usize = 64 * 1024;

/// The end of what looks like base64 in lines, however the lines are broken.
fn chunks(text: &[u8], body: usize) -> usize {
    let mut end = body;
    loop {
        let start = gap(text, end);
        let next = run(text, start, LONGEST, is_armoured);
        let chunk = &text[start..next];
        let name = run(text, start, 16, |byte| {
            byte.is_ascii_alphanumeric() || byte == b'-'
        });
        if text.get(name) == Some(&b':') && name > start {
            end = header_end(text, name);
            continue;
        }
        let whole = chunk.len() >= 24;
        // The last line is shorter, and no word of a sentence.
        let word = chunk.iter().skip(1).all(u8::is_ascii_lowercase);
        let last = chunk.len() >= 2 && !word;
        if !whole {
            return if last { next } else { end };
        }
        end = next;
    }
}

/// What a block is made of: no hyphen, which begins the next one.
const fn is_armoured(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The end of a header: of its line, or where the key begins if its lines were joined into one.
fn header_end(text: &[u8], colon: usize) -> usize {
    let line = line_end(text, colon, 256);
    let mut at = colon + 1;
    while at < line {
        let word = run(text, at, usize::MAX, is_blank);
        let end = run(text, word, LONGEST, is_armoured);
        if end - word >= 40 {
            return word;
        }
        at = run(text, end, line.saturating_sub(end), |byte| !is_blank(byte)).max(end);
    }
    line
}

/// Past the end of a line, written out or escaped.
fn gap(text: &[u8], at: usize) -> usize {
    let mut at = at;
    loop {
        let next = match text.get(at) {
            Some(b'\n' | b'\r' | b' ' | b'\t') => at + 1,
            Some(b'\\') if matches!(text.get(at + 1), Some(b'n' | b'r' | b'\\')) => at + 2,
            _ => return at,
        };
        at = next;
    }
}
