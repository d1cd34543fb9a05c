//! All servers that are kept for somebody, so that whoever ends can wait for their end.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

use crate::session::{Ended, Link, ServerMessageFilter, State};
use crate::upstream::HealthState;
use breakfall_mcp::connection::Peer;

/// The servers that run for clients, or are about to.
#[derive(Debug, Default)]
pub(crate) struct Keepers {
    all: Mutex<All>,
    /// Told when one is gone.
    gone: Notify,
}

#[derive(Debug, Default)]
struct All {
    links: BTreeMap<u64, Link>,
    next: u64,
    /// Nobody has time any more.
    is_hurried: bool,
}

impl Keepers {
    /// Keeps a server behind a client as long as what this gives back is kept.
    pub(crate) fn keep(
        self: &Arc<Self>,
        link: Link,
        client: Peer,
        lens: Option<Arc<dyn ServerMessageFilter>>,
    ) -> Kept {
        let present = self.enter(&link);
        let is_over = Arc::clone(&present.is_over);
        let kept = link.clone();
        tokio::spawn(async move {
            let upstream = Arc::clone(kept.upstream());
            let was = match kept.keep(client, lens).await {
                Ended::NotStarted(error) => {
                    tracing::error!(upstream = &*upstream.name, "{error}; {}", error.fix());
                    HealthState::Down
                }
                Ended::NeverSpoke { .. } => HealthState::Down,
                Ended::Well | Ended::Defect => HealthState::Unknown,
            };
            upstream.health.set(was);
            drop(present);
        });
        Kept { link, is_over }
    }

    /// How the servers of each name are.
    pub(super) fn states(&self) -> BTreeMap<Box<str>, State> {
        let mut states = BTreeMap::new();
        for link in self.lock().links.values() {
            let state = link.state();
            // One that works shows that it can.
            let best = states.entry(link.upstream().name.clone()).or_insert(state);
            *best = state.max(*best);
        }
        states
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.lock().links.len()
    }

    /// Waits until there is none.
    pub(super) async fn ended(&self) {
        loop {
            let gone = self.gone.notified();
            if self.len() == 0 {
                return;
            }
            gone.await;
        }
    }

    /// Whoever waits for an answer of any of them is told that there will be none.
    pub(super) fn give_up(&self) {
        let links: Vec<Link> = self.lock().links.values().cloned().collect();
        links.iter().for_each(Link::give_up);
    }

    /// Those that end, and those that will, are not waited for.
    pub(super) fn hurry(&self) {
        let mut all = self.lock();
        all.is_hurried = true;
        all.links.values().for_each(Link::hurry);
    }

    fn enter(self: &Arc<Self>, link: &Link) -> Present {
        let mut all = self.lock();
        let number = all.next;
        all.next += 1;
        all.links.insert(number, link.clone());
        if all.is_hurried {
            link.hurry();
        }
        Present {
            keepers: Arc::clone(self),
            number,
            is_over: Arc::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// One of them, until it is dropped: also when whoever keeps it panics.
struct Present {
    keepers: Arc<Keepers>,
    number: u64,
    is_over: Arc<AtomicBool>,
}

impl Drop for Present {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let link = self.keepers.lock().links.remove(&self.number);
        self.keepers.gone.notify_waiters();
        drop(link);
    }
}

/// A server that is kept as long as this.
pub(crate) struct Kept {
    link: Link,
    is_over: Arc<AtomicBool>,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kept")
            .field(&self.link.upstream().name)
            .finish()
    }
}

impl Kept {
    /// Whether the server has ended for good.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.link.halt();
    }
}
