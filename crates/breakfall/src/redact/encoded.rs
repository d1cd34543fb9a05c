//! Secrets in base64 or hexadecimal digits: what a stretch says is looked at by the same rules.

use super::bytes::{ByteStats, holds, run, run_back};
use super::finder::MarkFinder;
use super::gate;
use super::mark::{Mark, MarkClass};

/// The fewest signs that are decoded: `cGFzc3dvcmQ9YWI=` is `password=ab`.
pub(super) const LEAST: usize = 16;

/// The longest stretch that is.
const LONGEST: usize = 16 * 1024;

/// Decodes a stretch of letters, digits and the signs of base64.
pub(super) fn find(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let text = finder.text;
    let piece = &text[start..end];
    if !(LEAST..=LONGEST).contains(&piece.len()) || finder.depth >= DEEPEST {
        return;
    }
    let Some(plain) = from_hex(piece).or_else(|| from_base64(piece)) else {
        if is_opaque(text, start, end) {
            let end = run(text, end, 2, |byte| byte == b'=');
            finder.found(start, end, Mark::Secret);
        }
        return;
    };
    let mut inner = MarkFinder::new(&plain, false);
    inner.depth = finder.depth + 1;
    gate::search(&mut inner);
    if inner
        .spans
        .iter()
        .any(|span| span.mark.class() == MarkClass::Secret && span.mark != Mark::Escape)
        || is_login(&plain)
    {
        let end = run(text, end, 2, |byte| byte == b'=');
        finder.found(start, end, Mark::Secret);
    }
}

/// Whether it is a name, a colon and a password.
fn is_login(plain: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', plain) else {
        return false;
    };
    let (name, password) = (&plain[..colon], &plain[colon + 1..]);
    let strong = |byte: &u8| {
        byte.is_ascii_digit()
            || matches!(
                byte,
                b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'?' | b'~' | b'^'
            )
    };
    name.len() >= 2
        && name
            .iter()
            .all(|byte| super::bytes::is_name(*byte) || *byte == b'@')
        && name.iter().any(u8::is_ascii_alphabetic)
        && password.len() >= 6
        && password.iter().all(u8::is_ascii_graphic)
        && password.iter().any(u8::is_ascii_alphabetic)
        && password.iter().any(strong)
        && !password.contains(&b':')
        && !password.starts_with(b"//")
}

/// Whether a stretch is random letters and digits, long enough for a key, and no name before it says that it identifies something.
fn is_opaque(text: &[u8], start: usize, end: usize) -> bool {
    let piece = &text[start..end];
    // Most pieces are words, and this is told from many bytes at a time.
    if piece.iter().filter(|byte| byte.is_ascii_digit()).count() < 2 {
        return false;
    }
    // `cus_…`: three letters and a sign begin the ids of services; what is longer than a key is data.
    let lead = piece
        .iter()
        .take_while(|byte| byte.is_ascii_lowercase())
        .count();
    if piece.len() > 120 || (2..=6).contains(&lead) && matches!(piece.get(lead), Some(b'_' | b'-'))
    {
        return false;
    }
    let mut parts = piece.split(|byte| !byte.is_ascii_alphanumeric());
    let is_random = parts.any(|part| {
        if part.len() < 20 {
            return false;
        }
        let stats = ByteStats::of(part);
        let upper = part.iter().filter(|byte| byte.is_ascii_uppercase()).count();
        let lower = part.iter().filter(|byte| byte.is_ascii_lowercase()).count();
        upper >= 4 && lower >= 4 && stats.digits >= 2 && stats.cases >= 4 && stats.is_random()
    });
    if !is_random {
        return false;
    }
    let from = run_back(text, start, 40, |byte| byte > b'\n');
    !holds(&text[from..start], IDENTIFIES)
}

/// Words before what identifies a thing and opens none.
const IDENTIFIES: &str = "id|ids|request|requestid|trace|span|correlation|etag|digest|sha|sha1|sha256|sha384|sha512|md5|integrity|checksum|hash|\
    fingerprint|cursor|page|commit|revision|version|nonce|build|job|run|task|message-id|messageid|ref|reference|arn|event|boundary|w/|\
    image|tag|file|object|session|next|after|before|data|content|doc|document|mime|blob|img|src|chunk|row|channel|user|account|project|team";

/// How often something is decoded that was decoded already.
const DEEPEST: usize = 2;

/// The text that hexadecimal digits stand for, if it is text.
fn from_hex(piece: &[u8]) -> Option<Vec<u8>> {
    let piece = piece.strip_prefix(b"0x").unwrap_or(piece);
    let pairs = piece.chunks(2).map(|pair| {
        let [high, low] = *pair else { return None };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        u8::try_from(digit(high)? << 4 | digit(low)?)
            .ok()
            .filter(|byte| is_text(*byte))
    });
    pairs.collect()
}

/// The text that base64 stands for, if it is text. The first bytes tell of most stretches that they are no text.
fn from_base64(piece: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    for four in piece.chunks(4) {
        if four.len() == 1 {
            return None;
        }
        let bits = four.iter().try_fold(0u32, |bits, byte| {
            Some(bits << 6 | u32::from(sextet(*byte)?))
        })?;
        let bytes = (bits << (6 * (4 - four.len()))).to_be_bytes();
        for byte in &bytes[1..=four.len() * 6 / 8] {
            if !is_text(*byte) {
                return None;
            }
            plain.push(*byte);
        }
    }
    Some(plain)
}

/// Visible signs, blanks and line ends.
const fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\r' | b'\t')
}

/// The six bits that a sign of base64 stands for.
pub(super) const fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}
