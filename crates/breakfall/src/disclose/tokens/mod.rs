//! Credentials that say what they are by how they begin.
//!
//! One row for each kind of credential: the letters it begins with, what follows them, and how much of it at least.
//! The formats are those their issuers document, or scan public repositories for.

mod ai;
mod chat;
mod cloud;
mod code;
mod payment;
mod service;

use std::sync::LazyLock;

use super::bytes::{ByteStats, before, is_base64, is_token, run, run_back};
use super::mark::Mark;

/// The characters that may follow the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenBody {
    /// Letters and digits.
    Alnum,
    /// Lower-case hexadecimal digits.
    Hex,
    /// Capital letters and digits.
    Upper,
    /// Letters, digits, `_` and `-`.
    Token,
    /// The same with dots.
    Dotted,
    /// Base64 in either alphabet.
    Base64,
    /// Parts of letters and digits, joined by dollar signs.
    Parts,
}

impl TokenBody {
    const ALL: [Self; 7] = [
        Self::Alnum,
        Self::Hex,
        Self::Upper,
        Self::Token,
        Self::Dotted,
        Self::Base64,
        Self::Parts,
    ];

    const fn fits(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Token => is_token(byte),
            Self::Dotted => is_token(byte) || byte == b'.',
            Self::Base64 => is_base64(byte),
            Self::Parts => byte.is_ascii_alphanumeric() || byte == b'$',
        }
    }
}

/// For each of them which bytes fit.
static FITTING: [[bool; 256]; TokenBody::ALL.len()] = {
    let mut all = [[false; 256]; TokenBody::ALL.len()];
    let mut at = 0;
    while at < all.len() {
        let body = TokenBody::ALL[at];
        let mut byte: u8 = 0;
        while byte.is_ascii() {
            all[body as usize][byte as usize] = body.fits(byte);
            byte += 1;
        }
        at += 1;
    }
    all
};

/// One kind of credential.
struct TokenKind {
    prefix: &'static str,
    body: TokenBody,
    least: usize,
    /// What the rest must look like where people use such a beginning too.
    looks: TokenProof,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenProof {
    Anyhow,
    /// Letters and digits.
    Mixed,
    /// Made by a machine.
    Random,
}

/// The longest credential that is read as one.
const LONGEST: usize = 8 * 1024;

/// As much of one as tells whether it is one.
const ENOUGH: usize = 64;

/// The end of a credential that begins here, if one does.
pub(super) fn at(text: &[u8], start: usize) -> Option<usize> {
    let rest = &text[start..];
    let first = *rest.first()?;
    if before(text, start).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let rows = BY_FIRST.get(usize::from(first))?;
    rows.iter()
        .filter(|kind| {
            // The last letter of a beginning tells most of those apart whose first ones are the same.
            let prefix = kind.prefix.as_bytes();
            rest.get(1) == prefix.get(1)
                && rest.get(prefix.len() - 1) == prefix.last()
                && rest.starts_with(prefix)
        })
        .find_map(|kind| {
            let from = start + kind.prefix.len();
            let end = kind.end(text, from, ENOUGH.max(kind.least));
            let body = &text[from..end];
            let looks = || match kind.looks {
                TokenProof::Anyhow => true,
                TokenProof::Mixed => {
                    body.iter().any(u8::is_ascii_digit) && body.iter().any(u8::is_ascii_alphabetic)
                }
                TokenProof::Random => looks_random(body) && !is_amid_base64(text, start, end),
            };
            let fits = body.len() >= kind.least && looks();
            fits.then(|| kind.end(text, from, LONGEST))
        })
}

fn looks_random(body: &[u8]) -> bool {
    let strong = |byte: &u8| byte.is_ascii_digit() | byte.is_ascii_uppercase();
    // Without any of these it is words, which is known sooner than what else it is made of.
    if !body.iter().fold(false, |any, byte| any | strong(byte)) {
        return false;
    }
    let shape = ByteStats::of(body);
    shape.is_random() || is_shuffled(&shape)
}

/// Small and capital letters in no order: chance leaves the digits out of one in some hundreds.
///
/// Names in which capitals begin the words have as many turns, but hardly two capitals in a row.
fn is_shuffled(shape: &ByteStats) -> bool {
    let ByteStats { cases, len, .. } = *shape;
    len >= 24 && (cases * 5 >= len * 2 || cases * 4 >= len && shape.capitals >= 2)
}

/// Whether data in base64 goes on before and after: any two letters follow one of its signs sooner or later.
fn is_amid_base64(text: &[u8], start: usize, end: usize) -> bool {
    if !matches!(before(text, start), Some(b'+' | b'/')) {
        return false;
    }
    let data = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let sides = [
        &text[run_back(text, start, 64, data)..start],
        &text[end..run(text, end, 64, data)],
    ];
    let [before, after] = sides.map(ByteStats::of);
    let len = before.len + after.len;
    len >= 40 && (before.cases + after.cases) * 8 >= len && before.digits + after.digits >= 2
}

impl TokenKind {
    /// Where one ends. A dot that ends a sentence does not belong to it, nor does an arrow.
    fn end(&self, text: &[u8], from: usize, most: usize) -> usize {
        let fits = &FITTING[self.body as usize];
        let end = run(text, from, most, |byte| fits[usize::from(byte)]);
        let arrow = text.get(end) == Some(&b'>');
        let body = &text[from..end];
        let trimmed = body
            .iter()
            .rposition(|byte| *byte != b'.' && !(arrow && *byte == b'-'));
        from + trimmed.map_or(0, |last| last + 1)
    }
}

/// What stands in place of one.
pub(super) const MARK: Mark = Mark::ApiKey;

/// The rows by the first letter of what they begin with.
static BY_FIRST: LazyLock<Vec<Vec<&'static TokenKind>>> = LazyLock::new(|| {
    let mut rows: Vec<Vec<&TokenKind>> = vec![Vec::new(); 128];
    let all = [
        ai::KINDS,
        chat::KINDS,
        cloud::KINDS,
        code::KINDS,
        payment::KINDS,
        service::KINDS,
    ];
    for kind in all.into_iter().flatten() {
        rows[usize::from(kind.prefix.as_bytes()[0])].push(kind);
    }
    rows
});

const fn kind(prefix: &'static str, body: TokenBody, least: usize) -> TokenKind {
    TokenKind {
        prefix,
        body,
        least,
        looks: TokenProof::Anyhow,
    }
}

const fn mixed(prefix: &'static str, body: TokenBody, least: usize) -> TokenKind {
    TokenKind {
        prefix,
        body,
        least,
        looks: TokenProof::Mixed,
    }
}

const fn random(prefix: &'static str, body: TokenBody, least: usize) -> TokenKind {
    TokenKind {
        prefix,
        body,
        least,
        looks: TokenProof::Random,
    }
}
