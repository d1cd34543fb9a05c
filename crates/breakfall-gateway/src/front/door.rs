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
    /// Kept, not used.
    _behind: Arc<dyn Behind>,
}

/// What is behind a seat, and ends with it.
pub(crate) trait Behind: fmt::Debug + Send + Sync {}

impl Seat {
    pub(crate) fn new(ear: Arc<Ear>, behind: Arc<dyn Behind>) -> Self {
        Self {
            ear,
            _behind: behind,
        }
    }

    /// Who hears what is said from here.
    pub(crate) fn ear(&self) -> &Arc<Ear> {
        &self.ear
    }
}
