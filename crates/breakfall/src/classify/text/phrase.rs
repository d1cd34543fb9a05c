//! Phrases: words in order, as rules write them, and the index that finds which of them begins at a word.
//!
//! A phrase is words separated by spaces. `a|b` stands for either, `_` for one name: a run without spaces, or
//! anything in quotes. "tool _ not found" therefore finds "Tool 'a b' not found" and not "the tool says: not found".

use super::words::{TextWord, WordGap, WordKey, words};

/// An index of the phrases of a set of rules, by their first two words.
#[derive(Debug)]
pub(super) struct PhraseIndex {
    /// Sorted by beginning, and within one by rule.
    all: Vec<IndexedPhrase>,
    /// Open addressing: one more than the place of the first phrase of a beginning; zero is free.
    slots: Vec<u16>,
    /// A bit for every first word, some of which share one. Most words of a text begin no phrase.
    firsts: [u64; 64],
}

#[derive(Debug)]
struct IndexedPhrase {
    begins: PhrasePrefix,
    /// The word after these two, which most candidates are dismissed by.
    third: Option<WordKey>,
    parts: Vec<PhrasePart>,
    rule: usize,
}

/// The key of a phrase in the index: its first two words, or the first where no second follows. Of the first alone many
/// phrases have one in common.
type PhrasePrefix = (WordKey, Option<WordKey>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum PhrasePart {
    Word(WordKey, Box<str>),
    Name,
}

/// Why a phrase is malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "all that can be wrong with a phrase"
)]
pub enum PhraseProblem {
    /// It has no word.
    Empty,
    /// It begins or ends with `_`, which then stands for anything.
    OpenEnd,
    /// Its alternatives multiply to more than a phrase should say.
    TooMany,
    /// It is longer than a phrase should be.
    TooLong,
}

impl PhraseProblem {
    /// In words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "has no word",
            Self::OpenEnd => "begins or ends with a place for a name, which matches anything",
            Self::TooMany => "has more than 64 combinations of alternatives",
            Self::TooLong => "is longer than 200 bytes",
        }
    }
}

impl PhraseIndex {
    /// The index of phrases, each with the number of its rule. Malformed phrases are left out; see [`check`].
    pub(super) fn new<'a>(written: impl IntoIterator<Item = (usize, &'a str)>) -> Self {
        let mut phrases: Vec<IndexedPhrase> = Vec::new();
        for (rule, phrase) in written {
            for parts in expand(phrase).unwrap_or_default() {
                let begins = match parts.as_slice() {
                    [PhrasePart::Word(first, _), PhrasePart::Word(second, _), ..] => {
                        (*first, Some(*second))
                    }
                    [PhrasePart::Word(first, _), ..] => (*first, None),
                    [PhrasePart::Name, ..] | [] => continue,
                };
                let third = match parts.as_slice() {
                    [_, PhrasePart::Word(..), PhrasePart::Word(third, _), ..] => Some(*third),
                    _ => None,
                };
                phrases.push(IndexedPhrase {
                    begins,
                    third,
                    parts,
                    rule,
                });
            }
        }
        phrases.truncate(usize::from(u16::MAX) - 1);
        phrases.sort_by_key(|phrase| (phrase.begins, phrase.rule));
        let mut index = Self {
            slots: vec![0; (phrases.len() * 4).next_power_of_two().max(64)],
            all: phrases,
            firsts: [0; 64],
        };
        for at in 0..index.all.len() {
            let (place, bit) = place(index.all[at].begins.0);
            index.firsts[place] |= bit;
            if at == 0 || index.all[at - 1].begins != index.all[at].begins {
                let slot = index.slot(index.all[at].begins);
                index.slots[slot] = u16::try_from(at + 1).unwrap_or(0);
            }
        }
        index
    }

    /// The first rule with a phrase that begins at a word.
    pub(super) fn rule_at(&self, text: &[u8], words: &[TextWord], at: usize) -> Option<usize> {
        let first = words[at].key();
        let (place, bit) = place(first);
        if self.firsts[place] & bit == 0 {
            return None;
        }
        let next = words.get(at + 1).filter(|next| next.gap == WordGap::Soft);
        let alone = self.rule_of((first, None), text, words, at);
        let paired = next.and_then(|next| self.rule_of((first, Some(next.key())), text, words, at));
        alone.into_iter().chain(paired).min()
    }

    fn rule_of(
        &self,
        begins: PhrasePrefix,
        text: &[u8],
        words: &[TextWord],
        at: usize,
    ) -> Option<usize> {
        let first = usize::from(self.slots[self.slot(begins)]).checked_sub(1)?;
        let same = |phrase: &&IndexedPhrase| phrase.begins == begins;
        let mut found = self.all[first..].iter().take_while(same);
        let third = words.get(at + 2).map(|word| word.key());
        let found = found.find(|phrase| {
            (phrase.third.is_none() || phrase.third == third)
                && phrase.matches(text, &words[at..])
                && if phrase.denies() {
                    !is_of_a_test(text, words, at)
                } else {
                    !is_denied(text, words, at)
                }
        });
        found.map(|phrase| phrase.rule)
    }

    /// Where the phrases of a beginning are noted, or would be.
    fn slot(&self, begins: PhrasePrefix) -> usize {
        let second = begins.1.map_or(0, WordKey::spread);
        let spread = begins.0.spread() ^ second.rotate_left(17);
        let mask = self.slots.len() - 1;
        let mut slot = usize::try_from(spread >> 40).unwrap_or(0) & mask;
        while let Some(at) = usize::from(self.slots[slot]).checked_sub(1) {
            if self.all[at].begins == begins {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}

impl IndexedPhrase {
    fn matches(&self, text: &[u8], words: &[TextWord]) -> bool {
        self.end(text, words).is_some()
    }

    /// How many words it takes.
    fn end(&self, text: &[u8], words: &[TextWord]) -> Option<usize> {
        let mut at = 0;
        let mut loose = true;
        for part in &self.parts {
            match part {
                PhrasePart::Word(key, want) => {
                    let have = words.get(at)?;
                    let apart = !loose && have.gap != WordGap::Soft;
                    if apart || have.key() != *key || !have.is(text, want) {
                        return None;
                    }
                    (at, loose) = (at + 1, false);
                }
                PhrasePart::Name => {
                    let end = after_name(text, words.get(at.checked_sub(1)?)?.end())?;
                    at += words[at..].iter().position(|word| word.start() >= end)?;
                    if words[at].gap >= WordGap::Stop {
                        return None;
                    }
                    loose = true;
                }
            }
        }
        Some(at)
    }

    /// Whether it begins by denying something itself.
    fn denies(&self) -> bool {
        let first = self.parts.first();
        first.is_some_and(
            |part| matches!(part, PhrasePart::Word(_, word) if DENIALS.contains(&&**word)),
        )
    }
}

/// The bit of a first word.
fn place(first: WordKey) -> (usize, u64) {
    let spread = first.spread();
    (
        usize::try_from(spread >> 58).unwrap_or(0),
        1 << (spread >> 52 & 63),
    )
}

/// Whether the word before says that what follows is not so, or what follows is part of the name of a test:
/// `test_permission_denied`.
fn is_denied(text: &[u8], words: &[TextWord], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| words[before]);
    words[at].gap == WordGap::Soft
        && (before.is_some_and(|word| word.is_any(text, DENIALS)) || is_of_a_test(text, words, at))
}

fn is_of_a_test(text: &[u8], words: &[TextWord], at: usize) -> bool {
    let joined = |at: &usize| {
        let before = at.checked_sub(1).map(|before| words[before].end());
        before.is_some_and(|end| &text[end..words[*at].start()] == b"_")
    };
    let mut first = at;
    while at - first < LONGEST_TEST && joined(&first) {
        first -= 1;
    }
    first < at && words[first].is(text, "test")
}

/// The names of tests have no more words before what they are about.
const LONGEST_TEST: usize = 8;

const DENIALS: &[&str] = &["no", "not", "without", "never"];

/// Where a name ends that begins after `from`, behind spaces and a colon.
fn after_name(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    let skipped = rest
        .iter()
        .position(|byte| !matches!(byte, b' ' | b'\t' | b':'))?;
    let rest = &rest[skipped..rest.len().min(skipped + LONGEST_NAME)];
    let length = match rest.first()? {
        quote @ (b'\'' | b'"' | b'`') => {
            rest[1..]
                .iter()
                .position(|byte| byte == quote || *byte == b'\n')?
                + 2
        }
        b'\n' | b'\r' => return None,
        _ => rest.iter().position(u8::is_ascii_whitespace)?,
    };
    Some(from + skipped + length)
}

/// The longest text that is taken for a name.
const LONGEST_NAME: usize = 160;

/// Says what is wrong with a phrase, if anything is.
pub(super) fn check(phrase: &str) -> Result<(), PhraseProblem> {
    expand(phrase).map(|_| ())
}

/// Every combination of alternatives.
fn expand(phrase: &str) -> Result<Vec<Vec<PhrasePart>>, PhraseProblem> {
    if phrase.len() > 200 {
        return Err(PhraseProblem::TooLong);
    }
    let mut all: Vec<Vec<PhrasePart>> = vec![Vec::new()];
    for chunk in phrase.split_ascii_whitespace() {
        let alternatives: Vec<Vec<PhrasePart>> = match chunk {
            "_" => vec![vec![PhrasePart::Name]],
            _ => chunk.split('|').map(parts).collect(),
        };
        if all.len() * alternatives.len() > 64 {
            return Err(PhraseProblem::TooMany);
        }
        let with = |head: &Vec<PhrasePart>| {
            let joined = alternatives
                .iter()
                .map(|tail| [head.as_slice(), tail].concat());
            joined.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    let is_word = |part: Option<&PhrasePart>| matches!(part, Some(PhrasePart::Word(..)));
    for parts in &all {
        if !parts
            .iter()
            .any(|part| matches!(part, PhrasePart::Word(..)))
        {
            return Err(PhraseProblem::Empty);
        }
        if !is_word(parts.first()) || !is_word(parts.last()) {
            return Err(PhraseProblem::OpenEnd);
        }
    }
    Ok(all)
}

fn parts(chunk: &str) -> Vec<PhrasePart> {
    let part = |word: &TextWord| {
        let lower = chunk[word.start()..word.end()].to_ascii_lowercase();
        PhrasePart::Word(word.key(), lower.into())
    };
    words(chunk.as_bytes()).iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(phrase: &str, text: &str) -> bool {
        let (index, cut) = (PhraseIndex::new([(0, phrase)]), words(text.as_bytes()));
        (0..cut.len()).any(|at| index.rule_at(text.as_bytes(), &cut, at).is_some())
    }

    #[test]
    fn whole_words_in_order_are_found() {
        for text in [
            "Rate limit exceeded",
            "a RATE_LIMIT_EXCEEDED b",
            "rateLimitExceeded",
        ] {
            assert!(finds("rate limit exceeded", text), "{text}");
        }
        for text in [
            "separate limit exceeded",
            "rate: limit exceeded",
            "rate limit",
        ] {
            assert!(!finds("rate limit exceeded", text), "{text}");
        }
    }

    #[test]
    fn a_name_is_one_run_or_quoted() {
        for text in [
            "Tool get_weather not found",
            "tool 'a b' not found",
            "Tool: x.y:z not found",
        ] {
            assert!(finds("tool _ not found", text), "{text}");
        }
        for text in [
            "tool not found",
            "the tool says it was not found",
            "tool x.\nnot found",
        ] {
            assert!(!finds("tool _ not found", text), "{text}");
        }
    }

    #[test]
    fn alternatives_stand_for_each_other() {
        assert!(finds("RateLimit", "rate limit") && finds("RateLimit", "RateLimit"));
        for text in ["bad key", "wrong api key", "wrong key"] {
            assert!(finds("bad|wrong key|api-key", text), "{text}");
        }
        assert!(!finds("bad|wrong key", "good key"));
    }

    #[test]
    fn what_is_denied_is_not_found() {
        assert!(!finds("timed out", "it has not timed out"));
        assert!(finds("not found", "not found"));
        assert!(finds("timed out", "no, timed out"));
        assert!(!finds("timed out", "test_it_has_timed_out FAILED"));
        assert!(finds("timed out", "test it: timed out"));
    }

    #[test]
    fn what_is_no_phrase_is_said() {
        let long = "x".repeat(201);
        for (phrase, problem) in [
            ("", PhraseProblem::Empty),
            (" :: ", PhraseProblem::Empty),
            ("_ failed", PhraseProblem::OpenEnd),
            ("a|", PhraseProblem::Empty),
            ("a|b|c|d a|b|c|d a|b|c|d a|b", PhraseProblem::TooMany),
            (long.as_str(), PhraseProblem::TooLong),
        ] {
            assert_eq!(check(phrase), Err(problem), "{phrase}");
        }
        assert_eq!(check("Any-thing goes"), Ok(()));
    }
}
