//! What the caller sent, and may therefore read again.

use std::collections::HashSet;

use serde_json::Value;

use super::Audience;
use super::engine;
use super::mark::Class;

/// Texts out of the arguments of a call, and what the rules find in them.
#[derive(Debug)]
pub(super) struct Spared(HashSet<Box<str>>);

impl Spared {
    /// What arguments hold, if it is anything.
    pub(super) fn of(arguments: &Value) -> Option<Self> {
        let mut all = Self(HashSet::new());
        let mut room = MOST_BYTES;
        all.add(arguments, &mut room);
        (!all.0.is_empty()).then_some(all)
    }

    /// Whether the caller sent it.
    pub(super) fn has(&self, text: &str) -> bool {
        self.0.contains(text)
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
        if whole.is_empty() || whole.len() > *room || self.0.contains(whole) {
            return;
        }
        *room -= whole.len();
        for span in engine::spans(whole, Audience::Client) {
            if span.mark.class() != Class::Secret {
                self.0.insert(whole[span.start..span.end].into());
            }
        }
        self.0.insert(whole.into());
    }
}

/// Arguments beyond this are not remembered: who sends so much does not need it echoed.
const MOST_BYTES: usize = 256 * 1024;
