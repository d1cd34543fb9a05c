//! Sends each message to the server in a request of its own.
//!
//! Requests are sent at once and run concurrently. Notifications are sent one after the other, and not before the
//! request they follow has left. No message overtakes the handshake.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use http::{HeaderMap, Method};
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::RemoteServer;
use super::get_stream;
use super::in_flight::InFlight;
use super::message_headers::{self, MessageHeaders};
use super::notifications::{
    NotificationItem, NotificationKind, QueuedNotification, is_of, notification_kind,
};
use super::payload::Payload;
use super::post_request::{PostRequest, RequestKind};
use super::renewal::SessionRenewal;
use super::session::UpstreamSession;
use crate::access::Credentials;
use crate::connection::{
    Backlog, Inbound, Listener, LossReason, OutgoingMessage, Peer, PeerRole, SendError, Transport,
};
use crate::jsonrpc::FrameLimits;
use crate::protocol::method;
use crate::sync::Mutex;

/// Sends the messages of one client to one server.
#[derive(Debug)]
pub(super) struct HttpTransport {
    pub(super) remote: RemoteServer,
    /// The headers of every request.
    pub(super) basic: Arc<HeaderMap>,
    inbound: Weak<Inbound>,
    me: Weak<Self>,
    state: Mutex<TransportState>,
    notifications: mpsc::UnboundedSender<NotificationItem>,
    pub(super) renewal: SessionRenewal,
}

#[derive(Debug)]
struct TransportState {
    session: UpstreamSession,
    /// Messages that wait for the end of the handshake; `None` outside a handshake. They have no deadlines here: a request
    /// has its own in the table of pending requests, and the deadline of the handshake releases all of them.
    backlog: Option<Backlog<OutgoingMessage>>,
    active: HashMap<u64, ActiveRequest>,
    /// Reads the stream of messages that belong to no request.
    get_stream: Option<AbortHandle>,
    is_closed: bool,
}

/// A request without a complete response.
#[derive(Debug)]
struct ActiveRequest {
    task: AbortHandle,
    in_flight: Arc<InFlight>,
    kind: RequestKind,
}

/// Opens a connection to a server. The first message makes the first request.
///
/// # Panics
/// Never: the transport is made together with its inbound end.
pub fn connect(
    remote: RemoteServer,
    credentials: Option<&Credentials>,
    limits: FrameLimits,
    listener: Arc<dyn Listener>,
) -> Peer {
    let credentials = credentials.filter(|_| remote.passes_authorization());
    let basic = message_headers::basic(remote.headers(), credentials);
    let (sender, notifications) = mpsc::unbounded_channel();
    let mut made = None;
    let inbound = Inbound::new(PeerRole::Server, limits, listener, |inbound| {
        let transport = HttpTransport::new(remote, basic, inbound.clone(), sender);
        made = Some(Arc::clone(&transport));
        transport
    });
    let transport = made.expect("made with the inbound end");
    let peer = inbound.peer().clone();
    drop(tokio::spawn(transport.run(inbound, notifications)));
    peer
}

impl HttpTransport {
    fn new(
        remote: RemoteServer,
        basic: HeaderMap,
        inbound: Weak<Inbound>,
        notifications: mpsc::UnboundedSender<NotificationItem>,
    ) -> Arc<Self> {
        let basic = Arc::new(basic);
        Arc::new_cyclic(|me| Self {
            state: Mutex::new(TransportState {
                session: UpstreamSession::none(&basic),
                backlog: None,
                active: HashMap::new(),
                get_stream: None,
                is_closed: false,
            }),
            remote,
            basic,
            inbound,
            me: me.clone(),
            notifications,
            renewal: SessionRenewal::default(),
        })
    }

    pub(super) fn session(&self) -> UpstreamSession {
        self.state.lock().session.clone()
    }

    pub(super) fn set_session(&self, session: UpstreamSession) {
        self.state.lock().session = session;
    }

    fn send(&self, state: &mut TransportState, outgoing: OutgoingMessage) -> Result<(), SendError> {
        match outgoing.request {
            Some(number) => self.send_request(state, number, outgoing),
            None => self.queue_notification(state, outgoing),
        }
    }

    fn send_request(
        &self,
        state: &mut TransportState,
        number: u64,
        outgoing: OutgoingMessage,
    ) -> Result<(), SendError> {
        let (Some(inbound), Some(me)) = (self.inbound.upgrade(), self.me.upgrade()) else {
            return Err(SendError::Over);
        };
        let is_initialize = is_of(&outgoing.message, method::INITIALIZE);
        let original = outgoing.message.original();
        let extra = outgoing.extra.as_deref();
        let mut headers = if state.session.is_open || is_initialize {
            MessageHeaders::default()
        } else {
            MessageHeaders::of(original, extra)
        };
        let derives_headers = headers.is_modern && !MessageHeaders::are_given(extra);
        if derives_headers {
            headers.add(self.remote.param_headers().of_call(original));
        }
        let kind = match (is_initialize, headers.is_modern) {
            (true, _) => RequestKind::Initialize,
            (_, true) if is_of(&outgoing.message, method::TOOLS_LIST) => RequestKind::ToolsList,
            (_, true) => RequestKind::Modern,
            (_, false) => RequestKind::Legacy,
        };
        if kind == RequestKind::Initialize {
            state.backlog = Some(Backlog::default());
            state.session = UpstreamSession {
                generation: state.session.generation,
                ..UpstreamSession::none(&self.basic)
            };
        }
        let in_flight = InFlight::new(inbound, Some(number), outgoing.message.weight());
        let request = PostRequest {
            transport: me,
            session: state.session.clone(),
            in_flight: Arc::clone(&in_flight),
            number,
            headers,
            kind,
            derives_headers,
        };
        let task = tokio::spawn(request.run(outgoing.message.into())).abort_handle();
        let active = ActiveRequest {
            task,
            in_flight,
            kind,
        };
        state.active.insert(number, active);
        Ok(())
    }

    fn queue_notification(
        &self,
        state: &mut TransportState,
        outgoing: OutgoingMessage,
    ) -> Result<(), SendError> {
        let inbound = self.inbound.upgrade().ok_or(SendError::Over)?;
        let kind = notification_kind(&outgoing.message);
        let headers = if state.session.is_open {
            MessageHeaders::default()
        } else {
            MessageHeaders::of(outgoing.message.original(), outgoing.extra.as_deref())
        };
        if kind == NotificationKind::Initialized && state.session.is_open {
            state.backlog = Some(Backlog::default());
        }
        let notification = QueuedNotification {
            in_flight: InFlight::new(inbound, None, outgoing.message.weight()),
            payload: outgoing.message.into(),
            headers,
            kind,
        };
        self.notifications
            .send(NotificationItem::Send(notification))
            .map_err(|_| SendError::Over)
    }

    /// Sends the messages that waited for the handshake.
    pub(super) fn release(&self) {
        let mut state = self.state.lock();
        let mut backlog = state.backlog.take().unwrap_or_default();
        while let Some(outgoing) = backlog.pop() {
            // It fails only once the connection is over, and then its end answers every request.
            let _ = self.send(&mut state, outgoing);
            // The message may hold back those behind it.
            if let Some(again) = &mut state.backlog {
                again.append(std::mem::take(&mut backlog));
            }
        }
    }

    pub(super) fn in_flight(&self, number: u64) -> Option<Arc<InFlight>> {
        let state = self.state.lock();
        let active = state.active.get(&number);
        active.map(|active| Arc::clone(&active.in_flight))
    }

    /// Stops waiting for the response to a request.
    pub(super) fn abandon(&self, number: u64) {
        let active = self.state.lock().active.remove(&number);
        if let Some(active) = active {
            active.task.abort();
        }
    }

    /// A request has its response, or has failed.
    pub(super) fn finished(&self, number: u64, kind: RequestKind) {
        let active = self.state.lock().active.remove(&number);
        drop(active);
        if kind == RequestKind::Initialize {
            self.release();
        }
    }

    /// Sends notifications one after the other until the connection is closed.
    async fn run(
        self: Arc<Self>,
        inbound: Arc<Inbound>,
        mut notifications: mpsc::UnboundedReceiver<NotificationItem>,
    ) {
        while let Some(NotificationItem::Send(notification)) = notifications.recv().await {
            self.deliver(&inbound, notification).await;
        }
        self.state.lock().is_closed = true;
        self.close_get_stream();
        let active = std::mem::take(&mut self.state.lock().active);
        for active in active.into_values() {
            active.task.abort();
        }
        self.delete_session().await;
        drop(inbound);
    }

    /// Opens the stream of messages that belong to no request, in place of an earlier one.
    pub(super) fn open_get_stream(self: &Arc<Self>, inbound: &Arc<Inbound>) {
        let session = self.session();
        if !session.is_open {
            return;
        }
        let stream = get_stream::run(Arc::clone(self), Arc::clone(inbound), session);
        let task = tokio::spawn(stream).abort_handle();
        let before = self.state.lock().get_stream.replace(task);
        if let Some(before) = before {
            before.abort();
        }
    }

    pub(super) fn close_get_stream(&self) {
        let task = self.state.lock().get_stream.take();
        if let Some(task) = task {
            task.abort();
        }
    }

    async fn delete_session(&self) {
        let session = self.session();
        if !session.has_id() {
            return;
        }
        let headers = || HeaderMap::clone(&session.headers);
        let sent = self
            .remote
            .send(&Method::DELETE, headers, Payload::default(), None);
        // The server expires the session sooner or later anyway.
        let _ = timeout(DELETE_TIMEOUT, sent).await;
    }

    pub(super) fn log(&self, message: &str, reason: &LossReason) {
        let report = match reason {
            LossReason::Refused(refused) => refused.fault.report().to_string(),
            LossReason::Late(_)
            | LossReason::Unreadable(_)
            | LossReason::Gone
            | LossReason::Unsent(_) => String::new(),
        };
        tracing::warn!(upstream = self.remote.name(), report, "{message}");
    }
}

impl Transport for HttpTransport {
    fn carry(&self, outgoing: OutgoingMessage) -> Result<(), SendError> {
        let mut state = self.state.lock();
        if state.is_closed {
            return Err(SendError::Over);
        }
        if let Some(backlog) = &mut state.backlog {
            let bytes = outgoing.message.weight();
            return backlog
                .push(outgoing, bytes, None)
                .map_err(|_| SendError::Full);
        }
        self.send(&mut state, outgoing)
    }

    fn close(&self) {
        // Without a receiver the transport is closed already.
        let _ = self.notifications.send(NotificationItem::Close);
    }

    fn abort(&self, request: u64) -> bool {
        let mut state = self.state.lock();
        let kind = state.active.get(&request).map(|active| active.kind);
        let is_silent = matches!(
            kind,
            Some(RequestKind::Modern | RequestKind::ToolsList | RequestKind::Initialize)
        );
        let active = is_silent.then(|| state.active.remove(&request)).flatten();
        drop(state);
        if let Some(active) = active {
            active.task.abort();
            if active.kind == RequestKind::Initialize {
                self.release();
            }
        }
        is_silent
    }
}

/// How long the server may take to end the session.
const DELETE_TIMEOUT: Duration = Duration::from_millis(800);
