//! What validators of other languages print, taken apart: every complaint becomes a violation with a place, a keyword of
//! JSON Schema and what was expected. The values they echo and the links to their manuals are left out.

mod pydantic;
mod sentence;
mod zod;

use std::borrow::Cow;

use serde_json::Value;

use super::body::BodyReading;
use super::constraint;
use super::rule::RuleRow;
use crate::catalog::codes;
use crate::code::Code;
use crate::violation::Violation;

/// Reads a dump in a text that is about a failure. `json` is the JSON in the text, if there is any.
pub(crate) fn read(
    text: &str,
    json: Option<&Value>,
    on: &dyn Fn(&str) -> bool,
) -> Option<BodyReading> {
    let readers: [(&RuleRow, DumpReader<'_>); 5] = [
        (&pydantic::ROW, &|| json.and_then(pydantic::from_json)),
        (&pydantic::ROW, &|| pydantic::from_text(text)),
        (&zod::ROW, &|| json.and_then(zod::from_json)),
        (&zod::ROW, &|| zod::from_text(text)),
        (&sentence::ROW, &|| sentence::from_text(text)),
    ];
    readers.iter().find_map(|(row, read)| {
        let violations = on(row.id).then(read).flatten()?;
        // A sentence is its own message; of the others one is made that echoes nothing.
        let message = (row.id == sentence::ROW.id).then(|| text.trim().to_owned());
        let said = BodyReading {
            shape: row.id,
            message,
            code: code_of(&violations),
            violations,
            ..BodyReading::default()
        };
        (!said.violations.is_empty()).then_some(said)
    })
}

type DumpReader<'a> = &'a dyn Fn() -> Option<Vec<Violation>>;

/// The rules, for the list of all.
pub(crate) fn rows() -> impl Iterator<Item = &'static RuleRow> {
    [&pydantic::ROW, &zod::ROW, &sentence::ROW].into_iter()
}

fn code_of(violations: &[Violation]) -> Option<Code> {
    let code = |violation: &Violation| {
        let known = violation.keyword_text().and_then(constraint::code_for);
        known.unwrap_or(codes::VALIDATION_INVALID_VALUE)
    };
    constraint::common(violations.iter().map(code))
}

/// How many complaints of a dump are kept.
const MOST: usize = 50;

/// The longest sentence of a complaint, in bytes. Longer ones echo values.
const LONGEST_MESSAGE: usize = 300;

/// A sentence cut to its size.
fn cut(text: &str) -> &str {
    text[..text.floor_char_boundary(LONGEST_MESSAGE)].trim()
}

/// A step of a path, a key or an index.
fn step(step: &Value) -> Cow<'_, str> {
    step.as_str()
        .map_or_else(|| Cow::Owned(step.to_string()), Cow::Borrowed)
}

/// The place of a path of keys and indexes.
fn at_path<'a>(path: impl Iterator<Item = Cow<'a, str>>) -> Violation {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
    }
    Violation::at(pointer)
}

/// The words in quotes of a kind, in order.
fn quoted(text: &str, quote: char) -> Vec<&str> {
    text.split(quote).skip(1).step_by(2).take(MOST).collect()
}

/// The last number in a text, as it would stand in a schema.
fn last_number(text: &str) -> Option<Value> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let mut numbers = text.split(|c: char| !is_part(c)).rev();
    numbers.find_map(|word| {
        let word = word.trim_end_matches('.');
        let number = word.parse::<i64>().map(Value::from).ok();
        number.or_else(|| {
            word.parse::<f64>()
                .ok()
                .filter(|n| n.is_finite())
                .map(Value::from)
        })
    })
}
