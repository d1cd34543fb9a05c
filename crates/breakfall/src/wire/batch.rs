//! The common form of a batch, for dialects that have none of their own:
//! `{total, succeeded, failed, pending?, halted?, message?, results: [{index, id?, operation?, status, data | error}]}`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::decode::{DecodeError, ObjectReader};
use super::document::to_value as value_of;
use super::{Options, native};
use crate::catalog::codes;
use crate::fault::Fault;
use crate::outcome::{Batch, Item, ItemResult, Outcome, Verdict};

pub(crate) fn to_value(batch: &Batch, options: &Options) -> Value {
    let tally = batch.tally();
    let mut map = Map::new();
    for (key, count) in [
        ("total", tally.total),
        ("succeeded", tally.succeeded),
        ("failed", tally.failed),
    ] {
        map.insert(key.into(), count.into());
    }
    if tally.pending > 0 {
        map.insert("pending".into(), tally.pending.into());
    }
    if batch.halted {
        map.insert("halted".into(), true.into());
    }
    if let Some((verb, done)) = &batch.verb {
        map.insert("verb".into(), vec![verb.as_ref(), done.as_ref()].into());
    }
    if let Some(sentence) = batch.sentence() {
        map.insert("message".into(), sentence.into());
    }
    if !batch.warnings.is_empty() {
        map.insert(
            "warnings".into(),
            batch.warnings.iter().map(native::warning_value).collect(),
        );
    }
    let results = batch
        .items
        .iter()
        .enumerate()
        .map(|(index, item)| item_value(index, item, options));
    map.insert("results".into(), results.collect());
    Value::Object(map)
}

fn item_value(index: usize, item: &Item, options: &Options) -> Value {
    let mut map = Map::new();
    map.insert("index".into(), index.into());
    for (key, text) in [("id", &item.id), ("operation", &item.operation)] {
        if let Some(text) = text {
            map.insert(key.into(), text.as_ref().into());
        }
    }
    let (status, key, value) = match &item.result {
        ItemResult::Done(data) => ("succeeded", "data", data.clone()),
        ItemResult::Failed(fault) => ("failed", "error", error_value(fault, options)),
        ItemResult::Pending(fault) => ("pending", "error", error_value(fault, options)),
    };
    map.insert("status".into(), status.into());
    map.insert(key.into(), value);
    Value::Object(map)
}

fn error_value(fault: &Fault, options: &Options) -> Value {
    value_of(&native::ErrorObject::new(fault.public(), options))
}

/// Whether a payload is a batch in the common form.
pub(crate) fn is_batch(value: &Value) -> bool {
    let counts = ["total", "succeeded", "failed"]
        .iter()
        .all(|key| value.get(key).is_some_and(Value::is_u64));
    counts && value.get("results").is_some_and(Value::is_array)
}

pub(crate) fn from_value(
    value: Value,
    place: &str,
    options: &Options,
) -> Result<Batch, DecodeError> {
    let mut object = ObjectReader::new(value, place)?;
    let halted = object.flag("halted")?.unwrap_or(false);
    let mut batch = Batch {
        halted,
        ..Batch::default()
    };
    if let [Value::String(verb), Value::String(done)] = object.list("verb")?.as_slice() {
        batch.verb = Some((verb.as_str().into(), done.as_str().into()));
    }
    let message = object.text("message")?;
    batch.warnings = object
        .list("warnings")?
        .into_iter()
        .filter_map(native::warning_from_value)
        .collect();
    let results = object.place("results");
    for (index, item) in object.list("results")?.into_iter().enumerate() {
        batch.items.push(item_from_value(
            item,
            &format!("{results}/{index}"),
            options,
        )?);
    }
    let count = |object: &ObjectReader, key| object.map.get(key).and_then(Value::as_u64);
    batch.claim(count(&object, "total"), count(&object, "failed"));
    batch.message = own_sentence(&batch, message);
    Ok(batch)
}

/// Keeps a sentence only where it differs from the one the batch would say itself, and where it would say one.
pub(crate) fn own_sentence(batch: &Batch, sentence: Option<String>) -> Option<Box<str>> {
    let own = batch.sentence()?;
    let says_more = |said: &String| !said.is_empty() && *said != own;
    sentence.filter(says_more).map(Into::into)
}

fn item_from_value(value: Value, place: &str, options: &Options) -> Result<Item, DecodeError> {
    let mut object = ObjectReader::new(value, place)?;
    let (id, operation) = (
        object.text("id")?.map(Into::into),
        object.text("operation")?.map(Into::into),
    );
    let status = object.need_text("status")?;
    let error = object.place("error");
    let fault =
        |object: &mut ObjectReader| native::decode_error(object.need("error")?, &error, options);
    let result = match status.as_str() {
        "succeeded" => ItemResult::Done(object.map.remove("data").unwrap_or_default()),
        "failed" => ItemResult::Failed(fault(&mut object)?),
        "pending" => ItemResult::Pending(fault(&mut object)?),
        _ => {
            return Err(DecodeError::at(
                object.place("status"),
                "expected succeeded, failed or pending",
            ));
        }
    };
    Ok(Item {
        id,
        operation,
        result,
    })
}

/// A batch for dialects that have failures and payloads only: everything failed → the dominant fault, with the
/// rest in its details; otherwise the common form as the payload of a success.
pub(crate) fn as_fault(batch: &Batch) -> Option<Fault> {
    if batch.verdict() != Verdict::Failed || batch.items.is_empty() {
        return None;
    }
    let mut fault = match batch.dominant() {
        Some(fault) => Fault::from_public(fault.public().clone()),
        None => Fault::new(codes::BATCH_FAILED),
    };
    let public = fault.public_mut();
    if let Some((_, first)) = batch.faults().next() {
        public.speak_like(first.public());
    }
    public.elicitation = None;
    public.message = batch.sentence().map(Into::into);
    let errors = batch.faults().map(|(index, fault)| {
        let mut map = Map::new();
        map.insert("index".into(), index.into());
        map.insert("code".into(), fault.code().name().into());
        map.insert("message".into(), fault.public().message().into());
        Value::Object(map)
    });
    let errors: Vec<Value> = errors.collect();
    let total = batch.items.len();
    for (key, value) in [
        ("errors", errors.into()),
        ("failed", total.into()),
        ("total", total.into()),
    ] {
        public.details.insert(Cow::Borrowed(key), value);
    }
    Some(fault)
}

/// Reads a payload that may be a batch or a question in the common forms.
pub(crate) fn from_payload(
    value: Value,
    place: &str,
    options: &Options,
) -> Result<Outcome, DecodeError> {
    if let Some(question) = crate::outcome::Elicitation::from_value(&value) {
        return Ok(Outcome::NeedsInput(question));
    }
    if is_batch(&value) {
        return from_value(value, place, options).map(Outcome::Batch);
    }
    Ok(Outcome::Success(crate::outcome::Success::new(value)))
}
