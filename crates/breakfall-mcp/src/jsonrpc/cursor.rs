//! A cursor over valid JSON: it validates and copies nothing. The caller decides what to enter and what to skip.

use std::borrow::Cow;

use super::splice;
use super::string_end::string_end;

/// A place in a JSON text.
#[derive(Debug)]
pub struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of a value.
    pub fn new(text: &'a str) -> Self {
        let mut cursor = Self { text, at: 0 };
        cursor.blank();
        cursor
    }

    /// The first byte of the value here.
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The rest of the text.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Goes through an object. `member` gets each key and has to go past its value. `None` if this is not an object.
    pub fn object(&mut self, mut member: impl FnMut(&mut Self, &str) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        if self.peek()? == b'}' {
            return self.take(b'}');
        }
        loop {
            let key = self.string()?;
            let key = plain(key);
            self.take(b':')?;
            member(self, &key)?;
            self.blank();
            match self.peek()? {
                b',' => self.take(b',')?,
                _ => return self.take(b'}'),
            }
        }
    }

    /// Goes through a list. `item` has to go past each item. `None` if this is not a list.
    pub fn list(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        if self.peek()? == b']' {
            return self.take(b']');
        }
        loop {
            item(self)?;
            self.blank();
            match self.peek()? {
                b',' => self.take(b',')?,
                _ => return self.take(b']'),
            }
        }
    }

    /// Skips a value, and gives it as it is written.
    pub fn skip(&mut self) -> Option<&'a str> {
        let start = self.at;
        let mut open = 0_usize;
        loop {
            match self.peek()? {
                b'"' => drop(self.string()?),
                b'{' | b'[' => {
                    open += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    open = open.checked_sub(1)?;
                    self.at += 1;
                }
                _ if open == 0 => self.scalar(),
                _ => self.at += 1,
            }
            if open == 0 {
                let text: &'a str = self.text;
                return (self.at > start).then(|| &text[start..self.at]);
            }
        }
    }

    /// Skips a string.
    fn string(&mut self) -> Option<&'a str> {
        let text: &'a str = self.text;
        let start = self.at;
        if self.peek()? != b'"' {
            return None;
        }
        let end = string_end(text.as_bytes(), start + 1)?;
        self.at = end + 1;
        Some(&text[start..=end])
    }

    /// Skips a number or a word.
    fn scalar(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        self.at += rest.iter().take_while(|byte| is_part(byte)).count();
    }

    /// Skips a byte and the blanks behind it.
    fn take(&mut self, byte: u8) -> Option<()> {
        self.blank();
        if self.peek()? != byte {
            return None;
        }
        self.at += 1;
        self.blank();
        Some(())
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}

/// The text of a key.
fn plain(key: &str) -> Cow<'_, str> {
    splice::text(key).unwrap_or(Cow::Borrowed(""))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::*;

    /// Everything a cursor finds, as a value.
    fn seen(cursor: &mut Cursor<'_>) -> Option<Value> {
        match cursor.peek()? {
            b'{' => {
                let mut map = Map::new();
                cursor.object(|cursor, key| {
                    map.insert(key.to_owned(), seen(cursor)?);
                    Some(())
                })?;
                Some(map.into())
            }
            b'[' => {
                let mut list = Vec::new();
                cursor.list(|cursor| {
                    list.push(seen(cursor)?);
                    Some(())
                })?;
                Some(list.into())
            }
            _ => serde_json::from_str(cursor.skip()?).ok(),
        }
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,8}|[\"\\\\\n{}\\[\\],:]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a\"\\\\ü]{0,3}", inner, 0..4)
                    .prop_map(|map| map.into_iter().collect::<Map<_, _>>().into()),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_cursor_finds_everything_and_skips_it(value in values(), is_pretty in any::<bool>()) {
            let text = if is_pretty { format!(" {value:#} ") } else { value.to_string() };
            prop_assert_eq!(seen(&mut Cursor::new(&text)), Some(value));
            prop_assert_eq!(Cursor::new(&text).skip(), Some(text.trim()));
        }

        #[test]
        fn invalid_json_does_not_panic(text in "[\\[\\]{}\",:a0 \\\\-]{0,12}") {
            let _ = seen(&mut Cursor::new(&text));
            let _ = Cursor::new(&text).skip();
        }
    }
}
