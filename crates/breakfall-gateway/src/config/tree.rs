//! A file as a tree in which every value knows its place.

use std::ops::Range;

/// A value and its place.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) value: Value,
}

/// A value, as written.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// Digits as they stand: `1.10` is no `1.1` where a text is wanted.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// A key and its place.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

impl Node {
    pub(super) fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// What it is, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        }
    }

    /// The value of a key.
    pub(super) fn entry(&self, key: &str) -> Option<&Self> {
        let Value::Map(entries) = &self.value else {
            return None;
        };
        let found = entries.iter().find(|(other, _)| other.text == key);
        found.map(|(_, node)| node)
    }

    /// How many values it is.
    pub(super) fn count(&self) -> usize {
        match &self.value {
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => 1,
            Value::List(items) => 1 + items.iter().map(Self::count).sum::<usize>(),
            Value::Map(entries) => 1 + entries.iter().map(|(_, node)| node.count()).sum::<usize>(),
        }
    }
}

/// What a text without quotes stands for (the core schema of YAML 1.2: `yes` and `on` are texts).
pub(super) fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_number(text) => Value::Number(text.to_owned()),
        _ => Value::Text(text.to_owned()),
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.contains(|c: char| c.is_ascii_digit())
        && digits
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '-' | '+'))
        && digits.parse::<f64>().is_ok()
}
