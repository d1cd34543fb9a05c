//! One request of a client while it is answered: its ticket, its deadline, and what was tried for it.

use std::future::ready;
use std::time::Duration;

use breakfall::{Fault, codes};
use tokio::time::{Instant, sleep};

use super::error::{CallError, CallFailure};
use crate::classify::{ClassifiedFailure, ExecutionEvidence};
use crate::record::{AttemptOutcome, AttemptRecord};
use crate::resilience::retry::AttemptLog;
use crate::session::Link;
use breakfall_mcp::connection::{CancelReason, ForwardFailure, ForwardOutcome, Ticket};
use breakfall_mcp::jsonrpc::{Frame, RequestParams};
use breakfall_mcp::timeouts::Timeouts;

/// The duty to answer one request, and what was tried for it so far.
#[derive(Debug)]
pub(super) struct Exchange {
    /// Absent while the request is with the server.
    ticket: Option<Ticket>,
    started: Instant,
    timeouts: Timeouts,
    /// The time users took to answer questions, which is not counted against the deadline.
    user_time: Duration,
    pub(super) tried: AttemptLog,
    /// Every attempt, also those before a correction of the arguments.
    pub(super) attempt_records: Vec<AttemptRecord>,
}

impl Exchange {
    pub(super) fn new(ticket: Ticket, timeouts: Timeouts) -> Self {
        // The time of a request runs while it waits for the server to be ready.
        let started = ticket.received().unwrap_or_else(Instant::now);
        Self {
            ticket: Some(ticket),
            started,
            timeouts,
            user_time: Duration::ZERO,
            tried: AttemptLog::default(),
            attempt_records: Vec::new(),
        }
    }

    pub(super) fn ticket(&self) -> Option<&Ticket> {
        self.ticket.as_ref()
    }

    pub(super) fn take_ticket(&mut self) -> Option<Ticket> {
        self.ticket.take()
    }

    /// The time that is left until the deadline.
    pub(super) fn remaining(&self) -> Duration {
        self.limit().saturating_sub(self.worked())
    }

    /// The time there is from receipt to the deadline. Before the first attempt no progress can have moved it.
    fn limit(&self) -> Duration {
        let Timeouts { idle, total } = self.timeouts;
        if self.attempt_records.is_empty() {
            idle.min(total)
        } else {
            total
        }
    }

    /// The timeouts of the next attempt, and since when they count. The first attempt has the deadline of the request.
    pub(super) fn next_deadline(&self) -> (Timeouts, Instant) {
        if self.attempt_records.is_empty() {
            return (self.timeouts, self.started + self.user_time);
        }
        let total = self.remaining();
        let idle = self.timeouts.idle.min(total);
        (Timeouts { idle, total }, Instant::now())
    }

    /// The age of the request.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// The age of the request without the time of users.
    pub(super) fn worked(&self) -> Duration {
        self.elapsed().saturating_sub(self.user_time)
    }

    pub(super) fn add_user_time(&mut self, time: Duration) {
        self.user_time += time;
    }

    /// Sends the request to the server once, within what is left of its time.
    pub(super) async fn send(
        &mut self,
        link: &Link,
        (frame, params): (Frame, RequestParams),
        is_rewritten: bool,
    ) -> Result<ForwardOutcome, CallError> {
        // The cancellation may be here already.
        self.or_cancelled(ready(())).await?;
        let mut ticket = self.ticket.take().ok_or(CallError::Cancelled)?;
        let (timeouts, since) = self.next_deadline();
        ticket.set_deadline(timeouts, since);
        if is_rewritten {
            ticket = ticket.rewritten();
        }
        let (ticket, outcome) = ticket.watched();
        self.tried.attempt();
        let started = Instant::now();
        link.request_with(frame, params, ticket);
        let outcome = outcome.await;
        self.attempt_records.push(AttemptRecord {
            outcome: match outcome {
                Ok(_) => AttemptOutcome::Failed,
                Err(_) => AttemptOutcome::Cancelled,
            },
            duration: started.elapsed(),
        });
        // A cancellation drops the sender and withdraws the ticket.
        outcome.map_err(|_| CallError::Cancelled)
    }

    /// The last attempt counts as a failure until this is called.
    pub(super) fn mark_success(&mut self) {
        if let Some(attempt) = self.attempt_records.last_mut() {
            attempt.outcome = AttemptOutcome::Success;
        }
    }

    /// The last attempt never left the gateway.
    pub(super) fn undo_attempt(&mut self) {
        self.tried.undo();
        self.attempt_records.pop();
    }

    /// Waits before the next attempt.
    pub(super) async fn pause(&mut self, wait: Duration) -> Result<(), CallError> {
        self.or_cancelled(sleep(wait)).await?;
        self.tried.wait(wait);
        Ok(())
    }

    /// The server has answered: takes the ticket back.
    pub(super) fn answered(&mut self, (frame, ticket): (Frame, Ticket)) -> Frame {
        self.ticket = Some(ticket);
        frame
    }

    /// The request was lost: takes the ticket back.
    pub(super) fn lost(&mut self, loss: ForwardFailure) -> Box<CallFailure> {
        let ForwardFailure {
            ticket,
            fault,
            is_written,
            challenge,
        } = loss;
        self.ticket = Some(ticket);
        // The last attempt had what was left; the caller knows the timeout of the whole call.
        let fault = if fault.code() == codes::UNAVAILABLE_TIMEOUT && self.remaining().is_zero() {
            fault.detail("timeout_ms", self.timeout_ms())
        } else {
            fault
        };
        Box::new(CallFailure {
            evidence: ExecutionEvidence::of_loss(is_written, &fault),
            failure: ClassifiedFailure::new(fault),
            original: None,
            challenge,
        })
    }

    /// Fails if no time is left for an attempt.
    pub(super) fn check_deadline(&self, operation: &str) -> Result<(), Fault> {
        if !self.remaining().is_zero() {
            return Ok(());
        }
        let fault = Fault::timeout(operation, self.limit());
        Err(fault.detail("timeout_ms", self.timeout_ms()))
    }

    fn timeout_ms(&self) -> u64 {
        u64::try_from(self.limit().as_millis()).unwrap_or(u64::MAX)
    }

    /// Runs a future until the client cancels the request or the session ends.
    pub(super) async fn or_cancelled<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, CallError> {
        let ticket = self.ticket.as_ref().ok_or(CallError::Cancelled)?;
        // A server that was asked before is not told of the cancellation.
        ticket.clear_location();
        let cancelled = ticket.cancellation();
        tokio::select! {
            biased;
            reason = cancelled => Err(CallError::from_cancel(reason)),
            done = work => Ok(done),
        }
    }
}

impl CallError {
    fn from_cancel(reason: CancelReason) -> Self {
        match reason {
            CancelReason::TakenBack => Self::Cancelled,
            CancelReason::Ending => crate::session::ended().detail("executed", "no").into(),
        }
    }
}
