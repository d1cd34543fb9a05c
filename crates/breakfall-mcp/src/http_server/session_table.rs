//! The sessions of all clients: found by an id that cannot be guessed, bounded in number, removed when unused.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use breakfall::Fault;
use breakfall::wire::Rpc;
use http::StatusCode;
use tokio::time::Instant;

use super::event_log::EventLog;
use super::event_logs::EventLogs;
use super::http_session::HttpSession;
use super::refusal::{HttpRefusal, unread_answers_fault};
use super::session_share::SessionShares;
use super::settings::Settings;
use super::standalone_stream::StandaloneStream;
use super::unread_answers::{AnswerBudget, UnreadAnswers};
use crate::access::{Endpoint, Principal};
use crate::connection::Transport;
use crate::sync::Mutex;

/// The open sessions.
#[derive(Debug)]
pub(super) struct SessionTable {
    sessions: Mutex<HashMap<Box<str>, Arc<HttpSession>>>,
    limits: Mutex<TableLimits>,
    logs: Arc<EventLogs>,
    /// Bounds the memory of all unread answers together.
    answers: Arc<AnswerBudget>,
}

/// The bounds of the table, which a reload may change.
#[derive(Debug, Clone, Copy)]
struct TableLimits {
    shares: SessionShares,
    /// The time without a request after which a session is removed.
    idle: Duration,
}

impl TableLimits {
    fn new(settings: &Settings) -> Self {
        Self {
            shares: SessionShares {
                max: settings.sessions.max,
                parties: settings.session_shares,
            },
            idle: settings.sessions.idle,
        }
    }
}

impl SessionTable {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            sessions: Mutex::default(),
            limits: Mutex::new(TableLimits::new(settings)),
            logs: EventLogs::new(MAX_ALL_LOGS_BYTES),
            answers: AnswerBudget::new(settings.sessions.unread),
        }
    }

    /// Uses other limits. Open sessions stay, even beyond them.
    pub(super) fn set_limits(&self, settings: &Settings) {
        *self.limits.lock() = TableLimits::new(settings);
        self.answers.set_max(settings.sessions.unread);
    }

    /// The unread answer to a request without a session, so far empty.
    pub(super) fn unread_answer(&self, principal: &Principal) -> Arc<UnreadAnswers> {
        UnreadAnswers::new(&self.answers, principal.clone())
    }

    /// Opens a session.
    pub(super) fn open(
        &self,
        endpoint: &dyn Endpoint,
        path: &str,
        principal: Principal,
    ) -> Result<Arc<HttpSession>, HttpRefusal> {
        if !self.has_room(&principal) {
            self.sweep(Instant::now());
            if !self.has_room(&principal) {
                return Err(HttpRefusal::overloaded("there are too many sessions"));
            }
        }
        let id = random_id()?;
        let log = Arc::new(EventLog::new(Arc::clone(&self.logs)));
        let unread = UnreadAnswers::new(&self.answers, principal.clone());
        let standalone = StandaloneStream::new(Arc::clone(&log), Arc::clone(&unread));
        let standalone = Arc::new(standalone);
        let transport = Arc::clone(&standalone) as Arc<dyn Transport>;
        let client = endpoint
            .open_session(&principal, transport)
            .ok_or_else(HttpRefusal::too_many_clients)?;
        self.logs.add(&log);
        standalone.belongs_to(client.inbound());
        let session = HttpSession::new(id, path, principal, client, standalone, unread);
        let session = Arc::new(session);
        let shares = self.limits.lock().shares;
        let mut sessions = self.sessions.lock();
        // Others may have been opened meanwhile.
        if !shares.has_room(
            &session.principal,
            sessions.values().map(|one| &one.principal),
        ) {
            drop(sessions);
            session.standalone.close();
            return Err(HttpRefusal::overloaded("there are too many sessions"));
        }
        sessions.insert(session.id.clone(), Arc::clone(&session));
        Ok(session)
    }

    /// The session a request names.
    pub(super) fn find(
        &self,
        id: Option<&str>,
        path: &str,
        principal: &Principal,
    ) -> Result<Arc<HttpSession>, HttpRefusal> {
        let Some(id) = id else {
            return Err(HttpRefusal::bad(
                "The header 'Mcp-Session-Id' is missing",
                "Send 'initialize' first, and the 'Mcp-Session-Id' of its answer with everything after it; or speak \
                 2026-07-28, which has no sessions. The transport HTTP+SSE of 2024-11-05 is not offered: use \
                 Streamable HTTP, a POST to this address.",
            ));
        };
        let found = self.sessions.lock().get(id).cloned();
        found
            .filter(|session| session.belongs(path, principal) && !session.is_closing())
            .ok_or_else(unknown_session)
    }

    /// Removes a session.
    pub(super) fn remove(&self, session: &HttpSession) {
        let removed = self.sessions.lock().remove(&session.id);
        // Dropped outside the lock, because the end of its servers may take time.
        drop(removed);
        session.standalone.close();
    }

    /// Removes sessions that were unused for long, closing ones without an open request, and those that left too much
    /// unread.
    pub(super) fn sweep(&self, now: Instant) {
        let idle = self.limits.lock().idle;
        let is_done = |session: &HttpSession| {
            let since = session.idle_since();
            let is_idle = since.is_some_and(|since| now.saturating_duration_since(since) >= idle);
            let is_cut = session.unread.is_closed();
            is_idle || is_cut || (session.is_closing() && session.inbound().peer().owed() == 0)
        };
        let removed: Vec<_> = self
            .sessions
            .lock()
            .extract_if(|_, session| is_done(session))
            .collect();
        for (_, session) in removed {
            if session.unread.is_closed() {
                let inbound = session.inbound();
                inbound.give_up_and_cancel(&unread_answers_fault());
            }
            session.standalone.close();
        }
    }

    /// Removes streams that clients have read. Called once a second.
    pub(super) fn beat(&self) {
        self.logs.beat(DELIVERED_BEATS);
    }

    pub(super) fn len(&self) -> usize {
        self.sessions.lock().len()
    }

    /// Ends the standalone streams, which have no end of their own.
    pub(super) fn close_standalone_streams(&self) {
        for session in self.all() {
            session.standalone.close();
        }
    }

    /// Answers every open request with a fault.
    pub(super) fn give_up(&self, fault: &Fault) {
        for session in self.all() {
            session.inbound().give_up(fault);
        }
    }

    /// Removes every session.
    pub(super) fn clear(&self) {
        let removed = std::mem::take(&mut *self.sessions.lock());
        for session in removed.into_values() {
            session.standalone.close();
        }
    }

    fn has_room(&self, principal: &Principal) -> bool {
        let shares = self.limits.lock().shares;
        let sessions = self.sessions.lock();
        shares.has_room(principal, sessions.values().map(|one| &one.principal))
    }

    fn all(&self) -> Vec<Arc<HttpSession>> {
        self.sessions.lock().values().cloned().collect()
    }
}

/// An ended session, one that never was, and one of another client look the same.
fn unknown_session() -> HttpRefusal {
    let fault = Fault::not_found("session", "Mcp-Session-Id")
        .message("There is no such session, or it is over")
        .remediation(
            "Send 'initialize' without 'Mcp-Session-Id', and go on with the id of its answer.",
        );
    HttpRefusal::new(StatusCode::NOT_FOUND, Rpc::InvalidRequest, fault)
}

/// 160 random bits, in characters that every header accepts.
fn random_id() -> Result<Box<str>, HttpRefusal> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes)
        .map_err(|_| HttpRefusal::overloaded("the system has no random numbers"))?;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("writing to a String cannot fail");
    }
    Ok(text.into())
}

/// The size of the events kept for all sessions together.
const MAX_ALL_LOGS_BYTES: usize = 64 << 20;
/// After how many beats a written stream has arrived if its connection is still open: longer than the system waits
/// for an acknowledgement.
const DELIVERED_BEATS: u32 = 75;
