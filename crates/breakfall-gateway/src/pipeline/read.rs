//! Requests that only read, which may be retried after any failure.

use std::sync::Arc;

use breakfall::{Fault, Timestamp};

use super::exchange::Exchange;
use super::observe::ObservedRequest;
use super::retry::Retryable;
use super::{CallError, CallFailure, Pipeline, start};
use crate::resilience::breakers::BreakerPass;
use crate::resilience::retry::{FailedAttempt, GiveUpReason, RetryDecision};
use crate::session::tell_loss;
use breakfall_mcp::connection::{
    ForwardFailure, ForwardOutcome, RequestSummary, RpcMethod, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Kind, RequestParams};

impl Pipeline {
    /// Passes on a request other than `tools/call`.
    pub(super) fn pass_on(self: Arc<Self>, frame: Frame, ticket: Ticket) {
        if self.upstream().context.is_judged && RpcMethod::is_read_again(&frame.method()) {
            return start(async move { self.read(frame, ticket).await });
        }
        let ticket = self.observe(&frame, ticket);
        self.link.request(frame, ticket);
    }

    /// Reads from the server, and again where that may help.
    async fn read(&self, frame: Frame, ticket: Ticket) {
        let (method, params) = (frame.method(), RequestParams::of(&frame));
        let summary = RequestSummary::of(&frame, &params);
        let observed = ObservedRequest {
            method: &method,
            params: frame.body(),
        };
        let mut attempts = ReadAttempts {
            pipeline: self,
            observed: &observed,
            frame: &frame,
            params,
            exchange: Exchange::new(ticket, self.upstream().timeouts),
        };
        let outcome = self.retry(&mut attempts).await;
        let mut exchange = attempts.exchange;
        let Some(ticket) = exchange.take_ticket() else {
            return;
        };
        match outcome {
            Ok(answer) => {
                self.answer(&observed, answer, &exchange.tried, ticket, summary.method);
            }
            Err(CallError::Cancelled) => ticket.withdraw(),
            Err(CallError::Failed(failed)) => {
                if let Some(answer) = failed.original {
                    self.answer(&observed, answer, &exchange.tried, ticket, summary.method);
                } else {
                    let is_written = failed.may_have_run();
                    let loss = ForwardFailure {
                        ticket,
                        fault: exchange.tried.tell(failed.failure.fault),
                        is_written,
                        challenge: failed.challenge,
                    };
                    tell_loss(loss, &summary, self.upstream());
                }
            }
        }
    }
}

/// The attempts of one request that only reads.
struct ReadAttempts<'a> {
    pipeline: &'a Pipeline,
    observed: &'a ObservedRequest<'a>,
    frame: &'a Frame,
    params: RequestParams,
    exchange: Exchange,
}

impl Retryable for ReadAttempts<'_> {
    type Answer = Frame;

    fn exchange(&mut self) -> &mut Exchange {
        &mut self.exchange
    }

    fn request(&self) -> (Frame, RequestParams) {
        (self.frame.clone(), self.params.clone())
    }

    fn is_rewritten(&self) -> bool {
        false
    }

    /// Reads have no breaker; they pay into the retry budget like calls.
    fn begin(&mut self) -> Result<BreakerPass, Fault> {
        self.exchange.check_deadline(self.observed.method)?;
        if self.exchange.tried.attempts() == 0 {
            self.pipeline.upstream().resilience.begin_read();
        }
        Ok(BreakerPass::unguarded())
    }

    fn judge(&mut self, outcome: ForwardOutcome) -> Result<Frame, Box<CallFailure>> {
        let answer = match outcome {
            ForwardOutcome::Answer(answer) => self.exchange.answered(*answer),
            ForwardOutcome::Lost(loss) => return Err(self.exchange.lost(*loss)),
        };
        let error = answer
            .original_body()
            .filter(|_| answer.kind() == Kind::Error);
        let Some(error) = error else {
            return Ok(answer);
        };
        let failure = self.pipeline.judge_error(self.observed, &answer, error);
        Err(Box::new(CallFailure {
            evidence: failure.evidence,
            failure,
            original: Some(answer),
            challenge: None,
        }))
    }

    fn decide(&mut self, failed: &CallFailure) -> RetryDecision {
        if failed.failure.is_retried {
            return RetryDecision::GiveUp(GiveUpReason::Attempts);
        }
        if self.pipeline.link.is_ending() {
            return RetryDecision::GiveUp(GiveUpReason::Deadline);
        }
        let attempt = FailedAttempt {
            made: self.exchange.tried.attempts(),
            fault: failed.failure.fault.public(),
            evidence: failed.evidence,
            is_repeatable: true,
            has_input_responses: self.params.has_input,
            left: self.exchange.remaining(),
            at: Timestamp::now(),
        };
        let upstream = self.pipeline.upstream();
        let chance = (upstream.context.chance)();
        upstream
            .resilience
            .decide(&attempt, upstream.retry.as_ref(), chance)
    }
}
