//! The common form of a batch, for dialects that have none of their own:
//! `{total, succeeded, failed, pending?, halted?, message?, results: [{index, id?, operation?, status, data | error}]}`.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::decode::{DecodeError, ObjectReader};
use super::document::to_value as value_of;
use super::native::ErrorObject;
use super::{Options, native};
use crate::catalog::codes;
use crate::fault::Fault;
use crate::outcome::{Batch, Item, ItemResult, Outcome, Verdict};
use crate::render;

/// A batch whose faults have their ids, so that text and object tell the same.
#[derive(Debug)]
pub(crate) struct BatchObject<'a> {
    batch: &'a Batch,
    /// For each item, if it is not done.
    errors: Vec<Option<ErrorObject<'a>>>,
}

impl<'a> BatchObject<'a> {
    pub(crate) fn new(batch: &'a Batch, options: &Options) -> Self {
        let error = |item: &'a Item| match &item.result {
            ItemResult::Done(_) => None,
            ItemResult::Failed(fault) | ItemResult::Pending(fault) => {
                Some(ErrorObject::new(fault.public(), options))
            }
        };
        Self {
            batch,
            errors: batch.items.iter().map(error).collect(),
        }
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.batch.verdict() == Verdict::Failed
    }

    /// For a model or a person to read.
    pub(crate) fn text(&self) -> String {
        let errors = self.errors.iter().map(|error| Some(error.as_ref()?.text()));
        render::batch(self.batch, &errors.collect::<Vec<_>>())
    }

    pub(crate) fn to_value(&self) -> Value {
        let (batch, tally) = (self.batch, self.batch.tally());
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
            map.insert("warnings".into(), native::warning_values(&batch.warnings));
        }
        let results = batch.items.iter().zip(&self.errors).enumerate();
        let results = results.map(|(index, (item, error))| item_value(index, item, error.as_ref()));
        map.insert("results".into(), results.collect());
        Value::Object(map)
    }
}

pub(crate) fn to_value(batch: &Batch, options: &Options) -> Value {
    BatchObject::new(batch, options).to_value()
}

fn item_value(index: usize, item: &Item, error: Option<&ErrorObject<'_>>) -> Value {
    let mut map = Map::new();
    map.insert("index".into(), index.into());
    for (key, text) in [("id", &item.id), ("operation", &item.operation)] {
        if let Some(text) = text {
            map.insert(key.into(), text.as_ref().into());
        }
    }
    let error = || error.map_or(Value::Null, value_of);
    let (status, key, value) = match &item.result {
        ItemResult::Done(data) => ("succeeded", "data", data.clone()),
        ItemResult::Failed(_) => ("failed", "error", error()),
        ItemResult::Pending(_) => ("pending", "error", error()),
    };
    map.insert("status".into(), status.into());
    map.insert(key.into(), value);
    Value::Object(map)
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
