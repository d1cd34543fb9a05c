//! All connections: so many at most, and none of them for nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::pulse::{Pulse, Verdict};

/// The connections there are.
#[derive(Debug)]
pub(super) struct Connections {
    all: Mutex<BTreeMap<u64, Connection>>,
    names: AtomicU64,
    /// Beats since the start.
    clock: Arc<AtomicU32>,
    most: usize,
    /// How many beats one is kept that has nothing to do.
    kept: u32,
    /// Told when the last one is gone.
    gone: Notify,
}

#[derive(Debug)]
struct Connection {
    pulse: Arc<Pulse>,
    task: AbortHandle,
}

impl Connections {
    pub(super) fn new(most: usize, kept: u32) -> Arc<Self> {
        Arc::new(Self {
            all: Mutex::default(),
            names: AtomicU64::new(0),
            clock: Arc::new(AtomicU32::new(1)),
            most,
            kept,
            gone: Notify::new(),
        })
    }

    /// Takes one in, if need be in the place of the one that has done nothing for longest; not if all have something
    /// to do.
    pub(super) fn take<F>(self: &Arc<Self>, serve: impl FnOnce(Arc<Pulse>) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let mut all = self.lock();
        if all.len() >= self.most && !make_room(&mut all) {
            return;
        }
        let name = self.names.fetch_add(1, Ordering::Relaxed);
        let pulse = Pulse::new(Arc::clone(&self.clock));
        let served = serve(Arc::clone(&pulse));
        let place = Place(Arc::clone(self), name);
        // It cannot leave before it is entered, because that takes the lock.
        let task = tokio::spawn(async move {
            let _place = place;
            served.await;
        });
        let task = task.abort_handle();
        all.insert(name, Connection { pulse, task });
    }

    /// Another beat.
    pub(super) fn beat(&self) {
        self.clock.fetch_add(1, Ordering::Relaxed);
        self.sweep(self.kept);
    }

    /// Ends what is stalled, and what has had nothing to do for as many beats as are tolerated.
    pub(super) fn sweep(&self, tolerated: u32) {
        let all = self.lock();
        for connection in all.values() {
            let is_over = match connection.pulse.verdict() {
                Verdict::Busy => false,
                Verdict::Idle(beats) => beats >= tolerated,
                Verdict::Stalled => true,
            };
            if is_over {
                connection.task.abort();
            }
        }
    }

    /// Whether any has something to do.
    pub(super) fn are_busy(&self) -> bool {
        let all = self.lock();
        all.values()
            .any(|connection| connection.pulse.verdict() == Verdict::Busy)
    }

    /// Ends all.
    pub(super) fn clear(&self) {
        for connection in self.lock().values() {
            connection.task.abort();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Waits until none is left.
    pub(super) async fn gone(&self) {
        loop {
            let gone = self.gone.notified();
            if self.len() == 0 {
                return;
            }
            gone.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Connection>> {
        self.all
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

fn make_room(all: &mut BTreeMap<u64, Connection>) -> bool {
    let idle = all
        .iter()
        .filter_map(|(name, connection)| match connection.pulse.verdict() {
            Verdict::Idle(beats) => Some((beats, *name)),
            Verdict::Stalled => Some((u32::MAX, *name)),
            Verdict::Busy => None,
        });
    // The older of two that have been idle for as long.
    let longest = idle.max_by_key(|(beats, name)| (*beats, u64::MAX - *name));
    let gone = longest.and_then(|(_, name)| all.remove(&name));
    gone.inspect(|connection| connection.task.abort()).is_some()
}

/// A place in the table.
#[derive(Debug)]
struct Place(Arc<Connections>, u64);

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.0.lock();
        all.remove(&self.1);
        if all.is_empty() {
            self.0.gone.notify_waiters();
        }
    }
}
