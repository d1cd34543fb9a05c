//! What is known of a call while it lives.

use breakfall::Fault;

use crate::peer::{Asked, Challenge, Ticket};

/// A call on its way: who has to be answered, and what its reply and its record will say.
#[derive(Debug)]
pub(super) struct Life {
    /// With whoever was asked, while somebody is.
    ticket: Option<Ticket>,
    pub(super) asked: Asked,
}

/// Why a call did not come to an answer.
#[derive(Debug)]
pub(super) enum Stop {
    /// Its caller does not wait for one any more.
    TakenBack,
    /// It failed.
    Failed(Box<Failed>),
}

/// How it failed.
#[derive(Debug)]
pub(super) struct Failed {
    pub(super) fault: Fault,
    /// The call itself is not one: the caller, not the model, has to know.
    pub(super) is_malformed: bool,
    pub(super) challenge: Option<Challenge>,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Failed(Box::new(Failed {
            fault,
            is_malformed: false,
            challenge: None,
        }))
    }
}

impl Stop {
    /// The call itself is not one.
    pub(super) fn malformed(fault: Fault) -> Self {
        Self::Failed(Box::new(Failed {
            fault,
            is_malformed: true,
            challenge: None,
        }))
    }
}

impl Life {
    pub(super) fn new(ticket: Ticket) -> Self {
        Self {
            ticket: Some(ticket),
            asked: Asked::unread(),
        }
    }

    /// The duty to answer; nothing if it is with somebody else.
    pub(super) fn give(&mut self) -> Option<Ticket> {
        self.ticket.take()
    }

    /// The duty to answer is back.
    pub(super) fn take_back(&mut self, ticket: Ticket) {
        self.ticket = Some(ticket);
    }
}
