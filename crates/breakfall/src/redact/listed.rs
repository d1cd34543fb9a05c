//! Values in several parts: lists, objects and blocks of lines.

use super::assigned::{AssignedValue, VALUE, close, is_mixed, is_number, open};
use super::bytes::{before, follows, is_blank, is_quote, is_word, line_end, run};
use super::keys::{KeyMeaning, ValueProof};
use super::mark::{Mark, is_marker};
use super::prose::{is_placeholder, is_sentence, is_word_of_prose};

/// A value in lines of its own: below a bar, or deeper than the name.
pub(super) fn blocks(
    text: &[u8],
    at: usize,
    line: usize,
    named: KeyMeaning,
) -> Option<Vec<AssignedValue>> {
    let sign = run(text, at, 8, is_blank);
    let bar = run(text, sign, 4, |byte| {
        matches!(byte, b'|' | b'>' | b'-' | b'+' | b'0'..=b'9')
    });
    let is_block = bar > sign && matches!(text[sign], b'|' | b'>');
    let from = run(text, if is_block { bar } else { sign }, 4, |byte| {
        is_blank(byte) || byte == b'\r'
    });
    if text.get(from) != Some(&b'\n') {
        return None;
    }
    let arrow = before(text, at) == Some(b'>');
    let depth = indent(text, line);
    let mut values = Vec::new();
    let mut next = from + 1;
    while next < text.len() && values.len() < 200 {
        let end = line_end(text, next, VALUE);
        let deep = indent(text, next);
        let item = run(text, next + deep, 2, |byte| byte == b'-' || byte == b' ');
        let is_item = text[next + deep..item] == *b"- ";
        if text[next..end].trim_ascii().is_empty() {
            next = end + 1;
            continue;
        }
        if deep < depth + usize::from(!is_item && !arrow) {
            break;
        }
        let start = if is_item && !is_block {
            item
        } else {
            next + deep
        };
        let (start, quote) = if is_block {
            (start, None)
        } else {
            open(text, start)
        };
        let close = if quote.is_some() {
            close(text, start, quote)
        } else {
            start + text[start..end].trim_ascii_end().len()
        };
        let piece = &text[start..close];
        let is_value = is_block
            || quote.is_some()
            || !piece.contains(&b' ') && memchr::memchr(b':', piece).is_none();
        if !is_value || is_placeholder(piece) || is_sentence(piece) || is_word_of_prose(piece) {
            break;
        }
        if is_block || named.force == ValueProof::Any || is_mixed(piece) {
            values.push(AssignedValue { start, end: close });
        }
        next = end + 1;
        if !is_block && !is_item {
            break;
        }
    }
    Some(values).filter(|values| !values.is_empty())
}

fn indent(text: &[u8], line: usize) -> usize {
    run(text, line, 128, is_blank) - line
}

/// What is in brackets behind a name: each text of it. Names in it stay, so that JSON remains JSON.
pub(super) fn listed(text: &[u8], at: usize, named: KeyMeaning) -> Option<Vec<AssignedValue>> {
    let at = opening(text, at)?;
    // A key as a list of bytes.
    let is_byte = |byte: u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'\n');
    let bytes = run(text, at + 1, VALUE, is_byte);
    if memchr::memchr_iter(b',', &text[at..bytes]).count() >= 8 {
        return Some(vec![AssignedValue {
            start: at + 1,
            end: bytes,
        }]);
    }
    let is_list = text[at] == b'[' || matches!(named.mark, Mark::Password | Mark::Secret);
    let mut values = Vec::new();
    let (mut next, mut depth, mut key) = (at, 0usize, &text[at..at]);
    let far = text.len().min(at + VALUE);
    while next < far {
        match text[next] {
            b'[' if is_marker(&text[next..far.min(marker_end(text, next) + 1)]) => {
                next = marker_end(text, next);
            }
            b'[' | b'{' | b'(' => depth += 1,
            b']' | b'}' | b')' if depth == 1 => return Some(values),
            b']' | b'}' | b')' => depth -= 1,
            byte if byte.is_ascii_whitespace()
                || matches!(byte, b',' | b':' | b'=' | b'>' | b';' | b'\\') => {}
            _ => {
                let (start, quote) = open(text, next);
                let end = item_end(text, next, start, quote);
                let piece = &text[start.min(end)..end];
                let after = run(text, end, 6, |byte| {
                    is_blank(byte) || is_quote(byte) || byte == b'\\'
                });
                if matches!(text.get(after), Some(b':' | b'=')) {
                    key = piece;
                } else if is_list && is_part(piece, key, quote, named) {
                    values.push(AssignedValue { start, end });
                }
                next = run(text, end.max(next + 1), 4, |byte| {
                    is_quote(byte) || byte == b'\\'
                });
                continue;
            }
        }
        next += 1;
    }
    Some(values)
}

/// The bracket that opens a list or an object, if one does here. `{secret}` behind `=` is one value, and so is `("secret")`.
fn opening(text: &[u8], at: usize) -> Option<usize> {
    let at = run(text, at, 8, |byte| byte.is_ascii_whitespace());
    let at = if follows(text, at, b"some((") {
        at + 5
    } else {
        at
    };
    let next = text.get(at + 1).copied();
    let is_pair = before(text, at) == Some(b'=')
        && next.is_some_and(|byte| !is_quote(byte) && !byte.is_ascii_whitespace());
    let is_list = match text.get(at)? {
        b'[' => true,
        b'{' => !is_pair,
        b'(' => text
            .get(run(text, at + 1, 1, is_quote))
            .is_some_and(|byte| is_word(*byte)),
        _ => false,
    };
    is_list.then_some(at)
}

fn marker_end(text: &[u8], at: usize) -> usize {
    run(text, at, 40, |byte| byte != b']')
}

/// Where an item of a list ends.
fn item_end(text: &[u8], at: usize, start: usize, quote: Option<u8>) -> usize {
    let is_part = |byte: u8| {
        !byte.is_ascii_whitespace()
            && !matches!(byte, b',' | b']' | b'}' | b')' | b':' | b'=' | b'"' | b'\'')
    };
    match quote {
        Some(_) => close(text, start, quote),
        None => run(text, at, VALUE, is_part),
    }
}

/// Whether a text in brackets is part of the secret.
fn is_part(piece: &[u8], key: &[u8], quote: Option<u8>, named: KeyMeaning) -> bool {
    let Ok(key) = str::from_utf8(key) else {
        return false;
    };
    if piece.is_empty()
        || is_placeholder(piece)
        || is_sentence(piece)
        || is_word_of_prose(piece)
        || super::value::describes(key, is_number(piece))
    {
        return false;
    }
    is_mixed(piece)
        || quote.is_some()
            && (named.force == ValueProof::Any || named.is_compound)
            && !piece.is_empty()
            && !is_number(piece)
        || quote.is_some()
            && piece.len() >= 8
            && !piece.contains(&b' ')
            && named.mark != Mark::Cookie
}
