//! Finds out whether a client and its server are of the same era. If they are, messages pass unchanged; if not, a
//! bridge translates them.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard, Weak};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::detect::{DetectionError, RefusedHandshake};
use super::modern_client::caller::ModernCaller;
use super::{detect, legacy_client, modern_client};
use crate::pipeline::Pipeline;
use crate::session::{
    self, Asker, ClientSide, LateRequests, Link, MessageBacklog, ServerMessageFilter,
    WaitingMessage,
};
use crate::upstream::Upstream;
use breakfall_mcp::connection::{Listener, LostRequest, Peer, RelatedRequest, RpcMethod, Ticket};
use breakfall_mcp::error::ReplyOptions;
use breakfall_mcp::jsonrpc::{Frame, Id, Kind, RequestParams};
use breakfall_mcp::protocol::method;
use breakfall_mcp::sync::Mutex;

/// Between a client and the link to its server.
#[derive(Debug)]
pub(crate) struct EraBridge {
    me: Weak<Self>,
    pub(super) front: Arc<ClientSide>,
    pub(super) asker: Arc<Asker>,
    /// Judges the errors of the server that answer a client.
    pipeline: Arc<Pipeline>,
    link: Link,
    upstream: Arc<Upstream>,
    /// Messages pass unchanged from now on.
    is_aside: AtomicBool,
    state: Mutex<EraState>,
    /// Notified when a request starts to wait.
    waits: Notify,
}

/// What is known of both eras.
#[derive(Debug)]
pub(super) enum EraState {
    /// Nothing yet.
    Unknown,
    /// Detection is under way; messages wait.
    Detecting(MessageBacklog),
    /// Both are of the same era.
    Same,
    /// A legacy client and a modern server.
    Legacy(Arc<legacy_client::LegacyClientBridge>),
    /// A modern client and a legacy server.
    Modern(Arc<modern_client::ModernClientBridge>),
}

impl EraBridge {
    /// A bridge in front of a link.
    pub(crate) fn new(link: &Link) -> Arc<Self> {
        let upstream = Arc::clone(link.upstream());
        let pipeline = Pipeline::new(link.clone());
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            front: Arc::new(ClientSide::new(
                link.clone(),
                Arc::<Pipeline>::clone(&pipeline),
            )),
            pipeline,
            asker: Arc::new(Asker::new(link.clone())),
            link: link.clone(),
            is_aside: AtomicBool::new(!upstream.is_bridged),
            upstream,
            state: Mutex::new(EraState::Unknown),
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

    pub(super) fn pipeline(&self) -> &Arc<Pipeline> {
        &self.pipeline
    }

    fn is_aside(&self) -> bool {
        self.is_aside.load(Ordering::Acquire)
    }

    /// Handles a request while messages do not pass unchanged.
    fn dispatch(&self, frame: Frame, ticket: Ticket) {
        let mut state = self.state.lock();
        match &mut *state {
            EraState::Same => {
                drop(state);
                self.front.request(frame, ticket, None);
            }
            EraState::Detecting(held) => {
                let unsent = held.push_request(frame, ticket, &self.upstream).err();
                drop(state);
                self.waits.notify_one();
                if let Some(lost) = unsent {
                    session::lost(*lost, &self.upstream);
                }
            }
            EraState::Legacy(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.request(&frame, ticket);
            }
            EraState::Modern(bridge) if frame.method() != method::INITIALIZE => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.request(&frame, ticket);
            }
            // The client changed its mind.
            EraState::Modern(_) => {
                let before = mem::replace(&mut *state, EraState::Unknown);
                drop(state);
                if let EraState::Modern(bridge) = before {
                    bridge.close();
                }
                self.shake_hands(frame, ticket);
            }
            EraState::Unknown => self.begin(state, frame, ticket),
        }
    }

    /// Handles the first request that shows the era of its client.
    fn begin(&self, mut state: MutexGuard<'_, EraState>, frame: Frame, ticket: Ticket) {
        let eras = &self.upstream.eras;
        let method = frame.method();
        if method == method::INITIALIZE {
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
        let questions = match ModernCaller::of(&frame) {
            Ok(caller) => {
                let is_discovery = method == method::DISCOVER;
                let discover = is_discovery.then(|| frame.bytes().to_vec());
                detect::DetectionRequests {
                    discover: discover.unwrap_or_else(|| caller.discover()),
                    initialize: caller.initialize(),
                }
            }
            Err(not) => {
                drop(state);
                return modern_client::refuse(ticket, not);
            }
        };
        let Some(era_bridge) = self.me.upgrade() else {
            return drop(ticket);
        };
        let mut held = MessageBacklog::default();
        let unsent = held.push_request(frame, ticket, &self.upstream);
        debug_assert!(unsent.is_ok(), "an empty backlog takes any request");
        *state = EraState::Detecting(held);
        drop(state);
        let detection = detect::for_modern(Arc::clone(&era_bridge), questions);
        tokio::spawn(era_bridge.answer_late_during(detection));
    }

    /// Passes a handshake on. Only a server that refuses it is checked for being modern.
    fn shake_hands(&self, frame: Frame, ticket: Ticket) {
        let me = self.me.clone();
        let timeouts = self.upstream.timeouts;
        let mut handshake = RefusedHandshake {
            initialize: frame.clone(),
            refusal: None,
            deadline: Instant::now() + timeouts.idle.min(timeouts.total),
        };
        if self.upstream.eras.legacy() == Some(false) {
            return self.probe(handshake, ticket);
        }
        let ticket = ticket.then(move |answer, ticket, to| {
            let Some(era_bridge) = me.upgrade() else {
                return ticket.answer(answer, to);
            };
            if answer.kind() == Kind::Result {
                era_bridge.upstream.eras.set_legacy(true);
                era_bridge.step_aside();
                return ticket.answer(answer, to);
            }
            handshake.refusal = Some((answer, to));
            era_bridge.probe(handshake, ticket);
        });
        self.front.request(frame, ticket, None);
    }

    /// Checks a server that has refused a handshake, now or before.
    fn probe(&self, handshake: RefusedHandshake, ticket: Ticket) {
        let Some(era_bridge) = self.me.upgrade() else {
            return drop(ticket);
        };
        let mut state = self.state.lock();
        if matches!(*state, EraState::Unknown) {
            *state = EraState::Detecting(MessageBacklog::default());
        }
        drop(state);
        ticket.clear_location();
        let detection = detect::for_legacy(Arc::clone(&era_bridge), handshake, ticket);
        tokio::spawn(era_bridge.answer_late_during(detection));
    }

    /// Answers requests that wait too long for the detection.
    async fn answer_late_during(self: Arc<Self>, detection: impl Future<Output = ()>) {
        let late = session::answer_late(&self.upstream, &self.waits, || {
            match &mut *self.state.lock() {
                EraState::Detecting(held) => held.take_late(&self.upstream),
                EraState::Unknown | EraState::Same | EraState::Legacy(_) | EraState::Modern(_) => {
                    LateRequests::default()
                }
            }
        });
        tokio::select! {
            () = detection => {}
            never = late => match never {},
        }
    }

    /// Passes all messages unchanged from now on.
    fn step_aside(&self) {
        let mut state = self.state.lock();
        if matches!(*state, EraState::Unknown) {
            *state = EraState::Same;
            self.is_aside.store(true, Ordering::Release);
        }
    }

    /// Ends the detection, and passes on what waited, in order and before anything newer.
    pub(super) fn settle(&self, settled: &DetectedEras) {
        loop {
            let first = {
                let mut state = self.state.lock();
                let EraState::Detecting(held) = &mut *state else {
                    return;
                };
                if held.is_empty() {
                    *state = settled.state();
                    let is_aside = matches!(*state, EraState::Same);
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
        let mut state = self.state.lock();
        match &mut *state {
            EraState::Detecting(held) => held.pop_request(method),
            EraState::Unknown | EraState::Same | EraState::Legacy(_) | EraState::Modern(_) => None,
        }
    }
}

/// The result of a detection.
pub(super) enum DetectedEras {
    /// Both are of the same era.
    Same,
    /// A legacy client and a modern server.
    Legacy(Arc<legacy_client::LegacyClientBridge>),
    /// A modern client and a legacy server.
    Modern(Arc<modern_client::ModernClientBridge>),
    /// The server has not shown its era yet.
    Unknown,
    /// The server supports neither era, or is silent; waiting requests fail with this.
    Failed(DetectionError),
}

impl DetectedEras {
    fn state(&self) -> EraState {
        match self {
            Self::Same => EraState::Same,
            Self::Legacy(bridge) => EraState::Legacy(Arc::clone(bridge)),
            Self::Modern(bridge) => EraState::Modern(Arc::clone(bridge)),
            Self::Unknown | Self::Failed(_) => EraState::Unknown,
        }
    }

    fn request(&self, era_bridge: &EraBridge, frame: Frame, ticket: Ticket) {
        match self {
            Self::Same | Self::Unknown => era_bridge.front.request(frame, ticket, None),
            Self::Legacy(bridge) => bridge.request(&frame, ticket),
            Self::Modern(bridge) => bridge.request(&frame, ticket),
            Self::Failed(DetectionError::Refused(error)) => {
                let pipeline = &era_bridge.pipeline;
                let ticket = pipeline.observe_method(method::INITIALIZE, None, ticket);
                super::say::answer(ticket, error.clone(), RpcMethod::Other);
            }
            Self::Failed(DetectionError::Silent(failure)) => {
                let challenge = failure.challenge.clone();
                session::unreached(
                    ticket,
                    &frame,
                    failure.fault(),
                    challenge,
                    &era_bridge.upstream,
                );
            }
        }
    }

    fn notification(&self, era_bridge: &EraBridge, frame: Frame, from: &Peer) {
        match self {
            Self::Same | Self::Unknown => era_bridge.front.notification(frame, from, None),
            Self::Legacy(bridge) => bridge.notification(frame, from),
            Self::Modern(bridge) => bridge.notification(frame, from),
            Self::Failed(_) => {}
        }
    }
}

impl Listener for EraBridge {
    fn request(&self, frame: Frame, ticket: Ticket, about: RelatedRequest) {
        if self.is_aside() {
            return self.front.request(frame, ticket, about);
        }
        self.dispatch(frame, ticket);
    }

    fn notification(&self, frame: Frame, from: &Peer, about: RelatedRequest) {
        if self.is_aside() {
            return self.front.notification(frame, from, about);
        }
        let mut state = self.state.lock();
        match &mut *state {
            EraState::Detecting(held) => held.push_notification(frame, Some(from)),
            EraState::Legacy(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.notification(frame, from);
            }
            EraState::Modern(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.notification(frame, from);
            }
            EraState::Unknown | EraState::Same => {
                drop(state);
                self.front.notification(frame, from, about);
            }
        }
    }

    fn cancelled(&self, key: &Id) {
        let mut state = self.state.lock();
        let is_done = match &mut *state {
            EraState::Detecting(held) => {
                let ticket = held.remove(key);
                drop(state);
                ticket.map(Ticket::withdraw).is_some()
            }
            EraState::Legacy(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.cancelled(key)
            }
            EraState::Modern(bridge) => {
                let bridge = Arc::clone(bridge);
                drop(state);
                bridge.cancelled(key)
            }
            EraState::Unknown | EraState::Same => false,
        };
        if !is_done {
            self.front.cancelled(key);
        }
    }

    fn lost(&self, lost: LostRequest) {
        self.front.lost(lost);
    }

    fn reply_options(&self) -> ReplyOptions {
        let mut options = self.upstream.context.replies.for_listener();
        options.known = self.upstream.context.known.clone();
        options
    }

    fn end(&self, lost: Vec<LostRequest>, half: usize) {
        let state = mem::replace(&mut *self.state.lock(), EraState::Same);
        match state {
            EraState::Legacy(bridge) => bridge.end(),
            EraState::Modern(bridge) => bridge.end(),
            EraState::Unknown | EraState::Detecting(_) | EraState::Same => {}
        }
        self.front.end(lost, half);
    }
}

impl ServerMessageFilter for EraBridge {
    fn told(&self, frame: Frame) -> Option<Frame> {
        if self.is_aside() {
            return Some(frame);
        }
        let bridge = match &*self.state.lock() {
            EraState::Modern(bridge) => Arc::clone(bridge),
            EraState::Unknown | EraState::Detecting(_) | EraState::Same | EraState::Legacy(_) => {
                return Some(frame);
            }
        };
        bridge.told(frame)
    }

    fn asked(&self, frame: Frame, ticket: Ticket) -> Option<(Frame, Ticket)> {
        if !self.is_aside() && matches!(*self.state.lock(), EraState::Modern(_)) {
            modern_client::ModernClientBridge::asked(&frame, ticket);
            return None;
        }
        Some((frame, ticket))
    }
}
