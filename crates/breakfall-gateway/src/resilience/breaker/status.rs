//! The status of a breaker, for people and for callers.

use std::time::Duration;

use breakfall::Timestamp;
use serde_json::{Value, json};

/// The state of a circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a closed set of words, matched in full"
)]
pub enum BreakerState {
    /// Calls go through.
    Closed,
    /// Calls are refused.
    Open,
    /// A few trial calls go through.
    HalfOpen,
}

impl BreakerState {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half_open",
        }
    }

    /// Its value as a gauge: 0 closed, 1 open, 2 half-open.
    pub const fn gauge(self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::Open => 1,
            Self::HalfOpen => 2,
        }
    }
}

/// The status of a breaker.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct BreakerStatus {
    /// The state of the circuit.
    pub state: BreakerState,
    /// The failure rate; if the circuit is not closed, the rate when it opened.
    pub failure_rate: f64,
    /// The time since the last success.
    pub last_success: Option<Duration>,
    /// The time until the next trial.
    pub expected_recovery: Option<Duration>,
}

impl BreakerStatus {
    /// As a JSON object, at this time.
    pub fn to_value(
        &self,
        service: &str,
        tool: &str,
        fallback_tool: Option<&str>,
        at: Timestamp,
    ) -> Value {
        let last_success = self.last_success.and_then(|ago| at.checked_sub(ago).ok());
        let recovery = self.expected_recovery;
        let recovery = recovery.and_then(|rest| at.checked_add(rest).ok());
        json!({
            "service": service,
            "tool": tool,
            "circuit_state": self.state.as_str(),
            "failure_rate": self.rounded_rate(),
            "last_success": last_success.map(|at| at.to_string()),
            "recommendation": self.recommendation(fallback_tool),
            "fallback_tool": fallback_tool,
            "expected_recovery": recovery.map(|at| at.to_string()),
        })
    }

    /// The failure rate, rounded to three digits.
    pub(crate) fn rounded_rate(&self) -> f64 {
        (self.failure_rate * 1000.0).round() / 1000.0
    }

    fn recommendation(&self, fallback_tool: Option<&str>) -> String {
        match (self.state, fallback_tool) {
            (BreakerState::Closed, _) => "Call it as usual.".to_owned(),
            (BreakerState::HalfOpen, _) => {
                "It is being tried again; call it, and come back in a second if it is refused."
                    .to_owned()
            }
            (BreakerState::Open, Some(tool)) => format!("Use '{tool}' meanwhile."),
            (BreakerState::Open, None) => {
                let rest = self.expected_recovery.unwrap_or_default();
                let seconds = rest.as_secs() + u64::from(rest.subsec_nanos() > 0);
                format!("Do something else first, and call it again in {seconds} seconds.")
            }
        }
    }
}
