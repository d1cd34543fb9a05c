//! The audit entry of a call.

use breakfall::audit::{Entry, OutputStatus, input_hash};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::event::{CallEvent, CallOutcome};
use super::log::millis;
use crate::store::Document;

/// The arguments of a call until the recorder's thread hashes them.
#[derive(Debug)]
pub(super) enum Input {
    Small(Box<str>),
    /// The hash of large arguments, which costs less than keeping them.
    Large(String),
}

impl Input {
    pub(super) fn of(arguments: &str) -> Self {
        if arguments.len() <= MAX_PARSED_BYTES {
            Self::Small(arguments.into())
        } else {
            Self::Large(hash_as_is(arguments))
        }
    }

    pub(super) fn size(&self) -> usize {
        match self {
            Self::Small(text) => text.len(),
            Self::Large(hash) => hash.len(),
        }
    }

    /// A hash that does not depend on the order of keys or on whitespace, as servers with an audit trail write it. Large
    /// arguments, and those with numbers that do not fit a double, are hashed as written.
    fn hash(self) -> String {
        match self {
            Self::Small(text) if text.is_empty() => {
                input_hash(&Value::Object(serde_json::Map::new()))
            }
            Self::Small(text) => match serde_json::from_str::<Value>(&text) {
                Ok(value) => input_hash(&value),
                Err(_) => hash_as_is(&text),
            },
            Self::Large(hash) => hash,
        }
    }
}

fn hash_as_is(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let first = hash.iter().take(8);
    first.fold(String::with_capacity(16), |mut out, byte| {
        use std::fmt::Write as _;
        // Writing to a string does not fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

const MAX_PARSED_BYTES: usize = 64 << 10;

/// The audit entry of a call, ready to be stored.
pub(super) fn of(event: &CallEvent, input: Input) -> Document {
    let status = match event.outcome {
        CallOutcome::Success => OutputStatus::Success,
        CallOutcome::Failed { .. } | CallOutcome::Cancelled => OutputStatus::Error,
        CallOutcome::Asks => OutputStatus::Partial,
    };
    let mut entry = Entry::of(
        &*event.tool,
        input.hash(),
        status,
        event.id.clone(),
        event.at,
        event.took,
    )
    .metadata("upstream", &*event.upstream);
    if event.outcome != CallOutcome::Success {
        let key = match event.outcome {
            CallOutcome::Failed { .. } => "code",
            CallOutcome::Success | CallOutcome::Asks | CallOutcome::Cancelled => "end",
        };
        entry = entry.metadata(key, event.outcome.as_str());
    }
    if let Some(origin) = event.outcome.origin() {
        entry = entry.metadata("origin", origin.as_str());
    }
    entry = entry
        .metadata("attempts", event.attempts)
        .metadata("sent_bytes", event.sent)
        .metadata("received_bytes", event.received);
    if !event.waited.is_zero() {
        entry = entry.metadata("waited_ms", millis(event.waited));
    }
    if !event.warnings.is_empty() {
        let names = event.warnings.iter().map(|warning| warning.name());
        entry = entry.metadata("warnings", names.collect::<Vec<_>>());
    }
    if let Some(trace) = event.trace {
        entry = entry.metadata("trace_id", trace.trace_id().to_string());
    }
    if let Some(principal) = &event.principal {
        entry = entry.user(&**principal);
    }
    Document {
        id: event.id.as_str().into(),
        at: event.at,
        text: entry.to_string(),
    }
}
