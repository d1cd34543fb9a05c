//! What came of passing a request on, for somebody who wants to look at it before its caller does.

use breakfall::Fault;
use tokio::sync::oneshot;

use super::{AuthChallenge, Ticket};
use crate::jsonrpc::Frame;

/// What came of a request, and the duty to answer it, which is back.
#[derive(Debug)]
pub enum ForwardOutcome {
    /// It was answered, well or badly.
    Answer(Box<(Frame, Ticket)>),
    /// It was not.
    Lost(Box<ForwardFailure>),
}

impl ForwardOutcome {
    /// The duty to answer, and nothing else.
    pub fn ticket(self) -> Ticket {
        match self {
            Self::Answer(answer) => answer.1,
            Self::Lost(loss) => loss.ticket,
        }
    }
}

/// A request that will not be answered.
#[derive(Debug)]
pub struct ForwardFailure {
    /// The duty to answer the client.
    pub ticket: Ticket,
    /// What happened.
    pub fault: Fault,
    /// Whether any of it was written. If so, nobody knows whether it was carried out.
    pub is_written: bool,
    /// What the server demands first.
    pub challenge: Option<AuthChallenge>,
}

/// Who waits for what comes. It ends without a word if the request was taken back.
pub type OutcomeReceiver = oneshot::Receiver<ForwardOutcome>;

pub(super) type Watched = oneshot::Sender<ForwardOutcome>;

pub(super) fn watch() -> (Watched, OutcomeReceiver) {
    oneshot::channel()
}
