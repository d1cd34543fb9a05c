//! What of a call may be shown again: short, on one line, without credentials.
//!
//! Callers may read what they sent, except for secrets: an answer ends up in more logs than a request.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::disclose::{Audience, Redactor};

/// A text out of arguments or a schema.
pub(super) fn text(text: &str) -> Value {
    Value::String(line(text, LONGEST_TEXT))
}

/// The name of a parameter, perhaps an invented one.
pub(super) fn name(name: &str) -> String {
    line(name, LONGEST_NAME)
}

/// A value under its name: itself where it is short, else what it is.
pub(super) fn value(name: Option<&str>, value: &Value) -> Value {
    let short = match value {
        Value::Null | Value::Bool(_) => return value.clone(),
        Value::Array(items) => return format!("array of {} items", items.len()).into(),
        Value::Object(map) => return format!("object with {} members", map.len()).into(),
        Value::String(text) if text.len() > LONGEST_VALUE => {
            return format!("string of {} characters", text.chars().count()).into();
        }
        Value::String(text) => Value::String(one_line(text).into_owned()),
        Value::Number(_) => value.clone(),
    };
    redacted(name, short)
}

/// Whether nothing in a value has to be hidden from whoever sent it.
pub(super) fn is_clean(name: Option<&str>, value: &Value) -> bool {
    redacted(name, value.clone()) == *value
}

fn redacted(name: Option<&str>, mut value: Value) -> Value {
    let redactor = redactor();
    let Some(name) = name else {
        redactor.value(&mut value);
        return value;
    };
    let mut map = Value::Object(Map::from_iter([(name.to_owned(), value)]));
    redactor.value(&mut map);
    // The name may have been a secret itself, so the value is not looked up by it.
    let members = map.as_object_mut().map(std::mem::take);
    let value = members.and_then(|members| members.into_iter().next());
    value.map_or(Value::Null, |(_, value)| value)
}

fn line(text: &str, longest: usize) -> String {
    let redactor = redactor();
    let clean = redactor.text(if text.len() > 8 * longest {
        &text[..text.floor_char_boundary(8 * longest)]
    } else {
        text
    });
    let line = one_line(&clean);
    if line.len() <= longest {
        return line.into_owned();
    }
    format!("{}…", &line[..line.floor_char_boundary(longest)])
}

fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        Cow::Owned(text.replace(char::is_control, " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// The caller's own paths and hosts may come back; secrets may not.
fn redactor() -> Redactor {
    Redactor::new(Audience::Operator)
}

const LONGEST_NAME: usize = 80;
const LONGEST_TEXT: usize = 200;
const LONGEST_VALUE: usize = 100;
