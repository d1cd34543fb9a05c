//! Where rules have to look. Most of most texts holds nothing, and finding that out has to be cheap.
//!
//! Every pass is a search a processor does many bytes at a time: for a rare byte, for a few short words at once, for
//! a stretch without a separator, for one without a small letter. What they stop at is looked at by the rules.

mod blocks;
mod words;

use super::bytes::{before, is_name, is_quote, run_back};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;
use super::{address, assign, at, decode, path, query, run, trace};

/// Calls every rule where it could find something. Says whether the text holds escapes.
pub(super) fn search(finder: &mut MarkFinder<'_>) -> bool {
    let escaped = escapes(finder);
    // Where a trace is all there is, no line end stands before its first frame.
    if finder.text.starts_with(b"#") {
        trace::find(finder, 0);
    }
    finder.rewind();
    words::search(finder);
    finder.remember_traces();
    for pass in [signs, slashes, blocks::runs, blocks::loud, colons] {
        finder.rewind();
        pass(finder);
    }
    escaped
}

/// Backslashes, per cent signs and the escapes of terminals.
fn escapes(finder: &mut MarkFinder<'_>) -> bool {
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
fn signs(finder: &mut MarkFinder<'_>) {
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
            address::assigned(finder, at);
        }
    }
}

/// Slashes: of paths, and the two in front of the host of a webhook.
fn slashes(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    for at in memchr::memchr_iter(b'/', text) {
        // The first of a trace may show that it is longer than was thought.
        if finder.is_traced(at) && !finder.is_new(Rule::Trace, at) {
            continue;
        }
        if before(text, at) == Some(b'/') {
            run::hook(finder, at + 1);
        } else if finder.wide {
            path::slash(finder, at);
        }
    }
}

/// Two colons, which short addresses of the sixth version have.
fn colons(finder: &mut MarkFinder<'_>) {
    if finder.wide {
        for at in memchr::memmem::find_iter(finder.text, b"::") {
            address::v6(finder, at);
        }
    }
}
