//! What can be wanted of a gateway while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// Tells a running gateway what is wanted of it. Clones are for the same gateway.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<Wanted>);

#[derive(Debug, Default)]
struct Wanted {
    stops: AtomicUsize,
    stop: Notify,
    reload: Notify,
}

impl Control {
    /// It shall end: nobody new is let in, and what is under way may take as long as the configuration says. The
    /// second time, it shall end at once.
    pub fn stop(&self) {
        self.0.stops.fetch_add(1, Ordering::Relaxed);
        self.0.stop.notify_waiters();
    }

    /// It shall read its configuration again.
    pub fn reload(&self) {
        self.0.reload.notify_one();
    }

    /// Waits until it shall end.
    pub(super) async fn stopped(&self) {
        self.stopped_times(1).await;
    }

    /// Waits until it shall end at once.
    pub(super) async fn hurried(&self) {
        self.stopped_times(2).await;
    }

    /// Waits until it shall read its configuration again.
    pub(super) async fn reloads(&self) {
        self.0.reload.notified().await;
    }

    async fn stopped_times(&self, times: usize) {
        loop {
            let again = self.0.stop.notified();
            if self.0.stops.load(Ordering::Relaxed) >= times {
                return;
            }
            again.await;
        }
    }
}
