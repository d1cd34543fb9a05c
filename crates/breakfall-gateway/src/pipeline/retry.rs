//! The retry loop, for calls and for requests that only read.

use breakfall::{Fault, Origin, codes};
use tokio::time::{Instant, timeout};

use super::exchange::Exchange;
use super::{CallError, CallFailure, Pipeline};
use crate::classify::{ClassifiedFailure, ExecutionEvidence};
use crate::resilience::breaker::Health;
use crate::resilience::breakers::BreakerPass;
use crate::resilience::retry::RetryDecision;
use breakfall_mcp::connection::ForwardOutcome;
use breakfall_mcp::jsonrpc::{Frame, RequestParams};
use breakfall_mcp::timeouts::Timeouts;

/// A request that may be made more than once.
pub(super) trait Retryable {
    /// The answer it leads to.
    type Answer;

    fn exchange(&mut self) -> &mut Exchange;

    /// The request, as it is sent.
    fn request(&self) -> (Frame, RequestParams);

    /// Whether the request differs from what the client sent.
    fn is_rewritten(&self) -> bool;

    /// Asks for permission to make one attempt.
    fn begin(&mut self) -> Result<BreakerPass, Fault>;

    /// The one verdict on the outcome of an attempt.
    fn judge(&mut self, outcome: ForwardOutcome) -> Result<Self::Answer, Box<CallFailure>>;

    /// Whether a failed attempt is repeated.
    fn decide(&mut self, failed: &CallFailure) -> RetryDecision;
}

impl Pipeline {
    /// Makes a request until it is answered or must not be repeated.
    pub(super) async fn retry<R: Retryable>(
        &self,
        request: &mut R,
    ) -> Result<R::Answer, CallError> {
        let mut may_have_run = false;
        loop {
            let pass = match request.begin() {
                Ok(pass) => pass,
                Err(fault) => return Err(not_made(fault, may_have_run).into()),
            };
            let (frame, params) = request.request();
            let (weight, is_rewritten) = (frame.bytes().len(), request.is_rewritten());
            let exchange = request.exchange();
            let outcome = exchange.send(&self.link, (frame, params), is_rewritten);
            let outcome = outcome.await?;
            let failed = match request.judge(outcome) {
                Ok(answer) => {
                    request.exchange().mark_success();
                    pass.settle(Health::Works, Instant::now());
                    return Ok(answer);
                }
                Err(failed) => failed,
            };
            pass.settle(Health::shown_by(&failed.failure), Instant::now());
            if failed.is_crowded() {
                match self.wait_for_room(weight, request.exchange()).await {
                    Ok(true) => continue,
                    // An earlier attempt may have been carried out.
                    Err(CallError::Failed(_)) if may_have_run => {}
                    Ok(false) => {}
                    Err(error) => return Err(error),
                }
            }
            if failed.failure.is_retried {
                let public = failed.failure.fault.public();
                request.exchange().tried.nested(public);
            }
            if let RetryDecision::After(wait) = request.decide(&failed) {
                may_have_run |= failed.may_have_run();
                match request.exchange().pause(wait).await {
                    Ok(()) => continue,
                    // The session ends: no time is left to try again.
                    Err(CallError::Failed(_)) => {}
                    Err(cancelled @ CallError::Cancelled) => return Err(cancelled),
                }
            }
            return Err(failed.after_others(may_have_run).into());
        }
    }

    /// Waits until the server has read what others sent; false if waiting is pointless.
    async fn wait_for_room(
        &self,
        weight: usize,
        exchange: &mut Exchange,
    ) -> Result<bool, CallError> {
        let (Timeouts { idle, .. }, _) = exchange.next_deadline();
        let room = self.link.room(weight);
        let Some(room) = room.filter(|_| !idle.is_zero()) else {
            return Ok(false);
        };
        let has_room = exchange.or_cancelled(timeout(idle, room)).await?.is_ok();
        if has_room {
            exchange.undo_attempt();
        }
        Ok(has_room)
    }
}

/// An attempt that was not made, perhaps after others.
fn not_made(fault: Fault, may_have_run: bool) -> Box<CallFailure> {
    let fault = if may_have_run {
        fault.without_detail("executed")
    } else {
        fault
    };
    CallFailure::before_upstream(ClassifiedFailure::new(fault)).after_others(may_have_run)
}

impl CallFailure {
    /// The server reads too slowly, and the request never left the gateway.
    fn is_crowded(&self) -> bool {
        let public = self.failure.fault.public();
        self.evidence == ExecutionEvidence::Unsent
            && public.origin() == Origin::Gateway
            && public.code() == codes::UNAVAILABLE_OVERLOADED
    }

    /// An attempt that did nothing says nothing about earlier ones.
    fn after_others(mut self: Box<Self>, may_have_run: bool) -> Box<Self> {
        if may_have_run && !self.may_have_run() {
            self.evidence = ExecutionEvidence::Lost;
        }
        self
    }
}
