//! A call that is over.

use std::sync::Arc;
use std::time::Duration;

use breakfall::catalog::warning::WarningCode;
use breakfall::code::Origin;
use breakfall::{Code, CorrelationId, Fault, Timestamp};

use super::trace::Trace;

/// One call of a tool, or another request that failed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CallEvent {
    /// The correlation id the caller was told, or would have been told.
    pub id: CorrelationId,
    /// The time of its start.
    pub at: Timestamp,
    /// The upstream.
    pub upstream: Arc<str>,
    /// The name of the tool at the server. A long name is cut.
    pub tool: Box<str>,
    /// Whether it is a call of a tool. If not, `tool` is a prompt or the method.
    pub is_call: bool,
    /// The principal of the caller, if known.
    pub principal: Option<Arc<str>>,
    /// The outcome.
    pub outcome: CallOutcome,
    /// The number of requests to the server: 0 if the gateway answered itself.
    pub attempts: u32,
    /// The attempts of this gateway, in order.
    pub attempt_records: Vec<AttemptRecord>,
    /// The time waited between attempts.
    pub waited: Duration,
    /// The duration of the call, waits included.
    pub took: Duration,
    /// Bytes of the request.
    pub sent: usize,
    /// Bytes of the answer.
    pub received: usize,
    /// The warnings on a success.
    pub warnings: Vec<WarningCode>,
    /// The trace it belongs to.
    pub trace: Option<Trace>,
}

impl CallEvent {
    /// A call that succeeded at the first attempt. The caller sets the fields that differ.
    ///
    /// ```
    /// use breakfall::{CorrelationId, Timestamp};
    /// use breakfall_gateway::record::{CallEvent, CallOutcome};
    ///
    /// let id = CorrelationId::new("c-1").expect("an id");
    /// let event = CallEvent::new(id, Timestamp::UNIX_EPOCH, "shop".into(), "get_order");
    /// assert_eq!((event.outcome, event.attempts), (CallOutcome::Success, 1));
    /// ```
    pub fn new(id: CorrelationId, at: Timestamp, upstream: Arc<str>, tool: &str) -> Self {
        Self {
            id,
            at,
            upstream,
            // The name of an unknown tool has any length.
            tool: tool[..tool.floor_char_boundary(MAX_TOOL_BYTES)].into(),
            is_call: true,
            principal: None,
            outcome: CallOutcome::Success,
            attempts: 1,
            attempt_records: Vec::new(),
            waited: Duration::ZERO,
            took: Duration::ZERO,
            sent: 0,
            received: 0,
            warnings: Vec::new(),
            trace: None,
        }
    }
}

/// One request to a server for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the pipeline builds it")]
pub struct AttemptRecord {
    /// The outcome.
    pub outcome: AttemptOutcome,
    /// The time from the request to its outcome.
    pub duration: Duration,
}

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "every attempt ends in one of these ways"
)]
pub enum AttemptOutcome {
    /// The server answered with a result, or with a question.
    Success,
    /// The server answered with a failure, or not at all.
    Failed,
    /// The client cancelled the call before an answer.
    Cancelled,
}

impl AttemptOutcome {
    /// The label in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The outcome of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "every call ends in one of these ways"
)]
pub enum CallOutcome {
    /// The tool answered, perhaps with warnings.
    Success,
    /// The call failed.
    Failed {
        /// The code of the failure.
        code: Code,
        /// The party that caused it.
        origin: Origin,
    },
    /// The server asks the client something first, or goes on as a task.
    Asks,
    /// The client cancelled the call and got no answer.
    Cancelled,
}

impl CallOutcome {
    /// The outcome for a fault.
    pub fn of(fault: &Fault) -> Self {
        Self::Failed {
            code: fault.code(),
            origin: fault.public().origin(),
        }
    }

    /// Its name in records: the code of a failure.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed { code, .. } => code.name(),
            Self::Asks => "asks",
            Self::Cancelled => "cancelled",
        }
    }

    /// Its class: the label of histograms, where one series for each code would be too many.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Failed { .. } => "failed",
            Self::Success | Self::Asks | Self::Cancelled => self.as_str(),
        }
    }

    /// The party that caused a failure.
    pub const fn origin(self) -> Option<Origin> {
        match self {
            Self::Failed { origin, .. } => Some(origin),
            Self::Success | Self::Asks | Self::Cancelled => None,
        }
    }
}

/// The evidence of a failure, for the operator.
#[derive(Debug)]
pub struct Evidence {
    pub(super) fault: Fault,
    pub(super) original: Option<Box<str>>,
}

impl Evidence {
    /// A fault with its public and its private part, before redaction.
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            original: None,
        }
    }

    /// The id the caller was told.
    pub(super) fn id(&self) -> Option<&CorrelationId> {
        self.fault.public().correlation_id()
    }

    /// Adds the body of the server's answer. A long body is cut.
    #[must_use]
    pub fn original(mut self, text: &str) -> Self {
        self.original = Some(text[..text.floor_char_boundary(MAX_ORIGINAL_BYTES)].into());
        self
    }
}

const MAX_TOOL_BYTES: usize = 256;

/// A little more than is stored, so that the stored text shows that it was cut.
const MAX_ORIGINAL_BYTES: usize = 68 << 10;
