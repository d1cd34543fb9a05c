//! MCP over HTTP at one endpoint: POST, GET and DELETE.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, RwLock, Weak};
use std::time::Duration;

use breakfall::Fault;
use http::header::ACCEPT_LANGUAGE;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::body_budget::BodyBudget;
use super::connection_state::ConnectionState;
use super::event_log::STANDALONE;
use super::event_queue::EventQueue;
use super::event_stream::{EventId, EventStream};
use super::exchange::{Exchange, ExchangeReader, SessionContext};
use super::header_check::{METHOD, MessageScope, check_headers};
use super::headers::{
    LAST_EVENT_ID, SESSION_ID, check_get, check_post, prefers_events, single, version,
};
use super::http_session::HttpSession;
use super::open_streams::OpenStreams;
use super::read_body::read_body;
use super::refusal::HttpRefusal;
use super::response_body::ResponseBody;
use super::responses::{accepted, first_reply, json, no_content, single_event, stream};
use super::session_table::SessionTable;
use super::settings::Settings;
use crate::access::{ClientHandle, Endpoint, Principal};
use crate::connection::TransportHeaders;
use crate::jsonrpc::{Frame, FrameLimits, FrameScan, Id, Kind};
use crate::protocol::{Version, method};

/// Serves MCP at the endpoints a router chooses. Holds the sessions of all of them.
#[derive(Debug)]
pub struct McpService {
    limits: RwLock<MessageLimits>,
    beat: Duration,
    sessions: SessionTable,
    /// Bounds the memory of all request bodies together.
    budget: Arc<BodyBudget>,
    /// Keys for requests without a session: the ids of two clients may be equal.
    next_key: AtomicU64,
    open_streams: OpenStreams,
    is_draining: AtomicBool,
}

/// The bounds of a message, which a reload may change.
#[derive(Debug, Clone, Copy)]
struct MessageLimits {
    frame: FrameLimits,
    /// The time for a body that hardly arrives.
    body_timeout: Duration,
}

impl MessageLimits {
    fn new(settings: &Settings) -> Self {
        Self {
            frame: settings.limits,
            body_timeout: settings.read_timeout,
        }
    }
}

/// A request to an endpoint.
struct McpRequest<'a> {
    endpoint: &'a dyn Endpoint,
    principal: Principal,
    path: &'a str,
    headers: &'a HeaderMap,
    limits: MessageLimits,
}

impl McpRequest<'_> {
    /// The servers for a request without a session.
    fn shared_client(&self) -> Result<ClientHandle, HttpRefusal> {
        let client = self.endpoint.open_shared(&self.principal);
        client.ok_or_else(HttpRefusal::too_many_clients)
    }

    /// The headers that go with the message: those that repeat parameters, and the language of the client.
    fn transport_headers(&self) -> Option<Arc<TransportHeaders>> {
        let is_repeated =
            |name: &HeaderName| name.as_str().starts_with("mcp-param-") || *name == METHOD;
        let mut headers = HeaderMap::new();
        for (name, value) in self.headers.iter().filter(|(name, _)| is_repeated(name)) {
            headers.append(name.clone(), value.clone());
        }
        // Read by the gateway and not sent upstream. '*' expresses no preference.
        let language = self.headers.get(ACCEPT_LANGUAGE);
        if let Some(value) = language.filter(|value| *value != "*") {
            headers.insert(ACCEPT_LANGUAGE, value.clone());
        }
        (!headers.is_empty()).then(|| Arc::new(TransportHeaders { headers }))
    }
}

impl McpService {
    /// A service without sessions.
    pub fn new(settings: &Settings) -> Self {
        Self {
            limits: RwLock::new(MessageLimits::new(settings)),
            beat: settings.beat(),
            sessions: SessionTable::new(settings),
            budget: BodyBudget::new(settings.limits.size.max(MAX_BODIES_BYTES)),
            next_key: AtomicU64::new(1),
            open_streams: OpenStreams::default(),
            is_draining: AtomicBool::new(false),
        }
    }

    /// Uses other limits from the next request on.
    ///
    /// # Panics
    /// Never: the lock is not held across a panic.
    pub fn apply(&self, settings: &Settings) {
        *self.limits.write().expect("the lock is never poisoned") = MessageLimits::new(settings);
        self.sessions.set_limits(settings);
    }

    /// The number of sessions.
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// Counts the open sessions; 0 once the service is gone, which this does not keep alive.
    pub fn session_gauge(self: &Arc<Self>) -> impl Fn() -> usize + Send + Sync + use<> {
        let service = Arc::downgrade(self);
        move || {
            service
                .upgrade()
                .map_or(0, |service| service.sessions.len())
        }
    }

    /// Removes unused sessions, for ever.
    pub async fn remove_unused_sessions(&self) {
        let mut beat = interval(self.beat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            beat.tick().await;
            self.sessions.sweep(Instant::now());
            self.sessions.beat();
        }
    }

    /// Refuses new requests, and ends the streams that have no end of their own.
    pub fn start_drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
        self.sessions.close_standalone_streams();
        self.open_streams.close();
    }

    /// Answers every open request of a session with a fault.
    pub fn give_up(&self, fault: &Fault) {
        self.sessions.give_up(fault);
    }

    /// Ends every session.
    pub fn clear(&self) {
        self.sessions.clear();
    }

    /// Serves one request at an endpoint.
    ///
    /// # Errors
    /// When the request is refused: no method was called.
    ///
    /// # Panics
    /// Never: the lock is not held across a panic.
    pub async fn call(
        &self,
        endpoint: &dyn Endpoint,
        principal: Principal,
        request: Request<Incoming>,
    ) -> Result<Response<ResponseBody>, HttpRefusal> {
        let (
            Parts {
                method,
                uri,
                headers,
                ..
            },
            body,
        ) = request.into_parts();
        let request = McpRequest {
            endpoint,
            principal,
            // A trailing slash makes no difference.
            path: uri.path().trim_end_matches('/'),
            headers: &headers,
            limits: *self.limits.read().expect("the lock is never poisoned"),
        };
        match method {
            Method::POST => self.post(request, body).await,
            Method::GET => self.get(&request),
            Method::DELETE => self.delete(&request),
            _ => Err(HttpRefusal::method(
                "GET, POST, DELETE",
                "Only POST, GET and DELETE mean something here",
                POST_REMEDY,
            )),
        }
    }

    async fn post(
        &self,
        request: McpRequest<'_>,
        body: Incoming,
    ) -> Result<Response<ResponseBody>, HttpRefusal> {
        if let Err(refusal) = check_post(request.headers) {
            // A refusal carries the id of the request, which is in the body.
            let is_json = refusal.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE;
            let bytes = if is_json {
                self.read(&request, body).await?
            } else {
                Vec::new()
            };
            return Err(refusal.id(FrameScan::of(&bytes).id().cloned()));
        }
        let bytes = self.read(&request, body).await?;
        if bytes.trim_ascii_start().starts_with(b"[") {
            return Err(HttpRefusal::batch());
        }
        let frame = Frame::parse(bytes, &request.limits.frame)
            .map_err(|error| HttpRefusal::message(*error))?;
        let id = (frame.kind() == Kind::Request)
            .then(|| frame.id().cloned())
            .flatten();
        // Responses and notifications are accepted: open requests may need them.
        if id.is_some() && self.is_draining() {
            return Err(HttpRefusal::draining().id(id));
        }
        let answered = match check_headers(&frame, request.headers) {
            Ok(MessageScope::Stateless) => self.without_session(&request, frame).await,
            Ok(MessageScope::Handshake) => self.handshake(&request, frame).await,
            Ok(MessageScope::Session) => self.in_session(&request, frame).await,
            Err(refusal) => Err(refusal),
        };
        answered.map_err(|refusal| refusal.id(id))
    }

    async fn read(&self, request: &McpRequest<'_>, body: Incoming) -> Result<Vec<u8>, HttpRefusal> {
        let MessageLimits {
            frame,
            body_timeout,
        } = request.limits;
        read_body(body, &frame, body_timeout, self.budget.share()).await
    }

    fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// A message of 2026-07-28.
    async fn without_session(
        &self,
        request: &McpRequest<'_>,
        frame: Frame,
    ) -> Result<Response<ResponseBody>, HttpRefusal> {
        match frame.kind() {
            Kind::Request => {}
            Kind::Notification => {
                // A request is cancelled by closing its connection. Its id may be that of another client, too.
                if frame.method() != method::CANCELLED {
                    request.shared_client()?.inbound().hear(frame, None);
                }
                return Ok(accepted());
            }
            Kind::Result | Kind::Error => {
                return Err(HttpRefusal::bad(
                    "Nothing was asked that this could answer",
                    "Send requests only; from 2026-07-28 on the server sends none to the client.",
                ));
            }
        }
        let client = request.shared_client()?;
        let key = Id::number(self.next_key.fetch_add(1, Ordering::Relaxed));
        let unread = self.sessions.unread_answer(&request.principal);
        let exchange = Exchange::new(None, request.transport_headers(), &unread);
        let cancels = Some((client.clone(), key.clone()));
        let reader = ExchangeReader::new(Arc::clone(&exchange), cancels);
        if frame.method() == method::SUBSCRIPTIONS_LISTEN
            && let Some(id) = frame.id()
        {
            self.open_streams.add(&exchange, id.clone());
        }
        client.inbound().ask(frame, exchange, Some(key));
        let last = match first_reply(reader, None).await {
            Ok(last) => last,
            Err(stream) => return Ok(stream),
        };
        // An error is JSON even if the client prefers a stream: only then it can have a status of its own.
        if last.code.is_none() && prefers_events(request.headers) {
            return Ok(single_event(&last, &unread));
        }
        json(last, false, &unread)
    }

    /// `initialize`, which opens a session.
    async fn handshake(
        &self,
        request: &McpRequest<'_>,
        frame: Frame,
    ) -> Result<Response<ResponseBody>, HttpRefusal> {
        let principal = request.principal.clone();
        let session = self
            .sessions
            .open(request.endpoint, request.path, principal)?;
        let guard = session.enter();
        let context = SessionContext {
            log: Arc::clone(&session.standalone.log),
            primes: false,
            opens: Some(Arc::downgrade(&session)),
        };
        let headers = request.transport_headers();
        let exchange = Exchange::new(Some(context), headers, &session.unread);
        let reader = ExchangeReader::new(Arc::clone(&exchange), None);
        let handshake = Handshake::new(&self.sessions, &session);
        session.inbound().ask(frame, exchange, None);
        let mut response = match first_reply(reader, Some(guard)).await {
            // The stream tells whether the handshake succeeds.
            Err(stream) => stream,
            Ok(last) if last.code.is_some() => return json(last, true, &session.unread),
            Ok(last) => json(last, true, &session.unread)?,
        };
        if session.is_closing() {
            return Ok(response);
        }
        handshake.succeed();
        let id = HeaderValue::from_str(&session.id).expect("hexadecimal digits are valid");
        response.headers_mut().insert(SESSION_ID, id);
        Ok(response)
    }

    /// A message in a session.
    async fn in_session(
        &self,
        request: &McpRequest<'_>,
        frame: Frame,
    ) -> Result<Response<ResponseBody>, HttpRefusal> {
        let session = self.session(request)?;
        let guard = session.enter();
        if frame.kind() != Kind::Request {
            session.inbound().hear(frame, None);
            return Ok(accepted());
        }
        let context = SessionContext {
            log: Arc::clone(&session.standalone.log),
            primes: session.primes(),
            opens: None,
        };
        let headers = request.transport_headers();
        let exchange = Exchange::new(Some(context), headers, &session.unread);
        if prefers_events(request.headers) {
            exchange.start_stream();
        }
        let reader = ExchangeReader::new(Arc::clone(&exchange), None);
        session.inbound().ask(frame, exchange, None);
        match first_reply(reader, Some(guard)).await {
            Ok(last) => json(last, true, &session.unread),
            Err(stream) => Ok(stream),
        }
    }

    /// The standalone stream of a session, or the rest of a stream whose connection broke.
    fn get(&self, request: &McpRequest<'_>) -> Result<Response<ResponseBody>, HttpRefusal> {
        refuse_without_sessions(request.headers)?;
        check_get(request.headers)?;
        let session = self.session(request)?;
        let last = single(request.headers, &LAST_EVENT_ID)?.map(EventId::parse);
        let guard = session.enter();
        let resumed_stream = last.flatten().map(|last| last.stream);
        // The standalone stream would never end.
        if self.is_draining() && resumed_stream.is_none_or(|stream| stream == STANDALONE) {
            return Err(HttpRefusal::draining());
        }
        let queue = match last {
            None => session.standalone.open(None, session.primes()),
            Some(Some(last)) if last.stream == STANDALONE => {
                session.standalone.open(Some(last), false)
            }
            Some(Some(last)) => resume(&session, last),
            // An unknown id gets an empty stream: a client would repeat the request after an error.
            Some(None) => {
                let (stream, number) = (u64::MAX, 0);
                resume(&session, EventId { stream, number })
            }
        };
        let on_close = move |taken_by: Option<Weak<ConnectionState>>| {
            // The standalone stream is never complete: it continues in the next one.
            let stream = resumed_stream.filter(|stream| *stream != STANDALONE);
            if let (Some(connection), Some(stream)) = (taken_by, stream) {
                let log = &guard.session().standalone.log;
                log.set_delivered(stream, connection);
            }
            drop(guard);
        };
        Ok(stream(EventStream::new(queue, on_close)))
    }

    fn delete(&self, request: &McpRequest<'_>) -> Result<Response<ResponseBody>, HttpRefusal> {
        refuse_without_sessions(request.headers)?;
        let session = self.session(request)?;
        // Open requests are cancelled; their responses end without an answer.
        session.inbound().withdraw_all();
        self.sessions.remove(&session);
        // 202, which clients take for a failure, would say that the session is still being ended.
        Ok(no_content())
    }

    fn session(&self, request: &McpRequest<'_>) -> Result<Arc<HttpSession>, HttpRefusal> {
        let id = single(request.headers, &SESSION_ID)?;
        self.sessions.find(id, request.path, &request.principal)
    }
}

/// Removes a session unless its handshake succeeds.
struct Handshake<'a>(&'a SessionTable, Option<Arc<HttpSession>>);

impl<'a> Handshake<'a> {
    fn new(sessions: &'a SessionTable, session: &Arc<HttpSession>) -> Self {
        Self(sessions, Some(Arc::clone(session)))
    }

    fn succeed(mut self) {
        self.1 = None;
    }
}

impl Drop for Handshake<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.1.take() {
            self.0.remove(&session);
        }
    }
}

/// The rest of a stream: the events missed, and those that are still to come.
fn resume(session: &HttpSession, last: EventId) -> Arc<EventQueue> {
    let log = &session.standalone.log;
    let live = log.live(last.stream);
    let live = live.and_then(|exchange| exchange.resume(last));
    live.unwrap_or_else(|| {
        let queue = EventQueue::of(&session.unread);
        for (_, event) in log.after(last) {
            queue.push(event);
        }
        queue.end();
        queue
    })
}

fn refuse_without_sessions(headers: &HeaderMap) -> Result<(), HttpRefusal> {
    if version(headers).is_some_and(Version::is_modern) {
        return Err(HttpRefusal::method(
            "POST",
            "From 2026-07-28 on there are no sessions, so there is nothing to GET or DELETE",
            POST_REMEDY,
        ));
    }
    Ok(())
}

const POST_REMEDY: &str = "Send each message as a POST of its own to this address.";
/// The memory of all request bodies together.
const MAX_BODIES_BYTES: usize = 512 << 20;
