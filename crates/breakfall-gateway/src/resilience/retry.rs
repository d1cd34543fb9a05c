//! Whether a call that failed is made again, and when.
//!
//! Never twice: a call is repeated if it is certain that it was not carried out, or if it is known that carrying it out
//! again does no harm. Everything else is the caller's to decide, who is told what is known.

use std::time::Duration;

use breakfall::code::Entry;
use breakfall::{Category, Fault, Public, Retry, Timestamp};
use serde_json::Value;
use tokio::time::Instant;

use super::budget::Budget;
use super::is_decided;
use crate::config::Trust;
use breakfall_mcp::connection::uncertain;

pub use crate::config::RetryPolicy;

/// An attempt that failed.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever asks for a decision says all of it"
)]
pub struct Attempt<'a> {
    /// How often the call was made, this time included.
    pub made: u32,
    /// What went wrong, as the server or the transport says it.
    pub fault: &'a Public,
    /// Whether the call was carried out.
    pub executed: Executed,
    /// Whether carrying it out twice is known to do no harm: see [`is_repeatable`].
    pub is_repeatable: bool,
    /// Whether it brings answers to questions the server asked, which are good for one time.
    pub has_input_responses: bool,
    /// How much time the caller has left.
    pub left: Duration,
    /// When it failed.
    pub at: Timestamp,
}

/// Whether a call was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "there is nothing else to know")]
pub enum Executed {
    /// It certainly was not: it never left, or it was refused for its form, its sender or their number.
    No,
    /// Nobody knows.
    Unknown,
    /// The tool has answered.
    Yes,
}

impl Executed {
    /// After a request was lost: it may have been carried out if any of it was written.
    pub const fn after_loss(is_written: bool) -> Self {
        if is_written { Self::Unknown } else { Self::No }
    }

    /// Whether the call may have been carried out.
    pub const fn may_have_run(self) -> bool {
        match self {
            Self::No => false,
            Self::Unknown | Self::Yes => true,
        }
    }

    /// Tells the caller whether the call may have had an effect. One that may, and must not have it twice, is not for the caller
    /// to repeat.
    pub fn tell(self, fault: Fault, is_repeatable: bool) -> Fault {
        match self {
            Self::No => fault.detail("executed", "no"),
            Self::Unknown if !is_repeatable => uncertain(fault),
            Self::Unknown | Self::Yes => fault,
        }
    }

    /// As callers are told.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Unknown => "unknown",
            Self::Yes => "yes",
        }
    }
}

/// What is done about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no third way")]
pub enum Decision {
    /// The call is made again, after this long.
    After(Duration),
    /// It is not.
    GiveUp(Reason),
}

/// Why a call is not made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "the rules below, one by one")]
pub enum Reason {
    /// The operator does not want it.
    Off,
    /// It would fail again.
    Useless,
    /// It may have been carried out, and nobody knows whether that may happen twice.
    MayHaveRun,
    /// It was tried often enough.
    Attempts,
    /// The server wants a longer pause than a caller is kept waiting for.
    LongWait,
    /// The caller has no time left for it.
    Deadline,
    /// There were too many retries of late.
    Budget,
}

impl Reason {
    /// A word for logs.
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

/// Decides what is done about an attempt that failed. `chance` is a random number from 0 up to 1. The budget is charged
/// only if the call is made again.
///
/// ```
/// use std::time::Duration;
/// use breakfall::{Fault, Timestamp};
/// use breakfall_gateway::resilience::budget::Budget;
/// use breakfall_gateway::resilience::retry::{Attempt, Decision, Executed, RetryPolicy, Reason, decide};
/// use tokio::time::Instant;
///
/// let fault = Fault::connection("shop");
/// let mut attempt = Attempt {
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
/// assert_eq!(decision, Decision::After(Duration::from_millis(50)));
///
/// attempt.executed = Executed::Unknown;
/// let decision = decide(&attempt, Some(&policy), &mut budget, 0.5, now);
/// assert_eq!(decision, Decision::GiveUp(Reason::MayHaveRun));
/// ```
pub fn decide(
    attempt: &Attempt<'_>,
    policy: Option<&RetryPolicy>,
    budget: &mut Budget,
    chance: f64,
    now: Instant,
) -> Decision {
    let Some(policy) = policy else {
        return Decision::GiveUp(Reason::Off);
    };
    match wait(attempt, policy, chance) {
        Ok(_) if !budget.take(now) => Decision::GiveUp(Reason::Budget),
        Ok(wait) => Decision::After(wait),
        Err(reason) => Decision::GiveUp(reason),
    }
}

/// Everything but the budget.
fn wait(attempt: &Attempt<'_>, policy: &RetryPolicy, chance: f64) -> Result<Duration, Reason> {
    let most = match hope(attempt.fault) {
        Retry::Never | Retry::AfterChange => return Err(Reason::Useless),
        Retry::Once => policy.attempts.min(2),
        Retry::Backoff | Retry::After => policy.attempts,
    };
    if !attempt.is_harmless() {
        return Err(Reason::MayHaveRun);
    }
    if attempt.made >= most {
        return Err(Reason::Attempts);
    }
    let chance = if chance.is_finite() {
        chance.clamp(0.0, 1.0)
    } else {
        0.5
    };
    let wait = match stated(attempt.fault, attempt.at) {
        Some(wait) if wait > policy.max_wait => return Err(Reason::LongWait),
        // Nobody comes back too early, and not all at the same moment.
        Some(wait) => wait.saturating_add(wait.mul_f64(JITTER * chance)),
        None if attempt.fault.category() == Category::RateLimit => {
            let wait = policy.pause(attempt.made).max(LEAST_OF_LIMIT);
            if wait > policy.max_wait {
                return Err(Reason::LongWait);
            }
            wait.saturating_add(wait.mul_f64(JITTER * chance))
        }
        None => policy.pause(attempt.made).mul_f64(chance),
    };
    if wait >= attempt.left {
        return Err(Reason::Deadline);
    }
    Ok(wait)
}

impl RetryPolicy {
    /// The longest pause after this many attempts.
    fn pause(&self, made: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(made.saturating_sub(1));
        self.base.saturating_mul(doubled).min(self.cap).min(LONGEST)
    }
}

impl Attempt<'_> {
    /// Whether making the call again cannot repeat an effect.
    const fn is_harmless(&self) -> bool {
        match self.executed {
            Executed::No => true,
            Executed::Unknown | Executed::Yes => self.is_repeatable && !self.has_input_responses,
        }
    }
}

/// Whether the same call may succeed if it is made again: what the fault says, unless its row or its category knows
/// that no time changes anything.
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

/// The wait the server asks for: a duration, or the moment a limit ends.
fn stated(fault: &Public, at: Timestamp) -> Option<Duration> {
    fault.retry_after().or_else(|| {
        let resets: Timestamp = fault.details().text("resets_at")?.parse().ok()?;
        Duration::try_from(resets.duration_since(at)).ok()
    })
}

/// Whether carrying a call out twice is known to do no harm. The operator's word counts first; what the server says about
/// its own tools only if somebody other than its author has looked at it.
///
/// ```
/// use breakfall_gateway::config::Trust;
/// use breakfall_gateway::resilience::retry::is_repeatable;
///
/// assert!(is_repeatable(Some(true), None, None, Trust::Untested));
/// assert!(is_repeatable(None, Some(true), None, Trust::CommunityReviewed));
/// assert!(!is_repeatable(None, Some(true), Some(true), Trust::Validated));
/// assert!(!is_repeatable(Some(false), Some(true), Some(true), Trust::Certified));
/// ```
pub fn is_repeatable(
    idempotent: Option<bool>,
    read_only_hint: Option<bool>,
    idempotent_hint: Option<bool>,
    trust: Trust,
) -> bool {
    idempotent.unwrap_or_else(|| {
        let is_said = read_only_hint == Some(true) || idempotent_hint == Some(true);
        is_said && trust >= Trust::CommunityReviewed
    })
}

/// What was tried for one call.
///
/// ```
/// use std::time::Duration;
/// use breakfall::Fault;
/// use breakfall_gateway::resilience::retry::Tried;
///
/// let mut tried = Tried::default();
/// tried.attempt();
/// tried.wait(Duration::from_millis(80));
/// tried.attempt();
/// let fault = tried.tell(Fault::connection("shop"));
/// assert_eq!(fault.public().details().get("attempts"), Some(&2.into()));
/// assert_eq!(fault.public().details().get("waits_ms"), Some(&vec![80].into()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tried {
    attempts: u32,
    /// What others in between have tried beyond that.
    nested: u32,
    waits: Vec<Duration>,
}

impl Tried {
    /// The call is made, for the first time or again.
    pub fn attempt(&mut self) {
        self.attempts = self.attempts.saturating_add(1);
    }

    /// It was not made after all.
    ///
    /// ```
    /// use breakfall_gateway::resilience::retry::Tried;
    ///
    /// let mut tried = Tried::default();
    /// tried.attempt();
    /// tried.undo();
    /// assert_eq!(tried.attempts(), 0);
    /// ```
    pub fn undo(&mut self) {
        self.attempts = self.attempts.saturating_sub(1);
    }

    /// There is a pause before it is made again.
    pub fn wait(&mut self, wait: Duration) {
        self.waits.push(wait);
    }

    /// Counts what a gateway in between has tried for the last attempt, as its fault says.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall_gateway::resilience::retry::Tried;
    ///
    /// let mut tried = Tried::default();
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

    /// How often the call was made from here.
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// How often it was made, by whomever.
    pub const fn total(&self) -> u32 {
        self.attempts.saturating_add(self.nested)
    }

    /// How long the pauses were, in order.
    pub fn waits(&self) -> &[Duration] {
        &self.waits
    }

    /// Tells the caller, if there is more to tell than that it was tried once.
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

/// No gateway tries more often than that.
const MOST_NESTED: usize = 16;

/// The share of a stated wait that chance may add.
const JITTER: f64 = 0.1;

/// A limit that does not say when it ends is not over before this.
const LEAST_OF_LIMIT: Duration = Duration::from_secs(1);

/// So that no multiplication overflows.
const LONGEST: Duration = Duration::from_hours(24 * 365);
