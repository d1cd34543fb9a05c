//! Warnings beside the data of a success: worst first, each once, no more than ten.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::catalog::warning;
use crate::code::Severity;
use crate::warning::{Warning, WarningMessage};
use crate::wire::document::to_json;

/// At most this many warnings; the rest is counted in one more.
pub const MAX_WARNINGS: usize = 10;

/// Worst first, each once, no more than the limit; what is left out is counted.
pub(crate) fn curate(warnings: &[Warning]) -> Vec<Warning> {
    let mut seen = HashSet::new();
    let key = |warning: &Warning| {
        (
            warning.name.clone(),
            to_json(&warning.context),
            warning.text().into_owned(),
        )
    };
    let mut kept: Vec<Warning> = Vec::new();
    kept.extend(
        warnings
            .iter()
            .filter(|warning| seen.insert(key(warning)))
            .cloned(),
    );
    kept.sort_by_key(|warning| std::cmp::Reverse(warning.severity));
    if kept.len() > MAX_WARNINGS {
        let suppressed = kept.split_off(MAX_WARNINGS - 1).len();
        let notice =
            Warning::new(warning::WARNINGS_SUPPRESSED).context("suppressed_count", suppressed);
        kept.push(notice.like(&kept[0]));
    }
    kept
}

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

/// What is left of a warning.
pub(crate) fn warning_left(warning: &Warning) -> Warning {
    Warning {
        name: warning_code(warning_name(warning).to_owned().into()),
        message: WarningMessage::Own(warning.text().into()),
        ..warning.clone()
    }
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
