//! What a client does after a failed call: the algorithm for agents as a type.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::{Channel, FailureEvidence, Reading};
use crate::fault::{Confidence, CorrelationId, Public};
use crate::outcome::{Elicitation, Outcome};
use crate::violation::Violation;
use crate::wire::Dialect;

/// What to do next after a call that came to no success.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "the branches of the algorithm")]
pub enum Advice<'a> {
    /// Wait, then make the very same call again.
    Repeat {
        /// How long to wait.
        after: Duration,
    },
    /// Call the tool again with these arguments, if the change is one the client may make without asking.
    Send(&'a Value),
    /// Let the model change what these point at, then call the tool again.
    Correct(&'a [Violation]),
    /// Call this tool, or offer it to the model.
    CallTool(&'a str),
    /// Put this question to the user.
    AskUser(&'a Elicitation),
    /// Tell the user, and go on without the result.
    GiveUp {
        /// What the user may be told; nothing where only the items of a batch have something to say.
        user_message: Option<&'a str>,
        /// The id that support asks for.
        reference: Option<&'a CorrelationId>,
    },
}

impl<'a> Advice<'a> {
    /// What a fault advises to do instead of repeating the call: the rest of the algorithm, for the items of a batch.
    ///
    /// ```
    /// use breakfall::Fault;
    /// use breakfall::read::Advice;
    ///
    /// let fault = Fault::not_found("order", "7").fallback_tool("list_orders");
    /// assert_eq!(Advice::of(fault.public()), Advice::CallTool("list_orders"));
    /// ```
    pub fn of(public: &'a Public) -> Self {
        let asks = public.elicitation().map(Self::AskUser);
        // The same or another way to do it would do it twice.
        let is_settled = !public.may_have_run();
        let params = public.corrective_params().map(Self::Send);
        let violations = public.violations();
        let correct = (!violations.is_empty()).then_some(Self::Correct(violations));
        let tool = public.fallback_tool().map(Self::CallTool);
        let other = params.or(correct).or(tool).filter(|_| is_settled);
        other.or(asks).unwrap_or(Self::GiveUp {
            user_message: Some(public.user_message()),
            reference: public.correlation_id(),
        })
    }
}

impl Reading {
    /// What to do next; nothing after a success.
    ///
    /// `attempt` is how often the call was repeated already, `chance` a random number from 0 up to 1. A call is repeated
    /// where its failure says so and as long as [`Backoff`](super::Backoff) allows, never on a guess, and not where the
    /// call may have had an effect, unless the [reader](super::Reader::repeatable) knows that the tool may be called twice.
    /// A batch is not repeated as a whole: [`Advice::of`] says what to do about each of its faults.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use breakfall::read::Advice;
    /// use breakfall::redact::Redactor;
    /// use breakfall::wire::{Dialect, Options, tool_result};
    /// use breakfall::{Fault, Timestamp, Window};
    ///
    /// let fault = Fault::rate_limited(3, Window::Minute).retry_after(Duration::from_secs(20));
    /// let outcome = Redactor::client().outcome(fault);
    /// let result = tool_result(outcome.as_ref(), Dialect::Native, &Options::new())?.to_value();
    /// let reading = breakfall::read(result);
    /// let advice = reading.advice(0, 0.0, Timestamp::UNIX_EPOCH);
    /// assert_eq!(advice, Some(Advice::Repeat { after: Duration::from_secs(20) }));
    /// # Ok::<(), breakfall::wire::EncodeError>(())
    /// ```
    pub fn advice(&self, attempt: u32, chance: f64, now: Timestamp) -> Option<Advice<'_>> {
        match &self.outcome {
            Outcome::NeedsInput(question) => Some(Advice::AskUser(question)),
            Outcome::Fault(fault) => Some(match self.delay(attempt, chance, now) {
                Some(after) => Advice::Repeat { after },
                None => Advice::of(fault.public()),
            }),
            Outcome::Success(_) | Outcome::Batch(_) => {
                self.is_no_success().then_some(Advice::GiveUp {
                    user_message: None,
                    reference: None,
                })
            }
        }
    }

    /// Whether the failure is a reason to make the call again.
    pub(super) fn may_repeat(&self, public: &Public) -> bool {
        // The server calls it a success.
        if self.evidence > FailureEvidence::Declared {
            return false;
        }
        if self.is_repeatable {
            return self.confidence != Confidence::Default;
        }
        self.states_retry(public) || (self.confidence < Confidence::Textual && !public.is_open())
    }

    /// Whether the server itself says if the call may be repeated: in a format that always does, or by a wait.
    fn states_retry(&self, public: &Public) -> bool {
        let has_wait = public.retry_after().is_some();
        match self.dialect {
            Some(Dialect::Native | Dialect::ToolError | Dialect::ErrorModel) => true,
            Some(Dialect::ResponseV2 | Dialect::McpAql | Dialect::McpError | Dialect::Problem) => {
                has_wait
            }
            None => {
                has_wait
                    && self.confidence < Confidence::Textual
                    && self.channel == Channel::RpcError
            }
        }
    }
}
