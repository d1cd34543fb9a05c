//! What all decoders share: errors that say where, and taking a JSON object apart without panicking.

use std::fmt;

use serde_json::{Map, Value};

/// Why a value is not a document of a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    place: String,
    problem: String,
}

impl DecodeError {
    pub(crate) fn at(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            problem: problem.into(),
        }
    }

    /// Where: a JSON pointer into the document, or a line and column, or a byte offset.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// What is wrong, and what was expected.
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() {
            "the whole document"
        } else {
            &self.place
        };
        write!(f, "{place}: {}", self.problem)
    }
}

impl std::error::Error for DecodeError {}

/// Parses JSON, telling encoding errors from syntax errors.
///
/// # Errors
/// When the bytes are not UTF-8, not JSON, or nested deeper than 127 levels.
pub fn parse(bytes: &[u8]) -> Result<Value, DecodeError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let place = format!("byte {}", error.valid_up_to());
        DecodeError::at(place, "not UTF-8; send the document as UTF-8 text")
    })?;
    serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let full = error.to_string();
        let what = full
            .rsplit_once(" at line ")
            .map_or(full.as_str(), |(what, _)| what);
        DecodeError::at(
            place,
            match what {
                "recursion limit exceeded" => "nested deeper than 127 levels".to_owned(),
                what => format!("not JSON: {what}"),
            },
        )
    })
}

/// An object while it is decoded, with its place in the document.
pub(crate) struct ObjectReader {
    pub(crate) map: Map<String, Value>,
    place: String,
}

impl ObjectReader {
    pub(crate) fn new(value: Value, place: impl Into<String>) -> Result<Self, DecodeError> {
        let place = place.into();
        let Value::Object(map) = value else {
            let problem = format!("expected an object, found {}", kind(&value));
            return Err(DecodeError::at(place, problem));
        };
        Ok(Self { map, place })
    }

    pub(crate) fn place(&self, key: &str) -> String {
        format!("{}/{key}", self.place)
    }

    /// A key that must be there.
    pub(crate) fn need(&mut self, key: &str) -> Result<Value, DecodeError> {
        let value = self.map.remove(key);
        value.ok_or_else(|| DecodeError::at(self.place(key), "missing"))
    }

    /// A string that must be there.
    pub(crate) fn need_text(&mut self, key: &str) -> Result<String, DecodeError> {
        let value = self.need(key)?;
        let Value::String(text) = value else {
            return Err(self.wrong(key, "a string", &value));
        };
        Ok(text)
    }

    /// A sentence that must be there and may be empty, which is the same as none.
    pub(crate) fn need_words(&mut self, key: &str) -> Result<Option<Box<str>>, DecodeError> {
        let words = self.need_text(key)?;
        Ok((!words.is_empty()).then(|| words.into()))
    }

    /// An object that must be there.
    pub(crate) fn need_object(&mut self, key: &str) -> Result<Self, DecodeError> {
        let place = self.place(key);
        Self::new(self.need(key)?, place)
    }

    /// A string that may be missing (or null) but not something else.
    pub(crate) fn text(&mut self, key: &str) -> Result<Option<String>, DecodeError> {
        match self.map.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(key, "a string", &other)),
        }
    }

    /// A text that may be missing and counts as missing when it is empty.
    pub(crate) fn words(&mut self, key: &str) -> Result<Option<Box<str>>, DecodeError> {
        let text = self.text(key)?.filter(|text| !text.is_empty());
        Ok(text.map(Into::into))
    }

    /// An object that may be missing (or null) but not something else.
    pub(crate) fn object(&mut self, key: &str) -> Result<Option<Self>, DecodeError> {
        match self.map.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => Self::new(value, self.place(key)).map(Some),
        }
    }

    /// A list that may be missing (or null) but not something else.
    pub(crate) fn list(&mut self, key: &str) -> Result<Vec<Value>, DecodeError> {
        match self.map.remove(key) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => Ok(items),
            Some(other) => Err(self.wrong(key, "a list", &other)),
        }
    }

    /// A boolean that may be missing (or null) but not something else.
    pub(crate) fn flag(&mut self, key: &str) -> Result<Option<bool>, DecodeError> {
        match self.map.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(self.wrong(key, "true or false", &other)),
        }
    }

    pub(crate) fn wrong(&self, key: &str, expected: &str, found: &Value) -> DecodeError {
        DecodeError::at(
            self.place(key),
            format!("expected {expected}, found {}", kind(found)),
        )
    }
}

pub(crate) const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
