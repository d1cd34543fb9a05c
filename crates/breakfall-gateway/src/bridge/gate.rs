//! Hears a client and finds out whether it and its server are of the same era. If they are, this steps aside; if not,
//! a bridge takes over.

use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use breakfall::{Fault, codes};
use tokio::time::Instant;

use super::detect::{Neither, RefusedHandshake};
use super::modern_client::caller::Caller;
use super::{detect, legacy_client, modern_client};
use crate::pipeline::Pipeline;
use crate::session::{self, Asker, ClientSide, Lens, Link};
use crate::upstream::Upstream;
use breakfall_mcp::connection::{
    Listener, LostRequest, Peer, RelatedRequest, RequestSummary, RpcMethod, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id, Kind, RequestParams};

/// Between a client and what passes its messages on.
pub(crate) struct Gate {
    me: Weak<Self>,
    pub(super) front: Arc<ClientSide>,
    pub(super) asker: Arc<Asker>,
    link: Link,
    upstream: Arc<Upstream>,
    /// Nothing has to be done any more.
    is_aside: AtomicBool,
    state: Mutex<State>,
}

/// What is known of the two.
#[derive(Debug)]
pub(super) enum State {
    /// Nothing yet.
    Unknown,
    /// Somebody finds out; what comes meanwhile waits.
    Asking(Held),
    /// They are of the same era.
    Same,
    /// The client has a handshake, the server has none.
    Legacy(Arc<legacy_client::Bridge>),
    /// The server has a handshake, the client has none.
    Modern(Arc<modern_client::Bridge>),
}

/// What waits, in its order.
#[derive(Debug, Default)]
pub(super) struct Held {
    messages: Vec<Waits>,
    bytes: usize,
}

/// Something that waits.
#[derive(Debug)]
pub(super) enum Waits {
    /// A question.
    Request(Frame, Ticket),
    /// Something told, and by whom.
    Notification(Frame, Peer),
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gate").field(&self.state).finish()
    }
}

impl Gate {
    /// In front of a link.
    pub(crate) fn new(link: &Link) -> Arc<Self> {
        let upstream = Arc::clone(link.upstream());
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            front: Arc::new(ClientSide::new(link.clone(), Pipeline::new(link.clone()))),
            asker: Arc::new(Asker::new(link.clone())),
            link: link.clone(),
            is_aside: AtomicBool::new(!upstream.is_bridged),
            upstream,
            state: Mutex::new(State::Unknown),
        })
    }

    /// Tells the server.
    pub(super) fn tell(&self, note: Frame) {
        self.link.notification(note);
    }

    pub(super) fn upstream(&self) -> &Arc<Upstream> {
        &self.upstream
    }

    fn is_aside(&self) -> bool {
        self.is_aside.load(Ordering::Acquire)
    }

    /// A request while it is not known for good that nothing has to be done.
    fn judge(&self, frame: Frame, ticket: Ticket) {
        let mut state = self.state();
        match &mut *state {
            State::Same => {
                drop(state);
                self.front.request(frame, ticket, None);
            }
            State::Asking(held) => {
                if let Err(ticket) = held.push(frame, ticket) {
                    drop(state);
                    let fault = Fault::new(codes::UNAVAILABLE_OVERLOADED);
                    ticket.fail(&fault.detail("executed", "no"), None);
                }
            }
            State::Legacy(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.request(&frame, ticket);
            }
            State::Modern(bridge) if frame.method() != "initialize" => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.request(&frame, ticket);
            }
            // It has thought better of it.
            State::Modern(_) => {
                let before = mem::replace(&mut *state, State::Unknown);
                drop(state);
                if let State::Modern(bridge) = before {
                    bridge.close();
                }
                self.shake_hands(frame, ticket);
            }
            State::Unknown => self.begin(state, frame, ticket),
        }
    }

    /// The first request that says of which era its client is.
    fn begin(&self, mut state: MutexGuard<'_, State>, frame: Frame, ticket: Ticket) {
        let eras = &self.upstream.eras;
        let method = frame.method();
        if method == "initialize" {
            drop(state);
            return self.shake_hands(frame, ticket);
        }
        if !RequestParams::of(&frame).is_modern {
            drop(state);
            return self.front.request(frame, ticket, None);
        }
        if eras.modern() == Some(true) {
            drop(state);
            self.step_aside();
            return self.front.request(frame, ticket, None);
        }
        let questions = match Caller::of(&frame) {
            Ok(caller) => {
                let is_discovery = method == "server/discover";
                let discover = is_discovery.then(|| frame.bytes().to_vec());
                detect::Questions {
                    discover: discover.unwrap_or_else(|| caller.discover()),
                    initialize: caller.initialize(),
                }
            }
            Err(not) => {
                drop(state);
                return modern_client::refuse(ticket, not);
            }
        };
        let Some(gate) = self.me.upgrade() else {
            return drop(ticket);
        };
        let mut held = Held::default();
        // It is the first.
        drop(held.push(frame, ticket));
        *state = State::Asking(held);
        drop(state);
        tokio::spawn(detect::for_modern(gate, questions));
    }

    /// Passes a handshake on. Only a server that refuses it is asked whether it is a modern one.
    fn shake_hands(&self, frame: Frame, ticket: Ticket) {
        let me = self.me.clone();
        let patience = self.upstream.patience;
        let mut handshake = RefusedHandshake {
            initialize: frame.clone(),
            refusal: None,
            deadline: Instant::now() + patience.idle.min(patience.total),
        };
        if self.upstream.eras.legacy() == Some(false) {
            return self.probe(handshake, ticket);
        }
        let ticket = ticket.then(move |answer, ticket, to| {
            let Some(gate) = me.upgrade() else {
                return ticket.answer(answer, to);
            };
            if answer.kind() == Kind::Result {
                gate.upstream.eras.set_legacy(true);
                gate.step_aside();
                return ticket.answer(answer, to);
            }
            handshake.refusal = Some((answer, to));
            gate.probe(handshake, ticket);
        });
        self.front.request(frame, ticket, None);
    }

    /// Asks a server that has refused a handshake, in so many words or once before.
    fn probe(&self, handshake: RefusedHandshake, ticket: Ticket) {
        let Some(gate) = self.me.upgrade() else {
            return drop(ticket);
        };
        let mut state = self.state();
        if matches!(*state, State::Unknown) {
            *state = State::Asking(Held::default());
        }
        drop(state);
        ticket.sent_nowhere();
        tokio::spawn(detect::for_legacy(gate, handshake, ticket));
    }

    /// From now on nothing in here touches a message.
    fn step_aside(&self) {
        let mut state = self.state();
        if matches!(*state, State::Unknown) {
            *state = State::Same;
            self.is_aside.store(true, Ordering::Release);
        }
    }

    /// It is known now, or will not be: whatever waited goes on in its order, then whatever comes next.
    pub(super) fn settle(&self, settled: &Settled) {
        loop {
            let waiting = {
                let mut state = self.state();
                let State::Asking(held) = &mut *state else {
                    return;
                };
                if held.messages.is_empty() {
                    *state = settled.state();
                    let is_aside = matches!(*state, State::Same);
                    self.is_aside.store(is_aside, Ordering::Release);
                    return;
                }
                mem::take(held)
            };
            for waits in waiting.messages {
                match waits {
                    Waits::Request(frame, ticket) => settled.request(self, frame, ticket),
                    Waits::Notification(frame, from) => settled.notification(self, frame, &from),
                }
            }
        }
    }

    /// The first thing that waits, if it is a request for this.
    pub(super) fn take_first(&self, method: &str) -> Option<Ticket> {
        let mut state = self.state();
        let State::Asking(held) = &mut *state else {
            return None;
        };
        let is_it =
            matches!(held.messages.first()?, Waits::Request(frame, _) if frame.method() == method);
        match is_it.then(|| held.messages.remove(0))? {
            Waits::Request(_, ticket) => Some(ticket),
            Waits::Notification(..) => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// What was found out.
pub(super) enum Settled {
    /// They are of the same era.
    Same,
    /// A client with a handshake, a modern server.
    Legacy(Arc<legacy_client::Bridge>),
    /// A modern client, a server with a handshake.
    Modern(Arc<modern_client::Bridge>),
    /// The server has not shown yet what it is.
    Unknown,
    /// It has not, and whoever waits is told this.
    Failed(Neither),
}

impl Settled {
    fn state(&self) -> State {
        match self {
            Self::Same => State::Same,
            Self::Legacy(bridge) => State::Legacy(Arc::clone(bridge)),
            Self::Modern(bridge) => State::Modern(Arc::clone(bridge)),
            Self::Unknown | Self::Failed(_) => State::Unknown,
        }
    }

    fn request(&self, gate: &Gate, frame: Frame, ticket: Ticket) {
        match self {
            Self::Same | Self::Unknown => gate.front.request(frame, ticket, None),
            Self::Legacy(bridge) => bridge.request(&frame, ticket),
            Self::Modern(bridge) => bridge.request(&frame, ticket),
            Self::Failed(Neither::Refused(error)) => {
                super::say::answer(ticket, error.clone(), RpcMethod::Other);
            }
            Self::Failed(Neither::Silent(failure)) => {
                let challenge = failure.challenge.clone();
                session::unreached(ticket, &frame, failure.fault(), challenge, &gate.upstream);
            }
        }
    }

    fn notification(&self, gate: &Gate, frame: Frame, from: &Peer) {
        match self {
            Self::Same | Self::Unknown => gate.front.notification(frame, from, None),
            Self::Legacy(bridge) => bridge.notification(frame, from),
            Self::Modern(bridge) => bridge.notification(frame, from),
            Self::Failed(_) => {}
        }
    }
}

impl Listener for Gate {
    fn request(&self, frame: Frame, ticket: Ticket, about: RelatedRequest) {
        if self.is_aside() {
            return self.front.request(frame, ticket, about);
        }
        self.judge(frame, ticket);
    }

    fn notification(&self, frame: Frame, from: &Peer, about: RelatedRequest) {
        if self.is_aside() {
            return self.front.notification(frame, from, about);
        }
        let mut state = self.state();
        match &mut *state {
            State::Asking(held) => held.push_note(frame, from),
            State::Legacy(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.notification(frame, from);
            }
            State::Modern(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.notification(frame, from);
            }
            State::Unknown | State::Same => {
                drop(state);
                self.front.notification(frame, from, about);
            }
        }
    }

    fn cancelled(&self, key: &Id) {
        let mut state = self.state();
        let is_done = match &mut *state {
            State::Asking(held) => {
                let ticket = held.remove(key);
                drop(state);
                ticket.map(Ticket::withdraw).is_some()
            }
            State::Legacy(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.cancelled(key)
            }
            State::Modern(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.cancelled(key)
            }
            State::Unknown | State::Same => false,
        };
        if !is_done {
            self.front.cancelled(key);
        }
    }

    fn answered(&self, asked: &RequestSummary, frame: &Frame) {
        self.front.answered(asked, frame);
    }

    fn lost(&self, lost: LostRequest) {
        self.front.lost(lost);
    }

    fn end(&self, lost: Vec<LostRequest>, half: usize) {
        let state = mem::replace(&mut *self.state(), State::Same);
        match state {
            State::Legacy(bridge) => bridge.end(),
            State::Modern(bridge) => bridge.end(),
            State::Unknown | State::Asking(_) | State::Same => {}
        }
        self.front.end(lost, half);
    }

    fn slower(&self) -> Option<Peer> {
        self.front.slower()
    }
}

impl Lens for Gate {
    fn told(&self, frame: Frame) -> Option<Frame> {
        if self.is_aside() {
            return Some(frame);
        }
        let bridge = match &*self.state() {
            State::Modern(bridge) => Arc::clone(bridge),
            State::Unknown | State::Asking(_) | State::Same | State::Legacy(_) => {
                return Some(frame);
            }
        };
        bridge.told(frame)
    }

    fn asked(&self, frame: Frame, ticket: Ticket) -> Option<(Frame, Ticket)> {
        if !self.is_aside() && matches!(*self.state(), State::Modern(_)) {
            modern_client::Bridge::asked(&frame, ticket);
            return None;
        }
        Some((frame, ticket))
    }
}

impl Held {
    /// Lets a request wait, or gives it back if too much does.
    fn push(&mut self, frame: Frame, ticket: Ticket) -> Result<(), Box<Ticket>> {
        if !self.has_room(&frame) {
            return Err(Box::new(ticket));
        }
        self.messages.push(Waits::Request(frame, ticket));
        Ok(())
    }

    /// A notification that finds no room is lost: its sender expects no answer.
    fn push_note(&mut self, frame: Frame, from: &Peer) {
        if self.has_room(&frame) {
            let from = from.clone();
            self.messages.push(Waits::Notification(frame, from));
        }
    }

    fn has_room(&mut self, frame: &Frame) -> bool {
        let bytes = self.bytes + frame.bytes().len();
        let fits = self.messages.len() < MOST && bytes <= MOST_BYTES;
        if fits || self.messages.is_empty() {
            self.bytes = bytes;
            return true;
        }
        false
    }

    fn remove(&mut self, key: &Id) -> Option<Ticket> {
        let is_it =
            |waits: &Waits| matches!(waits, Waits::Request(_, ticket) if ticket.key() == key);
        let at = self.messages.iter().position(is_it)?;
        match self.messages.remove(at) {
            Waits::Request(frame, ticket) => {
                self.bytes -= frame.bytes().len();
                Some(ticket)
            }
            Waits::Notification(..) => None,
        }
    }
}

/// How many messages wait at most.
const MOST: usize = 1 << 16;
/// How many bytes of them.
const MOST_BYTES: usize = 64 << 20;
