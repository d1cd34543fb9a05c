//! The kinds of values a file has, how they are read and what their schema is.

use std::borrow::Cow;
use std::time::Duration;

use breakfall::suggest::nearest;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::care::{Switch, Timeout};
use super::problem::Problem;
use super::read::{Given, Read, Reader, in_place, listed};
use super::tree::{Node, Value};
use super::units;
use crate::resilience::timeouts::Class;

/// Names and what they stand for, in the order of the file.
#[derive(Debug)]
pub(super) struct Map<T>(pub(super) Vec<(String, Given<T>)>);

impl<T: Read> Read for Map<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let mut out = Vec::new();
        for (key, node) in reader.entries(node)? {
            if let Some(value) = reader.item(key.text.clone(), key.span.clone(), node) {
                out.push((key.text.clone(), value));
            }
        }
        Some(Self(out))
    }
}

in_place!(Map<T> where T, generator => json_schema!({
    "type": "object",
    "additionalProperties": generator.subschema_for::<T>(),
}));

/// Items in a row.
#[derive(Debug)]
pub(super) struct List<T>(pub(super) Vec<Given<T>>);

impl<T: Read> Read for List<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let Value::List(items) = &node.value else {
            return reader.wrong(node, "a list");
        };
        let items = items.iter().enumerate();
        let read = items
            .filter_map(|(index, node)| reader.item(format!("[{index}]"), node.span.clone(), node));
        Some(Self(read.collect()))
    }
}

in_place!(List<T> where T, generator => json_schema!({
    "type": "array",
    "items": generator.subschema_for::<T>(),
}));

impl Read for String {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Bool(_) | Value::Number(_) => reader.wrong(node, "a text (in quotes)"),
            Value::Null | Value::List(_) | Value::Map(_) => reader.wrong(node, "a text"),
        }
    }
}

impl Read for bool {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        if let Value::Bool(value) = &node.value {
            return Some(*value);
        }
        let problem = Problem::new(format!("expected true or false, got {}", node.kind()));
        reader.add(
            node,
            match meant(node) {
                Some(meant) => problem.label(format!("did you mean {meant}?")),
                None => problem,
            },
        );
        None
    }
}

/// What a word was before YAML 1.2, in which it is a text.
fn meant(node: &Node) -> Option<bool> {
    let Value::Text(text) = &node.value else {
        return None;
    };
    match &*text.to_ascii_lowercase() {
        "yes" | "on" | "y" => Some(true),
        "no" | "off" | "n" => Some(false),
        _ => None,
    }
}

/// A text, or a number or boolean taken for the text it is written as: `PORT: 8080` needs no quotes.
#[derive(Debug, Clone)]
pub(super) struct Plain(pub(super) String);

impl Read for Plain {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::Text(text) | Value::Number(text) => Some(Self(text.clone())),
            Value::Bool(value) => Some(Self(value.to_string())),
            Value::Null => reader.refuse(node, "nothing is given; write \"\" for an empty text"),
            Value::List(_) | Value::Map(_) => reader.wrong(node, "a text"),
        }
    }
}

in_place!(Plain, _generator => json_schema!({"type": ["string", "number", "boolean"]}));

/// A duration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Time(pub(super) Duration);

impl Read for Time {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let (Value::Text(text) | Value::Number(text)) = &node.value else {
            reader.add(
                node,
                Problem::new(format!("expected a duration, got {}", node.kind()))
                    .hint(units::DURATIONS),
            );
            return None;
        };
        let problem = match units::duration(text) {
            Ok(time) if time > units::LONGEST_TIME => {
                Problem::new(format!("'{text}' is too long")).hint("the longest is 30d")
            }
            Ok(time) => return Some(Self(time)),
            Err(_) if matches!(node.value, Value::Number(_)) => {
                let problem = Problem::new(format!("{text} has no unit"));
                problem
                    .label(format!("did you mean {text}s?"))
                    .hint(units::DURATIONS)
            }
            Err(why) => {
                Problem::new(format!("'{text}' is no duration: {why}")).hint(units::DURATIONS)
            }
        };
        reader.add(node, problem);
        None
    }
}

in_place!(Time, _generator => json_schema!({
    "type": "string",
    "pattern": units::DURATION_PATTERN,
    "examples": ["250ms", "30s", "5m", "1h30m"],
}));

/// A duration, or the word of a class of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wait(pub(super) Timeout);

impl Read for Wait {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        if let Value::Text(text) = &node.value {
            if let Some(class) = Class::from_word(text) {
                return Some(Self(Timeout::Class(class)));
            }
            let classes: Vec<&str> = Class::ALL.iter().map(|class| class.as_str()).collect();
            if let Some(meant) = nearest(text, classes.iter().copied()) {
                let problem = Problem::new(format!("'{text}' is no duration and no class"));
                let hint = format!("the classes are {}", listed(&classes));
                reader.add(
                    node,
                    problem.label(format!("did you mean '{meant}'?")).hint(hint),
                );
                return None;
            }
        }
        Time::read(node, reader).map(|time| Self(Timeout::Quiet(time.0)))
    }
}

in_place!(Wait, _generator => json_schema!({
    "type": "string",
    "anyOf": [
        {"pattern": units::DURATION_PATTERN},
        {"enum": Class::ALL.iter().map(|class| class.as_str()).collect::<Vec<_>>()},
    ],
    "examples": ["250ms", "30s", "5m", "1h30m", "fast"],
}));

/// A table, or a word to switch what it is about on or off.
impl<T: Read + Default + Example> Read for Switch<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::Bool(false) => Some(Self::Off),
            Value::Bool(true) => Some(Self::On(T::default())),
            Value::Text(text) if text == "off" => Some(Self::Off),
            Value::Text(text) if text == "on" => Some(Self::On(T::default())),
            Value::Map(_) => T::read(node, reader).map(Self::On),
            Value::Text(_) | Value::Null | Value::Number(_) | Value::List(_) => {
                let problem =
                    Problem::new(format!("expected a map, on or off, got {}", node.kind()));
                reader.add(node, problem.hint(format!("for example {}", T::EXAMPLE)));
                None
            }
        }
    }
}

/// A table that can be shown to whoever got it wrong.
pub(super) trait Example {
    /// One that is right.
    const EXAMPLE: &'static str;
}

in_place!(Switch<T> where T, generator => json_schema!({
    "anyOf": [
        generator.subschema_for::<T>(),
        {"enum": ["on", "off", true, false]},
    ],
}));

/// A number of bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size(pub(super) u64);

impl Read for Size {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let problem = match &node.value {
            Value::Number(text) => match text.parse() {
                Ok(bytes) => return Some(Self(bytes)),
                Err(_) => Problem::new(format!("{text} is no number of bytes")),
            },
            Value::Text(text) => match units::size(text) {
                Ok(bytes) => return Some(Self(bytes)),
                Err(why) => Problem::new(format!("'{text}' is no size: {why}")),
            },
            Value::Null | Value::Bool(_) | Value::List(_) | Value::Map(_) => {
                Problem::new(format!("expected a size, got {}", node.kind()))
            }
        };
        reader.add(node, problem.hint(units::SIZES));
        None
    }
}

in_place!(Size, _generator => json_schema!({
    "type": ["string", "integer"],
    "pattern": units::SIZE_PATTERN,
    "minimum": 0,
    "examples": ["512KiB", "16MiB", "64 MB"],
}));

/// A whole number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count(pub(super) u64);

impl Read for Count {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let Value::Number(text) = &node.value else {
            return reader.wrong(node, "a whole number");
        };
        match text.parse() {
            Ok(count) => Some(Self(count)),
            Err(_) => reader.refuse(
                node,
                format!("expected a whole number that is not negative, got {text}"),
            ),
        }
    }
}

in_place!(Count, _generator => json_schema!({"type": "integer", "minimum": 0}));

/// A number, not negative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amount(pub(super) f64);

impl Read for Amount {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let Value::Number(text) = &node.value else {
            return reader.wrong(node, "a number");
        };
        match text.parse::<f64>() {
            Ok(amount) if amount.is_finite() && amount >= 0.0 => Some(Self(amount)),
            _ => reader.refuse(
                node,
                format!("expected a number that is not negative, got {text}"),
            ),
        }
    }
}

in_place!(Amount, _generator => json_schema!({"type": "number", "minimum": 0}));

/// A word out of a closed set.
pub(super) trait Choice: Copy + 'static {
    /// What the words are, in the plural.
    const WHAT: &'static str;
    /// All of them.
    fn all() -> &'static [Self];
    /// The word of one.
    fn word(self) -> &'static str;
}

/// One of a closed set.
#[derive(Debug, Clone, Copy)]
pub(super) struct One<T>(pub(super) T);

impl<T: Choice> Read for One<T> {
    fn read(node: &Node, reader: &mut Reader) -> Option<Self> {
        let words: Vec<&str> = T::all().iter().map(|choice| choice.word()).collect();
        let (Value::Text(text) | Value::Number(text)) = &node.value else {
            return reader.wrong(node, &format!("one of {}", words.join(", ")));
        };
        let found = T::all().iter().find(|choice| choice.word() == text);
        if found.is_none() {
            let problem = Problem::new(format!("'{text}' is none of the {}", T::WHAT));
            let problem = match nearest(text, words.iter().copied()) {
                Some(meant) => problem.label(format!("did you mean '{meant}'?")),
                None => problem,
            };
            reader.add(node, problem.hint(format!("they are {}", listed(&words))));
        }
        found.copied().map(Self)
    }
}

impl<T: Choice> JsonSchema for One<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::WHAT.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words: Vec<&str> = T::all().iter().map(|choice| choice.word()).collect();
        json_schema!({"type": "string", "enum": words})
    }
}
