//! What stands behind a name: where a value begins and ends, and whether it is one rather than the rest of a sentence.

use super::bytes::{
    before, is_base64, is_blank, is_name, is_quote, is_script, is_sign_at, is_word, line_end, run,
    run_back,
};
use super::keys::{KeyMeaning, ValueProof};
use super::mark::Mark;
use super::prose::{is_placeholder, is_sentence, is_word_of_prose};

/// A value behind a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct AssignedValue {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The sign that joins a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameJoint {
    /// `=`, and everything as sure as it: `<tag>value</tag>`.
    Sure,
    /// `:` after a name in quotes.
    Json,
    /// `:`
    Colon,
    /// `--flag value`
    Flag,
    /// `('name', 'value')`
    Item,
}

/// The longest value.
pub(super) const VALUE: usize = 4 * 1024;

/// Past what opens a value: quotes, escaped or not, and the wrappers that debug output puts around it.
pub(super) fn open(text: &[u8], at: usize) -> (usize, Option<u8>) {
    let mut at = at;
    let wrapper = run(text, at, 24, |byte| {
        is_word(byte) || matches!(byte, b':' | b'.')
    });
    let quoted = |at: usize| text.get(at).is_some_and(|byte| is_quote(*byte));
    if wrapper > at && text.get(wrapper) == Some(&b'(') {
        // `Some("…")`, `SecretStr('…')`, `string(7) "…"`
        let sized = run(text, wrapper + 1, 8, |byte| {
            byte.is_ascii_digit() || matches!(byte, b')' | b' ')
        });
        if quoted(wrapper + 1) {
            at = wrapper + 1;
        } else if quoted(sized) {
            at = sized;
        }
    } else if wrapper == at + 1 && quoted(wrapper) {
        at = wrapper;
    } else if text.get(at) == Some(&b'(') {
        at += 1;
    }
    // A debugger shows where a text is: `0x55a1 "…"`.
    let hex = run(text, at, 20, |byte| {
        byte.is_ascii_hexdigit() || byte == b'x'
    });
    if text[at..].starts_with(b"0x") && quoted(hex + 1) && text.get(hex) == Some(&b' ') {
        at = hex + 1;
    }
    let past = run(text, at, 4, |byte| byte == b'\\');
    match text.get(past) {
        Some(&quote) if is_quote(quote) => {
            let three = run(text, past, 3, |byte| byte == quote);
            // Two quotes are an empty value.
            (
                if three == past + 2 { past + 1 } else { three },
                Some(quote),
            )
        }
        Some(b'{') if before(text, at) == Some(b'=') => (past + 1, Some(b'}')),
        _ => match typographic(text, at) {
            Some(after) => (after, Some(0)),
            None => (at, None),
        },
    }
}

/// Past a typographic opening quote: “ ‘ „ «
pub(super) fn typographic(text: &[u8], at: usize) -> Option<usize> {
    let quote = ["“", "‘", "„", "«", "「"]
        .into_iter()
        .find(|quote| text[at..].starts_with(quote.as_bytes()));
    quote.map(|quote| at + quote.len())
}

/// The end of a value.
pub(super) fn close(text: &[u8], at: usize, quote: Option<u8>) -> usize {
    let far = text.len().min(at.saturating_add(VALUE));
    let window = &text[at..far];
    let line = || at + memchr::memchr(b'\n', window).unwrap_or(window.len());
    match quote {
        Some(0) => {
            let end = window
                .iter()
                .position(|byte| !byte.is_ascii() || *byte == b'\n');
            at + end.unwrap_or(window.len())
        }
        Some(quote) => {
            let mut end = 0;
            while let Some(found) = memchr::memchr2(quote, b'\\', &window[end..]) {
                end += found;
                // In braces a closing one is written twice.
                if window[end] == quote && quote == b'}' && window.get(end + 1) == Some(&quote) {
                    end += 2;
                    continue;
                }
                if window[end] == quote {
                    return at + end;
                }
                // An escaped quote ends the value where it also began with one.
                if window.get(end + 1) == Some(&quote)
                    && before(text, at.saturating_sub(1)) == Some(b'\\')
                {
                    return at + end;
                }
                end = (end + 2).min(window.len());
            }
            line()
        }
        None => bare(text, at, far),
    }
}

/// The end of a value without quotes.
pub(super) fn bare(text: &[u8], at: usize, far: usize) -> usize {
    let mut depth = 0usize;
    for end in at..far {
        match text[end] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return end,
            b')' | b']' | b'}' => depth -= 1,
            b'&' if !is_parameter(text, end + 1)
                && text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric) => {}
            b';' | b'&' | b'<' | b'"' | b'\'' | b'`' => return end,
            b',' if !goes_on(text, end + 1) => return end,
            b'\\'
                if matches!(
                    text.get(end + 1),
                    Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'u' | b'0')
                ) =>
            {
                return end;
            }
            byte if byte.is_ascii_whitespace() => return end,
            byte if is_script(byte) && text[at].is_ascii() => return end,
            byte if !byte.is_ascii() && is_sign_at(text, end) => return end,
            _ => {}
        }
    }
    far
}

/// Whether a name and its sign follow, or a line or text ends.
fn is_parameter(text: &[u8], at: usize) -> bool {
    let end = run(text, at, 64, is_name);
    matches!(text.get(end), Some(b'=' | b'[' | b'%'))
}

/// Whether a comma is part of a value: what follows it is not another name.
fn goes_on(text: &[u8], at: usize) -> bool {
    let end = run(text, at, 64, |byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b',' | b'=' | b':' | b'"' | b'\'')
    });
    end > at && !matches!(text.get(end), Some(b'=' | b':' | b'"' | b'\''))
}

/// Whether what follows a name is its value rather than the rest of a sentence.
pub(super) fn believed(
    text: &[u8],
    value: &AssignedValue,
    quote: Option<u8>,
    joint: NameJoint,
    named: KeyMeaning,
    is_spaced: bool,
) -> bool {
    let piece = &text[value.start..value.end];
    let piece = piece.strip_suffix(b".").unwrap_or(piece);
    if piece.is_empty() || is_placeholder(piece) || is_sentence(piece) {
        return false;
    }
    let is_any = named.force == ValueProof::Any;
    let quoted = quote.is_some();
    let is_word = is_word_of_prose(piece);
    let mixed = is_mixed(piece) && !is_expression(text, value, quote);
    match joint {
        NameJoint::Json if quoted => !is_word || is_any,
        NameJoint::Json => {
            is_any && !is_word || piece.len() >= 3 && !piece.iter().all(u8::is_ascii_alphabetic)
        }
        NameJoint::Sure if is_any => quoted || !is_spaced || !is_expression(text, value, quote),
        NameJoint::Sure => {
            mixed
                || in_query(text, value)
                || quoted && piece.len() >= 8 && !piece.contains(&b' ')
                || !is_spaced
                    && piece.len() >= 4
                    && !is_word
                    && !is_expression(text, value, quote)
                    && !is_number(piece)
        }
        NameJoint::Flag => {
            let next = run(text, value.end, 4, |byte| is_blank(byte) || is_quote(byte));
            let is_last = text
                .get(next)
                .is_none_or(|byte| matches!(byte, b'-' | b'\n' | b'\r' | b',' | b']' | b')'));
            !piece.starts_with(b"-")
                && !is_word
                && (is_mixed(piece) || has_sign(piece) || quoted || is_last)
        }
        NameJoint::Item => (is_mixed(piece) || has_sign(piece)) && !piece.contains(&b' '),
        NameJoint::Colon if is_any && quoted => true,
        NameJoint::Colon if is_any => {
            !is_word && (is_mixed(piece) || has_sign(piece) || stands_alone(text, value.end))
        }
        NameJoint::Colon => {
            let short = matches!(
                named.mark,
                Mark::Card | Mark::Cookie | Mark::Password | Mark::NationalId
            );
            // `token: rfc2136: refused` goes on with a sentence.
            let looks = mixed
                && (piece.len() >= 8 || short)
                && !piece.contains(&b' ')
                && !is_camel(piece)
                && !(piece.ends_with(b":") && text.get(value.end) == Some(&b' '));
            let compound = named.is_compound && piece.len() >= 4 && !is_word && !is_number(piece);
            looks
                || compound
                    && !piece.contains(&b' ')
                    && (quoted
                        || stands_alone(text, value.end) && !is_expression(text, value, quote))
        }
    }
}

pub(super) fn is_mixed(piece: &[u8]) -> bool {
    piece.len() >= 4 && piece.iter().any(u8::is_ascii_digit)
        || piece.len() >= 20 && piece.iter().all(|byte| is_base64(*byte))
}

/// Whether it is words written together, as errors are named: `InvalidClientTokenId`.
fn is_camel(piece: &[u8]) -> bool {
    piece.iter().all(u8::is_ascii_alphabetic)
        && piece.first().is_some_and(u8::is_ascii_uppercase)
        && piece
            .windows(2)
            .all(|two| !(two[0].is_ascii_uppercase() && two[1].is_ascii_uppercase()))
        && piece
            .iter()
            .filter(|byte| byte.is_ascii_uppercase())
            .count()
            * 4
            <= piece.len()
}

pub(super) fn is_number(piece: &[u8]) -> bool {
    piece
        .iter()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
}

/// Whether a value is code: a call, a member of something, a type.
fn is_expression(text: &[u8], value: &AssignedValue, quote: Option<u8>) -> bool {
    let piece = &text[value.start..value.end];
    let calls = memchr::memchr(b'(', piece).is_some_and(|at| at > 0 && is_word(piece[at - 1]))
        || text.get(value.end) == Some(&b'(');
    let digits = piece.iter().filter(|byte| byte.is_ascii_digit()).count();
    let dotted = piece.contains(&b'.') && digits == 0 && piece.iter().all(|byte| is_name(*byte));
    let path = memchr::memmem::find(piece, b"::").is_some() && digits < 3;
    quote.is_none()
        && (calls || dotted || path || piece.starts_with(b"&") || piece.starts_with(b"@"))
}

/// `?token=abc`: in a query nothing is prose.
fn in_query(text: &[u8], value: &AssignedValue) -> bool {
    let name = run_back(text, value.start.saturating_sub(1), 96, is_name);
    matches!(before(text, name), Some(b'?' | b'&'))
}

fn has_sign(piece: &[u8]) -> bool {
    let is_sign = |byte: &u8| {
        byte.is_ascii_punctuation()
            && !matches!(
                byte,
                b'.' | b'-' | b',' | b'!' | b'?' | b'_' | b'(' | b')' | b'/' | b':'
            )
    };
    piece.iter().any(is_sign)
}

/// Whether nothing but a new clause or a new name follows.
fn stands_alone(text: &[u8], end: usize) -> bool {
    let at = run(text, end, 8, is_blank);
    match text.get(at) {
        None
        | Some(b',' | b')' | b';' | b'}' | b']' | b'\n' | b'\r' | b'\\' | b'|' | b'(' | b'#') => {
            true
        }
        Some(_) if at == end => true,
        Some(_) => {
            let word = run(text, at, 32, is_name);
            word > at && matches!(text.get(word), Some(b'=' | b':'))
        }
    }
}

/// The rest of a line, where it is a value of several words: `password: correct horse battery staple`.
pub(super) fn plain(text: &[u8], at: usize, named: KeyMeaning) -> Option<AssignedValue> {
    let end = line_end(text, at, 256);
    let piece = text[at..end].trim_ascii_end();
    let mut words = piece.split(|byte| *byte == b' ');
    let is_plain = named.force == ValueProof::Any
        && words.all(|word| {
            !word.is_empty()
                && word.iter().all(u8::is_ascii_alphanumeric)
                && !is_word_of_prose(word)
                && !is_placeholder(word)
        })
        && (3..=24).contains(&piece.split(|byte| *byte == b' ').count());
    is_plain.then_some(AssignedValue {
        start: at,
        end: at + piece.len(),
    })
}
