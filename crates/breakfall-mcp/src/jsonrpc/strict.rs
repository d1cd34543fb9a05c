//! A strict parser of JSON objects, in one pass and without recursion.
//!
//! Most messages are valid and are parsed here only. It does not say what is wrong with the others: serde parses them once
//! more, for a message of its own or because it takes them.

use super::string_end::next_special;

/// Calls a function with each member of an object and its value as it is written. `None` if the text is not an object, nests
/// deeper than allowed, has a top-level key with an escape, or if the function returns `None`.
pub(super) fn members<'a>(
    text: &'a str,
    depth: usize,
    mut member: impl FnMut(&'a str, &'a str) -> Option<()>,
) -> Option<()> {
    let mut parser = StrictParser::new(text);
    let inside = depth.checked_sub(1)?.min(MAX_DEPTH);
    parser.blank();
    parser.take(b'{')?;
    parser.blank();
    if parser.peek()? == b'}' {
        parser.at += 1;
    } else {
        loop {
            let key = parser.at + 1;
            parser.plain_string()?;
            let key = &text[key..parser.at - 1];
            parser.colon()?;
            let start = parser.at;
            parser.value(inside)?;
            member(key, &text[start..parser.at])?;
            parser.blank();
            match parser.next()? {
                b',' => parser.blank(),
                b'}' => break,
                _ => return None,
            }
        }
    }
    parser.blank();
    (parser.at == text.len()).then_some(())
}

/// How many lists and objects may be open at once, one bit for each.
const MAX_DEPTH: usize = 128;

/// From this length on, looking for control characters first pays.
const LONG_BYTES: usize = 4096;

/// A place in a text.
struct StrictParser<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Long, and known to have no control characters: strings are searched for their ends alone.
    is_plain: bool,
}

impl<'a> StrictParser<'a> {
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "a branch for each byte keeps the compiler from vectorizing the loop"
    )]
    fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let has_controls = || bytes.iter().fold(false, |has, byte| has | (*byte < b' '));
        Self {
            bytes,
            at: 0,
            is_plain: bytes.len() >= LONG_BYTES && !has_controls(),
        }
    }

    /// Goes past a value of at most so many levels.
    fn value(&mut self, most: usize) -> Option<()> {
        // Whether each open one is an object, the innermost in the lowest bit.
        let (mut open, mut level) = (0_u128, 0);
        loop {
            match self.peek()? {
                b'"' => drop(self.string()?),
                byte @ (b'{' | b'[') => {
                    let is_object = byte == b'{';
                    level += 1;
                    if level > most {
                        return None;
                    }
                    open = open << 1 | u128::from(is_object);
                    self.at += 1;
                    self.blank();
                    if self.peek()? == closing(is_object) {
                        // Closed below, like any other.
                    } else {
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => self.number()?,
            }
            loop {
                if level == 0 {
                    return Some(());
                }
                let is_object = open & 1 == 1;
                self.blank();
                match self.next()? {
                    b',' => {
                        self.blank();
                        if is_object {
                            self.key()?;
                        }
                        break;
                    }
                    byte if byte == closing(is_object) => {
                        open >>= 1;
                        level -= 1;
                    }
                    _ => return None,
                }
            }
        }
    }

    /// Goes past a key and its colon.
    fn key(&mut self) -> Option<()> {
        self.string()?;
        self.colon()
    }

    fn colon(&mut self) -> Option<()> {
        self.blank();
        self.take(b':')?;
        self.blank();
        Some(())
    }

    /// Goes past a string without escapes.
    fn plain_string(&mut self) -> Option<()> {
        let has_escapes = self.string()?;
        (!has_escapes).then_some(())
    }

    /// Goes past a string. True if it has escapes.
    fn string(&mut self) -> Option<bool> {
        self.take(b'"')?;
        let mut has_escapes = false;
        loop {
            self.at = if self.is_plain {
                let rest = self.bytes.get(self.at..)?;
                self.at + memchr::memchr2(b'"', b'\\', rest)?
            } else {
                next_special(self.bytes, self.at)?
            };
            match self.bytes[self.at] {
                b'"' => break,
                b'\\' => self.at += escape_length(&self.bytes[self.at..])?,
                _ => return None,
            }
            has_escapes = true;
        }
        self.at += 1;
        Some(has_escapes)
    }

    fn number(&mut self) -> Option<()> {
        if self.peek()? == b'-' {
            self.at += 1;
        }
        match self.peek()? {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits()?,
            _ => return None,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    /// Goes past one digit or more.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.at += word.len();
        (self.bytes.get(self.at - word.len()..self.at)? == word).then_some(())
    }

    fn blank(&mut self) {
        while self.peek().is_some_and(|byte| byte <= b' ') {
            if !matches!(self.bytes[self.at], b' ' | b'\t' | b'\n' | b'\r') {
                return;
            }
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.next()? == byte).then_some(())
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
}

/// The length of the escape that a text begins with.
fn escape_length(text: &[u8]) -> Option<usize> {
    match text.get(1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => {
            let digits = text.get(2..6)?;
            digits.iter().all(u8::is_ascii_hexdigit).then_some(6)
        }
        _ => None,
    }
}

fn closing(is_object: bool) -> u8 {
    if is_object { b'}' } else { b']' }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde_json::Value;
    use serde_json::value::RawValue;

    use super::super::scan::FrameScan;
    use super::*;

    /// The members, in order.
    fn read(text: &str, depth: usize) -> Option<Vec<(&str, &str)>> {
        let mut all = Vec::new();
        members(text, depth, |key, value| {
            all.push((key, value));
            Some(())
        })?;
        Some(all)
    }

    /// The members as serde parses them.
    fn trusted(text: &str) -> Option<BTreeMap<String, Box<RawValue>>> {
        text.trim_ascii_start()
            .starts_with('{')
            .then(|| serde_json::from_str(text).ok())?
    }

    /// The same with so many blanks behind it that it is a long text.
    fn padded(text: &str) -> String {
        format!("{text}{}", " ".repeat(LONG_BYTES))
    }

    #[test]
    fn strings_of_long_texts_are_parsed_like_those_of_short_ones() {
        for (text, is_taken) in [
            ("{\"a\":\"b\\\"c\\n\",\"d\":\"\"}", true),
            ("{\"a\":\"b\nc\"}", false),
            ("{\"a\":\"b\\xc\"}", false),
            ("{\"a\":\"b", false),
            ("{\n\"a\":\"b\"}", true),
        ] {
            let long = padded(text);
            assert_eq!(read(&long, 10).is_some(), is_taken, "{text}");
            assert_eq!(read(&long, 10), read(text, 10), "{text}");
        }
    }

    /// Nothing is taken that serde does not take or that is too deep, and the members are the same.
    fn compare(text: &str) -> Result<(), TestCaseError> {
        let deepest = FrameScan::of(text.as_bytes()).deepest();
        let long = padded(text);
        prop_assert_eq!(read(text, 100), read(&long, 100));
        let Some(all) = read(text, 100) else {
            return Ok(());
        };
        prop_assert!(deepest <= 100, "{text}");
        let Some(trusted) = trusted(text) else {
            return Err(TestCaseError::fail(format!("taken: {text}")));
        };
        for (key, value) in &all {
            prop_assert!(trusted.contains_key(*key), "{key} in {text}");
            prop_assert!(serde_json::from_str::<&RawValue>(value).is_ok(), "{value}");
        }
        let last: BTreeMap<String, &str> = all.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect();
        let trusted = trusted
            .iter()
            .map(|(key, value)| (key.clone(), value.get()));
        prop_assert_eq!(last, trusted.collect::<BTreeMap<_, _>>());
        Ok(())
    }

    #[test]
    fn members_come_in_order_as_they_are_written() {
        let text = " {\"a\" : -0.5e+10 ,\"b\":[ ],\"c\":{\"\\u00e9\\n\":[{},true,null]}, \"d\":\"x\\\"}\" }\t";
        let want = [
            ("a", "-0.5e+10"),
            ("b", "[ ]"),
            ("c", "{\"\\u00e9\\n\":[{},true,null]}"),
            ("d", "\"x\\\"}\""),
        ];
        assert_eq!(read(text, 10), Some(want.to_vec()));
        assert_eq!(read("{}", 1), Some(Vec::new()));
    }

    #[test]
    fn invalid_text_is_not_taken() {
        let odd = [
            "",
            "[]",
            "{",
            "{}}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{,}",
            "{a:1}",
            "{\"a\":01}",
            "{\"a\":1.}",
            "{\"a\":.1}",
            "{\"a\":+1}",
            "{\"a\":-}",
            "{\"a\":1e}",
            "{\"a\":tru}",
            "{\"a\":[1,]}",
            "{\"a\":[1 2]}",
            "{\"a\":{1:2}}",
            "{\"a\":[}",
            "{\"a\":{]}",
            "{\"a\":\"\\x\"}",
            "{\"a\":\"\\u12g4\"}",
            "{\"a\":\"\\u123\"}",
            "{\"a\":\"\n\"}",
            "{\"a\":\"12345678\u{1}\"}",
            "{\"a\":\"",
            "{\"a\":\"\\",
            "{\"a\":NaN}",
            "{\"\\u0061\":1}",
            "{\"a\":1}x",
        ];
        for text in odd {
            assert_eq!(read(text, 10), None, "{text}");
        }
    }

    #[test]
    fn depth_is_counted_as_elsewhere() {
        for depth in 1..140 {
            let inner = depth - 1;
            let text = format!("{{\"a\":{}1{}}}", "[".repeat(inner), "]".repeat(inner));
            assert_eq!(FrameScan::of(text.as_bytes()).deepest(), depth);
            assert_eq!(read(&text, depth).is_some(), inner <= MAX_DEPTH, "{depth}");
            assert_eq!(read(&text, depth - 1), None, "{depth}");
        }
        assert_eq!(read("{}", 0), None);
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,20}|[\"\\\\\n{}\\[\\],:\u{0}]{0,9}|[a\"\\\\\u{1}é]{30,80}"
                .prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-c\"\\\\ü]{0,3}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn valid_objects_are_taken_with_the_same_members(
            values in prop::collection::btree_map("[a-dü ]{0,4}", values(), 0..4),
            is_pretty in any::<bool>(),
        ) {
            let value = Value::Object(values.into_iter().collect());
            let text = if is_pretty { format!("{value:#}") } else { value.to_string() };
            prop_assert!(read(&text, 100).is_some(), "{text}");
            compare(&text)?;
        }

        #[test]
        fn broken_objects_are_not_taken(
            values in prop::collection::btree_map("[a-d]{0,4}", values(), 0..4),
            at in any::<prop::sample::Index>(),
            new in "[\\[\\]{}\",:a0u\\\\. eE+-]{0,2}",
            cut in 0..3_usize,
        ) {
            let mut text = Value::Object(values.into_iter().collect()).to_string();
            let start = text.floor_char_boundary(at.index(text.len()));
            let end = text.ceil_char_boundary((start + cut).min(text.len()));
            text.replace_range(start..end, &new);
            compare(&text)?;
        }
    }
}
