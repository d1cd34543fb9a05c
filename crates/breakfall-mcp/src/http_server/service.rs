//! One request of HTTP, from its head to its response.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Once, RwLock, Weak};
use std::time::Duration;

use breakfall::Fault;
use breakfall::wire::Rpc;
use http::header::{
    ACCEPT_LANGUAGE, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use tokio::time::timeout;

use super::body::Body;
use super::budget::Budget;
use super::claim::{Claim, METHOD, claim};
use super::cors;
use super::events::{EventId, Events, QUIET, event};
use super::exchange::{Exchange, First, Home, Reader};
use super::gate::Gate;
use super::head::{
    EVENTS, LAST_EVENT_ID, PROTOCOL_VERSION, SESSION_ID, check_get, check_post, check_transfer,
    prefers_events, single,
};
use super::house::House;
use super::lasting::Lasting;
use super::log::LOOSE;
use super::pipe::Pipe;
use super::pulse::{Busy, Pulse};
use super::read::read;
use super::refused::{JSON, Refused};
use super::server::Settings;
use super::session::{Present, Session};
use super::sessions::Sessions;
use super::status::status;
use crate::access::{Door, Principal, Seat};
use crate::connection::{FinalReply, TransportHeaders};
use crate::jsonrpc::{Frame, FrameLimits, FrameScan, Id, Kind};
use crate::protocol::Version;

/// Answers requests.
#[derive(Debug)]
pub(super) struct Service {
    pub(super) house: Arc<dyn House>,
    pub(super) rules: RwLock<Arc<Rules>>,
    pub(super) sessions: Sessions,
    /// What all bodies together may take.
    pub(super) budget: Arc<Budget>,
    /// Names for requests of clients whose ids may be the same.
    pub(super) keys: AtomicU64,
    /// Streams that end when we do.
    pub(super) lasting: Lasting,
    /// Whether every connection is to end after what it is doing.
    pub(super) is_closing: AtomicBool,
    /// Somebody speaks in TLS to us, who do not.
    pub(super) is_misspoken: Once,
}

/// What may be changed while it runs.
#[derive(Debug)]
pub(super) struct Rules {
    gate: Gate,
    limits: FrameLimits,
    /// How long a body may take that hardly comes.
    patience: Duration,
}

impl Rules {
    pub(super) fn new(address: SocketAddr, settings: &Settings) -> Self {
        Self {
            gate: Gate::new(address, &settings.hosts, &settings.origins),
            limits: settings.limits,
            patience: settings.patience,
        }
    }
}

/// A request to an endpoint.
struct Call<'a> {
    rules: &'a Rules,
    door: &'a dyn Door,
    who: Principal,
    path: &'a str,
    headers: &'a HeaderMap,
}

impl Call<'_> {
    /// Where it goes if it stands for itself.
    fn common(&self) -> Result<Seat, Refused> {
        let seat = self.door.common(&self.who);
        seat.ok_or_else(|| Refused::overloaded("there are too many clients"))
    }

    /// What goes on beside it. `Mcp-Method` tells that its sender says in headers what belongs there.
    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        let is_extra =
            |name: &HeaderName| name.as_str().starts_with("mcp-param-") || *name == METHOD;
        let mut headers = HeaderMap::new();
        for (name, value) in self.headers.iter().filter(|(name, _)| is_extra(name)) {
            headers.append(name.clone(), value.clone());
        }
        // For ourselves; it goes no further. Many a client says that any language will do, which says nothing.
        if let Some(value) = self
            .headers
            .get(ACCEPT_LANGUAGE)
            .filter(|value| *value != "*")
        {
            headers.insert(ACCEPT_LANGUAGE, value.clone());
        }
        (!headers.is_empty()).then(|| Arc::new(TransportHeaders { headers }))
    }
}

impl Service {
    /// Answers, whatever came.
    pub(super) async fn answer(&self, request: Request<Incoming>, busy: Busy) -> Response<Body> {
        let version = version(request.headers());
        let rules = self.rules();
        let site = rules.gate.site(request.headers());
        let mut response = match self.handle(request, &rules).await {
            Ok(response) => response,
            Err(refusal) => {
                tracing::debug!(status = refusal.status().as_u16(), "a request is refused");
                refusal.response(version)
            }
        };
        if let Some(site) = site {
            cors::show(&mut response, site);
        }
        if self.is_closing() {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        response.map(|body| body.keeping(busy))
    }

    async fn handle(
        &self,
        request: Request<Incoming>,
        rules: &Rules,
    ) -> Result<Response<Body>, Refused> {
        let (head, body) = request.into_parts();
        let Parts {
            method,
            uri,
            headers,
            ..
        } = head;
        rules.gate.check(&uri, &headers)?;
        check_transfer(&headers)?;
        if cors::is_question(&method, &headers) && rules.gate.site(&headers).is_some() {
            return Ok(cors::permit(&headers));
        }
        let path = uri.path();
        if let Some(page) = self.house.page(&method, path, &headers) {
            return page;
        }
        // Who may not come in is not told either what there is.
        let who = self.house.who(path, &headers)?;
        let door = self.house.door(path).ok_or_else(|| nowhere(path))?;
        let call = Call {
            rules,
            door: &*door,
            who,
            // With a slash behind it is the same place.
            path: path.trim_end_matches('/'),
            headers: &headers,
        };
        match method {
            Method::POST => self.post(call, body).await,
            Method::GET => self.get(&call),
            Method::DELETE => self.delete(&call),
            _ => Err(Refused::method(
                ALLOWED,
                "Only POST, GET and DELETE mean something here",
            )),
        }
    }

    async fn post(&self, call: Call<'_>, body: Incoming) -> Result<Response<Body>, Refused> {
        let head = check_post(call.headers);
        if let Err(refusal) = head {
            let is_json = refusal.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE;
            let bytes = if is_json {
                self.read(&call, body).await?
            } else {
                Vec::new()
            };
            return Err(refusal.id(FrameScan::of(&bytes).id().cloned()));
        }
        let bytes = self.read(&call, body).await?;
        if bytes.trim_ascii_start().starts_with(b"[") {
            return Err(batch());
        }
        let frame = Frame::parse(bytes, &call.rules.limits).map_err(|no| Refused::message(*no))?;
        let id = (frame.kind() == Kind::Request)
            .then(|| frame.id().cloned())
            .flatten();
        // Answers and cancellations are for what is under way.
        if id.is_some() && self.is_closing() {
            return Err(Refused::ending().id(id));
        }
        let answered = match claim(&frame, call.headers) {
            Ok(Claim::Modern) => self.stand_alone(&call, frame).await,
            Ok(Claim::Opening) => self.open(&call, frame).await,
            Ok(Claim::Session) => self.go_on(&call, frame).await,
            Err(refusal) => Err(refusal),
        };
        answered.map_err(|refusal| refusal.id(id))
    }

    async fn read(&self, call: &Call<'_>, body: Incoming) -> Result<Vec<u8>, Refused> {
        let share = self.budget.share();
        read(body, &call.rules.limits, call.rules.patience, share).await
    }

    /// Somebody speaks in TLS where nothing is encrypted. What such a client shows its user is of no help, so it is said
    /// here, once.
    pub(super) fn is_misspoken(&self) {
        self.is_misspoken.call_once(|| {
            tracing::warn!(
                "a client speaks TLS here, and there is no certificate: its URL has to begin with http://, or a configuration needs 'tls'"
            );
        });
    }

    fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    fn rules(&self) -> Arc<Rules> {
        let rules = self.rules.read();
        Arc::clone(&rules.expect("nobody panics while holding this lock"))
    }

    /// A message of the modern era.
    async fn stand_alone(&self, call: &Call<'_>, frame: Frame) -> Result<Response<Body>, Refused> {
        match frame.kind() {
            Kind::Request => {}
            Kind::Notification => {
                // A request is taken back by leaving it, and its id may be somebody else's, too.
                if frame.method() != "notifications/cancelled" {
                    call.common()?.ear().hear(frame, None);
                }
                return Ok(accepted());
            }
            Kind::Result | Kind::Error => {
                return Err(Refused::bad(
                    "Nothing was asked that this could answer",
                    "Send requests; from 2026-07-28 on nobody asks a client anything.",
                ));
            }
        }
        let seat = call.common()?;
        let key = Id::number(self.keys.fetch_add(1, Ordering::Relaxed));
        let exchange = Exchange::new(None, call.extra());
        let reader = Reader::new(Arc::clone(&exchange), Some((seat.clone(), key.clone())));
        if frame.method() == "subscriptions/listen"
            && let Some(id) = frame.id()
        {
            self.lasting.add(&exchange, id.clone());
        }
        seat.ear().ask(frame, exchange, Some(key));
        let response = respond(reader, None).await;
        // Only now, because a refusal has a status of its own, which nobody can give a stream that has begun.
        let is_streamed = |last: &FinalReply| last.code.is_none() && prefers_events(call.headers);
        Ok(response.map_or_else(Response::from, |last| {
            if is_streamed(&last) {
                stream_of_one(&last)
            } else {
                answer(last, true)
            }
        }))
    }

    /// The handshake.
    async fn open(&self, call: &Call<'_>, frame: Frame) -> Result<Response<Body>, Refused> {
        let session = self.sessions.open(call.door, call.path, call.who.clone())?;
        let present = session.enter();
        let home = Home {
            log: Arc::clone(&session.loose.log),
            primes: false,
            opens: Some(Arc::downgrade(&session)),
        };
        let exchange = Exchange::new(Some(home), call.extra());
        let reader = Reader::new(Arc::clone(&exchange), None);
        let opening = Opening::new(self, &session);
        session.ear().ask(frame, exchange, None);
        let mut response = match respond(reader, Some(present)).await {
            // Whether it comes to a session is said in there.
            Err(stream) => stream,
            Ok(last) if last.code.is_some() => return Ok(answer(last, false)),
            Ok(last) => answer(last, false),
        };
        if session.is_dismissed() {
            return Ok(response);
        }
        opening.done();
        let id = HeaderValue::from_str(&session.id).expect("digits are visible");
        response.headers_mut().insert(SESSION_ID, id);
        Ok(response)
    }

    /// A message in a session.
    async fn go_on(&self, call: &Call<'_>, frame: Frame) -> Result<Response<Body>, Refused> {
        let session = self.session(call)?;
        let present = session.enter();
        if frame.kind() != Kind::Request {
            session.ear().hear(frame, None);
            return Ok(accepted());
        }
        let home = Home {
            log: Arc::clone(&session.loose.log),
            primes: session.primes(),
            opens: None,
        };
        let exchange = Exchange::new(Some(home), call.extra());
        if prefers_events(call.headers) {
            exchange.begin();
        }
        let reader = Reader::new(Arc::clone(&exchange), None);
        session.ear().ask(frame, exchange, None);
        let response = respond(reader, Some(present)).await;
        Ok(response.map_or_else(Response::from, |last| answer(last, false)))
    }

    /// A stream of what belongs to no request, or the rest of one that was cut off.
    fn get(&self, call: &Call<'_>) -> Result<Response<Body>, Refused> {
        modern_has_none(call.headers)?;
        check_get(call.headers)?;
        let session = self.session(call)?;
        let last = single(call.headers, &LAST_EVENT_ID)?;
        let present = session.enter();
        let last = last.map(EventId::parse);
        let resumed_stream = last.flatten().map(|last| last.stream);
        // One that would go on for ever.
        if self.is_closing() && resumed_stream.is_none_or(|stream| stream == LOOSE) {
            return Err(Refused::ending());
        }
        let pipe = match last {
            None => session.loose.listen(None, session.primes()),
            Some(Some(last)) if last.stream == LOOSE => session.loose.listen(Some(last), false),
            Some(Some(last)) => resumed(&session, last),
            // An error would make a client try the same again.
            Some(None) => resumed(
                &session,
                EventId {
                    stream: u64::MAX,
                    number: 0,
                },
            ),
        };
        let left = move |has_all: Option<Weak<Pulse>>| {
            // The stream of what belongs to no request ends for many reasons, and goes on in another.
            if let (Some(connection), Some(last)) =
                (has_all, resumed_stream.filter(|at| *at != LOOSE))
            {
                present.session().loose.log.taken(last, connection);
            }
            drop(present);
        };
        Ok(stream(Events::new(pipe, left)))
    }

    fn delete(&self, call: &Call<'_>) -> Result<Response<Body>, Refused> {
        modern_has_none(call.headers)?;
        let session = self.session(call)?;
        // Their responses end without an answer: nobody is there for it.
        session.ear().withdraw_all();
        self.sessions.end(&session);
        Ok(accepted())
    }

    fn session(&self, call: &Call<'_>) -> Result<Arc<Session>, Refused> {
        let id = single(call.headers, &SESSION_ID)?;
        self.sessions.find(id, call.path, &call.who)
    }
}

/// A session that is over unless its handshake succeeds.
struct Opening<'a>(&'a Service, Option<Arc<Session>>);

impl<'a> Opening<'a> {
    fn new(service: &'a Service, session: &Arc<Session>) -> Self {
        Self(service, Some(Arc::clone(session)))
    }

    fn done(mut self) {
        self.1 = None;
    }
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.1.take() {
            self.0.sessions.end(&session);
        }
    }
}

/// Waits for what a response begins with: the answer, or else a stream, which is the response already.
async fn respond(reader: Reader, present: Option<Present>) -> Result<FinalReply, Response<Body>> {
    let first = if let Ok(first) = timeout(QUIET, reader.first()).await {
        first
    } else {
        reader.exchange().begin();
        reader.first().await
    };
    match first {
        First::Answer(last) => Ok(last),
        First::Stream(pipe) => {
            let left = move |has_all: Option<Weak<Pulse>>| {
                if let Some(connection) = has_all {
                    reader.taken(connection);
                }
                drop((reader, present));
            };
            Err(stream(Events::new(pipe, left)))
        }
        First::Nothing => {
            let pipe = Arc::<Pipe>::default();
            pipe.end();
            Err(stream(Events::new(pipe, |_| {})))
        }
    }
}

/// The rest of a stream, and what is still to come of it.
fn resumed(session: &Session, last: EventId) -> Arc<Pipe> {
    let log = &session.loose.log;
    let live = log
        .live(last.stream)
        .and_then(|exchange| exchange.resume(last));
    live.unwrap_or_else(|| {
        let pipe = Arc::<Pipe>::default();
        for (_, event) in log.after(last) {
            pipe.put(event);
        }
        pipe.end();
        pipe
    })
}

/// An answer as JSON.
fn answer(last: FinalReply, is_modern: bool) -> Response<Body> {
    let mut response = Response::new(Body::message(last.message));
    *response.status_mut() = status(last.code, is_modern);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
    if let Some(challenge) = last.challenge {
        if let Some(authenticate) = challenge.authenticate {
            headers.insert(WWW_AUTHENTICATE, authenticate);
        }
        *response.status_mut() = challenge.status;
    }
    if let Some(seconds) = last
        .retry_after
        .filter(|_| response.status() != StatusCode::OK)
    {
        let seconds = HeaderValue::from(seconds);
        response.headers_mut().insert(RETRY_AFTER, seconds);
    }
    response
}

/// An answer as a stream, for who prefers one.
fn stream_of_one(last: &FinalReply) -> Response<Body> {
    let pipe = Arc::<Pipe>::default();
    pipe.put(event(None, &last.message));
    pipe.end();
    stream(Events::new(pipe, |_| {}))
}

fn stream(events: Events) -> Response<Body> {
    let mut response = Response::new(Body::events(events));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(EVENTS));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(UNBUFFERED, HeaderValue::from_static("no"));
    response
}

fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// The version a request names, as far as it matters for how a refusal is written.
fn version(headers: &HeaderMap) -> Option<Version> {
    headers
        .get(PROTOCOL_VERSION)?
        .to_str()
        .ok()
        .and_then(Version::of)
}

fn modern_has_none(headers: &HeaderMap) -> Result<(), Refused> {
    if version(headers).is_some_and(Version::is_modern) {
        return Err(Refused::method(
            "POST",
            "From 2026-07-28 on there are no sessions, so there is nothing to GET or DELETE",
        ));
    }
    Ok(())
}

fn batch() -> Refused {
    Refused::bad(
        "Several messages in one body are not taken",
        "Send them one by one, each as a POST of its own; none of their methods was called.",
    )
}

fn nowhere(path: &str) -> Refused {
    let is_old = ["/sse", "/message", "/messages"]
        .iter()
        .any(|end| path.trim_end_matches('/').ends_with(end));
    let (what, remedy) = if is_old {
        (
            "The transport HTTP+SSE of 2024-11-05 is not offered",
            "Use Streamable HTTP: POST each message to '/mcp', or to '/mcp/NAME' for one server.",
        )
    } else {
        (
            "There is nothing at this path",
            "POST messages to '/mcp', or to '/mcp/NAME' for one server by its name in the configuration.",
        )
    };
    let fault = Fault::not_found("path", super::refused::cut(path))
        .message(what)
        .remediation(remedy);
    Refused::new(StatusCode::NOT_FOUND, Rpc::InvalidRequest, fault)
}

const ALLOWED: &str = "GET, POST, DELETE";
const UNBUFFERED: HeaderName = HeaderName::from_static("x-accel-buffering");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::AuthChallenge;

    #[test]
    fn a_status_that_says_no_says_when_to_come_back() {
        let last = |challenge| FinalReply {
            message: b"{}".to_vec().into(),
            code: Some(-32603),
            challenge,
            retry_after: Some(7),
        };
        let refusal = AuthChallenge {
            status: StatusCode::FORBIDDEN,
            authenticate: None,
        };
        let response = answer(last(Some(refusal)), true);
        assert_eq!(response.headers()[RETRY_AFTER], "7");
        let response = answer(last(None), true);
        assert_eq!(response.status(), StatusCode::OK);
        assert!(!response.headers().contains_key(RETRY_AFTER));
    }
}
