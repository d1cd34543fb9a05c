//! JSON values: by key, by text, at any depth.

use serde_json::{Map, Value};

use super::mark::Mark;
use super::{Redactor, keys};

/// Redacts a value in place.
pub(super) fn redact(redactor: &Redactor, value: &mut Value) {
    walk(redactor, value, None, 0);
}

/// What is under a key.
pub(super) fn redact_under(redactor: &Redactor, key: &str, value: &mut Value) {
    walk(redactor, value, keys::kind(key), 0);
}

/// No parser of this crate reads deeper, so only a value made by hand is; and the stack is not endless.
pub(super) const DEEPEST: usize = 128;

fn walk(redactor: &Redactor, value: &mut Value, named: Option<Mark>, depth: usize) {
    if depth > DEEPEST {
        *value = "[cut: depth]".into();
        return;
    }
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => {
            if let Some(mark) = named {
                *value = mark.as_str().into();
            } else if let Some(text) = changed(redactor, &number.to_string()) {
                *value = text.into();
            }
        }
        Value::String(text) => match named {
            _ if redactor.presents(text) => {}
            Some(mark) if !is_blank(text) => *text = mark.as_str().into(),
            _ => {
                if let Some(clean) = changed(redactor, text) {
                    *text = clean;
                }
            }
        },
        Value::Array(items) => {
            for item in items {
                walk(redactor, item, named, depth + 1);
            }
        }
        Value::Object(map) => object(redactor, map, named, depth),
    }
}

fn object(redactor: &Redactor, map: &mut Map<String, Value>, named: Option<Mark>, depth: usize) {
    let pair = PAIRED
        .iter()
        .find_map(|key| map.get(*key).and_then(Value::as_str).and_then(told_by));
    for (key, value) in map.iter_mut() {
        let inherited = named.filter(|_| !describes(key, value.is_number()));
        let paired = pair.filter(|_| key == "value");
        walk(
            redactor,
            value,
            keys::kind(key).or(inherited).or(paired),
            depth + 1,
        );
    }
    if map.keys().any(|key| changed(redactor, key).is_some()) {
        let renamed = std::mem::take(map).into_iter().map(|(key, value)| {
            let clean = changed(redactor, &key);
            (clean.unwrap_or(key), value)
        });
        *map = renamed.collect();
    }
}

/// What a name says of the value beside it. A secret in the name itself says nothing, whether it is there still or not.
pub(super) fn told_by(name: &str) -> Option<Mark> {
    let before = |end: &str| name.split_once(end).map_or(name, |(before, _)| before);
    let own = before("[redacted:");
    keys::kind(own).or_else(|| keys::kind(before("=")).or_else(|| keys::kind(before(":"))))
}

/// Keys that say what `value` beside them is.
pub(super) const PAIRED: &[&str] = &["name", "key", "field", "param"];

/// Keys of a schema or a fault: under `{"password": {"type": "string"}}` the value is not a password.
const DESCRIBES: &[&str] = &[
    "$ref",
    "code",
    "description",
    "format",
    "keyword",
    "message",
    "name",
    "pattern",
    "reason",
    "title",
    "type",
];

/// Keys whose numbers say how a value has to be, or where it stands.
const MEASURES: &[&str] = &[
    "column",
    "const",
    "count",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "expires_in",
    "length",
    "line",
    "limit",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "multipleOf",
    "status",
];

/// Whether what is under a key is about the secret rather than part of it.
pub(super) fn describes(key: &str, is_number: bool) -> bool {
    if is_number {
        MEASURES.contains(&key)
    } else {
        DESCRIBES.contains(&key)
    }
}

pub(super) fn is_blank(text: &str) -> bool {
    text.trim().is_empty() || super::mark::is_marker(text.as_bytes())
}

/// The redacted text, if it differs.
pub(super) fn changed(redactor: &Redactor, text: &str) -> Option<String> {
    match redactor.text(text) {
        std::borrow::Cow::Borrowed(_) => None,
        std::borrow::Cow::Owned(clean) => Some(clean),
    }
}
