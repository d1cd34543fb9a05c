//! A text as words: what rules are matched against.

/// A run of letters and digits. Camel case is cut, so that `RateLimitError`, `rate_limit` and "rate limit" begin with
/// the same two words.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextWord {
    /// The first eight bytes in lower case.
    head: u64,
    // Half as wide as they could be, since there are many words and the part of a text that is looked at is short.
    start: u32,
    end: u32,
    /// What stands between it and the word before.
    pub(super) gap: WordGap,
}

/// The key of a word in a table: words with different keys differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WordKey(u64, u32);

impl WordKey {
    /// A number that spreads well over its upper bits.
    pub(super) fn spread(self) -> u64 {
        (self.0 ^ u64::from(self.1)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// The first eight bytes of a word in lower case; spaces for those it does not have.
fn head(text: &[u8], start: usize, end: usize) -> u64 {
    let length = (end - start).min(8);
    // Reading eight bytes at once and masking some is many times faster than copying a few.
    if let Some(&eight) = text[start..].first_chunk::<8>() {
        let mask = u64::MAX >> (64 - 8 * length);
        return u64::from_le_bytes(eight) & mask | LOWER;
    }
    let mut eight = [0; 8];
    eight[..length].copy_from_slice(&text[start..start + length]);
    u64::from_le_bytes(eight) | LOWER
}

/// The bit that makes ASCII letters lower case, in each of eight bytes. Digits have it anyway.
const LOWER: u64 = u64::from_le_bytes([0x20; 8]);

/// The separation between two words, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum WordGap {
    /// Nothing, spaces, quotes, hyphens: the words belong together.
    Soft,
    /// Other punctuation, but the same sentence.
    Hard,
    /// The end of a sentence.
    Stop,
    /// The end of a line, or the beginning of the text.
    Line,
}

impl TextWord {
    pub(super) fn key(self) -> WordKey {
        WordKey(self.head, self.end - self.start)
    }

    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    pub(super) fn end(self) -> usize {
        self.end as usize
    }

    fn bytes(self, text: &[u8]) -> &[u8] {
        &text[self.start()..self.end()]
    }

    /// Whether it is this word, in whatever case.
    pub(super) fn is(self, text: &[u8], word: &str) -> bool {
        self.bytes(text).eq_ignore_ascii_case(word.as_bytes())
    }

    pub(super) fn is_any(self, text: &[u8], words: &[&str]) -> bool {
        words.iter().any(|word| self.is(text, word))
    }

    /// Its value, if it is a number of three digits.
    pub(super) fn three_digits(self, text: &[u8]) -> Option<u16> {
        if self.end - self.start != 3 {
            return None;
        }
        let digits: [u8; 3] = self.bytes(text).try_into().ok()?;
        let all = digits.iter().all(u8::is_ascii_digit);
        let value = digits.iter().fold(0, |sum, digit| {
            sum * 10 + u16::from(digit.wrapping_sub(b'0') % 10)
        });
        all.then_some(value)
    }
}

/// Cuts a text into words, at most [`MOST_WORDS`] of them. Of a text of more than four gigabytes nothing is cut.
pub(super) fn words(text: &[u8]) -> Vec<TextWord> {
    let mut cut = WordSplitter {
        text,
        words: Vec::with_capacity((text.len() / 5).min(MOST_WORDS)),
        gap: WordGap::Line,
    };
    if u32::try_from(text.len()).is_err() {
        return cut.words;
    }
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match CLASSES[usize::from(byte)] {
            // Quotes, dashes and the like outside ASCII separate softly.
            CharClass::Other if is_punctuation(text, at) => at += 3,
            CharClass::Lower | CharClass::Digit | CharClass::Upper | CharClass::Other => {
                let end = end_of_word(text, at);
                cut.word(at, end);
                at = end;
                if cut.words.len() >= MOST_WORDS {
                    break;
                }
            }
            class @ (CharClass::Soft | CharClass::Hard | CharClass::Line) => {
                cut.separate(class, at);
                at += 1;
            }
        }
    }
    cut.words
}

fn end_of_word(text: &[u8], start: usize) -> usize {
    let class = |at: usize| text.get(at).map(|byte| CLASSES[usize::from(*byte)]);
    let mut at = start + 1;
    // `HTTPError`: the last capital of several begins the next word.
    if class(start) == Some(CharClass::Upper) && class(at) == Some(CharClass::Upper) {
        while class(at) == Some(CharClass::Upper) {
            at += 1;
        }
        if class(at) == Some(CharClass::Lower) {
            return at - 1;
        }
    }
    loop {
        match class(at) {
            Some(CharClass::Lower | CharClass::Digit) => {}
            Some(CharClass::Other) if !is_punctuation(text, at) => {}
            // `camelCase`; a capital after a digit goes on.
            Some(CharClass::Upper) if class(at - 1) != Some(CharClass::Lower) => {}
            _ => return at,
        }
        at += 1;
    }
}

/// More words than the part of a text we look at usually has.
const MOST_WORDS: usize = 8192;

struct WordSplitter<'a> {
    text: &'a [u8],
    words: Vec<TextWord>,
    /// What was seen since the last word.
    gap: WordGap,
}

impl WordSplitter<'_> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a text whose length does not fit is not cut"
    )]
    fn word(&mut self, start: usize, end: usize) {
        self.words.push(TextWord {
            head: head(self.text, start, end),
            start: start as u32,
            end: end as u32,
            gap: self.gap,
        });
        self.gap = WordGap::Soft;
    }

    fn separate(&mut self, class: CharClass, at: usize) {
        if class == CharClass::Line {
            self.gap = WordGap::Line;
        } else if class == CharClass::Hard {
            let ends = matches!(self.text[at], b'.' | b';' | b'!' | b'?')
                && self.text.get(at + 1).is_none_or(u8::is_ascii_whitespace);
            self.gap = self
                .gap
                .max(if ends { WordGap::Stop } else { WordGap::Hard });
        }
    }
}

/// General punctuation of Unicode (U+2000 to U+203F), which is three bytes long: quotes, dashes, spaces, dots.
fn is_punctuation(text: &[u8], at: usize) -> bool {
    text[at] == 0xE2 && text.get(at + 1) == Some(&0x80) && at + 2 < text.len()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Lower,
    Upper,
    Digit,
    /// Part of a character outside ASCII.
    Other,
    Soft,
    Hard,
    Line,
}

const CLASSES: [CharClass; 256] = classes();

const fn classes() -> [CharClass; 256] {
    let mut classes = [CharClass::Hard; 256];
    let mut byte: u8 = 0;
    loop {
        classes[byte as usize] = match byte {
            b'a'..=b'z' => CharClass::Lower,
            b'A'..=b'Z' => CharClass::Upper,
            b'0'..=b'9' => CharClass::Digit,
            0x80.. => CharClass::Other,
            b' ' | b'\t' | b'_' | b'-' | b'\'' | b'"' | b'`' | b'*' | b'/' => CharClass::Soft,
            b'\n' | b'\r' => CharClass::Line,
            _ => CharClass::Hard,
        };
        if byte == u8::MAX {
            return classes;
        }
        byte += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text.as_bytes())
            .iter()
            .map(|word| &text[word.start()..word.end()])
            .collect()
    }

    #[test]
    fn words_end_where_letters_and_humps_do() {
        let cases: [(&str, &[&str]); 7] = [
            ("rate_limit-exceeded", &["rate", "limit", "exceeded"]),
            ("RateLimitError: x", &["Rate", "Limit", "Error", "x"]),
            ("HTTPError ECONNRESET", &["HTTP", "Error", "ECONNRESET"]),
            ("HTTP/1.1 429", &["HTTP", "1", "1", "429"]),
            ("doesn’t “exist”…", &["doesn", "t", "exist"]),
            ("naïve x509 oauth2", &["naïve", "x509", "oauth2"]),
            ("", &[]),
        ];
        for (text, want) in cases {
            assert_eq!(cut(text), want, "{text}");
        }
    }

    #[test]
    fn gaps_tell_what_separates() {
        use WordGap::{Hard, Line, Soft, Stop};
        let text = b"a b: c. d v1.2\ne";
        let gaps: Vec<WordGap> = words(text).iter().map(|word| word.gap).collect();
        assert_eq!(gaps, [Line, Soft, Hard, Stop, Soft, Hard, Line]);
    }

    #[test]
    fn a_number_of_three_digits_has_a_value() {
        let text = b"429 42 4290 x29";
        let values: Vec<_> = words(text)
            .iter()
            .map(|word| word.three_digits(text))
            .collect();
        assert_eq!(values, [Some(429), None, None, None]);
    }
}
