//! JSON pointers, and changing a value at one.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::finding::Repair;

/// The pointer of a member or an item.
pub(super) fn child(parent: &str, name: &str) -> String {
    let mut pointer = String::with_capacity(parent.len() + name.len() + 1);
    pointer.push_str(parent);
    pointer.push('/');
    for c in name.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
    pointer
}

/// The pointer of what holds a value, and its name there. The whole has neither.
pub(super) fn parent(pointer: &str) -> Option<(&str, Cow<'_, str>)> {
    let (parent, segment) = pointer.rsplit_once('/')?;
    Some((parent, unescaped(segment)))
}

/// The name a segment of a pointer stands for.
pub(super) fn unescaped(segment: &str) -> Cow<'_, str> {
    if segment.contains('~') {
        Cow::Owned(segment.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(segment)
    }
}

/// The value at a pointer.
pub(super) fn get<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer
        .split('/')
        .skip(1)
        .try_fold(value, |value, segment| match value {
            Value::Object(map) => map.get(&*unescaped(segment)),
            Value::Array(items) => items.get(index(segment)?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        })
}

/// The same, to be changed.
pub(super) fn get_mut<'v>(value: &'v mut Value, pointer: &str) -> Option<&'v mut Value> {
    pointer
        .split('/')
        .skip(1)
        .try_fold(value, |value, segment| match value {
            Value::Object(map) => map.get_mut(&*unescaped(segment)),
            Value::Array(items) => items.get_mut(index(segment)?),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        })
}

/// The position a segment stands for in a list.
pub(super) fn index(segment: &str) -> Option<usize> {
    segment
        .parse()
        .ok()
        .filter(|_| segment == "0" || !segment.starts_with(['0', '+']))
}

/// Whether a pointer is another one or leads into what that one points to.
pub(super) fn is_within(pointer: &str, outer: &str) -> bool {
    pointer
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The arguments with repairs made. What no longer fits is left out.
pub(super) fn repaired<'a>(
    arguments: &Value,
    repairs: impl IntoIterator<Item = (&'a str, &'a Repair)>,
) -> Value {
    let mut value = arguments.clone();
    let mut names = Vec::new();
    for (pointer, repair) in repairs {
        match repair {
            Repair::Replace(_) => apply(&mut value, pointer, repair),
            // Names are changed after values, so that a pointer means what it meant in the arguments.
            Repair::Insert(_) | Repair::Rename(_) | Repair::Remove => names.push((pointer, repair)),
        }
    }
    for (pointer, repair) in names {
        apply(&mut value, pointer, repair);
    }
    value
}

/// The arguments without some of their members.
pub(super) fn without<'a>(arguments: &Value, pointers: impl IntoIterator<Item = &'a str>) -> Value {
    let mut value = arguments.clone();
    for pointer in pointers {
        apply(&mut value, pointer, &Repair::Remove);
    }
    value
}

fn apply(value: &mut Value, pointer: &str, repair: &Repair) {
    match repair {
        Repair::Replace(new) => {
            if let Some(place) = get_mut(value, pointer) {
                *place = new.clone();
            }
        }
        Repair::Insert(new) => {
            if let Some((map, name)) = member(value, pointer) {
                map.insert(name.into_owned(), new.clone());
            }
        }
        Repair::Rename(new) => {
            if let Some((map, name)) = member(value, pointer)
                && let Some(moved) = map.remove(&*name)
            {
                map.insert(new.to_string(), moved);
            }
        }
        Repair::Remove => {
            if let Some((map, name)) = member(value, pointer) {
                map.remove(&*name);
            }
        }
    }
}

fn member<'v, 'p>(
    value: &'v mut Value,
    pointer: &'p str,
) -> Option<(&'v mut Map<String, Value>, Cow<'p, str>)> {
    let (parent, name) = parent(pointer)?;
    Some((get_mut(value, parent)?.as_object_mut()?, name))
}
