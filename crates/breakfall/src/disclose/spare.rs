//! What the caller sent, and may therefore read again.

use std::collections::HashSet;

use serde_json::Value;

use super::Audience;
use super::engine;
use super::mark::Class;

/// What may be read again.
#[derive(Debug, Clone, Default)]
pub(super) struct Spared {
    /// Texts out of the arguments of a call, and what the rules find in them.
    texts: HashSet<Box<str>>,
    /// A secret that was made for this reader.
    presented: Option<Box<str>>,
}

impl Spared {
    /// What arguments hold, if it is anything.
    pub(super) fn of(arguments: &Value) -> Option<Self> {
        let mut all = Self::default();
        let mut room = MOST_BYTES;
        all.add(arguments, &mut room);
        (!all.texts.is_empty()).then_some(all)
    }

    /// Makes a secret one that was made for this reader.
    pub(super) fn present(&mut self, secret: &str) {
        self.presented = (!secret.is_empty()).then(|| secret.into());
    }

    /// Whether a text was made for this reader.
    pub(super) fn presents(&self, text: &str) -> bool {
        self.presented.as_deref() == Some(text)
    }

    /// Whether a find may stay: it was made for this reader, or the caller sent it and it is no secret.
    pub(super) fn has(&self, text: &str, class: Class) -> bool {
        self.presents(text) || (class != Class::Secret && self.texts.contains(text))
    }

    fn add(&mut self, value: &Value, room: &mut usize) {
        match value {
            Value::String(text) => self.add_text(text, room),
            Value::Array(items) => items.iter().for_each(|item| self.add(item, room)),
            Value::Object(map) => {
                for (key, value) in map {
                    self.add_text(key, room);
                    self.add(value, room);
                }
            }
            Value::Number(number) => self.add_text(&number.to_string(), room),
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn add_text(&mut self, text: &str, room: &mut usize) {
        let whole = text.trim();
        if whole.is_empty() || whole.len() > *room || self.texts.contains(whole) {
            return;
        }
        *room -= whole.len();
        for span in engine::spans(whole, Audience::Client) {
            if span.mark.class() != Class::Secret {
                self.texts.insert(whole[span.start..span.end].into());
            }
        }
        self.texts.insert(whole.into());
    }
}

/// Arguments beyond this are not remembered: who sends so much does not need it echoed.
const MOST_BYTES: usize = 256 * 1024;
