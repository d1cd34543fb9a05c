//! Arguments that do not fit, as the SDK tells of them: in the words of serde, which name the field sometimes and
//! the rule always. The words are read for what they say about types and names; values in them are not repeated.

use rmcp::ErrorData;
use rmcp::model::CallToolResult;
use serde_json::Value;

use crate::catalog::codes;
use crate::code::Retry;
use crate::fault::{Confidence, Fault, Provenance};
use crate::phrase::{Phrase, PhraseText};
use crate::suggest;
use crate::violation::Violation;

/// The fault of an error the SDK makes of arguments it cannot read, or of an answer it cannot write.
pub(super) fn fault_of_error(error: &ErrorData, sent: &Value) -> Option<Fault> {
    if let Some(reason) = error.message.strip_prefix(UNREADABLE) {
        return Some(unreadable(reason, sent));
    }
    let unwritable = UNWRITABLE
        .iter()
        .any(|start| error.message.starts_with(start));
    // The work is done, and would be done again.
    let fault = || {
        Fault::internal()
            .detail("executed", "yes")
            .retry(Retry::Never)
    };
    unwritable.then(|| fault().note(error.to_string()))
}

/// The same where the SDK has made a result of it already.
pub(super) fn fault_of_result(result: &CallToolResult, sent: &Value) -> Option<Fault> {
    let [block] = result.content.as_slice() else {
        return None;
    };
    let reason = block.as_text()?.text.strip_prefix(UNREADABLE)?;
    Some(unreadable(reason, sent))
}

/// How the SDK begins when arguments do not become the type a handler asks for.
const UNREADABLE: &str = "failed to deserialize parameters:";

/// How it begins when what a handler returned does not become a result.
const UNWRITABLE: &[&str] = &[
    "Failed to serialize structured content:",
    "fail to serialize response to json",
    "InputRequiredResult cannot be returned",
    "CreateTaskResult cannot be returned",
];

fn unreadable(reason: &str, sent: &Value) -> Fault {
    let reason = reason.trim();
    let tool = sent["name"].as_str().unwrap_or_default();
    let arguments = &sent["arguments"];
    let readers = [
        missing,
        unknown_field,
        unknown_variant,
        wrong_type,
        wrong_value,
    ];
    let known = readers
        .iter()
        .find_map(|read| read(reason, tool, arguments));
    let rule = Provenance::new("words of serde", Confidence::Textual);
    known
        .unwrap_or_else(|| {
            let saying = PhraseText::from(Phrase::ARGUMENTS_UNFIT).with("reason", start_of(reason));
            Fault::new(codes::VALIDATION_INVALID_VALUE).say(saying)
        })
        .in_operation(tool)
        .provenance(rule)
}

fn missing(reason: &str, _: &str, _: &Value) -> Option<Fault> {
    let (name, _) = quoted(reason.strip_prefix("missing field ")?)?;
    let violation = Violation::of_field("").keyword("required").expected(name);
    Some(Fault::missing_param(name).violation(violation))
}

fn unknown_field(reason: &str, tool: &str, _: &Value) -> Option<Fault> {
    let (name, rest) = quoted(reason.strip_prefix("unknown field ")?)?;
    let valid = names(rest);
    let fault = Fault::unknown_params(tool, &[name], &valid);
    let mut violation = Violation::of_field(name).keyword("additionalProperties");
    if let Some(nearest) = suggest::nearest(name, valid) {
        violation = violation.suggestion(nearest);
    }
    Some(fault.violation(violation))
}

fn unknown_variant(reason: &str, _: &str, arguments: &Value) -> Option<Fault> {
    let (word, rest) = quoted(reason.strip_prefix("unknown variant ")?)?;
    let allowed = names(rest);
    let at = only(arguments, |value| value.as_str() == Some(word));
    let mut fault =
        Fault::new(codes::VALIDATION_INVALID_ENUM).detail("allowed_values", allowed.clone());
    if let Some(pointer) = at {
        let mut violation = Violation::at(pointer)
            .keyword("enum")
            .expected(allowed.clone());
        if let Some(nearest) = suggest::nearest(word, allowed) {
            violation = violation.suggestion(nearest);
        }
        fault = fault.field(violation.field()).violation(violation);
    }
    Some(fault)
}

fn wrong_type(reason: &str, _: &str, arguments: &Value) -> Option<Fault> {
    let (got, expected) = reason
        .strip_prefix("invalid type: ")?
        .rsplit_once(", expected ")?;
    let (expected, actual) = (json_type(expected), word_of(got));
    let fault = Fault::new(codes::VALIDATION_INVALID_TYPE)
        .detail("expected_type", expected)
        .detail("actual_type", actual);
    Some(match only(arguments, |value| is_told_as(value, got)) {
        Some(pointer) => {
            let violation = Violation::at(pointer).keyword("type").expected(expected);
            fault.field(violation.field()).violation(violation)
        }
        None => fault.say(
            PhraseText::from(Phrase::ARGUMENT_TYPE)
                .with("expected", expected)
                .with("actual", actual),
        ),
    })
}

fn wrong_value(reason: &str, _: &str, arguments: &Value) -> Option<Fault> {
    let (got, expected) = reason
        .strip_prefix("invalid value: ")?
        .rsplit_once(", expected ")?;
    let pointer = only(arguments, |value| is_told_as(value, got));
    let violation = pointer.map(Violation::at);
    let field = violation.as_ref().map(Violation::field);
    let fault = match bounds(expected) {
        Some((minimum, maximum)) => Fault::new(codes::VALIDATION_OUT_OF_RANGE)
            .detail("minimum", minimum)
            .detail("maximum", maximum),
        None => Fault::new(codes::VALIDATION_INVALID_VALUE).tell(
            "reason",
            PhraseText::from(Phrase::RULE_TYPE).with("expected", start_of(expected)),
        ),
    };
    let fault = match &field {
        Some(field) => fault.field(field.as_str()),
        None => {
            fault.say(PhraseText::from(Phrase::ARGUMENT_VALUE).with("expected", start_of(expected)))
        }
    };
    Some(match violation {
        Some(violation) => fault.violation(violation),
        None => fault,
    })
}

/// The word in backticks at the start, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('`')?.split_once('`')
}

/// Every word in backticks: "expected one of `a`, `b`".
fn names(text: &str) -> Vec<&str> {
    text.split('`')
        .skip(1)
        .step_by(2)
        .take(MOST_NAMES)
        .collect()
}

/// Where the only value is that serde may mean; nothing if there are several.
fn only(arguments: &Value, is_meant: impl Fn(&Value) -> bool) -> Option<String> {
    let mut found = Vec::new();
    let mut queue = vec![(String::new(), arguments)];
    let mut seen = 0;
    while let Some((pointer, value)) = queue.pop() {
        seen += 1;
        if !pointer.is_empty() && is_meant(value) {
            found.push(pointer.clone());
        }
        if found.len() > 1 || seen > MOST_VALUES {
            return None;
        }
        match value {
            Value::Array(items) => {
                let items = items.iter().enumerate();
                queue.extend(items.map(|(at, item)| (format!("{pointer}/{at}"), item)));
            }
            Value::Object(map) => queue.extend(map.iter().map(|(key, item)| {
                let key = key.replace('~', "~0").replace('/', "~1");
                (format!("{pointer}/{key}"), item)
            })),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    found.pop()
}

/// Whether serde would tell of a value in these words.
fn is_told_as(value: &Value, words: &str) -> bool {
    match value {
        Value::Null => words == "null" || words == "unit value",
        Value::Bool(value) => words == format!("boolean `{value}`"),
        Value::Number(number) if number.is_f64() => words == format!("floating point `{number}`"),
        Value::Number(number) => words == format!("integer `{number}`"),
        // Its quotes and the word before them; a longer text cannot be it.
        Value::String(text) => text.len() <= words.len() && words == format!("string {text:?}"),
        Value::Array(_) => words == "sequence",
        Value::Object(_) => words == "map",
    }
}

/// The JSON type serde names by the first word.
fn word_of(got: &str) -> &'static str {
    let first = got.split([' ', '`']).next().unwrap_or_default();
    match first {
        "string" | "character" => "string",
        "integer" => "integer",
        "floating" => "number",
        "boolean" => "boolean",
        "null" | "unit" | "Option" => "null",
        "sequence" => "array",
        "map" => "object",
        _ => "another type",
    }
}

/// The JSON type of what serde expects; its own words where that is not a JSON type.
fn json_type(expected: &str) -> &str {
    if bounds(expected).is_some() {
        return "integer";
    }
    match expected {
        "f32" | "f64" => "number",
        "a string" | "a borrowed string" | "string" | "str" | "a character" => "string",
        "a boolean" => "boolean",
        "unit" => "null",
        _ if expected.starts_with("a sequence") || expected.starts_with("a tuple") => "array",
        _ if expected.starts_with("a map") || expected.starts_with("struct ") => "object",
        _ => start_of(expected),
    }
}

/// The least and the greatest of an integer type.
fn bounds(expected: &str) -> Option<(Value, Value)> {
    Some(match expected {
        "u8" => (0.into(), u8::MAX.into()),
        "u16" => (0.into(), u16::MAX.into()),
        "u32" => (0.into(), u32::MAX.into()),
        "u64" | "usize" => (0.into(), u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        _ => return None,
    })
}

/// As much of foreign words as a message needs.
fn start_of(words: &str) -> &str {
    &words[..words.floor_char_boundary(LONGEST_WORDS)]
}

const LONGEST_WORDS: usize = 200;
const MOST_NAMES: usize = 100;
const MOST_VALUES: usize = 10_000;

#[cfg(test)]
mod tests;
