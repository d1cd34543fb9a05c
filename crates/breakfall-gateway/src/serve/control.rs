//! What can be wanted of a gateway while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, watch};

/// Tells a running gateway what is wanted of it. Clones are for the same gateway.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<Wanted>);

#[derive(Debug, Default)]
struct Wanted {
    stops: AtomicUsize,
    stop: Notify,
    reload: Notify,
    reloads: watch::Sender<Reloads>,
}

/// What has come of reading a configuration again, so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reloads {
    /// How often it was read because somebody wanted that, whatever came of it.
    pub asked: u64,
    /// How often another one has come into use, whoever wanted it.
    pub taken: u64,
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

    /// Waits until this can be said of what has come of reading the configuration again.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(async {
    /// use breakfall_gateway::serve::Control;
    ///
    /// let reloads = Control::default().reloaded(|reloads| reloads.taken == 0).await;
    /// assert_eq!(reloads.asked, 0);
    /// # });
    /// ```
    pub async fn reloaded(&self, holds: impl FnMut(&Reloads) -> bool) -> Reloads {
        let mut reloads = self.0.reloads.subscribe();
        match reloads.wait_for(holds).await {
            Ok(reloads) => *reloads,
            // Its sender is ours.
            Err(_) => *self.0.reloads.borrow(),
        }
    }

    /// The configuration was read again.
    pub(super) fn has_reloaded(&self, is_asked: bool, is_taken: bool) {
        self.0.reloads.send_modify(|reloads| {
            reloads.asked += u64::from(is_asked);
            reloads.taken += u64::from(is_taken);
        });
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
