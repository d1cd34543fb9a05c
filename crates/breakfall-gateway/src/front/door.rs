//! What stands behind a path: whoever comes in there gets a seat.

use std::fmt;
use std::sync::Arc;

use crate::peer::{Carrier, Ear};

/// Who somebody is, as far as we know. Nothing is ever shared between two of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Principal {
    /// Anybody: no keys are asked for.
    Anybody,
    /// The holder of a key, by its name in the configuration.
    Named(Arc<str>),
}

/// Lets clients in.
pub(crate) trait Door: fmt::Debug + Send + Sync {
    /// A client begins a session of its own. The carrier takes what belongs to none of its requests.
    fn session(&self, principal: &Principal, carrier: Arc<dyn Carrier>) -> Seat;

    /// Where requests go that stand for themselves. Several clients share the seat, so each request needs a key of its
    /// own.
    fn common(&self, principal: &Principal) -> Seat;
}

/// A place to speak from. Whatever is behind it ends when the last clone is dropped.
#[derive(Debug, Clone)]
pub(crate) struct Seat {
    ear: Arc<Ear>,
    behind: Arc<dyn Behind>,
}

/// What is behind a seat, and ends with it.
pub(crate) trait Behind: fmt::Debug + Send + Sync {
    /// Whether it has ended already, and will not come back.
    fn is_over(&self) -> bool {
        false
    }

    /// Whether whoever sits in front of it shall go once what is under way is answered.
    fn is_dismissed(&self) -> bool {
        false
    }
}

impl Seat {
    pub(crate) fn new(ear: Arc<Ear>, behind: Arc<dyn Behind>) -> Self {
        Self { ear, behind }
    }

    /// Whether nothing is behind it any more.
    pub(crate) fn is_over(&self) -> bool {
        self.behind.is_over()
    }

    /// Whether whoever sits there shall go once what is under way is answered.
    pub(crate) fn is_dismissed(&self) -> bool {
        self.behind.is_dismissed()
    }

    /// Whether somebody else has it too, or waits for an answer.
    pub(crate) fn is_used(&self) -> bool {
        Arc::strong_count(&self.behind) > 1 || self.ear.peer().owed() > 0
    }

    /// Who hears what is said from here.
    pub(crate) fn ear(&self) -> &Arc<Ear> {
        &self.ear
    }
}
