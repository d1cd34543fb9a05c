//! The circuit breaker of one tool.
//!
//! Only failures below the tool count: a server that has exited, does not answer, sends invalid messages or declares an
//! outage. A tool that answers "no such order" is healthy, and so is one that answers "timed out": its own dependency
//! timed out. The rate of failures counts, not their number in a row: a busy tool with few failures stays in use, and
//! two failures of a rarely used one do not open the circuit.

mod phase;
mod status;
mod window;

use std::time::Duration;

use breakfall::{Category, Origin, Public};
use tokio::time::Instant;

use super::is_decided;
use crate::classify::ClassifiedFailure;
use phase::{ClosedPhase, HalfOpenPhase, OpenPhase};
pub use status::{BreakerState, BreakerStatus};

pub use crate::config::BreakerPolicy;

/// What a call has shown about the health of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to show")]
pub enum Health {
    /// Healthy: the tool has answered with a success or with an error of its domain.
    Works,
    /// Failing.
    Fails,
    /// Answering, without evidence of its health: the call was throttled, or failed by a statement that is not evidence
    /// of an outage.
    Answers,
    /// Unknown: the call was cancelled, or never made.
    Unsaid,
}

impl Health {
    /// The health that a failure has shown. A statement in an answer may be about anything that the tool depends on:
    /// only what the gateway observed, or what is declared in the native format, counts.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall_gateway::resilience::breaker::Health;
    /// use breakfall_gateway::classify::ClassifiedFailure;
    ///
    /// let mut failure = ClassifiedFailure::new(Fault::connection("shop"));
    /// assert_eq!(Health::shown_by(&failure), Health::Fails);
    /// failure.is_guessed = true;
    /// assert_eq!(Health::shown_by(&failure), Health::Answers);
    /// ```
    pub fn shown_by(failure: &ClassifiedFailure) -> Self {
        match Self::of(failure.fault.public()) {
            Self::Fails if failure.is_guessed => Self::Answers,
            health @ (Self::Works | Self::Fails | Self::Answers | Self::Unsaid) => health,
        }
    }

    /// The health that the fault of a call has shown. An `internal` fault that must not be retried by its code is not a
    /// sign of an outage; whether this very call may be retried does not matter.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall_gateway::resilience::breaker::Health;
    ///
    /// assert_eq!(Health::of(Fault::connection("shop").public()), Health::Fails);
    /// assert_eq!(Health::of(Fault::not_found("order", "7").public()), Health::Works);
    /// assert_eq!(Health::of(Fault::new(breakfall::codes::RATE_LIMIT_EXCEEDED).public()), Health::Answers);
    /// ```
    pub fn of(fault: &Public) -> Self {
        if fault.origin() == Origin::Gateway {
            return Self::Unsaid;
        }
        let category = fault.category();
        if is_decided(category) {
            return Self::Works;
        }
        let may_pass = fault.code().entry().retry.is_retryable();
        let is_outage = category == Category::Internal && may_pass;
        if is_outage || category == Category::Unavailable {
            Self::Fails
        } else {
            Self::Answers
        }
    }
}

/// A circuit breaker: a pure state machine over events and time.
///
/// ```
/// use breakfall_gateway::resilience::breaker::{Admission, Breaker, Health, BreakerPolicy, BreakerState};
/// use tokio::time::Instant;
///
/// let (now, policy) = (Instant::now(), BreakerPolicy::default());
/// let mut breaker = Breaker::new(policy, now);
/// for _ in 0..policy.minimum {
///     if let Admission::Pass(permit) = breaker.admit(now) {
///         breaker.settle(permit, Health::Fails, now);
///     }
/// }
/// assert_eq!(breaker.state(), BreakerState::Open);
/// assert!(matches!(breaker.admit(now), Admission::Open { retry_after } if retry_after == policy.open));
/// assert!(matches!(breaker.admit(now + policy.open), Admission::Pass(_)));
/// ```
#[derive(Debug, Clone)]
pub struct Breaker {
    policy: BreakerPolicy,
    phase: BreakerPhase,
    /// The number of state changes. A call that began in an earlier state says nothing about this one.
    epoch: u64,
    last_success: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
enum BreakerPhase {
    Closed(ClosedPhase),
    Open(OpenPhase),
    HalfOpen(HalfOpenPhase),
}

/// The decision on a call.
#[derive(Debug)]
#[must_use]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum Admission {
    /// The call may be made.
    Pass(TrialPermit),
    /// The circuit is open.
    Open {
        /// When a call may be allowed again.
        retry_after: Duration,
    },
}

/// Permission to make one call. Its holder settles or releases it.
#[derive(Debug)]
#[must_use]
pub struct TrialPermit {
    epoch: u64,
}

impl Breaker {
    /// A closed breaker.
    pub fn new(policy: BreakerPolicy, now: Instant) -> Self {
        Self {
            phase: BreakerPhase::Closed(ClosedPhase::new(&policy, now)),
            policy,
            epoch: 0,
            last_success: None,
        }
    }

    /// Changes the policy. The state stays; the window starts empty if its length changes.
    pub fn set_policy(&mut self, policy: &BreakerPolicy, now: Instant) {
        if let (BreakerPhase::Closed(closed), true) =
            (&mut self.phase, self.policy.window != policy.window)
        {
            *closed = ClosedPhase::new(policy, now);
        }
        self.policy = *policy;
    }

    /// Decides whether a call may be made.
    pub fn admit(&mut self, now: Instant) -> Admission {
        if let BreakerPhase::Open(open) = &self.phase {
            if let Some(retry_after) = open.rest(now) {
                return Admission::Open { retry_after };
            }
            let half = open.half_open();
            self.enter(BreakerPhase::HalfOpen(half));
        }
        if let BreakerPhase::HalfOpen(half) = &mut self.phase
            && !half.begin(&self.policy, now)
        {
            let retry_after = SOON.min(self.policy.open).max(MIN_RETRY_TIME);
            return Admission::Open { retry_after };
        }
        Admission::Pass(TrialPermit { epoch: self.epoch })
    }

    /// Records the health that an admitted call has shown.
    pub fn settle(&mut self, permit: TrialPermit, health: Health, now: Instant) {
        if permit.epoch != self.epoch {
            return;
        }
        match health {
            Health::Works => self.worked(now),
            Health::Fails => self.failed(now),
            Health::Answers => self.answered(now),
            Health::Unsaid => self.release(permit),
        }
    }

    /// Releases a call that was not made, or whose outcome is unknown.
    #[expect(clippy::needless_pass_by_value, reason = "a leave is used up")]
    pub fn release(&mut self, permit: TrialPermit) {
        if let (BreakerPhase::HalfOpen(half), true) = (&mut self.phase, permit.epoch == self.epoch)
        {
            half.ended();
        }
    }

    /// The current state.
    pub fn state(&self) -> BreakerState {
        match self.phase {
            BreakerPhase::Closed(_) => BreakerState::Closed,
            BreakerPhase::Open(_) => BreakerState::Open,
            BreakerPhase::HalfOpen(_) => BreakerState::HalfOpen,
        }
    }

    /// The status for reports.
    pub fn status(&self, now: Instant) -> BreakerStatus {
        let (failure_rate, expected_recovery) = match &self.phase {
            BreakerPhase::Closed(closed) => (closed.calls(now).rate(), None),
            BreakerPhase::Open(open) => (open.rate(), Some(open.rest(now).unwrap_or_default())),
            BreakerPhase::HalfOpen(half) => (half.rate(), Some(Duration::ZERO)),
        };
        BreakerStatus {
            state: self.state(),
            failure_rate,
            last_success: self
                .last_success
                .map(|last| now.saturating_duration_since(last)),
            expected_recovery,
        }
    }

    /// Closes the breaker by hand, and forgets its history.
    pub fn reset(&mut self, now: Instant) {
        self.enter(BreakerPhase::Closed(ClosedPhase::new(&self.policy, now)));
    }

    /// Opens the breaker by hand, for the usual time.
    pub fn trip(&mut self, now: Instant) {
        let rate = self.status(now).failure_rate;
        self.enter(BreakerPhase::Open(OpenPhase::by_hand(
            &self.policy,
            rate,
            now,
        )));
    }

    /// Whether a new breaker would behave the same.
    pub fn is_idle(&self, now: Instant) -> bool {
        match &self.phase {
            BreakerPhase::Closed(closed) => closed.calls(now).all() == 0,
            BreakerPhase::Open(_) | BreakerPhase::HalfOpen(_) => false,
        }
    }

    fn worked(&mut self, now: Instant) {
        self.last_success = Some(now);
        match &mut self.phase {
            BreakerPhase::Closed(closed) => closed.worked(now),
            BreakerPhase::HalfOpen(half) => {
                if let Some(closed) = half.worked(&self.policy, now) {
                    self.enter(BreakerPhase::Closed(closed));
                }
            }
            BreakerPhase::Open(_) => {}
        }
    }

    fn failed(&mut self, now: Instant) {
        let open = match &mut self.phase {
            BreakerPhase::Closed(closed) => closed.failed(&self.policy, now),
            BreakerPhase::HalfOpen(half) => Some(half.failed(&self.policy, now)),
            BreakerPhase::Open(_) => None,
        };
        if let Some(open) = open {
            self.enter(BreakerPhase::Open(open));
        }
    }

    fn answered(&mut self, now: Instant) {
        let closed = match &mut self.phase {
            BreakerPhase::HalfOpen(half) => half.answered(&self.policy, now),
            BreakerPhase::Closed(_) | BreakerPhase::Open(_) => None,
        };
        if let Some(closed) = closed {
            self.enter(BreakerPhase::Closed(closed));
        }
    }

    fn enter(&mut self, phase: BreakerPhase) {
        self.phase = phase;
        self.epoch += 1;
    }
}

/// The retry time while trials run, whose duration is unknown.
const SOON: Duration = Duration::from_secs(1);

/// A retry time of zero would be useless.
const MIN_RETRY_TIME: Duration = Duration::from_millis(1);
