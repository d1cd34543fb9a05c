//! A JSON-RPC error → a fault: the codes of JSON-RPC, those of every version of MCP, and the numbers servers make up.
//!
//! A number is often less than it seems: -32602 stands for an unknown tool, a resource that is not there and arguments that do
//! not fit; from -32000 to -32019 nothing means the same everywhere. What was called, what came along in `data` and the
//! words decide then.

mod decide;
mod rules;

use std::borrow::Cow;

use serde_json::Value;

use self::decide::{AddToFault, RpcDecision, decide};
use super::body::{self, BodyReading};
use super::caller_values::CallFacts;
use super::classifier::heeding_user;
use super::{dump, excerpt, json, prefix};
use crate::code::Code;
use crate::fault::{Confidence, Fault, Provenance, reserved};
use crate::phrase::PhraseText;
use crate::wire::decode::ObjectReader;
use crate::wire::{Dialect, Options, detect, error_model, native};

/// What was called when the error came back, as far as it is known.
///
/// ```
/// use breakfall::classify::rpc::Call;
///
/// let call = Call::new().method("tools/call").name("search");
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[must_use]
pub struct Call<'a> {
    method: Option<&'a str>,
    name: Option<&'a str>,
    /// What the caller sent.
    facts: Option<&'a CallFacts>,
}

impl<'a> Call<'a> {
    /// A call nothing is known of.
    pub const fn new() -> Self {
        Self {
            method: None,
            name: None,
            facts: None,
        }
    }

    /// The method: `tools/call`, `resources/read`.
    pub const fn method(mut self, method: &'a str) -> Self {
        self.method = Some(method);
        self
    }

    /// The same call, with what its caller sent: rules do not look at it.
    pub(crate) const fn masking<'b>(self, facts: &'b CallFacts) -> Call<'b>
    where
        'a: 'b,
    {
        Call {
            facts: Some(facts),
            ..self
        }
    }

    /// The name of the tool or prompt, or the URI of the resource.
    pub const fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }
}

impl Call<'_> {
    /// A text as the rules see it.
    fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.facts {
            Some(facts) => facts.mask(text),
            None => Cow::Borrowed(text),
        }
    }
}

/// Classifies the `error` member of a JSON-RPC response.
///
/// ```
/// use breakfall::classify::rpc::{Call, fault};
/// use breakfall::codes;
/// use serde_json::json;
///
/// let error = json!({"code": -32602, "message": "Unknown tool: serach"});
/// let fault = fault(&error, &Call::new().method("tools/call").name("serach"));
/// assert_eq!(fault.code(), codes::NOT_FOUND_OPERATION);
/// ```
pub fn fault(error: &Value, call: &Call<'_>) -> Fault {
    let RpcReading {
        fault, confidence, ..
    } = read(error, call, &Options::new());
    if fault.public().provenance().is_some() {
        return fault;
    }
    fault.provenance(Provenance::new("rpc.document", confidence))
}

/// The code a JSON-RPC code stands for when there is nothing but the number, for those the protocol gives a meaning.
pub fn code_for_rpc(number: i64) -> Option<Code> {
    rules::meaning(number).map(|rule| rule.code)
}

/// A rule that looks further than the number of an error.
///
/// ```
/// use breakfall::classify::rpc;
///
/// let rule = rpc::rules().find(|rule| rule.name == "unknown-tool").expect("a rule");
/// assert_eq!(rule.code.name(), "NOT_FOUND_OPERATION");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct NumberRule {
    /// What follows the number in the name a fault's provenance carries: `rpc.-32602.unknown-tool`.
    pub name: &'static str,
    /// What it recognises.
    pub about: &'static str,
    /// The numbers it looks at; none for those under which everything is sent.
    pub numbers: &'static [i64],
    /// The code it stands for.
    pub code: Code,
    /// How sure a fault is that it made.
    pub confidence: Confidence,
    /// A method, or nothing, and an error it recognises there.
    pub examples: &'static [(&'static str, &'static str)],
}

/// Every rule that looks further than the number, in the order in which they are asked.
pub fn rules() -> impl Iterator<Item = NumberRule> {
    rules::RULES.iter().map(|rule| NumberRule {
        name: rule.name,
        about: rule.about,
        numbers: rule.numbers,
        code: rule.code,
        confidence: rule.confidence,
        examples: rule.examples,
    })
}

/// The fault read from an error, its dialect and confidence.
pub(crate) struct RpcReading {
    pub(crate) fault: Fault,
    pub(crate) dialect: Option<Dialect>,
    pub(crate) confidence: Confidence,
    /// Whether the number says hardly more than that there is an error.
    pub(crate) vague: bool,
}

/// The error of a whole JSON-RPC response.
pub(crate) fn inside(message: &Value) -> Option<&Value> {
    message.get("jsonrpc")?;
    message.get("error").filter(|error| error.is_object())
}

/// Reads an error: our own object in `data` if there is one, numbers of error-model, and then by rules.
pub(crate) fn read(error: &Value, call: &Call<'_>, options: &Options) -> RpcReading {
    if let Some(read) = ours(error, options) {
        return read;
    }
    let number = number(error);
    if is_error_model(error, number)
        && let Ok(object) = ObjectReader::new(error.clone(), "/error")
        && let Ok(fault) = error_model::decode_error(object, options)
    {
        return exact(fault, Dialect::ErrorModel, Confidence::Exact);
    }
    by_rules(&RpcErrorParts::of(error, number, call))
}

/// A Breakfall document in `data`, in any dialect.
fn ours(error: &Value, options: &Options) -> Option<RpcReading> {
    let data = error.get("data")?;
    if let Some(own) = detect::own_error(data)
        && let Ok(fault) = native::decode_error(own.clone(), "/error/data", options)
    {
        return Some(exact(fault, Dialect::Native, Confidence::Exact));
    }
    let (fault, dialect, sure) = body::exact(data, options)?;
    Some(exact(fault, dialect, sure))
}

fn exact(fault: Fault, dialect: Dialect, confidence: Confidence) -> RpcReading {
    RpcReading {
        fault,
        dialect: Some(dialect),
        confidence,
        vague: false,
    }
}

/// Whether an error is one of error-model: its numbers, or a number of its ranges with a member only it has. A 4004
/// of another server has no known meaning.
fn is_error_model(error: &Value, number: i64) -> bool {
    let marked = || {
        let marks = ["retryable", "details"];
        marks.iter().any(|key| error.get(key).is_some())
            || error.pointer("/data/originalError").is_some()
    };
    (1000..=5999).contains(&number) && (error_model::is_standard(number) || marked())
}

fn number(error: &Value) -> i64 {
    let code = error.get("code").unwrap_or(&Value::Null);
    let spelt = || code.as_str()?.trim().parse().ok();
    // Languages with one type of number write -32602.0.
    let whole = || code.as_f64()?.to_string().parse().ok();
    code.as_i64()
        .or_else(spelt)
        .or_else(whole)
        .unwrap_or_default()
}

/// What stands where the number should, whatever it is.
fn label(error: &Value) -> Option<String> {
    match error.get("code")? {
        Value::Number(number) => Some(number.to_string()),
        Value::String(name) => excerpt::line(name, excerpt::NAME),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The parts of an error that rules look at.
pub(crate) struct RpcErrorParts<'a> {
    number: i64,
    label: Option<String>,
    /// In lower case, without the number some SDKs put in front.
    words: String,
    message: &'a str,
    data: &'a Value,
    call: Call<'a>,
}

impl<'a> RpcErrorParts<'a> {
    fn of(error: &'a Value, number: i64, call: &Call<'a>) -> Self {
        // Some servers send words where the object should be.
        let message = error.get("message").and_then(Value::as_str);
        let message = message.or(error.as_str()).unwrap_or_default();
        let start = message
            .char_indices()
            .nth(excerpt::MESSAGE)
            .map_or(message, |(at, _)| &message[..at]);
        Self {
            number,
            label: label(error),
            words: call.masked(bare(start)).to_ascii_lowercase(),
            message,
            data: error.get("data").unwrap_or(&Value::Null),
            call: *call,
        }
    }
}

/// `MCP error -32602: words` → `words`, however often it is said.
fn bare(mut message: &str) -> &str {
    while let Some(rest) = message.strip_prefix("MCP error ") {
        let Some((number, words)) = rest.split_once(':') else {
            break;
        };
        if number.parse::<i64>().is_err() {
            break;
        }
        message = words.trim_start();
    }
    message
}

fn by_rules(error: &RpcErrorParts<'_>) -> RpcReading {
    let mut said = said(error);
    if said.code.is_none()
        && let Some(code) = error.label.as_deref().and_then(body::names::code_for)
    {
        said.code = Some(code);
        said.shape = "name";
    }
    let RpcDecision {
        code,
        rule,
        confidence,
        vague,
        wait,
        add,
        effect,
    } = decide(error, &said);
    let mut fault = Fault::new(code);
    // A dump echoes what came in; the sentence made of it does not.
    let sentence = said.sentence().filter(|_| said.shape.starts_with("dump."));
    let words = || Some(PhraseText::Words(excerpt::message(error.message)?.into()));
    if let Some(sentence) = sentence.or_else(words) {
        fault = fault.say(sentence);
    }
    if let Some(label) = &error.label
        && rules::meaning(error.number).is_none()
    {
        fault = fault.domain_code(label.clone());
    }
    fault = with_data(fault, error.data);
    for violation in said.violations {
        fault = fault.violation(violation);
    }
    let unsaid = fault.public().retry_after().is_none() && code.entry().retry.is_retryable();
    if let Some(wait) = said.wait.or(wait).filter(|_| unsaid) {
        fault = fault.retry_after(wait);
    }
    if let Some(add) = add {
        fault = add(fault, error);
    }
    if confidence == Confidence::Default && !error.message.trim().is_empty() {
        fault = fault.read_its_words();
    }
    RpcReading {
        fault: heeding_user(fault, effect).provenance(Provenance::new(rule, confidence)),
        dialect: None,
        confidence,
        vague,
    }
}

/// What `data` says beside its keys: broken rules, a wait, a name. Some servers put a list of broken rules into the
/// message instead.
fn said(error: &RpcErrorParts<'_>) -> BodyReading {
    let told = |message: &str| {
        let layers = prefix::unwrap(message, &|_| true);
        let found = json::find(layers.bare);
        let value = found.as_ref().map(|found| &found.value);
        let whole = found.as_ref().filter(|found| found.whole);
        dump::read(layers.bare, value, &|_| true).or_else(|| body::read(&whole?.value))
    };
    let said = match error.data {
        Value::Null => told(error.message),
        Value::Object(_) | Value::Array(_) => body::read(error.data),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    };
    said.unwrap_or_default()
}

fn with_data(mut fault: Fault, data: &Value) -> Fault {
    match data {
        Value::Null => {}
        Value::Object(data) => {
            for (key, value) in data {
                // Milliseconds in error-model, seconds everywhere else.
                let key = match key.as_str() {
                    "retryAfter" | "retry_after" => Cow::Borrowed("retry_after_seconds"),
                    other => Cow::Owned(other.to_owned()),
                };
                reserved::absorb(fault.public_mut(), key, value.clone());
            }
            reserved::field_to_param(fault.public_mut());
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            reserved::absorb(fault.public_mut(), Cow::Borrowed("data"), data.clone());
        }
    }
    fault
}
