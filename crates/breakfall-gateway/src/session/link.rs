//! The server's side of a relay: whatever is meant for the server is left here, and there is one sooner or later.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

use super::link_state::{Accepted, LinkState, RefusedRequest};
use super::message_backlog::MessageBacklog;
use super::replay::ReplayState;
use super::supervise::{self, Ended};
use super::{ServerMessageFilter, answer};
use crate::tools::ToolCache;
use crate::upstream::{HealthState, Origin, Upstream};
use breakfall_mcp::access::Principal;
use breakfall_mcp::connection::{Peer, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Id, RequestParams};

/// A server behind one client. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Link(Arc<Shared>);

/// How a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
    /// It has failed, and is not tried for now.
    Down,
    /// It is on its way.
    Starting,
    /// It can be asked.
    Up,
}

/// What both directions know.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) upstream: Arc<Upstream>,
    /// Who sits in front.
    pub(super) principal: Principal,
    state: Mutex<LinkState>,
    /// Whether everything is about to end.
    is_ending: AtomicBool,
    /// How many bytes of requests wait until the server has read others.
    crowd: AtomicUsize,
    replay: Mutex<ReplayState>,
    /// What the server has, as far as this client or we have asked.
    pub(super) tools: ToolCache,
    /// Told when something waits for a server that is not started yet.
    pub(super) wanted: Notify,
    /// Told when a request is added to those that wait.
    pub(super) waits: Notify,
    /// Told when there is to be no server any more.
    pub(super) halt: Notify,
    /// Told when whoever wants it to end may not wait for long.
    pub(super) hurry: Notify,
}

impl Link {
    /// Nothing runs yet; what is left here waits.
    pub(crate) fn new(upstream: Arc<Upstream>, principal: Principal) -> Self {
        let schemas = Arc::clone(&upstream.schemas);
        Self(Arc::new(Shared {
            upstream,
            principal,
            state: Mutex::new(LinkState::Waiting(MessageBacklog::default())),
            is_ending: AtomicBool::new(false),
            crowd: AtomicUsize::new(0),
            replay: Mutex::default(),
            tools: ToolCache::new(schemas),
            wanted: Notify::new(),
            waits: Notify::new(),
            halt: Notify::new(),
            hurry: Notify::new(),
        }))
    }

    /// Keeps a server until [`Self::halt`]. What it says goes to the client, through the lens if there is one.
    pub(crate) async fn keep(
        self,
        client: Peer,
        lens: Option<Arc<dyn ServerMessageFilter>>,
    ) -> Ended {
        supervise::run(self.0, client, lens).await
    }

    /// Who sits in front, if they have a name.
    pub(crate) fn principal(&self) -> Option<&Arc<str>> {
        match &self.0.principal {
            Principal::Named(name) => Some(name),
            Principal::Anonymous | Principal::Unverified(_) => None,
        }
    }

    /// Whether the client has said in its handshake that it can put a question to its user.
    pub(crate) fn fills_forms(&self) -> bool {
        self.0.replay().fills_forms()
    }

    /// The tools of the server.
    pub(crate) fn tools(&self) -> &ToolCache {
        &self.0.tools
    }

    /// What is behind it.
    pub(crate) fn upstream(&self) -> &Arc<Upstream> {
        &self.0.upstream
    }

    /// A request for the server.
    pub(crate) fn request(&self, frame: Frame, ticket: Ticket) {
        let params = RequestParams::of(&frame);
        self.request_with(frame, params, ticket);
    }

    /// A request for the server whose parameters were looked at already.
    pub(crate) fn request_with(&self, frame: Frame, params: RequestParams, ticket: Ticket) {
        let shared = &*self.0;
        let taken = shared
            .link_state()
            .request(frame, params, ticket, &shared.upstream);
        match taken {
            Ok(Accepted::Sent) => return,
            Ok(Accepted::Waiting) => {}
            Err(RefusedRequest::Closed(asked)) if self.is_ending() => {
                answer::too_late([*asked], &shared.upstream);
            }
            Err(refused) => answer::refused(refused, &shared.upstream),
        }
        shared.wanted.notify_one();
        shared.waits.notify_one();
    }

    /// Something to tell the server.
    pub(crate) fn notification(&self, frame: Frame) {
        self.0.replay().told(&frame);
        self.0.link_state().notification(frame);
    }

    /// A request that waits is taken back.
    pub(crate) fn cancelled(&self, key: &Id) {
        let ticket = self.0.link_state().cancel(key);
        if let Some(ticket) = ticket {
            ticket.withdraw();
        }
    }

    /// Waits until the server has read nearly all it was sent; nothing if there is none, or too much waits for that already.
    pub(crate) fn room(&self, weight: usize) -> Option<impl Future<Output = ()> + Send + use<>> {
        let server = match &*self.0.link_state() {
            LinkState::Ready(server) => server.clone(),
            LinkState::Waiting(_) | LinkState::BackingOff { .. } | LinkState::Closed => {
                return None;
            }
        };
        let crowd = Crowd::join(&self.0, weight)?;
        Some(async move {
            let _crowd = crowd;
            server.room_for(weight).await;
        })
    }

    /// How the server is.
    pub(crate) fn state(&self) -> State {
        match &*self.0.link_state() {
            LinkState::Ready(_) => match &self.0.upstream.origin {
                // Nothing was started that could have failed.
                Origin::Remote(remote) => match remote.health() {
                    HealthState::Unknown => State::Starting,
                    HealthState::Up => State::Up,
                    HealthState::Down => State::Down,
                },
                Origin::Program(_) | Origin::Inside(_) => State::Up,
            },
            LinkState::Waiting(_) => State::Starting,
            LinkState::BackingOff { .. } | LinkState::Closed => State::Down,
        }
    }

    /// There is no time to wait for answers any more: whoever does is told so.
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

    /// Whether everything is about to end: nothing is worth trying again.
    pub(crate) fn is_ending(&self) -> bool {
        self.0.is_ending()
    }

    /// Waits until a request needs the server; false if there is to be none.
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

    /// There is to be no server any more.
    pub(crate) fn halt(&self) {
        self.0.halt.notify_one();
    }

    /// Kills the server, now or when it is to end, rather than wait for it.
    pub(crate) fn hurry(&self) {
        self.0.hurry.notify_one();
    }
}

impl Shared {
    /// There is nobody to ask any more, because everything ends: whoever waits is told so.
    pub(super) fn shut(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
        let waiting = self.link_state().give_up(LinkState::Closed);
        answer::too_late(waiting, &self.upstream);
    }

    /// Whether everything is about to end. It does not change while the state is locked.
    pub(super) fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    pub(super) fn link_state(&self) -> MutexGuard<'_, LinkState> {
        self.state
            .lock()
            .expect("nobody panics while holding this lock")
    }

    pub(super) fn replay(&self) -> MutexGuard<'_, ReplayState> {
        self.replay
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// Somebody who waits until the server has read what others have sent.
struct Crowd(Arc<Shared>, usize);

impl Crowd {
    fn join(shared: &Arc<Shared>, weight: usize) -> Option<Self> {
        let join = |waiting: usize| Some(waiting + weight).filter(|all| *all <= MOST_WAITING);
        let joined = shared
            .crowd
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, join);
        joined.ok()?;
        Some(Self(Arc::clone(shared), weight))
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.0.crowd.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// How many bytes of requests may wait until the server has read others.
const MOST_WAITING: usize = 64 << 20;
