//! The endpoint at one path: sessions get servers of their own, and requests without a session share one set for each
//! principal.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use breakfall::Fault;
use tokio::time::Instant;

use super::assembly::Backends;
use super::supervisor::{ProcessPermit, SupervisedServer, Supervisor};
use crate::session::SessionRoute;
use breakfall_mcp::access::{Backend, ClientHandle, Endpoint, Principal};
use breakfall_mcp::connection::{
    Inbound, Listener, OutgoingMessage, Peer, PeerRole, SendError, Transport,
};
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::sync::Mutex;

/// What serves MCP at one path.
#[derive(Debug)]
pub(super) struct McpEndpoint {
    backends: Backends,
    limits: FrameLimits,
    supervisor: Arc<Supervisor>,
    /// Whether every client must leave.
    is_closed: Arc<AtomicBool>,
    /// The servers for requests without a session. Two principals never share any.
    shared: Mutex<HashMap<Principal, SharedClient>>,
}

#[derive(Debug)]
struct SharedClient {
    client: ClientHandle,
    last_used: Instant,
}

impl McpEndpoint {
    pub(super) fn new(
        backends: Backends,
        limits: FrameLimits,
        supervisor: Arc<Supervisor>,
    ) -> Self {
        Self {
            backends,
            limits,
            supervisor,
            is_closed: Arc::default(),
            shared: Mutex::default(),
        }
    }

    /// The listener for one client, and a function that runs its servers once the client can be sent messages.
    pub(super) fn connect(
        &self,
        principal: &Principal,
        permit: Option<ProcessPermit>,
    ) -> (
        Arc<dyn Listener>,
        impl FnOnce(&Peer) -> ClientServers + use<>,
    ) {
        let SessionRoute {
            listener, links, ..
        } = self.backends.route(principal);
        let supervisor = Arc::clone(&self.supervisor);
        let is_closed = Arc::clone(&self.is_closed);
        let run = move |client: &Peer| {
            let links = links.into_iter();
            let servers = links.map(|(link, filter)| {
                supervisor.supervise(link, client.clone(), filter, permit.clone())
            });
            ClientServers {
                servers: servers.collect(),
                is_closed,
            }
        };
        (listener, run)
    }

    /// Makes every client leave once its open requests are answered.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// Ends shared servers that were unused for so long. Returns whether all have ended.
    pub(super) fn sweep(&self, now: Instant, idle: Duration) -> bool {
        let mut shared = self.shared.lock();
        let is_idle = |one: &SharedClient| {
            !one.client.is_used() && now.saturating_duration_since(one.last_used) >= idle
        };
        let removed: Vec<_> = shared.extract_if(|_, one| is_idle(one)).collect();
        let is_empty = shared.is_empty();
        drop(shared);
        // Dropped outside the lock, because the end of a server may take time.
        drop(removed);
        is_empty
    }

    /// Answers open requests without a session with a fault.
    pub(super) fn give_up(&self, fault: &Fault) {
        let shared = self.shared.lock();
        let clients: Vec<ClientHandle> = shared.values().map(|one| one.client.clone()).collect();
        drop(shared);
        for client in clients {
            client.inbound().give_up(fault);
        }
    }

    /// Lets go of all shared servers, used or not.
    pub(super) fn clear(&self) {
        let removed = std::mem::take(&mut *self.shared.lock());
        drop(removed);
    }

    fn open(
        &self,
        principal: &Principal,
        permit: Option<ProcessPermit>,
        transport: Arc<dyn Transport>,
    ) -> ClientHandle {
        let (listener, run) = self.connect(principal, permit);
        let inbound = Inbound::new(PeerRole::Client, self.limits, listener, |_| transport);
        let servers = run(inbound.peer());
        ClientHandle::new(inbound, Arc::new(servers))
    }

    /// Room for the processes of a client. Only unverified credentials need it: the number of keys is configured, and
    /// so is the number of sessions.
    fn reserve(&self, principal: &Principal) -> Result<Option<ProcessPermit>, NoRoom> {
        let processes = self.backends.processes();
        if principal.credentials().is_none() || processes == 0 {
            return Ok(None);
        }
        self.supervisor.reserve(processes).map(Some).ok_or(NoRoom)
    }
}

/// The processes for unverified credentials are at their bound.
struct NoRoom;

impl Endpoint for McpEndpoint {
    fn open_session(
        &self,
        principal: &Principal,
        transport: Arc<dyn Transport>,
    ) -> Option<ClientHandle> {
        let Ok(permit) = self.reserve(principal) else {
            let mut shared = self.shared.lock();
            let removed = remove_longest_idle(&mut shared);
            drop(shared);
            drop(removed);
            return None;
        };
        Some(self.open(principal, permit, transport))
    }

    fn open_shared(&self, principal: &Principal) -> Option<ClientHandle> {
        let now = Instant::now();
        let mut shared = self.shared.lock();
        if let Some(one) = shared
            .get_mut(principal)
            .filter(|one| !one.client.is_over())
        {
            one.last_used = now;
            return Some(one.client.clone());
        }
        // Absent, or its servers could not be started; they may start now.
        let before = shared.remove(principal);
        let is_full = before.is_none() && shared.len() >= MAX_SHARED_CLIENTS;
        let removed = if is_full {
            Some(remove_longest_idle(&mut shared)?)
        } else {
            before
        };
        let Ok(permit) = self.reserve(principal) else {
            // Its processes need a moment to end, so the client is told to come back.
            let idle = remove_longest_idle(&mut shared);
            drop(shared);
            drop((removed, idle));
            return None;
        };
        let client = self.open(principal, permit, Arc::new(NoStandaloneStream));
        let one = SharedClient {
            client: client.clone(),
            last_used: now,
        };
        shared.insert(principal.clone(), one);
        drop(shared);
        // Dropped outside the lock, because the end of a server may take time.
        drop(removed);
        Some(client)
    }
}

/// Removes the servers that were unused for the longest time and owe no answer.
fn remove_longest_idle(shared: &mut HashMap<Principal, SharedClient>) -> Option<SharedClient> {
    let idle = shared.iter().filter(|(_, one)| !one.client.is_used());
    let (longest, _) = idle.min_by_key(|(_, one)| one.last_used)?;
    let longest = longest.clone();
    shared.remove(&longest)
}

/// The number of principals with shared servers at one path.
const MAX_SHARED_CLIENTS: usize = 1000;

/// The servers of one client.
#[derive(Debug)]
pub(super) struct ClientServers {
    servers: Vec<SupervisedServer>,
    is_closed: Arc<AtomicBool>,
}

impl Backend for ClientServers {
    fn is_over(&self) -> bool {
        self.servers.iter().all(SupervisedServer::is_over)
    }

    fn is_closing(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }
}

/// Drops messages that are not related to a request: only a session has a stream for them.
#[derive(Debug)]
struct NoStandaloneStream;

impl Transport for NoStandaloneStream {
    fn carry(&self, _: OutgoingMessage) -> Result<(), SendError> {
        Err(SendError::Over)
    }

    fn close(&self) {}

    fn is_heard(&self) -> bool {
        false
    }

    fn is_of_one(&self) -> bool {
        false
    }
}
