//! What the server remembers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::call::Call;

#[derive(Debug, Default)]
pub(super) struct Notes {
    /// The params of `initialize`, once it came.
    pub initialize: Value,
    /// How often `notifications/initialized` came.
    pub initialized: u64,
    pub level: Option<Value>,
    pub subscriptions: BTreeSet<String>,
    /// Open `subscriptions/listen`: id and filter.
    pub listens: Vec<(Value, Value)>,
    /// Calls of tools so far, in this process.
    pub calls: u64,
    /// Answers to calls of tools so far, in this process.
    pub answered: u64,
    /// The highest number of a call that was answered.
    pub latest: u64,
    pub cancelled: Vec<Value>,
    /// Nothing of what we say from now on is heard.
    pub stuck: bool,
    pub parked: Vec<Call>,
    /// Our own questions so far.
    pub asked: u64,
    /// What the client replied to them, by the id as JSON.
    pub replies: BTreeMap<String, Value>,
}

impl Notes {
    /// What the tool `state` tells.
    pub(super) fn told(&self) -> Value {
        json!({
            "pid": std::process::id(),
            "initialize": self.initialize,
            "initialized": self.initialized,
            "level": self.level,
            "subscriptions": self.subscriptions,
            "listens": self.listens.iter().map(|(_, filter)| filter).collect::<Vec<_>>(),
            "calls": self.calls,
            "answered": self.answered,
            "cancelled": self.cancelled,
            "parked": self.parked.len(),
        })
    }
}
