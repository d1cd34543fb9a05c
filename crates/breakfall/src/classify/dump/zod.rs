//! Zod, versions 3 and 4: a list of issues as JSON, the pretty form with `✖` and `→ at`, and the sentences alone.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{MOST, at_path, cut, last_number, quoted};
use crate::classify::rule::RuleRow;
use crate::violation::Violation;

pub(super) static ROW: RuleRow = RuleRow {
    id: "dump.zod",
    about: "What Zod prints, as JSON or text: every issue becomes a violation.",
    examples: &[
        r#"MCP error -32602: Input validation error: Invalid arguments for tool echo: [{"code":"invalid_type","expected":"string","received":"undefined","path":["message"],"message":"Required"}]"#,
        r#"[{"origin":"number","code":"too_big","maximum":100,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=100"}]"#,
        "✖ Invalid input: expected string, received number\n  → at username\n✖ Unrecognized key: \"colour\"",
        "Input validation error: Invalid arguments for tool get-alerts: state: Too big: expected string to have <=2 characters",
        "Input validation error: Invalid arguments for tool add: a: Invalid input: expected number, received string, b: Invalid input: expected number, received undefined",
    ],
    counter_examples: &[
        "[1, 2, 3]",
        r#"[{"code": "x", "message": "y"}]"#,
        "✖ 3 tests failed",
    ],
    ..RuleRow::STRUCTURAL
};

/// Reads a list of issues, or the error object around one.
pub(super) fn from_json(value: &Value) -> Option<Vec<Violation>> {
    let list = value.get("issues").unwrap_or(value).as_array()?;
    if list.is_empty() {
        return None;
    }
    let mut found = Vec::new();
    for item in list.iter().take(MOST) {
        found.extend(ZodIssue::of(item)?.violations());
    }
    found.truncate(MOST);
    Some(found)
}

struct ZodIssue<'a> {
    map: &'a Map<String, Value>,
    code: &'a str,
    path: &'a [Value],
    message: &'a str,
}

impl<'a> ZodIssue<'a> {
    fn of(value: &'a Value) -> Option<Self> {
        let map = value.as_object()?;
        Some(Self {
            map,
            code: map.get("code")?.as_str()?,
            path: map.get("path")?.as_array()?,
            message: map.get("message")?.as_str()?,
        })
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.map.get(key)?.as_str()
    }

    fn violations(&self) -> Vec<Violation> {
        match self.code {
            "unrecognized_keys" => {
                let keys = self.map.get("keys").and_then(Value::as_array);
                let keys = keys.into_iter().flatten().filter_map(Value::as_str);
                let one = |key: &'a str| {
                    self.at(Some(key))
                        .keyword("additionalProperties")
                        .message("Unrecognized key")
                };
                keys.take(MOST).map(one).collect()
            }
            _ => vec![self.violation()],
        }
    }

    /// The place of the issue, or of a key in it.
    fn at(&self, key: Option<&'a str>) -> Violation {
        let path = self.path.iter().take(64).map(super::step);
        at_path(path.chain(key.map(Cow::Borrowed)))
    }

    fn violation(&self) -> Violation {
        let at = self.at(None);
        match self.code {
            "invalid_type" => {
                let received = self.text("received").or_else(|| received_in(self.message));
                typed(at, self.text("expected"), received).message(cut(self.message))
            }
            "invalid_enum_value"
            | "invalid_value"
            | "invalid_literal"
            | "invalid_union_discriminator" => {
                // The message ends with the value that came.
                let words = self.message.split(", received ").next().unwrap_or_default();
                let choices = ["options", "values", "expected"]
                    .iter()
                    .find_map(|key| self.map.get(*key))
                    .filter(|choices| choices.as_array().is_none_or(|all| all.len() <= MOST));
                let at = at.keyword("enum").message(cut(words));
                match choices {
                    Some(choices) => at.expected(choices.clone()),
                    None => at,
                }
            }
            "too_small" | "too_big" => {
                let limit = self.map.get("minimum").or_else(|| self.map.get("maximum"));
                let what = self.text("origin").or_else(|| self.text("type"));
                let at = at
                    .keyword(bound(self.code == "too_small", what.unwrap_or("number")))
                    .message(cut(self.message));
                match limit.filter(|limit| limit.is_number()) {
                    Some(limit) => at.expected(limit.clone()),
                    None => at,
                }
            }
            "invalid_string" | "invalid_format" => {
                let format = self.text("format").or_else(|| self.text("validation"));
                let keyword = match format {
                    Some("regex") => "pattern",
                    _ => "format",
                };
                let at = at.keyword(keyword).message(cut(self.message));
                match format.filter(|_| keyword == "format") {
                    Some(format) => at.expected(format),
                    None => at,
                }
            }
            "not_multiple_of" => at.keyword("multipleOf").message(cut(self.message)),
            "invalid_union" => at.keyword("anyOf").message(cut(self.message)),
            other => at.keyword(cut(other)).message(cut(self.message)),
        }
    }
}

/// A wrong type, or nothing at all.
fn typed(at: Violation, expected: Option<&str>, received: Option<&str>) -> Violation {
    let at = match expected.map(type_name) {
        Some(expected) => at.expected(expected),
        None => at,
    };
    match received.map(type_name) {
        Some("undefined") => at.keyword("required"),
        Some(received) => at.keyword("type").got(received),
        None => at.keyword("type"),
    }
}

fn type_name(name: &str) -> &str {
    match name {
        "int" => "integer",
        "bool" => "boolean",
        "record" | "map" => "object",
        "set" | "tuple" => "array",
        other => cut(other),
    }
}

fn bound(lower: bool, what: &str) -> &'static str {
    match (what, lower) {
        ("string", true) => "minLength",
        ("string", false) => "maxLength",
        ("array" | "set", true) => "minItems",
        ("array" | "set", false) => "maxItems",
        (_, true) => "minimum",
        (_, false) => "maximum",
    }
}

/// Reads the pretty form, or sentences with their paths in a line.
pub(super) fn from_text(text: &str) -> Option<Vec<Violation>> {
    let text = &text[..text.floor_char_boundary(LONGEST_TEXT)];
    if text.trim_start().starts_with('✖') {
        return pretty(text);
    }
    let line = text.lines().next()?;
    // Others begin like that too, so the first sentence has to be one that only Zod writes.
    let first = split_path(line).1;
    if !OPENINGS[..SURE]
        .iter()
        .any(|opening| first.starts_with(opening))
    {
        return None;
    }
    let mut found = Vec::new();
    let mut rest = line;
    while !rest.is_empty() && found.len() < MOST {
        let end = next_issue(rest).unwrap_or(rest.len());
        let (path, words) = split_path(rest[..end].trim_end_matches([',', ';', ' ']));
        found.extend(sentence(path, words)?);
        rest = rest[end..].trim_start();
    }
    Some(found)
}

const LONGEST_TEXT: usize = 16 * 1024;

fn pretty(text: &str) -> Option<Vec<Violation>> {
    let mut found = Vec::new();
    for issue in text.split('✖').skip(1).take(MOST) {
        let mut lines = issue.lines();
        let words = lines.next()?.trim();
        let path = lines
            .next()
            .map(str::trim)
            .and_then(|line| line.strip_prefix("→ at "));
        found.extend(sentence(path.unwrap_or_default(), words)?);
    }
    Some(found)
}

/// Where the next issue begins in a list separated by commas.
fn next_issue(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find(", ").map(|at| from + at) {
        let rest = &text[at + 2..];
        if OPENINGS
            .iter()
            .any(|opening| split_path(rest).1.starts_with(opening))
        {
            return Some(at + 2);
        }
        from = at + 2;
    }
    None
}

/// `a.b.0: words` → the path and the words; a sentence without a path has none.
fn split_path(text: &str) -> (&str, &str) {
    let is_path = |path: &str| {
        !path.is_empty() && path.len() <= 200 && !path.contains([' ', ',']) && path != "Required"
    };
    match text.split_once(": ") {
        Some((path, words)) if is_path(path) => (path, words),
        _ => ("", text),
    }
}

/// How the sentences of Zod begin; only Zod writes the first [`SURE`] of them.
const OPENINGS: &[&str] = &[
    "Invalid input: expected",
    "Invalid option: expected",
    "Too big: expected",
    "Too small: expected",
    "Unrecognized key",
    "Invalid input",
    "Required",
    "Invalid string",
    "Invalid enum value",
    "Expected ",
    "Invalid email",
    "Invalid URL",
    "Invalid url",
    "Invalid UUID",
    "Invalid uuid",
    "Invalid ISO",
];

const SURE: usize = 5;

/// What a sentence of Zod says, if it is one.
fn sentence(path: &str, words: &str) -> Option<Vec<Violation>> {
    if !OPENINGS.iter().any(|opening| words.starts_with(opening)) {
        return None;
    }
    let place = || {
        let plain = path.replace(['[', '"'], ".").replace(']', "");
        let steps = plain.split('.').filter(|step| !step.is_empty());
        at_path(steps.map(|step| Cow::Owned(step.to_owned())))
    };
    let at = || place().message(cut(words));
    if words.starts_with("Unrecognized key") {
        let quote = if words.contains('"') { '"' } else { '\'' };
        let of = |key: &str| {
            let steps = path.split('.').filter(|step| !step.is_empty()).chain([key]);
            at_path(steps.map(Cow::Borrowed))
                .keyword("additionalProperties")
                .message("Unrecognized key")
        };
        return Some(quoted(words, quote).into_iter().map(of).collect());
    }
    let lower = words.starts_with("Too small");
    let one = if words.starts_with("Required") {
        at().keyword("required")
    } else if words.starts_with("Too ") {
        let what = after(words, "expected ").unwrap_or("number");
        let at = at().keyword(bound(lower, what));
        match last_number(words) {
            Some(limit) => at.expected(limit),
            None => at,
        }
    } else if words.starts_with("Invalid option") || words.starts_with("Invalid enum") {
        let words = words.split(", received ").next().unwrap_or_default();
        let quote = if words.contains('"') { '"' } else { '\'' };
        place()
            .message(cut(words))
            .keyword("enum")
            .expected(quoted(words, quote))
    } else if let Some(expected) = after(words, "expected ").or_else(|| after(words, "Expected ")) {
        typed(at(), Some(expected), received_in(words))
    } else if words.starts_with("Invalid input") {
        at().keyword("custom")
    } else if words.starts_with("Invalid string") {
        at().keyword("pattern")
    } else {
        at().keyword("format")
    };
    Some(vec![one])
}

/// The word after a lead.
fn after<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(lead)?;
    rest.split(|c: char| !c.is_alphanumeric())
        .next()
        .filter(|word| !word.is_empty())
}

/// The type at the end of "expected string, received number"; a value is not a type.
fn received_in(message: &str) -> Option<&str> {
    let word = after(message, "received ")?;
    TYPES.contains(&word).then_some(word)
}

#[rustfmt::skip]
const TYPES: &[&str] = &[
    "undefined", "null", "string", "number", "boolean", "array", "object", "bigint", "date", "nan", "NaN",
    "Date", "function", "symbol", "integer", "float", "map", "set", "unknown",
];
