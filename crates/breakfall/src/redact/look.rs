//! Passwords that nothing announces, by their look: letters of both cases, a digit and a sign between them.

use std::sync::LazyLock;

use super::bytes::{before, follows, is_word, run, run_back};
use super::finder::MarkFinder;
use super::mark::Mark;
use super::words::WordIndex;

/// Looks at a sign that words are not joined by: `Larch!Tide4`.
pub(super) fn sign(finder: &mut MarkFinder<'_>, at: usize) {
    let Some(word) = LookedWord::around(finder.text, at) else {
        return;
    };
    if word.is_password() && word.is_joined_oddly(at) {
        finder.found(word.start, word.end, Mark::Password);
    }
}

/// Looks at digits in a word of several parts, where the text speaks of logins: `Peat_Fire.61`.
pub(super) fn parts(finder: &mut MarkFinder<'_>, digits: usize) {
    let text = finder.text;
    let part = |byte: u8| is_word(byte) || matches!(byte, b'-' | b'.');
    // Most digits stand beside nothing like it.
    let lead = run_back(text, digits, MAX_PASSWORD_BYTES, part);
    let rest = run(text, digits, MAX_PASSWORD_BYTES, part);
    let near = &text[lead..rest];
    let joins = |byte: &u8| matches!(byte, b'-' | b'.' | b'_' | b'=');
    if near.len() < LEAST
        || !near.iter().any(u8::is_ascii_uppercase)
        || !near.iter().any(joins) && before(text, lead) != Some(b'=')
    {
        return;
    }
    let Some(word) = LookedWord::around(text, digits) else {
        return;
    };
    if word.is_password() && word.is_of_words() && word.is_beside_login() {
        finder.found(word.start, word.end, Mark::Password);
    }
}

/// The shortest word of several parts that may be a password.
pub(super) const LEAST: usize = 8;

/// Bounds a password that is known by its look.
const MAX_PASSWORD_BYTES: usize = 40;

/// A word that may be a password: it ends where a blank, a quote or a bracket stands.
struct LookedWord<'t> {
    text: &'t [u8],
    start: usize,
    end: usize,
}

impl<'t> LookedWord<'t> {
    fn around(text: &'t [u8], at: usize) -> Option<Self> {
        let part = |byte: u8| {
            is_word(byte)
                || byte >= 0x80
                || matches!(
                    byte,
                    b'!' | b'#'
                        | b'$'
                        | b'^'
                        | b'&'
                        | b'*'
                        | b'+'
                        | b'~'
                        | b'%'
                        | b'-'
                        | b'.'
                        | b'='
                )
        };
        let start = run_back(text, at, MAX_PASSWORD_BYTES, part);
        let end = run(text, at, MAX_PASSWORD_BYTES, part);
        let is_closed = |byte: u8| {
            byte.is_ascii_whitespace()
                || matches!(
                    byte,
                    b'"' | b'\''
                        | b'`'
                        | b'('
                        | b')'
                        | b'['
                        | b']'
                        | b'{'
                        | b'}'
                        | b','
                        | b';'
                        | b'|'
                        | b'<'
                        | b'>'
                )
        };
        let opens = before(text, start).is_none_or(|byte| is_closed(byte) || byte == b':');
        let closes = text.get(end).is_none_or(|byte| is_closed(*byte));
        let inside = text[start..end].trim_ascii_end();
        let end = start + inside.strip_suffix(b".").unwrap_or(inside).len();
        (opens && closes && (7..=MAX_PASSWORD_BYTES).contains(&(end - start))).then_some(Self {
            text,
            start,
            end,
        })
    }

    fn piece(&self) -> &'t [u8] {
        &self.text[self.start..self.end]
    }

    /// Whether it has letters of both cases and a digit.
    fn is_password(&self) -> bool {
        let piece = self.piece();
        let letters = piece.iter().filter(|byte| byte.is_ascii_alphabetic());
        letters.count() >= 4
            && piece.iter().any(u8::is_ascii_digit)
            && piece.iter().any(u8::is_ascii_lowercase)
            && piece.iter().any(u8::is_ascii_uppercase)
            && is_word(piece[0])
    }

    /// Whether the sign stands between letters or digits, as no grammar of names, versions and addresses has it.
    fn is_joined_oddly(&self, at: usize) -> bool {
        let piece = self.piece();
        let sign = at - self.start;
        let is_part = |byte: Option<&u8>| {
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80 || *byte == b'_')
        };
        let is_inside = is_part(piece.get(sign.wrapping_sub(1))) && is_part(piece.get(sign + 1));
        let (lead, rest) = piece.split_at(sign.min(piece.len()));
        let rest = rest.get(1..).unwrap_or_default();
        let is_number = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
        let is_name = match self.text[at] {
            // `main.rs#L14`, `Issue#17`
            b'#' => is_number(rest) || rest.starts_with(b"L") || lead.contains(&b'.'),
            // A version and its build, a type inside another.
            b'+' => piece.contains(&b'.'),
            b'&' => follows(rest, 0, b"amp") || follows(rest, 0, b"quot"),
            _ => false,
        };
        is_inside && !is_name && !piece.contains(&b'=')
    }

    /// Whether it is words and numbers, and not a version, a host or a file.
    fn is_of_words(&self) -> bool {
        let piece = self.piece();
        let mut parts = piece.split(|byte| !byte.is_ascii_alphanumeric());
        let is_word = |part: &[u8]| {
            part.len() >= 3
                && part[1..]
                    .iter()
                    .filter(|byte| byte.is_ascii_lowercase())
                    .count()
                    >= 2
        };
        let is_version = piece
            .windows(3)
            .any(|three| matches!(three, [a, b'.', b] if a.is_ascii_digit() && b.is_ascii_digit()));
        let words = parts.clone().filter(|part| is_word(part)).count();
        let camel = piece
            .windows(2)
            .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
        let dots = memchr::memchr_iter(b'.', piece).count();
        let is_program = dots >= 3 || piece.ends_with(b".exe") || piece.ends_with(b".dll");
        words >= 1 && parts.any(|part| part.len() >= 3) && !is_version && !camel && !is_program
    }

    fn is_beside_login(&self) -> bool {
        static WORDS: LazyLock<WordIndex> = LazyLock::new(|| WordIndex::of(LOGINS));
        let from = self.start.saturating_sub(LOGIN_REACH);
        let far = self.text.len().min(self.end + LOGIN_REACH);
        WORDS.is_in(&self.text[from..self.start]) || WORDS.is_in(&self.text[self.end..far])
    }
}

/// How far a word about logins may stand from a password.
const LOGIN_REACH: usize = 120;

/// Words about logins.
const LOGINS: &str = "login|logon|sign-in|auth|unauthorized|passw|passphrase|credential|access denied|user|usuario|kennwort|\
    clave|passwd|unlock|client secret|decrypt|permission denied|invalid master|account locked|-u |connect|bind|smtp|jdbc|ftp|odbc|sftp|kinit|luksopen|-p ";
