//! A JSON value → the outcome in it, with or without a message around it.

use breakfall::read::{Channel, Reading};
use breakfall::wire::detect::detect;
use breakfall::wire::{self, DecodeError, Dialect, Options};
use breakfall::{Confidence, Outcome, Success};
use serde_json::Value;

use super::input::ONE_AT_A_TIME;
use crate::args::InputFormat;
use crate::report::{CommandError, ReportNote};

/// The outcome in the input.
#[derive(Debug)]
pub(super) struct RecognisedInput {
    pub(super) outcome: Outcome,
    /// Its format, if it has one.
    pub(super) dialect: Option<Dialect>,
    pub(super) notes: Vec<ReportNote>,
}

pub(super) fn recognise(
    value: Value,
    from: InputFormat,
    name: &str,
) -> Result<RecognisedInput, CommandError> {
    if let Some(error) = not_a_message(&value, from, name) {
        return Err(error);
    }
    let value = with_version(value, from);
    let is_rpc = value.get("jsonrpc").is_some();
    if is_rpc && value.get("result").is_none() && value.get("error").is_none() {
        let message = format!("{name} is a JSON-RPC request or notification");
        return Err(CommandError::input(message)
            .hint("only a response has a result or an error to convert"));
    }
    match from {
        InputFormat::Auto => auto(value, name),
        InputFormat::Stated(dialect) => stated(value, dialect, name),
    }
}

/// The error object of a JSON-RPC response without the rest of it, as HTTP APIs write it too, becomes a whole response.
fn with_version(mut value: Value, from: InputFormat) -> Value {
    let is_bare = match value.as_object() {
        Some(members) => members.get("error").is_some_and(has_code) && !is_message(&value),
        None => false,
    };
    if is_bare && from == InputFormat::Auto && detect(&value).is_none() {
        value["jsonrpc"] = "2.0".into();
    }
    value
}

fn has_code(error: &Value) -> bool {
    error.get("code").is_some_and(Value::is_i64)
}

/// The error of a value that is not an object. Only the success of a format without an envelope may be any value.
fn not_a_message(value: &Value, from: InputFormat, name: &str) -> Option<CommandError> {
    let bare = match from {
        InputFormat::Stated(dialect) => matches!(dialect, Dialect::McpError | Dialect::ErrorModel),
        InputFormat::Auto => false,
    };
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    if items.iter().any(|item| item.get("jsonrpc").is_some()) {
        let message = format!("{name} is a JSON-RPC batch: expected one message");
        return Some(CommandError::input(message).hint(ONE_AT_A_TIME));
    }
    if value.is_object() || bare {
        return None;
    }
    let message = format!("{name} holds {}: expected an object", kind(value));
    let error = CommandError::input(message);
    Some(if value.is_array() {
        error.hint(ONE_AT_A_TIME)
    } else {
        error
    })
}

/// Recognised by its structure.
fn auto(value: Value, name: &str) -> Result<RecognisedInput, CommandError> {
    let wrapped = is_message(&value);
    if !wrapped && let Some(dialect) = detect(&value) {
        return marked(value, dialect, name);
    }
    // A tool result that has the marks of a format, in case it cannot be read as one.
    let kept = detect(inner(&value)).map(|dialect| (inner(&value).clone(), dialect));
    let reading = breakfall::read(value.clone());
    if let Some(error) = damage(&value, &reading, name) {
        return Err(error);
    }
    if matches!(reading.channel, Channel::Payload | Channel::IsError) {
        if let Some((result, dialect)) = kept {
            return marked(result, dialect, name);
        }
        if !wrapped {
            let message = format!("{name} is in no known format");
            return Err(
                CommandError::input(message).hint(format!("state it with --from: {}", known()))
            );
        }
    }
    let note = ReportNote::new("recognised", describe(&reading));
    Ok(RecognisedInput::new(reading.outcome, reading.dialect, note))
}

/// A document with the marks of a format is read as that format or refused: an error is better than a guess.
fn marked(document: Value, dialect: Dialect, name: &str) -> Result<RecognisedInput, CommandError> {
    let decoded = wire::decode(document, dialect, &Options::new());
    let outcome = decoded.map_err(|error| malformed(name, dialect, &error))?;
    let note = ReportNote::new("recognised", dialect.as_str());
    Ok(RecognisedInput::new(outcome, Some(dialect), note))
}

/// The error of a failure that breaks its own format. A reader has to accept it, since a call needs an outcome; a
/// converter does not.
fn damage(value: &Value, reading: &Reading, name: &str) -> Option<CommandError> {
    let dialect = reading.dialect?;
    if reading.confidence != Confidence::Default || reading.channel == Channel::RpcError {
        return None;
    }
    let mut first = None;
    for document in documents(inner(value), dialect) {
        match wire::decode(document, dialect, &Options::new()) {
            Ok(_) => return None,
            Err(error) => first = first.or(Some(error)),
        }
    }
    first.map(|error| malformed(name, dialect, &error))
}

/// Read as the stated format.
fn stated(value: Value, dialect: Dialect, name: &str) -> Result<RecognisedInput, CommandError> {
    if !is_message(&value) && detect(&value).is_some() {
        let outcome = decode(value, dialect, None, name)?;
        return Ok(RecognisedInput::of(outcome, dialect));
    }
    let reading = breakfall::read(value.clone());
    let is_rpc_error = reading.channel == Channel::RpcError;
    // Only error-model writes its protocol failures as plain JSON-RPC errors.
    let is_plain = is_rpc_error && reading.dialect.is_none() && dialect == Dialect::ErrorModel;
    if reading.dialect == Some(dialect)
        && let Some(error) = damage(&value, &reading, name)
    {
        return Err(error);
    }
    if reading.dialect == Some(dialect) || is_plain {
        return Ok(RecognisedInput::of(reading.outcome, dialect));
    }
    if is_rpc_error {
        let message = format!("{name} is a JSON-RPC error, and nothing in it is {dialect}");
        return Err(CommandError::input(message).hint("convert it with --from auto"));
    }
    let documents = documents(inner(&value), dialect);
    let mut first = None;
    for document in documents {
        match decode(document, dialect, reading.dialect, name) {
            Ok(outcome) => return Ok(RecognisedInput::of(outcome, dialect)),
            Err(error) => first = first.or(Some(error)),
        }
    }
    match first {
        Some(error) => Err(error),
        None if reading.channel == Channel::Payload && !has_envelope(dialect) => {
            let outcome = as_written(reading.outcome, inner(&value));
            Ok(RecognisedInput::of(outcome, dialect))
        }
        None => {
            let message = format!("{name} is a tool result, and no block of it is {dialect}");
            Err(CommandError::input(message).hint("convert it with --from auto"))
        }
    }
}

/// A success of a format without an envelope, which writes its data as JSON: `7` is a number there. Of a server that is not
/// known to speak a format it is read as a text.
fn as_written(outcome: Outcome, result: &Value) -> Outcome {
    let text = result["content"][0]["text"].as_str();
    let data = match &outcome {
        Outcome::Success(success) => text.filter(|text| success.data() == text),
        Outcome::NeedsInput(_) | Outcome::Batch(_) | Outcome::Fault(_) => None,
    };
    match data.and_then(|text| serde_json::from_str::<Value>(text).ok()) {
        Some(data) => Success::new(data).into(),
        None => outcome,
    }
}

/// Reads a document of a stated format, unless it has the marks of another.
fn decode(
    document: Value,
    dialect: Dialect,
    read_as: Option<Dialect>,
    name: &str,
) -> Result<Outcome, CommandError> {
    let detected = read_as
        .or_else(|| detect(&document))
        .filter(|found| *found != dialect);
    let marked = detected.is_some_and(|found| !are_alike(found, dialect));
    let error = match wire::decode(document, dialect, &Options::new()) {
        // Formats without questions write one as tool-error does.
        Ok(outcome) if !marked || matches!(outcome, Outcome::NeedsInput(_)) => return Ok(outcome),
        // Some decoders accept any payload as a success, or as an error without marks.
        Ok(_) => CommandError::input(format!("{name} is not {dialect}: {}", expected(dialect))),
        Err(error) => malformed(name, dialect, &error),
    };
    Err(match detected {
        Some(found) => error.hint(format!(
            "it looks like {found}: convert it with --from {found}, or --from auto"
        )),
        None => error,
    })
}

/// What only a failure of the format has.
const fn expected(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Native => "/_meta: expected a key that begins with dev.breakfall/",
        Dialect::ResponseV2 => "/error: expected a string or null",
        Dialect::McpError => "/recovery_actions: expected a list, beside /code and /message",
        Dialect::ErrorModel => "/error/code: expected a number",
        Dialect::ToolError => "/structuredContent/kind: expected toolError:v1 or needsInput:v1",
        Dialect::McpAql => "/error: expected an object with code and message",
        Dialect::Problem => "/status: expected a number, beside /type, /title and /detail",
    }
}

/// The documents a value may hold: itself, or for a tool result its blocks of JSON, the last first, then its
/// structured content.
fn documents(value: &Value, dialect: Dialect) -> Vec<Value> {
    let whole = matches!(dialect, Dialect::Native | Dialect::ToolError);
    if whole || !is_tool_result(value) {
        return vec![value.clone()];
    }
    let blocks = value.get("content").and_then(Value::as_array);
    let texts = blocks
        .into_iter()
        .flatten()
        .rev()
        .filter_map(|block| block.get("text")?.as_str());
    let parsed = texts.filter_map(|text| serde_json::from_str(text).ok());
    let structured = value.get("structuredContent").cloned();
    parsed.chain(structured).filter(Value::is_object).collect()
}

/// The result inside a JSON-RPC response.
fn inner(value: &Value) -> &Value {
    let result = value.get("jsonrpc").and_then(|_| value.get("result"));
    result.unwrap_or(value)
}

fn is_message(value: &Value) -> bool {
    value.get("jsonrpc").is_some() || is_tool_result(value)
}

fn is_tool_result(value: &Value) -> bool {
    value.get("content").is_some_and(Value::is_array)
        || value.get("isError").is_some()
        || value.get("structuredContent").is_some()
}

/// Whether two formats share an envelope, so that only a decoder can tell them apart.
fn are_alike(a: Dialect, b: Dialect) -> bool {
    let envelope = |dialect| matches!(dialect, Dialect::ResponseV2 | Dialect::McpAql);
    envelope(a) && envelope(b)
}

/// Whether a success has an envelope.
const fn has_envelope(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Native | Dialect::ResponseV2 | Dialect::McpAql | Dialect::Problem => true,
        Dialect::McpError | Dialect::ErrorModel | Dialect::ToolError => false,
    }
}

impl RecognisedInput {
    fn new(outcome: Outcome, dialect: Option<Dialect>, note: ReportNote) -> Self {
        Self {
            outcome,
            dialect,
            notes: vec![note],
        }
    }

    /// An outcome of a stated format. Without an envelope any payload is a success, which the caller may not expect.
    fn of(outcome: Outcome, dialect: Dialect) -> Self {
        let mut notes = Vec::new();
        if matches!(outcome, Outcome::Success(_)) && !has_envelope(dialect) {
            let text = format!("nothing in it is an error of {dialect}, so it counts as a success");
            notes.push(ReportNote::new("note", text));
        }
        Self {
            outcome,
            dialect: Some(dialect),
            notes,
        }
    }
}

fn describe(reading: &Reading) -> String {
    let place = match reading.channel {
        Channel::Meta | Channel::Document | Channel::IsError | Channel::Payload => "",
        Channel::JsonBlock => ", in a text block",
        Channel::Structured => ", in structuredContent",
        Channel::Text => ", by its text alone",
        Channel::RpcError => ", in a JSON-RPC error",
    };
    match (reading.dialect, reading.channel) {
        (Some(dialect), _) => format!("{dialect}{place}"),
        (None, Channel::RpcError) => "a JSON-RPC error in no known format".to_owned(),
        (None, Channel::IsError) => "a failed tool result in no known format".to_owned(),
        (None, _) => "a result without an error".to_owned(),
    }
}

fn malformed(name: &str, dialect: Dialect, error: &DecodeError) -> CommandError {
    let place = match error.place() {
        "" => String::new(),
        place => format!("{place}: "),
    };
    CommandError::input(format!(
        "{name} is not valid {dialect}: {place}{}",
        error.problem()
    ))
}

fn known() -> String {
    let names: Vec<&str> = Dialect::ALL
        .iter()
        .map(|dialect| dialect.as_str())
        .collect();
    names.join(", ")
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
