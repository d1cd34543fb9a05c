//! The circuit breaker of one tool.
//!
//! Only failures below the tool count: a server that is gone, does not answer, answers garbage or declares that it does not
//! work. A tool that answers "no such order" works, and so does one that answers "timed out": it waited for what its caller
//! named. The share of failed calls counts, not their number in a row: a busy tool with few failures stays in use, and two
//! failures of a quiet one open nothing.

mod phase;
mod status;
mod window;

use std::time::Duration;

use breakfall::{Category, Origin, Public};
use tokio::time::Instant;

use super::is_decided;
use crate::classify::Failure;
use phase::{ClosedPhase, HalfOpenPhase, OpenPhase};
pub use status::{BreakerState, BreakerStatus};

pub use crate::config::BreakerPolicy;

/// What a call has shown about what is below the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to show")]
pub enum Health {
    /// It works: the tool has answered, be it with a success or with an error of its domain.
    Works,
    /// It fails.
    Fails,
    /// It answers, and whether it works cannot be told: the call was throttled, or failed by what somebody says.
    Answers,
    /// Nothing: the call was cancelled, or never made.
    Unsaid,
}

impl Health {
    /// What a failure has shown, by what is known of it. What an answer says of something that does not work may be about
    /// anything the caller has aimed at: only what was seen, or is declared in our own format, counts.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall_gateway::resilience::breaker::Health;
    /// use breakfall_gateway::classify::Failure;
    ///
    /// let mut failure = Failure::new(Fault::connection("shop"));
    /// assert_eq!(Health::shown_by(&failure), Health::Fails);
    /// failure.is_guessed = true;
    /// assert_eq!(Health::shown_by(&failure), Health::Answers);
    /// ```
    pub fn shown_by(failure: &Failure) -> Self {
        match Self::of(failure.fault.public()) {
            Self::Fails if failure.is_guessed => Self::Answers,
            health @ (Self::Works | Self::Fails | Self::Answers | Self::Unsaid) => health,
        }
    }

    /// What a call that failed has shown. A row of the category `internal` that repeating does not help is no sign of an
    /// outage; whether this very call may be repeated does not matter.
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

/// A breaker. Time goes in, decisions come out.
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
    /// How often the phase has changed. A call that began in another phase tells nothing about this one.
    epoch: u64,
    last_success: Option<Instant>,
}

#[derive(Debug, Clone, Copy)]
enum BreakerPhase {
    Closed(ClosedPhase),
    Open(OpenPhase),
    HalfOpen(HalfOpenPhase),
}

/// Whether a call may be made.
#[derive(Debug)]
#[must_use]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum Admission {
    /// It may.
    Pass(TrialPermit),
    /// It may not.
    Open {
        /// When it may perhaps.
        retry_after: Duration,
    },
}

/// The leave to make one call. Whoever has it says how the call went, or gives it back.
#[derive(Debug)]
#[must_use]
pub struct TrialPermit {
    epoch: u64,
}

impl Breaker {
    /// A closed one.
    pub fn new(policy: BreakerPolicy, now: Instant) -> Self {
        Self {
            phase: BreakerPhase::Closed(ClosedPhase::new(&policy, now)),
            policy,
            epoch: 0,
            last_success: None,
        }
    }

    /// Changes the policy. The state stays; calls are counted anew if the window has another length.
    pub fn set_policy(&mut self, policy: &BreakerPolicy, now: Instant) {
        if let (BreakerPhase::Closed(closed), true) =
            (&mut self.phase, self.policy.window != policy.window)
        {
            *closed = ClosedPhase::new(policy, now);
        }
        self.policy = *policy;
    }

    /// May a call be made?
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
            let retry_after = SOON.min(self.policy.open).max(SHORTEST);
            return Admission::Open { retry_after };
        }
        Admission::Pass(TrialPermit { epoch: self.epoch })
    }

    /// A call that was admitted is over.
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

    /// A call that was admitted was not made, or nobody knows how it went.
    #[expect(clippy::needless_pass_by_value, reason = "a leave is used up")]
    pub fn release(&mut self, permit: TrialPermit) {
        if let (BreakerPhase::HalfOpen(half), true) = (&mut self.phase, permit.epoch == self.epoch)
        {
            half.ended();
        }
    }

    /// Whether calls go through.
    pub fn state(&self) -> BreakerState {
        match self.phase {
            BreakerPhase::Closed(_) => BreakerState::Closed,
            BreakerPhase::Open(_) => BreakerState::Open,
            BreakerPhase::HalfOpen(_) => BreakerState::HalfOpen,
        }
    }

    /// How it is.
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

    /// Closes it by hand: what has happened is forgotten.
    pub fn reset(&mut self, now: Instant) {
        self.enter(BreakerPhase::Closed(ClosedPhase::new(&self.policy, now)));
    }

    /// Opens it by hand, for as long as it would open by itself.
    pub fn trip(&mut self, now: Instant) {
        let rate = self.status(now).failure_rate;
        self.enter(BreakerPhase::Open(OpenPhase::by_hand(
            &self.policy,
            rate,
            now,
        )));
    }

    /// Whether nobody would notice if it were a new one.
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

/// When to come back while trials run, which takes nobody knows how long.
const SOON: Duration = Duration::from_secs(1);

/// No wait at all would be no answer.
const SHORTEST: Duration = Duration::from_millis(1);
