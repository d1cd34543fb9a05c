//! A search for many words at once, whatever their case.
//!
//! An Aho-Corasick automaton on five bits of each byte, with what it finds compared in full. Its rows are a cache line each, and
//! some hundred words take some hundred kilobytes; with whole bytes they take megabytes, and as much more time to build.

use std::collections::VecDeque;

use super::bytes::is_said;

/// Words that are searched for together.
pub(super) struct WordIndex {
    words: Vec<&'static str>,
    /// The next state by state and class. [`FOUND`] is set if words end there.
    next: Vec<u16>,
    /// By state: the first of its words in `ends`, and the next shorter state in which words end.
    states: Vec<WordState>,
    /// Words that end in the same state, one list after another.
    ends: Vec<u16>,
}

#[derive(Debug, Clone, Copy, Default)]
struct WordState {
    first: u16,
    count: u16,
    shorter: u16,
}

impl WordIndex {
    /// An index of words of some bytes.
    pub(super) fn new(words: &[&'static str]) -> Self {
        let mut next = vec![0; CLASSES];
        let mut ends: Vec<(u16, u16)> = Vec::with_capacity(words.len());
        for (place, word) in (0..).zip(words) {
            let mut state = 0;
            for byte in word.bytes() {
                let row = row(state, byte);
                if next[row] == 0 {
                    next[row] = number(next.len() / CLASSES);
                    next.resize(next.len() + CLASSES, 0);
                }
                state = next[row];
            }
            ends.push((state, place));
        }
        ends.sort_unstable();
        let mut states = vec![WordState::default(); next.len() / CLASSES];
        for (at, (state, _)) in (0..).zip(&ends) {
            let state = &mut states[usize::from(*state)];
            if state.count == 0 {
                state.first = at;
            }
            state.count += 1;
        }
        link(&mut next, &mut states);
        Self {
            words: words.to_vec(),
            next,
            states,
            ends: ends.into_iter().map(|(_, place)| place).collect(),
        }
    }

    /// An index of words with bars between them.
    pub(super) fn of(words: &'static str) -> Self {
        Self::new(&words.split('|').collect::<Vec<_>>())
    }

    /// Visits the words in a text, by their ends, and longer ones first.
    pub(super) fn each(&self, text: &[u8], mut visit: impl FnMut(WordMatch)) {
        let mut from = 0;
        let mut state = 0;
        while let Some(end) = self.seek(text, from, &mut state) {
            from = end;
            let mut here = state & !FOUND;
            while here != 0 {
                let WordState {
                    first,
                    count,
                    shorter,
                } = self.states[usize::from(here)];
                for place in &self.ends[usize::from(first)..usize::from(first + count)] {
                    let word = usize::from(*place);
                    let bytes = self.words[word].as_bytes();
                    let start = end - bytes.len();
                    if text[start..end].eq_ignore_ascii_case(bytes) {
                        visit(WordMatch { word, start, end });
                    }
                }
                here = shorter;
            }
        }
    }

    /// Goes on to the next place where words may end.
    fn seek(&self, text: &[u8], from: usize, state: &mut u16) -> Option<usize> {
        let mut now = *state & !FOUND;
        for (at, byte) in text[from..].iter().enumerate() {
            now = self.next[row(now, *byte)];
            if now & FOUND != 0 {
                *state = now;
                return Some(from + at + 1);
            }
        }
        None
    }

    /// Whether one of the words is said in a text.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        let mut is_in = false;
        self.each(text, |found| is_in |= is_said(text, found.start));
        is_in
    }
}

/// Makes an automaton of a tree: where a word does not go on, the longest of its ends does that begins a word.
fn link(next: &mut [u16], states: &mut [WordState]) {
    let mut shorter = vec![0; states.len()];
    let mut queue: VecDeque<u16> = next[..CLASSES]
        .iter()
        .copied()
        .filter(|state| *state != 0)
        .collect();
    while let Some(state) = queue.pop_front() {
        let end: u16 = shorter[usize::from(state)];
        let ends_there = states[usize::from(end)];
        states[usize::from(state)].shorter = if ends_there.count > 0 {
            end
        } else {
            ends_there.shorter
        };
        for class in 0..CLASSES {
            let at = usize::from(state) * CLASSES + class;
            let otherwise = next[usize::from(end) * CLASSES + class];
            if next[at] == 0 {
                next[at] = otherwise;
            } else {
                shorter[usize::from(next[at])] = otherwise;
                queue.push_back(next[at]);
            }
        }
    }
    for state in next {
        let WordState { count, shorter, .. } = states[usize::from(*state)];
        if count > 0 || shorter != 0 {
            *state |= FOUND;
        }
    }
}

/// Where the next state of one is. Small letters and capitals have the same class, and share it with a few signs.
fn row(state: u16, byte: u8) -> usize {
    usize::from(state & !FOUND) * CLASSES + usize::from(byte) % CLASSES
}

fn number(state: usize) -> u16 {
    let state = u16::try_from(state).ok().filter(|state| state & FOUND == 0);
    state.expect("the words of the tables have fewer bytes")
}

/// The number of classes of bytes.
const CLASSES: usize = 32;
/// The bit of a state in which words end.
const FOUND: u16 = 1 << 15;

/// A word in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WordMatch {
    /// Its place in the list of words.
    pub(super) word: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every match, found by comparing every word at every place.
    fn compared(words: &[&str], text: &[u8]) -> Vec<WordMatch> {
        let mut found = Vec::new();
        for start in 0..text.len() {
            for (word, bytes) in words.iter().map(|word| word.as_bytes()).enumerate() {
                let end = start + bytes.len();
                let here = text.get(start..end);
                if here.is_some_and(|here| here.eq_ignore_ascii_case(bytes)) {
                    found.push(WordMatch { word, start, end });
                }
            }
        }
        found
    }

    const WORDS: [&str; 12] = [
        "ac",
        "AC=",
        "pass",
        "password",
        "pass_",
        "q~",
        "né le ",
        "\t@",
        "`.`",
        "住所",
        "abcdefghijk",
        "[a",
    ];

    #[test]
    fn words_are_found_in_any_case_at_the_end_and_inside_of_each_other() {
        let index = WordIndex::new(&WORDS);
        let text = "aC= PASSWORD né le `.` pass_abcdefghijkaC".as_bytes();
        let mut found = Vec::new();
        index.each(text, |word| found.push(word));
        found.sort_by_key(|found| (found.start, found.word));
        assert_eq!(found, compared(&WORDS, text));
        assert_eq!(found.len(), 10);
    }

    proptest! {
        #[test]
        fn each_word_is_found_once_wherever_it_stands(
            text in "([a-cP-S~@`.=_ \t]|pass|WORD|住|所|Né le |abcdefgh|ijk){0,24}",
        ) {
            let index = WordIndex::new(&WORDS);
            let mut found = Vec::new();
            index.each(text.as_bytes(), |word| found.push(word));
            found.sort_by_key(|found| (found.start, found.word));
            prop_assert_eq!(found, compared(&WORDS, text.as_bytes()));
        }
    }
}
