//! What is known of a call while it lives.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use breakfall::wire::Format;
use breakfall::{CorrelationId, Fault, Timestamp, Warning};
use tokio::time::Instant;

use super::Call;
use crate::classify::Failure;
use crate::config::Fallback;
use crate::resilience::retry::{Executed, Tried};
use crate::session;
use crate::tools::Tool;
use crate::upstream::{Care, Upstream};
use breakfall_mcp::connection::{AskOutcome, AuthChallenge, CancelReason, Ticket};
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::timeouts::Timeouts;

/// A call on its way: who has to be answered, and what its reply and its record will say.
#[derive(Debug)]
pub struct Life {
    /// With whoever was asked, while somebody is.
    ticket: Option<Ticket>,
    /// What its caller may ask by.
    pub(super) id: CorrelationId,
    /// When it began, for people.
    pub(super) at: Timestamp,
    begun: Instant,
    /// As it came, once it was read.
    pub(super) call: Option<Arc<Call>>,
    /// How its tool is treated.
    pub(super) care: Care,
    /// Whether the tool says how its results look; nothing if the tool is not known.
    pub(super) has_output_schema: Option<bool>,
    /// The tool, if it says how its results look.
    pub(super) promising: Option<Arc<Tool>>,
    /// What a success is warned of.
    pub(super) warnings: Vec<Warning>,
    pub(super) tried: Tried,
    /// How long each attempt took, with all arguments that were tried.
    pub(super) attempt_durations: Vec<Duration>,
    /// The blocks of an error its caller chose by an argument.
    pub(super) format: Option<Format>,
    /// How often it was made with other arguments, before its user said better ones.
    before: u32,
    /// How long people have taken.
    people: Duration,
}

/// Why a call did not come to an answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum Stop {
    /// Its caller does not wait for one any more.
    TakenBack,
    /// It failed.
    Failed(Box<Failed>),
}

/// How it failed.
#[derive(Debug)]
pub struct Failed {
    pub(super) failure: Failure,
    /// What the server said, if it said anything.
    pub(super) original: Option<Frame>,
    pub(super) executed: Executed,
    /// What the server demands first.
    pub(super) challenge: Option<AuthChallenge>,
}

impl Failed {
    /// It was stopped in here: nothing was done.
    pub(super) fn here(failure: Failure) -> Box<Self> {
        Box::new(Self {
            failure,
            original: None,
            executed: Executed::No,
            challenge: None,
        })
    }
}

impl From<Box<Failed>> for Stop {
    fn from(failed: Box<Failed>) -> Self {
        Self::Failed(failed)
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Failed::here(Failure::new(fault)).into()
    }
}

impl From<CancelReason> for Stop {
    fn from(off: CancelReason) -> Self {
        match off {
            CancelReason::TakenBack => Self::TakenBack,
            CancelReason::Ending => session::ended().detail("executed", "no").into(),
        }
    }
}

impl Stop {
    /// The protocol has an error for it: the call is none, or its tool is none.
    pub(super) fn refused(fault: Fault) -> Self {
        Failed::here(Failure::refused(fault)).into()
    }
}

impl Life {
    pub(super) fn new(ticket: Ticket, upstream: &Upstream) -> Self {
        let (id, at) = upstream.means.stamp.take();
        // Its time runs while it waits for a server to be ready.
        let begun = ticket.received().unwrap_or_else(Instant::now);
        Self {
            ticket: Some(ticket),
            id,
            at,
            begun,
            call: None,
            care: upstream.care(""),
            has_output_schema: None,
            promising: None,
            warnings: Vec::new(),
            tried: Tried::default(),
            attempt_durations: Vec::new(),
            format: None,
            before: 0,
            people: Duration::ZERO,
        }
    }

    /// The call was read.
    pub(super) fn read(&mut self, call: Call, upstream: &Upstream) -> Arc<Call> {
        let call = Arc::new(call);
        self.care = upstream.care(call.tool());
        self.call = Some(Arc::clone(&call));
        call
    }

    /// The tool it names; empty if nobody could read that.
    pub(super) fn tool(&self) -> &str {
        self.call.as_ref().map_or("", |call| call.tool())
    }

    /// How much time is left for it.
    pub(super) fn left(&self) -> Duration {
        self.care.patience.total.saturating_sub(self.worked())
    }

    /// How long it has taken without the time of people.
    pub(super) fn worked(&self) -> Duration {
        self.took().saturating_sub(self.people)
    }

    /// People have taken this long to answer.
    pub(super) fn waited_for_people(&mut self, time: Duration) {
        self.people += time;
    }

    /// How often the tool was called.
    pub(super) fn attempts(&self) -> u32 {
        self.before.saturating_add(self.tried.attempts())
    }

    /// It begins again, with other arguments.
    pub(super) fn again(&mut self) {
        self.before = self.attempts();
        self.tried = Tried::default();
        self.warnings.clear();
    }

    /// Asks whoever calls.
    pub(super) fn ask(
        &self,
        frame: Frame,
        patience: Timeouts,
    ) -> Result<impl Future<Output = AskOutcome> + use<>, Stop> {
        let ticket = self.ticket.as_ref().ok_or(Stop::TakenBack)?;
        let way = ticket.way().cloned();
        Ok(ticket.peer().ask_via(way, frame, patience))
    }

    /// Whether whoever calls speaks the modern protocol, though the server does not.
    pub(super) fn is_modern(&self) -> bool {
        let ticket = self.ticket.as_ref();
        ticket.is_some_and(|ticket| ticket.is_modern() == Some(true))
    }

    /// Whether whoever calls has said that it can put a question to its user, though the server does not hear of it.
    pub(super) fn fills_forms(&self) -> bool {
        self.ticket.as_ref().is_some_and(Ticket::fills_forms)
    }

    /// How long it has taken.
    pub(super) fn took(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The duty to answer; nothing if it is with somebody else.
    pub(super) fn give(&mut self) -> Option<Ticket> {
        self.ticket.take()
    }

    /// The duty to answer is back.
    pub(super) fn take_back(&mut self, ticket: Ticket) {
        self.ticket = Some(ticket);
    }

    /// Does something else meanwhile, unless the caller takes the call back or everything ends.
    pub(super) async fn unless_called_off<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, Stop> {
        let ticket = self.ticket.as_ref().ok_or(Stop::TakenBack)?;
        // Whoever was asked before is not to be told to stop.
        ticket.sent_nowhere();
        let called_off = ticket.called_off();
        tokio::select! {
            biased;
            off = called_off => Err(off.into()),
            done = work => Ok(done),
        }
    }

    /// The languages the caller reads, as far as its transport says.
    pub(super) fn languages(&self) -> Option<String> {
        self.ticket.as_ref()?.languages()
    }

    /// What the caller calls a tool of this server.
    pub(super) fn called<'a>(&self, tool: &'a str) -> Cow<'a, str> {
        let ticket = self.ticket.as_ref();
        let name = ticket.and_then(|ticket| ticket.name_of(None, tool));
        name.map_or(Cow::Borrowed(tool), Cow::Owned)
    }

    /// A fault that calls the tool what its caller calls it.
    pub(super) fn by_name(&self, fault: Fault) -> Fault {
        let tool = self.tool();
        match self.called(tool) {
            called if called == tool => fault,
            called if fault.public().details().text("operation") == Some(tool) => {
                fault.detail("operation", called)
            }
            _ => fault,
        }
    }

    /// Lets warnings call the tool what its caller calls it.
    pub(super) fn warn_by_name(&mut self) {
        let tool = self.tool();
        let called = self.called(tool);
        if self.warnings.is_empty() || called == tool {
            return;
        }
        let named = |warning: &Warning| warning.facts().text("operation") == Some(tool);
        let warnings = self.warnings.iter().map(|warning| {
            let warning = warning.clone();
            if named(&warning) {
                warning.context("operation", &*called)
            } else {
                warning
            }
        });
        self.warnings = warnings.collect();
    }

    /// What the caller calls a tool of another server that does the same; nothing if there is none.
    pub(super) fn name_like(&self, tool: &Tool) -> Option<String> {
        self.ticket.as_ref()?.name_like(tool.name())
    }

    /// What the caller calls another tool; nothing if it cannot call that one.
    pub(super) fn name_of(&self, tool: &Fallback) -> Option<String> {
        let ticket = self.ticket.as_ref()?;
        ticket.name_of(tool.upstream.as_deref(), &tool.tool)
    }
}
