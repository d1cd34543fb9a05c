//! A text as words: what rules are matched against.

/// A run of letters and digits. Camel case is cut, so that `RateLimitError`, `rate_limit` and "rate limit" begin with
/// the same two words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// The first eight bytes in lower case, and the length.
    key: Key,
    pub(super) start: usize,
    pub(super) end: usize,
    /// What stands between it and the word before.
    pub(super) gap: Gap,
}

/// Finds a word in a table at once: two words of different keys differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64, usize);

impl Key {
    pub(super) fn of(word: &[u8]) -> Self {
        let mut head = [0; 8];
        let length = word.len().min(8);
        head[..length].copy_from_slice(&word[..length]);
        Self(u64::from_le_bytes(head) | LOWER, word.len())
    }

    /// A number that spreads well over its upper bits.
    pub(super) fn spread(self) -> u64 {
        (self.0 ^ self.1 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// The bit that makes ASCII letters lower case, in each of eight bytes. Digits have it anyway.
const LOWER: u64 = u64::from_le_bytes([0x20; 8]);

/// What separates two words, from the weakest to the strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Nothing, spaces, quotes, hyphens: the words belong together.
    Soft,
    /// Other punctuation, but the same sentence.
    Hard,
    /// The end of a sentence.
    Stop,
    /// The end of a line, or the beginning of the text.
    Line,
}

impl Word {
    pub(super) fn key(self) -> Key {
        self.key
    }

    /// Whether it is this word, in whatever case.
    pub(super) fn is(self, text: &[u8], word: &str) -> bool {
        text[self.start..self.end].eq_ignore_ascii_case(word.as_bytes())
    }

    pub(super) fn is_any(self, text: &[u8], words: &[&str]) -> bool {
        words.iter().any(|word| self.is(text, word))
    }

    /// Its value, if it is a number of three digits.
    pub(super) fn three_digits(self, text: &[u8]) -> Option<u16> {
        let digits: [u8; 3] = text[self.start..self.end].try_into().ok()?;
        let all = digits.iter().all(u8::is_ascii_digit);
        let value = digits.iter().fold(0, |sum, digit| {
            sum * 10 + u16::from(digit.wrapping_sub(b'0') % 10)
        });
        all.then_some(value)
    }
}

/// Cuts a text into words, at most [`MOST_WORDS`] of them.
pub(super) fn words(text: &[u8]) -> Vec<Word> {
    let mut words = Vec::with_capacity((text.len() / 5).min(MOST_WORDS));
    let (mut at, mut gap) = (0, Gap::Line);
    while at < text.len() && words.len() < MOST_WORDS {
        match CLASSES[usize::from(text[at])] {
            Class::Other if is_punctuation(text, at) => {
                // Quotes, dashes and the like outside ASCII separate softly.
                at += 3;
            }
            Class::Lower | Class::Upper | Class::Digit | Class::Other => {
                let end = end_of_word(text, at);
                words.push(Word {
                    key: Key::of(&text[at..end]),
                    start: at,
                    end,
                    gap,
                });
                (at, gap) = (end, Gap::Soft);
            }
            Class::Soft => at += 1,
            Class::Hard => {
                let ends = matches!(text[at], b'.' | b';' | b'!' | b'?')
                    && text.get(at + 1).is_none_or(u8::is_ascii_whitespace);
                gap = gap.max(if ends { Gap::Stop } else { Gap::Hard });
                at += 1;
            }
            Class::Line => {
                gap = Gap::Line;
                at += 1;
            }
        }
    }
    words
}

/// More words than the part of a text we look at usually has.
const MOST_WORDS: usize = 8192;

fn end_of_word(text: &[u8], start: usize) -> usize {
    let class = |at: usize| text.get(at).map(|byte| CLASSES[usize::from(*byte)]);
    let mut at = start;
    let mut before = CLASSES[usize::from(text[start])];
    loop {
        at += 1;
        let Some(now) = class(at) else { return at };
        let hump = match (before, now) {
            (_, Class::Other) => is_punctuation(text, at),
            // `camelCase`, and `HTTPError`, where the last capital begins the next word.
            (_, Class::Soft | Class::Hard | Class::Line) | (Class::Lower, Class::Upper) => true,
            (Class::Upper, Class::Upper) => class(at + 1) == Some(Class::Lower),
            _ => false,
        };
        if hump {
            return at;
        }
        before = now;
    }
}

/// General punctuation of Unicode (U+2000 to U+203F), which is three bytes long: quotes, dashes, spaces, dots.
fn is_punctuation(text: &[u8], at: usize) -> bool {
    text[at] == 0xE2 && text.get(at + 1) == Some(&0x80) && at + 2 < text.len()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    /// Part of a character outside ASCII.
    Other,
    Soft,
    Hard,
    Line,
}

const CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Hard; 256];
    let mut byte: u8 = 0;
    loop {
        classes[byte as usize] = match byte {
            b'a'..=b'z' => Class::Lower,
            b'A'..=b'Z' => Class::Upper,
            b'0'..=b'9' => Class::Digit,
            0x80.. => Class::Other,
            b' ' | b'\t' | b'_' | b'-' | b'\'' | b'"' | b'`' | b'*' | b'/' => Class::Soft,
            b'\n' | b'\r' => Class::Line,
            _ => Class::Hard,
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
            .map(|word| &text[word.start..word.end])
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
        use Gap::{Hard, Line, Soft, Stop};
        let text = b"a b: c. d v1.2\ne";
        let gaps: Vec<Gap> = words(text).iter().map(|word| word.gap).collect();
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
