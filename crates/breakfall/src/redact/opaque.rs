//! Words that no person writes, in a line about a password, a key or a login that failed.

use super::bytes::{ByteStats, holds, line, run};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;

/// What such a line speaks of.
pub(super) const WORDS: &str = "password|passwd|passphrase|credential|unauthori|not authori|authenticat|login |logon |invalid key|\
    api key|apikey|access key|secret|auth failed|auth_failed|wrongpass|keychain|masterauth|identified by |tacacs|radius|message-digest-key|\
    community|bad token|invalid token|access denied";

/// Takes the words of the line that look drawn by chance.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize, _: usize) {
    if !finder.is_new(Rule::Opaque, at) {
        return;
    }
    let text = finder.text;
    let (start, end) = line(text, at, REACH);
    let mut from = start.max(finder.read(Rule::Opaque));
    finder.passed(Rule::Opaque, end);
    while from < end {
        let close = run(text, from, end - from, |byte| byte.is_ascii_alphanumeric());
        if is_drawn(&text[from..close]) && !is_identifier(text, start, from) {
            finder.found(from, close, Mark::Secret);
        }
        from = close + 1;
    }
}

/// Whether capitals, small letters and digits change places as they do in no name: every two or three bytes.
fn is_drawn(word: &[u8]) -> bool {
    if !(MIN_BYTES..=MAX_BYTES).contains(&word.len()) {
        return false;
    }
    let stats = ByteStats::of(word);
    let pieces = 1 + word
        .windows(2)
        .filter(|pair| {
            let [first, second] = pair else { return false };
            let digit = first.is_ascii_digit() != second.is_ascii_digit();
            digit || !first.is_ascii_uppercase() && second.is_ascii_uppercase()
        })
        .count();
    let is_dense = word.len() * 5 <= pieces * 14;
    let has_small = word.iter().any(u8::is_ascii_lowercase);
    let is_mixed = has_small && stats.cases >= 1;
    is_mixed && is_dense && (stats.digits >= 1 || stats.cases >= 5)
}

/// Whether a word before it says that it names a request, a commit or another thing.
fn is_identifier(text: &[u8], line: usize, at: usize) -> bool {
    let before = &text[at.saturating_sub(24).max(line)..at];
    before.ends_with(b"_") || holds(before, NAMES_OF_THINGS)
}

const NAMES_OF_THINGS: &str = "id|ids|request|trace|span|ray|commit|digest|etag|version|build|checksum|nonce|public|fingerprint|sha256";

/// How far around a word of the rule its line is read.
const REACH: usize = 240;
const MIN_BYTES: usize = 10;
const MAX_BYTES: usize = 128;
