//! What became of a request.

use std::time::Duration;

use breakfall::{Fault, Retry};

use super::{AuthChallenge, RequestSummary, SendError, Ticket};
use crate::jsonrpc::{BoxedFrameError, Frame};

/// What became of a request made in here.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum AskOutcome {
    /// It was answered, well or badly.
    Reply(Frame),
    /// It was not.
    Lost(LossReason),
}

/// A request of another end that will not be answered: whoever hears of it has to.
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
    /// Whether any of it was written. If so, nobody knows whether it was carried out.
    pub is_written: bool,
}

impl LostRequest {
    /// A request that never left.
    pub fn unsent(ticket: Ticket, asked: RequestSummary, why: SendError) -> Self {
        Self {
            ticket,
            asked,
            why: LossReason::Unsent(why),
            is_written: false,
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "there is no other way to lose one")]
pub enum LossReason {
    /// None came in time.
    Late(Duration),
    /// One came that nobody can read.
    Unreadable(BoxedFrameError),
    /// The connection ended first.
    Gone,
    /// It could not be sent.
    Unsent(SendError),
    /// The transport says what is wrong.
    Refused(Box<TransportError>),
}

/// A request that its transport did not get an answer to.
#[derive(Debug)]
#[non_exhaustive]
pub struct TransportError {
    /// What is wrong.
    pub fault: Fault,
    /// It is certain that nothing was done.
    pub is_untouched: bool,
    /// What the server demands first.
    pub challenge: Option<AuthChallenge>,
}

impl TransportError {
    /// Something is wrong, and nobody knows what was done.
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            is_untouched: false,
            challenge: None,
        }
    }
}

/// Nobody knows whether it was done.
pub fn uncertain(fault: Fault) -> Fault {
    // Nor is there a time to wait for.
    fault
        .retry(Retry::Never)
        .retry_after(Duration::ZERO)
        .detail("executed", "unknown")
        .user_message("It is not certain whether this was done. Please check before you try again.")
        .remediation("The call may or may not have taken effect. Look first, and call again only if it has not.")
}
