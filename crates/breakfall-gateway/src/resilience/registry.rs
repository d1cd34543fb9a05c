//! The state of breakers, limits, quotas and retry budgets, by upstream, principal and tool. It outlives a configuration:
//! a reload that changes a timeout closes no breaker and forgets no call in flight.
//!
//! | state | key |
//! |---|---|
//! | breakers, which are about the server | upstream, tool |
//! | the retry budget | upstream |
//! | [`Bulkheads`] | upstream, principal or all callers, tool or all tools |
//! | [`RateStates`] | gateway, upstream or pattern of its tools; principal or all callers |
//! | [`QuotaCounters`] | the same, and metric |
//! | [`LearnedLimits`] | upstream, tool |

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::time::Instant;

use super::bounded::BoundedMap;
use super::breaker::BreakerPolicy;
use super::breakers::{BreakerPass, Breakers, CircuitOpen};
use super::budget::Budget;
use super::bulkhead::Bulkheads;
use super::quota::QuotaCounters;
use super::rate::{LearnedLimits, RateStates};
use super::retry::{self, FailedAttempt, RetryDecision, RetryPolicy};
use crate::config::LimitScope;
use breakfall_mcp::sync::Mutex;

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
pub struct ResilienceRegistry {
    upstreams: Mutex<BTreeMap<Box<str>, Arc<UpstreamState>>>,
    /// The rate of all upstreams together.
    rates: Arc<RateStates>,
    quotas: Arc<QuotaCounters>,
}

impl ResilienceRegistry {
    /// The state of one upstream; created if it does not exist.
    pub fn upstream(&self, name: &str) -> Arc<UpstreamState> {
        let mut states = self.upstreams.lock();
        let new = || {
            Arc::new(UpstreamState {
                gateway_rates: Arc::clone(&self.rates),
                ..UpstreamState::new(name)
            })
        };
        Arc::clone(states.entry(name.into()).or_insert_with(new))
    }

    /// The counters of quotas.
    pub fn quotas(&self) -> &Arc<QuotaCounters> {
        &self.quotas
    }

    /// Forgets the upstreams that are no longer configured.
    pub fn retain(&self, is_configured: impl Fn(&str) -> bool) {
        self.upstreams.lock().retain(|name, _| is_configured(name));
    }
}

/// The breakers, concurrency limits and retry budget of one upstream. Settings are passed in with each call, so a changed
/// setting applies at once and changes no state.
#[derive(Debug)]
pub struct UpstreamState {
    breakers: Breakers,
    /// The limits that count all callers together.
    limits: Arc<Bulkheads>,
    /// The limits of single principals.
    by_principal: BoundedMap<Bulkheads>,
    budget: Mutex<Budget>,
    gateway_rates: Arc<RateStates>,
    rates: Arc<RateStates>,
    /// The rates of patterns of tools.
    tool_rates: BoundedMap<RateStates>,
    learned: LearnedLimits,
}

impl UpstreamState {
    /// Closed breakers, no calls in flight and a full budget.
    pub fn new(upstream: &str) -> Self {
        Self {
            breakers: Breakers::new(upstream),
            limits: Arc::default(),
            by_principal: BoundedMap::default(),
            budget: Mutex::new(Budget::new(Instant::now())),
            gateway_rates: Arc::default(),
            rates: Arc::default(),
            tool_rates: BoundedMap::default(),
            learned: LearnedLimits::default(),
        }
    }

    /// The calls taken from the rate of a scope; `None` if there are too many patterns.
    pub fn rates(&self, scope: &LimitScope, now: Instant) -> Option<Arc<RateStates>> {
        match scope {
            LimitScope::Gateway => Some(Arc::clone(&self.gateway_rates)),
            LimitScope::Upstream => Some(Arc::clone(&self.rates)),
            LimitScope::Tools(pattern) => {
                let is_idle = |states: &RateStates| states.is_idle(now);
                self.tool_rates
                    .find_or(pattern, now, RateStates::default, is_idle)
            }
        }
    }

    /// The limits its server has stated.
    pub fn learned(&self) -> &LearnedLimits {
        &self.learned
    }

    /// The breakers of its tools.
    pub fn breakers(&self) -> &Breakers {
        &self.breakers
    }

    /// The limits that count the calls of one principal; those that count all callers together for `None`, and beyond a
    /// bounded number of principals.
    ///
    /// ```
    /// use breakfall_gateway::resilience::registry::UpstreamState;
    ///
    /// let state = UpstreamState::new("shop");
    /// let alice = state.limits(Some("alice"));
    /// assert!(std::sync::Arc::ptr_eq(&alice, &state.limits(Some("alice"))));
    /// assert!(!std::sync::Arc::ptr_eq(&alice, &state.limits(Some("bob"))));
    /// assert!(!std::sync::Arc::ptr_eq(&alice, &state.limits(None)));
    /// ```
    pub fn limits(&self, principal: Option<&str>) -> Arc<Bulkheads> {
        let now = Instant::now();
        let own = principal.and_then(|principal| {
            self.by_principal
                .find_or(principal, now, Bulkheads::default, Bulkheads::is_idle)
        });
        own.unwrap_or_else(|| Arc::clone(&self.limits))
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
        self.budget.lock().called(now);
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
        self.budget.lock().called(Instant::now());
    }

    /// Decides what follows a failed attempt: see [`retry::decide`].
    pub fn decide(
        &self,
        attempt: &FailedAttempt<'_>,
        policy: Option<&RetryPolicy>,
        chance: f64,
    ) -> RetryDecision {
        retry::decide(
            attempt,
            policy,
            &mut self.budget.lock(),
            chance,
            Instant::now(),
        )
    }
}
