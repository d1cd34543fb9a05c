//! How certain a failure is: declared by the server, or inferred from its text by rules.
//!
//! Two decisions depend on it. A breaker counts evidence about the server, not what an answer is about: a tool that
//! says "timed out" within a millisecond has answered, and its own dependency timed out. And where the server does not
//! say whether to call again, the name of the failure is not enough: a call that timed out may have been executed.

use breakfall::read::{Channel as ReadChannel, Reading};
use breakfall::wire::Dialect;
use breakfall::{Category, Confidence, Fault, Public, codes};

use super::ClassifiedFailure;

/// Whether the failure was inferred by rules, from text, an error number or an unauthenticated envelope. An inferred
/// failure says nothing about the health of the server, which answered. A failure in the native format, at the places
/// reserved for it, is a statement.
pub(super) fn is_guessed(reading: &Reading) -> bool {
    let is_ours = reading.dialect == Some(Dialect::Native);
    let is_kept_for_it = match reading.channel {
        ReadChannel::Meta | ReadChannel::Structured | ReadChannel::RpcError => true,
        ReadChannel::JsonBlock
        | ReadChannel::Text
        | ReadChannel::IsError
        | ReadChannel::Document
        | ReadChannel::Payload => false,
    };
    !(is_ours && is_kept_for_it)
}

/// Whether text is the only evidence.
fn is_textual(reading: &Reading) -> bool {
    reading.confidence >= Confidence::Textual || reading.channel != ReadChannel::RpcError
}

/// Whether the server itself says if the call may be repeated: in a format that always does, or by a retry time in
/// another.
pub(super) fn states_retry(reading: &Reading) -> bool {
    let fault = reading.outcome.fault();
    let has_wait = fault.is_some_and(|fault| fault.public().retry_after().is_some());
    match reading.dialect {
        Some(Dialect::Native | Dialect::ToolError | Dialect::ErrorModel) => true,
        Some(Dialect::ResponseV2 | Dialect::McpAql | Dialect::McpError | Dialect::Problem) => {
            has_wait
        }
        None => has_wait && !is_textual(reading),
    }
}

/// Whether another gateway on the path has retried the call already. Other counts of attempts, such as sign-in
/// attempts, do not matter.
pub(super) fn is_retried(reading: &Reading) -> bool {
    let attempts = |fault: &Fault| fault.public().details().get("attempts")?.as_u64();
    let attempts = reading.outcome.fault().and_then(attempts);
    reading.dialect == Some(Dialect::Native) && attempts.is_some_and(|attempts| attempts > 1)
}

impl ClassifiedFailure {
    /// Whether a tool that fails like this may have executed the call: the server does not say whether to repeat it,
    /// and such a failure can happen in the middle of the work.
    ///
    /// ```
    /// use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
    /// use breakfall_gateway::classify::{JudgedRequest, Rules, Verdict, judge};
    ///
    /// let leaves_open = |words: &str| {
    ///     let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"isError":true,"content":[{{"type":"text","text":"{words}"}}]}}}}"#);
    ///     let answer = Frame::parse(text.into(), &FrameLimits::RESPONSE).expect("a message");
    ///     let rules = Rules::new();
    ///     match judge(&answer, &JudgedRequest::call("pay", &rules)) {
    ///         Verdict::Failed(failure) => failure.leaves_open(),
    ///         Verdict::Success | Verdict::Asks | Verdict::Malformed => panic!("it says that it failed"),
    ///     }
    /// };
    /// assert!(leaves_open("read ECONNRESET"));
    /// assert!(!leaves_open("connect ECONNREFUSED 127.0.0.1:80"));
    /// ```
    pub fn leaves_open(&self) -> bool {
        !self.states_retry && is_open(self.fault.public())
    }
}

/// [`ClassifiedFailure::leaves_open`] for an answer that was parsed but not judged.
pub fn leaves_open(reading: &Reading) -> bool {
    let fault = reading.outcome.fault();
    !states_retry(reading) && fault.is_some_and(|fault| is_open(fault.public()))
}

/// Whether the failure can have happened in the middle of the work. Rate limits and open breakers reject calls before
/// it; a dependency that is unavailable may have become so after half of the work.
fn is_open(public: &Public) -> bool {
    if public.details().text("executed") == Some("no") {
        return false;
    }
    let code = public.code();
    if code == codes::UNAVAILABLE_TIMEOUT || code == codes::UNAVAILABLE_OVERLOADED {
        return true;
    }
    let is_about_others = [
        codes::UNAVAILABLE_NETWORK,
        codes::UNAVAILABLE_SERVICE,
        codes::UNAVAILABLE_DEPENDENCY,
    ];
    if is_about_others.contains(&code) {
        return !is_unconnected(public);
    }
    public.category() == Category::Internal && code.entry().retry.is_retryable()
}

/// Whether no connection was established. Only the opening of the text counts: "Payment captured; webhook: connection
/// refused" is about a connection after the work was done. If the text names both kinds of failures, or neither, there
/// may have been a connection.
fn is_unconnected(public: &Public) -> bool {
    let message = public.message().to_ascii_lowercase();
    let name = public
        .domain_code()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let says = |words: &str, any: &[&str]| any.iter().any(|word| words.contains(word));
    let is_before = says(opening(&message), BEFORE) || says(&name, BEFORE);
    is_before && !says(&message, AMIDST) && !says(&name, AMIDST)
}

/// The opening of a text, without the class of an error in front: `TypeError: x; y` → `x`.
fn opening(words: &str) -> &str {
    let mut rest = words.trim_start();
    while let Some((class, behind)) = rest.split_once(':') {
        let is_class = class.ends_with("error") || class.ends_with("exception");
        if !is_class || class.contains(char::is_whitespace) {
            break;
        }
        rest = behind.trim_start();
    }
    let ends = [";", ",", ". ", ": ", " but ", " and ", "\n"];
    let end = ends.iter().filter_map(|end| rest.find(end)).min();
    &rest[..end.unwrap_or(rest.len())]
}

/// Failures before anything is sent.
const BEFORE: &[&str] = &[
    "refused",
    "enotfound",
    "getaddrinfo",
    "eai_",
    "unreach",
    "no route to host",
    "resolve",
    "resolution",
    "dns",
    "no such host",
    "not known",
    "nodename nor servname",
    "connect to",
    "to connect",
    "not connect",
    "n't connect",
    "to establish",
    "host is down",
    "enetdown",
];

/// Failures that break an established connection.
const AMIDST: &[&str] = &[
    "reset",
    "closed",
    "hang up",
    "hung up",
    "pipe",
    "disconnected",
    "aborted",
    "lost",
    "terminated",
    "dropped",
    "eof",
    "timed out",
    "timeout",
];
