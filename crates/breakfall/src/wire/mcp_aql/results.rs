//! Batches: a result for each operation, or one aggregate of what failed.

use serde_json::Value;

use super::code_name;
use super::decode::decode_error;
use super::encode::{failure, put_warnings, succeeded};
use crate::catalog::codes;
use crate::fault::Fault;
use crate::outcome::{Batch, Item, ItemResult};
use crate::wire::Options;
use crate::wire::decode::{DecodeError, ObjectReader};
use crate::wire::document::OrderedFields;

pub(super) fn results(batch: &Batch, options: &Options) -> OrderedFields {
    let tally = batch.tally();
    let items = batch.items.iter().enumerate().map(|(index, item)| {
        let mut fields = OrderedFields::default();
        fields
            .put("index", index)
            .put_some("operation", item.operation.as_deref());
        if !options.strict {
            fields.put_some("id", item.id.as_deref());
        }
        match &item.result {
            ItemResult::Done(data) => fields.nest("result", succeeded(data.clone(), &[])),
            ItemResult::Failed(fault) => fields.nest("result", failure(fault.public(), options)),
            ItemResult::Pending(fault) => fields
                .nest("result", failure(fault.public(), options))
                .put("status", "pending_confirmation"),
        };
        fields
    });
    let mut summary = OrderedFields::default();
    summary
        .put("total", tally.total)
        .put("succeeded", tally.succeeded)
        .put("failed", tally.failed);
    summary.put_some("halted", batch.halted.then_some(true));
    summary.put_some(
        "pending_confirmation",
        (tally.pending > 0).then_some(tally.pending),
    );
    let mut fields = OrderedFields::default();
    fields
        .put("success", true)
        .put("data", Value::Null)
        .list("results", items.collect())
        .nest("summary", summary);
    put_warnings(&mut fields, &batch.warnings);
    fields
}

pub(super) fn aggregated(batch: &Batch, options: &Options) -> OrderedFields {
    let tally = batch.tally();
    let errors = batch.faults().map(|(index, fault)| {
        let mut fields = OrderedFields::default();
        fields
            .put("index", index)
            .put("code", code_name(fault.public(), options));
        fields.put("message", fault.public().template_message());
        fields
    });
    let mut details = OrderedFields::default();
    details
        .put("total", tally.total)
        .put("succeeded", tally.succeeded)
        .put("failed", tally.failed);
    details.list("errors", errors.collect());
    let said = batch.message.as_deref().map(str::to_owned);
    let message = said.unwrap_or_else(|| aggregate_sentence(tally.failed, tally.total));
    let mut error = OrderedFields::default();
    error
        .put("code", codes::BATCH_PARTIAL_FAILURE.name())
        .put("message", message)
        .nest("details", details);
    let mut fields = OrderedFields::default();
    fields.put("success", false).nest("error", error);
    fields
}

pub(super) fn aggregate_sentence(failed: usize, total: usize) -> String {
    format!("{failed} of {total} operations failed")
}

pub(super) fn decode_results(
    root: &mut ObjectReader,
    options: &Options,
) -> Result<Batch, DecodeError> {
    let mut batch = Batch::default();
    for (index, value) in root.list("results")?.into_iter().enumerate() {
        batch
            .items
            .push(decode_item(value, &format!("/results/{index}"), options)?);
    }
    let summary = root
        .object("summary")?
        .map(|summary| summary.map)
        .unwrap_or_default();
    batch.halted = summary
        .get("halted")
        .is_some_and(|halted| *halted != Value::Bool(false));
    if let Some(halted) = root.map.remove("halted_at") {
        let mut item = decode_item(halted, "/halted_at", options)?;
        if let ItemResult::Failed(fault) = item.result {
            item.result = ItemResult::Pending(fault);
        }
        batch.items.push(item);
        batch.halted = true;
    }
    for value in root.list("pending_operations")? {
        let operation = value
            .get("operation")
            .and_then(Value::as_str)
            .map(Into::into);
        let waiting = Fault::new(codes::CONFIRMATION_REQUIRED);
        batch.items.push(Item {
            id: None,
            operation,
            result: ItemResult::Pending(waiting),
        });
    }
    let count = |key: &str| summary.get(key).and_then(Value::as_u64);
    batch.claim(count("total"), count("failed"));
    Ok(batch)
}

pub(super) fn decode_item(
    value: Value,
    place: &str,
    options: &Options,
) -> Result<Item, DecodeError> {
    let mut object = ObjectReader::new(value, place)?;
    let (id, operation) = (
        object.text("id")?.map(Into::into),
        object.text("operation")?.map(Into::into),
    );
    let pending = object.text("status")?.as_deref() == Some("pending_confirmation");
    let mut result = object.need_object("result")?;
    let success = result
        .flag("success")?
        .ok_or_else(|| DecodeError::at(result.place("success"), "missing"))?;
    let result = match (success, pending) {
        (true, _) => ItemResult::Done(result.map.remove("data").unwrap_or_default()),
        (false, true) => ItemResult::Pending(decode_error(result.need_object("error")?, options)?),
        (false, false) => ItemResult::Failed(decode_error(result.need_object("error")?, options)?),
    };
    Ok(Item {
        id,
        operation,
        result,
    })
}

/// A batch by its code, its count and its errors. Without them it is a fault like any other, never a batch in which
/// nothing failed.
pub(super) fn is_aggregated(error: &Value) -> bool {
    let code = error.get("code").and_then(Value::as_str);
    let details = error.get("details");
    code == Some(codes::BATCH_PARTIAL_FAILURE.name())
        && details.and_then(|details| details.get("total")).is_some()
        && details
            .and_then(|details| details.get("errors")?.as_array())
            .is_some_and(|errors| !errors.is_empty())
}

/// A sentence on the whole that the aggregate would not say by itself.
fn own_sentence(batch: &Batch, said: &str) -> Option<Box<str>> {
    let tally = batch.tally();
    let says_more = !said.is_empty() && said != aggregate_sentence(tally.failed, tally.total);
    says_more.then(|| said.into())
}

/// The most items an aggregate may speak of: its total is a claim, and items are made of it.
pub(super) const MAX_ITEMS: u64 = 10_000;

pub(super) fn decode_aggregated(
    mut error: ObjectReader,
    options: &Options,
) -> Result<Batch, DecodeError> {
    let message = error.need_text("message")?;
    let mut details = error.need_object("details")?;
    let total = details.need("total")?;
    let total = total.as_u64().filter(|total| *total <= MAX_ITEMS);
    let total = total
        .ok_or_else(|| DecodeError::at("/error/details/total", "expected a count up to 10000"))?;
    let blank = || Item {
        id: None,
        operation: None,
        result: ItemResult::Done(Value::Null),
    };
    let mut batch = Batch {
        items: (0..total).map(|_| blank()).collect(),
        ..Batch::default()
    };
    for (at, value) in details.list("errors")?.into_iter().enumerate() {
        let place = format!("/error/details/errors/{at}");
        let index = value
            .get("index")
            .and_then(Value::as_u64)
            .and_then(|index| usize::try_from(index).ok());
        let fault = decode_error(ObjectReader::new(value, place.clone())?, options)?;
        let item = index.and_then(|index| batch.items.get_mut(index));
        item.ok_or_else(|| {
            DecodeError::at(format!("{place}/index"), "expected the position of an item")
        })?
        .result = ItemResult::Failed(fault);
    }
    let claimed = details.map.get("failed").and_then(Value::as_u64);
    batch.claim(None, claimed);
    batch.message = own_sentence(&batch, &message);
    Ok(batch)
}
