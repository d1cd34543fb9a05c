//! A JSON-RPC error → a fault: the codes of JSON-RPC, those of every version of MCP, and the numbers servers make up.
//!
//! A number is often less than it seems: -32602 stands for an unknown tool, a resource that is not there and arguments that do
//! not fit; from -32000 to -32019 nothing means the same everywhere. What was called, what came along in `data` and the
//! words decide then.

mod rules;

use std::borrow::Cow;
use std::time::Duration;

use serde_json::Value;

use self::rules::RpcRule;
use super::body::{self, BodyReading};
use super::classifier::heeding_user;
use super::result::words_of;
use super::{dump, excerpt, json, page, prefix, status, text};
use crate::catalog::codes;
use crate::code::{Category, Code};
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
}

impl<'a> Call<'a> {
    /// A call nothing is known of.
    pub const fn new() -> Self {
        Self {
            method: None,
            name: None,
        }
    }

    /// The method: `tools/call`, `resources/read`.
    pub const fn method(mut self, method: &'a str) -> Self {
        self.method = Some(method);
        self
    }

    /// The name of the tool or prompt, or the URI of the resource.
    pub const fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
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
    let own = data
        .get(native::ERROR_KEY)
        .or_else(|| detect::is_native_error(data).then_some(data));
    if let Some(Ok(fault)) =
        own.map(|own| native::decode_error(own.clone(), "/error/data", options))
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
            words: bare(start).to_ascii_lowercase(),
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
        fault: heeding_user(fault, &rule).provenance(Provenance::new(rule, confidence)),
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
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            reserved::absorb(fault.public_mut(), Cow::Borrowed("data"), data.clone());
        }
    }
    fault
}

struct RpcDecision {
    code: Code,
    rule: Cow<'static, str>,
    confidence: Confidence,
    vague: bool,
    wait: Option<Duration>,
    add: Option<AddToFault>,
}

/// Adds to a fault what only its rule knows.
type AddToFault = fn(Fault, &RpcErrorParts<'_>) -> Fault;

fn decide(error: &RpcErrorParts<'_>, said: &BodyReading) -> RpcDecision {
    let number = error.number;
    if let Some(RpcRule {
        name,
        code,
        confidence,
        add,
        ..
    }) = rules::find(error)
    {
        return RpcDecision {
            add: *add,
            ..RpcDecision::of(*code, format!("rpc.{number}.{name}"), *confidence)
        };
    }
    let meaning = rules::meaning(number);
    let vague = meaning.is_none_or(|meaning| meaning.vague);
    if let Some(code) = said.code.filter(|_| vague) {
        let rule = format!("rpc.{number}.{}", said.shape);
        return RpcDecision::of(code, rule, Confidence::Structural);
    }
    let may = meaning.map_or(Category::ALL, |meaning| meaning.may);
    let judge = |words: &str| {
        text::judge(&page::without(words)).filter(|judged| may.contains(&judged.code.category()))
    };
    let says_nothing = |judged: &Option<text::TextJudgement>| {
        let has = meaning.map_or(codes::INTERNAL_ERROR, |meaning| meaning.code);
        judged.as_ref().is_none_or(|judged| judged.code == has)
    };
    let mut judged = judge(bare(error.message));
    // "Internal error" is what frameworks say; what happened stands beside it.
    let told = || {
        let words = said.message.as_deref().or_else(|| words_of(error.data));
        words.or_else(|| REASONS.iter().find_map(|key| error.data.get(key)?.as_str()))
    };
    let beside = error.data.as_str().or_else(told);
    if vague
        && says_nothing(&judged)
        && let Some(better) = beside.and_then(judge)
    {
        judged = Some(better);
    }
    let wait = judged.as_ref().and_then(|judged| judged.wait);
    // Words that say what the number says make nothing less sure.
    let decided = match judged.filter(|judged| meaning.is_none_or(|have| have.code != judged.code))
    {
        Some(judged) => {
            let rule = format!("rpc.{number}.{}", judged.rule);
            RpcDecision::of(judged.code, rule, Confidence::Textual)
        }
        None => match by_number(number, vague) {
            // An error that says when to retry also says that a retry makes sense.
            unknown if unknown.confidence == Confidence::Default && asks_to_wait(error.data) => {
                let rule = format!("rpc.{number}.retry-after");
                RpcDecision::of(codes::UNAVAILABLE_SERVICE, rule, Confidence::Structural)
            }
            decided => decided,
        },
    };
    RpcDecision { wait, ..decided }
}

/// Where else in its data an error says what happened.
const REASONS: &[&str] = &[
    "details",
    "reason",
    "cause",
    "description",
    "originalError",
    "original_error",
    "exception",
    "stderr",
];

fn asks_to_wait(data: &Value) -> bool {
    let keys = [
        "retryAfter",
        "retry_after",
        "retry_after_seconds",
        "retry_after_ms",
    ];
    let is_time = |key: &&str| {
        data.get(*key)
            .and_then(Value::as_f64)
            .is_some_and(|time| time > 0.0)
    };
    keys.iter().any(is_time)
}

/// What is left when nothing but the number speaks.
fn by_number(number: i64, vague: bool) -> RpcDecision {
    // Some servers send the status of the API behind them for a number.
    let status = u16::try_from(number)
        .ok()
        .filter(|number| (400..=599).contains(number));
    let rule = || format!("rpc.{number}");
    match (rules::meaning(number), status) {
        (Some(meaning), _) => RpcDecision {
            vague,
            ..RpcDecision::of(meaning.code, rule(), Confidence::Structural)
        },
        (None, Some(status)) => {
            let code = status::code_for_status(status);
            RpcDecision::of(code, format!("rpc.http-{status}"), Confidence::Structural)
        }
        (None, None) => RpcDecision {
            vague,
            ..RpcDecision::of(codes::INTERNAL_UNKNOWN, rule(), Confidence::Default)
        },
    }
}

impl RpcDecision {
    fn of(code: Code, rule: String, confidence: Confidence) -> Self {
        Self {
            code,
            rule: Cow::Owned(rule),
            confidence,
            vague: false,
            wait: None,
            add: None,
        }
    }
}
