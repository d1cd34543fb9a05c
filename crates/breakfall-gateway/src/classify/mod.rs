//! The verdict on an answer: the one that retry, breaker, metrics, audit and reply all read.
//!
//! ```text
//! answer ──► prefilter   prefilter.rs      top-level members and openings of texts: most answers are plain successes
//!        ──► parse       lenient_json.rs   only possible failures, with any numbers and texts in them
//!        ──► classify    the library       a known format, a JSON-RPC error, text; failures that claim success
//!        ──► Verdict
//! ```
//!
//! ```
//! use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
//! use breakfall_gateway::classify::{ExecutionEvidence, JudgedRequest, Rules, Verdict, judge};
//!
//! let text = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"error\":\"no such table: orders\"}"}]}}"#;
//! let answer = Frame::parse(text.into(), &FrameLimits::RESPONSE).expect("a message");
//! let rules = Rules::new();
//! let Verdict::Failed(failure) = judge(&answer, &JudgedRequest::call("query", &rules)) else {
//!     panic!("it claims success, and fails");
//! };
//! assert_eq!(failure.fault.code().name(), "NOT_FOUND_RESOURCE");
//! assert_eq!(failure.evidence, ExecutionEvidence::Hidden);
//! assert!(!failure.is_infrastructure());
//! ```

mod evidence;
mod block;
mod lenient_json;
mod prefilter;
mod named;
mod malformed;

use breakfall::classify::Classifier;
use breakfall::classify::rpc::Call;
use breakfall::read::{Channel as ReadChannel, FailureEvidence, Reading, read_by, read_error};
use breakfall::wire::{Dialect, Options, Rpc};
use breakfall::{Catalog, Category, Code, Fault, Origin, Outcome, Public, codes};
use serde_json::{Value, json};

pub(crate) use block::Block;
pub use evidence::ExecutionEvidence;
pub(crate) use lenient_json::text_of;
pub use lenient_json::value_of;
pub(crate) use malformed::repair;
use prefilter::Prefilter;

use breakfall_mcp::jsonrpc::{Frame, Kind, TransportStatus};
use breakfall_mcp::protocol::method;

/// The verdict on an answer.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "callers must handle every verdict")]
pub enum Verdict {
    /// The call succeeded.
    Success,
    /// The answer is not a result yet: the server asks for input, or has started a task.
    Asks,
    /// The answer is not a valid tool result and does not declare a failure: it has no list of blocks, or an invalid
    /// block.
    Malformed,
    /// The call succeeded, as the server says, and its text reads like a failure.
    LooksFailed(Suspicion),
    /// The call failed.
    Failed(ClassifiedFailure),
}

/// What a success that reads like a failure looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suspicion {
    /// The rule that sees it.
    pub rule: String,
    /// The failure it looks like.
    pub code: Code,
}

/// A failure, and where its answer declares it.
#[derive(Debug)]
#[non_exhaustive]
pub struct ClassifiedFailure {
    /// The fault, before redaction.
    pub fault: Fault,
    /// The format of the text, if it is one of the supported formats: a client that reads only the text misses nothing.
    pub speaks: Option<Dialect>,
    /// Where the protocol carries it.
    pub channel: Channel,
    /// What is known about whether the call was executed.
    pub evidence: ExecutionEvidence,
    /// Whether rules inferred it from text, an error number or an unauthenticated envelope, not from the native format.
    /// An inferred failure says nothing about the server, which answered.
    pub is_guessed: bool,
    /// Whether another gateway on the path has retried the call, as the details say.
    pub is_retried: bool,
}

/// The two places of the protocol for the failure of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two the protocol has")]
pub enum Channel {
    /// A tool result with `isError`, which the model sees.
    Result,
    /// A JSON-RPC error: of the gateway with this protocol code, or of the server.
    Protocol(Option<Rpc>),
}

impl ClassifiedFailure {
    /// A failure of the gateway, answered as a tool result.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall_gateway::classify::{Channel, ClassifiedFailure};
    ///
    /// assert_eq!(ClassifiedFailure::new(Fault::unavailable("shop")).channel, Channel::Result);
    /// ```
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            speaks: None,
            channel: Channel::Result,
            evidence: ExecutionEvidence::Stated,
            is_guessed: false,
            is_retried: false,
        }
    }

    /// A failure of the gateway that the protocol answers with an error: the call is malformed, or the tool is unknown.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::wire::Rpc;
    /// use breakfall_gateway::classify::{Channel, ClassifiedFailure};
    ///
    /// let failure = ClassifiedFailure::refused(Fault::missing_param("name"));
    /// assert_eq!(failure.channel, Channel::Protocol(Some(Rpc::InvalidParams)));
    /// ```
    pub fn refused(fault: Fault) -> Self {
        Self {
            channel: Channel::Protocol(Some(Rpc::InvalidParams)),
            ..Self::new(fault)
        }
    }

    /// Whether the server or the path to it has failed, rather than this call or its target.
    pub fn is_infrastructure(&self) -> bool {
        !self.is_guessed && is_infrastructure(self.fault.public())
    }
}

/// Whether a fault means that a server, or the path to it, has failed.
///
/// Unavailability does, and so does an internal failure that may pass by itself. Errors of the caller or the domain,
/// limits, questions to a human and unclassified failures say nothing about the health of a server.
pub fn is_infrastructure(public: &Public) -> bool {
    match public.category() {
        Category::Unavailable => true,
        Category::Internal => public.code().entry().retry.is_retryable(),
        Category::Validation
        | Category::Authentication
        | Category::Authorization
        | Category::NotFound
        | Category::Conflict
        | Category::RateLimit
        | Category::Confirmation
        | Category::Business => false,
    }
}

/// What is done about results that claim success and look failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a closed set of words, matched in full"
)]
pub enum HiddenFailures {
    /// Structural evidence makes a failure; weaker evidence is ignored.
    Certain,
    /// Structural evidence makes a failure; weaker evidence a warning.
    #[default]
    Warn,
    /// Any evidence makes a failure.
    Likely,
    /// The server is believed.
    Off,
}

impl HiddenFailures {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Certain, Self::Warn, Self::Likely, Self::Off];

    /// The word in a configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Certain => "certain",
            Self::Warn => "warn",
            Self::Likely => "likely",
            Self::Off => "off",
        }
    }
}

/// The rules for answers: the operator's codes and rules.
#[derive(Debug, Clone)]
#[must_use]
pub struct Rules {
    /// Looks at results that claim success too.
    classifier: Classifier,
    /// Believes them.
    believing: Classifier,
    catalog: Catalog,
    options: Options,
}

impl Rules {
    /// The built-in rules.
    ///
    /// ```
    /// use breakfall_gateway::classify::Rules;
    ///
    /// assert!(Rules::new().catalog().iter().count() > 50);
    /// ```
    pub fn new() -> Self {
        Self::of(Classifier::new(), Catalog::builtin())
    }

    /// The rules of an operator.
    ///
    /// ```
    /// use breakfall::Catalog;
    /// use breakfall::classify::Classifier;
    /// use breakfall_gateway::classify::Rules;
    ///
    /// let rules = Rules::of(Classifier::new(), Catalog::builtin());
    /// ```
    pub fn of(classifier: Classifier, catalog: Catalog) -> Self {
        Self {
            classifier: classifier.clone().unmask(true),
            believing: classifier.unmask(false),
            options: Options::new().catalog(catalog.clone()),
            catalog,
        }
    }

    /// The known codes.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    fn classifier(&self, about: &JudgedRequest<'_>) -> Classifier {
        let classifier = match about.hidden_failures {
            HiddenFailures::Off => &self.believing,
            HiddenFailures::Certain | HiddenFailures::Warn | HiddenFailures::Likely => {
                &self.classifier
            }
        };
        match about.method {
            method::TOOLS_CALL => classifier.for_call(about.name, about.arguments),
            _ => classifier.clone(),
        }
    }
}

/// Equal if they lead to the same verdicts.
impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.classifier.rules().eq(other.classifier.rules())
            && self.catalog.iter().eq(other.catalog.iter())
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::new()
    }
}

/// The request of an answer, and the rules it is judged by.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct JudgedRequest<'a> {
    /// The method: `tools/call`, `resources/read`.
    pub method: &'a str,
    /// The name of the tool or prompt, or the URI of the resource; empty if the request names none.
    pub name: &'a str,
    /// The arguments of a call, as JSON: what they hold does not classify.
    pub arguments: &'a str,
    /// What is done about hidden failures.
    pub hidden_failures: HiddenFailures,
    /// The rules.
    pub rules: &'a Rules,
}

impl<'a> JudgedRequest<'a> {
    /// A `tools/call` request.
    pub fn call(tool: &'a str, rules: &'a Rules) -> Self {
        Self::request(method::TOOLS_CALL, tool, rules)
    }

    /// A request of another method.
    pub fn request(method: &'a str, name: &'a str, rules: &'a Rules) -> Self {
        Self {
            method,
            name,
            arguments: "{}",
            hidden_failures: HiddenFailures::default(),
            rules,
        }
    }

    /// The same request with its arguments.
    #[must_use]
    pub fn arguments(mut self, arguments: &'a str) -> Self {
        self.arguments = arguments;
        self
    }

    /// The same request with another setting for hidden failures.
    #[must_use]
    pub fn hidden_failures(mut self, hidden_failures: HiddenFailures) -> Self {
        self.hidden_failures = hidden_failures;
        self
    }
}

/// Judges an answer. An answer marked as a failure is never judged a success.
pub fn judge(answer: &Frame, about: &JudgedRequest<'_>) -> Verdict {
    match (answer.kind(), answer.original_body()) {
        (Kind::Error, Some(error)) => {
            let failure = judge_error(error, about);
            Verdict::Failed(match answer.beside() {
                Some(beside) => heeding(failure, beside),
                None => failure,
            })
        }
        (Kind::Result, Some(result)) if about.method == method::TOOLS_CALL => {
            judge_result(result, about)
        }
        (Kind::Error | Kind::Result | Kind::Request | Kind::Notification, _) => Verdict::Success,
    }
}

/// Judges the result of a call.
pub fn judge_result(result: &str, about: &JudgedRequest<'_>) -> Verdict {
    match prefilter::of(result, about.hidden_failures != HiddenFailures::Off) {
        Prefilter::Success => Verdict::Success,
        Prefilter::Asks => Verdict::Asks,
        Prefilter::Malformed => Verdict::Malformed,
        Prefilter::Candidate(value) => read(value, about),
        Prefilter::Suspect => read(value_of(result), about),
        Prefilter::MalformedFailure => {
            let readable = malformed::readable(result);
            read(value_of(readable.as_deref().unwrap_or(result)), about)
        }
    }
}

/// Judges a JSON-RPC error.
pub fn judge_error(error: &str, about: &JudgedRequest<'_>) -> ClassifiedFailure {
    let value = value_of(error);
    let outer = value.get("code").and_then(Value::as_i64);
    let value = innermost(value);
    // A handler that wraps the error of another request says nothing of its own.
    let number = outer.filter(|number| value.get("code").and_then(Value::as_i64) == Some(*number));
    let mut call = Call::new().method(about.method);
    if !about.name.is_empty() {
        call = call.name(about.name);
    }
    let classifier = about.rules.classifier(about);
    let reading = read_error(&value, &call, &about.rules.options, &classifier);
    let speaks = reading.dialect;
    let is_guessed = !reading.is_own_document();
    let evidence = ExecutionEvidence::of_reading(&reading, number);
    let is_retried = evidence::is_retried(&reading);
    let fault = match reading.outcome {
        Outcome::Fault(fault) => fault,
        Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => Fault::internal(),
    };
    ClassifiedFailure {
        fault: of_upstream(fault),
        speaks,
        channel: Channel::Protocol(None),
        evidence,
        is_guessed,
        is_retried,
    }
}

/// Applies the HTTP status of an error: its retry time if the error has none, and its category if the error code has no
/// meaning.
pub(crate) fn heeding(
    mut failure: ClassifiedFailure,
    beside: TransportStatus,
) -> ClassifiedFailure {
    let public = failure.fault.public();
    if public.category() == Category::Internal && failure.speaks.is_none() {
        let words = public.message().into_owned();
        failure.fault = Fault::new(beside.code)
            .message(words)
            .origin(Origin::Upstream);
    }
    // The status is evidence, whatever the text says.
    failure.is_guessed &= !beside.is_failed_at();
    if beside.is_turned_away() {
        failure.evidence = ExecutionEvidence::Refused;
    } else if beside.is_failed_at() && failure.speaks.is_none() {
        // A retry time says no more with a JSON-RPC error than with an HTML page.
        failure.evidence = ExecutionEvidence::Answered;
    }
    let is_said = failure.fault.public().retry_after().is_some();
    failure.fault = match beside.wait.filter(|_| !is_said) {
        Some(wait) => failure.fault.retry_after(wait),
        None => failure.fault,
    };
    failure.fault = failure.fault.http_status(beside.status);
    failure
}

/// `MCP error -32602: text` → `text`, however often the prefix is repeated, and the innermost number.
pub(crate) fn unwrapped(words: &str) -> (&str, Option<i64>) {
    let (mut words, mut inner) = (words, None);
    while let Some(rest) = words.strip_prefix("MCP error ") {
        let Some((number, rest)) = rest.split_once(':') else {
            break;
        };
        let Ok(number) = number.parse() else { break };
        (words, inner) = (rest.trim_start(), Some(number));
    }
    (words, inner)
}

/// Unwraps an error that an intermediary has wrapped in another one.
fn innermost(mut error: Value) -> Value {
    let words = error.get("message").and_then(Value::as_str);
    let (bare, inner) = unwrapped(words.unwrap_or_default());
    if let Some(inner) = inner {
        let bare = bare.to_owned();
        error["message"] = bare.into();
        error["code"] = inner.into();
    }
    error
}

/// Classifies a result that may be a failure.
fn read(result: Value, about: &JudgedRequest<'_>) -> Verdict {
    let rules = about.rules;
    // The text alone is classified separately, since clients may read nothing else.
    let is_more = result
        .get("_meta")
        .or(result.get("structuredContent"))
        .is_some();
    let content = result.get("content").filter(|_| is_more).cloned();
    let is_flagged = is_flagged(result.get("isError"));
    let classifier = rules.classifier(about);
    let reading = read_by(result, &rules.options, &classifier);
    let is_off = about.hidden_failures == HiddenFailures::Off;
    if reading.is_guess() && !is_flagged && is_off {
        return Verdict::Success;
    }
    if reading.evidence == FailureEvidence::Weak
        && let Outcome::Fault(fault) = &reading.outcome
        && let Some(verdict) = weak(fault, about.hidden_failures)
    {
        return verdict;
    }
    let speaks = speaks(&reading, content, rules);
    let is_unknown = named::is_unknown(&reading);
    let is_guessed = is_unknown || !reading.is_own_document();
    let evidence = ExecutionEvidence::of_reading(&reading, None);
    let is_retried = evidence::is_retried(&reading);
    let fault = match reading.outcome {
        Outcome::Fault(fault) if is_unknown => named::by_words(&fault, &classifier),
        Outcome::Fault(fault) => fault,
        Outcome::NeedsInput(_) => return Verdict::Asks,
        Outcome::Success(_) => return Verdict::Success,
        Outcome::Batch(batch) => {
            // A partial failure has its own format.
            if batch.verdict() != breakfall::Verdict::Failed && !is_flagged {
                return Verdict::Success;
            }
            let words = batch.sentence().unwrap_or_default();
            Fault::new(codes::BATCH_FAILED).message(words)
        }
    };
    Verdict::Failed(ClassifiedFailure {
        fault: of_upstream(fault),
        speaks,
        channel: Channel::Result,
        evidence,
        is_guessed,
        is_retried,
    })
}

/// The verdict on a result that only reads like a failure; `None` if it counts as one.
fn weak(fault: &Fault, hidden_failures: HiddenFailures) -> Option<Verdict> {
    match hidden_failures {
        HiddenFailures::Likely => None,
        HiddenFailures::Certain | HiddenFailures::Off => Some(Verdict::Success),
        HiddenFailures::Warn => {
            let by = fault.public().provenance();
            Some(Verdict::LooksFailed(Suspicion {
                rule: by.map_or_else(String::new, |by| by.rule.clone().into_owned()),
                code: fault.code(),
            }))
        }
    }
}

fn is_flagged(flag: Option<&Value>) -> bool {
    !matches!(flag, None | Some(Value::Null | Value::Bool(false)))
}

/// The format of the text. A format in `_meta` or `structuredContent` alone does not count: clients drop these.
fn speaks(reading: &Reading, content: Option<Value>, rules: &Rules) -> Option<Dialect> {
    let dialect = reading.dialect?;
    match reading.channel {
        ReadChannel::JsonBlock | ReadChannel::Text => Some(dialect),
        ReadChannel::Meta | ReadChannel::Structured => {
            let alone = json!({"isError": true, "content": content?});
            read_by(alone, &rules.options, &rules.classifier).dialect
        }
        ReadChannel::IsError
        | ReadChannel::RpcError
        | ReadChannel::Document
        | ReadChannel::Payload => None,
    }
}

/// Marks a fault as the server's, and drops details that the answer contains elsewhere or that are too large to repeat.
fn of_upstream(fault: Fault) -> Fault {
    let public = fault.public();
    let big = |(key, value): (&str, &Value)| {
        let is_big = key == "structured_content" || is_bigger(value, &mut LARGEST_DETAIL.clone());
        is_big.then(|| key.to_owned())
    };
    let dropped: Vec<String> = public.details().iter().filter_map(big).collect();
    let fault = match public.origin() {
        Origin::Gateway => fault.origin(Origin::Upstream),
        Origin::Caller | Origin::Upstream | Origin::Tool => fault,
    };
    dropped
        .iter()
        .fold(fault, |fault, key| fault.without_detail(key))
}

/// Larger details are not copied into the fault.
const LARGEST_DETAIL: usize = 8 << 10;

/// Whether a value has more nodes and bytes than there is room for.
fn is_bigger(value: &Value, room: &mut usize) -> bool {
    let size = match value {
        Value::String(text) => text.len(),
        Value::Object(map) => map.keys().map(String::len).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => 8,
    };
    let Some(left) = room.checked_sub(size) else {
        return true;
    };
    *room = left;
    match value {
        Value::Array(items) => items.iter().any(|item| is_bigger(item, room)),
        Value::Object(map) => map.values().any(|item| is_bigger(item, room)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}
