//! Decides whether a failed call is retried, and when.
//!
//! [`answer`] says what a caller is told and whether the gateway may make the call again; [`decide`] whether it does, and
//! when. Words alone make no call repeatable that is not known to do no harm twice.

use std::time::Duration;

use breakfall::code::Entry;
use breakfall::{Category, Fault, Public, Retry, Timestamp};
use serde_json::Value;
use tokio::time::Instant;

use super::budget::Budget;
use super::is_decided;
use crate::classify::ExecutionEvidence;
use crate::config::HintTrust;

pub use crate::config::RetryPolicy;

/// A failed attempt.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::exhaustive_structs, reason = "callers supply every property")]
pub struct FailedAttempt<'a> {
    /// The number of attempts, including this one.
    pub made: u32,
    /// The fault of the server or the transport.
    pub fault: &'a Public,
    /// What is known about whether the call was executed.
    pub evidence: ExecutionEvidence,
    /// Whether executing it twice is known to do no harm: see [`is_repeatable`].
    pub is_repeatable: bool,
    /// Whether it carries input responses, which a server accepts only once.
    pub has_input_responses: bool,
    /// The time left until the caller's deadline.
    pub left: Duration,
    /// The time of the failure.
    pub at: Timestamp,
}

/// Whether a call was executed, as its caller reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to know")]
pub enum Executed {
    /// Certainly not.
    No,
    /// Unknown.
    Unknown,
}

impl Executed {
    /// The name that callers read.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Unknown => "unknown",
        }
    }
}

/// What a caller is told about making the same call again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "there is no other advice")]
pub enum RetryAdvice {
    /// What the server states, or else the code of the failure.
    AsCoded,
    /// The same, unless that is to make the call again: then not to.
    NotAgain,
    /// Not to make it again before it is known what became of it.
    LookFirst,
}

impl RetryAdvice {
    /// The name in the documentation.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AsCoded => "as coded",
            Self::NotAgain => "not again",
            Self::LookFirst => "look first",
        }
    }
}

/// What is told and done about a failed call: a row of the table in `docs/operating.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the columns of the table")]
pub struct RetryAnswer {
    /// Whether the call was executed, unless the server states it.
    pub executed: Executed,
    /// What the caller is told.
    pub advice: RetryAdvice,
    /// Whether the gateway may make the call again by itself.
    pub is_repeated: bool,
}

/// The one decision on what a failure means for the same call. `is_repeatable` if executing it twice is known to do no
/// harm: see [`is_repeatable`].
///
/// ```
/// use breakfall::Category;
/// use breakfall_gateway::classify::ExecutionEvidence;
/// use breakfall_gateway::resilience::retry::{Executed, RetryAdvice, answer};
///
/// let by_words = answer(ExecutionEvidence::Answered, Category::RateLimit, false);
/// assert_eq!((by_words.executed, by_words.advice), (Executed::Unknown, RetryAdvice::NotAgain));
/// assert!(!by_words.is_repeated);
/// ```
pub const fn answer(
    evidence: ExecutionEvidence,
    category: Category,
    is_repeatable: bool,
) -> RetryAnswer {
    let may_help = !is_decided(category);
    match evidence {
        ExecutionEvidence::Unsent => RetryAnswer {
            executed: Executed::No,
            advice: RetryAdvice::AsCoded,
            is_repeated: may_help,
        },
        ExecutionEvidence::Refused => RetryAnswer {
            executed: Executed::No,
            advice: RetryAdvice::AsCoded,
            is_repeated: may_help && is_repeatable,
        },
        ExecutionEvidence::Lost => RetryAnswer {
            executed: Executed::Unknown,
            advice: if is_repeatable {
                RetryAdvice::AsCoded
            } else {
                RetryAdvice::LookFirst
            },
            is_repeated: may_help && is_repeatable,
        },
        ExecutionEvidence::Stated => RetryAnswer {
            executed: Executed::Unknown,
            advice: RetryAdvice::AsCoded,
            is_repeated: may_help && is_repeatable,
        },
        ExecutionEvidence::Answered => RetryAnswer {
            executed: Executed::Unknown,
            advice: if is_repeatable {
                RetryAdvice::AsCoded
            } else {
                RetryAdvice::NotAgain
            },
            is_repeated: may_help && is_repeatable,
        },
        ExecutionEvidence::Hidden => RetryAnswer {
            executed: Executed::Unknown,
            advice: RetryAdvice::NotAgain,
            is_repeated: false,
        },
    }
}

impl RetryAnswer {
    /// Tells the caller. What the server states about the execution stands, unless it calls the result a success.
    pub fn tell(self, fault: Fault) -> Fault {
        let is_again = fault.public().retry().is_retryable();
        match self.advice {
            RetryAdvice::LookFirst => return fault.maybe_executed(),
            RetryAdvice::NotAgain if is_again => return fault.maybe_executed(),
            RetryAdvice::NotAgain | RetryAdvice::AsCoded => {}
        }
        let stated = fault.public().details().text("executed");
        match (self.executed, stated) {
            (Executed::Unknown, Some("yes")) => fault,
            (Executed::Unknown, Some("no")) if self.advice == RetryAdvice::AsCoded => fault,
            (executed, _) => fault.detail("executed", executed.as_str()),
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
/// use breakfall_gateway::classify::ExecutionEvidence;
/// use breakfall_gateway::resilience::budget::Budget;
/// use breakfall_gateway::resilience::retry::{FailedAttempt, RetryDecision, RetryPolicy, GiveUpReason, decide};
/// use tokio::time::Instant;
///
/// let fault = Fault::connection("shop");
/// let mut attempt = FailedAttempt {
///     made: 1,
///     fault: fault.public(),
///     evidence: ExecutionEvidence::Unsent,
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
/// attempt.evidence = ExecutionEvidence::Lost;
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
        self.base
            .saturating_mul(doubled)
            .min(self.cap)
            .min(MAX_DELAY)
    }
}

impl FailedAttempt<'_> {
    /// Whether retrying cannot repeat an effect.
    fn is_harmless(&self) -> bool {
        let is_repeatable = self.is_repeatable && !self.has_input_responses;
        answer(self.evidence, self.fault.category(), is_repeatable).is_repeated
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

/// Whether executing a call twice is known to do no harm: the operator's setting, or else what the server says of the
/// tool, if that is believed.
///
/// ```
/// use breakfall_gateway::config::HintTrust;
/// use breakfall_gateway::resilience::retry::is_repeatable;
///
/// assert!(is_repeatable(None, true, HintTrust::Believe));
/// assert!(!is_repeatable(None, true, HintTrust::Ignore));
/// assert!(!is_repeatable(Some(false), true, HintTrust::Believe));
/// ```
pub fn is_repeatable(idempotent: Option<bool>, is_hinted: bool, trust: HintTrust) -> bool {
    idempotent.unwrap_or(is_hinted && trust == HintTrust::Believe)
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
        let waits = waits.take(MAX_NESTED_DELAYS).map(Duration::from_millis);
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
const MAX_NESTED_DELAYS: usize = 16;

/// The share of a stated wait that jitter may add.
const JITTER: f64 = 0.1;

/// The least wait for a limit without a reset time.
const LEAST_OF_LIMIT: Duration = Duration::from_secs(1);

/// An upper bound that keeps multiplications from overflowing.
const MAX_DELAY: Duration = Duration::from_hours(24 * 365);
