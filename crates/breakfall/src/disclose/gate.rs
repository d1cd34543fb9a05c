//! Where rules have to look. Most of most texts holds nothing, and finding that out has to be cheap.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::bytes::{before, is_name, is_quote, run_back};
use super::finder::Finder;
use super::mark::Mark;
use super::{address, assign, at, auth, decode, number, path, pem, query, run, sql, trace};

/// Calls every rule where it could find something. Says whether the text holds escapes.
pub(super) fn search(finder: &mut Finder<'_>) -> bool {
    let escaped = escapes(finder);
    for pass in [signs, slashes, blocks, words, colons] {
        finder.rewind();
        pass(finder);
    }
    escaped
}

/// Backslashes, per cent signs and the escapes of terminals.
fn escapes(finder: &mut Finder<'_>) -> bool {
    let text = finder.text;
    let mut escaped = false;
    for at in memchr::memchr3_iter(b'%', b'\\', 0x1b, text) {
        match text[at] {
            b'\\' => {
                escaped = true;
                path::backslash(finder, at);
            }
            b'%' => escaped |= text.get(at + 1).is_some_and(u8::is_ascii_hexdigit),
            _ => {
                escaped = true;
                let end = decode::sequence(text, at).unwrap_or(at + 1);
                finder.found(at, end, Mark::Escape);
            }
        }
    }
    escaped
}

/// The sign of addresses and that of assignments.
fn signs(finder: &mut Finder<'_>) {
    let text = finder.text;
    for at in memchr::memchr2_iter(b'@', b'=', text) {
        if text[at] == b'@' {
            at::find(finder, at);
            continue;
        }
        let end = run_back(text, at, 6, |byte| {
            byte == b' ' || is_quote(byte) || matches!(byte, b')' | b']' | b'\\' | b':')
        });
        if before(text, end).is_some_and(is_name) {
            assign::find(finder, end - 1);
            query::find(finder, at);
        }
    }
}

fn slashes(finder: &mut Finder<'_>) {
    for at in memchr::memchr_iter(b'/', finder.text) {
        path::slash(finder, at);
    }
}

/// Runs without a blank, and numbers and capitals in a row.
fn blocks(finder: &mut Finder<'_>) {
    let text = finder.text;
    let (chunks, rest) = text.as_chunks::<8>();
    let mut dense = false;
    for (index, chunk) in chunks.iter().enumerate() {
        let start = index * 8;
        let was = dense;
        dense = !chunk.iter().any(|byte| *byte <= b' ');
        if dense && was {
            run::find(finder, start);
        }
        let (quads, _) = chunk.as_chunks::<4>();
        if quads
            .iter()
            .any(|quad| quad.iter().all(|byte| byte & 0x60 != 0x60))
        {
            loud(finder, start, start + 8);
        }
    }
    loud(finder, text.len() - rest.len(), text.len());
}

/// A stretch with digits or capitals in it.
fn loud(finder: &mut Finder<'_>, start: usize, end: usize) {
    let text = finder.text;
    for at in start..end {
        let byte = text[at];
        let fresh = at == start
            || !text[at - 1].is_ascii_alphanumeric()
            || text[at - 1].is_ascii_digit() != byte.is_ascii_digit();
        if fresh && byte.is_ascii_digit() {
            number::find(finder, at);
        } else if fresh && byte.is_ascii_uppercase() {
            run::find(finder, at);
            sql::find(finder, at);
            pem::find(finder, at);
            let last = super::bytes::run(text, at, 64, |byte| {
                byte.is_ascii_uppercase() || byte == b'_'
            }) - 1;
            assign::find(finder, last);
        }
    }
}

/// What a word calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Calls {
    Assignment,
    Authorization,
    Basic,
    Bearer,
    Cookie,
    Inner,
    Option,
    Parameters,
    Pem,
    Reached,
    Run,
    Sql,
    Sixth,
    Trace,
}

const WORDS: &[(&str, Calls)] = &[
    ("assw", Calls::Assignment),
    ("ecre", Calls::Assignment),
    ("oken", Calls::Assignment),
    ("key", Calls::Assignment),
    ("Key", Calls::Assignment),
    ("pwd", Calls::Assignment),
    ("sphra", Calls::Assignment),
    ("redent", Calls::Assignment),
    ("ssn", Calls::Assignment),
    ("auth", Calls::Assignment),
    ("_confirmation", Calls::Assignment),
    ("_quota_continue", Calls::Assignment),
    ("uthori", Calls::Authorization),
    ("ooki", Calls::Cookie),
    ("earer", Calls::Bearer),
    ("asic ", Calls::Basic),
    ("-u ", Calls::Option),
    ("-p ", Calls::Option),
    ("-Lines:", Calls::Pem),
    ("elect", Calls::Sql),
    ("nsert", Calls::Sql),
    ("pdate", Calls::Sql),
    ("elete", Calls::Sql),
    ("reate ", Calls::Sql),
    ("lter t", Calls::Sql),
    ("rop t", Calls::Sql),
    ("runcate", Calls::Sql),
    ("rant ", Calls::Sql),
    ("near '", Calls::Sql),
    ("parameters: ", Calls::Parameters),
    ("raceback", Calls::Trace),
    ("  at ", Calls::Trace),
    ("\tat ", Calls::Trace),
    (".java", Calls::Trace),
    (".rb:", Calls::Trace),
    (".ex:", Calls::Trace),
    (".go:", Calls::Trace),
    ("\", line ", Calls::Trace),
    ("oroutine ", Calls::Trace),
    ("panicked at", Calls::Trace),
    ("backtrace", Calls::Trace),
    ("#0 ", Calls::Trace),
    ("#1 ", Calls::Trace),
    (".intern", Calls::Inner),
    (".intra", Calls::Inner),
    (".local", Calls::Inner),
    (".lan", Calls::Inner),
    (".corp", Calls::Inner),
    (".svc", Calls::Inner),
    (".consul", Calls::Inner),
    (".cluster", Calls::Inner),
    (".priv", Calls::Inner),
    (".home", Calls::Inner),
    ("ip-1", Calls::Inner),
    ("onnect", Calls::Reached),
    ("ECONN", Calls::Reached),
    ("ENOTF", Calls::Reached),
    ("host", Calls::Reached),
    ("Host", Calls::Reached),
    ("lookup ", Calls::Reached),
    ("resolve", Calls::Reached),
    ("dial tcp", Calls::Reached),
    ("fe80:", Calls::Sixth),
    ("FE80:", Calls::Sixth),
    ("fc", Calls::Sixth),
    ("fd", Calls::Sixth),
    ("FC", Calls::Sixth),
    ("FD", Calls::Sixth),
    ("LTAI", Calls::Run),
];

static MATCHER: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let words = WORDS.iter().map(|(word, _)| word);
    AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .expect("a few dozen short words fit an automaton")
});

fn words(finder: &mut Finder<'_>) {
    let text = finder.text;
    for found in MATCHER.find_overlapping_iter(text) {
        let at = found.start();
        let (word, calls) = WORDS[found.pattern().as_usize()];
        let last = at + word.trim_end().len() - 1;
        match calls {
            Calls::Assignment => assign::find(finder, last),
            Calls::Authorization => auth::authorization(finder, at),
            Calls::Basic => auth::basic(finder, at),
            Calls::Bearer => auth::bearer(finder, at),
            Calls::Cookie => auth::cookie(finder, at),
            Calls::Inner => address::inner(finder, at),
            Calls::Option => auth::option(finder, at),
            Calls::Parameters => sql::parameters(finder, at),
            Calls::Pem => pem::putty(finder, at.saturating_sub(7)),
            Calls::Reached => address::reached(finder, at),
            Calls::Run => run::find(finder, at),
            Calls::Sql => sql::find(finder, at),
            Calls::Sixth => address::v6(finder, at),
            Calls::Trace => trace::find(finder, at),
        }
    }
}

fn colons(finder: &mut Finder<'_>) {
    for at in memchr::memmem::find_iter(finder.text, b"::") {
        address::v6(finder, at);
    }
}
