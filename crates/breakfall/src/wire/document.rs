//! What encoding gives: a value that serialises with its keys in the order of its format.

use std::borrow::Cow;
use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{native, problem};
use crate::details::Details;

/// An encoded outcome, not yet turned into bytes.
#[derive(Debug)]
pub struct Document<'a>(pub(crate) DocumentBody<'a>);

#[derive(Debug)]
pub(crate) enum DocumentBody<'a> {
    Native(native::CallResult<'a>),
    Problem(problem::ProblemBody<'a>),
    Fields(OrderedFields),
    /// A success of a dialect that has no envelope for it: the payload itself.
    Payload(Value),
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            DocumentBody::Native(body) => body.serialize(serializer),
            DocumentBody::Problem(body) => body.serialize(serializer),
            DocumentBody::Fields(body) => body.serialize(serializer),
            DocumentBody::Payload(value) => value.serialize(serializer),
        }
    }
}

impl Document<'_> {
    /// The document as compact JSON.
    pub fn to_json(&self) -> String {
        to_json(self)
    }

    /// The document as JSON indented by two spaces.
    pub fn to_pretty(&self) -> String {
        to_pretty(self)
    }

    /// The document as a value.
    pub fn to_value(&self) -> Value {
        to_value(self)
    }
}

impl From<OrderedFields> for Document<'_> {
    fn from(fields: OrderedFields) -> Self {
        Self(DocumentBody::Fields(fields))
    }
}

/// An object that keeps its keys in insertion order.
#[derive(Debug, Default)]
pub(crate) struct OrderedFields(Vec<(Cow<'static, str>, FieldValue)>);

#[derive(Debug)]
enum FieldValue {
    Value(Value),
    Details(Details),
    Fields(OrderedFields),
    List(Vec<OrderedFields>),
}

impl OrderedFields {
    pub(crate) fn put(
        &mut self,
        key: impl Into<Cow<'static, str>>,
        value: impl Into<Value>,
    ) -> &mut Self {
        self.0.push((key.into(), FieldValue::Value(value.into())));
        self
    }

    /// Undefined values are never serialised.
    pub(crate) fn put_some(
        &mut self,
        key: &'static str,
        value: Option<impl Into<Value>>,
    ) -> &mut Self {
        match value {
            Some(value) => self.put(key, value),
            None => self,
        }
    }

    /// Puts details unless they are empty.
    pub(crate) fn put_details(&mut self, key: &'static str, details: Details) -> &mut Self {
        if !details.is_empty() {
            self.0.push((key.into(), FieldValue::Details(details)));
        }
        self
    }

    pub(crate) fn nest(&mut self, key: &'static str, fields: Self) -> &mut Self {
        self.0.push((key.into(), FieldValue::Fields(fields)));
        self
    }

    /// Nests an object unless it is empty.
    pub(crate) fn nest_some(&mut self, key: &'static str, fields: Self) -> &mut Self {
        if fields.is_empty() {
            self
        } else {
            self.nest(key, fields)
        }
    }

    pub(crate) fn list(&mut self, key: &'static str, items: Vec<Self>) -> &mut Self {
        self.0.push((key.into(), FieldValue::List(items)));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for OrderedFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, node) in &self.0 {
            match node {
                FieldValue::Value(value) => map.serialize_entry(key, value)?,
                FieldValue::Details(details) => map.serialize_entry(key, details)?,
                FieldValue::Fields(fields) => map.serialize_entry(key, fields)?,
                FieldValue::List(items) => map.serialize_entry(key, items)?,
            }
        }
        map.end()
    }
}

pub(crate) fn to_json(value: &impl Serialize) -> String {
    // Room for a usual fault at once: growing step by step costs more than the writing.
    let mut bytes = Vec::with_capacity(1024);
    serde_json::to_writer(&mut bytes, value).expect(INFALLIBLE);
    String::from_utf8(bytes).expect("JSON is written as UTF-8")
}

pub(crate) fn to_pretty(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect(INFALLIBLE)
}

pub(crate) fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect(INFALLIBLE)
}

const INFALLIBLE: &str =
    "documents have string keys and write to memory, the two ways serialising can fail";

/// The dialect has no way to say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodeError {
    pub(crate) what: &'static str,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "problem carries failures only and this is a {}; use another dialect for it",
            self.what
        )
    }
}

impl std::error::Error for EncodeError {}
