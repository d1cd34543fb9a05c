//! The server as a test holds it.

use std::collections::BTreeMap;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread;

use rustix::net;

use super::behaviour::Behaviour;
use super::connection;
use super::hub::{Hub, Notes, Seen};
use super::options::Options;
use super::tools;

/// A server on a port of its own on this machine. It ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    hub: Arc<Hub>,
    /// Where redirects to another host lead.
    elsewhere: Option<Box<Self>>,
    /// A port without a listener.
    _deaf: Option<OwnedFd>,
}

impl Server {
    /// A server that behaves well until it is told not to.
    ///
    /// # Panics
    /// When every port is taken.
    pub fn start() -> Self {
        Self::of(Options::default())
    }

    /// A server of some kind.
    ///
    /// # Panics
    /// When every port is taken.
    pub fn of(options: Options) -> Self {
        let elsewhere = Box::new(Self::bound(Options::default(), None));
        Self::bound(options, Some(elsewhere))
    }

    fn bound(options: Options, elsewhere: Option<Box<Self>>) -> Self {
        let other = elsewhere.as_ref().map(|elsewhere| elsewhere.address);
        let hub = Arc::new(Hub::new(options, other));
        let (address, deaf) = if options.shows(Behaviour::ConnectionRefused) {
            let (address, deaf) = deaf().expect("the system has a port");
            (address, Some(deaf))
        } else {
            let listener = TcpListener::bind(("127.0.0.1", 0)).expect("the system has a port");
            let address = listener.local_addr();
            let hub = Arc::clone(&hub);
            thread::spawn(move || accept(&listener, &hub));
            (address.expect("a bound socket has an address"), None)
        };
        Self {
            address,
            hub,
            elsewhere,
            _deaf: deaf,
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where its MCP endpoint is.
    pub fn url(&self) -> String {
        let is_plain = self.hub.tls.is_none() && !self.hub.options.shows(Behaviour::NotTls);
        let scheme = if is_plain { "http" } else { "https" };
        format!("{scheme}://{}/mcp", self.address)
    }

    /// The certificate of who vouches for a server with TLS, for clients to trust; empty for others.
    pub fn authority(&self) -> &str {
        let tls = self.hub.tls.as_ref();
        tls.map_or("", |tls| &tls.authority)
    }

    /// How often something was done.
    pub fn executed(&self, key: &str) -> u64 {
        let notes = self.hub.look();
        notes.executed.get(key).copied().unwrap_or_default()
    }

    /// All that was done, and how often.
    pub fn all_executed(&self) -> BTreeMap<String, u64> {
        self.hub.look().executed.clone()
    }

    /// All requests so far whose bodies were read.
    pub fn seen(&self) -> Vec<Seen> {
        self.hub.look().seen.clone()
    }

    /// How many connections there were.
    pub fn accepted(&self) -> u64 {
        self.hub.look().accepted
    }

    /// How many connections there were to the other host that redirects lead to.
    pub fn accepted_elsewhere(&self) -> u64 {
        self.elsewhere.as_ref().map_or(0, |other| other.accepted())
    }

    /// Waits until so many calls are parked, and lets them go.
    pub fn release(&self, calls: u64) {
        tools::release(&self.hub, calls);
    }

    /// Waits until a message of this method has come.
    pub fn wait_for_request(&self, method: &str) {
        self.wait(|notes| {
            let mut methods = notes.seen.iter().map(|seen| seen.rpc.as_deref());
            methods.any(|seen| seen == Some(method))
        });
    }

    /// Waits until a client has ended so many exchanges we left open.
    pub fn wait_for_abandoned(&self, exchanges: u64) {
        self.wait(|notes| notes.abandoned >= exchanges);
    }

    /// Waits until it has closed so many connections, so that the other end can see it.
    pub fn wait_for_closed(&self, connections: u64) {
        self.wait(|notes| notes.closed >= connections);
    }

    /// Waits until no connection is open.
    pub fn wait_for_silence(&self) {
        self.wait(|notes| notes.open == 0);
    }

    /// Forgets all sessions, as if it were started again.
    pub fn forget_sessions(&self) {
        self.hub.note(|notes| notes.sessions.clear());
    }

    fn wait(&self, condition: impl Fn(&Notes) -> bool) {
        let _over = self.hub.wait(|notes| condition(notes).then_some(()));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.hub.note(|notes| notes.over = true);
        // Wakes the thread that accepts.
        let _nobody = TcpStream::connect(self.address);
    }
}

/// A port that is bound and not listened on, so that it stays closed.
fn deaf() -> io::Result<(SocketAddr, OwnedFd)> {
    let socket = net::socket(net::AddressFamily::INET, net::SocketType::STREAM, None)?;
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    net::bind(&socket, &any)?;
    let address = net::getsockname(&socket)?;
    Ok((address.try_into()?, socket))
}

fn accept(listener: &TcpListener, hub: &Arc<Hub>) {
    for stream in listener.incoming() {
        let open = hub.note(|notes| {
            notes.accepted += 1;
            notes.open += 1;
            notes.open
        });
        if hub.is_over() {
            return;
        }
        let Some(tcp) = stream.ok().filter(|_| open <= MAX_CLIENTS) else {
            hub.note(|notes| notes.open -= 1);
            continue;
        };
        let hub = Arc::clone(hub);
        let begun = thread::Builder::new()
            .stack_size(256 * 1024)
            .spawn(move || {
                // A connection that ends in an error is over all the same.
                let _over = connection::serve(&hub, tcp);
                hub.note(|notes| notes.open -= 1);
            });
        drop(begun.expect("the system has threads left"));
    }
}

const MAX_CLIENTS: usize = 2_000;
