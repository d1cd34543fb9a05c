//! The entry of an audit trail: who called what, when, with which input and to what end.
//!
//! The input itself is never part of it, only a short hash by which equal calls are recognised; and of a failure only its
//! code, since its words may repeat the input.
//!
//! ```
//! use std::time::Duration;
//!
//! use breakfall::audit::Entry;
//! use breakfall::{CorrelationId, Fault, Outcome, Stamp, Timestamp};
//! use serde_json::json;
//!
//! let outcome = Outcome::from(Fault::not_found("order", "ord_7"));
//! let stamp = Stamp::Fixed(CorrelationId::new("c-1").expect("an id"), Timestamp::UNIX_EPOCH);
//! let entry = Entry::new("get_order", &json!({"id": "ord_7"}), &outcome, &stamp, Duration::from_millis(12))
//!     .user("usr_1");
//! assert_eq!(
//!     entry.to_string(),
//!     r#"{"correlation_id":"c-1","tool_name":"get_order","action":"tools/call","timestamp":"1970-01-01T00:00:00.000Z","input_hash":"047b4a87f7f5f4ef","output_status":"error","duration_ms":12,"user_id":"usr_1","metadata":{"code":"NOT_FOUND_RESOURCE"}}"#
//! );
//! ```

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use jiff::Timestamp;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::fault::{CorrelationId, Fault, Public, Stamp};
use crate::outcome::{Outcome, Verdict};

/// One call, as the trail keeps it.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Entry {
    correlation_id: CorrelationId,
    tool_name: String,
    tenant_id: Option<String>,
    action: String,
    timestamp: Timestamp,
    input_hash: String,
    output_status: OutputStatus,
    duration_ms: u64,
    user_id: Option<String>,
    metadata: Map<String, Value>,
}

impl Entry {
    /// The entry of a call: the tool, its arguments, what it came to, when it began and how long it took.
    ///
    /// A failure that has an id and a time of its own keeps them, so that the entry is found by what the caller was told;
    /// otherwise they come from the stamp.
    pub fn new(
        tool_name: impl Into<String>,
        arguments: &Value,
        outcome: &Outcome,
        stamp: &Stamp,
        took: Duration,
    ) -> Self {
        let fault = outcome.fault().map(Fault::public);
        let own = match outcome {
            Outcome::Success(success) => success.correlation_id.clone(),
            Outcome::NeedsInput(_) | Outcome::Batch(_) | Outcome::Fault(_) => {
                fault.and_then(|fault| fault.correlation_id().cloned())
            }
        };
        let (id, now) = stamp.take();
        let entry = Self::of(
            tool_name,
            input_hash(arguments),
            OutputStatus::of(outcome),
            own.unwrap_or(id),
            fault.and_then(Public::timestamp).unwrap_or(now),
            took,
        );
        match fault {
            Some(fault) => entry.metadata("code", fault.code().name()),
            None => entry,
        }
    }

    /// The entry of a call of which only the status is known, not the outcome: a proxied call, or one that the caller
    /// abandoned before it ended.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use breakfall::audit::{Entry, OutputStatus, input_hash};
    /// use breakfall::{CorrelationId, Timestamp};
    ///
    /// let id = CorrelationId::new("c-1").expect("an id");
    /// let hash = input_hash(&serde_json::json!({}));
    /// let entry = Entry::of("get_order", hash, OutputStatus::Success, id, Timestamp::UNIX_EPOCH, Duration::ZERO);
    /// assert_eq!(entry.output_status(), OutputStatus::Success);
    /// ```
    pub fn of(
        tool_name: impl Into<String>,
        input_hash: impl Into<String>,
        output_status: OutputStatus,
        correlation_id: CorrelationId,
        timestamp: Timestamp,
        took: Duration,
    ) -> Self {
        Self {
            correlation_id,
            tool_name: tool_name.into(),
            tenant_id: None,
            action: ACTION.to_owned(),
            timestamp,
            input_hash: input_hash.into(),
            output_status,
            duration_ms: millis(took),
            user_id: None,
            metadata: Map::new(),
        }
    }

    /// What was done, where `tools/call` says too little: `delete`, `approve`.
    pub fn action(mut self, action: impl Into<String>) -> Self {
        self.action = action.into();
        self
    }

    /// On whose behalf, where one server has several tenants.
    pub fn tenant(mut self, id: impl Into<String>) -> Self {
        self.tenant_id = Some(id.into());
        self
    }

    /// Who called.
    pub fn user(mut self, id: impl Into<String>) -> Self {
        self.user_id = Some(id.into());
        self
    }

    /// Anything else worth keeping. Not the input, nor anything made of it.
    pub fn metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// The id the caller was told.
    pub fn correlation_id(&self) -> &CorrelationId {
        &self.correlation_id
    }

    /// What it came to.
    pub fn output_status(&self) -> OutputStatus {
        self.output_status
    }

    /// The hash of the input.
    pub fn input_hash(&self) -> &str {
        &self.input_hash
    }
}

const ACTION: &str = "tools/call";

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The keys in the order the trail has them; what is not known is left out.
impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("correlation_id", self.correlation_id.as_str())?;
        map.serialize_entry("tool_name", &self.tool_name)?;
        if let Some(tenant) = &self.tenant_id {
            map.serialize_entry("tenant_id", tenant)?;
        }
        map.serialize_entry("action", &self.action)?;
        map.serialize_entry("timestamp", &format_args!("{:.3}", self.timestamp))?;
        map.serialize_entry("input_hash", &self.input_hash)?;
        map.serialize_entry("output_status", self.output_status.as_str())?;
        map.serialize_entry("duration_ms", &self.duration_ms)?;
        if let Some(user) = &self.user_id {
            map.serialize_entry("user_id", user)?;
        }
        if !self.metadata.is_empty() {
            map.serialize_entry("metadata", &self.metadata)?;
        }
        map.end()
    }
}

/// One line of JSON, without the line break.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&line)
    }
}

/// What a call came to, in the three words of the trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the three words of the trail")]
pub enum OutputStatus {
    /// It worked.
    Success,
    /// It did not.
    Error,
    /// Some of it did: a batch with failures, or a call that waits for a person.
    Partial,
}

impl OutputStatus {
    /// The status of an outcome.
    pub fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Success(_) => Self::Success,
            Outcome::Fault(_) => Self::Error,
            Outcome::NeedsInput(_) => Self::Partial,
            Outcome::Batch(batch) => match batch.verdict() {
                Verdict::Complete if batch.tally().pending > 0 => Self::Partial,
                Verdict::Complete => Self::Success,
                Verdict::Partial => Self::Partial,
                Verdict::Failed => Self::Error,
            },
        }
    }

    /// The word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Partial => "partial",
        }
    }
}

/// The first 16 hexadecimal digits of SHA-256 over the input as JSON with sorted keys and without spaces.
///
/// ```
/// use breakfall::audit::input_hash;
/// use serde_json::json;
///
/// assert_eq!(input_hash(&json!({})), "44136fa355b3678a");
/// assert_eq!(input_hash(&json!({"a": 1, "b": 2})), input_hash(&json!({"b": 2, "a": 1})));
/// ```
pub fn input_hash(input: &Value) -> String {
    let mut hex = String::with_capacity(16);
    for byte in &digest(input)[..8] {
        for digit in [byte >> 4, byte & 15] {
            hex.push(char::from(b"0123456789abcdef"[usize::from(digit)]));
        }
    }
    hex
}

fn digest(input: &Value) -> [u8; 32] {
    let mut sink = HashWriter(Sha256::new());
    canonical(input, &mut sink).expect("a hash takes any bytes");
    sink.0.finalize().into()
}

/// A writer that hashes its input, so that the input is never copied.
struct HashWriter(Sha256);

impl Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Keys are sorted here: whether a map keeps its keys sorted depends on a feature that any crate of the build may set.
fn canonical(value: &Value, out: &mut HashWriter) -> io::Result<()> {
    match value {
        Value::Object(map) => {
            let mut members: Vec<_> = map.iter().collect();
            members.sort_unstable_by_key(|(key, _)| *key);
            out.write_all(b"{")?;
            for (at, (key, value)) in members.into_iter().enumerate() {
                if at > 0 {
                    out.write_all(b",")?;
                }
                serde_json::to_writer(&mut *out, key)?;
                out.write_all(b":")?;
                canonical(value, out)?;
            }
            out.write_all(b"}")
        }
        Value::Array(items) => {
            out.write_all(b"[")?;
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.write_all(b",")?;
                }
                canonical(item, out)?;
            }
            out.write_all(b"]")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            Ok(serde_json::to_writer(&mut *out, value)?)
        }
    }
}
