//! On what a failure rests: what the server declares, or words that rules were asked about.
//!
//! Two decisions depend on it. A breaker counts what is known to be wrong with a server, not what a text is about: a tool that
//! says "timed out" within a millisecond works, and waited in vain for what its caller named. And where nobody says whether
//! to call again, the name of the failure alone does not: what timed out may have been done.

use breakfall::read::{Channel as Found, Reading};
use breakfall::wire::Dialect;
use breakfall::{Category, Confidence, Fault, Public, codes};

use super::Failure;

/// Whether rules made it out of words: the server itself names no code, in a format there is for that or as the number of a
/// JSON-RPC error.
pub(super) fn is_guessed(reading: &Reading) -> bool {
    let is_declared = reading.dialect.is_some() || reading.channel == Found::RpcError;
    reading.confidence >= Confidence::Textual || !is_declared
}

/// Whether the server itself says if the call may be made again: in a format that always does, or by naming a wait in another.
pub(super) fn states_retry(reading: &Reading) -> bool {
    let fault = reading.outcome.fault();
    let has_wait = fault.is_some_and(|fault| fault.public().retry_after().is_some());
    match reading.dialect {
        Some(Dialect::Native | Dialect::ToolError | Dialect::ErrorModel) => true,
        Some(Dialect::ResponseV2 | Dialect::McpAql | Dialect::McpError | Dialect::Problem) => {
            has_wait
        }
        None => has_wait && !is_guessed(reading),
    }
}

/// Whether a gateway like this one stands in between and has made the call again already. What others count as attempts, such
/// as those to sign in, is something else.
pub(super) fn is_retried(reading: &Reading) -> bool {
    let attempts = |fault: &Fault| fault.public().details().get("attempts")?.as_u64();
    let attempts = reading.outcome.fault().and_then(attempts);
    reading.dialect == Some(Dialect::Native) && attempts.is_some_and(|attempts| attempts > 1)
}

impl Failure {
    /// Whether a tool that answers so may have done its work all the same: nobody says whether to call it again, and what
    /// happened can happen in the middle as well as before.
    ///
    /// ```
    /// use breakfall_gateway::envelope::{Frame, Limits};
    /// use breakfall_gateway::verdict::{About, Rules, Verdict, judge};
    ///
    /// let leaves_open = |words: &str| {
    ///     let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"isError":true,"content":[{{"type":"text","text":"{words}"}}]}}}}"#);
    ///     let answer = Frame::parse(text.into(), &Limits::RESPONSE).expect("a message");
    ///     let rules = Rules::new();
    ///     match judge(&answer, &About::call("pay", &rules)) {
    ///         Verdict::Failed(failure) => failure.leaves_open(),
    ///         Verdict::Success | Verdict::Asks | Verdict::Odd => panic!("it says that it failed"),
    ///     }
    /// };
    /// assert!(leaves_open("read ECONNRESET"));
    /// assert!(!leaves_open("connect ECONNREFUSED 127.0.0.1:80"));
    /// ```
    pub fn leaves_open(&self) -> bool {
        !self.states_retry && is_open(self.fault.public())
    }
}

/// Whether what happened can have happened in the middle.
fn is_open(public: &Public) -> bool {
    let code = public.code();
    if code == codes::UNAVAILABLE_TIMEOUT {
        return true;
    }
    if code == codes::UNAVAILABLE_NETWORK {
        return !is_unconnected(public);
    }
    public.category() == Category::Internal && code.entry().retry.is_retryable()
}

/// Whether there was no connection that anything could have been sent over. Where words say both, or neither, there may have
/// been one.
fn is_unconnected(public: &Public) -> bool {
    let transport = public.details().text("transport_code");
    if matches!(
        transport,
        Some("TRANSPORT_DNS_ERROR" | "TRANSPORT_CONNECTION_REFUSED")
    ) {
        return true;
    }
    let name = public.domain_code().unwrap_or_default();
    let words = format!("{} {name}", public.message()).to_ascii_lowercase();
    let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
    says(BEFORE) && !says(AMIDST)
}

/// What fails before anything is sent.
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

/// What ends a connection there was.
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
