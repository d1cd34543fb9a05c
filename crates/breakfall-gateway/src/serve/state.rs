//! What the gateway serves now: the current site, and endpoints of earlier configurations that are still in use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use breakfall::Fault;
use tokio::time::Instant;

use super::ServeOptions;
use super::endpoint::McpEndpoint;
use super::site::Site;
use super::supervisor::Supervisor;
use breakfall_mcp::sync::Mutex;

/// The state of a gateway, which a reload changes.
#[derive(Debug)]
pub(super) struct GatewayState {
    site: RwLock<Arc<Site>>,
    /// Endpoints that take no new clients.
    retired: Mutex<Vec<Arc<McpEndpoint>>>,
    pub(super) supervisor: Arc<Supervisor>,
    pub(super) options: ServeOptions,
    is_draining: AtomicBool,
}

impl GatewayState {
    pub(super) fn new(site: Site, supervisor: Arc<Supervisor>, options: ServeOptions) -> Self {
        Self {
            site: RwLock::new(Arc::new(site)),
            retired: Mutex::default(),
            supervisor,
            options,
            is_draining: AtomicBool::new(false),
        }
    }

    /// The current site.
    pub(super) fn site(&self) -> Arc<Site> {
        let site = self.site.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&site)
    }

    /// Serves another site from now on. Clients of a removed endpoint may finish their open requests.
    pub(super) fn swap(&self, site: Site) {
        let site = Arc::new(site);
        let mut current = self.site.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *current, Arc::clone(&site));
        drop(current);
        let is_kept = |old: &Arc<McpEndpoint>| site.endpoints().any(|new| Arc::ptr_eq(old, new));
        let retired: Vec<_> = before
            .endpoints()
            .filter(|endpoint| !is_kept(endpoint))
            .cloned()
            .collect();
        for endpoint in before.removed_in(&site) {
            endpoint.close();
        }
        self.retired.lock().extend(retired);
        self.sweep(Instant::now());
    }

    /// Ends servers that no client has used for long.
    pub(super) fn sweep(&self, now: Instant) {
        let site = self.site();
        let idle = site.config.sessions.idle;
        for endpoint in site.endpoints() {
            endpoint.sweep(now, idle);
        }
        self.retired
            .lock()
            .retain(|endpoint| !endpoint.sweep(now, Duration::ZERO));
    }

    /// The gateway is not ready for new clients any more.
    pub(super) fn start_drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Answers every open request without a session with a fault.
    pub(super) fn give_up(&self, fault: &Fault) {
        for endpoint in self.endpoints() {
            endpoint.give_up(fault);
        }
    }

    /// Lets go of all servers, used or not.
    pub(super) fn clear(&self) {
        for endpoint in self.endpoints() {
            endpoint.clear();
        }
        self.retired.lock().clear();
    }

    fn endpoints(&self) -> Vec<Arc<McpEndpoint>> {
        let (site, retired) = (self.site(), self.retired.lock().clone());
        site.endpoints().cloned().chain(retired).collect()
    }
}
