//! Connections to one server: made in time, kept open between requests, HTTP/1.1 or what the server offers.
//!
//! A connection of HTTP/1.1 is driven by whoever waits for its answer, not by a task of its own: a request is then one
//! task from beginning to end, and nobody has to be woken to pass an answer on to somebody else.

use std::error::Error;
use std::future::poll_fn;
use std::path::Path;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use http::header::HOST;
use http::uri::PathAndQuery;
use http::{HeaderValue, Request, Response, Uri};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::client::conn::{http1, http2};
use hyper_util::client::legacy::connect::Connection as _;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::{Instant, sleep};
use tower_service::Service as _;

use super::Unusable;
use super::connect::{Connector, Stream};
use super::load::Outgoing;

/// The connections to one server.
#[derive(Debug)]
pub(super) struct Client {
    connector: Connector,
    idle: Arc<Idle>,
    /// What connections have turned out to be, so far as it is known.
    shared: tokio::sync::Mutex<Shared>,
    is_secure: bool,
}

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// There is no connection.
    Connect(Box<dyn Error + Send + Sync>),
    /// There was one.
    Send(hyper::Error),
}

/// How connections are shared.
#[derive(Debug)]
enum Shared {
    /// Nobody knows yet.
    Unknown,
    /// They are not: one request at a time.
    Not,
    /// All requests go over one.
    One(http2::SendRequest<Outgoing>),
}

impl Client {
    pub(super) fn new(is_secure: bool, ca: Option<&Path>) -> Result<Self, Unusable> {
        Ok(Self {
            connector: Connector::new(super::trust::tls(is_secure, ca)?),
            idle: Arc::default(),
            shared: tokio::sync::Mutex::new(Shared::Unknown),
            is_secure,
        })
    }

    /// Sends a request. What comes back is the head of the answer; the body is still to come.
    pub(super) async fn send(
        &self,
        mut request: Request<Outgoing>,
    ) -> Result<Response<Coming>, Failure> {
        while let Some(line) = self.idle.take() {
            match line.send(request, &self.idle).await {
                Ok(response) => return Ok(response),
                // It was closed a moment ago, and the request has not left.
                Err((error, None)) => return Err(Failure::Send(error)),
                Err((_, Some(unsent))) => request = *unsent,
            }
        }
        if !self.is_secure {
            let stream = self.connect(request.uri()).await?;
            return self.send_alone(stream, request).await;
        }
        self.send_shared(request).await
    }

    /// Sends over TLS, where a connection may turn out to be one for all.
    async fn send_shared(
        &self,
        mut request: Request<Outgoing>,
    ) -> Result<Response<Coming>, Failure> {
        loop {
            let shared = self.shared.lock().await;
            let sender = match &*shared {
                Shared::One(sender) if !sender.is_closed() => sender.clone(),
                Shared::One(_) | Shared::Unknown | Shared::Not => {
                    return self.send_first(shared, request).await;
                }
            };
            drop(shared);
            match over(sender, request).await {
                // It was closed a moment ago, and the request has not left.
                Err((_, Some(unsent))) => request = *unsent,
                Err((error, None)) => return Err(Failure::Send(error)),
                Ok(response) => return Ok(response),
            }
        }
    }

    /// Sends over a new connection, which others may use from then on.
    async fn send_first(
        &self,
        mut shared: tokio::sync::MutexGuard<'_, Shared>,
        request: Request<Outgoing>,
    ) -> Result<Response<Coming>, Failure> {
        if matches!(*shared, Shared::Not) {
            drop(shared);
            let stream = self.connect(request.uri()).await?;
            return self.send_alone(stream, request).await;
        }
        // Others wait: they may not need a connection of their own.
        let stream = self.connect(request.uri()).await?;
        if !stream.connected().is_negotiated_h2() {
            *shared = Shared::Not;
            drop(shared);
            return self.send_alone(stream, request).await;
        }
        let (sender, connection) = http2::Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .adaptive_window(true)
            .keep_alive_interval(ALIVE)
            .handshake(stream)
            .await
            .map_err(Failure::Send)?;
        drop(tokio::spawn(connection));
        *shared = Shared::One(sender.clone());
        drop(shared);
        let sent = over(sender, request).await;
        sent.map_err(|(error, _)| Failure::Send(error))
    }

    async fn connect(&self, uri: &Uri) -> Result<Stream, Failure> {
        let mut connector = self.connector.clone();
        let connecting = connector.call(uri.clone());
        connecting.await.map_err(Failure::Connect)
    }

    /// Sends over a connection nobody else uses.
    async fn send_alone(
        &self,
        stream: Stream,
        request: Request<Outgoing>,
    ) -> Result<Response<Coming>, Failure> {
        let mut http = http1::Builder::new();
        let made = http.max_buf_size(BUFFER).handshake(stream).await;
        let (sender, connection) = made.map_err(Failure::Send)?;
        let host = request.uri().authority();
        let line = Box::new(Line {
            host: host.and_then(|host| HeaderValue::from_str(host.as_str()).ok()),
            sender,
            connection,
            is_over: false,
        });
        let sent = line.send(request, &self.idle).await;
        sent.map_err(|(error, _)| Failure::Send(error))
    }
}

/// Sends over a connection for all.
async fn over(
    mut sender: http2::SendRequest<Outgoing>,
    request: Request<Outgoing>,
) -> Result<Response<Coming>, Unanswered> {
    if let Err(error) = sender.ready().await {
        return Err((error, Some(Box::new(request))));
    }
    match sender.try_send_request(request).await {
        Ok(response) => Ok(response.map(|body| Coming { body, line: None })),
        Err(mut error) => {
            let unsent = error.take_message().map(Box::new);
            Err((error.into_error(), unsent))
        }
    }
}

/// A connection of HTTP/1.1.
struct Line {
    /// Whom it leads to.
    host: Option<HeaderValue>,
    sender: http1::SendRequest<Outgoing>,
    connection: http1::Connection<Stream, Outgoing>,
    is_over: bool,
}

/// A request that was not answered, and the request itself if none of it has left.
type Unanswered = (hyper::Error, Option<Box<Request<Outgoing>>>);

impl Line {
    async fn send(
        mut self: Box<Self>,
        request: Request<Outgoing>,
        home: &Arc<Idle>,
    ) -> Result<Response<Coming>, Unanswered> {
        let (request, uri) = addressed(request, self.host.as_ref());
        let mut answer = pin!(self.sender.try_send_request(request));
        let (connection, is_over) = (&mut self.connection, &mut self.is_over);
        let answer = poll_fn(|context| {
            drive(connection, is_over, context);
            answer.as_mut().poll(context)
        });
        let answer = answer.await;
        match answer {
            Ok(response) => {
                let home = Arc::downgrade(home);
                let mut response = response.map(|body| Coming {
                    body,
                    line: Some((self, home)),
                });
                response.body_mut().go_home_early();
                Ok(response)
            }
            Err(mut error) => {
                let unsent = error.take_message().map(|mut request| {
                    *request.uri_mut() = uri;
                    Box::new(request)
                });
                Err((error.into_error(), unsent))
            }
        }
    }

    /// Whether another request can go over it.
    fn is_ready(&mut self, context: &mut Context<'_>) -> bool {
        drive(&mut self.connection, &mut self.is_over, context);
        !self.is_over && self.sender.is_ready()
    }
}

fn drive(
    connection: &mut http1::Connection<Stream, Outgoing>,
    is_over: &mut bool,
    context: &mut Context<'_>,
) {
    // What went wrong is told to whoever waits.
    if !*is_over && Pin::new(connection).poll(context).is_ready() {
        *is_over = true;
    }
}

/// In the form requests have in HTTP/1.1, and the address it had before.
fn addressed(
    mut request: Request<Outgoing>,
    host: Option<&HeaderValue>,
) -> (Request<Outgoing>, Uri) {
    let path = request.uri().path_and_query().cloned();
    let path = Uri::from(path.unwrap_or_else(|| PathAndQuery::from_static("/")));
    let uri = std::mem::replace(request.uri_mut(), path);
    if !request.headers().contains_key(HOST)
        && let Some(host) = host
    {
        request.headers_mut().insert(HOST, host.clone());
    }
    (request, uri)
}

/// The body of an answer. Whoever reads it to its end gives its connection back; whoever drops it before closes it.
pub(super) struct Coming {
    body: Incoming,
    /// What it comes over, if that has to be driven.
    line: Option<(Box<Line>, Weak<Idle>)>,
}

impl Coming {
    /// The next piece.
    pub(super) async fn next(&mut self) -> Option<Result<Bytes, hyper::Error>> {
        loop {
            let frame = poll_fn(|context| self.poll(context)).await?;
            match frame.map(hyper::body::Frame::into_data) {
                Ok(Ok(piece)) => return Some(Ok(piece)),
                // Trailers say nothing to us.
                Ok(Err(_)) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Its length, if that was told.
    pub(super) fn length(&self) -> Option<u64> {
        self.body.size_hint().exact()
    }

    /// Whether there is nothing to come.
    pub(super) fn is_empty(&self) -> bool {
        self.body.is_end_stream()
    }

    fn poll(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, hyper::Error>>> {
        if let Some((line, _)) = &mut self.line {
            drive(&mut line.connection, &mut line.is_over, context);
        }
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(None) = frame {
            self.go_home(context);
        }
        frame
    }

    /// An answer without a body is at its end already.
    fn go_home_early(&mut self) {
        if self.is_empty() {
            self.go_home(&mut Context::from_waker(Waker::noop()));
        }
    }

    fn go_home(&mut self, context: &mut Context<'_>) {
        let Some((mut line, home)) = self.line.take() else {
            return;
        };
        if line.is_ready(context)
            && let Some(home) = home.upgrade()
        {
            home.keep(line);
        }
    }
}

/// Connections nobody uses, the last one used on top.
#[derive(Default)]
struct Idle(Mutex<Lines>);

#[derive(Default)]
struct Lines {
    idle: Vec<(Box<Line>, Instant)>,
    /// Somebody closes what is not used for too long.
    is_swept: bool,
}

impl Idle {
    /// One that is open still, as far as anybody knows.
    fn take(&self) -> Option<Box<Line>> {
        loop {
            let (mut line, since) = self.lock().idle.pop()?;
            let is_fresh = since.elapsed() < IDLE;
            if is_fresh && line.is_ready(&mut Context::from_waker(Waker::noop())) {
                return Some(line);
            }
        }
    }

    fn keep(self: Arc<Self>, line: Box<Line>) {
        let mut lines = self.lock();
        lines.idle.push((line, Instant::now()));
        if !std::mem::replace(&mut lines.is_swept, true) {
            drop(lines);
            drop(tokio::spawn(sweep(Arc::downgrade(&self))));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// Closes what nobody has used for too long, as long as there is anything.
async fn sweep(idle: Weak<Idle>) {
    loop {
        sleep(IDLE).await;
        let Some(idle) = idle.upgrade() else { return };
        let mut lines = idle.lock();
        let is_old = |(_, since): &mut (Box<Line>, Instant)| since.elapsed() >= IDLE;
        let old: Vec<_> = lines.idle.extract_if(.., is_old).collect();
        lines.is_swept = !lines.idle.is_empty();
        let goes_on = lines.is_swept;
        drop(lines);
        // Outside the lock: closing takes a system call each.
        drop(old);
        if !goes_on {
            return;
        }
    }
}

impl std::fmt::Debug for Idle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Idle")
            .field(&self.lock().idle.len())
            .finish()
    }
}

/// How much is read at a time. A connection keeps it as long as it is open, also when nobody uses it.
const BUFFER: usize = 64 << 10;
/// How long a connection is kept that nobody uses: less than most servers keep it, so that they do not close it just
/// when the next request is on its way.
const IDLE: Duration = Duration::from_secs(4);
/// How often to see whether somebody is there still.
const ALIVE: Duration = Duration::from_secs(30);
