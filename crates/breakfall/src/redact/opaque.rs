//! Words that no person writes, in a line about a password, a key or a login that failed.

use super::bytes::{ByteStats, holds, line, run};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;

/// What such a line speaks of.
pub(super) const WORDS: &str = "unseal key|key share|keyring|gossip|encryption key|signing key|master key|private key|bad decrypt|hmac|license key|licence key|devicetoken|device token|password|passwd|passphrase|credential|unauthori|not authori|authenticat|login |logon |invalid key|\
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
        let word = &text[from..close];
        if (is_drawn(word) || is_plain(word)) && !is_identifier(text, start, from) {
            finder.found(from, close, Mark::Secret);
        }
        from = close + 1;
    }
}

/// Whether capitals, small letters and digits change places as they do in no name: every two or three bytes.
fn is_drawn(word: &[u8]) -> bool {
    if !(MIN_BYTES..=MAX_BYTES).contains(&word.len())
        || PROMPTS.iter().any(|prompt| word.starts_with(prompt))
    {
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

/// Whether digits and letters of one case change places as often as chance has it, over more bytes than a name has.
fn is_plain(word: &[u8]) -> bool {
    if !(MIN_PLAIN_BYTES..=MAX_BYTES).contains(&word.len()) {
        return false;
    }
    let stats = ByteStats::of(word);
    let letters = word.len() - stats.digits;
    let turns = word
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    stats.cases == 0 && stats.digits >= 3 && letters >= 3 && turns * 4 >= word.len()
}

/// Whether a word before it says that it names a request, a commit or another thing.
fn is_identifier(text: &[u8], line: usize, at: usize) -> bool {
    let before = &text[at.saturating_sub(24).max(line)..at];
    before.ends_with(b"_") || holds(before, NAMES_OF_THINGS)
}

const NAMES_OF_THINGS: &str = "id|ids|hash|sha:|sha1|sha512|md5|object|order|user|account|pod|image|correlation|request|trace|span|ray|commit|digest|etag|version|build|checksum|nonce|public|fingerprint|sha256";

/// How far around a word of the rule its line is read.
const REACH: usize = 240;
const MIN_BYTES: usize = 10;

/// The fewest bytes of one case.
const MIN_PLAIN_BYTES: usize = 20;
const MAX_BYTES: usize = 128;

/// What a mail server asks with, in base64: `Password:`, `Username:`.
const PROMPTS: [&[u8]; 2] = [b"UGFzc3dvcmQ", b"VXNlcm5hbWU"];

/// Behind the name of a secret: a UUID in the same sentence, unless a word before it or brackets say that it names something.
pub(super) fn uuid(finder: &mut MarkFinder<'_>, _: usize, end: usize) {
    let text = finder.text;
    let far = text.len().min(end + UUID_REACH);
    let line = super::bytes::line_end(text, end, UUID_REACH);
    for dash in memchr::memchr_iter(b'-', &text[end..far]) {
        let start = (end + dash).saturating_sub(8);
        let close = start + 36;
        if start >= end
            && close <= text.len()
            && start < line
            && super::bytes::is_uuid(&text[start..close])
            && super::bytes::ends(text, close)
        {
            let before = &text[start.saturating_sub(24).max(end)..start];
            // Logs write the id of a request so, this project's too.
            let is_bracketed = before.ends_with(b"[") && text.get(close) == Some(&b']');
            let is_named = holds(before, NAMES_OF_THINGS) || is_bracketed;
            if !is_named && !before.ends_with(b"/") && !before.ends_with(b"_") {
                finder.found(start, close, Mark::Secret);
            }
            return;
        }
    }
}

/// How far a UUID may stand behind the name of a secret.
const UUID_REACH: usize = 120;
