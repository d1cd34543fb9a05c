//! pydantic, both versions: `2 validation errors for Model`, then a place and a complaint for each.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::Value;

use super::{MOST, at_path, cut, last_number, quoted};
use crate::classify::rule::RuleRow;
use crate::violation::Violation;

pub(super) static ROW: RuleRow = RuleRow {
    id: "dump.pydantic",
    about: "What pydantic prints, as text or JSON: every complaint becomes a violation.",
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
    ..RuleRow::STRUCTURAL
};

/// Reads the printed form.
pub(super) fn from_text(text: &str) -> Option<Vec<Violation>> {
    let mut place: Option<&str> = None;
    let mut found = Vec::new();
    for line in lines(after_header(text)?).take(MOST_LINES) {
        let words = line.trim();
        let indent = line.len() - line.trim_start().len();
        if words.is_empty() || (indent > 2 && words.starts_with("For further information visit")) {
            continue;
        }
        if indent == 0 {
            place = Some(words);
        } else if let Some(complaint) = PydanticError::of(words) {
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

/// [`str::lines`], many bytes at a time.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text).filter(|text| !text.is_empty());
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = memchr::memchr(b'\n', text.as_bytes()) else {
            return rest.take();
        };
        rest = Some(&text[end + 1..]).filter(|rest| !rest.is_empty());
        let line = &text[..end];
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
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
    if place.contains('>') && place.contains(" -> ") {
        at_path(place.split(" -> ").map(Cow::Borrowed))
    } else {
        Violation::of_field(place)
    }
}

struct PydanticError<'a> {
    words: &'a str,
    kind: &'a str,
    /// `limit_value` of the first version.
    limit: Option<&'a str>,
    /// The Python type of what came.
    input: Option<&'a str>,
}

impl<'a> PydanticError<'a> {
    fn of(line: &'a str) -> Option<Self> {
        // `words [type=…, input_value=…, input_type=…]`, where the value may hold anything.
        static KIND: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new(" [type="));
        if let Some(at) = KIND.find(line.as_bytes()) {
            let (words, rest) = (&line[..at], &line[at + KIND.needle().len()..]);
            let kind = rest.split([',', ']']).next().unwrap_or_default();
            let last = memchr::memrchr(b'=', rest.as_bytes());
            let input = last
                .filter(|at| rest[..*at].ends_with("input_type"))
                .map(|at| &rest[at + 1..]);
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
    let complaint = PydanticError {
        words: text("msg")?,
        kind: text("type")?,
        limit: None,
        input: None,
    };
    Some(complaint.violation(at_path(place.iter().take(64).map(super::step))))
}

/// The keyword of JSON Schema a kind of complaint stands for; its own name where no keyword fits.
fn keyword(kind: &str) -> &str {
    let bare = ["value_error.", "type_error."]
        .iter()
        .find_map(|family| kind.strip_prefix(family))
        .unwrap_or(kind);
    match bare {
        "any_str.max_length" | "string_too_long" => "maxLength",
        "any_str.min_length" | "string_too_short" => "minLength",
        "const" | "enum" | "literal_error" => "enum",
        "date_type" | "datetime_type" | "int_from_float" | "json_type" | "time_type"
        | "url_type" | "uuid_type" => "type",
        "extra"
        | "extra_forbidden"
        | "unexpected_keyword_argument"
        | "unexpected_positional_argument" => "additionalProperties",
        "greater_than" | "number.not_gt" => "exclusiveMinimum",
        "greater_than_equal" | "number.not_ge" => "minimum",
        "less_than" | "number.not_lt" => "exclusiveMaximum",
        "less_than_equal" | "number.not_le" => "maximum",
        "list.max_items" | "too_long" => "maxItems",
        "list.min_items" | "too_short" => "minItems",
        "missing"
        | "missing_argument"
        | "missing_keyword_only_argument"
        | "missing_positional_only_argument" => "required",
        "multiple_of" | "number.not_multiple" => "multipleOf",
        "str.regex" | "string_pattern_mismatch" => "pattern",
        _ if is_format(bare) => "format",
        _ if is_type(kind, bare) => "type",
        _ => kind,
    }
}

fn is_format(bare: &str) -> bool {
    let formats = ["url", "uuid", "date", "time", "email", "json", "ip_"];
    formats.iter().any(|format| bare.starts_with(format))
}

fn is_type(kind: &str, bare: &str) -> bool {
    kind.starts_with("type_error") || bare.ends_with("_type") || bare.ends_with("_parsing")
}

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
    fn lines_are_those_of_the_standard_library() {
        for text in ["", "a", "a\n", "a\r\nb", "\n\na\r\n\n", "a\rb\n\r"] {
            let ours: Vec<&str> = lines(text).collect();
            assert_eq!(ours, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn a_kind_is_known_by_its_name_or_by_its_family() {
        for (kind, want) in [
            ("missing", "required"),
            ("value_error.number.not_ge", "minimum"),
            ("url_parsing", "format"),
            ("url_type", "type"),
            ("int_parsing", "type"),
            ("type_error.integer", "type"),
            ("surprise", "surprise"),
        ] {
            assert_eq!(keyword(kind), want, "{kind}");
        }
    }
}
