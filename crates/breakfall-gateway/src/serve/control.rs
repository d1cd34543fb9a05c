//! Signals to a running gateway: stop, and reload its configuration.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, watch};

/// Signals a running gateway. Clones are for the same gateway.
#[derive(Debug, Clone, Default)]
pub struct Control(Arc<Signals>);

#[derive(Debug, Default)]
struct Signals {
    stops: AtomicUsize,
    stop: Notify,
    reload: Notify,
    reloads: watch::Sender<Reloads>,
}

/// The results of reloads so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reloads {
    /// Reloads that [`Control::reload`] asked for, successful or not.
    pub asked: u64,
    /// Reloads that replaced the configuration, asked for or because a file changed.
    pub taken: u64,
}

impl Control {
    /// Shuts the gateway down: new requests are refused, and open ones get the configured time. The second call ends
    /// it at once.
    pub fn stop(&self) {
        self.0.stops.fetch_add(1, Ordering::Relaxed);
        self.0.stop.notify_waiters();
    }

    /// Reloads the configuration.
    pub fn reload(&self) {
        self.0.reload.notify_one();
    }

    /// Waits until a condition holds for the results of reloads.
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
            // The sender lives as long as `self`.
            Err(_) => *self.0.reloads.borrow(),
        }
    }

    /// Counts a reload.
    pub(super) fn has_reloaded(&self, is_asked: bool, is_taken: bool) {
        self.0.reloads.send_modify(|reloads| {
            reloads.asked += u64::from(is_asked);
            reloads.taken += u64::from(is_taken);
        });
    }

    /// Waits for [`Self::stop`].
    pub(super) async fn stopped(&self) {
        self.stopped_times(1).await;
    }

    /// Waits for the second [`Self::stop`].
    pub(super) async fn hurried(&self) {
        self.stopped_times(2).await;
    }

    /// Waits for [`Self::reload`].
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
