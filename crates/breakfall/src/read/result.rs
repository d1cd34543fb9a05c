//! Tool results and bare documents, as a reading.

use serde_json::Value;

use super::{Channel, FailureEvidence, Reading};
use crate::catalog::codes;
use crate::classify::disguise::only_about_failure;
use crate::classify::result::{blocks, texts, words_of};
use crate::classify::{Classifier, excerpt};
use crate::fault::{Confidence, CorrelationId, Fault, Provenance};
use crate::outcome::{Outcome, Success};
use crate::wire::{self, Dialect, Options, add_warnings, detect, foreign, response_v2, tool_error};

pub(super) fn read(result: Value, options: &Options, classifier: &Classifier) -> Reading {
    if is_tool_result(&result) {
        let meta = result.get("_meta").cloned();
        let mut reading = tool_result(result, options, classifier);
        add_warnings(&mut reading.outcome, meta.as_ref());
        return reading;
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
        let found = (!is_copied).then(|| json_block(&result, flag, options, classifier, parsed));
        found.flatten()
    };
    let found = native()
        .or_else(|| by_text(&mut parsed))
        .or_else(|| structured().filter(|found| found.counts(flag)))
        .map(FoundDocument::reading)
        .or_else(|| own_text(&result, flag, options).filter(|_| !is_copied));
    // `isError: false` is overruled by structure or by the operator's rules, not by words.
    let found = found
        .map(|found| with_evidence(found, flag))
        .filter(|found| flag != ErrorFlag::Fine || classifier.unmasks() || !found.is_in_words());
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
        (Some(hidden), _) => Reading {
            evidence: if hidden.is_structural {
                FailureEvidence::Structural
            } else {
                FailureEvidence::Weak
            },
            ..classified(hidden.fault, Channel::Payload)
        },
        (None, Some(reading)) => unmasked(reading, result, classifier),
        (None, None) => payload(result),
    }
}

/// A reading of a document, which declares a failure only where the flag does or at a place that is kept for it.
fn with_evidence(reading: Reading, flag: ErrorFlag) -> Reading {
    let evidence = match reading.channel {
        _ if flag == ErrorFlag::Failed => FailureEvidence::Declared,
        Channel::Meta => FailureEvidence::Declared,
        Channel::Text => FailureEvidence::Weak,
        Channel::JsonBlock
        | Channel::Structured
        | Channel::IsError
        | Channel::RpcError
        | Channel::Document
        | Channel::Payload => FailureEvidence::Structural,
    };
    Reading {
        evidence,
        ..reading
    }
}

/// A reading that rests on nothing but an envelope which says that it failed, by the rule on those.
fn unmasked(reading: Reading, result: Value, classifier: &Classifier) -> Reading {
    let is_denial = classifier.unmasks() && reading.is_denial();
    match reading.outcome {
        Outcome::Fault(fault) if is_denial => match classifier.denied(&result, fault) {
            Some(fault) => Reading {
                evidence: FailureEvidence::Structural,
                ..classified(fault, Channel::Payload)
            },
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
        let detect::RecognisedDocument {
            dialect,
            is_marked: marked,
            ..
        } = detect::recognise(value)?;
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
                    is_repeatable: false,
                    evidence: FailureEvidence::Declared,
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
                    is_repeatable: false,
                    evidence: FailureEvidence::Declared,
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
            let fault = fault.provenance(broken);
            // A guess must not make the caller repeat the call.
            if fault.public().retry().is_retryable() {
                Outcome::Fault(fault.read_its_words())
            } else {
                Outcome::Fault(fault)
            }
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

/// What a document is known by that says it failed and cannot be read.
pub(super) const BROKEN: &str = "a failure that breaks its own format";

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
    classifier: &Classifier,
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
        // A document that the caller sent is an echo.
        if flag != ErrorFlag::Failed && !classifier.masked(text).starts_with('{') {
            continue;
        }
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
    let fault = texts(result).find_map(|text| foreign::read_text(text, options))?;
    let known = fault.public().domain_code().is_none();
    let (dialect, channel) = (Some(Dialect::Native), Channel::Text);
    (known || flag == ErrorFlag::Failed).then(|| Reading {
        outcome: Outcome::Fault(fault),
        dialect,
        channel,
        confidence: Confidence::Exact,
        is_repeatable: false,
        evidence: FailureEvidence::Declared,
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
        is_repeatable: false,
        evidence: FailureEvidence::Declared,
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
        (None, Some(only), None) => document(only).unwrap_or_else(|| only.into()),
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
        is_repeatable: false,
        evidence: FailureEvidence::Declared,
    }
}

/// The JSON of a text. `42` and `true` are texts: a tool that answers with a zip code means no number.
fn document(text: &str) -> Option<Value> {
    let is_document = text.trim_start().starts_with(['{', '[', '"']);
    is_document
        .then(|| serde_json::from_str(text).ok())
        .flatten()
}
