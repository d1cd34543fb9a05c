//! What of a call may be shown again: short, on one line, without credentials.
//!
//! Callers may read what they sent, except for secrets: an answer ends up in more logs than a request.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::redact::{Audience, Redactor};

/// A foreign text.
pub(super) fn text(text: &str) -> String {
    line(text, LONGEST_TEXT)
}

/// The name of a parameter or a tool, perhaps an invented one.
pub(super) fn name(name: &str) -> String {
    line(name, LONGEST_NAME)
}

/// A value under its name: itself where it is short, else what it is.
pub(super) fn value(name: Option<&str>, value: &Value) -> Value {
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Array(items) => format!("array of {} items", items.len()).into(),
        Value::Object(map) if map.len() == 1 => "object with 1 member".into(),
        Value::Object(map) => format!("object with {} members", map.len()).into(),
        Value::String(text) if text.len() > LONGEST_VALUE => {
            format!("string of {} characters", text.chars().count()).into()
        }
        Value::String(text) if is_clean(name, value) => Value::String(one_line(text).into_owned()),
        Value::Number(_) if is_clean(name, value) => value.clone(),
        Value::Number(_) | Value::String(_) => redacted(name, value.clone()),
    }
}

/// Whether nothing in a value has to be hidden from its sender.
pub(super) fn is_clean(name: Option<&str>, value: &Value) -> bool {
    let hidden = name.is_some_and(Redactor::hides);
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(_) | Value::String(_) if hidden => false,
        Value::Number(number) => {
            number.as_u64().is_some_and(|number| number < SHORT)
                || is_clean_text(&number.to_string())
        }
        Value::String(text) => is_clean_text(text),
        Value::Array(items) => items.iter().all(|item| is_clean(name, item)),
        // A name beside a value (`{"name": "password", "value": …}`) is for the redactor to understand.
        Value::Object(map) if hidden || map.contains_key("value") => {
            redacted(name, value.clone()) == *value
        }
        Value::Object(map) => map
            .iter()
            .all(|(name, value)| is_clean_text(name) && is_clean(Some(name), value)),
    }
}

/// Whether a text holds no secret.
pub(super) fn is_clean_text(text: &str) -> bool {
    is_plain(text) || *redactor().text(text) == *text
}

/// Whether a text is a few letters, which are no secret by any rule. It spares a search in nearly every name.
fn is_plain(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    text.len() <= LONGEST_WORD && text.bytes().all(plain)
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
    if is_plain(text) {
        return text.to_owned();
    }
    // Enough to recognise a secret that begins within what is shown.
    let clean = redactor();
    let clean = clean.text(&text[..text.floor_char_boundary(8 * longest)]);
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

/// No key is as short, and no name has to be longer to be common.
const LONGEST_WORD: usize = 24;

const LONGEST_NAME: usize = 80;
const LONGEST_TEXT: usize = 200;
const LONGEST_VALUE: usize = 100;

/// No card and no national id is as short as a number below this.
const SHORT: u64 = 1_000_000;
