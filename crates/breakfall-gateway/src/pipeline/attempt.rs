//! Stage 6: calls the server, and again where that can do no harm.

use breakfall::catalog::warning::LOOKS_FAILED;
use breakfall::{Fault, Timestamp, Warning};
use tokio::time::Instant;

use super::exchange::Exchange;
use super::retry::Retryable;
use super::{Admitted, CallContext, CallCost, CallError, CallFailure, Pipeline, blame_arguments};
use crate::classify::{self, ClassifiedFailure, JudgedRequest, Suspicion, Verdict};
use crate::config::ValidationRule;
use crate::resilience::breakers::BreakerPass;
use crate::resilience::retry::{self, FailedAttempt, GiveUpReason, RetryDecision};
use crate::tools::output::{self, OutputMismatch};
use crate::tools::{Tool, ToolLookup};
use breakfall_mcp::connection::ForwardOutcome;
use breakfall_mcp::jsonrpc::{Frame, RequestParams};

/// An answer of the server without a failure.
#[derive(Debug)]
pub struct Answer {
    pub(super) frame: Frame,
    /// Whether the server asks for input, or has started a task, instead of a result.
    pub(super) asks: bool,
}

impl Pipeline {
    /// Calls the server until it answers or the call must not be repeated, and settles what the call owes to limits.
    ///
    /// # Errors
    /// When the call fails, or the client cancels the call.
    pub async fn attempt(
        &self,
        mut admitted: Admitted,
        context: &mut CallContext,
    ) -> Result<Answer, CallError> {
        let mut attempts = CallAttempts {
            pipeline: self,
            admitted: &admitted,
            context,
        };
        let outcome = self.retry(&mut attempts).await;
        let answer = match &outcome {
            Ok(answer) => answer.frame.body(),
            Err(CallError::Failed(failed)) => failed.original.as_ref().and_then(Frame::body),
            Err(CallError::Cancelled) => None,
        };
        self.count_tokens(&mut admitted, answer, context);
        let outcome = outcome.map_err(|error| match error {
            CallError::Failed(mut failed) => {
                let category = failed.failure.fault.public().category();
                let is_repeatable = is_repeatable(&admitted, context);
                let answer = retry::answer(failed.evidence, category, is_repeatable);
                failed.map_fault(|fault| answer.tell(fault));
                blame_arguments::in_failure(failed, &admitted).into()
            }
            cancelled @ CallError::Cancelled => cancelled,
        });
        admitted.settle(CallCost::of(&outcome, context));
        outcome
    }

    /// Learns a limit that the server states. Credentials of a client may have limits of their own.
    fn learn_limit(&self, tool: &str, failed: &CallFailure) {
        if !self.link.passes_credentials() {
            let fault = failed.failure.fault.public();
            let learned = self.upstream().resilience.learned();
            learned.learn(tool, fault, failed.evidence, Instant::now());
        }
    }

    /// The tool the caller may use in place of one that does not work: the one the operator names, or an equivalent one.
    pub(super) fn fallback(&self, context: &CallContext) -> Option<String> {
        if let Some(tool) = &context.policy.fallback {
            // A pattern may match the very tool it names.
            let is_itself = tool.upstream.is_none() && *tool.tool == *context.tool();
            return (!is_itself).then(|| context.fallback_name(tool)).flatten();
        }
        match self.link.tools().find(context.tool()) {
            ToolLookup::Known(tool) | ToolLookup::Stale(tool) => context.equivalent_of(&tool),
            ToolLookup::Unknown | ToolLookup::Unlisted => None,
        }
    }
}

/// Whether repeating the call is known to do no harm.
fn is_repeatable(admitted: &Admitted, context: &CallContext) -> bool {
    let hints = admitted.tool().map(Tool::hints).unwrap_or_default();
    let policy = &context.policy;
    retry::is_repeatable(policy.idempotent, hints.may_repeat(), policy.hints)
        && !admitted.call().params().has_input
}

/// The attempts of one admitted call.
struct CallAttempts<'a> {
    pipeline: &'a Pipeline,
    admitted: &'a Admitted,
    context: &'a mut CallContext,
}

impl Retryable for CallAttempts<'_> {
    type Answer = Answer;

    fn exchange(&mut self) -> &mut Exchange {
        &mut self.context.exchange
    }

    fn request(&self) -> (Frame, RequestParams) {
        self.admitted.call().copy()
    }

    fn is_rewritten(&self) -> bool {
        self.admitted.call().is_rewritten()
    }

    /// Checks the deadline and the circuit.
    fn begin(&mut self) -> Result<BreakerPass, Fault> {
        let context = &*self.context;
        let name = context.caller_name(context.tool());
        context.exchange.check_deadline(&name)?;
        let state = &self.pipeline.upstream().resilience;
        let breaker = context.policy.breaker.as_ref();
        let passed = match context.exchange.tried.attempts() {
            0 => state.begin(context.tool(), breaker),
            _ => state.begin_again(context.tool(), breaker),
        };
        match passed {
            Ok(pass) if self.admitted.tool().is_some() => Ok(pass.listed()),
            Ok(pass) => Ok(pass),
            Err(open) => Err(open.fault(&name, self.pipeline.fallback(context).as_deref())),
        }
    }

    fn judge(&mut self, outcome: ForwardOutcome) -> Result<Answer, Box<CallFailure>> {
        let context = &mut *self.context;
        let mut frame = match outcome {
            ForwardOutcome::Answer(answer) => context.exchange.answered(*answer),
            ForwardOutcome::Lost(loss) => return Err(context.exchange.lost(*loss)),
        };
        let rules = &self.pipeline.upstream().context.replies.rules;
        let call = self.admitted.call();
        let about = JudgedRequest::call(call.tool(), rules)
            .arguments(call.arguments().unwrap_or("{}"))
            .hidden_failures(context.policy.hidden_failures);
        let mut verdict = classify::judge(&frame, &about);
        if matches!(verdict, Verdict::Malformed) {
            let (repaired, warning) = classify::repair(frame, call.tool());
            context.warnings.push(warning);
            verdict = classify::judge(&repaired, &about);
            frame = repaired;
        }
        let failure = match verdict {
            Verdict::Asks => return Ok(Answer { frame, asks: true }),
            Verdict::Success | Verdict::Malformed | Verdict::LooksFailed(_) => {
                if let Verdict::LooksFailed(suspicion) = &verdict {
                    context.warnings.push(looks_failed(suspicion, call.tool()));
                }
                match mismatch(self.admitted, &frame, context) {
                    None => return Ok(Answer { frame, asks: false }),
                    Some(failure) => failure,
                }
            }
            Verdict::Failed(failure) => failure,
        };
        Err(Box::new(CallFailure {
            evidence: failure.evidence,
            failure,
            original: Some(frame),
            challenge: None,
        }))
    }

    fn decide(&mut self, failed: &CallFailure) -> RetryDecision {
        self.pipeline.learn_limit(self.context.tool(), failed);
        // Three attempts of each of two gateways are nine.
        if failed.failure.is_retried {
            return RetryDecision::GiveUp(GiveUpReason::Attempts);
        }
        if self.pipeline.link.is_ending() {
            return RetryDecision::GiveUp(GiveUpReason::Deadline);
        }
        let context = &*self.context;
        let attempt = FailedAttempt {
            made: context.exchange.tried.attempts(),
            fault: failed.failure.fault.public(),
            evidence: failed.evidence,
            is_repeatable: is_repeatable(self.admitted, context),
            has_input_responses: self.admitted.call().params().has_input,
            left: context.exchange.remaining(),
            at: Timestamp::now(),
        };
        let upstream = self.pipeline.upstream();
        let chance = (upstream.context.chance)();
        upstream
            .resilience
            .decide(&attempt, context.policy.retry.as_ref(), chance)
    }
}

/// The warning on a success that reads like a failure.
fn looks_failed(suspicion: &Suspicion, tool: &str) -> Warning {
    Warning::new(LOOKS_FAILED)
        .context("operation", tool)
        .context("rule", suspicion.rule.as_str())
        .context("looks_like", suspicion.code.name())
        .context("advice", LOOKS_FAILED_ADVICE)
}

const LOOKS_FAILED_ADVICE: &str = "Read the text: if the tool was asked for it (a file, the output of a command), use it; if not, the call failed. Do not repeat the call on this account.";

/// A success that breaks the output schema of its tool.
fn mismatch(
    admitted: &Admitted,
    frame: &Frame,
    context: &mut CallContext,
) -> Option<ClassifiedFailure> {
    let (tool, result) = (admitted.tool()?, frame.body()?);
    match output::check(
        tool,
        result,
        context.policy.validate.of(ValidationRule::Output),
    )? {
        OutputMismatch::Told(warning) => {
            context.warnings.push(warning);
            None
        }
        OutputMismatch::Refused(fault) => Some(ClassifiedFailure::new(fault)),
    }
}
