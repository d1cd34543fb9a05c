//! Takes each message to the server in a request of its own.
//!
//! Requests go at once and next to each other. What is told goes one after the other, and not before what was asked
//! before it has left. Nothing overtakes the handshake.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use http::{HeaderMap, Method};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::Remote;
use super::asking::{Asking, Kind};
use super::flight::Flight;
use super::heads::{self, Beside};
use super::listen;
use super::load::Load;
use super::renew::Renewal;
use super::session::Session;
use super::telling::{Item, Note, Tell, is_of, note};
use crate::access::Credentials;
use crate::connection::{
    Inbound, Listener, LossReason, OutgoingMessage, Peer, PeerRole, SendError, Transport,
};
use crate::jsonrpc::FrameLimits;
use crate::steadily::Steadily;

/// Takes messages to one server, for one client.
#[derive(Debug)]
pub(super) struct Courier {
    pub(super) remote: Remote,
    /// What every request says.
    pub(super) basic: Arc<HeaderMap>,
    ear: Weak<Inbound>,
    me: Weak<Self>,
    state: Mutex<State>,
    told: mpsc::UnboundedSender<Item>,
    pub(super) renewal: Renewal,
}

#[derive(Debug)]
struct State {
    session: Session,
    /// What waits until the handshake, or its end, is through.
    held: Option<VecDeque<OutgoingMessage>>,
    flying: HashMap<u64, Flying>,
    /// Hears what belongs to no request.
    listening: Option<AbortHandle>,
    is_closed: bool,
}

/// A request under way.
#[derive(Debug)]
struct Flying {
    task: AbortHandle,
    flight: Arc<Flight>,
    kind: Kind,
}

/// Begins to speak with a server.
///
/// # Panics
/// Never: the transport is made together with its receiver.
pub fn connect(
    remote: Remote,
    credentials: Option<&Credentials>,
    limits: FrameLimits,
    listener: Arc<dyn Listener>,
) -> Peer {
    let credentials = credentials.filter(|_| remote.0.passes_authorization);
    let basic = heads::basic(&remote.0.headers, credentials);
    let (told, items) = mpsc::unbounded_channel();
    let mut made = None;
    let ear = Inbound::new(PeerRole::Server, limits, listener, |ear| {
        let courier = Courier::new(remote, basic, ear.clone(), told);
        made = Some(Arc::clone(&courier));
        courier
    });
    let courier = made.expect("made with the ear");
    let peer = ear.peer().clone();
    drop(tokio::spawn(courier.keep(ear, items)));
    peer
}

impl Courier {
    fn new(
        remote: Remote,
        basic: HeaderMap,
        ear: Weak<Inbound>,
        told: mpsc::UnboundedSender<Item>,
    ) -> Arc<Self> {
        let basic = Arc::new(basic);
        Arc::new_cyclic(|me| Self {
            state: Mutex::new(State {
                session: Session::none(&basic),
                held: None,
                flying: HashMap::new(),
                listening: None,
                is_closed: false,
            }),
            remote,
            basic,
            ear,
            me: me.clone(),
            told,
            renewal: Renewal::default(),
        })
    }

    /// What goes beside everything now.
    pub(super) fn session(&self) -> Session {
        self.lock().session.clone()
    }

    pub(super) fn set_session(&self, session: Session) {
        self.lock().session = session;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("nobody panics while holding this lock")
    }

    /// Sends a request on its way.
    fn fly(
        &self,
        state: &mut State,
        number: u64,
        parcel: OutgoingMessage,
    ) -> Result<(), SendError> {
        let (Some(ear), Some(me)) = (self.ear.upgrade(), self.me.upgrade()) else {
            return Err(SendError::Over);
        };
        let is_opening = is_of(&parcel.message, "initialize");
        let original = parcel.message.original();
        let extra = parcel.extra.as_deref();
        let mut beside = if state.session.is_open || is_opening {
            Beside::default()
        } else {
            Beside::of(original, extra)
        };
        let may_lack = beside.is_modern && !Beside::has_spoken(extra);
        if may_lack {
            beside.add(self.remote.0.mirrors.beside(original));
        }
        let kind = match (is_opening, beside.is_modern) {
            (true, _) => Kind::Opening,
            (_, true) if is_of(&parcel.message, "tools/list") => Kind::List,
            (_, true) => Kind::Modern,
            (_, false) => Kind::Usual,
        };
        if kind == Kind::Opening {
            state.held = Some(VecDeque::new());
            state.session = Session {
                generation: state.session.generation,
                ..Session::none(&self.basic)
            };
        }
        let flight = Flight::new(ear, Some(number), parcel.message.weight());
        let asking = Asking {
            courier: me,
            session: state.session.clone(),
            flight: Arc::clone(&flight),
            number,
            beside,
            kind,
            may_lack,
        };
        let asking = Steadily::new(Box::pin(asking.run(parcel.message.into())));
        let task = tokio::spawn(asking).abort_handle();
        let flying = Flying { task, flight, kind };
        state.flying.insert(number, flying);
        Ok(())
    }

    /// Queues something to tell.
    fn tell(&self, state: &mut State, parcel: OutgoingMessage) -> Result<(), SendError> {
        let ear = self.ear.upgrade().ok_or(SendError::Over)?;
        let about = note(&parcel.message);
        let extra = parcel.extra.as_deref();
        let beside = if state.session.is_open {
            Beside::default()
        } else {
            Beside::of(parcel.message.original(), extra)
        };
        if about == Note::Initialized && state.session.is_open {
            state.held = Some(VecDeque::new());
        }
        let flight = Flight::new(ear, None, parcel.message.weight());
        let load = parcel.message.into();
        let tell = Tell {
            load,
            beside,
            flight,
            about,
        };
        self.told
            .send(Item::Tell(tell))
            .map_err(|_| SendError::Over)
    }

    /// Lets go of what was held back.
    pub(super) fn release(&self) {
        let mut state = self.lock();
        let mut held = state.held.take().unwrap_or_default();
        while let Some(parcel) = held.pop_front() {
            // If it is over nobody is to be told.
            let _ = self.put(&mut state, parcel);
            // The first of it may hold back the others.
            if let Some(again) = &mut state.held {
                again.append(&mut held);
            }
        }
    }

    fn put(&self, state: &mut State, parcel: OutgoingMessage) -> Result<(), SendError> {
        match parcel.request {
            Some(number) => self.fly(state, number, parcel),
            None => self.tell(state, parcel),
        }
    }

    /// A request that is under way.
    pub(super) fn flight_of(&self, number: u64) -> Option<Arc<Flight>> {
        let state = self.lock();
        let flying = state.flying.get(&number);
        flying.map(|flying| Arc::clone(&flying.flight))
    }

    /// Does not wait for the answer to a request any more.
    pub(super) fn leave_alone(&self, number: u64) {
        let flying = self.lock().flying.remove(&number);
        if let Some(flying) = flying {
            flying.task.abort();
        }
    }

    /// A request is done with.
    pub(super) fn landed(&self, number: u64, kind: Kind) {
        let landed = self.lock().flying.remove(&number);
        drop(landed);
        if kind == Kind::Opening {
            self.release();
        }
    }

    /// Does what is told, one after the other, until the end.
    async fn keep(self: Arc<Self>, ear: Arc<Inbound>, mut items: mpsc::UnboundedReceiver<Item>) {
        while let Some(Item::Tell(tell)) = items.recv().await {
            self.deliver(&ear, tell).await;
        }
        self.lock().is_closed = true;
        self.deafen();
        let flying = std::mem::take(&mut self.lock().flying);
        for flying in flying.into_values() {
            flying.task.abort();
        }
        self.leave().await;
        drop(ear);
    }

    /// Hears from now on what belongs to no request.
    pub(super) fn listen(self: &Arc<Self>, ear: &Arc<Inbound>) {
        let session = self.session();
        if !session.is_open {
            return;
        }
        let task = tokio::spawn(listen::run(Arc::clone(self), Arc::clone(ear), session));
        let before = self.lock().listening.replace(task.abort_handle());
        if let Some(before) = before {
            before.abort();
        }
    }

    pub(super) fn deafen(&self) {
        let listening = self.lock().listening.take();
        if let Some(listening) = listening {
            listening.abort();
        }
    }

    /// Ends the session, if the server has one.
    async fn leave(&self) {
        let session = self.session();
        if !session.is_named() {
            return;
        }
        let heads = || HeaderMap::clone(&session.heads);
        let sent = self
            .remote
            .send(&Method::DELETE, heads, Load::default(), None);
        // It forgets the session sooner or later anyway.
        let _ = timeout(LEAVING, sent).await;
    }

    pub(super) fn log(&self, what: &str, why: &LossReason) {
        let report = match why {
            LossReason::Refused(refused) => refused.fault.report().to_string(),
            LossReason::Late(_)
            | LossReason::Unreadable(_)
            | LossReason::Gone
            | LossReason::Unsent(_) => String::new(),
        };
        tracing::warn!(upstream = &*self.remote.0.name, report, "{what}");
    }
}

impl Transport for Courier {
    fn carry(&self, parcel: OutgoingMessage) -> Result<(), SendError> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(SendError::Over);
        }
        if let Some(held) = &mut state.held {
            held.push_back(parcel);
            return Ok(());
        }
        self.put(&mut state, parcel)
    }

    fn close(&self) {
        // Nobody there any more is as good as closed.
        let _ = self.told.send(Item::Close);
    }

    fn abort(&self, request: u64) -> bool {
        let mut state = self.lock();
        let kind = state.flying.get(&request).map(|flying| flying.kind);
        let is_silent = matches!(kind, Some(Kind::Modern | Kind::List | Kind::Opening));
        let flying = is_silent.then(|| state.flying.remove(&request)).flatten();
        drop(state);
        if let Some(flying) = flying {
            flying.task.abort();
            if flying.kind == Kind::Opening {
                self.release();
            }
        }
        is_silent
    }
}

/// How long to wait for the end of a session.
const LEAVING: Duration = Duration::from_millis(800);
