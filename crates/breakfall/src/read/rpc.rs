//! JSON-RPC errors, as a reading.

use serde_json::Value;

use super::{Channel, FailureEvidence, Reading};
use crate::catalog::codes;
use crate::classify::Classifier;
use crate::classify::rpc::{self, Call};
use crate::fault::{Confidence, Fault, Provenance};
use crate::outcome::{Batch, ItemResult, Outcome};
use crate::phrase::Phrase;
use crate::wire::Options;

/// Whether a value is a JSON-RPC error object by itself. Outside a JSON-RPC message only numbers that mean a failure
/// count: a record `{code: 0, message: "ok"}` does not count.
pub(super) fn is_error(value: &Value) -> bool {
    let Some(object) = value.as_object() else {
        return false;
    };
    let failing = |code: i64| code < 0 || (1000..=5999).contains(&code);
    let shaped = object
        .get("code")
        .and_then(Value::as_i64)
        .is_some_and(failing)
        && object.get("message").is_some_and(Value::is_string);
    shaped
        && object
            .keys()
            .all(|key| matches!(key.as_str(), "code" | "message" | "data"))
}

pub(super) fn read(
    error: &Value,
    call: &Call<'_>,
    options: &Options,
    classifier: &Classifier,
) -> Reading {
    let call = match classifier.call() {
        Some(facts) => call.masking(facts),
        None => *call,
    };
    let mut read = rpc::read(error, &call, options);
    let words = || error.get("message").and_then(Value::as_str);
    // A rule of an operator's own knows what no number tells; a document in one of this library's formats needs no rule.
    if read.dialect.is_none()
        && let Some(judged) = words().and_then(|words| classifier.own(words))
    {
        let public = read.fault.public_mut();
        public.code = judged.code;
        public.wait = public.wait.or(judged.wait);
        read.confidence = Confidence::Textual;
        let by = Provenance::new(judged.rule, read.confidence);
        read.fault = read.fault.provenance(by);
    }
    Reading {
        outcome: Outcome::Fault(read.fault),
        dialect: read.dialect,
        channel: Channel::RpcError,
        confidence: read.confidence,
        is_repeatable: false,
        evidence: FailureEvidence::Declared,
    }
}

/// A response with neither a result nor an error: the sender broke the protocol, and the result of the call is
/// unknown.
pub(super) fn neither() -> Reading {
    let by = Provenance::new("rpc.neither", Confidence::Structural);
    let fault = Fault::new(codes::INTERNAL_BAD_UPSTREAM)
        .say(Phrase::CALL_NEITHER)
        .provenance(by);
    Reading {
        outcome: Outcome::Fault(fault),
        dialect: None,
        channel: Channel::RpcError,
        confidence: Confidence::Structural,
        is_repeatable: false,
        evidence: FailureEvidence::Declared,
    }
}

/// Several responses in one message, if something failed in one of them. Where all is well, the message is data like any
/// other.
pub(super) fn batch(message: &Value, read: impl Fn(Value) -> Reading) -> Option<Reading> {
    let all = message.as_array().filter(|all| !all.is_empty())?;
    let is_response = |one: &Value| one.get("jsonrpc").is_some();
    if !all.iter().all(is_response) {
        return None;
    }
    let mut batch = Batch::default();
    let mut failed = false;
    let mut sure = Confidence::Exact;
    for one in all {
        let reading = read(one.clone());
        failed |= reading.is_no_success();
        sure = sure.max(reading.confidence);
        let id = one.get("id").and_then(|id| match id {
            Value::String(id) => Some(id.as_str().into()),
            Value::Number(id) => Some(id.to_string().into()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        });
        batch = batch.item(id, None, item(reading));
    }
    failed.then_some(Reading {
        outcome: Outcome::Batch(batch),
        dialect: None,
        channel: Channel::RpcError,
        confidence: sure,
        is_repeatable: false,
        evidence: FailureEvidence::Declared,
    })
}

/// A response as an item. One that is a question or a batch of its own has no place in an item: it is not done.
fn item(reading: Reading) -> ItemResult {
    let undone = reading.is_no_success();
    match reading.outcome {
        Outcome::Fault(fault) => ItemResult::Failed(fault),
        Outcome::Success(success) => ItemResult::Done(success.data().clone()),
        Outcome::Batch(_) if !undone => ItemResult::Done(Value::Null),
        Outcome::Batch(batch) => {
            let words = batch.sentence().unwrap_or_default();
            ItemResult::Failed(Fault::new(codes::INTERNAL_UNKNOWN).message(words))
        }
        Outcome::NeedsInput(asks) => {
            let words = asks.message().to_owned();
            ItemResult::Pending(Fault::new(codes::INTERNAL_UNKNOWN).message(words))
        }
    }
}
