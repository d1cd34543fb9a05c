//! Personal numbers: cards, phones, identity cards, accounts; and addresses of machines.
//!
//! A phrase is groups of digits with single signs between them. Every group of it may begin something; what it begins
//! is decided by lengths, signs, check digits and the words before.

use super::bytes::{before, is_uuid, one_of, run_back, said_before, word_before};
use super::finder::{MarkFinder, Rule};
use super::mark::Mark;
use super::{address, identity};

/// Looks at the phrase a digit is in.
pub(super) fn find(finder: &mut MarkFinder<'_>, at: usize) {
    if !finder.is_new(Rule::Number, at) {
        return;
    }
    let text = finder.text;
    let mut phrase = DigitGroups::read(text, first_group(text, at));
    loop {
        let end = match judge(finder, &phrase) {
            Some(end) => end,
            None => phrase.end(0),
        };
        finder.passed(Rule::Number, end);
        match phrase.next(end) {
            Some(next) => phrase.move_to(next),
            None => return,
        }
    }
}

/// The most groups that are looked at from one on.
const GROUPS: usize = 9;

/// Consecutive groups of digits, from a given group on.
pub(super) struct DigitGroups<'t> {
    pub(super) text: &'t [u8],
    starts: [usize; GROUPS],
    ends: [usize; GROUPS],
    /// How many groups there are; the last may be followed by more than is looked at.
    pub(super) count: usize,
    /// How many digits they have.
    pub(super) total: usize,
}

impl<'t> DigitGroups<'t> {
    fn read(text: &'t [u8], start: usize) -> Self {
        let mut phrase = Self {
            text,
            starts: [0; GROUPS],
            ends: [0; GROUPS],
            count: 0,
            total: 0,
        };
        phrase.read_on(start);
        phrase
    }

    /// Goes on from a later group. What was read of it is kept.
    fn move_to(&mut self, start: usize) {
        let known = self.starts[..self.count].iter().position(|at| *at == start);
        let Some(first) = known else {
            *self = Self::read(self.text, start);
            return;
        };
        self.starts.copy_within(first..self.count, 0);
        self.ends.copy_within(first..self.count, 0);
        self.count -= first;
        self.total = (0..self.count).map(|group| self.len(group)).sum();
        let end = self.ends[self.count - 1];
        if let Some(next) = next_group(self.text, end) {
            self.read_on(next);
        }
    }

    /// Reads groups from one on, as long as there are any and there is room.
    fn read_on(&mut self, start: usize) {
        let mut at = Some(start);
        while let Some(start) = at.filter(|_| self.count < GROUPS) {
            let end = digits_end(self.text, start);
            self.starts[self.count] = start;
            self.ends[self.count] = end;
            self.count += 1;
            self.total += end - start;
            at = next_group(self.text, end);
        }
    }

    pub(super) fn start(&self) -> usize {
        self.starts[0]
    }

    pub(super) fn end(&self, group: usize) -> usize {
        self.ends[group]
    }

    pub(super) fn len(&self, group: usize) -> usize {
        if group < self.count {
            self.ends[group] - self.starts[group]
        } else {
            0
        }
    }

    /// Whether the first groups have these lengths and are joined by one and the same sign.
    pub(super) fn is(&self, lengths: &[usize], sign: u8) -> bool {
        lengths.len() <= self.count
            && lengths.iter().enumerate().all(|(group, len)| {
                self.len(group) == *len && (group == 0 || self.sign(group) == Some(sign))
            })
    }

    /// The sign before a group, if it is a single one.
    pub(super) fn sign(&self, group: usize) -> Option<u8> {
        (group < self.count && self.starts[group] == self.ends[group - 1] + 1)
            .then(|| self.text[self.ends[group - 1]])
    }

    /// The digits of the first groups.
    pub(super) fn digits(&self, groups: usize) -> DigitBuffer {
        let mut digits = DigitBuffer::default();
        for group in 0..groups.min(self.count) {
            for byte in &self.text[self.starts[group]..self.ends[group]] {
                digits.push(byte - b'0');
            }
        }
        digits
    }

    /// Whether a word touches the first group, or the last of some.
    pub(super) fn is_free(&self, groups: usize) -> bool {
        let end = self.ends[groups - 1];
        let after = self.text.get(end).copied();
        let clear = |byte: u8| !byte.is_ascii_alphanumeric() && byte != b'_';
        before(self.text, self.start()).is_none_or(clear)
            && after.is_none_or(clear)
            && !self.is_fraction(end)
    }

    /// `3.14159…`, `…159.5`: part of a number with a point.
    fn is_fraction(&self, end: usize) -> bool {
        let digit = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_digit);
        let start = self.start();
        let behind = before(self.text, start) == Some(b'.') && start >= 2 && digit(start - 2);
        let ahead = self.text.get(end) == Some(&b'.') && digit(end + 1);
        behind || ahead
    }

    /// `2026-01-12`
    fn is_date(&self) -> bool {
        self.is(&[4, 2, 2], b'-') && matches!(self.text[self.starts[1]], b'0' | b'1')
    }

    /// Whether a capital stands in front, with or without a blank.
    pub(super) fn is_lettered(&self) -> bool {
        match self.text[..self.start()] {
            [.., letter, b' '] | [.., letter] => letter.is_ascii_uppercase(),
            [] => false,
        }
    }

    /// Whether one of some words stands shortly before.
    pub(super) fn named(&self, words: &str) -> bool {
        let start = self.start();
        // Digits and signs contain no words. Letters of all scripts have one of the two upper bits.
        let window = &self.text[start.saturating_sub(40)..start];
        window.iter().fold(0, |all, byte| all | byte) & 0xc0 != 0
            && said_before(self.text, start, 40, words)
    }

    /// The start of the group after a place, if there is one in this phrase.
    fn next(&self, end: usize) -> Option<usize> {
        let known = self.starts[..self.count]
            .iter()
            .copied()
            .find(|start| *start >= end);
        known.or_else(|| next_group(self.text, end))
    }
}

/// A buffer of up to forty digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct DigitBuffer {
    buffer: [u8; 40],
    len: usize,
}

impl Default for DigitBuffer {
    fn default() -> Self {
        Self {
            buffer: [0; 40],
            len: 0,
        }
    }
}

impl DigitBuffer {
    fn push(&mut self, digit: u8) {
        if let Some(place) = self.buffer.get_mut(self.len) {
            *place = digit;
            self.len += 1;
        } else {
            // More than anything has: too long to fit whatever is asked for.
            self.len = self.buffer.len();
        }
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.buffer[..self.len]
    }

    /// The number a part of them is.
    pub(super) fn number(&self, from: usize, to: usize) -> u64 {
        self.buffer[from..to]
            .iter()
            .fold(0, |number, digit| number * 10 + u64::from(*digit))
    }
}

fn digits_end(text: &[u8], at: usize) -> usize {
    at + text[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count()
}

/// Where the group after one begins, if one is joined to it.
fn next_group(text: &[u8], end: usize) -> Option<usize> {
    let at = end + joint(text.get(end..)?);
    (at > end && text.get(at).is_some_and(u8::is_ascii_digit)).then_some(at)
}

/// How many bytes join two groups: one sign, or a closing bracket and one more.
fn joint(rest: &[u8]) -> usize {
    match rest {
        // The second is a blank that does not break.
        [b')', b' ' | b'-' | b'.', ..] | [0xc2, 0xa0, ..] => 2,
        [b' ' | b'-' | b'.' | b'/' | b')', ..] => 1,
        _ => 0,
    }
}

/// The first group of the phrase a digit is in.
fn first_group(text: &[u8], at: usize) -> usize {
    let far = at.saturating_sub(64);
    let mut start = at;
    loop {
        while start > far && text[start - 1].is_ascii_digit() {
            start -= 1;
        }
        let back = match text[far..start] {
            [.., b'0'..=b'9', b')', b' ' | b'-' | b'.'] | [.., b'0'..=b'9', 0xc2, 0xa0] => 2,
            [.., b'0'..=b'9', b' ' | b'-' | b'.' | b'/' | b')'] => 1,
            _ => return start,
        };
        start -= back;
    }
}

/// What the first groups of a phrase are, and where that ends.
fn judge(finder: &mut MarkFinder<'_>, phrase: &DigitGroups<'_>) -> Option<usize> {
    if phrase.total < LEAST && phrase.count < 4 && !phrase.is_lettered() {
        return None;
    }
    let inside = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    if before(phrase.text, phrase.start()).is_some_and(inside) || phrase.is_date() {
        return None;
    }
    let (start, end, mark) = seen(finder.wide, phrase)?;
    // Parts of an id may all be digits and fit by chance; it names a thing, and a report needs it whole.
    if in_uuid(phrase.text, start) || is_traced(phrase.text, start) {
        return None;
    }
    finder.found(start, end, mark);
    Some(end)
}

fn seen(wide: bool, phrase: &DigitGroups<'_>) -> Option<(usize, usize, Mark)> {
    let address = || address::v4(phrase).map(|(start, end)| (start, end, Mark::Address));
    let phone = || phone(phrase).map(|(start, end)| (start, end, Mark::Phone));
    let card = || card(phrase).map(|end| (phrase.start(), end, Mark::Card));
    wide.then(address)
        .flatten()
        .or_else(card)
        .or_else(|| identity::find(phrase))
        .or_else(|| wide.then(phone).flatten())
}

/// Whether a place is inside of a UUID.
fn in_uuid(text: &[u8], at: usize) -> bool {
    (0..UUID).any(|back| {
        let start = at.checked_sub(back);
        start.is_some_and(|start| text.get(start..start + UUID).is_some_and(is_uuid))
    })
}

const UUID: usize = 36;

/// `00-<32 hexadecimal digits>-…`: whether the id of a trace stands before.
fn is_traced(text: &[u8], at: usize) -> bool {
    let trace = text[..at].strip_suffix(b"-").unwrap_or_default();
    trace.len() - run_back(trace, trace.len(), 33, |byte| byte.is_ascii_hexdigit()) == 32
}

/// The fewest digits of a personal number without letters. An address has four groups.
const LEAST: usize = 7;

/// A card: a known beginning, a length that goes with it, and Luhn's check digit.
fn card(phrase: &DigitGroups<'_>) -> Option<usize> {
    if phrase.len(0) < 4 {
        return None;
    }
    let groups = [1, 3, 4, 5].into_iter().find(|groups| {
        let lengths: &[&[usize]] = match groups {
            1 => return (13..=19).contains(&phrase.len(0)) && !is_counted(phrase),
            3 => &[&[4, 6, 5], &[4, 6, 4]],
            4 => &[&[4, 4, 4, 4], &[4, 4, 4, 3]],
            _ => &[&[4, 4, 4, 4, 3], &[4, 4, 4, 4, 2]],
        };
        let fits = |lengths: &&[usize]| {
            [b' ', b'-', b'.']
                .iter()
                .any(|sign| phrase.is(lengths, *sign))
        };
        let more = phrase
            .sign(*groups)
            .is_some_and(|sign| Some(sign) == phrase.sign(1))
            && phrase.len(*groups) == 4;
        lengths.iter().any(fits) && !more
    })?;
    let digits = phrase.digits(groups);
    let valid = phrase.is_free(groups) && has_issuer(&digits) && luhn(digits.as_slice());
    valid.then(|| phrase.end(groups - 1))
}

/// What is counted in as many digits as a card has.
const COUNTED: &str = "order invoice tracking epoch timestamp sku isbn ean upc imei snowflake etag span_id spanid trace_id \
    traceid";

fn is_counted(phrase: &DigitGroups<'_>) -> bool {
    let mut at = phrase.start();
    // `W/"…"` is the tag of a version.
    if phrase.text[..at].ends_with(b"W/\"") {
        return true;
    }
    for _ in 0..2 {
        let word = word_before(phrase.text, at);
        if one_of(word, COUNTED) {
            return true;
        }
        if !one_of(word, "number no nr id") {
            return false;
        }
        at = run_back(phrase.text, at, 16, |byte| !byte.is_ascii_alphabetic());
        at -= word.len();
    }
    false
}

fn has_issuer(digits: &DigitBuffer) -> bool {
    let len = digits.as_slice().len();
    let (two, three, four) = (
        digits.number(0, 2),
        digits.number(0, 3),
        digits.number(0, 4),
    );
    let first = digits.number(0, 1);
    match len {
        13 => first == 4 || matches!(two, 50 | 56..=58 | 67),
        14 => matches!(three, 300..=305) || matches!(two, 36 | 38 | 39),
        15 => matches!(two, 34 | 37) || matches!(four, 1800 | 2131),
        16 => {
            first == 4
                || matches!(
                    two,
                    30 | 35 | 36 | 38 | 39 | 50..=58 | 60 | 62 | 63 | 64 | 65 | 67 | 81
                )
                || matches!(four, 2200..=2204 | 2221..=2720 | 9792)
        }
        17 | 18 => matches!(two, 50 | 56..=58 | 60 | 62 | 63 | 64 | 65 | 67),
        19 => first == 4 || matches!(two, 50 | 56..=58 | 60 | 62 | 63 | 64 | 65 | 67),
        _ => false,
    }
}

/// Luhn's check, of digits that are not all the same.
pub(super) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| {
            let doubled = u32::from(digit) << (place & 1);
            if doubled > 9 { doubled - 9 } else { doubled }
        })
        .sum();
    sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// A phone: with its country, in the form of North America, or after a word that says so.
fn phone(phrase: &DigitGroups<'_>) -> Option<(usize, usize)> {
    let text = phrase.text;
    let start = phrase.start();
    let mut groups = 0;
    let mut count = 0;
    while groups < phrase.count && count + phrase.len(groups) <= 15 {
        count += phrase.len(groups);
        groups += 1;
    }
    if groups == 0
        || text
            .get(phrase.end(groups - 1))
            .is_some_and(u8::is_ascii_alphanumeric)
    {
        return None;
    }
    let end = phrase.end(groups - 1);
    let (sign, sign_at) = opening(text, start);
    if sign == b'+' {
        let clear =
            before(text, sign_at).is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte != b'+');
        return (clear && (8..=15).contains(&count) && text[start] != b'0')
            .then_some((sign_at, end));
    }
    let free = before(text, start).is_none_or(|byte| {
        !byte.is_ascii_alphanumeric() && !matches!(byte, b'_' | b'#' | b'.' | b'$')
    });
    if !free {
        return None;
    }
    let american = |group: usize| matches!(text[phrase.starts[group]], b'2'..=b'9');
    let shaped = phrase.len(0) == 3
        && phrase.len(1) == 3
        && phrase.len(2) == 4
        && american(0)
        && american(1);
    if shaped && sign == b'(' && text[phrase.end(0)] == b')' {
        return Some((sign_at, phrase.end(2)));
    }
    if !(7..=15).contains(&count) && !shaped {
        return None;
    }
    let named = phrase.named(PHONE);
    if named && shaped {
        return Some((start, phrase.end(2)));
    }
    (named && (7..=15).contains(&count))
        .then_some((if sign == b'(' { sign_at } else { start }, end))
}

/// The sign in front of a number, past an opening bracket.
fn opening(text: &[u8], start: usize) -> (u8, usize) {
    match text[..start] {
        [.., b'+', b'('] => (b'+', start - 2),
        [.., sign @ (b'+' | b'(')] => (sign, start - 1),
        _ => (0, start),
    }
}

const PHONE: &str = "phone|tel|telephone|mobile|cell|cellphone|sms|fax|whatsapp|msisdn|telefon|telefono|teléfono|móvil|handy|téléphone|\
    電話|電話番号|手机|手机号|전화";
