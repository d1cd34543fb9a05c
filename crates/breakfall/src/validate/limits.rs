//! Whether a schema document can be read at all: its size, and its dialect.

use jsonschema::Draft;
use serde_json::Value;

use super::refuse;
use crate::fault::Fault;

/// Refuses what is too large to look at, without recursion.
pub(super) fn bounds(schema: &Value) -> Result<(), Fault> {
    let (mut count, mut bytes) = (0, 0);
    let mut open = vec![(schema, 1)];
    while let Some((value, depth)) = open.pop() {
        count += 1;
        if depth > MOST_LEVELS {
            return Err(refuse::too_deep(MOST_LEVELS, depth));
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(map) => {
                bytes += map.keys().map(String::len).sum::<usize>();
                open.extend(map.values().map(|value| (value, depth + 1)));
            }
            Value::String(text) => bytes += text.len(),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        if count + open.len() > MOST_VALUES {
            return Err(refuse::too_many(MOST_VALUES, count + open.len()));
        }
        if bytes > MOST_BYTES {
            return Err(refuse::too_long(MOST_BYTES, bytes));
        }
    }
    Ok(())
}

/// The dialect a document is written in.
pub(super) fn dialect(schema: &Value) -> Result<Draft, Fault> {
    match schema.get("$schema") {
        None => Ok(Draft::Draft202012),
        Some(Value::String(name)) => named(name).ok_or_else(|| refuse::dialect("", name)),
        Some(other) => Err(refuse::mistyped("/$schema", "string", other)),
    }
}

pub(super) fn named(name: &str) -> Option<Draft> {
    let name = name.trim_end_matches('#');
    let path = name
        .strip_prefix("https://")
        .or_else(|| name.strip_prefix("http://"))?;
    DIALECTS
        .iter()
        .find(|(have, _)| *have == path)
        .map(|(_, draft)| *draft)
}

const DIALECTS: &[(&str, Draft)] = &[
    ("json-schema.org/draft/2020-12/schema", Draft::Draft202012),
    ("json-schema.org/draft/2019-09/schema", Draft::Draft201909),
    ("json-schema.org/draft-07/schema", Draft::Draft7),
    ("json-schema.org/draft-06/schema", Draft::Draft6),
];

/// What the parser reads, and a tenth of what would take down a thread.
const MOST_LEVELS: usize = 128;
const MOST_VALUES: usize = 50_000;
const MOST_BYTES: usize = 1024 * 1024;
