//! Where rules have to look. Most of most texts holds nothing, and finding that out has to be cheap.
//!
//! One automaton searches for the words of all rules, the names of secrets and the beginnings of tokens at once; a few
//! passes look for single signs. What they stop at is looked at by the rules.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::Regex;

use super::bytes::{before, run, run_back};
use super::finder::MarkFinder;
use super::mark::Mark;
use super::rules::{RULES, RuleAction};
use super::{
    address, assign, at, decode, encoded, host, keys, look, number, path, query, shapes, tokens,
};

/// Calls every rule where it could find something. Says whether the text holds escapes.
pub(super) fn search(finder: &mut MarkFinder<'_>) -> bool {
    words(finder);
    signs(finder);
    odd_signs(finder);
    slashes(finder);
    dots(finder);
    digits(finder);
    escapes(finder)
}

/// What a word of the search calls for.
#[derive(Debug, Clone)]
enum Trigger {
    /// It is part of the name of a secret.
    Name,
    /// It is the name of a password in some language.
    Spoken,
    /// A token begins with it.
    Token(&'static str),
    /// The code of a rule looks there.
    Code(fn(&mut MarkFinder<'_>, usize, usize)),
    /// The pattern of a rule does.
    Pattern(Mark, Regex),
}

impl Trigger {
    fn of(action: RuleAction) -> Self {
        match action {
            RuleAction::Code(code) => Self::Code(code),
            RuleAction::Pattern(mark, pattern) => {
                let regex = Regex::new(&format!(r"(?-u)\A(?:{pattern})"));
                Self::Pattern(mark, regex.expect("a pattern of the table is one"))
            }
        }
    }
}

/// How far a pattern sees.
const REACH: usize = 1024;

struct WordSearch {
    automaton: AhoCorasick,
    triggers: Vec<Trigger>,
}

static WORDS: LazyLock<WordSearch> = LazyLock::new(|| {
    let names = keys::triggers()
        .into_iter()
        .map(|word| (word, Trigger::Name));
    let spoken = keys::SPOKEN.iter().map(|word| (*word, Trigger::Spoken));
    let tokens = tokens::prefixes().map(|prefix| (prefix, Trigger::Token(prefix)));
    let rules = RULES.iter().flat_map(|rule| {
        let trigger = Trigger::of(rule.action);
        rule.words
            .split('|')
            .map(move |word| (word, trigger.clone()))
    });
    let (words, triggers): (Vec<_>, _) = names.chain(spoken).chain(tokens).chain(rules).unzip();
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .expect("some hundred short words fit an automaton");
    WordSearch {
        automaton,
        triggers,
    }
});

fn words(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    for found in WORDS.automaton.find_overlapping_iter(text) {
        let (start, end) = (found.start(), found.end());
        match &WORDS.triggers[found.pattern().as_usize()] {
            Trigger::Name => assign::find(finder, end - 1),
            Trigger::Spoken => assign::spoken(finder, start, end),
            Trigger::Token(prefix) => shapes::token(finder, start, prefix),
            Trigger::Code(code) => code(finder, start, end),
            Trigger::Pattern(mark, regex) => {
                let far = text.len().min(start + REACH);
                if regex.is_match(&text[start..far])
                    && let Some(found) = regex.captures(&text[start..far])
                {
                    let group = found
                        .iter()
                        .skip(1)
                        .flatten()
                        .next()
                        .or_else(|| found.get(0));
                    let range = group.map_or(0..0, |group| group.range());
                    finder.found(start + range.start, start + range.end, *mark);
                }
            }
        }
    }
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
    escaped || decode::holds_invisible(text)
}

/// The sign of addresses, that of assignments, and colons, which addresses of the sixth version have.
fn signs(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    for at in memchr::memchr3_iter(b'@', b'=', b':', text) {
        match text[at] {
            b'@' => at::find(finder, at),
            b'=' => {
                query::find(finder, at);
                host::assigned(finder, at);
            }
            _ => {
                let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b':';
                if text.get(at + 1).is_some_and(is_part) {
                    address::v6(finder, at);
                    host::served(finder, at);
                }
            }
        }
    }
}

/// Signs that join the parts of no name, and so may be those of a password.
fn odd_signs(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    for at in memchr::memchr3_iter(b'!', b'#', b'^', text) {
        look::sign(finder, at);
    }
    for at in memchr::memchr3_iter(b'&', b'+', b'~', text) {
        look::sign(finder, at);
    }
}

/// Slashes: of paths, and the two in front of the host of a webhook.
fn slashes(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    for at in memchr::memchr_iter(b'/', text) {
        if before(text, at) == Some(b'/') {
            shapes::hook(finder, at + 1);
            host::url_host(finder, at + 1);
        } else if finder.wide {
            path::slash(finder, at);
        }
    }
}

fn dots(finder: &mut MarkFinder<'_>) {
    for at in memchr::memchr_iter(b'.', finder.text) {
        shapes::discord(finder, at);
    }
}

/// Digits, and long stretches of letters and digits, which may be something encoded.
fn digits(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    let mut at = 0;
    while let Some(found) = text[at..].iter().position(u8::is_ascii_digit) {
        let start = at + found;
        number::find(finder, start);
        look::parts(finder, start);
        host::machine(finder, start);
        at = run(text, start, usize::MAX, |byte| byte.is_ascii_digit());
    }
    // One of the bytes at every sixteenth place is in each stretch that is long enough.
    let mut read = 0;
    for at in (0..text.len()).step_by(encoded::LEAST) {
        if at >= read && encoded::is_part(text[at]) {
            let start = run_back(text, at, encoded::LEAST, encoded::is_part);
            read = encoded::find(finder, start);
        }
    }
}
