//! All sessions: found by an id nobody can guess, bounded in number, and forgotten when they are not used.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard};

use breakfall::Fault;
use breakfall::wire::Rpc;
use http::StatusCode;
use tokio::time::Instant;

use super::log::Log;
use super::logs::Logs;
use super::refused::Refused;
use super::server::SessionLimits;
use super::session::{Loose, Session};
use crate::access::{Door, Principal};
use crate::connection::Transport;

/// The sessions there are.
#[derive(Debug)]
pub(super) struct Sessions {
    all: Mutex<HashMap<Box<str>, Arc<Session>>>,
    limits: Mutex<SessionLimits>,
    /// What all of them have said in streams.
    logs: Arc<Logs>,
}

impl Sessions {
    pub(super) fn new(limits: SessionLimits) -> Self {
        Self {
            all: Mutex::default(),
            limits: Mutex::new(limits),
            logs: Logs::new(LOGS),
        }
    }

    /// Changes how many there may be, and for how long. Nobody loses one for that who uses it.
    pub(super) fn limit(&self, limits: SessionLimits) {
        *self.limits() = limits;
    }

    /// Begins one.
    pub(super) fn open(
        &self,
        door: &dyn Door,
        path: &str,
        who: Principal,
    ) -> Result<Arc<Session>, Refused> {
        let most = self.limits().max;
        if self.len() >= most {
            self.sweep(Instant::now());
        }
        if self.len() >= most {
            return Err(Refused::overloaded("there are too many sessions"));
        }
        let id = secret()?;
        let log = Arc::new(Log::new(Arc::clone(&self.logs)));
        self.logs.add(&log);
        let loose = Arc::new(Loose::new(log));
        let carrier = Arc::clone(&loose) as Arc<dyn Transport>;
        let seat = door.session(&who, carrier);
        loose.belongs_to(seat.ear());
        let session = Arc::new(Session::new(id, path, who, seat, loose));
        self.lock().insert(session.id.clone(), Arc::clone(&session));
        Ok(session)
    }

    /// The session a request says it belongs to.
    pub(super) fn find(
        &self,
        id: Option<&str>,
        path: &str,
        who: &Principal,
    ) -> Result<Arc<Session>, Refused> {
        let Some(id) = id else {
            return Err(Refused::bad(
                "The header 'Mcp-Session-Id' is missing",
                "Send 'initialize' first, and the 'Mcp-Session-Id' of its answer with everything after it; or speak \
                 2026-07-28, which has no sessions. The transport HTTP+SSE of 2024-11-05 is not offered: use \
                 Streamable HTTP, a POST to this address.",
            ));
        };
        let found = self.lock().get(id).cloned();
        found
            .filter(|session| session.belongs(path, who) && !session.is_dismissed())
            .ok_or_else(unknown)
    }

    /// Ends one.
    pub(super) fn end(&self, session: &Session) {
        let gone = self.lock().remove(&session.id);
        // Outside the lock: whatever ends with it may take its time.
        drop(gone);
        session.loose.close();
    }

    /// Forgets those that have not been used for long, and those that shall go and wait for nothing.
    pub(super) fn sweep(&self, now: Instant) {
        let idle = self.limits().idle;
        let is_old = |session: &Session| {
            let since = session.idle_since();
            let is_idle = since.is_some_and(|since| now.saturating_duration_since(since) >= idle);
            is_idle || (session.is_dismissed() && session.ear().peer().owed() == 0)
        };
        let gone: Vec<_> = self
            .lock()
            .extract_if(|_, session| is_old(session))
            .collect();
        for (_, session) in gone {
            session.loose.close();
        }
    }

    /// Another beat: what clients have read is forgotten.
    pub(super) fn beat(&self) {
        self.logs.beat(READ);
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Ends the streams that would go on for ever.
    pub(super) fn hush(&self) {
        let all: Vec<_> = self.lock().values().cloned().collect();
        for session in all {
            session.loose.close();
        }
    }

    /// Whoever waits for an answer is told that there is no time any more.
    pub(super) fn give_up(&self, fault: &Fault) {
        let all: Vec<_> = self.lock().values().cloned().collect();
        for session in all {
            session.ear().give_up(fault);
        }
    }

    /// Ends all.
    pub(super) fn clear(&self) {
        let gone = std::mem::take(&mut *self.lock());
        for session in gone.into_values() {
            session.loose.close();
        }
    }

    fn limits(&self) -> MutexGuard<'_, SessionLimits> {
        self.limits
            .lock()
            .expect("nobody panics while holding this lock")
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Box<str>, Arc<Session>>> {
        self.all
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// A session that is over and one that never was look the same, as does somebody else's.
fn unknown() -> Refused {
    let fault = Fault::not_found("session", "Mcp-Session-Id")
        .message("There is no such session, or it is over")
        .remediation(
            "Send 'initialize' without 'Mcp-Session-Id', and go on with the id of its answer.",
        );
    Refused::new(StatusCode::NOT_FOUND, Rpc::InvalidRequest, fault)
}

/// Enough to be unguessable, in characters every header takes.
fn secret() -> Result<Box<str>, Refused> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes)
        .map_err(|_| Refused::overloaded("the system has no random numbers"))?;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a text takes everything");
    }
    Ok(text.into())
}

/// What is kept of the streams of all sessions together.
const LOGS: usize = 64 << 20;
/// After how many beats it is certain that what was written has arrived, if the connection is still there: longer
/// than the system waits for word of that.
const READ: u32 = 75;
