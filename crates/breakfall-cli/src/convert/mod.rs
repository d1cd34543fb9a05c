//! `breakfall convert`: bytes → JSON → an outcome → a document of another format, with notes on losses.

mod id_and_time;
mod input;
mod lossy_json;
mod recognise;
mod unused_options;

use breakfall::redact::Redacted;
use breakfall::wire::{self, Dialect, Loss, Options};
use breakfall::{Outcome, Stamp};
use serde::Serialize;
use serde_json::Value;

use crate::args::{ConvertArgs, MAX_JSON_DEPTH, OutputShape};
use crate::layout::shorten;
use crate::report::{CommandError, CommandReport, ReportBody, ReportNote};

pub(crate) fn run(args: &ConvertArgs) -> Result<CommandReport, CommandError> {
    let input = input::read(args.file.as_deref())?;
    let (value, mut notes) = input.parse()?;
    let recognised = recognise::recognise(value, args.from, input.name())?;
    let (outcome, filled) = id_and_time::fill(recognised.outcome, args);
    let given = format!("{outcome:?}");
    let outcome = args.redact.redactor().outcome(outcome);
    let is_redacted = given != format!("{:?}", *outcome);
    let options = options(args);
    let (output, lost) = write(&outcome, args, &options)?;
    let is_noted = |loss: &&Loss| was_in_input(loss, recognised.dialect) && !filled.explains(loss);

    notes.extend(recognised.notes);
    notes.extend(is_redacted.then(redacted));
    notes.extend(lost.iter().filter(is_noted).map(loss_note));
    notes.extend(filled.notes(&outcome, &lost, &options, args));
    notes.extend(unused_options::notes(args));
    notes.extend(is_too_deep(&output).then(too_deep));
    if args.quiet {
        notes.clear();
    }
    Ok(CommandReport {
        notes,
        ..CommandReport::new(ReportBody::Exact(output))
    })
}

/// The output, and what it lost.
fn write(
    outcome: &Redacted<Outcome>,
    args: &ConvertArgs,
    options: &Options,
) -> Result<(String, Vec<Loss>), CommandError> {
    let refused = |error: wire::EncodeError| CommandError::input(error.to_string());
    let losses = || wire::losses(outcome, args.to, options);
    Ok(match args.shape {
        OutputShape::Document => {
            let document = wire::encode(outcome.as_ref(), args.to, options).map_err(refused)?;
            (json(&document, args.compact), losses())
        }
        OutputShape::ToolResult => {
            let result = wire::tool_result(outcome.as_ref(), args.to, options).map_err(refused)?;
            let mut losses = losses();
            // A tool result carries in its `_meta` what the document inside has no place for.
            let value = result.to_value();
            let carried = [
                ("correlation id", carries_id(&value, outcome)),
                ("warnings", carries_warnings(&value)),
            ];
            losses.retain(|loss| !carried.contains(&(loss.part, true)));
            (json(&result, args.compact), losses)
        }
        OutputShape::RpcError => {
            let fault = outcome.fault().ok_or_else(|| not_a_failure(outcome))?;
            let error = wire::rpc_error(fault, args.to, options);
            let read = breakfall::read(error.to_value()).outcome;
            (json(&error, args.compact), wire::changes(outcome, &read))
        }
    })
}

fn options(args: &ConvertArgs) -> Options {
    let stamp = match (&args.correlation_id, args.timestamp) {
        (None, None) => Stamp::System,
        (id, at) => {
            let (fresh, now) = Stamp::System.take();
            Stamp::Fixed(id.clone().unwrap_or(fresh), at.unwrap_or(now))
        }
    };
    Options::new()
        .strict(args.strict)
        .format(args.format.unwrap_or_default())
        .stamp(stamp)
}

fn json(value: &impl Serialize, compact: bool) -> String {
    let json = if compact {
        serde_json::to_string(value)
    } else {
        serde_json::to_string_pretty(value)
    };
    let json = json.expect("documents have string keys and write to memory");
    format!("{json}\n")
}

/// Whether the output, or a document in a text block of it, is nested too deep to be read back.
fn is_too_deep(output: &str) -> bool {
    let too_deep = |text: &str| match wire::parse(text.as_bytes()) {
        Ok(value) => Ok(value),
        Err(error) => Err(error.problem().starts_with("nested deeper")),
    };
    match too_deep(output) {
        Ok(value) => {
            let blocks = value.get("content").and_then(Value::as_array);
            let mut texts = blocks
                .into_iter()
                .flatten()
                .filter_map(|block| block.get("text")?.as_str());
            texts.any(|text| too_deep(text) == Err(true))
        }
        Err(too_deep) => too_deep,
    }
}

fn redacted() -> ReportNote {
    let text = "secrets and the inside of the server are taken out; `--redact off` keeps them";
    ReportNote::new("note", text)
}

fn too_deep() -> ReportNote {
    let text = format!(
        "the output is nested deeper than {MAX_JSON_DEPTH} levels, too deep to be read back"
    );
    ReportNote::new("note", text)
}

/// Whether the `_meta` of a tool result has the correlation id of an outcome.
fn carries_id(result: &Value, outcome: &Outcome) -> bool {
    let id = outcome
        .fault()
        .and_then(|fault| fault.public().correlation_id());
    let meta = result.get("_meta").and_then(Value::as_object);
    let mut values = meta.into_iter().flat_map(serde_json::Map::values);
    id.is_some_and(|id| values.any(|value| value.as_str() == Some(id.as_str())))
}

/// Whether the `_meta` of a tool result has the warnings.
fn carries_warnings(result: &Value) -> bool {
    let meta = result.get("_meta");
    meta.is_some_and(|meta| meta.get(wire::WARNINGS_KEY).is_some())
}

fn not_a_failure(outcome: &Outcome) -> CommandError {
    let message = format!(
        "a JSON-RPC error carries failures only, and this is a {}",
        outcome.kind()
    );
    CommandError::input(message).hint("write it with --as tool-result")
}

/// Whether the lost part was in the input: provenance may come from the reader instead.
fn was_in_input(loss: &Loss, from: Option<Dialect>) -> bool {
    loss.part != "provenance" || matches!(from, Some(Dialect::Native | Dialect::Problem))
}

fn loss_note(loss: &Loss) -> ReportNote {
    let text = match loss.becomes.as_str() {
        "dropped" => loss.part.to_owned(),
        becomes => format!("{} ({})", loss.part, shorten(becomes)),
    };
    ReportNote::new("lost", text)
}
