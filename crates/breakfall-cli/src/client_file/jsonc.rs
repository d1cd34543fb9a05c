//! JSON with comments and trailing commas, as clients read their files: a tree that knows the place of each value, so that a
//! file can be edited without being written anew.

use std::ops::Range;

use serde::de::IgnoredAny;

use crate::args::MAX_JSON_DEPTH;

/// A value and its place in the text.
#[derive(Debug)]
pub(crate) struct JsonNode {
    pub(crate) span: Range<usize>,
    pub(crate) value: JsonValue,
}

#[derive(Debug)]
pub(crate) enum JsonValue {
    Object(Vec<JsonMember>),
    Array(Vec<JsonNode>),
    Text(String),
    /// A number, a boolean or null.
    Other,
}

#[derive(Debug)]
pub(crate) struct JsonMember {
    pub(crate) key: String,
    /// The place of the key, quotes included.
    pub(crate) key_span: Range<usize>,
    pub(crate) value: JsonNode,
}

impl JsonNode {
    /// The members of an object; nothing for other values.
    pub(crate) fn members(&self) -> &[JsonMember] {
        match &self.value {
            JsonValue::Object(members) => members,
            JsonValue::Array(_) | JsonValue::Text(_) | JsonValue::Other => &[],
        }
    }

    /// The member of an object; of two with the same key the last one, as parsers have it.
    pub(crate) fn member(&self, key: &str) -> Option<&JsonMember> {
        self.members().iter().rfind(|member| member.key == key)
    }

    /// The value of a member.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        self.member(key).map(|member| &member.value)
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            JsonValue::Text(text) => Some(text),
            JsonValue::Object(_) | JsonValue::Array(_) | JsonValue::Other => None,
        }
    }

    /// The items of an array.
    pub(crate) fn items(&self) -> Option<&[Self]> {
        match &self.value {
            JsonValue::Array(items) => Some(items),
            JsonValue::Object(_) | JsonValue::Text(_) | JsonValue::Other => None,
        }
    }
}

/// Why a text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JsonError {
    /// The byte at which it stops to be JSON.
    pub(crate) at: usize,
    pub(crate) message: &'static str,
}

/// Parses a text that is one value.
///
/// # Errors
/// When it is not.
pub(crate) fn parse(text: &str) -> Result<JsonNode, JsonError> {
    let mut parser = JsonParser { text, at: 0 };
    if text.starts_with(BYTE_ORDER_MARK) {
        parser.at = BYTE_ORDER_MARK.len_utf8();
    }
    let value = parser.value(MAX_JSON_DEPTH)?;
    parser.skip_space()?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.error("expected the end of the file here")),
    }
}

struct JsonParser<'a> {
    text: &'a str,
    at: usize,
}

impl JsonParser<'_> {
    fn value(&mut self, depth: usize) -> Result<JsonNode, JsonError> {
        self.skip_space()?;
        let start = self.at;
        let value = match self.peek() {
            None => return Err(self.error("expected a value, and the file ends here")),
            Some(b'{' | b'[') if depth == 0 => {
                return Err(self.error("too many lists and objects inside each other"));
            }
            Some(b'{') => self.object(depth - 1)?,
            Some(b'[') => self.array(depth - 1)?,
            Some(b'"') => JsonValue::Text(self.string()?),
            Some(_) => self.scalar()?,
        };
        Ok(JsonNode {
            span: start..self.at,
            value,
        })
    }

    fn object(&mut self, depth: usize) -> Result<JsonValue, JsonError> {
        let mut members = Vec::new();
        self.at += 1;
        while !self.closed(b'}')? {
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a key in quotes, or '}'"));
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = start..self.at;
            self.skip_space()?;
            if self.peek() != Some(b':') {
                return Err(self.error("expected ':' after the key"));
            }
            self.at += 1;
            let value = self.value(depth)?;
            members.push(JsonMember {
                key,
                key_span,
                value,
            });
            self.separator(b'}', "expected ',' or '}' here")?;
        }
        Ok(JsonValue::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<JsonValue, JsonError> {
        let mut items = Vec::new();
        self.at += 1;
        while !self.closed(b']')? {
            items.push(self.value(depth)?);
            self.separator(b']', "expected ',' or ']' here")?;
        }
        Ok(JsonValue::Array(items))
    }

    /// Whether the list or object ends here; then the bracket is consumed.
    fn closed(&mut self, bracket: u8) -> Result<bool, JsonError> {
        self.skip_space()?;
        let is_closed = self.peek() == Some(bracket);
        self.at += usize::from(is_closed);
        Ok(is_closed)
    }

    /// A comma, unless the bracket follows.
    fn separator(&mut self, bracket: u8, message: &'static str) -> Result<(), JsonError> {
        self.skip_space()?;
        match self.peek() {
            Some(b',') => self.at += 1,
            Some(next) if next == bracket => {}
            Some(_) | None => return Err(self.error(message)),
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, JsonError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start + 1;
        loop {
            match bytes.get(end) {
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(b'\n') | None => return Err(self.error("this text has no closing quote")),
                Some(_) => end += 1,
            }
        }
        end += 1;
        let text = serde_json::from_str(&self.text[start..end]);
        let text = text.map_err(|_| {
            self.error("this text has an escape that is not one of JSON, or a control character")
        })?;
        self.at = end;
        Ok(text)
    }

    fn scalar(&mut self) -> Result<JsonValue, JsonError> {
        let rest = &self.text[self.at..];
        let is_end = |c: char| c.is_ascii_whitespace() || ",]}[{:\"/".contains(c);
        let end = rest.find(is_end).unwrap_or(rest.len());
        if serde_json::from_str::<IgnoredAny>(&rest[..end]).is_err() {
            return Err(self.error("expected a value here"));
        }
        self.at += end;
        Ok(JsonValue::Other)
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) -> Result<(), JsonError> {
        loop {
            let rest = &self.text[self.at..];
            let blank = rest.len() - rest.trim_ascii_start().len();
            let rest = &rest[blank..];
            self.at += blank;
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let end = rest.find("*/");
                let end = end.ok_or_else(|| self.error("this comment is not closed"))?;
                self.at += end + 2;
            } else {
                return Ok(());
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, message: &'static str) -> JsonError {
        JsonError {
            at: self.at,
            message,
        }
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_trailing_commas_are_skipped_and_places_are_exact() {
        let text =
            "\u{feff}{ // one\n  \"a\\n\": [1, \"x\", ], /* two */\n  \"b\": {\"c\": null,},\n}\n";
        let root = parse(text).expect("it is JSON with comments");
        let items = root
            .get("a\n")
            .and_then(JsonNode::items)
            .unwrap_or_default();
        assert_eq!(items.len(), 2);
        assert_eq!(&text[items[1].span.clone()], "\"x\"");
        assert_eq!(items[1].text(), Some("x"));
        let b = root.member("b").expect("it is there");
        assert_eq!(&text[b.key_span.clone()], "\"b\"");
        assert_eq!(&text[b.value.span.clone()], "{\"c\": null,}");
    }

    #[test]
    fn the_last_of_two_members_counts() {
        let root = parse(r#"{"a":"1","a":"2"}"#).expect("parsers take it");
        assert_eq!(root.get("a").and_then(JsonNode::text), Some("2"));
    }

    #[test]
    fn an_error_has_its_place() {
        let deep = "[".repeat(MAX_JSON_DEPTH + 1);
        #[rustfmt::skip]
        let cases = [
            ("", 0, "expected a value, and the file ends here"),
            ("{} x", 3, "expected the end of the file here"),
            ("{\"a\" 1}", 5, "expected ':' after the key"),
            ("{\"a\": 1 \"b\"}", 8, "expected ',' or '}' here"),
            ("{a: 1}", 1, "expected a key in quotes, or '}'"),
            ("[1 2]", 3, "expected ',' or ']' here"),
            ("[tru]", 1, "expected a value here"),
            ("[01]", 1, "expected a value here"),
            ("[\"a\n\"]", 1, "this text has no closing quote"),
            ("[\"\\q\"]", 1, "this text has an escape that is not one of JSON, or a control character"),
            ("[\"\\", 1, "this text has no closing quote"),
            ("[ /* ", 2, "this comment is not closed"),
            ("[,]", 1, "expected a value here"),
            (&deep, MAX_JSON_DEPTH, "too many lists and objects inside each other"),
        ];
        for (text, at, message) in cases {
            assert_eq!(parse(text).err(), Some(JsonError { at, message }), "{text}");
        }
    }
}
