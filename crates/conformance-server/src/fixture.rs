//! The state of the server.
#![expect(
    deprecated,
    reason = "the SDK deprecates log levels, which the legacy era has"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::model::{LoggingLevel, RequestStateCodec, SubscriptionFilter};
use rmcp::task_manager::TaskManager;

use crate::listeners::{Listeners, Seat};
use crate::options::Era;

/// The server of one session.
#[derive(Clone)]
pub(crate) struct Fixture {
    pub(crate) era: Era,
    pub(crate) listeners: Listeners,
    pub(crate) tasks: TaskManager,
    pub(crate) states: RequestStateCodec,
    session: Arc<Mutex<Session>>,
}

/// What one session has set.
pub(crate) struct Session {
    /// Below it nothing is logged.
    pub(crate) level: LoggingLevel,
    /// The resources it subscribed to.
    pub(crate) watched: BTreeSet<String>,
    /// Streams that were granted and do not listen yet.
    pub(crate) coming: Vec<(SubscriptionFilter, Seat)>,
}

impl Fixture {
    /// A server without sessions.
    ///
    /// # Errors
    /// When the key for the state of calls is too short.
    pub(crate) fn new(era: Era) -> Result<Self, rmcp::model::RequestStateError> {
        Ok(Self {
            era,
            listeners: Listeners::default(),
            tasks: TaskManager::new(),
            states: RequestStateCodec::try_new(KEY)?,
            session: Arc::default(),
        })
    }

    /// The same server for another session.
    pub(crate) fn session(&self) -> Self {
        Self {
            session: Arc::default(),
            ..self.clone()
        }
    }

    /// The state of this session.
    pub(crate) fn told(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seat that was reserved for such a stream of this session.
    pub(crate) fn seat(&self, requested: &SubscriptionFilter) -> Seat {
        let mut told = self.told();
        let reserved = told.coming.iter().position(|(of, _)| of == requested);
        match reserved {
            Some(place) => told.coming.remove(place).1,
            None => self.listeners.reserve(),
        }
    }
}

impl Default for Session {
    fn default() -> Self {
        Self {
            level: LoggingLevel::Debug,
            watched: BTreeSet::new(),
            coming: Vec::new(),
        }
    }
}

/// Seals the state of calls. No secret: the clients are tests.
const KEY: &[u8] = b"known to every reader of this file";
