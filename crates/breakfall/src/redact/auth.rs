//! Credentials that say by which scheme they are shown: `Authorization`, `Bearer`, `Basic`, cookies, options of `curl`.

use super::bytes::{
    begins, follows, is_base64, is_blank, is_quote, is_random, is_word, line_end, one_of, run,
    run_back,
};
use super::finder::{MarkFinder, Rule};
use super::mark::{Mark, is_marker};

/// What a bearer token is made of.
const fn is_bearer(byte: u8) -> bool {
    is_base64(byte) || matches!(byte, b'.' | b'~' | b':' | b'%' | b'|')
}

/// `Bearer …`, wherever it stands.
pub(super) fn bearer(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let Some(start) = after_word(text, at, b"bearer") else {
        return;
    };
    let end = run(text, start, LONGEST, is_bearer);
    let token = trim(&text[start..end]);
    let mixed = token.iter().any(u8::is_ascii_digit) || token.len() >= 20;
    if token.len() >= 8 && mixed && !assigns(text, start, end) {
        finder.found(start, start + token.len(), Mark::Bearer);
    }
}

/// `Basic …`, where it is the base64 of something with a colon.
pub(super) fn basic(finder: &mut MarkFinder<'_>, at: usize) {
    let text = finder.text;
    let Some(start) = after_word(text, at, b"basic") else {
        return;
    };
    let end = run(text, start, LONGEST, is_base64);
    if is_pair(&text[start..end]) {
        finder.found(start, end, Mark::Basic);
    }
}

/// `Authorization: scheme …`
pub(super) fn authorization(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.is_new(Rule::Authorization, at) {
        return;
    }
    let text = finder.text;
    let Some(start) = after_key(text, at, b"authorization") else {
        return;
    };
    let scheme = run(text, start, 32, |byte| is_word(byte) || byte == b'-');
    let value = run(text, scheme, 4, |byte| byte == b' ');
    let listed = value > scheme && one_of(&text[start..scheme], LISTS);
    let known = listed || value > scheme && one_of(&text[start..scheme], SCHEMES);
    let (start, whole) = (if known { value } else { start }, listed);
    // `<token>` says what to write there.
    if text.get(start) == Some(&b'<') {
        return;
    }
    let end = if whole {
        run(text, start, LONGEST, |byte| {
            !matches!(byte, b'\n' | b'\r' | b'\'' | b'`')
        })
    } else {
        run(text, start, LONGEST, |byte| {
            !byte.is_ascii_whitespace()
                && !is_quote(byte)
                && !matches!(byte, b',' | b';' | b'}' | b')' | b']' | b'<' | b'\\')
        })
    };
    finder.passed(Rule::Authorization, end);
    let token = trim(&text[start..end]);
    let enough = token.len() >= if known { 4 } else { 8 } && (known || is_random(token));
    if enough && !is_marker(token) && !text[start..].starts_with(b"[") && !assigns(text, start, end)
    {
        let mark = match text[..start].trim_ascii_end() {
            before if ends_with(before, b"bearer") => Mark::Bearer,
            before if ends_with(before, b"basic") => Mark::Basic,
            _ => Mark::Secret,
        };
        finder.found(start, start + token.len(), mark);
    }
}

/// Schemes whose credentials are a list: all of it goes.
const LISTS: &str = "digest aws4-hmac-sha256 oauth hawk negotiate ntlm";

/// Schemes whose credentials are one word.
const SCHEMES: &str = "bearer basic token apikey api-key ssws bot key jwt splunk geniekey klaviyo-api-key private-token sharedkey \
                       sharedaccesssignature discogs zapikey zoho-oauthtoken pvetoken pvemicrotoken flyv1 dpop";

/// `Cookie: a=…; b=…`, `Set-Cookie: a=…; Path=/`
pub(super) fn cookie(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.is_new(Rule::Cookie, at) {
        return;
    }
    let text = finder.text;
    let Some(mut at) = after_key(text, at, b"cookie") else {
        return;
    };
    let end = line_end(text, at, LONGEST);
    let end = run(text, at, end - at, |byte| !is_quote(byte) && byte != b'\\');
    finder.passed(Rule::Cookie, end);
    while at < end {
        let name = run(text, at, 128, |byte| {
            is_word(byte) || matches!(byte, b'-' | b'.' | b'%')
        });
        if name == at || text.get(name) != Some(&b'=') {
            // An attribute without a value may stand between; anything else is not a cookie.
            if name == at || !matches!(text.get(name), Some(b';')) {
                return;
            }
        } else {
            let value = run(text, name + 1, end - name - 1, |byte| {
                !matches!(byte, b';' | b',' | b' ')
            });
            let attribute = one_of(&text[at..name], ATTRIBUTES);
            if !attribute && !is_marker(&text[name + 1..value]) {
                finder.found(name + 1, value, Mark::Cookie);
            }
            at = value;
        }
        let next = run(text, at.max(name), end - at.max(name), |byte| {
            !matches!(byte, b';')
        });
        at = run(text, next.min(end), 4, |byte| matches!(byte, b';' | b' '));
        if next >= end {
            return;
        }
    }
}

/// What a server says about a cookie.
const ATTRIBUTES: &str =
    "path domain expires max-age samesite secure httponly version priority partitioned";

const LONGEST: usize = 8 * 1024;

/// The place after a word and a blank.
fn after_word(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let start = word_start(text, at, word)?;
    let end = start + word.len();
    let value = run(text, end, 4, |byte| byte == b' ');
    (value > end).then_some(value)
}

/// The place where the value of a key begins.
fn after_key(text: &[u8], at: usize, key: &[u8]) -> Option<usize> {
    let start = word_start(text, at, key)?;
    let end = start + key.len();
    let closed = run(text, end, 4, |byte| {
        is_quote(byte) || byte == b'\\' || byte == b']'
    });
    let joint = run(text, closed, 4, is_blank);
    let past = run(text, joint, 2, |byte| matches!(byte, b':' | b'=' | b'>'));
    (past > joint).then(|| {
        run(text, past, 8, |byte| {
            is_blank(byte) || is_quote(byte) || matches!(byte, b'\\' | b'[')
        })
    })
}

/// The start of a word of which some letters are at a place.
fn word_start(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    let start = run_back(text, at, word.len(), |byte| byte.is_ascii_alphabetic());
    (start..=at)
        .rev()
        .find(|start| follows(text, *start, word) && begins(text, *start))
}

fn trim(token: &[u8]) -> &[u8] {
    let end = token
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b':' | b','));
    &token[..end.map_or(0, |last| last + 1)]
}

/// `Bearer realm="…"` is a challenge.
fn assigns(text: &[u8], start: usize, end: usize) -> bool {
    let name = run(text, start, end - start, |byte| {
        byte.is_ascii_lowercase() || byte == b'_'
    });
    name > start && follows(text, name, b"=\"")
}

fn ends_with(text: &[u8], word: &[u8]) -> bool {
    text.len()
        .checked_sub(word.len())
        .is_some_and(|start| text[start..].eq_ignore_ascii_case(word))
}

/// Whether base64 stands for `name:password`.
fn is_pair(encoded: &[u8]) -> bool {
    let mut colon = false;
    let body = encoded.iter().take_while(|byte| **byte != b'=').count();
    if body < 4 {
        return false;
    }
    for four in encoded[..body].chunks(4) {
        let mut bits = 0u32;
        for byte in four {
            let Some(value) = super::encoded::sextet(*byte) else {
                return false;
            };
            bits = bits << 6 | u32::from(value);
        }
        bits <<= 6 * (4 - four.len());
        let bytes = bits.to_be_bytes();
        for byte in bytes.iter().skip(1).take(four.len() * 6 / 8) {
            colon |= *byte == b':';
            if byte.is_ascii_control() {
                return false;
            }
        }
    }
    colon
}
