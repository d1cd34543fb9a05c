//! Stretches: long ones without a separator, and short ones without a small letter.
//!
//! The tests are written so that the compiler makes a few instructions for sixteen bytes of them.

use super::super::bytes::{begins, run, run_back};
use super::super::finder::MarkFinder;
use super::super::{address, assign, number, pem, sql, tokens};

/// Stretches in which a credential may be: at least twenty-three bytes that are letters, digits or hyphens.
///
/// Of such a stretch one of the blocks of sixteen that begin at every eighth byte is full.
pub(super) fn runs(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    let (even, _) = text.as_chunks::<16>();
    for (index, block) in even.iter().enumerate() {
        if is_full(block) {
            super::super::run::find(finder, index * 16);
        }
    }
    finder.rewind();
    let (odd, _) = text.get(8..).unwrap_or_default().as_chunks::<16>();
    for (index, block) in odd.iter().enumerate() {
        // Where one of the two blocks it lies across is full, its stretch was looked at.
        if is_full(block) && !is_full(&even[index]) && !even.get(index + 1).is_some_and(is_full) {
            super::super::run::find(finder, index * 16 + 8);
        }
    }
    // What is too short for blocks is looked at as it is.
    if text.len() < 64 {
        every_run(finder);
    }
}

/// Neither blanks nor most signs, all of which come before the digits; nor letters of other scripts.
fn is_full(block: &[u8; 16]) -> bool {
    let mut full = true;
    for byte in block {
        full &= byte.cast_signed() >= 0x30 || *byte == b'-';
    }
    full
}

fn every_run(finder: &mut MarkFinder<'_>) {
    let mut at = 0;
    while at < finder.text.len() {
        if finder.text[at] > b' ' {
            super::super::run::find(finder, at);
            at = run(finder.text, at, usize::MAX, |byte| byte > b' ');
        }
        at += 1;
    }
}

/// Stretches of at least seven bytes without a small letter: numbers, names in capitals, statements.
///
/// Of such a stretch one of the fours that begin at every fourth byte is whole. What is looked for has at most one sign in a
/// row, so three of its bytes are digits or capitals, or two are and the others are the dots of an address.
pub(super) fn loud(finder: &mut MarkFinder<'_>) {
    let text = finder.text;
    let (chunks, _) = text.as_chunks::<64>();
    let mut read = 0;
    for (index, chunk) in chunks.iter().enumerate() {
        if is_loud(chunk) {
            read = fours(finder, index * 64, index * 64 + 64, read);
        }
    }
    fours(finder, chunks.len() * 64, text.len(), read);
}

fn is_loud(chunk: &[u8; 64]) -> bool {
    let mut loud = false;
    for four in chunk.as_chunks::<4>().0 {
        loud |= small(u32::from_le_bytes(*four)) == 0;
    }
    loud
}

/// The bytes of four that are small letters: both of their upper bits are set.
const fn small(four: u32) -> u32 {
    four & (four >> 1) & 0x2020_2020
}

/// How many of four bytes are digits or capitals, where none is a small letter.
const fn strong(four: u32) -> u32 {
    ((four >> 4 | four >> 6) & 0x0101_0101).count_ones()
}

/// How many of four bytes are dots.
fn dots(four: u32) -> usize {
    let bytes = four.to_le_bytes().into_iter();
    bytes.map(|byte| usize::from(byte == b'.')).sum()
}

/// Looks at every four of a part that is whole.
fn fours(finder: &mut MarkFinder<'_>, from: usize, to: usize, read: usize) -> usize {
    let mut read = read;
    let (fours, rest) = finder.text[from..to].as_chunks::<4>();
    for (index, four) in fours.iter().enumerate() {
        let four = u32::from_le_bytes(*four);
        if small(four) == 0 && (strong(four) >= 3 || strong(four) == 2 && dots(four) == 2) {
            read = whole(finder, from + index * 4, read);
        }
    }
    if rest.is_empty() {
        read
    } else {
        whole(finder, to - rest.len(), read)
    }
}

/// Looks at the stretch a place is in, unless that was done.
fn whole(finder: &mut MarkFinder<'_>, at: usize, read: usize) -> usize {
    if at < read {
        return read;
    }
    let text = finder.text;
    let start = run_back(text, at, 64, |byte| !is_small(byte)).max(read);
    let end = run(text, at, 64, |byte| !is_small(byte));
    if end - start >= 7 || end == text.len() {
        stretch(finder, start, end);
    }
    end
}

const fn is_small(byte: u8) -> bool {
    byte & 0x60 == 0x60
}

/// Looks at numbers and at words in capitals.
fn stretch(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let text = finder.text;
    let mut at = start;
    while at < end {
        match text[at] {
            b'0'..=b'9' => {
                if !finder.is_traced(at) {
                    number::find(finder, at);
                }
                at = run(text, at, end - at, |byte| byte.is_ascii_digit());
            }
            b'A'..=b'Z' => {
                let close = run(text, at, 96, |byte| {
                    byte.is_ascii_uppercase() || byte == b'_'
                });
                capitals(finder, at, close);
                at = close.max(at + 1);
            }
            b':' => {
                if !finder.is_traced(at) {
                    address::v6(finder, at);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
}

fn capitals(finder: &mut MarkFinder<'_>, start: usize, end: usize) {
    let text = finder.text;
    let word = &text[start..end];
    if begins(text, start)
        && let Some(close) = tokens::at(text, start)
    {
        finder.found(start, close, tokens::MARK);
    }
    match word {
        b"BEGIN" => pem::find(finder, start),
        b"SELECT" | b"INSERT" | b"UPDATE" | b"DELETE" | b"CREATE" | b"ALTER" | b"DROP"
        | b"TRUNCATE" | b"WITH" | b"MERGE" | b"REPLACE" | b"GRANT" | b"REVOKE" | b"EXEC"
        | b"EXECUTE" | b"CALL" | b"PRAGMA" | b"EXPLAIN" => sql::find(finder, start),
        _ if word.starts_with(b"ECONN")
            || word.starts_with(b"ENOTF")
            || word.starts_with(b"EAI") =>
        {
            address::reached(finder, start);
        }
        // PASSWORD, TOKEN, SECRET, KEY, CREDENTIALS, SSN, AUTH, CVV
        [
            ..,
            b'D' | b'N' | b'T' | b'Y' | b'S' | b'E' | b'L' | b'H' | b'V',
        ] => assign::find(finder, end - 1),
        _ => {}
    }
}
