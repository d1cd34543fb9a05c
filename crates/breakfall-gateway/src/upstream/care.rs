//! How one tool of a server is treated, and what all who call it share.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

use super::Upstream;
use breakfall_mcp::timeouts::Timeouts;

use crate::config::{
    FallbackTool, Switch, TimeoutSetting, UnlistedTools, ValidationMode, ValidationModes,
};
use crate::resilience::breakers::{Breakers, Pass, Refused};
use crate::resilience::budget::Budget;
use crate::resilience::bulkhead::{Bulkheads, Overloaded, Place};
use crate::resilience::retry::{self, Attempt, Decision};
use crate::resilience::{breaker, bulkhead};

/// How one tool is treated: what is said about it, and about the server where nothing is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Care {
    /// How long to wait for an answer.
    pub patience: Timeouts,
    /// How often a call that failed is made again, if ever.
    pub retry: Option<retry::RetryPolicy>,
    /// When it is left alone, if ever.
    pub breaker: Option<breaker::BreakerPolicy>,
    /// Where its calls are counted.
    pub places: Places,
    /// Whether the operator says that calling it twice does no more than calling it once.
    pub idempotent: Option<bool>,
    /// What the operator names in its place.
    pub fallback: Option<FallbackTool>,
    /// What is checked about its calls.
    pub validate: ValidationModes,
    /// What happens where the server does not list it.
    pub unlisted: UnlistedTools,
    /// What to use instead, if it is going away.
    pub deprecated: Option<String>,
    /// How long a call may take before its caller is told that it took long.
    pub slow: Option<Duration>,
}

impl Care {
    /// Whether it matters what the server says of the tool.
    pub(crate) fn wants_lists(&self) -> bool {
        self.unlisted == UnlistedTools::Refuse
            || self.validate != ValidationModes::all(ValidationMode::Off)
    }
}

/// Where calls of a tool are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is nowhere else")]
pub enum Places {
    /// Nowhere.
    Endless,
    /// Together with those of the other tools.
    Shared(bulkhead::ConcurrencyPolicy),
    /// Apart.
    Own(bulkhead::ConcurrencyPolicy),
}

/// What all who call a server share.
#[derive(Debug)]
pub(super) struct Shared {
    breakers: Breakers,
    bulkheads: Bulkheads,
    budget: Mutex<Budget>,
}

impl Shared {
    pub(super) fn new(name: &str) -> Self {
        Self {
            breakers: Breakers::new(name),
            bulkheads: Bulkheads::default(),
            budget: Mutex::new(Budget::new(Instant::now())),
        }
    }

    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Upstream {
    /// How a tool is treated.
    ///
    /// ```
    /// use breakfall_gateway::resilience::retry;
    /// use breakfall_gateway::upstream::{Origin, Places, Upstream};
    ///
    /// let care = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn)).care("search");
    /// assert_eq!(care.retry, Some(retry::RetryPolicy::default()));
    /// assert_eq!(care.places, Places::Endless);
    /// ```
    pub fn care(&self, tool: &str) -> Care {
        let said = self.tools.policy(tool);
        let shared = self.concurrency.map_or(Places::Endless, Places::Shared);
        Care {
            patience: TimeoutSetting::replacing(said.timeout, self.patience),
            retry: said.retry.map_or(self.retry, Switch::on),
            breaker: said.breaker.map_or(self.breaker, Switch::on),
            places: match said.concurrency {
                None => shared,
                Some(Switch::Off) => Places::Endless,
                Some(Switch::On(own)) => Places::Own(own),
            },
            idempotent: said.idempotent,
            fallback: said.fallback_tool,
            validate: self.tools.modes(tool, self.modes),
            unlisted: said.unlisted.unwrap_or(self.unlisted),
            deprecated: said.deprecated,
            slow: said.slow,
        }
    }

    /// Takes a place for a call, and waits for one if it must.
    ///
    /// # Errors
    /// When there is none in time, or too many wait already.
    pub async fn enter(
        &self,
        tool: &str,
        places: Places,
        left: Duration,
    ) -> Result<Option<Place>, Overloaded> {
        let bulkheads = &self.shared.bulkheads;
        match places {
            Places::Endless => Ok(None),
            Places::Shared(policy) => bulkheads.enter(&policy, left).await.map(Some),
            Places::Own(policy) => {
                let now = Instant::now();
                let place = bulkheads.enter_own(tool, &policy, left, now).await;
                place.map(Some)
            }
        }
    }

    /// The breakers of its tools.
    pub fn breakers(&self) -> &Breakers {
        &self.shared.breakers
    }

    /// A call of a tool is about to be made for the first time.
    ///
    /// # Errors
    /// When the tool is left alone for now.
    pub fn begin(&self, tool: &str, care: &Care) -> Result<Pass, Refused> {
        let now = Instant::now();
        let pass = self.breakers().admit(tool, care.breaker.as_ref(), now)?;
        self.shared.budget().called(now);
        Ok(pass)
    }

    /// A call of a tool is about to be made again.
    ///
    /// # Errors
    /// When the tool is left alone by now.
    pub fn begin_again(&self, tool: &str, care: &Care) -> Result<Pass, Refused> {
        let policy = care.breaker.as_ref();
        self.breakers().admit(tool, policy, Instant::now())
    }

    /// Something is about to be read for the first time.
    pub fn reads(&self) {
        self.shared.budget().called(Instant::now());
    }

    /// What is done about an attempt to read that failed: see [`retry::decide`].
    pub fn decide_read(&self, attempt: &Attempt<'_>, chance: f64) -> Decision {
        let budget = &mut self.shared.budget();
        retry::decide(attempt, self.retry.as_ref(), budget, chance, Instant::now())
    }

    /// What is done about an attempt that failed: see [`retry::decide`].
    pub fn decide(&self, attempt: &Attempt<'_>, care: &Care, chance: f64) -> Decision {
        let budget = &mut self.shared.budget();
        retry::decide(attempt, care.retry.as_ref(), budget, chance, Instant::now())
    }
}
