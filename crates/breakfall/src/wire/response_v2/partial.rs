//! Batches in response-v2: what is done and what failed in two lists, and the whole batch beside them unless held to
//! the letter.

use serde_json::{Map, Value};

use super::encode as response_v2;
use crate::catalog::codes;
use crate::code::Code;
use crate::fault::Fault;
use crate::outcome::{Batch, Item, ItemResult, Verdict};
use crate::warning::Warning;
use crate::wire::decode::DecodeError;
use crate::wire::document::OrderedFields;
use crate::wire::{Options, batch};

pub(crate) fn encode(batch: &Batch, options: &Options) -> OrderedFields {
    let mut data = lists(batch);
    if !options.strict {
        data.insert(OWN.into(), batch::to_value(batch, options));
    }
    let mut meta = response_v2::meta(None);
    if batch.verdict() == Verdict::Failed {
        return response_v2::envelope(data.into(), batch.sentence(), meta);
    }
    response_v2::put_warnings(&mut meta, &announced(batch));
    response_v2::envelope(data.into(), None, meta)
}

/// The ids of items that are done, under the verb that says what was done to them; those that failed, with reasons;
/// those that wait.
pub(super) fn lists(batch: &Batch) -> Map<String, Value> {
    let mut data = Map::new();
    let ids = |want: fn(&ItemResult) -> bool| -> Value {
        let items = batch.items.iter().enumerate();
        let wanted = items.filter(|(_, item)| want(&item.result));
        wanted.map(|(index, item)| item_id(index, item)).collect()
    };
    if batch.verdict() != Verdict::Failed {
        let done = ids(|result| matches!(result, ItemResult::Done(_)));
        data.insert(done_key(batch).to_owned(), done);
    }
    let failed: Vec<Value> = batch
        .faults()
        .map(|(index, fault)| failed_value(index, &batch.items[index], fault))
        .collect();
    if !failed.is_empty() {
        data.insert(FAILED.into(), failed.into());
    }
    if batch.tally().pending > 0 {
        let pending = ids(|result| matches!(result, ItemResult::Pending(_)));
        data.insert(PENDING.into(), pending);
    }
    data
}

pub(super) const OWN: &str = "batch";
pub(super) const DONE: &str = "succeeded";
pub(super) const FAILED: &str = "failed";
pub(super) const PENDING: &str = "pending";

/// The word for "done" is the key of the list, unless another list has that name.
pub(super) fn done_key(batch: &Batch) -> &str {
    let done = batch.verb.as_ref().map_or(DONE, |(_, done)| done);
    if [OWN, FAILED, PENDING].contains(&done) {
        DONE
    } else {
        done
    }
}

/// The sentence on the batch is the first of the warnings.
pub(super) fn announced(batch: &Batch) -> Vec<Warning> {
    let sentence = batch.sentence().map(Warning::plain);
    sentence
        .into_iter()
        .chain(batch.warnings.iter().cloned())
        .collect()
}

pub(super) fn item_id(index: usize, item: &Item) -> Value {
    item.id.as_deref().map_or_else(|| index.into(), Value::from)
}

pub(super) fn failed_value(index: usize, item: &Item, fault: &Fault) -> Value {
    let mut map = Map::new();
    map.insert("id".into(), item_id(index, item));
    map.insert("reason".into(), reason(fault).into());
    Value::Object(map)
}

/// A short phrase on why an item failed: the one of its category, or its message.
pub(super) fn reason(fault: &Fault) -> String {
    let phrase = REASONS.iter().find(|(code, _)| *code == fault.code());
    match (&fault.public().message, phrase) {
        (None, Some((_, phrase))) => (*phrase).to_owned(),
        _ => fault.public().message().into_owned(),
    }
}

pub(super) const REASONS: &[(Code, &str)] = &[
    (codes::NOT_FOUND_RESOURCE, "not found"),
    (codes::PERMISSION_DENIED, "permission denied"),
    (codes::AUTHENTICATION_REQUIRED, "authentication required"),
    (codes::CONFLICT_INVALID_STATE, "conflict"),
    (codes::RATE_LIMIT_EXCEEDED, "rate limited"),
    (codes::UNAVAILABLE_SERVICE, "unavailable"),
    (codes::INTERNAL_ERROR, "internal error"),
];

/// A batch: ours by the extension, or the lists of the format if something failed. Without a failure the format has
/// nothing that tells a batch from any other success.
pub(crate) fn decode(
    data: &Map<String, Value>,
    error: Option<&str>,
    warnings: &[Warning],
    options: &Options,
) -> Result<Option<Batch>, DecodeError> {
    if let Some(own) = data.get(OWN).filter(|own| batch::is_batch(own)) {
        let batch = batch::from_value(own.clone(), "/data/batch", options)?;
        // The envelope decides whether it failed; a batch that says otherwise is not believed.
        return Ok((error.is_some() == (batch.verdict() == Verdict::Failed)).then_some(batch));
    }
    let Some(mut batch) = from_lists(data, error.is_some()) else {
        return Ok(None);
    };
    let (sentence, rest) = match (error, warnings) {
        (Some(error), rest) => (Some(error.to_owned()), rest),
        (None, [first, rest @ ..]) => (Some(first.text().into_owned()), rest),
        (None, []) => (None, warnings),
    };
    batch.message = batch::own_sentence(&batch, sentence);
    batch.warnings = rest.to_vec();
    Ok(Some(batch))
}

pub(super) fn from_lists(data: &Map<String, Value>, all_failed: bool) -> Option<Batch> {
    let failed = data.get(FAILED).and_then(failed_list)?;
    let pending = data.get(PENDING).map_or(Some([].as_slice()), id_list)?;
    let mut others = data
        .iter()
        .filter(|(key, _)| *key != FAILED && *key != PENDING);
    let mut batch = Batch::default();
    match (others.next(), others.next()) {
        (None, None) if all_failed => {}
        (Some((key, done)), None) if !all_failed => {
            batch.verb = verb(key);
            for id in id_list(done)? {
                batch = batch.done(id_text(id), Value::Null);
            }
        }
        _ => return None,
    }
    for item in failed {
        let reason = item.get("reason").and_then(Value::as_str);
        let fault = fault_of_reason(reason.unwrap_or_default());
        batch = batch.failed(id_text(item.get("id")?), fault);
    }
    for id in pending {
        batch = batch.pending(id_text(id), Fault::new(codes::CONFIRMATION_REQUIRED));
    }
    Some(batch)
}

pub(super) fn failed_list(value: &Value) -> Option<&[Value]> {
    let items = value.as_array().filter(|items| !items.is_empty())?;
    let has_reason =
        |item: &Value| item.get("id").is_some() && item.get("reason").is_some_and(Value::is_string);
    items.iter().all(has_reason).then_some(items)
}

pub(super) fn id_list(value: &Value) -> Option<&[Value]> {
    let items = value.as_array()?;
    let is_id = |item: &Value| !item.is_array();
    items.iter().all(is_id).then_some(items)
}

pub(super) fn id_text(id: &Value) -> Box<str> {
    id.as_str()
        .map_or_else(|| id.to_string().into(), Into::into)
}

pub(super) fn fault_of_reason(reason: &str) -> Fault {
    match REASONS.iter().find(|(_, phrase)| *phrase == reason) {
        Some((code, _)) => Fault::new(*code),
        None => Fault::new(codes::INTERNAL_UNKNOWN).message(reason),
    }
}

/// The verb that `deleted` tells of.
pub(super) fn verb(done: &str) -> Option<(Box<str>, Box<str>)> {
    (done != DONE).then(|| (infinitive(done).into(), done.into()))
}

/// `deleted` → `delete`: enough for the sentence on a batch that failed as a whole.
pub(super) fn infinitive(done: &str) -> &str {
    done.strip_suffix('d')
        .filter(|stem| stem.ends_with('e'))
        .unwrap_or(done)
}
