//! Ids and times from the command line: filled in where the input has none, noted where they have no place.

use breakfall::Outcome;
use breakfall::redact::Redacted;
use breakfall::wire::{self, Dialect, Loss, Options};
use serde_json::Value;

use crate::args::ConvertArgs;
use crate::report::ReportNote;

/// The parts that were filled in from the command line.
#[derive(Debug, Default)]
pub(super) struct FilledParts {
    /// The parts of a fault that were filled in.
    filled: Vec<&'static str>,
}

const ID: &str = "correlation id";
const TIME: &str = "timestamp";

/// Fills in the id and time that a fault lacks.
pub(super) fn fill(outcome: Outcome, args: &ConvertArgs) -> (Outcome, FilledParts) {
    let mut parts = FilledParts::default();
    let Outcome::Fault(mut fault) = outcome else {
        return (outcome, parts);
    };
    if let (None, Some(id)) = (fault.public().correlation_id(), &args.correlation_id) {
        fault = fault.correlation_id(id.clone());
        parts.filled.push(ID);
    }
    if let (None, Some(at)) = (fault.public().timestamp(), args.timestamp) {
        fault = fault.at(at);
        parts.filled.push(TIME);
    }
    (fault.into(), parts)
}

impl FilledParts {
    /// Whether a loss is that of an argument, which has a note of its own.
    pub(super) fn explains(&self, loss: &Loss) -> bool {
        self.filled.contains(&loss.part) && loss.becomes == "dropped"
    }

    /// Notes on arguments that have no place in the output.
    pub(super) fn notes(
        &self,
        outcome: &Redacted<Outcome>,
        lost: &[Loss],
        options: &Options,
        args: &ConvertArgs,
    ) -> Vec<ReportNote> {
        let written = |has: &dyn Fn(&str) -> bool| {
            let document = wire::encode(outcome.as_ref(), args.to, options);
            document.is_ok_and(|document| mentions(&document.to_value(), has))
        };
        let is_unused = |part: &str, has: &dyn Fn(&str) -> bool| match &**outcome {
            Outcome::Fault(_) => lost
                .iter()
                .any(|loss| loss.part == part && self.explains(loss)),
            // Faults of a batch are filled in while they are written.
            Outcome::Batch(_) => !written(has),
            Outcome::Success(_) | Outcome::NeedsInput(_) => true,
        };
        let mut notes = Vec::new();
        if let Some(id) = &args.correlation_id
            && is_unused(ID, &|text| text == id.as_str())
        {
            notes.push(no_place("--correlation-id", outcome, args.to));
        }
        if let Some(at) = args.timestamp
            && is_unused(TIME, &|text| text.parse().ok() == Some(at))
        {
            notes.push(no_place("--timestamp", outcome, args.to));
        }
        notes
    }
}

fn no_place(argument: &str, outcome: &Outcome, to: Dialect) -> ReportNote {
    let kind = outcome.kind();
    let text = match outcome {
        Outcome::Fault(_) => format!("{argument} changes nothing here: {to} has no place for it"),
        Outcome::Batch(_) => format!("{argument} changes nothing here: no failure in it takes it"),
        Outcome::Success(_) | Outcome::NeedsInput(_) => {
            format!("{argument} changes nothing here: it is for failures, and this is a {kind}")
        }
    };
    ReportNote::new("note", text)
}

/// Whether a string of a document passes.
fn mentions(value: &Value, passes: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => passes(text),
        Value::Array(items) => items.iter().any(|item| mentions(item, passes)),
        Value::Object(map) => map.values().any(|value| mentions(value, passes)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
