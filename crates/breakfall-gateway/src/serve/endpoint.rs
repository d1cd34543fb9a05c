//! A path of the gateway: sessions get servers of their own, and requests that need no session share one for each
//! principal.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use breakfall::Fault;
use tokio::time::Instant;

use super::keepers::{Keepers, Kept};
use crate::session::SessionRoute;
use breakfall_mcp::access::{Behind, Door, Principal, Seat};
use breakfall_mcp::connection::{
    Inbound, Listener, OutgoingMessage, Peer, PeerRole, SendError, Transport,
};
use breakfall_mcp::jsonrpc::FrameLimits;

/// Makes the way to servers nobody else speaks to.
pub(crate) trait Opens: fmt::Debug + Send + Sync {
    fn open(&self, principal: &Principal) -> SessionRoute;
}

/// What stands at one path.
#[derive(Debug)]
pub(super) struct Endpoint {
    behind: Box<dyn Opens>,
    limits: FrameLimits,
    keepers: Arc<Keepers>,
    /// Whether everybody shall go.
    is_closed: Arc<AtomicBool>,
    /// What requests without a session share. Two principals never share anything.
    common: Mutex<HashMap<Principal, Common>>,
}

#[derive(Debug)]
struct Common {
    seat: Seat,
    used: Instant,
}

impl Endpoint {
    pub(super) fn new(behind: Box<dyn Opens>, limits: FrameLimits, keepers: Arc<Keepers>) -> Self {
        Self {
            behind,
            limits,
            keepers,
            is_closed: Arc::default(),
            common: Mutex::default(),
        }
    }

    /// The way to servers for one client that is there already, as soon as it can be heard.
    pub(super) fn open(
        &self,
        principal: &Principal,
    ) -> (Arc<dyn Listener>, impl FnOnce(&Peer) -> Servers + use<>) {
        let SessionRoute {
            listener, links, ..
        } = self.behind.open(principal);
        let (keepers, is_closed) = (Arc::clone(&self.keepers), Arc::clone(&self.is_closed));
        let keep = move |client: &Peer| {
            let links = links.into_iter();
            let kept = links.map(|(link, lens)| keepers.keep(link, client.clone(), lens));
            Servers {
                kept: kept.collect(),
                is_closed,
            }
        };
        (listener, keep)
    }

    /// Everybody shall go once what is under way is answered.
    pub(super) fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// Lets go of what nobody has used for so long; true if there is nothing left.
    pub(super) fn sweep(&self, now: Instant, idle: Duration) -> bool {
        let mut common = self.lock();
        let is_idle =
            |one: &Common| !one.seat.is_used() && now.saturating_duration_since(one.used) >= idle;
        let gone: Vec<_> = common.extract_if(|_, one| is_idle(one)).collect();
        let is_empty = common.is_empty();
        drop(common);
        // Outside the lock: whatever ends with them may take its time.
        drop(gone);
        is_empty
    }

    /// Whoever waits for an answer, here or elsewhere, is told that there will be none.
    pub(super) fn give_up(&self) {
        self.keepers.give_up();
    }

    /// Those who wait without a session are told this.
    pub(super) fn tell_the_rest(&self, fault: &Fault) {
        let seats: Vec<Seat> = self.lock().values().map(|one| one.seat.clone()).collect();
        for seat in seats {
            seat.ear().give_up(fault);
        }
    }

    /// Lets go of everything, used or not.
    pub(super) fn clear(&self) {
        let gone = std::mem::take(&mut *self.lock());
        drop(gone);
    }

    fn seat(&self, principal: &Principal, carrier: Arc<dyn Transport>) -> Seat {
        let (listener, keep) = self.open(principal);
        let ear = Inbound::new(PeerRole::Client, self.limits, listener, |_| carrier);
        let servers = keep(ear.peer());
        Seat::new(ear, Arc::new(servers))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Principal, Common>> {
        self.common
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Door for Endpoint {
    fn session(&self, principal: &Principal, carrier: Arc<dyn Transport>) -> Seat {
        self.seat(principal, carrier)
    }

    fn common(&self, principal: &Principal) -> Option<Seat> {
        let now = Instant::now();
        let mut common = self.lock();
        if let Some(one) = common.get_mut(principal).filter(|one| !one.seat.is_over()) {
            one.used = now;
            return Some(one.seat.clone());
        }
        // There is none, or one that could not be started; it may be possible now.
        let gone = if common.len() >= MOST && !common.contains_key(principal) {
            let longest = longest_idle(&common)?;
            common.remove(&longest)
        } else {
            common.remove(principal)
        };
        let seat = self.seat(principal, Arc::new(Nobody));
        let one = Common {
            seat: seat.clone(),
            used: now,
        };
        common.insert(principal.clone(), one);
        drop(common);
        // Outside the lock: whatever ends with it may take its time.
        drop(gone);
        Some(seat)
    }
}

/// Who has not said anything for the longest time, and waits for nothing.
fn longest_idle(common: &HashMap<Principal, Common>) -> Option<Principal> {
    let idle = common.iter().filter(|(_, one)| !one.seat.is_used());
    let longest = idle.min_by_key(|(_, one)| one.used)?;
    Some(longest.0.clone())
}

/// How many may have a seat without a session: anybody can make credentials up.
const MOST: usize = 1000;

/// Servers that are kept for one client.
#[derive(Debug)]
pub(super) struct Servers {
    kept: Vec<Kept>,
    is_closed: Arc<AtomicBool>,
}

impl Behind for Servers {
    fn is_over(&self) -> bool {
        self.kept.iter().all(Kept::is_over)
    }

    fn is_dismissed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }
}

/// What belongs to no request of clients without a session is for nobody.
#[derive(Debug)]
struct Nobody;

impl Transport for Nobody {
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
