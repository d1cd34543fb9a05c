//! A JSON value → the outcome in it, whatever is wrapped around it.

use breakfall::read::{Channel, Reading};
use breakfall::wire::detect::detect;
use breakfall::wire::{self, DecodeError, Dialect, Options};
use breakfall::{Confidence, Outcome};
use serde_json::Value;

use super::input::ONE_AT_A_TIME;
use crate::args::Source;
use crate::report::{Note, Problem};

/// What was found in the input.
#[derive(Debug)]
pub(super) struct Recognised {
    pub(super) outcome: Outcome,
    /// Its format, where it has one.
    pub(super) dialect: Option<Dialect>,
    pub(super) notes: Vec<Note>,
}

pub(super) fn recognise(value: Value, from: Source, name: &str) -> Result<Recognised, Problem> {
    if let Some(problem) = no_message(&value, from, name) {
        return Err(problem);
    }
    let is_rpc = value.get("jsonrpc").is_some();
    if is_rpc && value.get("result").is_none() && value.get("error").is_none() {
        let what = format!("{name} is a JSON-RPC request or notification");
        return Err(
            Problem::input(what).hint("only a response has a result or an error to convert")
        );
    }
    match from {
        Source::Auto => auto(value, name),
        Source::Stated(dialect) => stated(value, dialect, name),
    }
}

/// What is wrong with a value that is no object. Only a success of a format without an envelope may be anything.
fn no_message(value: &Value, from: Source, name: &str) -> Option<Problem> {
    let bare = match from {
        Source::Stated(dialect) => matches!(dialect, Dialect::McpError | Dialect::ErrorModel),
        Source::Auto => false,
    };
    let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
    if items.iter().any(|item| item.get("jsonrpc").is_some()) {
        let what = format!("{name} is a JSON-RPC batch: expected one message");
        return Some(Problem::input(what).hint(ONE_AT_A_TIME));
    }
    if value.is_object() || bare {
        return None;
    }
    let what = format!("{name} holds {}: expected an object", kind(value));
    let problem = Problem::input(what);
    Some(if value.is_array() {
        problem.hint(ONE_AT_A_TIME)
    } else {
        problem
    })
}

/// By its structure alone.
fn auto(value: Value, name: &str) -> Result<Recognised, Problem> {
    let wrapped = is_message(&value);
    if !wrapped && let Some(dialect) = detect(&value) {
        return marked(value, dialect, name);
    }
    // A tool result with the marks of a format is kept for the case that it cannot be read as one.
    let kept = detect(inner(&value)).map(|dialect| (inner(&value).clone(), dialect));
    let reading = breakfall::read(value.clone());
    if let Some(problem) = damage(&value, &reading, name) {
        return Err(problem);
    }
    if matches!(reading.channel, Channel::Payload | Channel::IsError) {
        if let Some((result, dialect)) = kept {
            return marked(result, dialect, name);
        }
        if !wrapped {
            let what = format!("{name} is in no known format");
            return Err(Problem::input(what).hint(format!("state it with --from: {}", known())));
        }
    }
    let note = Note::new("recognised", describe(&reading));
    Ok(Recognised::new(reading.outcome, reading.dialect, note))
}

/// What has the marks of a format is read as that or not at all: better to say what is wrong than to guess.
fn marked(document: Value, dialect: Dialect, name: &str) -> Result<Recognised, Problem> {
    let decoded = wire::decode(document, dialect, &Options::new());
    let outcome = decoded.map_err(|error| malformed(name, dialect, &error))?;
    let note = Note::new("recognised", dialect.as_str());
    Ok(Recognised::new(outcome, Some(dialect), note))
}

/// What is wrong with a failure that breaks its own format. A reader makes the best of it, since a call has to come
/// to something; a converter should not.
fn damage(value: &Value, reading: &Reading, name: &str) -> Option<Problem> {
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

/// As the caller says.
fn stated(value: Value, dialect: Dialect, name: &str) -> Result<Recognised, Problem> {
    if !is_message(&value) && detect(&value).is_some() {
        let outcome = decode(value, dialect, None, name)?;
        return Ok(Recognised::of(outcome, dialect));
    }
    let reading = breakfall::read(value.clone());
    let is_rpc_error = reading.channel == Channel::RpcError;
    // Of all formats only error-model says its protocol failures as plain JSON-RPC errors.
    let is_plain = is_rpc_error && reading.dialect.is_none() && dialect == Dialect::ErrorModel;
    if reading.dialect == Some(dialect)
        && let Some(problem) = damage(&value, &reading, name)
    {
        return Err(problem);
    }
    if reading.dialect == Some(dialect) || is_plain {
        return Ok(Recognised::of(reading.outcome, dialect));
    }
    if is_rpc_error {
        let what = format!("{name} is a JSON-RPC error, and nothing in it is {dialect}");
        return Err(Problem::input(what).hint("convert it with --from auto"));
    }
    let documents = documents(inner(&value), dialect);
    let mut first = None;
    for document in documents {
        match decode(document, dialect, reading.dialect, name) {
            Ok(outcome) => return Ok(Recognised::of(outcome, dialect)),
            Err(problem) => first = first.or(Some(problem)),
        }
    }
    match first {
        Some(problem) => Err(problem),
        None if reading.channel == Channel::Payload && !has_envelope(dialect) => {
            Ok(Recognised::of(reading.outcome, dialect))
        }
        None => {
            let what = format!("{name} is a tool result, and no block of it is {dialect}");
            Err(Problem::input(what).hint("convert it with --from auto"))
        }
    }
}

/// Reads a document of a stated format, unless it has the marks of another.
fn decode(
    document: Value,
    dialect: Dialect,
    read_as: Option<Dialect>,
    name: &str,
) -> Result<Outcome, Problem> {
    let looks = read_as
        .or_else(|| detect(&document))
        .filter(|found| *found != dialect);
    let marked = looks.is_some_and(|found| !are_alike(found, dialect));
    let problem = match wire::decode(document, dialect, &Options::new()) {
        // Formats that cannot ask write a question as tool-error does.
        Ok(outcome) if !marked || matches!(outcome, Outcome::NeedsInput(_)) => return Ok(outcome),
        // Some decoders take any payload for a success, or for an error without marks.
        Ok(_) => Problem::input(format!("{name} is not {dialect}: {}", expected(dialect))),
        Err(error) => malformed(name, dialect, &error),
    };
    Err(match looks {
        Some(found) => problem.hint(format!(
            "it looks like {found}: convert it with --from {found}, or --from auto"
        )),
        None => problem,
    })
}

/// What a failure of a format has that no other has.
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

/// Two formats share an envelope, and only a decoder can tell what a document without marks is.
fn are_alike(a: Dialect, b: Dialect) -> bool {
    let envelope = |dialect| matches!(dialect, Dialect::ResponseV2 | Dialect::McpAql);
    envelope(a) && envelope(b)
}

/// Whether a success has marks of its own.
const fn has_envelope(dialect: Dialect) -> bool {
    match dialect {
        Dialect::Native | Dialect::ResponseV2 | Dialect::McpAql | Dialect::Problem => true,
        Dialect::McpError | Dialect::ErrorModel | Dialect::ToolError => false,
    }
}

impl Recognised {
    fn new(outcome: Outcome, dialect: Option<Dialect>, note: Note) -> Self {
        Self {
            outcome,
            dialect,
            notes: vec![note],
        }
    }

    /// An outcome of a stated format. Any payload is a success of a format without an envelope, which the caller
    /// may not have meant.
    fn of(outcome: Outcome, dialect: Dialect) -> Self {
        let mut notes = Vec::new();
        if matches!(outcome, Outcome::Success(_)) && !has_envelope(dialect) {
            let text = format!("nothing in it is an error of {dialect}, so it counts as a success");
            notes.push(Note::new("note", text));
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

fn malformed(name: &str, dialect: Dialect, error: &DecodeError) -> Problem {
    let place = match error.place() {
        "" => String::new(),
        place => format!("{place}: "),
    };
    Problem::input(format!(
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
