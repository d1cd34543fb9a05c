//! The free part of a fault: a small map, sorted by key so that output is deterministic.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value};

/// Details of a fault or context of a warning: safe to show, typed per code by its row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Details(Vec<(Cow<'static, str>, Value)>);

impl Details {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.position(key).ok().map(|at| &self.0[at].1)
    }

    /// The string value of a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }

    /// Whether there is anything.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Keys and values, sorted by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value))
    }

    pub(crate) fn insert(&mut self, key: impl Into<Cow<'static, str>>, value: Value) {
        let key = key.into();
        match self.position(&key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }

    /// Undefined values are never written.
    pub(crate) fn insert_some(&mut self, key: &'static str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.insert(key, value.into());
        }
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<Value> {
        self.position(key).ok().map(|at| self.0.remove(at).1)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.0.iter_mut().map(|(key, value)| (&**key, value))
    }

    /// Gives keys another name. Of two that get the same one, the later stays.
    pub(crate) fn rename(&mut self, name: impl Fn(&str) -> Option<String>) {
        if self.0.iter().any(|(key, _)| name(key).is_some()) {
            let all = std::mem::take(&mut self.0).into_iter();
            *self = all
                .map(|(key, value)| (name(&key).map_or(key, Cow::Owned), value))
                .collect();
        }
    }

    pub(crate) fn to_map(&self) -> Map<String, Value> {
        self.0
            .iter()
            .map(|(key, value)| (key.clone().into_owned(), value.clone()))
            .collect()
    }

    fn position(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(have, _)| have.as_ref().cmp(key))
    }
}

impl<K: Into<Cow<'static, str>>> FromIterator<(K, Value)> for Details {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(pairs: I) -> Self {
        let mut details = Self::default();
        for (key, value) in pairs {
            details.insert(key, value);
        }
        details
    }
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
