//! The states of a breaker, each a type. A transition is a method of the state it leaves, so that an invalid transition
//! does not compile.
//!
//! ```text
//!              too many failures               time is over
//! ClosedPhase ───────────────────► OpenPhase ───────────────► HalfOpenPhase
//!      ▲                               ▲                           │    │
//!      │                               └────── a trial fails ──────┘    │
//!      └──────── enough trials succeed, or are at least answered ───────┘
//! ```

use std::time::Duration;

use tokio::time::Instant;

use super::BreakerPolicy;
use super::window::{Calls, Window};

/// Calls go through and are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct ClosedPhase {
    window: Window,
}

/// No call goes through.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenPhase {
    until: Instant,
    /// The failure rate when it opened.
    rate: f64,
}

/// A few trial calls go through.
#[derive(Debug, Clone, Copy)]
pub(super) struct HalfOpenPhase {
    running: u32,
    worked: u32,
    /// Trials that were answered without evidence of health.
    answered: u32,
    /// When the latest trial began.
    latest: Option<Instant>,
    rate: f64,
}

impl ClosedPhase {
    pub(super) fn new(policy: &BreakerPolicy, now: Instant) -> Self {
        Self {
            window: Window::new(policy.window, now),
        }
    }

    pub(super) fn worked(&mut self, now: Instant) {
        self.window.worked(now);
    }

    /// Counts a failure, and opens the circuit if the failure rate is too high.
    pub(super) fn failed(&mut self, policy: &BreakerPolicy, now: Instant) -> Option<OpenPhase> {
        self.window.failed(now);
        let calls = self.window.calls(now);
        let is_enough = calls.all() >= policy.minimum && calls.rate() >= policy.rate;
        is_enough.then(|| OpenPhase::new(policy, calls.rate(), now))
    }

    pub(super) fn calls(&self, now: Instant) -> Calls {
        self.window.calls(now)
    }
}

impl OpenPhase {
    fn new(policy: &BreakerPolicy, rate: f64, now: Instant) -> Self {
        Self {
            until: now + policy.open,
            rate,
        }
    }

    /// Opens the circuit by hand, whatever its history.
    pub(super) fn by_hand(policy: &BreakerPolicy, rate: f64, now: Instant) -> Self {
        Self::new(policy, rate, now)
    }

    /// The remaining time in this state; `None` if it is over.
    pub(super) fn rest(&self, now: Instant) -> Option<Duration> {
        let rest = self.until.saturating_duration_since(now);
        (!rest.is_zero()).then_some(rest)
    }

    pub(super) fn half_open(&self) -> HalfOpenPhase {
        HalfOpenPhase {
            running: 0,
            worked: 0,
            answered: 0,
            latest: None,
            rate: self.rate,
        }
    }

    pub(super) fn rate(&self) -> f64 {
        self.rate
    }
}

impl HalfOpenPhase {
    /// Admits a trial, if one is needed. No more run at once than must succeed; but a trial that takes longer than the
    /// open time does not block others.
    pub(super) fn begin(&mut self, policy: &BreakerPolicy, now: Instant) -> bool {
        let is_needed = self.running.saturating_add(self.worked) < policy.probes;
        let is_stuck = self
            .latest
            .is_none_or(|latest| now.saturating_duration_since(latest) >= policy.open);
        let may = is_needed || is_stuck;
        if may {
            self.running = self.running.saturating_add(1);
            self.latest = Some(now);
        }
        may
    }

    /// A trial has ended.
    pub(super) fn ended(&mut self) {
        self.running = self.running.saturating_sub(1);
    }

    /// Counts a successful trial, and closes the circuit if enough have succeeded.
    pub(super) fn worked(&mut self, policy: &BreakerPolicy, now: Instant) -> Option<ClosedPhase> {
        self.ended();
        self.worked = self.worked.saturating_add(1);
        let is_enough = self.worked >= policy.probes || self.is_quiet(policy);
        is_enough.then(|| ClosedPhase::new(policy, now))
    }

    /// Counts a trial that was only answered, and closes the circuit if there were enough of them.
    pub(super) fn answered(&mut self, policy: &BreakerPolicy, now: Instant) -> Option<ClosedPhase> {
        self.ended();
        self.answered = self.answered.saturating_add(1);
        self.is_quiet(policy).then(|| ClosedPhase::new(policy, now))
    }

    /// Whether enough trials were answered to judge the tool. None of them showed an outage, and some tools never give
    /// better evidence.
    fn is_quiet(&self, policy: &BreakerPolicy) -> bool {
        self.worked.saturating_add(self.answered) >= policy.minimum.max(policy.probes)
    }

    pub(super) fn failed(&self, policy: &BreakerPolicy, now: Instant) -> OpenPhase {
        OpenPhase::new(policy, self.rate, now)
    }

    pub(super) fn rate(&self) -> f64 {
        self.rate
    }
}
