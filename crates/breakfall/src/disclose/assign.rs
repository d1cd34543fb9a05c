//! A name and its value: `password=…`, `"api_key": "…"`, `--token …`, `<apiToken>…`, "the access token is …".

use super::bytes::{
    before, follows, is_base64, is_blank, is_name, is_quote, is_random, is_script, is_sign_at,
    is_uuid, is_word, run, run_back,
};
use super::finder::{MarkFinder, Rule};
use super::keys::{self, KeyMeaning, ValueProof};
use super::mark::{Mark, is_marker};

/// Looks at a place inside a name that may be that of a secret.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.is_new(Rule::Assignment, at) {
        return;
    }
    let text = finder.text;
    let start = run_back(text, at, NAME, is_name);
    let end = run(text, at, NAME, is_name);
    // A dot or a hyphen at the end belongs to the sentence.
    let end = start
        + text[start..end]
            .iter()
            .rposition(|byte| is_word(*byte))
            .map_or(0, |last| last + 1);
    finder.passed(Rule::Assignment, end.max(at + 1));
    if start >= end || text[..start].ends_with(b"redacted:") {
        return;
    }
    if !keys::may_name(&text[start..end]) {
        return;
    }
    let Some(named) = name(text, start, end) else {
        return;
    };
    let Some(value) = value(text, start, end, named) else {
        return;
    };
    if value.start < value.end && !is_marker(&text[value.start..value.end]) {
        finder.found(value.start, value.end, named.mark);
        finder.passed(Rule::Assignment, value.end);
    }
}

/// Looks behind a word for a password in some language: `contraseña: …`, `mot de passe : …`, `パスワード：…`.
///
/// Where the sentence begins is unknown, so the value has to look like a secret.
pub(super) fn spoken(finder: &mut MarkFinder<'_>, end: usize) {
    let text = finder.text;
    let blank = |at: usize| {
        let at = run(text, at, 4, is_blank);
        // French puts a blank that does not break before a colon.
        let narrow = ["\u{a0}", "\u{202f}"]
            .iter()
            .find(|blank| text[at..].starts_with(blank.as_bytes()));
        narrow.map_or(at, |blank| at + blank.len())
    };
    let closed = run(text, end, 4, |byte| is_quote(byte) || byte == b'\\');
    let at = blank(closed);
    let Some(joint) = [":", "=", "："]
        .iter()
        .find(|joint| text[at..].starts_with(joint.as_bytes()))
    else {
        return;
    };
    let (start, quote) = open(text, blank(at + joint.len()));
    let value = start..close(text, start, quote);
    let piece = &text[value.clone()];
    let looks = piece.is_ascii()
        && piece.len() >= 4
        && (quote.is_some() && !piece.contains(&b' ')
            || piece.iter().any(u8::is_ascii_digit)
            || has_sign(piece));
    if looks && !is_placeholder(piece) {
        finder.found(value.start, value.end, Mark::Password);
    }
}

/// The longest name.
const NAME: usize = 96;

/// The longest value.
const VALUE: usize = 4 * 1024;

struct AssignedValue {
    start: usize,
    end: usize,
}

/// What a name promises. Two words say it too: `api key`.
fn name(text: &[u8], start: usize, end: usize) -> Option<KeyMeaning> {
    let word = &text[start..end];
    let last = word
        .iter()
        .rposition(|byte| *byte == b'.')
        .map_or(word, |dot| &word[dot + 1..]);
    if let Some(named) = keys::named(last).or_else(|| keys::named(word)) {
        return Some(named);
    }
    // As a member of an object it counts what passed.
    if word.eq_ignore_ascii_case(b"pass") && text.get(end) == Some(&b'=') {
        return Some(KeyMeaning {
            mark: Mark::Password,
            force: ValueProof::Mixed,
        });
    }
    if word.eq_ignore_ascii_case(b"key") && before(text, start) == Some(b' ') {
        let first = run_back(text, start - 1, 24, is_word);
        return keys::named(&text[first..end]);
    }
    None
}

/// The sign that joins a name and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameJoint {
    /// `=`, and everything as sure as it: `--flag value`, `<tag>value</tag>`.
    Sure,
    /// `:` after a name in quotes.
    Json,
    /// `:`
    Colon,
}

fn value(text: &[u8], start: usize, end: usize, named: KeyMeaning) -> Option<AssignedValue> {
    let closed = run(text, end, 6, |byte| {
        is_quote(byte) || matches!(byte, b'\\' | b']' | b')')
    });
    let quoted = text[end..closed].iter().any(|byte| is_quote(*byte));
    let at = run(text, closed, 8, is_blank);
    if let Some(inside) = tag(text, start, end) {
        return Some(inside);
    }
    let next = *text.get(at)?;
    let (joint, at) = match next {
        b'=' => (
            NameJoint::Sure,
            run(text, at, 3, |byte| matches!(byte, b'=' | b'>')),
        ),
        b':' if !follows(text, at, b"://") => {
            let joint = if quoted {
                NameJoint::Json
            } else {
                NameJoint::Colon
            };
            (joint, run(text, at, 2, |byte| matches!(byte, b':' | b'=')))
        }
        b'-' if follows(text, at, b"->") => (NameJoint::Sure, at + 2),
        b',' | b';' => (NameJoint::Sure, pair(text, at)?),
        _ if at > closed || quoted => {
            if let Some(after) = pair(text, at) {
                (NameJoint::Sure, after)
            } else if is_flag(text, start) {
                (NameJoint::Sure, at)
            } else {
                return prose(text, at, named);
            }
        }
        _ => return None,
    };
    let at = run(text, at, 8, is_blank);
    let (at, quote) = open(text, at);
    let end = close(text, at, quote);
    let value = AssignedValue { start: at, end };
    believed(text, &value, quote, joint, named).then_some(value)
}

/// Whether a name is an option of a command.
fn is_flag(text: &[u8], start: usize) -> bool {
    text[..start].ends_with(b"--") || text[start..].starts_with(b"--")
}

/// `<apiToken>…</apiToken>`
fn tag(text: &[u8], start: usize, end: usize) -> Option<AssignedValue> {
    if before(text, start) != Some(b'<') || text.get(end) != Some(&b'>') {
        return None;
    }
    let close = run(text, end + 1, VALUE, |byte| byte != b'<');
    let value = AssignedValue {
        start: end + 1,
        end: close,
    };
    let inside = &text[value.start..value.end];
    // In a sentence `<token>` says what to write there.
    let closed = text[close..].starts_with(b"</")
        || !inside
            .iter()
            .any(|byte| is_quote(*byte) || byte.is_ascii_whitespace());
    let inside = inside.trim_ascii();
    (closed && !inside.is_empty() && !is_placeholder(inside)).then_some(value)
}

/// `name="password" value="…"`, `"key": "api_key", "value": "…"`
fn pair(text: &[u8], at: usize) -> Option<usize> {
    let at = run(text, at, 8, |byte| {
        is_blank(byte) || is_quote(byte) || matches!(byte, b',' | b';' | b'\\' | b'\n')
    });
    if !follows(text, at, b"value") {
        return None;
    }
    let at = run(text, at + 5, 4, |byte| {
        is_quote(byte) || is_blank(byte) || byte == b'\\'
    });
    matches!(text.get(at)?, b'=' | b':').then_some(at + 1)
}

/// Past what opens a value: quotes, escaped or not, and the wrappers that debug output puts around it.
fn open(text: &[u8], at: usize) -> (usize, Option<u8>) {
    let mut at = at;
    let wrapper = run(text, at, 24, is_word);
    if wrapper > at
        && text.get(wrapper) == Some(&b'(')
        && text.get(wrapper + 1).is_some_and(|byte| is_quote(*byte))
    {
        at = wrapper + 1;
    } else if wrapper == at + 1 && text.get(wrapper).is_some_and(|byte| is_quote(*byte)) {
        at = wrapper;
    } else if text.get(at) == Some(&b'(') {
        at += 1;
    }
    let past = run(text, at, 4, |byte| byte == b'\\');
    match text.get(past) {
        Some(&quote) if is_quote(quote) => {
            let three = run(text, past, 3, |byte| byte == quote);
            // Two quotes are an empty value.
            if three == past + 2 {
                (past + 1, Some(quote))
            } else {
                (three, Some(quote))
            }
        }
        _ => match typographic(text, at) {
            Some(after) => (after, Some(0)),
            None => (at, None),
        },
    }
}

/// Past a typographic opening quote: “ ‘ „ «
fn typographic(text: &[u8], at: usize) -> Option<usize> {
    ["“", "‘", "„", "«"]
        .iter()
        .find(|quote| text[at..].starts_with(quote.as_bytes()))
        .map(|quote| at + quote.len())
}

/// The end of a value.
fn close(text: &[u8], at: usize, quote: Option<u8>) -> usize {
    let far = text.len().min(at.saturating_add(VALUE));
    let window = &text[at..far];
    match quote {
        Some(0) => {
            at + window
                .iter()
                .position(|byte| !byte.is_ascii() || *byte == b'\n')
                .unwrap_or(window.len())
        }
        Some(quote) => {
            let mut end = 0;
            while let Some(found) = memchr::memchr2(quote, b'\\', &window[end..]) {
                end += found;
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
            at + window.len()
        }
        None => bare(text, at, far),
    }
}

/// The end of a value without quotes.
fn bare(text: &[u8], at: usize, far: usize) -> usize {
    let mut depth = 0usize;
    for end in at..far {
        match text[end] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return end,
            b')' | b']' | b'}' => depth -= 1,
            b';' | b'&' | b'<' | b'"' | b'\'' | b'`' => return end,
            b',' if !goes_on(text, end + 1) => return end,
            b'\\'
                if matches!(
                    text.get(end + 1),
                    Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'u')
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

/// Whether a comma is part of a value: what follows it is not another name.
fn goes_on(text: &[u8], at: usize) -> bool {
    let end = run(text, at, 64, |byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b',' | b'=' | b':' | b'"' | b'\'')
    });
    end > at && !matches!(text.get(end), Some(b'=' | b':' | b'"' | b'\''))
}

/// Whether what follows a name is its value rather than the rest of a sentence.
fn believed(
    text: &[u8],
    value: &AssignedValue,
    quote: Option<u8>,
    joint: NameJoint,
    named: KeyMeaning,
) -> bool {
    let piece = &text[value.start..value.end];
    let piece = piece.strip_suffix(b".").unwrap_or(piece);
    if piece.is_empty() || is_placeholder(piece) {
        return false;
    }
    let mixed = piece.len() >= 4 && piece.iter().any(u8::is_ascii_digit)
        || piece.len() >= 20 && piece.iter().all(|byte| is_base64(*byte));
    match (joint, named.force) {
        (NameJoint::Json, _) | (NameJoint::Sure, ValueProof::Any) => true,
        (NameJoint::Sure, ValueProof::Mixed) => {
            mixed
                || in_query(text, value)
                || quote.is_some() && piece.len() >= 8 && !piece.contains(&b' ')
        }
        (NameJoint::Colon, ValueProof::Any) if quote.is_some() => true,
        (NameJoint::Colon, ValueProof::Any) => {
            !is_word_of_prose(piece) && (mixed || has_sign(piece) || stands_alone(text, value.end))
        }
        (NameJoint::Colon, ValueProof::Mixed) => {
            let looks = mixed
                && (piece.len() >= 8 || named.mark == Mark::Card || named.mark == Mark::Cookie);
            looks && !piece.contains(&b' ')
        }
    }
}

/// `?token=abc`: in a query nothing is prose.
fn in_query(text: &[u8], value: &AssignedValue) -> bool {
    let name = run_back(text, value.start.saturating_sub(1), NAME, is_name);
    matches!(before(text, name), Some(b'?' | b'&'))
}

fn has_sign(piece: &[u8]) -> bool {
    piece.iter().any(|byte| {
        byte.is_ascii_punctuation() && !matches!(byte, b'.' | b'-' | b',' | b'!' | b'?')
    })
}

/// Whether nothing but a new clause or a new name follows.
fn stands_alone(text: &[u8], end: usize) -> bool {
    let at = run(text, end, 8, is_blank);
    match text.get(at) {
        None | Some(b',' | b')' | b';' | b'}' | b']' | b'\n' | b'\r' | b'\\' | b'|' | b'(') => true,
        Some(_) if at == end => true,
        Some(_) => {
            let word = run(text, at, 32, is_name);
            word > at && matches!(text.get(word), Some(b'=' | b':'))
        }
    }
}

/// "the access token is …", "with password '…'", "token (…)", "passphrase for key: …"
fn prose(text: &[u8], at: usize, named: KeyMeaning) -> Option<AssignedValue> {
    let mut at = at;
    if named.force == ValueProof::Any {
        let (inside, quote) = open(text, at);
        if quote.is_some() {
            let value = AssignedValue {
                start: inside,
                end: close(text, inside, quote),
            };
            let piece = &text[value.start..value.end];
            let one = !piece.is_empty()
                && !piece.contains(&b' ')
                && !is_placeholder(piece)
                && !is_word_of_prose(piece);
            return one.then_some(value);
        }
    }
    // A few words may stand between, in the same clause.
    for _ in 0..4 {
        let skip = run(text, at, 4, |byte| {
            is_blank(byte) || is_quote(byte) || matches!(byte, b'(' | b'[' | b':' | b'=')
        });
        let start = typographic(text, skip).unwrap_or(skip);
        let far = text.len().min(start.saturating_add(VALUE));
        let end = bare(text, start, far);
        let piece = text[start..end]
            .strip_suffix(b".")
            .unwrap_or(&text[start..end]);
        if looks_secret(piece, named) {
            return Some(AssignedValue {
                start,
                end: start + piece.len(),
            });
        }
        let word = run(text, start, 16, |byte| byte.is_ascii_alphabetic());
        if word == start || word < end && !matches!(text[word], b':' | b'=') {
            return None;
        }
        at = word;
    }
    None
}

/// Whether a piece of prose after the name of a secret is that secret.
fn looks_secret(piece: &[u8], named: KeyMeaning) -> bool {
    let ascii = piece.iter().take_while(|byte| byte.is_ascii()).count();
    let piece = &piece[..ascii];
    if is_uuid(piece)
        || piece.contains(&b'/') && !piece.iter().any(u8::is_ascii_digit)
        || is_placeholder(piece)
    {
        return false;
    }
    let least = if named.force == ValueProof::Any {
        5
    } else {
        16
    };
    let parts = piece.split(|byte| matches!(byte, b'-' | b'.' | b'/' | b':'));
    let longest = parts.max_by_key(|part| part.len()).unwrap_or_default();
    match named.force {
        ValueProof::Any => {
            piece.len() >= least
                && piece.iter().any(u8::is_ascii_digit)
                && piece.iter().any(u8::is_ascii_alphabetic)
        }
        ValueProof::Mixed => {
            longest.len() >= least.min(12) && piece.len() >= least && is_random(longest)
        }
    }
}

/// Whether a piece is a placeholder rather than a value.
fn is_placeholder(piece: &[u8]) -> bool {
    let Some(&first) = piece.first() else {
        return true;
    };
    let masked = piece
        .iter()
        .all(|byte| matches!(byte, b'*' | b'.' | b'x' | b'X' | b'-' | b'_' | b'#' | b'?'));
    let variable =
        matches!(first, b'$' | b'<' | b'{') || piece.starts_with(b"%(") || piece.starts_with(b"[[");
    masked || variable || is_marker(piece) || super::bytes::one_of(piece, NOT_A_VALUE)
}

fn is_word_of_prose(piece: &[u8]) -> bool {
    super::bytes::one_of(piece, PROSE)
}

/// Words that a program writes in place of a missing value.
const NOT_A_VALUE: &[&str] = &[
    "null",
    "none",
    "nil",
    "undefined",
    "true",
    "false",
    "yes",
    "no",
    "empty",
    "unset",
    "hidden",
    "redacted",
    "masked",
    "required",
    "optional",
    "string",
    "str",
    "text",
    "integer",
    "int",
    "number",
    "boolean",
    "bool",
    "object",
    "array",
    "secret",
    "bytes",
    "secretstr",
    "include",
    "omit",
    "same-origin",
    "basic",
    "bearer",
    "oauth2",
    "changeme?",
    "n/a",
    "[object object]",
    "...",
    "missing",
    "invalid",
    "expired",
    "denied",
    "filtered",
    "[filtered]",
    "set",
    "not_set",
    "password",
];

/// Words that a sentence about a secret goes on with.
const PROSE: &[&str] = &[
    "must",
    "is",
    "are",
    "was",
    "should",
    "can",
    "cannot",
    "could",
    "may",
    "has",
    "have",
    "not",
    "too",
    "the",
    "a",
    "an",
    "please",
    "enter",
    "wrong",
    "incorrect",
    "mismatch",
    "failed",
    "failure",
    "error",
    "rejected",
    "accepted",
    "unknown",
    "unauthorized",
    "forbidden",
    "needs",
    "minimum",
    "maximum",
    "at",
    "for",
    "of",
    "in",
    "on",
    "to",
    "and",
    "or",
    "with",
    "weak",
    "strong",
    "short",
    "long",
    "strict",
    "reset",
    "change",
    "changed",
    "updated",
    "ok",
    "command",
    "field",
    "authentication",
    "unsupported",
    "malformed",
    "blank",
    "disabled",
    "enabled",
    "pending",
    "revoked",
    "ungültig",
    "falsch",
    "erforderlich",
    "abgelaufen",
    "fehlt",
    "zu",
    "muss",
    "darf",
    "ist",
    "wurde",
    "this",
    "that",
    "it",
    "you",
    "your",
    "use",
    "using",
    "see",
    "try",
    "value",
    "valid",
    "unexpected",
    "characters",
    "confirmation",
];
