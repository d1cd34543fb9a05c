//! What a broken rule says was meant. Whether it was is for the schema to say.

use serde_json::{Number, Value};

use super::coerce::{coercions, whole};
use super::edit::{self, child};
use super::finding::Repair;
use super::raw::{BoundSide, BrokenRule, RuleKind};
use super::schema::Schema;
use crate::suggest;

/// What the rules broken at one place suggest, each possibility once.
pub(super) fn proposals(
    schema: &Schema,
    arguments: &Value,
    at: &str,
    rules: &[&BrokenRule],
) -> Vec<Repair> {
    let mut all = Vec::new();
    let value = edit::get(arguments, at);
    for raw in rules {
        let proposed = match (&raw.rule, value) {
            (RuleKind::Missing(names), None) if names.len() == 1 => default(schema, at),
            (RuleKind::Unknown, Some(value)) => known(schema, arguments, at, value),
            (RuleKind::Type(_), Some(Value::Null)) if is_member(arguments, at) => {
                vec![Repair::Remove]
            }
            (RuleKind::Type(types), Some(value)) => replacements(coercions(value, *types)),
            (RuleKind::Enum(allowed), Some(value)) => replacements(allowed_value(value, allowed)),
            (
                RuleKind::Bound {
                    limit,
                    side,
                    exclusive,
                },
                Some(Value::Number(_)),
            ) if !names(at, AMOUNTS) => replacements(nearest(schema, at, limit, *side, *exclusive)),
            (RuleKind::Unique, Some(Value::Array(items))) => replacements(distinct(items)),
            (RuleKind::Pattern(_) | RuleKind::Format(_), Some(Value::String(text))) => {
                let trimmed = Some(text.trim()).filter(|trimmed| trimmed != text);
                replacements(trimmed.map(Value::from))
            }
            _ => Vec::new(),
        };
        for repair in proposed {
            if !all.contains(&repair) {
                all.push(repair);
            }
        }
    }
    all
}

fn replacements(values: impl IntoIterator<Item = Value>) -> Vec<Repair> {
    values.into_iter().map(Repair::Replace).collect()
}

fn is_member(arguments: &Value, at: &str) -> bool {
    edit::parent(at)
        .is_some_and(|(parent, _)| edit::get(arguments, parent).is_some_and(Value::is_object))
}

/// The value for a missing parameter: its default, or the only one it can have. A parameter that stands for the
/// caller's consent gets no value.
fn default(schema: &Schema, at: &str) -> Vec<Repair> {
    let document = schema.document();
    let nodes = document.at(at);
    let mut values = document.values(&nodes, "const");
    for only in document.values(&nodes, "enum") {
        values.extend(
            only.as_array()
                .filter(|all| all.len() == 1)
                .and_then(|all| all.first()),
        );
    }
    // A schema that allows a single truth value asks for consent, not for information.
    let demanded = values.contains(&&Value::Bool(true));
    if values.is_empty() {
        values = document.values(&nodes, "default");
    }
    if demanded || names(at, CONSENT) {
        return Vec::new();
    }
    values.into_iter().cloned().map(Repair::Insert).collect()
}

/// Whether the name of a parameter holds one of some words.
fn names(at: &str, words: &[&str]) -> bool {
    let Some((_, name)) = edit::parent(at) else {
        return false;
    };
    let name = name.to_ascii_lowercase();
    words.iter().any(|word| name.contains(word))
}

/// Parts of names of what is paid, moved or ordered. Who asked for 900 of it and may have 100 did not mean 100.
const AMOUNTS: &[&str] = &[
    "amount", "balance", "cost", "fee", "price", "quantity", "qty",
];

/// Parts of names by which a caller agrees to something.
const CONSENT: &[&str] = &[
    "accept",
    "acknowledg",
    "agree",
    "approv",
    "confirm",
    "consent",
    "understand",
];

/// The name an unknown one stands for, unless that is taken. What is nothing is not missed.
fn known(schema: &Schema, arguments: &Value, at: &str, value: &Value) -> Vec<Repair> {
    if value.is_null() {
        return vec![Repair::Remove];
    }
    let Some((parent, name)) = edit::parent(at) else {
        return Vec::new();
    };
    let document = schema.document();
    let members = document.members(&document.at(parent));
    if members.len() > MOST_NAMES {
        return Vec::new();
    }
    let meant = suggest::certain(&name, members);
    let free = |meant: &&str| edit::get(arguments, &child(parent, meant)).is_none();
    meant
        .filter(free)
        .map(|meant| Repair::Rename(meant.into()))
        .into_iter()
        .collect()
}

/// The allowed value that was meant: spelt a little differently, or as another type.
fn allowed_value(value: &Value, allowed: &Value) -> Vec<Value> {
    let allowed = allowed.as_array().map_or(&[][..], Vec::as_slice);
    if allowed.len() > MOST_NAMES {
        return Vec::new();
    }
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        Value::Null | Value::Array(_) | Value::Object(_) => return Vec::new(),
    };
    let same = allowed.iter().filter(|allowed| match allowed {
        Value::String(allowed) => *allowed == text,
        Value::Number(_) | Value::Bool(_) => value.is_string() && allowed.to_string() == text,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    });
    let same: Vec<Value> = same.cloned().collect();
    if !same.is_empty() || !value.is_string() {
        return same;
    }
    let meant = suggest::certain(&text, allowed.iter().filter_map(Value::as_str));
    meant.map(Value::from).into_iter().collect()
}

/// The bound that was passed, or the number next to it where numbers have neighbours.
fn nearest(
    schema: &Schema,
    at: &str,
    limit: &Number,
    side: BoundSide,
    exclusive: bool,
) -> Option<Value> {
    let document = schema.document();
    let types = document.values(&document.at(at), "type");
    let integer = types.iter().any(|types| **types == "integer");
    if !integer {
        return (!exclusive).then(|| Value::Number(limit.clone()));
    }
    if let (Some(limit), true) = (limit.as_i64(), exclusive) {
        return match side {
            BoundSide::Least => limit.checked_add(1),
            BoundSide::Most => limit.checked_sub(1),
        }
        .map(Value::from);
    }
    if limit.is_i64() || limit.is_u64() {
        return (!exclusive).then(|| Value::Number(limit.clone()));
    }
    let limit = limit.as_f64()?;
    let inside = match side {
        BoundSide::Least => limit.ceil(),
        BoundSide::Most => limit.floor(),
    };
    whole(inside).map(Value::Number)
}

/// The items without repetitions: a list that must not repeat anything is a set.
fn distinct(items: &[Value]) -> Option<Value> {
    if items.len() > MOST_NAMES {
        return None;
    }
    let mut distinct: Vec<Value> = Vec::with_capacity(items.len());
    for item in items {
        if !distinct.contains(item) {
            distinct.push(item.clone());
        }
    }
    Some(Value::Array(distinct))
}

/// Names, values or items that are compared each with each.
const MOST_NAMES: usize = 1000;
