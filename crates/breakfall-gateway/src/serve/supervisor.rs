//! The servers that run for clients: started when a request needs them, counted, and waited for at the end.

use std::collections::BTreeMap;
use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::session::{Link, ServerMessageFilter, ServerState, SessionEnd};
use crate::upstream::HealthState;
use breakfall_mcp::connection::Peer;
use breakfall_mcp::sync::Mutex;

/// Runs the servers of all clients.
#[derive(Debug)]
pub(crate) struct Supervisor {
    table: Mutex<SupervisedTable>,
    /// Notified when a server is gone.
    gone: Notify,
    /// Bounds the processes started for unverified credentials.
    unverified: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct SupervisedTable {
    servers: BTreeMap<u64, SupervisedEntry>,
    next_number: u64,
    /// Servers that end are not waited for.
    is_hurried: bool,
}

#[derive(Debug)]
struct SupervisedEntry {
    link: Link,
    is_started: bool,
}

/// Room for the processes of one client with unverified credentials, until the last of them has ended.
pub(crate) type ProcessPermit = Arc<OwnedSemaphorePermit>;

impl Default for Supervisor {
    fn default() -> Self {
        Self {
            table: Mutex::default(),
            gone: Notify::new(),
            unverified: Arc::new(Semaphore::new(MAX_UNVERIFIED_PROCESSES)),
        }
    }
}

impl Supervisor {
    /// Reserves room for the processes of a client with unverified credentials; `None` if too many are running.
    pub(super) fn reserve(&self, processes: usize) -> Option<ProcessPermit> {
        let processes = processes.min(MAX_UNVERIFIED_PROCESSES);
        let processes = u32::try_from(processes).ok()?;
        let permit = Arc::clone(&self.unverified).try_acquire_many_owned(processes);
        permit.ok().map(Arc::new)
    }

    /// Runs a server for a client while the returned value lives. The server starts with the first request for it.
    pub(crate) fn supervise(
        self: &Arc<Self>,
        link: Link,
        client: Peer,
        filter: Option<Arc<dyn ServerMessageFilter>>,
        permit: Option<ProcessPermit>,
    ) -> SupervisedServer {
        let guard = self.insert(&link);
        let is_over = Arc::clone(&guard.is_over);
        let server = link.clone();
        tokio::spawn(async move {
            if server.wanted().await {
                guard.set_started();
                let upstream = Arc::clone(server.upstream());
                let health = match server.keep(client, filter).await {
                    SessionEnd::NotStarted(error) => {
                        let fix = error.fix();
                        tracing::error!(upstream = &*upstream.name, "{error}; {fix}");
                        HealthState::Down
                    }
                    SessionEnd::NeverSpoke { .. } => HealthState::Down,
                    SessionEnd::Well | SessionEnd::Defect => HealthState::Unknown,
                };
                upstream.health.set(health);
            }
            drop((guard, permit));
        });
        SupervisedServer { link, is_over }
    }

    /// The state of each started server by name, the best one of several with the same name.
    pub(super) fn states(&self) -> BTreeMap<Box<str>, ServerState> {
        let mut states = BTreeMap::new();
        let table = self.table.lock();
        let started = table.servers.values().filter(|entry| entry.is_started);
        for SupervisedEntry { link, .. } in started {
            let Some(state) = link.state() else {
                continue;
            };
            let best = states.entry(link.upstream().name.clone()).or_insert(state);
            *best = state.max(*best);
        }
        states
    }

    /// Waits until every server has ended.
    pub(super) async fn ended(&self) {
        loop {
            let mut gone = pin!(self.gone.notified());
            gone.as_mut().enable();
            if self.table.lock().servers.is_empty() {
                return;
            }
            gone.await;
        }
    }

    /// Answers every request that waits for a server: it will get no other answer.
    pub(super) fn give_up(&self) {
        self.links().iter().for_each(Link::give_up);
    }

    /// Stops waiting for servers that end, now and later.
    pub(super) fn hurry(&self) {
        self.table.lock().is_hurried = true;
        self.links().iter().for_each(Link::hurry);
    }

    fn links(&self) -> Vec<Link> {
        let table = self.table.lock();
        table
            .servers
            .values()
            .map(|entry| entry.link.clone())
            .collect()
    }

    fn insert(self: &Arc<Self>, link: &Link) -> SupervisedGuard {
        let mut table = self.table.lock();
        let number = table.next_number;
        table.next_number += 1;
        let entry = SupervisedEntry {
            link: link.clone(),
            is_started: false,
        };
        table.servers.insert(number, entry);
        if table.is_hurried {
            link.hurry();
        }
        SupervisedGuard {
            supervisor: Arc::clone(self),
            number,
            is_over: Arc::default(),
        }
    }
}

/// Removes a server from the table when its task ends, also by a panic.
struct SupervisedGuard {
    supervisor: Arc<Supervisor>,
    number: u64,
    is_over: Arc<AtomicBool>,
}

impl SupervisedGuard {
    fn set_started(&self) {
        if let Some(entry) = self.supervisor.table.lock().servers.get_mut(&self.number) {
            entry.is_started = true;
        }
    }
}

impl Drop for SupervisedGuard {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let entry = self.supervisor.table.lock().servers.remove(&self.number);
        self.supervisor.gone.notify_waiters();
        drop(entry);
    }
}

/// A server that ends when this is dropped.
pub(crate) struct SupervisedServer {
    link: Link,
    is_over: Arc<AtomicBool>,
}

impl fmt::Debug for SupervisedServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SupervisedServer")
            .field(&self.link.upstream().name)
            .finish()
    }
}

impl SupervisedServer {
    /// Whether the server has ended and will not be started again.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

impl Drop for SupervisedServer {
    fn drop(&mut self) {
        self.link.halt();
    }
}

/// The number of processes for all clients that are known only by credentials the gateway passes on. Anyone can make
/// such credentials up, and each needs servers of its own.
const MAX_UNVERIFIED_PROCESSES: usize = 64;
