//! The breakers of one upstream, one for each tool: a failing tool does not stop the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use breakfall::Fault;
use tokio::time::Instant;

use super::bounded::BoundedMap;
use super::breaker::{
    Admission, Breaker, BreakerPolicy, BreakerState, BreakerStatus, Health, TrialPermit,
};
use breakfall_mcp::sync::Mutex;

/// The breakers of one upstream, shared by all its callers.
///
/// ```
/// use breakfall_gateway::resilience::breaker::{Health, BreakerPolicy};
/// use breakfall_gateway::resilience::breakers::Breakers;
/// use tokio::time::Instant;
///
/// let (now, policy) = (Instant::now(), BreakerPolicy::default());
/// let breakers = Breakers::new("shop");
/// for _ in 0..policy.minimum {
///     let pass = breakers.admit("search", Some(&policy), now).expect("it is closed");
///     pass.settle(Health::Fails, now);
/// }
/// let refused = breakers.admit("search", Some(&policy), now).expect_err("it is open");
/// assert_eq!(refused.fault("search", Some("list")).public().fallback_tool(), Some("list"));
/// assert!(breakers.admit("list", Some(&policy), now).is_ok());
/// assert!(breakers.admit("search", None, now).is_ok());
/// ```
#[derive(Debug)]
pub struct Breakers {
    service: Arc<str>,
    tools: BoundedMap<ToolBreaker>,
}

#[derive(Debug)]
struct ToolBreaker {
    service: Arc<str>,
    tool: Box<str>,
    breaker: Mutex<Breaker>,
    /// Whether the server lists the tool. Callers may invent names.
    is_listed: AtomicBool,
}

impl Breakers {
    /// The breakers of an upstream, all closed.
    pub fn new(service: impl Into<Arc<str>>) -> Self {
        Self {
            service: service.into(),
            tools: BoundedMap::default(),
        }
    }

    /// Asks for one attempt. Without a policy it is always granted.
    ///
    /// # Errors
    /// When the circuit is open.
    pub fn admit(
        &self,
        tool: &str,
        policy: Option<&BreakerPolicy>,
        now: Instant,
    ) -> Result<BreakerPass, CircuitOpen> {
        let entry = policy.and_then(|policy| self.entry(tool, policy, now));
        let Some(entry) = entry else {
            return Ok(BreakerPass(None));
        };
        match entry.change(|breaker| breaker.admit(now)) {
            Admission::Pass(permit) => Ok(BreakerPass(Some((entry, permit)))),
            Admission::Open { retry_after } => Err(CircuitOpen {
                service: Arc::clone(&self.service),
                retry_after,
                status: entry.breaker.lock().status(now),
            }),
        }
    }

    /// The status of each breaker, by tool.
    pub fn statuses(&self, now: Instant) -> Vec<(Box<str>, BreakerStatus)> {
        let all = self.tools.all().into_iter();
        all.map(|(tool, entry)| (tool, entry.breaker.lock().status(now)))
            .collect()
    }

    /// The state of each breaker, by tool; without a name where the server does not list the tool.
    pub fn states(&self, now: Instant) -> Vec<(Option<Box<str>>, BreakerState)> {
        let all = self.tools.all().into_iter();
        all.map(|(tool, entry)| {
            let is_listed = entry.is_listed.load(Ordering::Relaxed);
            (
                is_listed.then_some(tool),
                entry.breaker.lock().status(now).state,
            )
        })
        .collect()
    }

    /// Whether the circuit of a tool is closed.
    pub fn is_closed(&self, tool: &str, now: Instant) -> bool {
        let entry = self.tools.find(tool);
        entry.is_none_or(|entry| entry.breaker.lock().status(now).state == BreakerState::Closed)
    }

    /// Closes a circuit by hand; false if the tool has no breaker.
    pub fn reset(&self, tool: &str, now: Instant) -> bool {
        let entry = self.tools.find(tool);
        entry.is_some_and(|entry| {
            entry.change(|breaker| breaker.reset(now));
            true
        })
    }

    /// Opens a circuit by hand; false if there are too many breakers.
    pub fn trip(&self, tool: &str, policy: &BreakerPolicy, now: Instant) -> bool {
        let entry = self.entry(tool, policy, now);
        entry.is_some_and(|entry| {
            entry.change(|breaker| breaker.trip(now));
            true
        })
    }

    fn entry(&self, tool: &str, policy: &BreakerPolicy, now: Instant) -> Option<Arc<ToolBreaker>> {
        let make = || ToolBreaker {
            service: Arc::clone(&self.service),
            tool: tool.into(),
            breaker: Mutex::new(Breaker::new(*policy, now)),
            is_listed: AtomicBool::new(false),
        };
        let is_idle = |entry: &ToolBreaker| entry.breaker.lock().is_idle(now);
        let entry = self.tools.find_or(tool, now, make, is_idle)?;
        // The policy may have changed since, which changes no state.
        entry.breaker.lock().set_policy(policy, now);
        Some(entry)
    }
}

impl ToolBreaker {
    /// Changes the breaker, and logs a change of state.
    fn change<T>(&self, change: impl FnOnce(&mut Breaker) -> T) -> T {
        let mut breaker = self.breaker.lock();
        let before = breaker.state();
        let changed = change(&mut breaker);
        let after = breaker.state();
        drop(breaker);
        let (upstream, tool, state) = (&*self.service, &*self.tool, after.as_str());
        match after {
            _ if before == after => {}
            BreakerState::Open => {
                tracing::warn!(upstream, tool, state, "circuit open: calls are refused");
            }
            BreakerState::HalfOpen => {
                tracing::info!(upstream, tool, state, "circuit half open: trial calls pass");
            }
            BreakerState::Closed => tracing::info!(upstream, tool, state, "circuit closed"),
        }
        changed
    }
}

/// Permission for one attempt, settled with its outcome. Dropping it settles nothing and makes room for another trial.
#[derive(Debug)]
#[must_use]
pub struct BreakerPass(Option<(Arc<ToolBreaker>, TrialPermit)>);

impl BreakerPass {
    /// Permission for an attempt without a breaker.
    pub const fn unguarded() -> Self {
        Self(None)
    }

    /// Marks the tool as listed by its server, so that metrics may name it.
    pub fn listed(self) -> Self {
        if let Some((entry, _)) = &self.0 {
            entry.is_listed.store(true, Ordering::Relaxed);
        }
        self
    }

    /// Settles the attempt.
    pub fn settle(mut self, health: Health, now: Instant) {
        if let Some((entry, permit)) = self.0.take() {
            entry.change(|breaker| breaker.settle(permit, health, now));
        }
    }
}

impl Drop for BreakerPass {
    fn drop(&mut self) {
        if let Some((entry, permit)) = self.0.take() {
            entry.breaker.lock().release(permit);
        }
    }
}

/// The circuit is open: the call is not made.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CircuitOpen {
    service: Arc<str>,
    /// When to call again.
    pub retry_after: Duration,
    /// The status of the breaker.
    pub status: BreakerStatus,
}

impl CircuitOpen {
    /// The fault for the caller, who calls the tool by this name.
    pub fn fault(&self, tool: &str, fallback_tool: Option<&str>) -> Fault {
        let fault = Fault::tool_paused(&self.service, tool)
            .retry_after(self.retry_after)
            .detail("circuit_state", self.status.state.as_str())
            .detail("failure_rate", self.status.rounded_rate())
            .detail("executed", "no");
        match fallback_tool {
            Some(tool) => fault.fallback_tool(tool),
            None => fault,
        }
    }
}
