//! Asks the server, and again if that can do no harm.

use breakfall::{Fault, Origin, Timestamp, codes};
use tokio::time::{Instant, sleep, timeout};

use super::life::{Failed, Life, Stop};
use super::{Admitted, Pipeline, suspect};
use crate::classify::{self, About, Failure, Verdict};
use crate::config::ValidationRule;
use crate::resilience::breaker::Health;
use crate::resilience::breakers::Pass;
use crate::resilience::retry::{self, Attempt, Decision, Executed, Reason};
use crate::tools::output::{self, Mismatch};
use crate::tools::{Found, Tool};
use breakfall_mcp::connection::{ForwardFailure, ForwardOutcome, uncertain};
use breakfall_mcp::jsonrpc::{Frame, TransportStatus};
use breakfall_mcp::timeouts::Timeouts;

/// What a server has answered, and it is no failure.
#[derive(Debug)]
pub struct Answer {
    pub(super) frame: Frame,
    /// It is no result yet.
    pub(super) asks: bool,
}

impl Pipeline {
    /// Asks until there is an answer, or no point in asking.
    ///
    /// # Errors
    /// When it comes to no answer, or its caller takes it back.
    pub async fn attempt(&self, admitted: Admitted, life: &mut Life) -> Result<Answer, Stop> {
        let mut may_be_done = false;
        loop {
            let pass = self.let_through(&admitted, life)?;
            life.tried.attempt();
            let started = Instant::now();
            let came = self.send(&admitted, life).await;
            life.attempt_durations.push(started.elapsed());
            let failed = match self.judge(&admitted, came?, life) {
                Ok(answer) => {
                    pass.settle(Health::Works, Instant::now());
                    return Ok(answer);
                }
                Err(failed) => failed,
            };
            pass.settle(Health::shown_by(&failed.failure), Instant::now());
            if failed.is_crowded() {
                match self.waits_for_room(&admitted, life).await {
                    Ok(true) => continue,
                    // An earlier attempt may have been carried out.
                    Err(Stop::Failed(_)) if may_be_done => {}
                    Ok(false) => {}
                    Err(stop) => return Err(stop),
                }
            }
            if failed.failure.is_retried {
                life.tried.nested(failed.failure.fault.public());
            }
            let is_repeatable = self.is_repeatable(&admitted, life);
            if let Decision::After(wait) = self.decide(&admitted, &failed, is_repeatable, life) {
                may_be_done |= failed.executed != Executed::No;
                match life.unless_called_off(sleep(wait)).await {
                    Ok(()) => {
                        life.tried.wait(wait);
                        continue;
                    }
                    // There is no time left to try again.
                    Err(Stop::Failed(_)) => {}
                    Err(stop @ Stop::TakenBack) => return Err(stop),
                }
            }
            let failed = failed.after_others(may_be_done).honestly(is_repeatable);
            let failed = suspect::named(failed, &admitted);
            return Err(failed.into());
        }
    }

    /// Asks once, in what is left of the caller's time.
    async fn send(&self, admitted: &Admitted, life: &mut Life) -> Result<ForwardOutcome, Stop> {
        let mut ticket = life.give().ok_or(Stop::TakenBack)?;
        let total = life.left();
        let idle = life.care.patience.idle.min(total);
        ticket.within(Timeouts { idle, total });
        if admitted.call().is_rewritten() {
            ticket = ticket.rewritten();
        }
        let (ticket, watch) = ticket.watched();
        let (frame, params) = admitted.call().copy();
        self.link.request_with(frame, params, ticket);
        // Whoever takes a request back takes the duty to answer it along.
        watch.await.map_err(|_| Stop::TakenBack)
    }

    /// Waits until the server has read what others have sent it; false if there is no point in waiting for that.
    async fn waits_for_room(&self, admitted: &Admitted, life: &mut Life) -> Result<bool, Stop> {
        let patience = life.care.patience.idle.min(life.left());
        let room = self.link.room(admitted.call().size());
        let Some(room) = room.filter(|_| !patience.is_zero()) else {
            return Ok(false);
        };
        let room = life.unless_called_off(timeout(patience, room)).await?;
        if room.is_ok() {
            // It never left.
            life.tried.undo();
            life.attempt_durations.pop();
        }
        Ok(room.is_ok())
    }

    /// The one verdict on what came.
    fn judge(
        &self,
        admitted: &Admitted,
        came: ForwardOutcome,
        life: &mut Life,
    ) -> Result<Answer, Box<Failed>> {
        let (frame, ticket) = match came {
            ForwardOutcome::Answer(answer) => *answer,
            ForwardOutcome::Lost(loss) => return Err(Box::new(lost(*loss, life))),
        };
        life.take_back(ticket);
        let about = About::call(admitted.call().tool(), &self.upstream().means.replies.rules);
        let mut frame = frame;
        let mut verdict = classify::judge(&frame, &about);
        if matches!(verdict, Verdict::Odd) {
            let (mended, warning) = classify::in_order(frame, admitted.call().tool());
            life.warnings.push(warning);
            verdict = classify::judge(&mended, &about);
            frame = mended;
        }
        let failure = match verdict {
            Verdict::Asks => return Ok(Answer { frame, asks: true }),
            Verdict::Success | Verdict::Odd => match mismatch(admitted, &frame, life) {
                None => return Ok(Answer { frame, asks: false }),
                Some(failure) => failure,
            },
            Verdict::Failed(failure) => failure,
        };
        // The same status says no more with an error of the protocol than with a page for people, nor does a time to come back.
        let is_failed_at = frame.beside().is_some_and(TransportStatus::is_failed_at)
            && failure.fault.public().retry().is_retryable()
            && !failure.states_retry;
        let executed = if frame.beside().is_some_and(TransportStatus::is_turned_away) {
            Executed::No
        } else if failure.leaves_open() || is_failed_at {
            Executed::Unknown
        } else {
            Executed::Yes
        };
        Err(Box::new(Failed {
            failure,
            original: Some(frame),
            executed,
            challenge: None,
        }))
    }

    fn decide(
        &self,
        admitted: &Admitted,
        failed: &Failed,
        is_repeatable: bool,
        life: &Life,
    ) -> Decision {
        // Three attempts of each of two gateways are nine.
        if failed.failure.is_retried {
            return Decision::GiveUp(Reason::Attempts);
        }
        if self.link.is_ending() {
            return Decision::GiveUp(Reason::Deadline);
        }
        let attempt = Attempt {
            made: life.tried.attempts(),
            fault: failed.failure.fault.public(),
            executed: failed.executed,
            is_repeatable,
            has_input_responses: admitted.call().params().has_input,
            left: life.left(),
            at: Timestamp::now(),
        };
        let upstream = self.upstream();
        upstream.decide(&attempt, &life.care, (upstream.means.chance)())
    }

    /// Whether carrying the call out twice is known to do no harm.
    fn is_repeatable(&self, admitted: &Admitted, life: &Life) -> bool {
        let hints = admitted.tool().map(Tool::hints).unwrap_or_default();
        let (read_only, idempotent) = (hints.read_only, hints.idempotent);
        let trust = self.upstream().trust;
        retry::is_repeatable(life.care.idempotent, read_only, idempotent, trust)
            && !admitted.call().params().has_input
    }

    /// Whether the tool may be called, or is left alone for now.
    fn let_through(&self, admitted: &Admitted, life: &Life) -> Result<Pass, Fault> {
        let (upstream, care) = (self.upstream(), &life.care);
        let passed = match life.tried.attempts() {
            0 => upstream.begin(life.tool(), care),
            _ => upstream.begin_again(life.tool(), care),
        };
        match passed {
            Ok(pass) if admitted.tool().is_some() => Ok(pass.listed()),
            Ok(pass) => Ok(pass),
            Err(refused) => {
                let tool = life.called(life.tool());
                Err(refused.fault(&tool, self.instead(life).as_deref()))
            }
        }
    }

    /// What the caller may use in place of a tool that does not work: what the operator names, or what can hardly be anything
    /// else.
    pub(super) fn instead(&self, life: &Life) -> Option<String> {
        if let Some(tool) = &life.care.fallback {
            // A pattern may fit the very tool it names.
            let is_itself = tool.upstream.is_none() && *tool.tool == *life.tool();
            return (!is_itself).then(|| life.name_of(tool)).flatten();
        }
        match self.link.tools().find(life.tool()) {
            Found::Known(tool) | Found::Stale(tool) => life.name_like(&tool),
            Found::Unknown | Found::Unlisted => None,
        }
    }
}

/// There is no answer, and nobody knows whether the call was carried out if any of it left.
fn lost(loss: ForwardFailure, life: &mut Life) -> Failed {
    let ForwardFailure {
        ticket,
        fault,
        is_written,
        challenge,
    } = loss;
    life.take_back(ticket);
    let executed = if is_written {
        Executed::Unknown
    } else {
        Executed::No
    };
    // What was left of all the time there is says less than how much that is.
    let fault = if fault.code() == codes::UNAVAILABLE_TIMEOUT && life.left().is_zero() {
        let total = life.care.patience.total.as_millis();
        fault.detail("timeout_ms", u64::try_from(total).unwrap_or(u64::MAX))
    } else {
        fault
    };
    Failed {
        failure: Failure::new(fault),
        original: None,
        executed,
        challenge,
    }
}

impl Failed {
    /// It found no room, and never left.
    fn is_crowded(&self) -> bool {
        let public = self.failure.fault.public();
        self.executed == Executed::No
            && public.origin() == Origin::Gateway
            && public.code() == codes::UNAVAILABLE_OVERLOADED
    }

    /// An attempt that did nothing says nothing of those before it.
    fn after_others(mut self: Box<Self>, may_be_done: bool) -> Box<Self> {
        if may_be_done && self.executed == Executed::No {
            self.executed = Executed::Unknown;
        }
        self
    }

    /// Says whether the call may have had an effect, and lets only those repeat it that cannot repeat one.
    fn honestly(mut self: Box<Self>, is_repeatable: bool) -> Box<Self> {
        let fault = std::mem::replace(&mut self.failure.fault, Fault::internal());
        self.failure.fault = match self.executed {
            Executed::No => fault.detail("executed", "no"),
            Executed::Unknown if !is_repeatable => uncertain(fault),
            Executed::Unknown | Executed::Yes => fault,
        };
        self
    }
}

/// A success that does not look as its tool says.
fn mismatch(admitted: &Admitted, frame: &Frame, life: &mut Life) -> Option<Failure> {
    let (tool, result) = (admitted.tool()?, frame.body()?);
    match output::check(tool, result, life.care.validate.of(ValidationRule::Output))? {
        Mismatch::Told(warning) => {
            life.warnings.push(warning);
            None
        }
        Mismatch::Refused(fault) => Some(Failure::new(fault)),
    }
}
