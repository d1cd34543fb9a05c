//! A broken rule in words, for whoever broke it.

use jsonschema::JsonType;
use serde_json::Value;

use super::finding::{Finding, Repair};
use super::raw::{Raw, Rule, Side, Unit, type_words};
use super::{edit, shown};
use crate::violation::Violation;

/// The violation of a finding, safe to show.
pub(super) fn violation(finding: &Finding<'_>) -> Violation {
    let raw = finding.raw;
    let mut violation = Violation::at(pointer(&raw.at))
        .keyword(raw.keyword)
        .message(message(finding));
    if let Some(expected) = expected(finding) {
        violation = violation.expected(expected);
    }
    let name = finding.name();
    if let Some(value) = finding.value() {
        violation = violation.got(shown::value(name.as_deref(), value));
    }
    let renamed = matches!(finding.repair(), Some(Repair::Rename(_)));
    let name = name.as_deref().filter(|_| !renamed);
    match suggestion(finding) {
        Some(suggestion) if shown::is_clean(name, &suggestion) => violation.suggestion(suggestion),
        _ => violation,
    }
}

/// What the violation asks for, in the shape of its keyword: a bound, a pattern, a list of values.
pub(super) fn expected(finding: &Finding<'_>) -> Option<Value> {
    let document = finding.findings.schema().document();
    Some(match &finding.raw.rule {
        Rule::Missing(names) if names.len() > 1 => {
            names.iter().map(|name| shown::name(name)).collect()
        }
        Rule::Missing(_) => {
            let types = document.values(&document.at(&finding.raw.at), "type");
            return types
                .first()
                .filter(|_| types.len() == 1)
                .map(|only| (*only).clone());
        }
        Rule::Type(types) => type_words(*types).into(),
        Rule::Unknown => {
            let (parent, _) = edit::parent(&finding.raw.at)?;
            let names = document.members(&document.at(parent)).into_iter();
            return Some(names.take(MOST_LISTED).map(Value::from).collect())
                .filter(|names: &Value| *names != Value::Array(vec![]));
        }
        Rule::Enum(values) => values
            .as_array()?
            .iter()
            .take(MOST_LISTED)
            .map(short)
            .collect(),
        Rule::Bound { limit, .. } => Value::Number(limit.clone()),
        Rule::Size { limit, .. } => (*limit).into(),
        Rule::Pattern(pattern) => cut(pattern).into(),
        Rule::Format(format) => cut(format).into(),
        Rule::Multiple(of) => super::coerce::whole(*of).map_or_else(|| (*of).into(), Value::Number),
        Rule::Unique => "each item once".into(),
        Rule::Alternatives(told) => told.clone().into(),
        Rule::Depth(limit) => (*limit).into(),
        Rule::Other(_) => return None,
    })
}

/// The value or the name that would do.
pub(super) fn suggestion(finding: &Finding<'_>) -> Option<Value> {
    match finding.repair()? {
        Repair::Replace(value) | Repair::Insert(value) => Some(value.clone()),
        Repair::Rename(name) => Some(Value::from(&**name)),
        Repair::Remove => None,
    }
}

fn message(finding: &Finding<'_>) -> String {
    let mut message = match (&finding.raw.rule, finding.value()) {
        (Rule::Type(types), Some(value)) => {
            format!("expected {}, got {}", type_words(*types), type_of(value))
        }
        _ => words(&finding.raw.rule),
    };
    match finding.repair() {
        Some(Repair::Rename(name)) => message = format!("{message}; did you mean '{name}'?"),
        Some(Repair::Remove) => message.push_str("; leave it out"),
        Some(Repair::Replace(_) | Repair::Insert(_)) | None => {}
    }
    message
}

/// What a rule says.
pub(super) fn words(rule: &Rule) -> String {
    match rule {
        Rule::Missing(names) if names.len() > 1 => {
            format!("one of {} is required", names_of(names))
        }
        Rule::Missing(_) => "required but missing".into(),
        Rule::Type(types) => format!("expected {}", type_words(*types)),
        Rule::Unknown => "unknown name".into(),
        Rule::Enum(values) if values.as_array().is_some_and(Vec::is_empty) => {
            "fits nothing: the schema allows no value here".into()
        }
        Rule::Enum(values) => format!("must be {}", values_of(values)),
        Rule::Bound {
            limit,
            side,
            exclusive,
        } => {
            let relation = match (side, exclusive) {
                (Side::Least, false) => "at least",
                (Side::Least, true) => "more than",
                (Side::Most, false) => "at most",
                (Side::Most, true) => "less than",
            };
            format!("must be {relation} {limit}")
        }
        Rule::Size { limit, side, of } => {
            let relation = match side {
                Side::Least => "at least",
                Side::Most => "at most",
            };
            format!("must have {relation} {limit} {}", of.word(*limit))
        }
        Rule::Pattern(pattern) => format!("must match the pattern {}", cut(pattern)),
        Rule::Format(format) => format!("must be written as {}", cut(format)),
        Rule::Multiple(of) => format!("must be a multiple of {of}"),
        Rule::Unique => "must not repeat an item".into(),
        Rule::Alternatives(told) if told.is_empty() => "fits none of the alternatives".into(),
        Rule::Alternatives(told) => cut(&format!(
            "fits none of the alternatives: {}",
            told.join("; ")
        )),
        Rule::Depth(limit) => format!("must not be nested deeper than {limit} levels"),
        Rule::Other(text) => (*text).into(),
    }
}

/// One of several alternatives in a few words, for the value at a place.
pub(super) fn wanted(raw: &Raw, at: &str) -> String {
    let name = edit::parent(&raw.at)
        .filter(|_| raw.at != at)
        .map(|(_, name)| shown::name(&name));
    match (&raw.rule, name) {
        (Rule::Type(types), None) => type_words(*types).into_owned(),
        (Rule::Format(format), None) => cut(format),
        (Rule::Missing(names), _) => format!("with {}", names_of(names)),
        (Rule::Unknown, Some(name)) => format!("without '{name}'"),
        (rule, Some(name)) => format!("'{name}' {}", words(rule)),
        (rule, None) => words(rule),
    }
}

impl Unit {
    const fn word(self, count: u64) -> &'static str {
        match (self, count) {
            (Self::Characters, 1) => "character",
            (Self::Characters, _) => "characters",
            (Self::Items, 1) => "item",
            (Self::Items, _) => "items",
            (Self::Members, 1) => "member",
            (Self::Members, _) => "members",
        }
    }
}

/// The type of a value, as schemas call it.
pub(super) fn type_of(value: &Value) -> &'static str {
    let whole = value.as_number().is_some_and(|number| !number.is_f64());
    if whole {
        "integer"
    } else {
        JsonType::from(value).as_str()
    }
}

/// The place, which is the caller's own words only as far as they may be repeated.
fn pointer(at: &str) -> String {
    if at.len() <= LONGEST_POINTER && shown::is_clean_text(at) {
        return at.to_owned();
    }
    let mut pointer = String::new();
    for segment in at.split('/').skip(1) {
        if pointer.len() > LONGEST_POINTER {
            pointer.push_str("/…");
            break;
        }
        pointer = edit::child(&pointer, &shown::name(&edit::unescaped(segment)));
    }
    pointer
}

/// Names in quotes.
pub(super) fn names_of(names: &[Box<str>]) -> String {
    let quoted: Vec<String> = names
        .iter()
        .take(MOST_LISTED)
        .map(|name| format!("'{}'", shown::name(name)))
        .collect();
    quoted.join(", ")
}

/// Allowed values in a sentence.
fn values_of(values: &Value) -> String {
    let all = values.as_array().map_or(&[][..], Vec::as_slice);
    let text = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), |text| format!("'{text}'"))
    };
    if let [only] = all {
        return cut(&text(only));
    }
    let told: Vec<String> = all.iter().take(MOST_TOLD).map(text).collect();
    let more = all.len().saturating_sub(MOST_TOLD);
    let rest = if more > 0 {
        format!(" or {more} others")
    } else {
        String::new()
    };
    format!("one of {}{rest}", cut(&told.join(", ")))
}

/// A value of a schema, or what it is where it is long.
pub(super) fn short(value: &Value) -> Value {
    match value {
        Value::String(text) => cut(text).into(),
        Value::Array(_) | Value::Object(_) if super::work::kilobytes(value) > 1 => {
            shown::value(None, value)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.clone()
        }
    }
}

/// A text of the schema, which is nobody's secret but may be long.
pub(super) fn cut(text: &str) -> String {
    if text.len() <= LONGEST_TEXT {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(LONGEST_TEXT)])
}

/// Names or values listed in one place.
pub(super) const MOST_LISTED: usize = 50;
const MOST_TOLD: usize = 8;
const LONGEST_TEXT: usize = 200;
const LONGEST_POINTER: usize = 300;
