//! Leads to a server, which may have to be started first: messages wait here until it is ready.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, MutexGuard};

use breakfall::redact::KnownValues;
use tokio::sync::Notify;

use super::answer::ExitReport;
use super::link_state::{LinkState, RefusedRequest, RequestPlace};
use super::message_backlog::MessageBacklog;
use super::replay::ReplayState;
use super::supervise::{self, SessionEnd};
use super::{ServerMessageFilter, answer};
use crate::tools::ToolCache;
use crate::upstream::{HealthState, Origin, Upstream};
use breakfall_mcp::access::Principal;
use breakfall_mcp::connection::{Peer, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Id, RequestParams};
use breakfall_mcp::protocol::method;
use breakfall_mcp::sync::Mutex;

/// The link from one client to a server. Clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct Link(Arc<LinkShared>);

/// The state of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ServerState {
    /// It has failed, and is not started again for some time.
    Down,
    /// It does not answer: a request is past its deadline, and so far it has given no sign of life.
    Stuck,
    /// It is starting.
    Starting,
    /// It accepts requests.
    Up,
}

/// The state that both directions share.
#[derive(Debug)]
pub(super) struct LinkShared {
    pub(super) upstream: Arc<Upstream>,
    /// The authenticated client.
    pub(super) principal: Principal,
    state: Mutex<LinkState>,
    /// Whether the session is ending.
    is_ending: AtomicBool,
    /// Whether the server is asked for a sign of life.
    pub(super) is_suspected: AtomicBool,
    /// How many bytes of requests wait until the server has read earlier ones.
    waiting_bytes: AtomicUsize,
    replay: Mutex<ReplayState>,
    /// How the server ended last, if it ended before its first message.
    failed_start: Mutex<Option<ExitReport>>,
    /// The roots of the client, as it listed them last.
    roots: Mutex<KnownValues>,
    /// The tools of the server, as far as they were listed.
    pub(super) tools: ToolCache,
    /// Notified when a message waits for a server that has not started.
    pub(super) wanted: Notify,
    /// Notified when a request starts to wait.
    pub(super) waits: Notify,
    /// Notified when the server is to end for good.
    pub(super) halt: Notify,
    /// Notified when the server must end soon.
    pub(super) hurry: Notify,
}

impl Link {
    /// The server is not started yet; messages wait.
    pub(crate) fn new(upstream: Arc<Upstream>, principal: Principal) -> Self {
        let schemas = Arc::clone(&upstream.schemas);
        Self(Arc::new(LinkShared {
            upstream,
            principal,
            state: Mutex::new(LinkState::Waiting(MessageBacklog::default())),
            is_ending: AtomicBool::new(false),
            is_suspected: AtomicBool::new(false),
            waiting_bytes: AtomicUsize::new(0),
            replay: Mutex::default(),
            failed_start: Mutex::default(),
            roots: Mutex::default(),
            tools: ToolCache::new(schemas),
            wanted: Notify::new(),
            waits: Notify::new(),
            halt: Notify::new(),
            hurry: Notify::new(),
        }))
    }

    /// Supervises the server until [`Self::halt`]. Its messages go to the client, through the filter if there is one.
    pub(crate) async fn keep(
        self,
        client: Peer,
        filter: Option<Arc<dyn ServerMessageFilter>>,
    ) -> SessionEnd {
        supervise::run(self.0, client, filter).await
    }

    /// The name of the client, if it is authenticated.
    pub(crate) fn principal(&self) -> Option<&Arc<str>> {
        match &self.0.principal {
            Principal::Named(name) => Some(name),
            Principal::Anonymous | Principal::Unverified(_) => None,
        }
    }

    /// Whether the credentials of the client go to the server.
    pub(crate) fn passes_credentials(&self) -> bool {
        self.0.principal.credentials().is_some()
    }

    /// Whether the client declared in its handshake that it can ask its user.
    pub(crate) fn fills_forms(&self) -> bool {
        self.0.replay().fills_forms()
    }

    /// What the client knows besides the arguments of its calls.
    pub(crate) fn known(&self) -> KnownValues {
        let known = self.0.upstream.context.known.clone();
        known.and(&self.0.roots.lock())
    }

    /// The tools of the server.
    pub(crate) fn tools(&self) -> &ToolCache {
        &self.0.tools
    }

    /// The configuration and shared state of the server.
    pub(crate) fn upstream(&self) -> &Arc<Upstream> {
        &self.0.upstream
    }

    /// Sends a request to the server.
    pub(crate) fn request(&self, frame: Frame, ticket: Ticket) {
        let params = RequestParams::of(&frame);
        self.request_with(frame, params, ticket);
    }

    /// Sends a request whose parameters are parsed already.
    pub(crate) fn request_with(&self, frame: Frame, params: RequestParams, ticket: Ticket) {
        let shared = &*self.0;
        let taken = shared
            .link_state()
            .request(frame, params, ticket, &shared.upstream);
        match taken {
            Ok(RequestPlace::Sent) => return,
            Ok(RequestPlace::Waiting) => {}
            Err(RefusedRequest::Closed(asked)) if self.is_ending() => {
                answer::too_late([*asked], &shared.upstream);
            }
            Err(refused) => answer::refused(refused, shared),
        }
        shared.wanted.notify_one();
        shared.waits.notify_one();
    }

    /// Sends a notification to the server.
    pub(crate) fn notification(&self, frame: Frame) {
        self.0.replay().told(&frame);
        if frame.method() == method::ROOTS_LIST_CHANGED {
            self.0.set_roots(KnownValues::new());
        }
        self.0.link_state().notification(frame);
    }

    /// Cancels a request that waits.
    pub(crate) fn cancelled(&self, key: &Id) {
        let ticket = self.0.link_state().cancel(key);
        if let Some(ticket) = ticket {
            ticket.withdraw();
        }
    }

    /// Waits until the server has read nearly all it was sent; `None` if it is not running, or too many bytes wait
    /// already.
    pub(crate) fn room(&self, weight: usize) -> Option<impl Future<Output = ()> + Send + use<>> {
        let server = match &*self.0.link_state() {
            LinkState::Ready(server) => server.clone(),
            LinkState::Waiting(_) | LinkState::BackingOff { .. } | LinkState::Closed => {
                return None;
            }
        };
        let waiting_bytes = WaitingBytes::join(&self.0, weight)?;
        Some(async move {
            let _waiting = waiting_bytes;
            server.room_for(weight).await;
        })
    }

    /// The state of the server; `None` if the session ends, which says nothing about the server.
    pub(crate) fn state(&self) -> Option<ServerState> {
        let state = self.0.link_state();
        (!self.is_ending()).then(|| self.state_in(&state))
    }

    fn state_in(&self, state: &LinkState) -> ServerState {
        match state {
            LinkState::Ready(_) if self.0.is_suspected.load(Ordering::Relaxed) => {
                ServerState::Stuck
            }
            LinkState::Ready(_) => match &self.0.upstream.origin {
                // A server over HTTP has no process that could have failed.
                Origin::Remote(remote) => match remote.health() {
                    HealthState::Unknown => ServerState::Starting,
                    HealthState::Up => ServerState::Up,
                    HealthState::Down => ServerState::Down,
                },
                Origin::Program(_) | Origin::Inside(_) => ServerState::Up,
            },
            LinkState::Waiting(_) => ServerState::Starting,
            LinkState::BackingOff { .. } | LinkState::Closed => ServerState::Down,
        }
    }

    /// Stops waiting for answers: all open requests are answered with a fault.
    pub(crate) fn give_up(&self) {
        let shared = &*self.0;
        let server = match &*shared.link_state() {
            LinkState::Ready(server) => Some(server.clone()),
            LinkState::Waiting(_) | LinkState::BackingOff { .. } | LinkState::Closed => None,
        };
        shared.shut();
        for lost in server.iter().flat_map(Peer::give_up) {
            answer::cut_off(lost, &shared.upstream);
        }
    }

    /// Whether the session is ending, so that retries make no sense.
    pub(crate) fn is_ending(&self) -> bool {
        self.0.is_ending()
    }

    /// Waits until a message needs the server; false if the server is to end first.
    pub(crate) async fn wanted(&self) -> bool {
        while !self.0.link_state().is_wanted() {
            tokio::select! {
                () = self.0.wanted.notified() => {}
                () = self.0.halt.notified() => {
                    self.0.shut();
                    return false;
                }
            }
        }
        true
    }

    /// Ends the server for good.
    pub(crate) fn halt(&self) {
        self.0.halt.notify_one();
    }

    /// Kills the server instead of waiting for it, now or once it is to end.
    pub(crate) fn hurry(&self) {
        self.0.hurry.notify_one();
    }
}

impl LinkShared {
    /// Ends the session for this server: requests that wait are answered with a fault.
    pub(super) fn shut(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
        let waiting = self.link_state().give_up(LinkState::Closed);
        answer::too_late(waiting, &self.upstream);
    }

    /// Whether the session is ending. Does not change while the state is locked.
    pub(super) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    pub(super) fn link_state(&self) -> MutexGuard<'_, LinkState> {
        self.state.lock()
    }

    pub(super) fn replay(&self) -> MutexGuard<'_, ReplayState> {
        self.replay.lock()
    }

    pub(super) fn set_roots(&self, roots: KnownValues) {
        *self.roots.lock() = roots;
    }

    /// How the server ended last, if it failed to start.
    pub(super) fn failed_start(&self) -> MutexGuard<'_, Option<ExitReport>> {
        self.failed_start.lock()
    }

    /// Remembers how the server ended if it failed to start, and forgets an earlier failure if it did not.
    pub(super) fn set_failed_start(&self, report: ExitReport) {
        *self.failed_start() = Some(report).filter(ExitReport::is_failed_start);
    }
}

/// The bytes of a request that waits until the server has read earlier ones.
struct WaitingBytes(Arc<LinkShared>, usize);

impl WaitingBytes {
    fn join(shared: &Arc<LinkShared>, weight: usize) -> Option<Self> {
        let join = |waiting: usize| Some(waiting + weight).filter(|all| *all <= MAX_WAITING_BYTES);
        let joined = shared
            .waiting_bytes
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, join);
        joined.ok()?;
        Some(Self(Arc::clone(shared), weight))
    }
}

impl Drop for WaitingBytes {
    fn drop(&mut self) {
        self.0.waiting_bytes.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// How many bytes of requests may wait until the server has read earlier ones.
const MAX_WAITING_BYTES: usize = 64 << 20;
