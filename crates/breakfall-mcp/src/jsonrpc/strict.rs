//! The members of a JSON object in one pass, for text that is what it should be.
//!
//! Most messages are, so most are read here: strictly, without recursion, and without a word about what is wrong. What is
//! not taken is looked at once more by a parser that has words for it, or finds nothing wrong.

use super::repeats::Repeats;
use super::special::{self, BLOCK};

/// Hands out each member of an object and its value as it is written, and says whether an object in one of the values may
/// have a key twice. Nothing if the text is no such object, nests deeper than allowed, has a key at the top with an escape in
/// it, or if whoever gets the members does not want one.
pub(super) fn members<'a>(
    text: &'a str,
    depth: usize,
    mut member: impl FnMut(&'a str, &'a str) -> Option<()>,
) -> Option<Repeats> {
    let mut walk = Walk {
        bytes: text.as_bytes(),
        at: 0,
        repeats: Repeats::default(),
    };
    let inside = depth.checked_sub(1)?.min(DEEPEST);
    walk.blank();
    walk.take(b'{')?;
    walk.blank();
    if walk.peek()? == b'}' {
        walk.at += 1;
    } else {
        loop {
            let key = walk.at + 1;
            walk.plain_string()?;
            let key = &text[key..walk.at - 1];
            walk.colon()?;
            let start = walk.at;
            walk.value(inside)?;
            member(key, &text[start..walk.at])?;
            walk.blank();
            match walk.next()? {
                b',' => walk.blank(),
                b'}' => break,
                _ => return None,
            }
        }
    }
    walk.blank();
    (walk.at == text.len()).then_some(walk.repeats)
}

/// How many lists and objects may be open at once, one bit for each.
const DEEPEST: usize = 128;

/// A place in a text.
struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    repeats: Repeats,
}

impl Walk<'_> {
    /// Goes past a value that opens at most so many lists and objects one inside the other.
    fn value(&mut self, most: usize) -> Option<()> {
        // The innermost in the lowest bit: whether it is an object.
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
                    self.repeats.open(level);
                    self.at += 1;
                    self.blank();
                    if self.peek()? == closing(is_object) {
                        // Closed below, like any other.
                    } else {
                        if is_object {
                            self.key(level)?;
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
                            self.key(level)?;
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

    /// Goes past a key of an object at some level, and its colon.
    fn key(&mut self, level: usize) -> Option<()> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.at + 1;
        let has_escapes = self.string()?;
        let key = &self.bytes[start..self.at - 1];
        self.repeats.add(level, key, has_escapes);
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
        self.take(b'"')?;
        let end = special::first(self.bytes, self.at)?;
        self.at = end + 1;
        (self.bytes[end] == b'"').then_some(())
    }

    /// Goes past a string, from its quote: by whole blocks, then what is left of the text. True if it has escapes.
    fn string(&mut self) -> Option<bool> {
        let mut at = self.at + 1;
        let mut has_escapes = false;
        while let Some(block) = self.bytes.get(at..)?.first_chunk() {
            let mut found = special::all(block);
            let mut next = BLOCK;
            while found != 0 {
                let place = found.trailing_zeros() as usize;
                if block[place] == b'"' {
                    self.at = at + place + 1;
                    return Some(has_escapes);
                }
                has_escapes = true;
                next = place + self.escape(at + place)?;
                if next >= BLOCK {
                    break;
                }
                // What an escape consists of means nothing more.
                found &= u32::MAX << next;
                next = BLOCK;
            }
            at += next;
        }
        loop {
            at = special::first(self.bytes, at)?;
            if self.bytes[at] == b'"' {
                self.at = at + 1;
                return Some(has_escapes);
            }
            has_escapes = true;
            at += self.escape(at)?;
        }
    }

    /// The length of an escape; nothing if there is none here.
    fn escape(&self, at: usize) -> Option<usize> {
        if self.bytes[at] != b'\\' {
            return None;
        }
        match self.bytes.get(at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
            b'u' => {
                let digits = self.bytes.get(at + 2..at + 6)?;
                digits.iter().all(u8::is_ascii_hexdigit).then_some(6)
            }
            _ => None,
        }
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
        // Hardly anybody writes any.
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
    use super::super::twice::named_twice;
    use super::*;

    /// What is read here, in order.
    fn read(text: &str, depth: usize) -> Option<Vec<(&str, &str)>> {
        let mut all = Vec::new();
        members(text, depth, |key, value| {
            all.push((key, value));
            Some(())
        })?;
        Some(all)
    }

    /// What a parser everybody trusts makes of it.
    fn trusted(text: &str) -> Option<BTreeMap<String, Box<RawValue>>> {
        text.trim_ascii_start()
            .starts_with('{')
            .then(|| serde_json::from_str(text).ok())?
    }

    /// It takes nothing a trusted parser does not take, nothing too deep, and sees the same in it.
    fn compare(text: &str) -> Result<(), TestCaseError> {
        let deepest = FrameScan::of(text.as_bytes()).deepest();
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
    fn what_is_odd_is_left_to_others() {
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
            assert_eq!(read(&text, depth).is_some(), inner <= DEEPEST, "{depth}");
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
        fn what_is_written_well_is_taken_and_seen_as_it_is(
            values in prop::collection::btree_map("[a-dü ]{0,4}", values(), 0..4),
            is_pretty in any::<bool>(),
        ) {
            let value = Value::Object(values.into_iter().collect());
            let text = if is_pretty { format!("{value:#}") } else { value.to_string() };
            prop_assert!(read(&text, 100).is_some(), "{text}");
            compare(&text)?;
        }

        #[test]
        fn what_is_broken_is_not_taken(
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

        #[test]
        fn what_is_named_twice_is_noticed(keys in prop::collection::vec((0..4_usize, "[ab]{0,2}|\\\\u0061"), 0..6)) {
            // Each key opens as many objects before its own, all of which stay open.
            let mut text = String::from("{\"params\":{");
            let mut open = 2;
            for (deeper, key) in keys {
                for _ in 0..deeper {
                    text.push_str("\"c\":{");
                    open += 1;
                }
                text.extend(["\"", &key, "\":1,"]);
            }
            text.push_str("\"d\":1");
            text.push_str(&"}".repeat(open));
            let repeats = members(&text, 100, |_, _| Some(())).expect(&text);
            prop_assert!(repeats.are_likely() || named_twice(&text).is_none(), "{}", text);
        }
    }
}
