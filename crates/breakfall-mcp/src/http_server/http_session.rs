//! The session of a client that speaks a protocol version with sessions.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::time::Instant;

use super::standalone_stream::StandaloneStream;
use super::unread_answers::UnreadAnswers;
use crate::access::{ClientHandle, Principal};
use crate::connection::{FinalReply, Inbound};
use crate::protocol::Version;
use crate::sync::Mutex;

/// One client, from its handshake until it ends the session or is not seen for long.
#[derive(Debug)]
pub(super) struct HttpSession {
    pub(super) id: Box<str>,
    /// The path it began at, which is the only one it is valid at.
    path: Box<str>,
    pub(super) principal: Principal,
    client: ClientHandle,
    pub(super) standalone: Arc<StandaloneStream>,
    /// The answers it has not read.
    pub(super) unread: Arc<UnreadAnswers>,
    version: OnceLock<Version>,
    /// Whether the handshake failed.
    is_void: AtomicBool,
    last_seen: Mutex<Instant>,
    /// The number of responses that are being written.
    open_responses: AtomicUsize,
}

impl HttpSession {
    pub(super) fn new(
        id: Box<str>,
        path: &str,
        principal: Principal,
        client: ClientHandle,
        standalone: Arc<StandaloneStream>,
        unread: Arc<UnreadAnswers>,
    ) -> Self {
        Self {
            id,
            path: path.into(),
            principal,
            client,
            standalone,
            unread,
            version: OnceLock::new(),
            is_void: AtomicBool::new(false),
            last_seen: Mutex::new(Instant::now()),
            open_responses: AtomicUsize::new(0),
        }
    }

    pub(super) fn inbound(&self) -> &Arc<Inbound> {
        self.client.inbound()
    }

    /// Whether it ends once its open requests are answered.
    pub(super) fn is_closing(&self) -> bool {
        self.is_void.load(Ordering::Relaxed) || self.client.is_closing() || self.unread.is_closed()
    }

    /// Whether this principal may use it at this path: the id alone is not enough.
    pub(super) fn belongs(&self, path: &str, principal: &Principal) -> bool {
        *self.path == *path && self.principal == *principal
    }

    /// The handshake has succeeded: its answer names the protocol version.
    pub(super) fn set_greeted(&self, answer: &FinalReply) {
        if let (None, Some(version)) = (self.version.get(), negotiated_version(answer)) {
            // The first answer decides.
            let _ = self.version.set(version);
        }
    }

    /// The handshake has failed. The client may know the id already, so it must not be accepted.
    pub(super) fn set_void(&self) {
        if self.version.get().is_none() {
            self.is_void.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a stream starts with an event to resume from.
    pub(super) fn primes(&self) -> bool {
        self.version.get().is_some_and(|version| version.primes())
    }

    /// Keeps the session from being idle while the guard lives.
    pub(super) fn enter(self: &Arc<Self>) -> SessionGuard {
        self.open_responses.fetch_add(1, Ordering::Relaxed);
        SessionGuard(Arc::clone(self))
    }

    /// When the last response ended; nothing while one is being written.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        (self.open_responses.load(Ordering::Relaxed) == 0).then(|| *self.last_seen.lock())
    }
}

/// The protocol version in the answer to `initialize`.
fn negotiated_version(answer: &FinalReply) -> Option<Version> {
    #[derive(serde::Deserialize)]
    struct InitializeReply<'a> {
        #[serde(borrow)]
        result: InitializeResult<'a>,
    }
    #[derive(serde::Deserialize)]
    struct InitializeResult<'a> {
        #[serde(borrow, rename = "protocolVersion")]
        version: Cow<'a, str>,
    }
    let mut bytes = Vec::new();
    answer.message.write_to(&mut bytes);
    let reply: InitializeReply<'_> = serde_json::from_slice(&bytes).ok()?;
    Version::of(&reply.result.version)
}

/// Keeps a session from being idle.
#[derive(Debug)]
pub(super) struct SessionGuard(Arc<HttpSession>);

impl SessionGuard {
    pub(super) fn session(&self) -> &HttpSession {
        &self.0
    }
}

impl Drop for SessionGuard {
    fn drop(&mut self) {
        *self.0.last_seen.lock() = Instant::now();
        self.0.open_responses.fetch_sub(1, Ordering::Relaxed);
    }
}
