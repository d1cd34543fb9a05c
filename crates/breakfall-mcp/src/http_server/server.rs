//! Listening: connections come in, are served and are ended.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Once, RwLock};
use std::time::Duration;

use breakfall::Fault;
use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;

use super::begun::{Begun, PREFACE, is_http2};
use super::budget::Budget;
use super::connections::Connections;
use super::house::House;
use super::lasting::Lasting;
use super::pulse::{Felt, HEAD, Pulse};
use super::refused::Refused;
use super::service::{Rules, Service};
use super::sessions::Sessions;
use super::tls::{HTTP2, Tls};
use crate::jsonrpc::FrameLimits;
use crate::steadily::Steadily;

/// How clients are let in.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Names clients may use beside those of this machine: `name` or `name:port`.
    pub hosts: Vec<String>,
    /// Sites whose pages may call, as browsers write them.
    pub origins: Vec<String>,
    /// How many sessions there may be, and for how long without a request.
    pub sessions: SessionLimits,
    /// How big and how deep messages may be.
    pub limits: FrameLimits,
    /// How many connections there may be.
    pub connections: usize,
    /// What the gateway proves its name with; nothing is encrypted without it.
    pub tls: Option<Arc<Tls>>,
    /// How long the head of a request may take to arrive, and a body that hardly comes.
    pub patience: Duration,
    /// How long a connection is kept that has nothing to do.
    pub keep: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            hosts: Vec::new(),
            origins: Vec::new(),
            sessions: SessionLimits::default(),
            limits: FrameLimits::REQUEST,
            connections: CONNECTIONS,
            tls: None,
            patience: PATIENCE,
            keep: KEEP,
        }
    }
}

/// A server of Streamable HTTP that listens already.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    service: Arc<Service>,
    connections: Arc<Connections>,
    tls: Arc<RwLock<Option<Arc<Tls>>>>,
    patience: Duration,
    beat: Duration,
}

impl Server {
    /// Begins to listen. Whoever connects waits until [`Self::run`].
    ///
    /// # Errors
    /// When that is not possible there.
    pub fn bind(
        address: SocketAddr,
        settings: &Settings,
        house: Arc<dyn House>,
    ) -> Result<Self, Unbound> {
        let unbound = |source| Unbound { address, source };
        let listener = listen(address).map_err(unbound)?;
        let address = listener.local_addr().map_err(unbound)?;
        let service = Service {
            house,
            rules: RwLock::new(Arc::new(Rules::new(address, settings))),
            sessions: Sessions::new(settings.sessions),
            budget: Budget::new(settings.limits.size.max(BODIES)),
            keys: AtomicU64::new(1),
            lasting: Lasting::default(),
            is_closing: AtomicBool::new(false),
            is_misspoken: Once::new(),
        };
        // So often that nobody is tolerated much longer than is said.
        let beat = (settings.patience / HEAD).clamp(STEP, BEAT);
        let keep = settings.keep.as_nanos() / beat.as_nanos();
        Ok(Self {
            listener,
            address,
            service: Arc::new(service),
            connections: Connections::new(
                settings.connections,
                u32::try_from(keep).unwrap_or(u32::MAX),
            ),
            tls: Arc::new(RwLock::new(settings.tls.clone())),
            patience: settings.patience,
            beat,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle to ask and to change it by while it runs.
    pub fn handle(&self) -> Handle {
        Handle {
            address: self.address,
            service: Arc::clone(&self.service),
            connections: Arc::clone(&self.connections),
            tls: Arc::clone(&self.tls),
        }
    }

    /// Serves until told to stop; then what is under way may take as long as `drain` to end.
    pub async fn run(self, stop: impl Future<Output = ()>, drain: Duration) {
        let stop = async {
            stop.await;
            drain
        };
        self.run_until(stop, std::future::pending()).await;
    }

    /// Serves until told to stop, and how long what is under way may take to end, or to hurry.
    pub async fn run_until(
        self,
        stop: impl Future<Output = Duration>,
        hurry: impl Future<Output = ()>,
    ) {
        let tended = async { tokio::join!(self.accept(), self.look_after()) };
        let mut tended = pin!(tended);
        let drain = tokio::select! {
            drain = stop => drain,
            _ = &mut tended => Duration::ZERO,
        };
        // People still come in, to hear how we are, and to answer what they are asked by what is under way.
        tokio::select! {
            () = self.end(drain, hurry) => {}
            _ = &mut tended => {}
        }
        self.connections.clear();
        self.service.sessions.clear();
        self.connections.gone().await;
    }

    /// Waits until nothing is under way, for as long as there is time, and tells those who wait when there is none.
    async fn end(&self, drain: Duration, hurry: impl Future<Output = ()>) {
        let (service, connections) = (&self.service, &self.connections);
        service.is_closing.store(true, Ordering::Relaxed);
        service.sessions.hush();
        service.lasting.end();
        connections.sweep(0);
        let until = Instant::now() + drain;
        let is_drained = tokio::select! {
            drained = timeout_at(until, drained(connections)) => drained.is_ok(),
            () = hurry => false,
        };
        if is_drained {
            return;
        }
        // What is not done by then is told so, and has a moment to hear it.
        service.house.give_up();
        if timeout(LAST_WORDS, drained(connections)).await.is_err() {
            // So is what waits for something else than a server.
            let fault = ended();
            service.sessions.give_up(&fault);
            service.house.tell_the_rest(&fault);
            let _ = timeout(LAST_WORDS, drained(connections)).await;
        }
    }

    async fn accept(&self) {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    prepare(&stream);
                    let service = Arc::clone(&self.service);
                    match self.tls() {
                        None => self.connections.take(|pulse| serve(stream, service, pulse)),
                        Some(tls) => {
                            let patience = self.patience;
                            let serve = |pulse| serve_tls(stream, tls, patience, service, pulse);
                            self.connections.take(serve);
                        }
                    }
                }
                Err(error) if is_passing(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "no connection can be taken in");
                    self.connections.sweep(1);
                    sleep(BREATH).await;
                }
            }
        }
    }

    /// How connections that come in now are encrypted.
    fn tls(&self) -> Option<Arc<Tls>> {
        let tls = self.tls.read();
        tls.expect("nobody panics while holding this lock").clone()
    }

    async fn look_after(&self) {
        let mut beat = interval(self.beat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for beats in 1_u64.. {
            beat.tick().await;
            self.connections.beat();
            self.service.sessions.sweep(Instant::now());
            self.service.sessions.beat();
            if let (0, Some(tls)) = (beats % RENEW, self.tls()) {
                drop(spawn_blocking(move || renew(&tls)));
            }
        }
    }
}

/// Waits until nothing is under way.
async fn drained(connections: &Connections) {
    while connections.are_busy() {
        sleep(STEP).await;
    }
}

/// What those hear who still wait when there is no time any more.
fn ended() -> Fault {
    Fault::unavailable("gateway")
        .detail("executed", "unknown")
        .message("The gateway has ended before there was an answer")
        .remediation("Find out whether the call has taken effect before you make it again.")
}

/// A server while it runs.
#[derive(Debug, Clone)]
pub struct Handle {
    address: SocketAddr,
    service: Arc<Service>,
    connections: Arc<Connections>,
    tls: Arc<RwLock<Option<Arc<Tls>>>>,
}

impl Handle {
    /// Goes by other settings from the next request on; the times of connections and their number stay.
    ///
    /// # Panics
    /// Never: nobody panics while holding the lock.
    pub fn apply(&self, settings: &Settings) {
        let rules = Arc::new(Rules::new(self.address, settings));
        *self
            .service
            .rules
            .write()
            .expect("nobody panics while holding this lock") = rules;
        self.service.sessions.limit(settings.sessions);
        self.tls
            .write()
            .expect("nobody panics while holding this lock")
            .clone_from(&settings.tls);
    }

    /// How many sessions there are.
    pub fn sessions(&self) -> usize {
        self.service.sessions.len()
    }

    /// How many connections there are.
    pub fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Counts the open sessions; 0 once the server is gone, which this does not keep alive.
    pub fn session_gauge(&self) -> impl Fn() -> usize + Send + Sync + use<> {
        let service = Arc::downgrade(&self.service);
        move || {
            service
                .upgrade()
                .map_or(0, |service| service.sessions.len())
        }
    }

    /// Counts the open connections; 0 once the server is gone, which this does not keep alive.
    pub fn connection_gauge(&self) -> impl Fn() -> usize + Send + Sync + use<> {
        let connections = Arc::downgrade(&self.connections);
        move || {
            connections
                .upgrade()
                .map_or(0, |connections| connections.len())
        }
    }
}

/// It is not possible to listen at an address.
#[derive(Debug)]
pub struct Unbound {
    address: SocketAddr,
    source: io::Error,
}

impl Unbound {
    /// What to do about it.
    pub fn fix(&self) -> &'static str {
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "nobody knows what to do about the others"
        )]
        match self.source.kind() {
            io::ErrorKind::AddrInUse => {
                "end it, or listen elsewhere: --listen 127.0.0.1:0 takes any free port"
            }
            io::ErrorKind::PermissionDenied => {
                "ports below 1024 are for the administrator; take a higher one"
            }
            _ => "listen at an address of this machine; it always has 127.0.0.1",
        }
    }
}

impl fmt::Display for Unbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { address, source } = self;
        write!(f, "cannot listen at {address}: ")?;
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "the system has a word for every other"
        )]
        match source.kind() {
            io::ErrorKind::AddrInUse => f.write_str("another program does"),
            io::ErrorKind::AddrNotAvailable => {
                f.write_str("this machine does not have that address")
            }
            io::ErrorKind::PermissionDenied => f.write_str("we may not"),
            _ => write!(f, "{source}"),
        }
    }
}

impl std::error::Error for Unbound {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A gateway that was ended a moment ago is no other program.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Makes a connection quick, and has it end when word that something arrived does not come back. Without that it is
/// only slower, and ends later.
fn prepare(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, UNHEARD);
}

/// Somebody has gone again before they came in.
fn is_passing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    )
}

async fn serve(mut stream: TcpStream, service: Arc<Service>, pulse: Arc<Pulse>) {
    // A connection on which nothing has come yet costs next to nothing.
    let mut start = [0; PREFACE.len()];
    let Ok(length) = stream.peek(&mut start).await else {
        return;
    };
    if start[..length].starts_with(&HANDSHAKE) {
        service.is_misspoken();
        let what = "This address is not spoken to in TLS";
        let body = misspoken(what, "Use the same URL with 'http://'.");
        // Whoever does not hear it would not have heard anything else either.
        let _ = stream.write_all(&body).await;
        return;
    }
    if let Some(is_http2) = is_http2(&start[..length]).or((length == 0).then_some(false)) {
        return Steadily::new(Box::pin(converse(stream, is_http2, service, pulse))).await;
    }
    // Who says no more than that is as slow as any other.
    pulse.heard();
    if let Ok(Some((stream, is_http2))) = Begun::read(stream).await {
        if is_http2 {
            pulse.opened();
        }
        Steadily::new(Box::pin(converse(stream, is_http2, service, pulse))).await;
    }
}

/// The same, encrypted.
async fn serve_tls(
    mut stream: TcpStream,
    tls: Arc<Tls>,
    patience: Duration,
    service: Arc<Service>,
    pulse: Arc<Pulse>,
) {
    let mut first = [0];
    match stream.peek(&mut first).await {
        Ok(1) if first == HANDSHAKE => {}
        Ok(1) => {
            // Whoever does not hear it would not have heard anything else either.
            let what = "This address is spoken to in TLS only";
            let body = misspoken(what, "Use the same URL with 'https://'.");
            let _ = stream.write_all(&body).await;
            return;
        }
        Ok(_) | Err(_) => return,
    }
    let accepted = TlsAcceptor::from(tls.config()).accept(stream);
    let stream = match timeout(patience, accepted).await {
        Ok(Ok(stream)) => stream,
        Ok(Err(error)) => return tracing::debug!(%error, "a client does not encrypt as we do"),
        Err(_) => return,
    };
    let is_http2 = stream.get_ref().1.alpn_protocol() == Some(HTTP2);
    Steadily::new(Box::pin(converse(stream, is_http2, service, pulse))).await;
}

/// What somebody hears who speaks plainly where everything is encrypted, or the other way round.
fn misspoken(what: &str, remedy: &'static str) -> Vec<u8> {
    let body = Refused::bad(what, remedy).message_bytes(None);
    let length = body.len();
    let head = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    [head.into_bytes(), body].concat()
}

fn renew(tls: &Tls) {
    match tls.renew() {
        Ok(false) => {}
        Ok(true) => tracing::info!("the certificate was read again"),
        Err(error) => tracing::warn!(%error, "the certificate has changed; the old one is kept"),
    }
}

async fn converse<S>(stream: S, is_http2: bool, service: Arc<Service>, pulse: Arc<Pulse>)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let felt = Arc::clone(&pulse);
    let answer = service_fn(move |request| {
        let (service, busy) = (Arc::clone(&service), pulse.begin());
        async move {
            let response = service.answer(request, busy).await;
            // With HTTP/1 a connection is as stuck as its only response.
            let watched = response.map(|body| if is_http2 { body.watched() } else { body });
            Ok::<_, Infallible>(watched)
        }
    });
    let ended = if is_http2 {
        let mut http = http2::Builder::new(TokioExecutor::new());
        http.max_concurrent_streams(STREAMS)
            .max_header_list_size(HEADERS)
            .serve_connection(TokioIo::new(Felt::writing(stream, felt)), answer)
            .await
    } else {
        let mut http = http1::Builder::new();
        http.header_read_timeout(None)
            .max_buf_size(BUFFER)
            .serve_connection(TokioIo::new(Felt::new(stream, felt)), answer)
            .await
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended badly");
    }
}

/// What TLS begins with.
const HANDSHAKE: [u8; 1] = [0x16];
/// After how many beats the files of the certificate are looked at.
const RENEW: u64 = 5;
/// What the bodies of all requests together may take.
const BODIES: usize = 512 << 20;
/// How many connections there may be.
const CONNECTIONS: usize = 16_384;
const PATIENCE: Duration = Duration::from_secs(10);
/// Longer than clients keep theirs, so that it is they who hang up.
const KEEP: Duration = Duration::from_secs(90);
/// How often connections are looked after.
const BEAT: Duration = Duration::from_secs(1);
/// What is read at once, and the most a head may have.
const BUFFER: usize = 64 << 10;
const HEADERS: u32 = 64 << 10;
/// How many requests one connection may have under way.
const STREAMS: u32 = 1000;
/// How many may wait to be let in.
const BACKLOG: u32 = 4096;
/// For how many milliseconds nothing may be heard of what was sent.
#[cfg(target_os = "linux")]
const UNHEARD: u32 = 60_000;
const STEP: Duration = Duration::from_millis(20);
/// How long nobody is let in when that has failed.
const BREATH: Duration = Duration::from_millis(50);
/// How long clients may take to hear that there is no time any more.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How many sessions there may be, and for how long without a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// At the same time.
    pub max: usize,
    /// Without a request.
    pub idle: Duration,
}

impl Default for SessionLimits {
    /// A thousand, half an hour.
    fn default() -> Self {
        Self {
            max: 1000,
            idle: Duration::from_mins(30),
        }
    }
}
