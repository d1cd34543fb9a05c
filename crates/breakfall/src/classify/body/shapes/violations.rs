//! Broken rules in error bodies: fields and their complaints, and objects that each name a field.

use serde_json::{Map, Value};

use super::first_text;
use crate::violation::Violation;

/// Reads a map of fields to what is wrong with them.
pub(super) fn field_violations(value: &Value) -> Option<Vec<Violation>> {
    let map = value.as_object().filter(|map| !map.is_empty())?;
    let fits = |value: &Value| match value {
        Value::String(_) => true,
        Value::Array(list) => !list.is_empty() && list.iter().all(Value::is_string),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    };
    let fields = map.iter().take(MOST);
    map.values().all(fits).then(|| {
        fields
            .flat_map(|(field, said)| of_field(field, said))
            .collect()
    })
}

pub(super) fn of_field(field: &str, said: &Value) -> Vec<Violation> {
    let one = |text: &Value| Violation::of_field(field).message(text.as_str().unwrap_or_default());
    match said.as_array() {
        Some(list) => list.iter().take(MOST).map(one).collect(),
        None => vec![one(said)],
    }
}

/// Reads a list of objects that each name a field.
pub(super) fn item_violations(value: &Value) -> Option<Vec<Violation>> {
    objects(value)?.iter().map(|error| item(error)).collect()
}

/// One object that names a field and what is wrong with it.
pub(super) fn item(error: &Map<String, Value>) -> Option<Violation> {
    let mut at = match error.get("loc").or_else(|| error.get("path")) {
        Some(Value::Array(place)) => Violation::of_field(&dotted(place)?),
        _ => Violation::of_field(first_text(error, FIELD)?),
    };
    let keyword = first_text(error, &["code", "type", "keyword", "constraint", "rule"]);
    // GitHub says so of a thing that is not there; elsewhere the word means an argument.
    let of_resource = error.contains_key("resource") && keyword == Some("missing");
    if let Some(word) = keyword.filter(|word| !of_resource && word.len() <= 96) {
        at = at.keyword(word);
    }
    if let Some(words) = first_text(error, ITEM_WORDS) {
        at = at.message(words);
    }
    let got = ["input", "received", "rejectedValue", "value"]
        .iter()
        .find_map(|key| error.get(*key));
    Some(match got.filter(|got| !got.is_null() && is_short(got)) {
        Some(got) => at.got(got.clone()),
        None => at,
    })
}

#[rustfmt::skip]
const FIELD: &[&str] = &[
    "field", "path", "param", "parameter", "property", "propertyPath", "name", "attribute", "pointer",
];

/// Words of one item of it.
pub(super) const ITEM_WORDS: &[&str] =
    &["message", "msg", "detail", "description", "reason", "title"];

/// `["body", "user", 0]` → `user.0`: the part of the request is dropped, since the arguments do not contain it.
fn dotted(place: &[Value]) -> Option<String> {
    let part = |part: &Value| match part {
        Value::String(name) => Some(name.clone()),
        Value::Number(index) => Some(index.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let parts: Vec<_> = place.iter().take(MOST).map(part).collect::<Option<_>>()?;
    let outer = ["body", "query", "path", "header", "cookie", "response"];
    let skip = parts.len() > 1 && outer.contains(&parts[0].as_str());
    Some(parts[usize::from(skip)..].join("."))
}

/// A list of at least one object, and nothing else in it.
pub(super) fn objects(value: &Value) -> Option<Vec<&Map<String, Value>>> {
    let list = value.as_array().filter(|list| !list.is_empty())?;
    list.iter().take(MOST).map(Value::as_object).collect()
}

/// Whether a value is small enough to be shown beside a complaint.
pub(super) fn is_short(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => text.len() <= 200,
        Value::Array(list) => {
            let flat = |item: &Value| !item.is_array() && !item.is_object();
            list.len() <= 16 && list.iter().all(flat)
        }
        Value::Object(_) => false,
    }
}

/// The most errors of a list that are read.
pub(super) const MOST: usize = 200;
