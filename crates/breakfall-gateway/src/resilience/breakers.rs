//! The breakers of a server, one for each of its tools: one tool that fails takes no other with it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use breakfall::Fault;
use tokio::time::Instant;

use super::bounded::Bounded;
use super::breaker::{Admission, Breaker, BreakerPolicy, Health, Permit, State, Status};

/// The breakers of one server, shared by everybody who calls it.
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
    tools: Bounded<Entry>,
}

#[derive(Debug)]
struct Entry {
    service: Arc<str>,
    tool: Box<str>,
    breaker: Mutex<Breaker>,
    /// Its server lists it: the name is no invention of a caller.
    is_listed: AtomicBool,
}

impl Breakers {
    /// Those of a server, all of them closed.
    pub fn new(service: impl Into<Arc<str>>) -> Self {
        Self {
            service: service.into(),
            tools: Bounded::default(),
        }
    }

    /// May a tool be called? Without a policy, always.
    ///
    /// # Errors
    /// When it is left alone for now.
    pub fn admit(
        &self,
        tool: &str,
        policy: Option<&BreakerPolicy>,
        now: Instant,
    ) -> Result<Pass, Refused> {
        let entry = policy.and_then(|policy| self.entry(tool, policy, now));
        let Some(entry) = entry else {
            return Ok(Pass(None));
        };
        match entry.change(|breaker| breaker.admit(now)) {
            Admission::Pass(permit) => Ok(Pass(Some((entry, permit)))),
            Admission::Open { retry_after } => Err(Refused {
                service: Arc::clone(&self.service),
                retry_after,
                status: entry.lock().status(now),
            }),
        }
    }

    /// How each of them is, by the name of the tool.
    pub fn statuses(&self, now: Instant) -> Vec<(Box<str>, Status)> {
        let all = self.tools.all().into_iter();
        all.map(|(tool, entry)| (tool, entry.lock().status(now)))
            .collect()
    }

    /// The state of each, by the name of the tool, or by none where no server has listed it: callers may invent names.
    pub fn states(&self, now: Instant) -> Vec<(Option<Box<str>>, State)> {
        let all = self.tools.all().into_iter();
        all.map(|(tool, entry)| {
            let is_listed = entry.is_listed.load(Ordering::Relaxed);
            (is_listed.then_some(tool), entry.lock().status(now).state)
        })
        .collect()
    }

    /// Whether nothing speaks against calling a tool.
    pub fn is_closed(&self, tool: &str, now: Instant) -> bool {
        let entry = self.tools.find(tool);
        entry.is_none_or(|entry| entry.lock().status(now).state == State::Closed)
    }

    /// Closes one by hand; false if the tool has none.
    pub fn reset(&self, tool: &str, now: Instant) -> bool {
        let entry = self.tools.find(tool);
        entry.is_some_and(|entry| {
            entry.change(|breaker| breaker.reset(now));
            true
        })
    }

    /// Opens one by hand; false if there are too many.
    pub fn trip(&self, tool: &str, policy: &BreakerPolicy, now: Instant) -> bool {
        let entry = self.entry(tool, policy, now);
        entry.is_some_and(|entry| {
            entry.change(|breaker| breaker.trip(now));
            true
        })
    }

    fn entry(&self, tool: &str, policy: &BreakerPolicy, now: Instant) -> Option<Arc<Entry>> {
        let make = || Entry {
            service: Arc::clone(&self.service),
            tool: tool.into(),
            breaker: Mutex::new(Breaker::new(*policy, now)),
            is_listed: AtomicBool::new(false),
        };
        self.tools
            .find_or(tool, now, make, |entry| entry.lock().is_idle(now))
    }
}

impl Entry {
    fn lock(&self) -> MutexGuard<'_, Breaker> {
        self.breaker
            .lock()
            .expect("nobody panics while holding this lock")
    }

    /// Whatever changes a state is worth a line.
    fn change<T>(&self, change: impl FnOnce(&mut Breaker) -> T) -> T {
        let mut breaker = self.lock();
        let before = breaker.state();
        let changed = change(&mut breaker);
        let after = breaker.state();
        drop(breaker);
        let (upstream, tool, state) = (&*self.service, &*self.tool, after.as_str());
        match after {
            _ if before == after => {}
            State::Open => tracing::warn!(upstream, tool, state, "the tool is left alone"),
            State::HalfOpen => tracing::info!(upstream, tool, state, "the tool is tried again"),
            State::Closed => tracing::info!(upstream, tool, state, "the tool is called as before"),
        }
        changed
    }
}

/// The leave to make one call. Whoever has it says how the call went; dropping it says nothing, and makes room for
/// another trial.
#[derive(Debug)]
#[must_use]
pub struct Pass(Option<(Arc<Entry>, Permit)>);

impl Pass {
    /// The server lists the tool, so that it may be told by its name.
    pub fn listed(self) -> Self {
        if let Some((entry, _)) = &self.0 {
            entry.is_listed.store(true, Ordering::Relaxed);
        }
        self
    }

    /// The call is over.
    pub fn settle(mut self, health: Health, now: Instant) {
        if let Some((entry, permit)) = self.0.take() {
            entry.change(|breaker| breaker.settle(permit, health, now));
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if let Some((entry, permit)) = self.0.take() {
            entry.lock().release(permit);
        }
    }
}

/// A call that is not made.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Refused {
    service: Arc<str>,
    /// When to come back.
    pub retry_after: Duration,
    /// How the breaker is.
    pub status: Status,
}

impl Refused {
    /// What the caller is told: when to come back, and what to use instead. `tool` is what the caller calls it.
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
