//! The shapes of error bodies, the particular before the general. Each has an example, which is its test.

mod cloud;
mod lists;
mod plain;
mod violations;

use serde_json::{Map, Value};

use super::BodyReading;

/// A shape in which APIs write errors.
pub(super) struct BodyShape {
    /// The name of the rule.
    pub(super) name: &'static str,
    /// Reads it, or finds that it is another.
    pub(super) read: fn(&Map<String, Value>) -> Option<BodyReading>,
    /// Bodies in this shape.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for the tests"))]
    pub(super) examples: &'static [BodyExample],
}

/// An example body and the reading expected of it.
#[cfg_attr(not(test), expect(dead_code, reason = "examples are for the tests"))]
pub(super) struct BodyExample {
    pub(super) body: &'static str,
    pub(super) message: &'static str,
    pub(super) name: &'static str,
    pub(super) code: &'static str,
    pub(super) violations: &'static [&'static str],
}

pub(super) fn read(body: &Value) -> Option<BodyReading> {
    match body {
        Value::Object(map) => SHAPES.iter().find_map(|shape| {
            let said = (shape.read)(map)?;
            Some(BodyReading {
                shape: shape.name,
                ..said
            })
        }),
        // Some APIs answer with a bare list of errors, or with a bare sentence.
        Value::Array(_) => Some(BodyReading {
            shape: lists::ERRORS.name,
            ..lists::several(body, &Map::new())?
        }),
        Value::String(text) => Some(BodyReading {
            shape: "text",
            message: Some(text.clone()),
            ..BodyReading::default()
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

pub(super) const SHAPES: &[BodyShape] = &[
    lists::GRAPHQL,
    cloud::GOOGLE,
    cloud::AMAZON,
    cloud::OAUTH,
    plain::PROBLEM,
    lists::JSON_API,
    lists::FASTAPI,
    lists::FIELDS,
    lists::ERRORS,
    plain::NESTED,
    plain::MESSAGE,
    lists::FIELD_MAP,
];

/// A member that is a text and says something.
fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    let text = map.get(key)?.as_str()?;
    (!text.trim().is_empty()).then_some(text)
}

/// The first of some members that is a text.
fn first_text<'a>(map: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a str> {
    keys.iter().find_map(|key| text(map, key))
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}
