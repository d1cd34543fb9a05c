//! Ids and times from the command line: put into what has none, and told where they find no place.

use breakfall::Outcome;
use breakfall::wire::{self, Dialect, Loss, Options};
use serde_json::Value;

use crate::args::Convert;
use crate::report::Note;

/// What was given and is not the input's own.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// The parts of a fault that were filled.
    filled: Vec<&'static str>,
}

const ID: &str = "correlation id";
const TIME: &str = "timestamp";

/// Gives a fault the id and time it lacks.
pub(super) fn fill(outcome: Outcome, args: &Convert) -> (Outcome, Given) {
    let mut given = Given::default();
    let Outcome::Fault(mut fault) = outcome else {
        return (outcome, given);
    };
    if let (None, Some(id)) = (fault.public().correlation_id(), &args.correlation_id) {
        fault = fault.correlation_id(id.clone());
        given.filled.push(ID);
    }
    if let (None, Some(at)) = (fault.public().timestamp(), args.timestamp) {
        fault = fault.at(at);
        given.filled.push(TIME);
    }
    (fault.into(), given)
}

impl Given {
    /// Whether it is the caller's own argument that is lost, whole.
    pub(super) fn explains(&self, loss: &Loss) -> bool {
        self.filled.contains(&loss.part) && loss.becomes == "dropped"
    }

    /// What to say about arguments that found no place.
    pub(super) fn notes(
        &self,
        outcome: &Outcome,
        lost: &[Loss],
        options: &Options,
        args: &Convert,
    ) -> Vec<Note> {
        let written = |has: &dyn Fn(&str) -> bool| {
            let document = wire::encode(outcome, args.to, options);
            document.is_ok_and(|document| mentions(&document.to_value(), has))
        };
        let useless = |part: &str, has: &dyn Fn(&str) -> bool| match outcome {
            Outcome::Fault(_) => lost
                .iter()
                .any(|loss| loss.part == part && self.explains(loss)),
            // Its faults take what they lack while they are written.
            Outcome::Batch(_) => !written(has),
            Outcome::Success(_) | Outcome::NeedsInput(_) => true,
        };
        let mut notes = Vec::new();
        if let Some(id) = &args.correlation_id
            && useless(ID, &|text| text == id.as_str())
        {
            notes.push(no_place("--correlation-id", outcome, args.to));
        }
        if let Some(at) = args.timestamp
            && useless(TIME, &|text| text.parse().ok() == Some(at))
        {
            notes.push(no_place("--timestamp", outcome, args.to));
        }
        notes
    }
}

fn no_place(argument: &str, outcome: &Outcome, to: Dialect) -> Note {
    let kind = outcome.kind();
    let text = match outcome {
        Outcome::Fault(_) => format!("{argument} changes nothing here: {to} has no place for it"),
        Outcome::Batch(_) => format!("{argument} changes nothing here: no failure in it takes it"),
        Outcome::Success(_) | Outcome::NeedsInput(_) => {
            format!("{argument} changes nothing here: it is for failures, and this is a {kind}")
        }
    };
    Note::new("note", text)
}

/// Whether some string of a document passes.
fn mentions(value: &Value, passes: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => passes(text),
        Value::Array(items) => items.iter().any(|item| mentions(item, passes)),
        Value::Object(map) => map.values().any(|value| mentions(value, passes)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
