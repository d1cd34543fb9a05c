//! The outcome of a request: an answer, or the reason why it was lost.

use std::time::Duration;

use breakfall::Fault;
use tokio::sync::oneshot;

use super::{AuthChallenge, RequestSummary, SendError, Ticket};
use crate::jsonrpc::{BoxedFrameError, Frame};

/// The outcome of a request of this process.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a request is answered or lost")]
pub enum AskOutcome {
    /// It was answered, with a result or an error.
    Reply(Frame),
    /// It was not answered.
    Lost(LossReason),
}

/// The outcome of a forwarded request, with the ticket to answer it.
#[derive(Debug)]
pub enum ForwardOutcome {
    /// It was answered, with a result or an error.
    Answer(Box<(Frame, Ticket)>),
    /// It was not answered.
    Lost(Box<ForwardFailure>),
}

impl ForwardOutcome {
    /// The ticket alone.
    pub fn ticket(self) -> Ticket {
        match self {
            Self::Answer(answer) => answer.1,
            Self::Lost(loss) => loss.ticket,
        }
    }
}

/// A forwarded request that will not be answered.
#[derive(Debug)]
pub struct ForwardFailure {
    /// The duty to answer.
    pub ticket: Ticket,
    /// What happened.
    pub fault: Fault,
    /// Whether any of it was written. If so, it may have been executed.
    pub is_written: bool,
    /// The credentials the server demands first.
    pub challenge: Option<AuthChallenge>,
}

/// Receives the outcome of a forwarded request. It is closed without a value if the caller cancelled the request.
pub type OutcomeReceiver = oneshot::Receiver<ForwardOutcome>;

pub(super) type OutcomeSender = oneshot::Sender<ForwardOutcome>;

/// A request of the other end that will not be answered by where it was forwarded to.
#[derive(Debug)]
#[expect(
    clippy::exhaustive_structs,
    reason = "the gateway takes every part of it"
)]
pub struct LostRequest {
    /// The duty to answer.
    pub ticket: Ticket,
    /// What was asked.
    pub asked: RequestSummary,
    /// What happened.
    pub why: LossReason,
    /// Whether any of it was written. If so, it may have been executed.
    pub is_written: bool,
}

impl LostRequest {
    /// A request that was not sent.
    pub fn unsent(ticket: Ticket, asked: RequestSummary, why: SendError) -> Self {
        Self {
            ticket,
            asked,
            why: LossReason::Unsent(why),
            is_written: false,
        }
    }
}

/// Why a request was lost.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "the channels to lose a request")]
pub enum LossReason {
    /// None came in time.
    Late(Duration),
    /// One came that cannot be parsed.
    Unreadable(BoxedFrameError),
    /// The connection ended first.
    Gone,
    /// It could not be sent.
    Unsent(SendError),
    /// The transport failed.
    Refused(Box<TransportError>),
}

/// Why a transport got no answer to a request.
#[derive(Debug)]
#[non_exhaustive]
pub struct TransportError {
    /// What is wrong.
    pub fault: Fault,
    /// It is certain that nothing was executed.
    pub is_untouched: bool,
    /// The credentials the server demands first.
    pub challenge: Option<AuthChallenge>,
}

impl TransportError {
    /// A failure after which the request may have been executed.
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            is_untouched: false,
            challenge: None,
        }
    }
}
