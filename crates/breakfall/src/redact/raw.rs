//! JSON as text, in place: what is not redacted keeps its bytes. Numbers no type holds, the order of members, their
//! spelling and names that stand there twice all survive, which a value that is parsed and written again cannot offer.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

use super::mark::Mark;
use super::value::{DEEPEST, PAIRED, changed, describes, is_blank, told_by};
use super::{Redactor, keys};

/// Redacts JSON. Text that is not JSON comes out as a JSON string.
pub(super) fn redact<'a>(redactor: &Redactor, json: &'a str) -> Cow<'a, str> {
    run(redactor, json, &|_| false)
}

/// [`redact`], without the members of the outermost object that are to be kept.
pub(super) fn members<'a>(
    redactor: &Redactor,
    json: &'a str,
    keep: &dyn Fn(&str) -> bool,
) -> Cow<'a, str> {
    run(redactor, json, keep)
}

fn run<'a>(redactor: &Redactor, json: &'a str, keep: &dyn Fn(&str) -> bool) -> Cow<'a, str> {
    let mut walk = JsonWalk {
        redactor,
        text: json,
        edits: Vec::new(),
    };
    let start = walk.blank(0);
    let end = match json.as_bytes().get(start) {
        Some(b'{') => walk.object(start, None, 0, keep),
        Some(_) => walk.value(start, None, 0),
        None => None,
    };
    if end.is_none_or(|end| walk.blank(end) != json.len()) {
        return Cow::Owned(quoted(&redactor.text(json)));
    }
    let mut edits = walk.edits;
    if edits.is_empty() {
        return Cow::Borrowed(json);
    }
    edits.sort_unstable_by_key(|(place, _)| place.start);
    let mut out = String::with_capacity(json.len());
    let mut from = 0;
    for (place, new) in edits {
        out.push_str(&json[from..place.start]);
        out.push_str(&new);
        from = place.end;
    }
    out.push_str(&json[from..]);
    Cow::Owned(out)
}

/// The JSON of a text.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text is JSON")
}

/// The text of a JSON string. Half a surrogate pair, which no text can hold, is replaced.
pub(super) fn unquoted(raw: &str) -> Cow<'_, str> {
    let plain = &raw[1..raw.len() - 1];
    if !plain.contains('\\') {
        return Cow::Borrowed(plain);
    }
    if let Ok(text) = serde_json::from_str(raw) {
        return Cow::Owned(text);
    }
    // serde_json takes such a string as bytes, and leaves it to its reader what to make of them.
    let bytes: Result<serde_bytes_of::JsonBytes, _> = serde_json::from_str(raw);
    Cow::Owned(bytes.map_or_else(|_| plain.to_owned(), serde_bytes_of::JsonBytes::into_text))
}

/// A JSON string as bytes.
mod serde_bytes_of {
    use serde::de::{Deserialize, Deserializer, Error, Visitor};

    pub(super) struct JsonBytes(Vec<u8>);

    impl JsonBytes {
        /// With one sign for each half of a pair. It takes three bytes, as the sign does, and no character begins
        /// like it.
        pub(super) fn into_text(mut self) -> String {
            for at in 0..self.0.len() {
                if let Some(half @ [0xed, 0xa0..=0xbf, _]) = self.0.get_mut(at..at + 3) {
                    half.copy_from_slice("\u{fffd}".as_bytes());
                }
            }
            String::from_utf8_lossy(&self.0).into_owned()
        }
    }

    impl<'de> Deserialize<'de> for JsonBytes {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct BytesVisitor;
            impl Visitor<'_> for BytesVisitor {
                type Value = JsonBytes;

                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a string")
                }

                fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<JsonBytes, E> {
                    Ok(JsonBytes(bytes.to_vec()))
                }
            }
            deserializer.deserialize_bytes(BytesVisitor)
        }
    }
}

/// The end of the string that starts at a place.
pub(super) fn string_end(text: &[u8], at: usize) -> Option<usize> {
    if *text.get(at)? != b'"' {
        return None;
    }
    let mut next = at + 1;
    loop {
        next += memchr2(b'"', b'\\', text.get(next..)?)?;
        if text[next] == b'"' {
            return Some(next + 1);
        }
        next += 2;
    }
}

struct JsonWalk<'a> {
    redactor: &'a Redactor,
    text: &'a str,
    edits: Vec<(Range<usize>, String)>,
}

impl JsonWalk<'_> {
    /// Looks at the value that starts here, and gives its end; nothing if it is not a value.
    fn value(&mut self, at: usize, named: Option<Mark>, depth: usize) -> Option<usize> {
        if depth > DEEPEST {
            let end = self.skip(at)?;
            self.edits.push((at..end, quoted("[cut: depth]")));
            return Some(end);
        }
        match self.byte(at)? {
            b'"' => {
                let end = self.string(at)?;
                let text = unquoted(&self.text[at..end]);
                let clean = match named {
                    _ if self.redactor.presents(&text) => None,
                    Some(mark) if !is_blank(&text) => Some(mark.as_str().to_owned()),
                    _ => changed(self.redactor, &text),
                };
                let edit = clean.map(|clean| (at..end, quoted(&clean)));
                self.edits.extend(edit);
                Some(end)
            }
            b'{' => self.object(at, named, depth, &|_| false),
            b'[' => self.list(at, named, depth),
            _ => {
                let end = self.scalar(at)?;
                let raw = &self.text[at..end];
                let is_number = raw.starts_with(|c: char| c == '-' || c.is_ascii_digit());
                let clean = match named {
                    _ if !is_number => None,
                    Some(mark) => Some(mark.as_str().to_owned()),
                    None => changed(self.redactor, raw),
                };
                let edit = clean.map(|clean| (at..end, quoted(&clean)));
                self.edits.extend(edit);
                Some(end)
            }
        }
    }

    fn list(&mut self, at: usize, named: Option<Mark>, depth: usize) -> Option<usize> {
        let mut next = self.blank(at + 1);
        if self.byte(next)? == b']' {
            return Some(next + 1);
        }
        loop {
            next = self.value(next, named, depth + 1)?;
            next = self.blank(next);
            match self.byte(next)? {
                b',' => next = self.blank(next + 1),
                b']' => return Some(next + 1),
                _ => return None,
            }
        }
    }

    fn object(
        &mut self,
        at: usize,
        named: Option<Mark>,
        depth: usize,
        keep: &dyn Fn(&str) -> bool,
    ) -> Option<usize> {
        let mut next = self.blank(at + 1);
        if self.byte(next)? == b'}' {
            return Some(next + 1);
        }
        // What `value` is, `name` beside it may say, before or after.
        let mut pair = None;
        let mut waiting = Vec::new();
        let end = loop {
            let (key, start) = self.key(next)?;
            let end = if keep(&key) {
                self.skip(start)?
            } else {
                let is_number = matches!(self.byte(start)?, b'-' | b'0'..=b'9');
                let inherited = named.filter(|_| !describes(&key, is_number));
                let kind = keys::kind(&key).or(inherited);
                if key == "value" && depth < SHALLOW {
                    waiting.push((start, kind));
                    self.skip(start)?
                } else {
                    let end = self.value(start, kind, depth + 1)?;
                    if PAIRED.contains(&&*key) && self.byte(start)? == b'"' {
                        pair = pair.or(told_by(&unquoted(&self.text[start..end])));
                    }
                    end
                }
            };
            next = self.blank(end);
            match self.byte(next)? {
                b',' => next = self.blank(next + 1),
                b'}' => break next + 1,
                _ => return None,
            }
        };
        for (start, kind) in waiting {
            self.value(start, kind.or(pair), depth + 1)?;
        }
        Some(end)
    }

    /// The key that starts here, and where its value starts. A key that is a secret is replaced.
    fn key(&mut self, at: usize) -> Option<(Cow<'static, str>, usize)> {
        let end = self.string(at)?;
        let key = unquoted(&self.text[at..end]).into_owned();
        let clean = changed(self.redactor, &key);
        let edit = clean.map(|clean| (at..end, quoted(&clean)));
        self.edits.extend(edit);
        let colon = self.blank(end);
        (self.byte(colon)? == b':').then(|| (Cow::Owned(key), self.blank(colon + 1)))
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The first place from here that is not blank.
    fn blank(&self, at: usize) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        at + rest.iter().take_while(|byte| is_blank(byte)).count()
    }

    /// The end of the string that starts here.
    fn string(&self, at: usize) -> Option<usize> {
        string_end(self.text.as_bytes(), at)
    }

    /// The end of the number or word that starts here.
    fn scalar(&self, at: usize) -> Option<usize> {
        let rest = self.text.as_bytes().get(at..)?;
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        (length > 0).then_some(at + length)
    }

    /// The end of the value that starts here, without a look at it.
    fn skip(&self, at: usize) -> Option<usize> {
        let (mut next, mut open) = (at, 0_usize);
        loop {
            match self.byte(next)? {
                b'"' => next = self.string(next)?,
                b'{' | b'[' => {
                    open += 1;
                    next += 1;
                }
                b'}' | b']' => {
                    open = open.checked_sub(1)?;
                    next += 1;
                }
                _ if open == 0 => next = self.scalar(next)?,
                _ => next += 1,
            }
            if open == 0 {
                return Some(next);
            }
        }
    }
}

/// How deep a value waits for its name. Below, names that come later are not heeded: each wait is one more look at all
/// that is inside, and hostile input could nest them on purpose.
const SHALLOW: usize = 8;
