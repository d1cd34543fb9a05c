//! Decides whether a failed call is retried, and when.
//!
//! A call is retried only if it was certainly not executed, or if executing it twice is known to do no harm. Otherwise
//! the caller decides, and is told what is known.

use std::time::Duration;

use breakfall::code::Entry;
use breakfall::{Category, Fault, Public, Retry, Timestamp};
use serde_json::Value;
use tokio::time::Instant;

use super::budget::Budget;
use super::is_decided;
use crate::config::TrustLevel;
use breakfall_mcp::connection::uncertain;

pub use crate::config::RetryPolicy;

/// A failed attempt.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "callers supply every property")]
pub struct FailedAttempt<'a> {
    /// The number of attempts, including this one.
    pub made: u32,
    /// The fault of the server or the transport.
    pub fault: &'a Public,
    /// Whether the call was executed.
    pub executed: Executed,
    /// Whether executing it twice is known to do no harm: see [`is_repeatable`].
    pub is_repeatable: bool,
    /// Whether it carries input responses, which a server accepts only once.
    pub has_input_responses: bool,
    /// The time left until the caller's deadline.
    pub left: Duration,
    /// The time of the failure.
    pub at: Timestamp,
}

/// Whether a call was executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to know")]
pub enum Executed {
    /// Certainly not: it was not sent, or was refused for its form, its sender or a rate limit.
    No,
    /// Unknown.
    Unknown,
    /// The tool has answered.
    Yes,
}

impl Executed {
    /// After a request was lost: unknown if any of it was written.
    pub const fn after_loss(is_written: bool) -> Self {
        if is_written { Self::Unknown } else { Self::No }
    }

    /// Whether the call may have been executed.
    pub const fn may_have_run(self) -> bool {
        match self {
            Self::No => false,
            Self::Unknown | Self::Yes => true,
        }
    }

    /// Tells the caller whether the call may have had an effect. If it may, and must not have it twice, the fault says
    /// not to retry.
    pub fn tell(self, fault: Fault, is_repeatable: bool) -> Fault {
        match self {
            Self::No => fault.detail("executed", "no"),
            Self::Unknown if !is_repeatable => uncertain(fault),
            Self::Unknown | Self::Yes => fault,
        }
    }

    /// The name that callers read.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Unknown => "unknown",
            Self::Yes => "yes",
        }
    }
}

/// The decision on a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum RetryDecision {
    /// Retry after this delay.
    After(Duration),
    /// Give up.
    GiveUp(GiveUpReason),
}

/// Why a call is not retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the rules below, one by one")]
pub enum GiveUpReason {
    /// Retries are switched off.
    Off,
    /// The same call would fail again.
    Useless,
    /// The call may have been executed, and executing it twice may do harm.
    MayHaveRun,
    /// All attempts were made.
    Attempts,
    /// The stated retry time is longer than a caller is kept waiting.
    LongWait,
    /// The deadline leaves no time.
    Deadline,
    /// The retry budget is empty.
    Budget,
}

impl GiveUpReason {
    /// The name for logs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Useless => "useless",
            Self::MayHaveRun => "may_have_run",
            Self::Attempts => "attempts",
            Self::LongWait => "long_wait",
            Self::Deadline => "deadline",
            Self::Budget => "budget",
        }
    }
}

/// Decides what follows a failed attempt. `chance` is a random number from 0 up to 1. The budget is charged only for a
/// retry.
///
/// ```
/// use std::time::Duration;
/// use breakfall::{Fault, Timestamp};
/// use breakfall_gateway::resilience::budget::Budget;
/// use breakfall_gateway::resilience::retry::{FailedAttempt, RetryDecision, Executed, RetryPolicy, GiveUpReason, decide};
/// use tokio::time::Instant;
///
/// let fault = Fault::connection("shop");
/// let mut attempt = FailedAttempt {
///     made: 1,
///     fault: fault.public(),
///     executed: Executed::No,
///     is_repeatable: false,
///     has_input_responses: false,
///     left: Duration::from_secs(60),
///     at: Timestamp::UNIX_EPOCH,
/// };
/// let (now, policy) = (Instant::now(), RetryPolicy::default());
/// let mut budget = Budget::new(now);
/// let decision = decide(&attempt, Some(&policy), &mut budget, 0.5, now);
/// assert_eq!(decision, RetryDecision::After(Duration::from_millis(50)));
///
/// attempt.executed = Executed::Unknown;
/// let decision = decide(&attempt, Some(&policy), &mut budget, 0.5, now);
/// assert_eq!(decision, RetryDecision::GiveUp(GiveUpReason::MayHaveRun));
/// ```
pub fn decide(
    attempt: &FailedAttempt<'_>,
    policy: Option<&RetryPolicy>,
    budget: &mut Budget,
    chance: f64,
    now: Instant,
) -> RetryDecision {
    let Some(policy) = policy else {
        return RetryDecision::GiveUp(GiveUpReason::Off);
    };
    match wait(attempt, policy, chance) {
        Ok(_) if !budget.take(now) => RetryDecision::GiveUp(GiveUpReason::Budget),
        Ok(wait) => RetryDecision::After(wait),
        Err(reason) => RetryDecision::GiveUp(reason),
    }
}

/// The decision without the budget.
fn wait(
    attempt: &FailedAttempt<'_>,
    policy: &RetryPolicy,
    chance: f64,
) -> Result<Duration, GiveUpReason> {
    let most = match hope(attempt.fault) {
        Retry::Never | Retry::AfterChange => return Err(GiveUpReason::Useless),
        Retry::Once => policy.attempts.min(2),
        Retry::Backoff | Retry::After => policy.attempts,
    };
    if !attempt.is_harmless() {
        return Err(GiveUpReason::MayHaveRun);
    }
    if attempt.made >= most {
        return Err(GiveUpReason::Attempts);
    }
    let chance = if chance.is_finite() {
        chance.clamp(0.0, 1.0)
    } else {
        0.5
    };
    let wait = match stated(attempt.fault, attempt.at) {
        Some(wait) if wait > policy.max_wait => return Err(GiveUpReason::LongWait),
        // Jitter only adds to a stated wait.
        Some(wait) => wait.saturating_add(wait.mul_f64(JITTER * chance)),
        None if attempt.fault.category() == Category::RateLimit => {
            let wait = policy.pause(attempt.made).max(LEAST_OF_LIMIT);
            if wait > policy.max_wait {
                return Err(GiveUpReason::LongWait);
            }
            wait.saturating_add(wait.mul_f64(JITTER * chance))
        }
        None => policy.pause(attempt.made).mul_f64(chance),
    };
    if wait >= attempt.left {
        return Err(GiveUpReason::Deadline);
    }
    Ok(wait)
}

impl RetryPolicy {
    /// The upper bound of the delay after this many attempts.
    fn pause(&self, made: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(made.saturating_sub(1));
        self.base.saturating_mul(doubled).min(self.cap).min(LONGEST)
    }
}

impl FailedAttempt<'_> {
    /// Whether retrying cannot repeat an effect.
    const fn is_harmless(&self) -> bool {
        match self.executed {
            Executed::No => true,
            Executed::Unknown | Executed::Yes => self.is_repeatable && !self.has_input_responses,
        }
    }
}

/// Whether the same call may succeed later: what the fault says, unless its code or its category is never worth a
/// retry.
fn hope(fault: &Public) -> Retry {
    let Entry {
        retry: by_its_row, ..
    } = fault.code().entry();
    if is_decided(fault.category()) {
        return Retry::Never;
    }
    match by_its_row {
        Retry::Never => Retry::Never,
        Retry::AfterChange | Retry::Once | Retry::Backoff | Retry::After => fault.retry(),
    }
}

/// The wait that the server asks for: a duration, or the time at which a limit resets.
fn stated(fault: &Public, at: Timestamp) -> Option<Duration> {
    fault.retry_after().or_else(|| {
        let resets: Timestamp = fault.details().text("resets_at")?.parse().ok()?;
        Duration::try_from(resets.duration_since(at)).ok()
    })
}

/// Whether executing a call twice is known to do no harm. The operator's setting comes first; the hints of a server
/// count only if its tools were reviewed.
///
/// ```
/// use breakfall_gateway::config::TrustLevel;
/// use breakfall_gateway::resilience::retry::is_repeatable;
///
/// assert!(is_repeatable(Some(true), None, None, TrustLevel::Untested));
/// assert!(is_repeatable(None, Some(true), None, TrustLevel::CommunityReviewed));
/// assert!(!is_repeatable(None, Some(true), Some(true), TrustLevel::Validated));
/// assert!(!is_repeatable(Some(false), Some(true), Some(true), TrustLevel::Certified));
/// ```
pub fn is_repeatable(
    idempotent: Option<bool>,
    read_only_hint: Option<bool>,
    idempotent_hint: Option<bool>,
    trust: TrustLevel,
) -> bool {
    idempotent.unwrap_or_else(|| {
        let is_said = read_only_hint == Some(true) || idempotent_hint == Some(true);
        is_said && trust >= TrustLevel::CommunityReviewed
    })
}

/// The attempts of one call.
///
/// ```
/// use std::time::Duration;
/// use breakfall::Fault;
/// use breakfall_gateway::resilience::retry::AttemptLog;
///
/// let mut tried = AttemptLog::default();
/// tried.attempt();
/// tried.wait(Duration::from_millis(80));
/// tried.attempt();
/// let fault = tried.tell(Fault::connection("shop"));
/// assert_eq!(fault.public().details().get("attempts"), Some(&2.into()));
/// assert_eq!(fault.public().details().get("waits_ms"), Some(&vec![80].into()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AttemptLog {
    attempts: u32,
    /// Attempts of other gateways on the path, beyond their first.
    nested: u32,
    waits: Vec<Duration>,
}

impl AttemptLog {
    /// Counts an attempt.
    pub fn attempt(&mut self) {
        self.attempts = self.attempts.saturating_add(1);
    }

    /// Removes an attempt that was not made after all.
    ///
    /// ```
    /// use breakfall_gateway::resilience::retry::AttemptLog;
    ///
    /// let mut tried = AttemptLog::default();
    /// tried.attempt();
    /// tried.undo();
    /// assert_eq!(tried.attempts(), 0);
    /// ```
    pub fn undo(&mut self) {
        self.attempts = self.attempts.saturating_sub(1);
    }

    /// Records the delay before the next attempt.
    pub fn wait(&mut self, wait: Duration) {
        self.waits.push(wait);
    }

    /// Adds the retries of a gateway on the path for the last attempt, as its fault reports them.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall_gateway::resilience::retry::AttemptLog;
    ///
    /// let mut tried = AttemptLog::default();
    /// tried.attempt();
    /// let fault = Fault::connection("shop").detail("attempts", 3).detail("waits_ms", vec![50, 100]);
    /// tried.nested(fault.public());
    /// assert_eq!((tried.attempts(), tried.total(), tried.waits().len()), (1, 3, 2));
    /// ```
    pub fn nested(&mut self, fault: &Public) {
        let details = fault.details();
        let attempts = details.get("attempts").and_then(Value::as_u64);
        let more = u32::try_from(attempts.unwrap_or(1)).unwrap_or(u32::MAX);
        self.nested = self.nested.saturating_add(more.saturating_sub(1));
        let waits = details.get("waits_ms").and_then(Value::as_array);
        let waits = waits.into_iter().flatten().filter_map(Value::as_u64);
        let waits = waits.take(MOST_NESTED).map(Duration::from_millis);
        self.waits.extend(waits);
    }

    /// The number of attempts of this gateway.
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// The number of attempts, including those of other gateways on the path.
    pub const fn total(&self) -> u32 {
        self.attempts.saturating_add(self.nested)
    }

    /// The delays before retries, in order.
    pub fn waits(&self) -> &[Duration] {
        &self.waits
    }

    /// Adds the attempts to a fault, if there was more than one.
    pub fn tell(&self, fault: Fault) -> Fault {
        if self.total() < 2 {
            return fault;
        }
        let millis = |wait: &Duration| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
        let waits: Vec<u64> = self.waits.iter().map(millis).collect();
        fault
            .detail("attempts", self.total())
            .detail("waits_ms", Value::from(waits))
    }
}

/// The number of delays taken over from the fault of another gateway.
const MOST_NESTED: usize = 16;

/// The share of a stated wait that jitter may add.
const JITTER: f64 = 0.1;

/// The least wait for a limit without a reset time.
const LEAST_OF_LIMIT: Duration = Duration::from_secs(1);

/// An upper bound that keeps multiplications from overflowing.
const LONGEST: Duration = Duration::from_hours(24 * 365);
