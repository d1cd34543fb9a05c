//! The limits that servers state: a tool that a server has refused for a while is not called before that is over.

use std::time::Duration;

use breakfall::{Category, Fault, Origin, Public, Timestamp, codes};
use serde_json::Value;
use tokio::time::Instant;

use super::later;
use crate::classify::ExecutionEvidence;
use crate::resilience::bounded::BoundedMap;
use breakfall_mcp::sync::Mutex;

/// The tools of one upstream that its server refuses for now.
#[derive(Debug, Default)]
pub struct LearnedLimits(BoundedMap<Mutex<StatedLimit>>);

/// What a server has stated.
#[derive(Debug, Default)]
struct StatedLimit {
    until: Option<Instant>,
    /// The limit and its window, if it has stated these.
    limit: Option<(u64, String)>,
}

impl LearnedLimits {
    /// Learns from a failed call: a server that refuses calls for a while, with 429 and a wait, is believed for an hour at most.
    /// What a tool states is not learned: its limit may be one of the arguments, or of what it calls.
    pub fn learn(&self, tool: &str, fault: &Public, evidence: ExecutionEvidence, now: Instant) {
        let is_limit = fault.category() == Category::RateLimit && fault.origin() != Origin::Gateway;
        let wait = fault.retry_after().filter(|wait| !wait.is_zero());
        let is_refused = evidence == ExecutionEvidence::Refused;
        let (Some(wait), true, true) = (wait, is_limit, is_refused) else {
            return;
        };
        let is_idle = |one: &Mutex<StatedLimit>| one.lock().wait(now).is_none();
        let Some(stated) = self.0.find_or(tool, now, Mutex::default, is_idle) else {
            // The server refuses by itself.
            return;
        };
        let details = fault.details();
        let limit = details.get("limit").and_then(Value::as_u64);
        let window = details.text("window").map(str::to_owned);
        let mut stated = stated.lock();
        let until = now + wait.min(LONGEST);
        stated.until = stated.until.max(Some(until));
        stated.limit = limit.zip(window);
    }

    /// Asks for a call.
    ///
    /// # Errors
    /// When the server has refused the tool until later.
    pub fn check(&self, tool: &str, now: Instant) -> Result<(), UpstreamLimited> {
        let Some(stated) = self.0.find(tool) else {
            return Ok(());
        };
        let stated = stated.lock();
        match stated.wait(now) {
            None => Ok(()),
            Some(retry_after) => Err(UpstreamLimited {
                retry_after,
                limit: stated.limit.clone(),
            }),
        }
    }
}

impl StatedLimit {
    fn wait(&self, now: Instant) -> Option<Duration> {
        let wait = self.until?.saturating_duration_since(now);
        (!wait.is_zero()).then_some(wait)
    }
}

/// The server does not accept calls of this tool before later.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UpstreamLimited {
    /// When to call again.
    pub retry_after: Duration,
    limit: Option<(u64, String)>,
}

impl UpstreamLimited {
    /// The fault for the caller. The call was not made.
    pub fn fault(&self, upstream: &str, now: Timestamp) -> Fault {
        let fault = Fault::new(codes::RATE_LIMIT_EXCEEDED);
        let fault = match &self.limit {
            Some((limit, window)) => fault
                .detail("limit", *limit)
                .detail("window", window.as_str()),
            None => fault,
        };
        fault
            .detail("remaining", 0)
            .resets_at(later(now, self.retry_after))
            .retry_after(self.retry_after)
            .detail("scope", format!("the server of {upstream}"))
            .detail("executed", "no")
    }
}

/// The longest time a server is believed.
const LONGEST: Duration = Duration::from_hours(1);
