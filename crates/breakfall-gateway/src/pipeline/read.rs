//! Requests that only read: whatever becomes of them, making them again does no harm.

use std::sync::Arc;

use breakfall::{Fault, Timestamp};
use tokio::time::{Instant, sleep};

use super::Pipeline;
use super::overhear::Overheard;
use crate::resilience::retry::{Attempt, Decision, Executed, Reason, Tried};
use crate::session::{self, tell_loss};
use breakfall_mcp::connection::{CancelReason, ForwardOutcome, RequestSummary, RpcMethod, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Kind, RequestParams};
use breakfall_mcp::timeouts::Timeouts;

impl Pipeline {
    /// Takes a request that is no call, which is answered sooner or later.
    pub(crate) fn pass_on(self: &Arc<Self>, frame: Frame, ticket: Ticket) {
        if self.upstream().means.is_judged && RpcMethod::is_read_again(&frame.method()) {
            let me = Arc::clone(self);
            return drop(tokio::spawn(async move { me.read(frame, ticket).await }));
        }
        let ticket = self.overhear(&frame, ticket);
        self.link.request(frame, ticket);
    }

    /// Asks until there is an answer, or no point in asking.
    async fn read(&self, frame: Frame, mut ticket: Ticket) {
        let (method, params) = (frame.method(), RequestParams::of(&frame));
        let asked = RequestSummary::of(&frame, &params);
        let about = Overheard {
            method: &method,
            params: frame.body(),
        };
        let begun = ticket.received().unwrap_or_else(Instant::now);
        let mut tried = Tried::default();
        self.upstream().reads();
        loop {
            tried.attempt();
            let (given, watch) = ticket.watched();
            self.link.request_with(frame.clone(), params.clone(), given);
            // Whoever takes a request back takes the duty to answer it along.
            let Ok(came) = watch.await else { return };
            let decision = self.reads_again(&about, &came, params.has_input, &tried, begun);
            let Decision::After(wait) = decision else {
                return self.read_for(&about, &asked, came, &tried);
            };
            ticket = came.ticket();
            ticket.sent_nowhere();
            tried.wait(wait);
            let called_off = ticket.called_off();
            tokio::select! {
                biased;
                off = called_off => return match off {
                    CancelReason::TakenBack => ticket.withdraw(),
                    CancelReason::Ending => ticket.fail(&session::ended(), None),
                },
                () = sleep(wait) => {}
            }
            ticket.within(self.left(begun));
        }
    }

    /// What is done about what came.
    fn reads_again(
        &self,
        about: &Overheard<'_>,
        came: &ForwardOutcome,
        has_input_responses: bool,
        tried: &Tried,
        begun: Instant,
    ) -> Decision {
        if self.link.is_ending() {
            return Decision::GiveUp(Reason::Deadline);
        }
        let (judged, executed);
        let fault: &Fault = match came {
            ForwardOutcome::Answer(answer) => {
                let error = answer
                    .0
                    .unmended()
                    .filter(|_| answer.0.kind() == Kind::Error);
                let Some(error) = error else {
                    return Decision::GiveUp(Reason::Useless);
                };
                judged = self.judge_error(about, &answer.0, error);
                if judged.is_retried {
                    return Decision::GiveUp(Reason::Attempts);
                }
                executed = Executed::Yes;
                &judged.fault
            }
            ForwardOutcome::Lost(loss) => {
                executed = if loss.is_written {
                    Executed::Unknown
                } else {
                    Executed::No
                };
                &loss.fault
            }
        };
        let attempt = Attempt {
            made: tried.attempts(),
            fault: fault.public(),
            executed,
            is_repeatable: true,
            has_input_responses,
            left: self.left(begun).total,
            at: Timestamp::now(),
        };
        let upstream = self.upstream();
        upstream.decide_read(&attempt, (upstream.means.chance)())
    }

    /// The end of it.
    fn read_for(
        &self,
        about: &Overheard<'_>,
        asked: &RequestSummary,
        came: ForwardOutcome,
        tried: &Tried,
    ) {
        match came {
            ForwardOutcome::Answer(answer) => {
                let (answer, ticket) = *answer;
                self.answer(about, answer, tried, ticket, asked.method);
            }
            ForwardOutcome::Lost(mut loss) => {
                loss.fault = tried.tell(loss.fault);
                tell_loss(*loss, asked, self.upstream());
            }
        }
    }

    fn left(&self, begun: Instant) -> Timeouts {
        let Timeouts { idle, total } = self.upstream().patience;
        let total = total.saturating_sub(begun.elapsed());
        let idle = idle.min(total);
        Timeouts { idle, total }
    }
}
