//! Reading around a place in a text: bytes, words, lines, and what stands before.

/// Letters, digits and the underscore.
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What a name of a variable, a key or a host is made of.
pub(super) const fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.')
}

/// What most credentials are made of.
pub(super) const fn is_token(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// What base64 is made of, in either alphabet, with its padding.
pub(super) const fn is_base64(byte: u8) -> bool {
    is_token(byte) || matches!(byte, b'+' | b'/' | b'=')
}

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(super) const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// Whether a byte begins a letter or a sign of a script that is written without blanks.
pub(super) const fn is_script(byte: u8) -> bool {
    matches!(byte, 0xe3..=0xed | 0xef)
}

/// Whether a bracket, a stop or a quote of another script than ours begins here, or one that printers use.
pub(super) fn is_sign_at(text: &[u8], at: usize) -> bool {
    matches!(
        text[at..],
        [0xe2, 0x80, 0x98..=0x9f | 0xa6, ..]
            | [0xe3, 0x80, 0x80..=0x84 | 0x88..=0xbf, ..]
            | [0xef, 0xbc, 0x81..=0x8f | 0x9a..=0xa0 | 0xbb..=0xbf, ..]
            | [0xef, 0xbd, 0x80 | 0x9b..=0xa5, ..]
    )
}

/// The byte before a place.
pub(super) fn before(text: &[u8], at: usize) -> Option<u8> {
    at.checked_sub(1).map(|at| text[at])
}

/// Whether a word could begin here: the byte before is neither a letter nor a digit. Text of other scripts counts as neither,
/// so a key that touches it is still seen.
pub(super) fn begins(text: &[u8], at: usize) -> bool {
    before(text, at).is_none_or(|byte| !is_word(byte))
}

/// Whether a word could end here.
pub(super) fn ends(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| !is_word(*byte))
}

/// The end of a run, which is looked for up to `most` bytes on.
pub(super) fn run(text: &[u8], at: usize, most: usize, fits: impl Fn(u8) -> bool) -> usize {
    let window = &text[at..text.len().min(at.saturating_add(most))];
    at + window
        .iter()
        .position(|byte| !fits(*byte))
        .unwrap_or(window.len())
}

/// The start of a run that ends here, looked for up to `most` bytes back.
pub(super) fn run_back(text: &[u8], at: usize, most: usize, fits: impl Fn(u8) -> bool) -> usize {
    let from = at.saturating_sub(most);
    let window = &text[from..at];
    from + window
        .iter()
        .rposition(|byte| !fits(*byte))
        .map_or(0, |last| last + 1)
}

/// The line a place is in, without its end, looked for up to `most` bytes either way.
pub(super) fn line(text: &[u8], at: usize, most: usize) -> (usize, usize) {
    let start = at.saturating_sub(most);
    let start = memchr::memrchr(b'\n', &text[start..at]).map_or(start, |found| start + found + 1);
    (start, line_end(text, at, most))
}

pub(super) fn line_end(text: &[u8], at: usize, most: usize) -> usize {
    let end = text.len().min(at.saturating_add(most));
    memchr::memchr(b'\n', &text[at..end]).map_or(end, |found| at + found)
}

/// Whether the text goes on with these bytes, whatever their case. `want` is in lower case.
pub(super) fn follows(text: &[u8], at: usize, want: &[u8]) -> bool {
    text.get(at..at + want.len())
        .is_some_and(|have| have.eq_ignore_ascii_case(want))
}

/// Whether one of some words stands within `most` bytes before a place, in the same line. They are in lower case, with
/// bars between them.
pub(super) fn said_before(text: &[u8], at: usize, most: usize, words: &str) -> bool {
    let start = run_back(text, at, most, |byte| byte != b'\n');
    holds(&text[start..at], words)
}

/// Whether one of some words stands in a piece of text, as a word. They are in lower case, with bars between them.
pub(super) fn holds(piece: &[u8], words: &str) -> bool {
    words.split('|').map(str::as_bytes).any(|word| {
        let first = [word[0], word[0].to_ascii_uppercase()];
        memchr::memchr2_iter(first[0], first[1], piece)
            .any(|start| follows(piece, start, word) && is_said(piece, start))
    })
}

/// Whether a word begins where one was found, outside of the markers.
pub(super) fn is_said(text: &[u8], start: usize) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric();
    let is_inside = is_part(text[start]) && before(text, start).is_some_and(is_part);
    !is_inside && !in_marker(text, start)
}

/// Whether a word is the kind a marker names: text written by the redactor is not context.
pub(super) fn in_marker(text: &[u8], start: usize) -> bool {
    let end = run(text, start, 16, |byte| {
        byte.is_ascii_lowercase() || byte == b'-'
    });
    text[..start].ends_with(b"[redacted:")
        || before(text, start) == Some(b'[') && text.get(end) == Some(&b']')
}

/// The word right before a place, past blanks, quotes and brackets.
pub(super) fn word_before(text: &[u8], at: usize) -> &[u8] {
    let gap = |byte: u8| {
        is_blank(byte) || is_quote(byte) || matches!(byte, b'(' | b'[' | b':' | b'=' | b',' | b'<')
    };
    let end = run_back(text, at, 8, gap);
    let start = run_back(text, end, 24, is_word);
    if in_marker(text, start) {
        &[]
    } else {
        &text[start..end]
    }
}

/// Whether a word is one of some, whatever its case. They are in lower case, with blanks between them.
pub(super) fn one_of(word: &[u8], words: &str) -> bool {
    let mut buffer = [0; 32];
    let Some(lower) = buffer
        .get_mut(..word.len())
        .filter(|lower| !lower.is_empty())
    else {
        return false;
    };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    let words = words.as_bytes();
    if words.len() <= SHORT_LIST {
        return words.split(|byte| *byte == b' ').any(|have| have == lower);
    }
    let parts = |at: usize| words.get(at).is_none_or(|byte| *byte == b' ');
    memchr::memmem::find_iter(words, lower).any(|at| {
        let opens = at.checked_sub(1).is_none_or(parts);
        opens && parts(at + word.len()) && !word.contains(&b' ')
    })
}

/// Up to this length of a list, comparing word by word is quicker than a search.
const SHORT_LIST: usize = 200;

/// Words with blanks between them, for [`WordSet::has`]. Most words are told from all of them by their first letter and length.
pub(super) struct WordSet {
    words: &'static str,
    filter: LengthFilter,
}

impl WordSet {
    pub(super) const fn new(words: &'static str) -> Self {
        let bytes = words.as_bytes();
        let mut filter = LengthFilter::new();
        let (mut start, mut at) = (0, 0);
        while at <= bytes.len() {
            if at == bytes.len() || bytes[at] == b' ' {
                if at > start {
                    filter.add(bytes[start], at - start);
                }
                start = at + 1;
            }
            at += 1;
        }
        Self { words, filter }
    }

    /// [`one_of`], sooner.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        self.filter.may_hold(word) && one_of(word, self.words)
    }
}

/// The lengths that words have which begin with the same letter.
#[derive(Debug, Clone, Copy)]
pub(super) struct LengthFilter([u32; 32]);

impl LengthFilter {
    pub(super) const fn new() -> Self {
        Self([0; 32])
    }

    pub(super) const fn add(&mut self, first: u8, length: usize) {
        self.0[Self::row(first)] |= Self::bit(length);
    }

    /// Whether some word begins so and is as long.
    pub(super) fn may_hold(&self, word: &[u8]) -> bool {
        let first = word.first();
        first.is_some_and(|first| self.0[Self::row(*first)] & Self::bit(word.len()) != 0)
    }

    /// Small letters and capitals have the same.
    const fn row(first: u8) -> usize {
        first as usize % 32
    }

    const fn bit(length: usize) -> u32 {
        1 << (if length < 31 { length } else { 31 })
    }
}

/// Whether a piece of text was made by a machine: letters and digits change places more often than in a name.
pub(super) fn is_random(piece: &[u8]) -> bool {
    ByteStats::of(piece).is_random()
}

/// Counts of the kinds of bytes in a piece of text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByteStats {
    pub(super) len: usize,
    pub(super) digits: usize,
    letters: usize,
    /// How often a digit, a small letter and a capital stand beside one of the other two.
    turns: usize,
    /// How often a small letter and a capital stand side by side.
    pub(super) cases: usize,
    /// How often two capitals do.
    pub(super) capitals: usize,
}

impl ByteStats {
    pub(super) fn of(piece: &[u8]) -> Self {
        let mut shape = Self {
            len: piece.len(),
            ..Self::default()
        };
        let mut last = 0;
        for byte in piece {
            let class = class(*byte);
            shape.digits += usize::from(class == DIGIT);
            shape.letters += usize::from(class > DIGIT);
            shape.turns += usize::from(class != last && class != 0 && last != 0);
            shape.cases += usize::from(class | last == SMALL | CAPITAL);
            shape.capitals += usize::from(class & last == CAPITAL);
            last = class;
        }
        shape
    }

    pub(super) const fn is_random(&self) -> bool {
        self.turns >= 3 && self.digits >= 1 && self.letters >= 2
    }
}

const DIGIT: u8 = 1;
const SMALL: u8 = 2;
const CAPITAL: u8 = 4;

/// What is neither letter nor digit has no class.
const fn class(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => DIGIT,
        b'a'..=b'z' => SMALL,
        b'A'..=b'Z' => CAPITAL,
        _ => 0,
    }
}

/// Whether a piece of text is a UUID, which names a thing and opens none.
pub(super) fn is_uuid(piece: &[u8]) -> bool {
    piece.len() == 36
        && piece.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
