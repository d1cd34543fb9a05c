//! The state of breakers, concurrency limits and retry budgets. It outlives a configuration: a reload that changes a
//! timeout closes no breaker and forgets no call in flight.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::breaker::BreakerPolicy;
use super::breakers::{BreakerPass, Breakers, CircuitOpen};
use super::budget::Budget;
use super::bulkhead::{BulkheadFull, BulkheadPermit, Bulkheads, ConcurrencyPolicy};
use super::retry::{self, FailedAttempt, RetryDecision, RetryPolicy};

/// The state of every upstream, by name.
///
/// ```
/// use breakfall_gateway::resilience::registry::ResilienceRegistry;
///
/// let registry = ResilienceRegistry::default();
/// let before = registry.upstream("shop");
/// assert!(std::sync::Arc::ptr_eq(&before, &registry.upstream("shop")));
/// registry.retain(|name| name != "shop");
/// assert!(!std::sync::Arc::ptr_eq(&before, &registry.upstream("shop")));
/// ```
#[derive(Debug, Default)]
pub struct ResilienceRegistry(Mutex<BTreeMap<Box<str>, Arc<UpstreamState>>>);

impl ResilienceRegistry {
    /// The state of one upstream; created if it does not exist.
    pub fn upstream(&self, name: &str) -> Arc<UpstreamState> {
        let mut states = self.lock();
        let state = states
            .entry(name.into())
            .or_insert_with(|| Arc::new(UpstreamState::new(name)));
        Arc::clone(state)
    }

    /// Forgets the upstreams that are no longer configured.
    pub fn retain(&self, is_configured: impl Fn(&str) -> bool) {
        self.lock().retain(|name, _| is_configured(name));
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Box<str>, Arc<UpstreamState>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The breakers, concurrency limits and retry budget of one upstream, shared by all its callers. Settings are passed in with
/// each call, so a changed setting applies at once and changes no state.
#[derive(Debug)]
pub struct UpstreamState {
    breakers: Breakers,
    bulkheads: Bulkheads,
    budget: Mutex<Budget>,
}

/// Which calls a concurrency limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "matched in full where a call enters"
)]
pub enum BulkheadScope {
    /// No limit.
    Unlimited,
    /// The calls of all tools of the upstream.
    Upstream(ConcurrencyPolicy),
    /// The calls of this tool.
    Tool(ConcurrencyPolicy),
}

impl UpstreamState {
    /// Closed breakers, no calls in flight and a full budget.
    pub fn new(upstream: &str) -> Self {
        Self {
            breakers: Breakers::new(upstream),
            bulkheads: Bulkheads::default(),
            budget: Mutex::new(Budget::new(Instant::now())),
        }
    }

    /// The breakers of its tools.
    pub fn breakers(&self) -> &Breakers {
        &self.breakers
    }

    /// Enters a concurrency limit, and waits for room if it must.
    ///
    /// # Errors
    /// When no permit is free in time, or the queue is full.
    pub async fn enter(
        &self,
        tool: &str,
        scope: BulkheadScope,
        remaining: Duration,
    ) -> Result<Option<BulkheadPermit>, BulkheadFull> {
        let bulkheads = &self.bulkheads;
        match scope {
            BulkheadScope::Unlimited => Ok(None),
            BulkheadScope::Upstream(policy) => bulkheads.enter(&policy, remaining).await.map(Some),
            BulkheadScope::Tool(policy) => {
                let now = Instant::now();
                let permit = bulkheads.enter_own(tool, &policy, remaining, now).await;
                permit.map(Some)
            }
        }
    }

    /// Asks the breaker of a tool for the first attempt of a call.
    ///
    /// # Errors
    /// When the circuit is open.
    pub fn begin(
        &self,
        tool: &str,
        policy: Option<&BreakerPolicy>,
    ) -> Result<BreakerPass, CircuitOpen> {
        let now = Instant::now();
        let pass = self.breakers.admit(tool, policy, now)?;
        self.budget().called(now);
        Ok(pass)
    }

    /// Asks the breaker of a tool for a retry.
    ///
    /// # Errors
    /// When the circuit is open by now.
    pub fn begin_again(
        &self,
        tool: &str,
        policy: Option<&BreakerPolicy>,
    ) -> Result<BreakerPass, CircuitOpen> {
        self.breakers.admit(tool, policy, Instant::now())
    }

    /// Counts a request that only reads, which pays into the retry budget like a call.
    pub fn begin_read(&self) {
        self.budget().called(Instant::now());
    }

    /// Decides what follows a failed attempt: see [`retry::decide`].
    pub fn decide(
        &self,
        attempt: &FailedAttempt<'_>,
        policy: Option<&RetryPolicy>,
        chance: f64,
    ) -> RetryDecision {
        retry::decide(attempt, policy, &mut self.budget(), chance, Instant::now())
    }

    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
