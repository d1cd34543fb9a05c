//! The listener: accepts connections within bounds, and serves each until it ends or is closed.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::bind_error::BindError;
use super::connections::Connections;
use super::front::{Front, FrontSettings, HttpService};
use super::origin_policy::OriginPolicy;
use super::serve_connection::{ConnectionContext, serve, serve_tls};
use super::settings::Settings;
use super::tls::TlsCertificate;

/// An HTTP server that listens already. Connections wait until [`Server::run`].
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: ServerHandle,
    header_timeout: Duration,
    beat: Duration,
}

/// Observes and changes a server while it runs. Clones are for the same server.
#[derive(Debug, Clone)]
pub struct ServerHandle {
    address: SocketAddr,
    front: Arc<Front>,
    connections: Arc<Connections>,
    tls: Arc<RwLock<Option<Arc<TlsCertificate>>>>,
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// When the address cannot be used.
    pub fn bind(address: SocketAddr, settings: &Settings) -> Result<Self, BindError> {
        let error = |source| BindError::new(address, source);
        let listener = listen(address).map_err(error)?;
        let address = listener.local_addr().map_err(error)?;
        let beat = settings.beat();
        let idle_beats = settings.keep.as_nanos() / beat.as_nanos();
        let idle_beats = u32::try_from(idle_beats).unwrap_or(u32::MAX);
        let shared = ServerHandle {
            address,
            front: Arc::new(Front::new(front_settings(address, settings))),
            connections: Connections::new(settings.connections, idle_beats),
            tls: Arc::new(RwLock::new(settings.tls.clone())),
        };
        Ok(Self {
            listener,
            shared,
            header_timeout: settings.read_timeout,
            beat,
        })
    }

    /// The address it listens at.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// A handle to use while it runs.
    pub fn handle(&self) -> ServerHandle {
        self.shared.clone()
    }

    /// Serves until `until` completes, and then closes every connection.
    pub async fn run<S: HttpService>(self, service: Arc<S>, until: impl Future<Output = ()>) {
        tokio::select! {
            () = self.accept(service) => {}
            () = self.supervise_connections() => {}
            () = until => {}
        }
        self.shared.connections.clear();
        self.shared.connections.all_closed().await;
    }

    async fn accept<S: HttpService>(&self, service: Arc<S>) {
        let connections = &self.shared.connections;
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => {
                    prepare(&stream);
                    let context = |state| ConnectionContext {
                        front: Arc::clone(&self.shared.front),
                        service: Arc::clone(&service),
                        state,
                    };
                    // Two kinds of task, so that a plain connection has no room for the state of a TLS handshake.
                    match self.shared.certificate() {
                        None => connections.insert(|state| serve(stream, context(state))),
                        Some(tls) => {
                            let timeout = self.header_timeout;
                            connections
                                .insert(|state| serve_tls(stream, tls, timeout, context(state)));
                        }
                    }
                }
                Err(error) if is_aborted(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "accept failed");
                    connections.sweep(1);
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }

    async fn supervise_connections(&self) {
        let mut beat = interval(self.beat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for beats in 1_u64.. {
            beat.tick().await;
            self.shared.connections.beat();
            if let (0, Some(tls)) = (beats % RENEW_BEATS, self.shared.certificate()) {
                drop(spawn_blocking(move || renew(&tls)));
            }
        }
    }
}

fn front_settings(address: SocketAddr, settings: &Settings) -> FrontSettings {
    FrontSettings {
        policy: OriginPolicy::for_server(address, settings),
        replies: settings.replies.clone(),
    }
}

impl ServerHandle {
    /// Uses other settings from the next request on. The timeouts and the number of connections stay.
    ///
    /// # Panics
    /// Never: the lock is not held across a panic.
    pub fn apply(&self, settings: &Settings) {
        self.front.apply(front_settings(self.address, settings));
        self.tls
            .write()
            .expect("the lock is never poisoned")
            .clone_from(&settings.tls);
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        self.connections.len()
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

    /// Closes idle connections, and every other one after its current response. New connections are still accepted.
    pub fn start_drain(&self) {
        self.front.close_after_response();
        self.connections.start_drain();
        self.connections.sweep(0);
    }

    /// Waits until every connection is idle; only after [`Self::start_drain`].
    pub async fn drained(&self) {
        self.connections.all_idle().await;
    }

    /// The certificate for connections accepted now.
    fn certificate(&self) -> Option<Arc<TlsCertificate>> {
        self.tls.read().expect("the lock is never poisoned").clone()
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Connections of a gateway that ended a moment ago may still be in TIME_WAIT.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Turns off Nagle's algorithm, and limits the time without an acknowledgement. Both may fail without harm.
fn prepare(stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, USER_TIMEOUT_MS);
}

/// Whether the client closed the connection before it was accepted.
fn is_aborted(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    )
}

fn renew(tls: &TlsCertificate) {
    match tls.renew() {
        Ok(false) => {}
        Ok(true) => tracing::info!("certificate reloaded"),
        Err(error) => {
            tracing::warn!(%error, "certificate reload failed; the old certificate stays in use");
        }
    }
}

/// How many beats pass between two looks at the certificate files.
const RENEW_BEATS: u64 = 5;
/// How many connections the system queues before they are accepted.
const BACKLOG: u32 = 4096;
/// How long sent data may stay without an acknowledgement.
#[cfg(target_os = "linux")]
const USER_TIMEOUT_MS: u32 = 60_000;
/// The pause after an accept that failed, for instance for lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
