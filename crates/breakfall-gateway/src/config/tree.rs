//! A file as a tree of values with their positions.

use std::ops::Range;

/// A value and its place.
#[derive(Debug, Clone)]
pub(super) struct YamlNode {
    pub(super) span: Range<usize>,
    pub(super) value: YamlValue,
}

/// A value, as written.
#[derive(Debug, Clone)]
pub(super) enum YamlValue {
    Null,
    Bool(bool),
    /// Digits as they stand: `1.10` differs from `1.1` where a text is wanted.
    Number(String),
    Text(String),
    List(Vec<YamlNode>),
    Map(Vec<(YamlKey, YamlNode)>),
}

/// A key and its place.
#[derive(Debug, Clone)]
pub(super) struct YamlKey {
    pub(super) text: String,
    pub(super) span: Range<usize>,
    /// Where the next thing after its value starts: everything before belongs to the value.
    pub(super) until: usize,
}

impl YamlNode {
    pub(super) fn is_null(&self) -> bool {
        matches!(self.value, YamlValue::Null)
    }

    /// Whether no value, or an empty text, is given.
    pub(super) fn is_empty(&self) -> bool {
        self.is_null() || matches!(&self.value, YamlValue::Text(text) if text.is_empty())
    }

    /// The kind of value, in a word.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            YamlValue::Null => "nothing",
            YamlValue::Bool(_) => "a boolean",
            YamlValue::Number(_) => "a number",
            YamlValue::Text(_) => "a text",
            YamlValue::List(_) => "a list",
            YamlValue::Map(_) => "a map",
        }
    }

    /// The number of values in it.
    pub(super) fn count(&self) -> usize {
        match &self.value {
            YamlValue::Null | YamlValue::Bool(_) | YamlValue::Number(_) | YamlValue::Text(_) => 1,
            YamlValue::List(items) => 1 + items.iter().map(Self::count).sum::<usize>(),
            YamlValue::Map(entries) => {
                1 + entries.iter().map(|(_, node)| node.count()).sum::<usize>()
            }
        }
    }
}

/// The value of a text without quotes (the core schema of YAML 1.2: `yes` and `on` are texts).
pub(super) fn plain(text: &str) -> YamlValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => YamlValue::Null,
        "true" | "True" | "TRUE" => YamlValue::Bool(true),
        "false" | "False" | "FALSE" => YamlValue::Bool(false),
        _ if is_number(text) => YamlValue::Number(text.to_owned()),
        _ => YamlValue::Text(text.to_owned()),
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
