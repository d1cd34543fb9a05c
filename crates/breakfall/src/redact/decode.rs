//! What a text says beneath its escapes: `%40`, `\u0040`, `\"`, colours of a terminal.
//!
//! Rules read the text as it is, and once more as it would read unescaped. A find in the second reading is mapped back
//! to the bytes that stand for it.

/// An unescaped text, with the origin of each byte.
pub(super) struct DecodedText {
    pub(super) bytes: Vec<u8>,
    /// For each byte the start of what stands for it, and the end of the text last.
    from: Vec<u32>,
}

impl DecodedText {
    /// The text unescaped once, if that is another.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        u32::try_from(text.len()).ok()?;
        Self::once(text)
    }

    /// The view unescaped once more: escapes may be escaped in turn.
    pub(super) fn beneath(&self) -> Option<Self> {
        let next = Self::once(&self.bytes)?;
        let from = next.from.iter().map(|at| self.from[*at as usize]).collect();
        Some(Self {
            bytes: next.bytes,
            from,
        })
    }

    /// The bytes of the text behind a part of the view.
    pub(super) fn origin(&self, start: usize, end: usize) -> (usize, usize) {
        (self.from[start] as usize, self.from[end] as usize)
    }

    fn once(text: &[u8]) -> Option<Self> {
        let mut next = first(text, 0)?;
        let mut view = Self {
            bytes: Vec::with_capacity(text.len()),
            from: Vec::with_capacity(text.len() + 1),
        };
        let mut at = 0;
        let mut changed = false;
        loop {
            view.copy(text, at, next);
            if next >= text.len() {
                break;
            }
            if let Some((end, meant)) = unescape(text, next) {
                changed = true;
                let mut buffer = [0; 4];
                for byte in meant.map_or(&[][..], |meant| meant.encode(&mut buffer)) {
                    view.push(*byte, next);
                }
                at = end;
            } else {
                view.push(text[next], next);
                at = next + 1;
            }
            next = first(text, at).unwrap_or(text.len());
        }
        view.from
            .push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        changed.then_some(view)
    }

    fn copy(&mut self, text: &[u8], start: usize, end: usize) {
        for (at, byte) in text[start..end].iter().enumerate() {
            self.push(*byte, start + at);
        }
    }

    fn push(&mut self, byte: u8, from: usize) {
        self.bytes.push(byte);
        self.from.push(u32::try_from(from).unwrap_or(u32::MAX));
    }
}

/// How often a text is unescaped.
pub(super) const DEEPEST: usize = 3;

/// The byte or character that an escape stands for.
#[derive(Debug, Clone, Copy)]
enum EscapedChar {
    Byte(u8),
    Char(char),
}

impl EscapedChar {
    fn encode(self, buffer: &mut [u8; 4]) -> &[u8] {
        match self {
            Self::Byte(byte) => {
                buffer[0] = byte;
                &buffer[..1]
            }
            Self::Char(char) => char.encode_utf8(buffer).as_bytes(),
        }
    }
}

/// The next byte that may begin an escape.
fn first(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    let ascii = memchr::memchr3(b'%', b'\\', ESC, rest);
    let rest = &rest[..ascii.unwrap_or(rest.len())];
    let other =
        memchr::memchr3_iter(0xe2, 0xef, 0xc2, rest).find(|at| invisible(rest, *at).is_some());
    other.or(ascii).map(|found| at + found)
}

/// Whether a sign that is not shown, and may break a secret, begins at a place.
pub(super) fn is_invisible(text: &[u8], at: usize) -> bool {
    invisible(text, at).is_some()
}

/// The end of a sign that is not shown: of no width, a soft hyphen, a mark of direction or of the order of bytes.
fn invisible(text: &[u8], at: usize) -> Option<usize> {
    match text[at..] {
        [0xe2, 0x80, 0x8b..=0x8f | 0xaa..=0xae, ..]
        | [0xe2, 0x81, 0xa0..=0xaf, ..]
        | [0xef, 0xbb, 0xbf, ..] => Some(at + 3),
        [0xc2, 0xad, ..] => Some(at + 2),
        _ => None,
    }
}

const ESC: u8 = 0x1b;

/// The end of an escape and what it stands for; colours stand for nothing.
fn unescape(text: &[u8], at: usize) -> Option<(usize, Option<EscapedChar>)> {
    let byte = text[at];
    if let Some(end) = invisible(text, at) {
        return Some((end, None));
    }
    if byte == ESC {
        return Some((sequence(text, at)?, None));
    }
    if byte == b'%' {
        let value = hex(text, at + 1, 2)?;
        let byte = u8::try_from(value).ok()?;
        return (!byte.is_ascii_control() || byte.is_ascii_whitespace())
            .then_some((at + 3, Some(EscapedChar::Byte(byte))));
    }
    let plain = |byte: u8| Some((at + 2, Some(EscapedChar::Byte(byte))));
    match text.get(at + 1)? {
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        quote @ (b'"' | b'\'' | b'/' | b'\\') => plain(*quote),
        b'x' => Some((
            at + 4,
            Some(EscapedChar::Byte(u8::try_from(hex(text, at + 2, 2)?).ok()?)),
        )),
        b'u' => {
            let char = char::from_u32(hex(text, at + 2, 4)?)?;
            let shown = !matches!(char, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}');
            Some((at + 6, shown.then_some(EscapedChar::Char(char))))
        }
        _ => None,
    }
}

fn hex(text: &[u8], at: usize, digits: usize) -> Option<u32> {
    text.get(at..at + digits)?
        .iter()
        .try_fold(0, |value, byte| {
            Some(value << 4 | char::from(*byte).to_digit(16)?)
        })
}

/// The end of a control sequence of a terminal.
pub(super) fn sequence(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1)? {
        b'[' => {
            let end = super::bytes::run(text, at + 2, 64, |byte| matches!(byte, 0x20..=0x3f));
            text.get(end)
                .filter(|byte| matches!(byte, 0x40..=0x7e))
                .map(|_| end + 1)
        }
        b']' => {
            let end = super::bytes::run(text, at + 2, 1024, |byte| byte != 0x07 && byte != ESC);
            match text.get(end)? {
                0x07 => Some(end + 1),
                _ => (text.get(end + 1) == Some(&b'\\')).then_some(end + 2),
            }
        }
        0x30..=0x7e => Some(at + 2),
        _ => None,
    }
}
