//! The open connections: bounded in number, and closed when they stall or stay idle.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::connection_state::{ConnectionClock, ConnectionState, ConnectionVerdict};
use crate::sync::Mutex;

/// The connections that are open.
#[derive(Debug)]
pub(super) struct Connections {
    table: Mutex<BTreeMap<u64, Arc<ConnectionState>>>,
    next_number: AtomicU64,
    clock: Arc<ConnectionClock>,
    max: usize,
    /// How many beats an idle connection stays open.
    idle_beats: u32,
}

impl Connections {
    pub(super) fn new(max: usize, idle_beats: u32) -> Arc<Self> {
        Arc::new(Self {
            table: Mutex::default(),
            next_number: AtomicU64::new(0),
            clock: Arc::default(),
            max,
            idle_beats,
        })
    }

    /// Serves a connection in a task of its own. At the maximum, the connection that was idle longest is closed; if
    /// all are busy, the new one is.
    pub(super) fn insert<F>(self: &Arc<Self>, serve: impl FnOnce(Arc<ConnectionState>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut table = self.table.lock();
        if table.len() >= self.max && !close_longest_idle(&mut table) {
            return;
        }
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        let state = ConnectionState::new(Arc::clone(&self.clock));
        let served = serve(Arc::clone(&state));
        let guard = ConnectionGuard(Arc::clone(self), number);
        // The task cannot remove its entry before it is inserted, because that takes the lock.
        let task = tokio::spawn(async move {
            let _guard = guard;
            served.await;
        });
        state.served_by(task.abort_handle());
        table.insert(number, state);
    }

    /// Advances the clock of all connections.
    pub(super) fn beat(&self) {
        self.clock.advance();
        self.sweep(self.idle_beats);
        self.clock.notify();
    }

    /// Closes stalled connections, and those that have been idle for so many beats.
    pub(super) fn sweep(&self, idle_beats: u32) {
        let table = self.table.lock();
        for connection in table.values() {
            let closes = match connection.verdict() {
                ConnectionVerdict::Busy => false,
                ConnectionVerdict::Idle(beats) => beats >= idle_beats,
                ConnectionVerdict::Stalled => true,
            };
            if closes {
                connection.close();
            }
        }
    }

    /// Closes all connections.
    pub(super) fn clear(&self) {
        for connection in self.table.lock().values() {
            connection.close();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.table.lock().len()
    }

    /// From now on [`Self::all_idle`] is told when a connection becomes idle.
    pub(super) fn start_drain(&self) {
        self.clock.start_drain();
    }

    /// Waits until no connection is busy.
    pub(super) async fn all_idle(&self) {
        let is_busy =
            |connection: &Arc<ConnectionState>| connection.verdict() == ConnectionVerdict::Busy;
        self.wait_until(|table| !table.values().any(is_busy)).await;
    }

    /// Waits until every connection is closed.
    pub(super) async fn all_closed(&self) {
        self.wait_until(BTreeMap::is_empty).await;
    }

    async fn wait_until(&self, holds: impl Fn(&BTreeMap<u64, Arc<ConnectionState>>) -> bool) {
        loop {
            let mut changed = pin!(self.clock.changed());
            changed.as_mut().enable();
            if holds(&self.table.lock()) {
                return;
            }
            changed.await;
        }
    }
}

fn close_longest_idle(table: &mut BTreeMap<u64, Arc<ConnectionState>>) -> bool {
    let idle = table
        .iter()
        .filter_map(|(number, connection)| match connection.verdict() {
            ConnectionVerdict::Idle(beats) => Some((beats, *number)),
            ConnectionVerdict::Stalled => Some((u32::MAX, *number)),
            ConnectionVerdict::Busy => None,
        });
    // Of two that are idle equally long, the older one.
    let longest = idle.max_by_key(|(beats, number)| (*beats, u64::MAX - *number));
    let closed = longest.and_then(|(_, number)| table.remove(&number));
    closed.inspect(|connection| connection.close()).is_some()
}

/// Removes a connection from the table when its task ends.
#[derive(Debug)]
struct ConnectionGuard(Arc<Connections>, u64);

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.0.table.lock().remove(&self.1);
        self.0.clock.notify();
    }
}
