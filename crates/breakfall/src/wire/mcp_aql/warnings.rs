//! Warnings beside the data of a success.

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::catalog::warning;
use crate::code::Severity;
use crate::warning::Warning;

/// The name for a warning that has words but no code, which the format demands.
pub(super) const UNCODED: &str = "UNSPECIFIED_WARNING";

pub(super) fn warning_name(warning: &Warning) -> &str {
    let name = warning.code().unwrap_or(UNCODED);
    warning::by_name(name).map_or(name, |known| known.entry().mcp_aql)
}

/// The code of a warning's name.
pub(super) fn warning_code(name: Cow<'static, str>) -> Option<Cow<'static, str>> {
    let known = warning::by_mcp_aql_name(&name).map(|known| Cow::Borrowed(known.entry().name));
    (name != UNCODED).then(|| known.unwrap_or(name))
}

pub(super) fn warning_value(warning: &Warning) -> Value {
    let mut map = Map::new();
    map.insert("code".into(), warning_name(warning).into());
    map.insert("message".into(), warning.text().into());
    if !warning.context.is_empty() {
        map.insert("details".into(), warning.context.to_map().into());
    }
    // Medium is what an absent severity means.
    if warning.severity != Severity::Warning {
        map.insert("severity".into(), warning.severity.urgency().into());
    }
    Value::Object(map)
}

pub(super) fn warning_from_value(value: Value) -> Option<Warning> {
    // Some servers send plain sentences, or leave the code out.
    let mut map = match value {
        Value::String(words) => return Some(Warning::plain(words)),
        Value::Object(map) => map,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
    let Some(Value::String(message)) = map.remove("message") else {
        return None;
    };
    let mut warning = Warning::plain(message);
    if let Some(Value::String(name)) = map.remove("code") {
        warning.name = warning_code(name.into());
    }
    let severity = map
        .remove("severity")
        .and_then(|word| Severity::from_any_word(word.as_str()?));
    warning.severity = severity.unwrap_or(Severity::Warning);
    if let Some(Value::Object(details)) = map.remove("details") {
        warning.context = details.into_iter().collect();
    }
    Some(warning)
}
