//! The caller's side: a tool result or JSON-RPC error in any dialect → an [`Outcome`], how it was recognised, and
//! how long to wait before a retry. An agent or client author needs nothing else.

mod delay;
mod rpc;

pub use crate::classify::rpc::code_for_rpc;
pub use delay::Backoff;
use serde_json::Value;

use crate::catalog::codes;
use crate::classify::disguise::only_about_failure;
use crate::classify::result::{blocks, texts, words_of};
use crate::classify::rpc::Call;
use crate::classify::{Classifier, excerpt};
use crate::fault::{Confidence, CorrelationId, Fault, Provenance};
use crate::outcome::{Outcome, Success, Verdict};
use crate::render;
use crate::wire::{self, Dialect, Options, detect, response_v2, tool_error};

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
    read_with(message, &Options::new())
}

/// [`read`], knowing a server's own codes.
pub fn read_with(message: Value, options: &Options) -> Reading {
    read_by(message, options, &Classifier::new())
}

/// [`read_with`], by the rules of a classifier: an operator's own, and those that unmask failures which call themselves
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
            return read_result(result, options, classifier);
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
    read_result(message, options, classifier)
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

fn read_result(result: Value, options: &Options, classifier: &Classifier) -> Reading {
    if is_tool_result(&result) {
        return tool_result(result, options, classifier);
    }
    let bare = bare_error_model(&result);
    let found = FoundDocument::of(bare.as_ref().unwrap_or(&result), Channel::Document, options);
    found.map_or_else(|| payload(result), FoundDocument::reading)
}

fn is_tool_result(result: &Value) -> bool {
    result.get("content").is_some_and(Value::is_array)
        || result.get("isError").is_some()
        || result.get("structuredContent").is_some()
}

/// The `ErrorResponse` without the `error` around it.
fn bare_error_model(value: &Value) -> Option<Value> {
    let bare = detect::is_error_model(Some(value)) && value.get("retryable").is_some();
    bare.then(|| serde_json::json!({"error": value}))
}

fn tool_result(result: Value, options: &Options, classifier: &Classifier) -> Reading {
    let flag = ErrorFlag::of(&result);
    let native = || {
        let found =
            detect::is_native(&result).then(|| FoundDocument::of(&result, Channel::Meta, options));
        found.flatten().filter(FoundDocument::is_native)
    };
    let structured = || {
        FoundDocument::of(
            result.get("structuredContent")?,
            Channel::Structured,
            options,
        )
    };
    let mut parsed = None;
    // Where a success has both, the text is a copy for people: a file that holds an error is a file.
    let is_copied = flag != ErrorFlag::Failed
        && result
            .get("structuredContent")
            .is_some_and(Value::is_object);
    let by_text = |parsed: &mut Option<Value>| {
        let found = (!is_copied).then(|| json_block(&result, flag, options, parsed));
        found.flatten()
    };
    let found = native()
        .or_else(|| by_text(&mut parsed))
        .or_else(|| structured().filter(|found| found.counts(flag)))
        .map(FoundDocument::reading)
        .or_else(|| own_text(&result, flag, options).filter(|_| !is_copied));
    let mut found = found.map(|reading| with_id(reading, &result));
    // What only looks like a format says no more than its words do, and those may say a lot.
    let counts = |reading: &mut Reading| {
        !reading.is_guess() && (flag != ErrorFlag::Failed || reading.is_no_success())
    };
    if let Some(reading) = found.take_if(counts) {
        return reading;
    }
    if flag == ErrorFlag::Failed {
        let fault = classifier.result_with(&result, parsed, options);
        return classified(fault, Channel::IsError);
    }
    match (classifier.disguised_with(&result, options), found) {
        (Some(fault), _) => classified(fault, Channel::Payload),
        (None, Some(reading)) => unmasked(reading, result, classifier),
        (None, None) => payload(result),
    }
}

/// A reading that rests on nothing but an envelope which says that it failed, by the rule on those.
fn unmasked(reading: Reading, result: Value, classifier: &Classifier) -> Reading {
    let is_denial = classifier.unmasks() && reading.is_denial();
    match reading.outcome {
        Outcome::Fault(fault) if is_denial => match classifier.denied(&result, fault) {
            Some(fault) => classified(fault, Channel::Payload),
            None => payload(result),
        },
        outcome @ (Outcome::Fault(_)
        | Outcome::Success(_)
        | Outcome::NeedsInput(_)
        | Outcome::Batch(_)) => Reading { outcome, ..reading },
    }
}

/// The `isError` flag. Any value but false means failure, since no server sets another value to report
/// success.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ErrorFlag {
    Failed,
    Fine,
    Unsaid,
}

impl ErrorFlag {
    fn of(result: &Value) -> Self {
        match result.get("isError") {
            None | Some(Value::Null) => Self::Unsaid,
            Some(Value::Bool(false)) => Self::Fine,
            Some(_) => Self::Failed,
        }
    }
}

/// A document of some dialect, decoded or too damaged to decode.
enum FoundDocument {
    Read(Reading),
    Damaged { reading: Reading, marked: bool },
}

impl FoundDocument {
    fn of(value: &Value, channel: Channel, options: &Options) -> Option<Self> {
        let dialect = detect::detect(value)?;
        let marked = detect::is_marked(value, dialect);
        match wire::decode(value.clone(), dialect, options) {
            Ok(outcome) => {
                let outcome = unversioned(outcome, value, dialect);
                let provenance = outcome
                    .fault()
                    .and_then(|fault| fault.public().provenance());
                let sure = provenance.map_or(Confidence::Exact, |provenance| provenance.confidence);
                let confidence = if marked {
                    sure
                } else {
                    sure.max(Confidence::Structural)
                };
                Some(Self::Read(Reading {
                    outcome,
                    dialect: Some(dialect),
                    channel,
                    confidence,
                }))
            }
            // Beside results, `success` may be one of them.
            Err(_) if channel != Channel::Document && is_result(value, dialect) => None,
            Err(_) if detect::claims_failure(value, dialect) => {
                let fault = damaged(value, BROKEN);
                let reading = Reading {
                    outcome: Outcome::Fault(fault),
                    dialect: Some(dialect),
                    channel,
                    confidence: Confidence::Default,
                };
                Some(Self::Damaged { reading, marked })
            }
            Err(_) => None,
        }
    }

    fn reading(self) -> Reading {
        match self {
            Self::Read(reading) | Self::Damaged { reading, .. } => reading,
        }
    }

    fn is_native(&self) -> bool {
        match self {
            Self::Read(reading) | Self::Damaged { reading, .. } => {
                reading.dialect == Some(Dialect::Native)
            }
        }
    }

    /// Whether it counts under this flag. A record that only looks like a failure is data, unless the flag says
    /// that there was one.
    fn counts(&self, flag: ErrorFlag) -> bool {
        match self {
            Self::Read(reading) => {
                let looks =
                    reading.confidence != Confidence::Exact && reading.outcome.fault().is_some();
                flag == ErrorFlag::Failed || !looks || reading.says_success_is_false()
            }
            Self::Damaged { marked, .. } => flag == ErrorFlag::Failed || *marked,
        }
    }
}

/// Without a version and without a code the envelope may come from any server.
fn unversioned(outcome: Outcome, value: &Value, dialect: Dialect) -> Outcome {
    let is_versioned = value.get("meta").is_some_and(Value::is_object);
    match outcome {
        Outcome::Fault(fault) if dialect == Dialect::ResponseV2 && !is_versioned => {
            let rule = fault.public().provenance().map(|by| &*by.rule);
            if rule != Some(response_v2::NO_CODE) {
                return Outcome::Fault(fault);
            }
            let broken = Provenance::new(BROKEN, Confidence::Default);
            Outcome::Fault(fault.provenance(broken))
        }
        Outcome::Fault(_) | Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => {
            outcome
        }
    }
}

/// Whether an envelope that says in no other way that something failed holds more than a failure would.
fn is_result(value: &Value, dialect: Dialect) -> bool {
    let is_envelope = matches!(dialect, Dialect::ResponseV2 | Dialect::McpAql);
    let errs = detect::has_error(value);
    let is_failure = value.as_object().is_some_and(only_about_failure);
    // Several calls in one.
    let is_batch = value.get("results").is_some_and(Value::is_array);
    is_envelope && !errs && !is_failure && !is_batch
}

impl Reading {
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
            && provenance.is_some_and(|provenance| provenance.rule == BROKEN)
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

/// What a document is known by that says it failed and cannot be read.
const BROKEN: &str = "a failure that breaks its own format";

/// The id that rides outside the document, where the document has no place for one.
fn with_id(mut reading: Reading, result: &Value) -> Reading {
    let id = result
        .get("_meta")
        .and_then(|meta| meta.get(wire::REQUEST_ID_KEY)?.as_str());
    if let (Outcome::Fault(fault), Some(id)) = (&mut reading.outcome, id) {
        let public = fault.public_mut();
        public.correlation_id = public.correlation_id.take().or(CorrelationId::new(id).ok());
    }
    reading
}

/// The last block that is a document of some dialect: writers that send words as well put the JSON after them. A
/// damaged one counts if there is no other. A value that was parsed but is not a document is returned, so it is
/// parsed once.
fn json_block(
    result: &Value,
    flag: ErrorFlag,
    options: &Options,
    parsed: &mut Option<Value>,
) -> Option<FoundDocument> {
    let mut damaged = None;
    for block in blocks(result)
        .iter()
        .rev()
        .filter(|block| !tool_error::is_words(block))
    {
        let text = block.get("text").and_then(Value::as_str);
        let text = text.unwrap_or_default().trim_start();
        // Every document is an object.
        let value = text.starts_with('{').then(|| serde_json::from_str(text));
        let Some(Ok(value)) = value else {
            continue;
        };
        match FoundDocument::of(&value, Channel::JsonBlock, options)
            .filter(|found| found.counts(flag))
        {
            Some(found @ FoundDocument::Read(_)) => return Some(found),
            Some(found @ FoundDocument::Damaged { .. }) => damaged = damaged.or(Some(found)),
            None => {}
        }
        *parsed = Some(value);
    }
    damaged
}

/// Our own wording. Without the flag, only a code we know is believed: release notes have brackets too.
fn own_text(result: &Value, flag: ErrorFlag, options: &Options) -> Option<Reading> {
    let fault = texts(result).find_map(|text| render::read_fault(text, options))?;
    let known = fault.public().domain_code().is_none();
    let (dialect, channel) = (Some(Dialect::Native), Channel::Text);
    (known || flag == ErrorFlag::Failed).then(|| Reading {
        outcome: Outcome::Fault(fault),
        dialect,
        channel,
        confidence: Confidence::Exact,
    })
}

/// A failure of which only words can be saved.
fn damaged(value: &Value, rule: &'static str) -> Fault {
    Fault::new(codes::INTERNAL_UNKNOWN)
        .provenance(Provenance::new(rule, Confidence::Default))
        .message(excerpt::message(words_of(value).unwrap_or_default()).unwrap_or_default())
}

/// The classification of a result in a foreign format.
fn classified(fault: Fault, channel: Channel) -> Reading {
    let by = fault.public().provenance();
    Reading {
        confidence: by.map_or(Confidence::Default, |by| by.confidence),
        outcome: Outcome::Fault(fault),
        dialect: None,
        channel,
    }
}

fn payload(result: Value) -> Reading {
    let mut blocks = texts(&result);
    let data = match (
        result
            .get("structuredContent")
            .filter(|value| !value.is_null()),
        blocks.next(),
        blocks.next(),
    ) {
        (Some(structured), ..) => structured.clone(),
        (None, Some(only), None) => {
            serde_json::from_str(only).unwrap_or_else(|_| Value::from(only))
        }
        (None, Some(_), Some(_)) | (None, None, _) => {
            drop(blocks);
            result
        }
    };
    let outcome = Outcome::Success(Success::new(data));
    Reading {
        outcome,
        dialect: None,
        channel: Channel::Payload,
        confidence: Confidence::Structural,
    }
}
