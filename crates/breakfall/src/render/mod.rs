//! Public half → words. The text of a native result is made for a model: short, one fact a line, and enough to
//! recover by when the client drops everything else.

mod fault;

use std::borrow::Cow;
use std::fmt::Write as _;

pub(crate) use fault::{fault, points, preamble, quoted, read_fault};

use fault::in_a_line;
use serde_json::Value;

use crate::outcome::{Batch, Elicitation, ItemResult};
use crate::warning::Warning;

/// The bound on what we put in front of a result, in bytes.
pub(crate) const TEXT_LIMIT: usize = 400;

/// Warnings, one a line; nothing without warnings.
pub(crate) fn warnings(warnings: &[Warning]) -> Option<String> {
    if warnings.is_empty() {
        return None;
    }
    let mut text = String::new();
    for warning in warnings {
        let separator = if text.is_empty() { "" } else { "\n" };
        let code = warning
            .code()
            .map(|code| format!("[{code}] "))
            .unwrap_or_default();
        push(
            &mut text,
            format_args!("{separator}Warning: {code}{}", warning.text()),
        );
    }
    Some(text)
}

/// A question, with what could be answered.
pub(crate) fn question(question: &Elicitation) -> String {
    let mut text = format!("Input needed: {}", question.message);
    if let Some(reason) = &question.reason {
        push(&mut text, format_args!("\nReason: {reason}"));
    }
    if !question.fields.is_empty() {
        push(
            &mut text,
            format_args!("\nFields: {}", question.fields.join(", ")),
        );
    }
    for (field, values) in &question.suggestions {
        push(&mut text, format_args!("\n{field}: {}", values.join(", ")));
    }
    for choice in &question.options {
        push(
            &mut text,
            format_args!("\nOption: {} ({})", choice.label, choice.value),
        );
        if let Some(description) = &choice.description {
            push(&mut text, format_args!(": {description}"));
        }
    }
    text
}

/// A batch: the sentence on the whole, then what each item came to. `faults` has the text of each that is not done.
pub(crate) fn batch(batch: &Batch, faults: &[Option<String>]) -> String {
    let mut text = batch.sentence().unwrap_or_else(|| all_well(batch));
    for (index, (item, fault)) in batch.items.iter().zip(faults).enumerate() {
        let state = match &item.result {
            ItemResult::Done(_) => "done",
            ItemResult::Failed(_) => "failed",
            ItemResult::Pending(_) => "waits for confirmation",
        };
        let said = match (&item.result, fault) {
            (ItemResult::Done(Value::Null), _) => None,
            (ItemResult::Done(Value::String(words)), _) => Some(Cow::Borrowed(&**words)),
            (ItemResult::Done(data), _) => Some(Cow::Owned(data.to_string())),
            (_, fault) => fault.as_deref().map(Cow::Borrowed),
        };
        let name = match &item.id {
            Some(id) => in_a_line(id, usize::MAX),
            None => index.to_string().into(),
        };
        push(&mut text, format_args!("\n{name} {state}"));
        if let Some(said) = said {
            // What belongs to an item is indented, so that it is not taken for another one.
            push(&mut text, format_args!(": {}", said.replace('\n', "\n  ")));
        }
    }
    if let Some(warnings) = warnings(&batch.warnings) {
        push(&mut text, format_args!("\n{warnings}"));
    }
    text
}

/// The sentence on a batch in which nothing failed.
fn all_well(batch: &Batch) -> String {
    let tally = batch.tally();
    match &batch.message {
        Some(said) => said.as_ref().to_owned(),
        None if tally.pending > 0 => {
            format!("{} of {} items are done", tally.succeeded, tally.total)
        }
        None => format!("All {} items are done", tally.total),
    }
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments)
        .expect("writing to a string cannot fail");
}
