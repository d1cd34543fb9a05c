//! The caller's side: a tool result or JSON-RPC error in any dialect → an [`Outcome`], how it was recognised, and
//! how long to wait before a retry. An agent or client author needs nothing else.

mod advice;
mod delay;
mod result;
mod rpc;

pub use crate::classify::rpc::code_for_rpc;
pub use advice::Advice;
pub use delay::Backoff;
use serde_json::Value;

use crate::classify::Classifier;
use crate::classify::rpc::Call;
use crate::fault::Confidence;
use crate::outcome::{Outcome, Verdict};
use crate::wire::{Dialect, Options};

/// What was read, and how.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading {
    /// What the call came to.
    pub outcome: Outcome,
    /// The dialect, where there was one.
    pub dialect: Option<Dialect>,
    /// Where it stood.
    pub channel: Channel,
    /// How sure that is what it means.
    pub confidence: Confidence,
    /// What shows that the call failed, if it did.
    pub evidence: FailureEvidence,
    /// Whether the tool may be called twice, as far as the reader was told.
    is_repeatable: bool,
}

/// Where an outcome was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the places MCP has for an outcome")]
pub enum Channel {
    /// `_meta` of a tool result, under this library's key.
    Meta,
    /// A text block that holds JSON.
    JsonBlock,
    /// `structuredContent`.
    Structured,
    /// A text block in our own wording.
    Text,
    /// Nothing but `isError`.
    IsError,
    /// A JSON-RPC error.
    RpcError,
    /// A bare document, outside any MCP message.
    Document,
    /// Content without any mark of a failure.
    Payload,
}

/// What shows that a call failed, the surest first. It says nothing about how it failed: see [`Reading::confidence`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "clients decide by every one")]
pub enum FailureEvidence {
    /// The answer declares it: a JSON-RPC error, `isError`, or this library's own object in `_meta`.
    Declared,
    /// The answer claims success, and its structure says otherwise: a known envelope with an explicit mark of failure, a
    /// framework's own prefix that names the tool, `MCP error -32602: …`.
    Structural,
    /// The answer claims success, and its text reads like a failure. It may be what the tool was asked for: the output of
    /// a command, a file, a cell of a table.
    Weak,
}

/// Reads a JSON-RPC response, a tool result, a JSON-RPC error object, or a bare document of any dialect.
///
/// Inside a tool result our own `_meta` key is asked first, since only we write it. Then, in the order clients are
/// told to look: a JSON block, `structuredContent`, and last the bare `isError` flag. It never fails, and it never
/// takes a failure for a success: what is marked as failed in any way is a fault, if need be one that could not be
/// classified. What is not marked as failed is a success. A JSON-RPC batch in which something failed is an
/// [`Outcome::Batch`], with the ids of its responses.
///
/// ```
/// use breakfall::read::Channel;
/// use serde_json::json;
///
/// let reading = breakfall::read(json!({"isError": true, "content": [{"type": "text", "text": "no luck"}]}));
/// assert_eq!(reading.channel, Channel::IsError);
/// assert_eq!(reading.outcome.fault().map(|fault| fault.code().name()), Some("INTERNAL_UNKNOWN"));
/// ```
pub fn read(message: Value) -> Reading {
    read_by(message, &Options::new(), &Classifier::new())
}

/// Reads what servers answer, knowing more of them than [`read`](fn@read) does.
///
/// ```
/// use std::time::Duration;
///
/// use breakfall::Timestamp;
/// use breakfall::classify::Classifier;
/// use breakfall::read::{Advice, Reader};
/// use serde_json::json;
///
/// let reader = Reader::new().classifier(Classifier::new().unmask(true)).repeatable(true);
/// let reading = reader.read(json!({"isError": true, "content": [{"type": "text", "text": "HTTP 503"}]}));
/// let advice = reading.advice(0, 0.5, Timestamp::UNIX_EPOCH);
/// assert_eq!(advice, Some(Advice::Repeat { after: Duration::from_secs(1) }));
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Reader {
    options: Options,
    classifier: Classifier,
    is_repeatable: bool,
}

impl Reader {
    /// A reader that knows as much as [`read`](fn@read).
    pub fn new() -> Self {
        Self::default()
    }

    /// The options of the formats, above all the catalogue of a server's own codes.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// The rules that classify what is in no format: an operator's own, and those that unmask failures which call
    /// themselves successes.
    pub fn classifier(mut self, classifier: Classifier) -> Self {
        self.classifier = classifier;
        self
    }

    /// Whether the tool that was called may be called twice: its annotations have `readOnlyHint` or `idempotentHint`, and
    /// the client believes them. [`Reading::advice`] then repeats calls whose failure leaves open whether they had an
    /// effect.
    pub fn repeatable(mut self, is_repeatable: bool) -> Self {
        self.is_repeatable = is_repeatable;
        self
    }

    /// Reads a message, as [`read`](fn@read) does.
    pub fn read(&self, message: Value) -> Reading {
        let reading = read_by(message, &self.options, &self.classifier);
        self.told(reading)
    }

    /// Reads the `error` member of a JSON-RPC response, as [`read_error`] does.
    pub fn read_error(&self, error: &Value, call: &Call<'_>) -> Reading {
        let reading = read_error(error, call, &self.options, &self.classifier);
        self.told(reading)
    }

    fn told(&self, reading: Reading) -> Reading {
        Reading {
            is_repeatable: self.is_repeatable,
            ..reading
        }
    }
}

/// [`read`](fn@read) with options, and by the rules of a classifier: an operator's own, and those that unmask failures which call themselves
/// successes, if it has them switched on.
///
/// ```
/// use breakfall::classify::Classifier;
/// use breakfall::wire::Options;
/// use serde_json::json;
///
/// let result = json!({"content": [{"type": "text", "text": "Error: Unknown tool: fly"}]});
/// let reading = breakfall::read::read_by(result, &Options::new(), &Classifier::new().unmask(true));
/// assert_eq!(reading.outcome.fault().map(|fault| fault.code().name()), Some("NOT_FOUND_OPERATION"));
/// ```
pub fn read_by(mut message: Value, options: &Options, classifier: &Classifier) -> Reading {
    if message.get("jsonrpc").is_some()
        && let Some(object) = message.as_object_mut()
    {
        if let Some(error) = object.remove("error").filter(|error| !error.is_null()) {
            return read_error(&error, &Call::new(), options, classifier);
        }
        if let Some(result) = object.remove("result") {
            return result::read(result, options, classifier);
        }
        if !object.contains_key("method") {
            return rpc::neither();
        }
    }
    if let Some(reading) = rpc::batch(&message, |one| read_by(one, options, classifier)) {
        return reading;
    }
    if rpc::is_error(&message) {
        return read_error(&message, &Call::new(), options, classifier);
    }
    result::read(message, options, classifier)
}

/// Reads the `error` member of a JSON-RPC response, knowing what was called: the same number says other things of a tool
/// and of a resource.
///
/// ```
/// use breakfall::classify::Classifier;
/// use breakfall::classify::rpc::Call;
/// use breakfall::wire::Options;
/// use serde_json::json;
///
/// let error = json!({"code": -32602, "message": "nope", "data": {"uri": "file:///a"}});
/// let call = Call::new().method("resources/read").name("file:///a");
/// let reading = breakfall::read::read_error(&error, &call, &Options::new(), &Classifier::new());
/// assert_eq!(reading.outcome.fault().map(|fault| fault.code().name()), Some("NOT_FOUND_RESOURCE"));
/// ```
pub fn read_error(
    error: &Value,
    call: &Call<'_>,
    options: &Options,
    classifier: &Classifier,
) -> Reading {
    rpc::read(error, call, options, classifier)
}

impl Reading {
    /// Whether it is Breakfall's own document at a place that is kept for it: the sender's statement, which no rule has to
    /// infer.
    pub fn is_own_document(&self) -> bool {
        let is_kept_for_it = match self.channel {
            Channel::Meta | Channel::Structured | Channel::RpcError => true,
            Channel::JsonBlock
            | Channel::Text
            | Channel::IsError
            | Channel::Document
            | Channel::Payload => false,
        };
        is_kept_for_it && self.dialect == Some(Dialect::Native)
    }

    /// Whether it is a failure by `success: false` or the like alone, in a document that is in no format to the letter and
    /// names no code.
    ///
    /// ```
    /// use breakfall::read::read;
    /// use serde_json::json;
    ///
    /// assert!(read(json!({"success": false, "error": "no luck"})).is_guess());
    /// ```
    pub fn is_guess(&self) -> bool {
        let fault = self.outcome.fault();
        let provenance = fault.and_then(|fault| fault.public().provenance());
        self.dialect != Some(Dialect::Native)
            && provenance.is_some_and(|provenance| provenance.rule == result::BROKEN)
    }

    /// Whether only words say that it is a failure.
    fn is_in_words(&self) -> bool {
        self.channel == Channel::Text
    }

    /// Whether all there is to it is an envelope that says so.
    fn is_denial(&self) -> bool {
        self.is_guess() && self.says_success_is_false()
    }

    /// A failure, a question, or a batch in which something failed.
    fn is_no_success(&self) -> bool {
        match &self.outcome {
            Outcome::Success(_) => false,
            Outcome::Batch(batch) => batch.verdict() != Verdict::Complete,
            Outcome::NeedsInput(_) | Outcome::Fault(_) => true,
        }
    }

    /// The two envelopes that state success or failure in so many words.
    fn says_success_is_false(&self) -> bool {
        matches!(self.dialect, Some(Dialect::ResponseV2 | Dialect::McpAql))
    }
}
