//! What is known about whether a failed call was executed. Retries and the answer to the caller follow from it: see
//! [`crate::resilience::retry::answer`].

use breakfall::read::{Channel as ReadChannel, FailureEvidence, Reading};
use breakfall::wire::Dialect;
use breakfall::{Confidence, Fault};

/// What is known about whether a failed call was executed, and from what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "each one is a row of the decision")]
pub enum ExecutionEvidence {
    /// The gateway saw that the request did not leave: no connection, a stream that the server refused, a full queue.
    Unsent,
    /// The server refused the request before any tool ran: an HTTP status or a JSON-RPC code that means so.
    Refused,
    /// The request left, and no valid answer came.
    Lost,
    /// The server declares the failure, in a format that states whether to repeat the call or whether it was executed.
    Stated,
    /// The server declares the failure, and its words or a name say what kind it is.
    Answered,
    /// The server calls the result a success.
    Hidden,
}

impl ExecutionEvidence {
    /// All of them, in the order of the table in `docs/operating.md`.
    pub const ALL: &'static [Self] = &[
        Self::Unsent,
        Self::Refused,
        Self::Lost,
        Self::Stated,
        Self::Answered,
        Self::Hidden,
    ];

    /// The name in the documentation.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unsent => "unsent",
            Self::Refused => "refused",
            Self::Lost => "lost",
            Self::Stated => "stated",
            Self::Answered => "answered",
            Self::Hidden => "hidden",
        }
    }

    /// After a request without an answer. An HTTP status in the fault means that the server has seen the request.
    pub fn of_loss(is_written: bool, fault: &Fault) -> Self {
        match (is_written, fault.public().http_status()) {
            (true, _) => Self::Lost,
            (false, Some(_)) => Self::Refused,
            (false, None) => Self::Unsent,
        }
    }

    /// Of an answer that was read. `number` is the code of a JSON-RPC error.
    pub fn of_reading(reading: &Reading, number: Option<i64>) -> Self {
        if reading.evidence > FailureEvidence::Declared {
            Self::Hidden
        } else if states_retry(reading) || states_not_executed(reading) {
            Self::Stated
        } else if number.is_some_and(|number| REFUSALS.contains(&number)) {
            Self::Refused
        } else {
            Self::Answered
        }
    }

    /// Whether the call may have been executed, as far as the evidence itself says.
    pub const fn may_have_run(self) -> bool {
        match self {
            Self::Unsent | Self::Refused => false,
            Self::Lost | Self::Stated | Self::Answered | Self::Hidden => true,
        }
    }
}

/// The codes by which the protocol refuses a request before a tool runs: no such method, headers that do not match, a
/// missing capability, an unsupported version, a page that the user must open first. Not -32700 and -32600: under the id
/// of a request that was read, a tool said them.
const REFUSALS: [i64; 5] = [-32601, -32020, -32021, -32022, -32042];

/// Whether text is the only evidence.
fn is_textual(reading: &Reading) -> bool {
    reading.confidence >= Confidence::Textual || reading.channel != ReadChannel::RpcError
}

/// Whether the server itself says if the call may be repeated: in a format that always does, or by a retry time in
/// another.
fn states_retry(reading: &Reading) -> bool {
    let fault = reading.outcome.fault();
    let has_wait = fault.is_some_and(|fault| fault.public().retry_after().is_some());
    match reading.dialect {
        // The words of the native format are words.
        _ if reading.channel == ReadChannel::Text => false,
        Some(Dialect::Native | Dialect::ToolError | Dialect::ErrorModel) => true,
        Some(Dialect::ResponseV2 | Dialect::McpAql | Dialect::McpError | Dialect::Problem) => {
            has_wait
        }
        None => has_wait && !is_textual(reading),
    }
}

/// Whether the server says in a known format that nothing was done.
fn states_not_executed(reading: &Reading) -> bool {
    let fault = reading.outcome.fault();
    let executed = fault.and_then(|fault| fault.public().details().text("executed"));
    reading.dialect.is_some() && executed == Some("no")
}

/// Whether another gateway on the path has retried the call already. Other counts of attempts, such as sign-in
/// attempts, do not matter.
pub(super) fn is_retried(reading: &Reading) -> bool {
    let attempts = |fault: &Fault| fault.public().details().get("attempts")?.as_u64();
    let attempts = reading.outcome.fault().and_then(attempts);
    reading.dialect == Some(Dialect::Native) && attempts.is_some_and(|attempts| attempts > 1)
}
