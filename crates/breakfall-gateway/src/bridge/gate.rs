//! Finds out whether a client and its server are of the same era. If they are, messages pass unchanged; if not, a
//! bridge translates them.

use std::fmt;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::detect::{Neither, RefusedHandshake};
use super::modern_client::caller::Caller;
use super::{detect, legacy_client, modern_client};
use crate::pipeline::Pipeline;
use crate::session::{
    self, Asker, ClientSide, LateRequests, Link, MessageBacklog, ServerMessageFilter,
    WaitingMessage,
};
use crate::upstream::Upstream;
use breakfall_mcp::connection::{
    Listener, LostRequest, Peer, RelatedRequest, RequestSummary, RpcMethod, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id, Kind, RequestParams};

/// Between a client and the link to its server.
pub(crate) struct Gate {
    me: Weak<Self>,
    pub(super) front: Arc<ClientSide>,
    pub(super) asker: Arc<Asker>,
    link: Link,
    upstream: Arc<Upstream>,
    /// Messages pass unchanged from now on.
    is_aside: AtomicBool,
    state: Mutex<State>,
    /// Notified when a request starts to wait.
    waits: Notify,
}

/// What is known of both eras.
#[derive(Debug)]
pub(super) enum State {
    /// Nothing yet.
    Unknown,
    /// Detection is under way; messages wait.
    Asking(MessageBacklog),
    /// Both are of the same era.
    Same,
    /// A legacy client and a modern server.
    Legacy(Arc<legacy_client::Bridge>),
    /// A modern client and a legacy server.
    Modern(Arc<modern_client::Bridge>),
}

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gate").field(&self.state).finish()
    }
}

impl Gate {
    /// A bridge in front of a link.
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
            waits: Notify::new(),
        })
    }

    /// Sends a notification to the server.
    pub(super) fn tell(&self, note: Frame) {
        self.link.notification(note);
    }

    pub(super) fn upstream(&self) -> &Arc<Upstream> {
        &self.upstream
    }

    fn is_aside(&self) -> bool {
        self.is_aside.load(Ordering::Acquire)
    }

    /// Handles a request while messages do not pass unchanged.
    fn judge(&self, frame: Frame, ticket: Ticket) {
        let mut state = self.state();
        match &mut *state {
            State::Same => {
                drop(state);
                self.front.request(frame, ticket, None);
            }
            State::Asking(held) => {
                let unsent = held.push_request(frame, ticket, &self.upstream).err();
                drop(state);
                self.waits.notify_one();
                if let Some(lost) = unsent {
                    session::lost(*lost, &self.upstream);
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
            // The client changed its mind.
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

    /// Handles the first request that shows the era of its client.
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
        let mut held = MessageBacklog::default();
        let unsent = held.push_request(frame, ticket, &self.upstream);
        debug_assert!(unsent.is_ok(), "an empty backlog takes any request");
        *state = State::Asking(held);
        drop(state);
        let detection = detect::for_modern(Arc::clone(&gate), questions);
        tokio::spawn(gate.answer_late_during(detection));
    }

    /// Passes a handshake on. Only a server that refuses it is checked for being modern.
    fn shake_hands(&self, frame: Frame, ticket: Ticket) {
        let me = self.me.clone();
        let patience = self.upstream.timeouts;
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

    /// Checks a server that has refused a handshake, now or before.
    fn probe(&self, handshake: RefusedHandshake, ticket: Ticket) {
        let Some(gate) = self.me.upgrade() else {
            return drop(ticket);
        };
        let mut state = self.state();
        if matches!(*state, State::Unknown) {
            *state = State::Asking(MessageBacklog::default());
        }
        drop(state);
        ticket.sent_nowhere();
        let detection = detect::for_legacy(Arc::clone(&gate), handshake, ticket);
        tokio::spawn(gate.answer_late_during(detection));
    }

    /// Answers requests that wait too long for the detection.
    async fn answer_late_during(self: Arc<Self>, detection: impl Future<Output = ()>) {
        let late = session::answer_late(&self.upstream, &self.waits, || match &mut *self.state() {
            State::Asking(held) => held.take_late(&self.upstream),
            State::Unknown | State::Same | State::Legacy(_) | State::Modern(_) => {
                LateRequests::default()
            }
        });
        tokio::select! {
            () = detection => {}
            never = late => match never {},
        }
    }

    /// Passes all messages unchanged from now on.
    fn step_aside(&self) {
        let mut state = self.state();
        if matches!(*state, State::Unknown) {
            *state = State::Same;
            self.is_aside.store(true, Ordering::Release);
        }
    }

    /// Ends the detection, and passes on what waited, in order and before anything newer.
    pub(super) fn settle(&self, settled: &Settled) {
        loop {
            let first = {
                let mut state = self.state();
                let State::Asking(held) = &mut *state else {
                    return;
                };
                if held.is_empty() {
                    *state = settled.state();
                    let is_aside = matches!(*state, State::Same);
                    self.is_aside.store(is_aside, Ordering::Release);
                    return;
                }
                held.pop()
            };
            match first {
                Some(WaitingMessage::Request(request)) => {
                    settled.request(self, request.frame, request.ticket);
                }
                Some(WaitingMessage::Notification(frame, Some(from))) => {
                    settled.notification(self, frame, &from);
                }
                Some(WaitingMessage::Notification(_, None)) | None => {}
            }
        }
    }

    /// Takes the first waiting message if it is a request of this method.
    pub(super) fn take_first(&self, method: &str) -> Option<Ticket> {
        let mut state = self.state();
        match &mut *state {
            State::Asking(held) => held.pop_request(method),
            State::Unknown | State::Same | State::Legacy(_) | State::Modern(_) => None,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// The result of a detection.
pub(super) enum Settled {
    /// Both are of the same era.
    Same,
    /// A legacy client and a modern server.
    Legacy(Arc<legacy_client::Bridge>),
    /// A modern client and a legacy server.
    Modern(Arc<modern_client::Bridge>),
    /// The server has not shown its era yet.
    Unknown,
    /// The server supports neither era, or is silent; waiting requests fail with this.
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
            State::Asking(held) => held.push_notification(frame, Some(from)),
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

impl ServerMessageFilter for Gate {
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
