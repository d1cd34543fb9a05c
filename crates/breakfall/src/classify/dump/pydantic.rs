//! pydantic, both versions: `2 validation errors for Model`, then a place and a complaint for each.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

use super::{MOST, at_path, cut, last_number, quoted};
use crate::classify::rule::Row;
use crate::fault::Confidence;
use crate::violation::Violation;

pub(super) static ROW: Row = Row {
    id: "dump.pydantic",
    about: "What pydantic prints, as text or JSON: every complaint becomes a violation.",
    code: None,
    confidence: Confidence::Structural,
    phrases: &[],
    examples: &[
        "1 validation error for call[divide]\nb\n  Missing required argument [type=missing_argument, input_value={'a': 1}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing_argument",
        "Error executing tool add: 2 validation errors for addArguments\na\n  Field required [type=missing, input_value={}, input_type=dict]\nb.0\n  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='x', input_type=str]",
        "1 validation error for Model\nage\n  ensure this value is greater than 42 (type=value_error.number.not_gt; limit_value=42)",
        r#"[{"type":"missing","loc":["b"],"msg":"Field required","input":{"a":1},"url":"https://errors.pydantic.dev/2.11/v/missing"}]"#,
    ],
    counter_examples: &[
        "2 validation errors for the record",
        "no validation error for x",
    ],
};

/// Reads the printed form.
pub(super) fn from_text(text: &str) -> Option<Vec<Violation>> {
    let mut place: Option<&str> = None;
    let mut found = Vec::new();
    for line in after_header(text)?.lines().take(MOST_LINES) {
        let words = line.trim();
        let indent = line.len() - line.trim_start().len();
        if words.is_empty() || (indent > 2 && words.starts_with("For further information visit")) {
            continue;
        }
        if indent == 0 {
            place = Some(words);
        } else if let Some(complaint) = Complaint::of(words) {
            // A complaint about the whole has no place in front.
            let at = place.take().map_or_else(|| Violation::at(""), place_of);
            found.push(complaint.violation(at));
            if found.len() == MOST {
                break;
            }
        }
    }
    Some(found)
}

/// Longer dumps are cut.
const MOST_LINES: usize = 2000;

/// What follows the line `N validation error(s) for X`.
fn after_header(text: &str) -> Option<&str> {
    static MARK: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(" validation error"));
    let near = &text[..text.floor_char_boundary(4096)];
    for at in MARK.find_iter(near.as_bytes()) {
        let counted = near[..at].ends_with(|c: char| c.is_ascii_digit());
        let rest = &text[at + MARK.needle().len()..];
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        if let Some(rest) = rest.strip_prefix(" for ").filter(|_| counted) {
            return Some(rest.split_once('\n')?.1);
        }
    }
    None
}

/// The second version joins a place with dots, the first with arrows.
fn place_of(place: &str) -> Violation {
    let place = cut(place);
    let place = if place == "__root__" { "" } else { place };
    if place.contains(" -> ") {
        at_path(place.split(" -> ").map(Cow::Borrowed))
    } else {
        Violation::of_field(place)
    }
}

struct Complaint<'a> {
    words: &'a str,
    kind: &'a str,
    /// `limit_value` of the first version.
    limit: Option<&'a str>,
    /// The Python type of what came.
    input: Option<&'a str>,
}

impl<'a> Complaint<'a> {
    fn of(line: &'a str) -> Option<Self> {
        // `words [type=…, input_value=…, input_type=…]`, where the value may hold anything.
        if let Some((words, rest)) = line.split_once(" [type=") {
            let kind = rest.split([',', ']']).next().unwrap_or_default();
            let input = rest.rsplit_once("input_type=").map(|(_, last)| last);
            return Some(Self {
                words,
                kind,
                limit: None,
                input: input.map(|name| name.trim_end_matches(']')),
            });
        }
        // `words (type=…; limit_value=…)`
        let (words, rest) = line.split_once(" (type=")?;
        let mut parts = rest.trim_end_matches(')').split("; ");
        let kind = parts.next().unwrap_or_default();
        let limit = parts.find_map(|part| part.strip_prefix("limit_value="));
        Some(Self {
            words,
            kind,
            limit,
            input: None,
        })
    }

    fn violation(&self, at: Violation) -> Violation {
        let keyword = keyword(self.kind);
        let mut violation = at.keyword(keyword.to_owned()).message(cut(self.words));
        let expected = match keyword {
            "type" => type_of(self.kind).map(Value::from),
            "enum" => Some(quoted(self.words, '\''))
                .filter(|all| !all.is_empty())
                .map(Value::from),
            "required" | "additionalProperties" => None,
            _ => self.limit.map_or_else(
                || is_bound(keyword).then(|| last_number(self.words)).flatten(),
                last_number,
            ),
        };
        if let Some(expected) = expected {
            violation = violation.expected(expected);
        }
        // Where something is missing or too much, what came is its surroundings.
        let about_itself = !matches!(keyword, "required" | "additionalProperties");
        match self.input.and_then(json_type).filter(|_| about_itself) {
            Some(got) => violation.got(got),
            None => violation,
        }
    }
}

/// Reads a list of `{type, loc, msg}`. `input` and `url` are left out.
pub(super) fn from_json(value: &Value) -> Option<Vec<Violation>> {
    let list = value.as_array().filter(|list| !list.is_empty())?;
    list.iter().take(MOST).map(item).collect()
}

fn item(item: &Value) -> Option<Violation> {
    let text = |key: &str| item.get(key).and_then(Value::as_str);
    let place = item.get("loc")?.as_array()?;
    let complaint = Complaint {
        words: text("msg")?,
        kind: text("type")?,
        limit: None,
        input: None,
    };
    Some(complaint.violation(at_path(place.iter().take(64).map(super::step))))
}

/// The keyword of JSON Schema a kind of complaint stands for; its own name where there is none.
fn keyword(kind: &str) -> &str {
    let bare = ["value_error.", "type_error."]
        .iter()
        .find_map(|family| kind.strip_prefix(family))
        .unwrap_or(kind);
    let known = KEYWORDS.binary_search_by_key(&bare, |(name, _)| name);
    let is_type =
        || kind.starts_with("type_error") || bare.ends_with("_type") || bare.ends_with("_parsing");
    let is_format = || {
        let formats = ["url", "uuid", "date", "time", "email", "json", "ip_"];
        formats.iter().any(|format| bare.starts_with(format))
    };
    match known {
        Ok(at) => KEYWORDS[at].1,
        Err(_) if is_format() => "format",
        Err(_) if is_type() => "type",
        Err(_) => kind,
    }
}

/// Sorted by kind.
const KEYWORDS: &[(&str, &str)] = &[
    ("any_str.max_length", "maxLength"),
    ("any_str.min_length", "minLength"),
    ("const", "enum"),
    ("date_type", "type"),
    ("datetime_type", "type"),
    ("enum", "enum"),
    ("extra", "additionalProperties"),
    ("extra_forbidden", "additionalProperties"),
    ("greater_than", "exclusiveMinimum"),
    ("greater_than_equal", "minimum"),
    ("int_from_float", "type"),
    ("json_type", "type"),
    ("less_than", "exclusiveMaximum"),
    ("less_than_equal", "maximum"),
    ("list.max_items", "maxItems"),
    ("list.min_items", "minItems"),
    ("literal_error", "enum"),
    ("missing", "required"),
    ("missing_argument", "required"),
    ("missing_keyword_only_argument", "required"),
    ("missing_positional_only_argument", "required"),
    ("multiple_of", "multipleOf"),
    ("number.not_ge", "minimum"),
    ("number.not_gt", "exclusiveMinimum"),
    ("number.not_le", "maximum"),
    ("number.not_lt", "exclusiveMaximum"),
    ("number.not_multiple", "multipleOf"),
    ("str.regex", "pattern"),
    ("string_pattern_mismatch", "pattern"),
    ("string_too_long", "maxLength"),
    ("string_too_short", "minLength"),
    ("time_type", "type"),
    ("too_long", "maxItems"),
    ("too_short", "minItems"),
    ("unexpected_keyword_argument", "additionalProperties"),
    ("unexpected_positional_argument", "additionalProperties"),
    ("url_type", "type"),
    ("uuid_type", "type"),
];

fn is_bound(keyword: &str) -> bool {
    keyword.starts_with("min")
        || keyword.starts_with("max")
        || keyword.starts_with("exclusive")
        || keyword == "multipleOf"
}

/// The JSON type a kind of complaint asks for.
fn type_of(kind: &str) -> Option<&'static str> {
    let bare = kind.strip_prefix("type_error.").unwrap_or(kind);
    let known = TYPES.iter().find(|(start, _)| bare.starts_with(start));
    known.map(|(_, name)| *name)
}

const TYPES: &[(&str, &str)] = &[
    ("str", "string"),
    ("bytes", "string"),
    ("date", "string"),
    ("time", "string"),
    ("url", "string"),
    ("uuid", "string"),
    ("int", "integer"),
    ("float", "number"),
    ("decimal", "number"),
    ("number", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("tuple", "array"),
    ("set", "array"),
    ("frozen_set", "array"),
    ("iterable", "array"),
    ("dict", "object"),
    ("model", "object"),
    ("dataclass", "object"),
    ("mapping", "object"),
    ("none_required", "null"),
];

/// The JSON type of a Python type.
fn json_type(name: &str) -> Option<&'static str> {
    Some(match name {
        "str" | "bytes" => "string",
        "int" => "integer",
        "float" | "Decimal" => "number",
        "bool" => "boolean",
        "dict" => "object",
        "list" | "tuple" | "set" | "frozenset" => "array",
        "NoneType" => "null",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted_by_key(|(kind, _)| kind));
    }
}
