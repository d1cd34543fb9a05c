//! Where rules have to look. Most of most texts holds nothing, and finding that out has to be cheap.
//!
//! One search finds the words of all rules, the names of secrets and the beginnings of tokens at once; a few passes look for
//! single signs. What they stop at is looked at by the rules.

use std::sync::{LazyLock, OnceLock};

use regex::bytes::Regex;

use super::bytes::{before, run, run_back};
use super::finder::MarkFinder;
use super::mark::Mark;
use super::rules::{RULES, RuleAction};
use super::words::WordIndex;
use super::{
    address, assign, at, decode, encoded, host, keys, look, number, path, query, shapes, tokens,
};

/// Calls every rule where it could find something. Says whether the text holds escapes.
pub(super) fn search(finder: &mut MarkFinder<'_>) -> bool {
    words(finder);
    let escaped = signs(finder);
    stretches(finder);
    escaped
}

/// What a word of the search calls for.
#[derive(Debug, Clone, Copy)]
enum Trigger {
    /// It is part of the name of a secret.
    Name,
    /// It is the name of a password in some language.
    Spoken,
    /// A token begins with it.
    Token(&'static str),
    /// The rule at this place of the table looks there.
    Rule(usize),
}

struct WordSearch {
    index: WordIndex,
    triggers: Vec<Trigger>,
}

static WORDS: LazyLock<WordSearch> = LazyLock::new(|| {
    let names = keys::triggers()
        .into_iter()
        .map(|word| (word, Trigger::Name));
    let spoken = keys::SPOKEN.iter().map(|word| (*word, Trigger::Spoken));
    let tokens = tokens::prefixes().map(|prefix| (prefix, Trigger::Token(prefix)));
    let rules = RULES.iter().enumerate().flat_map(|(at, rule)| {
        let words = rule.words.split('|');
        words.map(move |word| (word, Trigger::Rule(at)))
    });
    let (words, triggers): (Vec<_>, _) = names.chain(spoken).chain(tokens).chain(rules).unzip();
    let index = WordIndex::new(&words);
    WordSearch { index, triggers }
});

fn words(finder: &mut MarkFinder<'_>) {
    let search = &*WORDS;
    search.index.each(finder.text, |found| {
        let (start, end) = (found.start, found.end);
        match search.triggers[found.word] {
            Trigger::Name => assign::find(finder, end - 1),
            Trigger::Spoken => assign::spoken(finder, start, end),
            Trigger::Token(prefix) => shapes::token(finder, start, prefix),
            Trigger::Rule(at) => match RULES[at].action {
                RuleAction::Code(code) => code(finder, start, end),
                RuleAction::Pattern(mark, pattern) if finder.minds(mark) => {
                    let regex = PATTERNS[at].get_or_init(|| anchored(pattern));
                    pattern_at(finder, start, mark, regex);
                }
                RuleAction::Pattern(..) => {}
            },
        }
    });
}

/// The patterns of the table, each compiled when one of its words is first seen: all of them take megabytes, and most
/// programs never meet most of their words.
static PATTERNS: [OnceLock<Regex>; RULES.len()] = [const { OnceLock::new() }; RULES.len()];

fn anchored(pattern: &str) -> Regex {
    Regex::new(&format!(r"(?-u)\A(?:{pattern})")).expect("a pattern of the table is one")
}

fn pattern_at(finder: &mut MarkFinder<'_>, start: usize, mark: Mark, regex: &Regex) {
    let far = finder.text.len().min(start + REACH);
    let window = &finder.text[start..far];
    // Most places do not match, and telling that is cheaper than looking for groups.
    if !regex.is_match(window) {
        return;
    }
    if let Some(found) = regex.captures(window) {
        let group = found.iter().skip(1).flatten().next();
        let range = group
            .or_else(|| found.get(0))
            .map_or(0..0, |group| group.range());
        finder.found(start + range.start, start + range.end, mark);
    }
}

/// How far a pattern sees.
const REACH: usize = 1024;

/// Digits and signs. Says whether some of them are escapes.
fn signs(finder: &mut MarkFinder<'_>) -> bool {
    let text = finder.text;
    let mut escaped = false;
    let mut from = 0;
    while let Some(found) = text[from..].iter().position(|byte| is_in(*byte, SIGN)) {
        let at = from + found;
        from = at + 1;
        match text[at] {
            b'0'..=b'9' => from = digits(finder, at),
            b'@' => at::find(finder, at),
            b'=' => {
                query::find(finder, at);
                host::assigned(finder, at);
            }
            // Addresses of the sixth version have colons.
            b':' => {
                let is_part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b':';
                if text.get(at + 1).is_some_and(is_part) {
                    address::v6(finder, at);
                    host::served(finder, at);
                }
            }
            // They join the parts of no name, and so may be those of a password.
            b'!' | b'#' | b'^' | b'&' | b'+' | b'~' => look::sign(finder, at),
            b'/' => slash(finder, at),
            b'.' => shapes::discord(finder, at),
            b'\\' => {
                escaped = true;
                path::backslash(finder, at);
            }
            b'%' => escaped |= text.get(at + 1).is_some_and(u8::is_ascii_hexdigit),
            ESCAPE => {
                escaped = true;
                let end = decode::sequence(text, at).unwrap_or(at + 1);
                finder.found(at, end, Mark::Escape);
            }
            _ => escaped |= decode::is_invisible(text, at),
        }
    }
    escaped
}

/// Begins what a terminal obeys.
const ESCAPE: u8 = 0x1b;

/// Slashes: of paths, and the two in front of the host of a webhook.
fn slash(finder: &mut MarkFinder<'_>, at: usize) {
    if before(finder.text, at) == Some(b'/') {
        shapes::hook(finder, at + 1);
        host::url_host(finder, at + 1);
    } else if finder.wide {
        path::slash(finder, at);
    }
}

/// Looks at the stretch of letters, digits, dots, hyphens and underscores that the first of its digits is in, and says where
/// it ends.
fn digits(finder: &mut MarkFinder<'_>, first: usize) -> usize {
    let text = finder.text;
    let start = run_back(text, first, first, |byte| is_in(byte, PART));
    let end = run(text, first, usize::MAX, |byte| is_in(byte, PART));
    let holds = text[start..end]
        .iter()
        .fold(0, |holds, byte| holds | CLASSES[usize::from(*byte)]);
    let may_be_password = holds & CAPITAL != 0 && end - start >= look::LEAST;
    let may_be_machine = holds & HYPHEN != 0;
    let mut at = first;
    loop {
        number::find(finder, at);
        if may_be_password {
            look::parts(finder, at);
        }
        if may_be_machine {
            host::machine(finder, at);
        }
        at = run(text, at, usize::MAX, |byte| byte.is_ascii_digit());
        match text[at..end].iter().position(u8::is_ascii_digit) {
            Some(next) => at += next,
            None => break,
        }
    }
    for dot in memchr::memchr_iter(b'.', &text[first..end]) {
        shapes::discord(finder, first + dot);
    }
    end
}

/// Long stretches of letters and digits, which may be something encoded.
fn stretches(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    let is_part = |byte| is_in(byte, ENCODED);
    // Each stretch that is long enough has one of these pieces in it.
    let (pieces, _) = text.as_chunks::<{ encoded::LEAST / 2 }>();
    let mut read = 0;
    for (piece, at) in pieces.iter().zip((0..).step_by(encoded::LEAST / 2)) {
        if at >= read && piece.iter().rev().all(|byte| is_part(*byte)) {
            let start = run_back(text, at, encoded::LEAST, is_part);
            let end = run(text, at, usize::MAX, is_part);
            encoded::find(finder, start, end);
            read = end;
        }
    }
}

/// Whether a byte is of a class.
fn is_in(byte: u8, class: u8) -> bool {
    CLASSES[usize::from(byte)] & class != 0
}

/// Where [`signs`] stops.
const SIGN: u8 = 1;
/// Letters, digits, dots, hyphens and underscores.
const PART: u8 = 2;
const CAPITAL: u8 = 4;
const HYPHEN: u8 = 8;
/// What [`encoded`] reads.
const ENCODED: u8 = 16;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < u8::MAX {
        classes[byte as usize] = class(byte);
        byte += 1;
    }
    classes
};

const fn class(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => SIGN | PART | ENCODED,
        b'A'..=b'Z' => PART | CAPITAL | ENCODED,
        b'a'..=b'z' | b'_' => PART | ENCODED,
        b'-' => PART | HYPHEN | ENCODED,
        b'.' => SIGN | PART,
        b'+' | b'/' => SIGN | ENCODED,
        // The last three may begin a sign that is not shown.
        b'@' | b'=' | b':' | b'!' | b'#' | b'^' | b'&' | b'~' | b'%' | b'\\' | ESCAPE | 0xc2
        | 0xe2 | 0xef => SIGN,
        _ => 0,
    }
}
