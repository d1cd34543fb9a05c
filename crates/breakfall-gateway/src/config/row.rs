//! A code of an operator's own, as written. What it may say, and what is wrong with it, the catalogue knows.

use std::borrow::Cow;
use std::ops::Range;

use breakfall::code::{Category, Hint, Retry};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::read::{Read, Reader, in_place};
use super::tree::{Node, Value};

/// A row of the catalogue.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) map: serde_json::Map<String, serde_json::Value>,
    /// Where each of its fields stands: dotted where fields nest.
    places: Vec<(String, Range<usize>)>,
}

impl Row {
    /// Where a field stands, or as much of its path as there is.
    pub(super) fn place(&self, field: &str) -> Option<Range<usize>> {
        let mut path = field;
        loop {
            if let Some((_, place)) = self.places.iter().find(|(have, _)| have == path) {
                return Some(place.clone());
            }
            path = path.rsplit_once('.')?.0;
        }
    }
}

impl Read for Row {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        reader.entries(node)?;
        let mut places = Vec::new();
        let serde_json::Value::Object(map) = value(node, "", &mut places) else {
            return None;
        };
        Some(Self { map, places })
    }
}

/// A node as JSON. Nothing is the same as no key.
fn value(node: &Node, path: &str, places: &mut Vec<(String, Range<usize>)>) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(digits) => {
            serde_json::from_str(digits).unwrap_or_else(|_| digits.as_str().into())
        }
        Value::Text(text) => text.as_str().into(),
        Value::List(items) => {
            let items = items.iter().map(|item| value(item, path, &mut Vec::new()));
            serde_json::Value::Array(items.collect())
        }
        Value::Map(entries) => {
            let mut map = serde_json::Map::new();
            for (key, node) in entries.iter().filter(|(_, node)| !node.is_null()) {
                let dot = if path.is_empty() { "" } else { "." };
                let path = format!("{path}{dot}{}", key.text);
                let place = match node.value {
                    Value::Map(_) => key.span.clone(),
                    Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::Text(_)
                    | Value::List(_) => node.span.clone(),
                };
                places.push((path.clone(), place));
                map.insert(key.text.clone(), value(node, &path, places));
            }
            map.into()
        }
    }
}

in_place!(Row, _generator => {
    let text = |about: &str| serde_json::json!({"type": ["string", "null"], "description": about});
    let word = |about: &str, all: Vec<&'static str>| {
        let all = all.into_iter().map(Some).chain([None]);
        serde_json::json!({"enum": all.collect::<Vec<_>>(), "description": about})
    };
    let categories: Vec<&str> = Category::ALL.iter().map(|category| category.as_str()).collect();
    let retries = Retry::ALL.iter().map(|retry| retry.as_str()).collect();
    let hints = Hint::ALL.iter().map(|hint| hint.as_str()).collect();
    json_schema!({
        "type": "object",
        "description": "A code of your own: how such a failure is told, in every format.",
        "additionalProperties": false,
        "properties": {
            "extends": text("The code it is a special case of: what is left out here is taken from there."),
            "category": text(&format!("Without `extends`, what kind of failure it is: {}.", categories.join(", "))),
            "message_template": text("What happened, in a sentence. '{name}' stands for a detail."),
            "remediation": text("What the caller should do."),
            "user_message": text("What a person may be told."),
            "meaning": text("What it means, for a list of codes."),
            "when": text("When it is used, for a list of codes."),
            "retry": word("Whether the call may be repeated.", retries),
            "http": {"type": ["integer", "null"], "minimum": 400, "maximum": 599, "description": "The HTTP status."},
            "hint": word("How to recover, in a word.", hints),
            "actions": {"type": ["array", "null"], "items": {"type": "string"}, "description": "Recovery actions, the preferred one first."},
            "details": {"type": ["object", "null"], "additionalProperties": {"type": "object"}, "description": "Details by name, each with `type`, and if wanted `required` and `about`."},
        },
    })
});

/// Keys the catalogue takes, and adapters use.
pub(super) const OF_ADAPTERS: &[&str] = &["maps_from_http", "condition"];
