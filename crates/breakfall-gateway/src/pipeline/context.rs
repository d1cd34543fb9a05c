//! The state of one call while it passes the stages.

use std::borrow::Cow;
use std::sync::Arc;

use breakfall::wire::Format;
use breakfall::{CorrelationId, Fault, Timestamp, Warning};

use super::exchange::Exchange;
use super::{Call, CallError};
use crate::config::FallbackTool;
use crate::resilience::retry::AttemptLog;
use crate::tools::Tool;
use crate::upstream::{ToolPolicy, Upstream, default_timeouts};
use breakfall_mcp::connection::{AskOutcome, Ticket};
use breakfall_mcp::jsonrpc::Frame;
use breakfall_mcp::timeouts::Timeouts;

/// One call, from its request to its reply. Built once; the policy of its tool is resolved here and nowhere else.
#[derive(Debug)]
pub struct CallContext {
    pub(super) exchange: Exchange,
    /// The id its caller and the records know it by.
    pub(super) id: CorrelationId,
    pub(super) at: Timestamp,
    /// The caller, if it is known.
    pub(super) principal: Option<Arc<str>>,
    /// The request; another one after its user has corrected the arguments.
    pub(super) call: Arc<Call>,
    pub(super) policy: ToolPolicy,
    /// Whether the tool declares an output schema; `None` if the tool is unknown.
    pub(super) has_output_schema: Option<bool>,
    /// The tool, if it declares an output schema.
    pub(super) tool_with_output: Option<Arc<Tool>>,
    /// Warnings for a success.
    pub(super) warnings: Vec<Warning>,
    /// The confirmation token the caller sent.
    pub(super) confirmation: Option<String>,
    /// The error format the caller chose by an argument.
    pub(super) format: Option<Format>,
    /// Attempts with other arguments, before the user corrected them.
    earlier_attempts: u32,
}

impl CallContext {
    pub(super) fn new(
        call: Call,
        ticket: Ticket,
        principal: Option<Arc<str>>,
        upstream: &Upstream,
    ) -> Self {
        let (id, at) = upstream.context.stamp.take();
        let mut policy = upstream.tool_policy(call.tool());
        if policy.timeouts == Timeouts::default() {
            let own = call.client_name();
            let client = own.as_deref().or_else(|| ticket.client_name());
            policy.timeouts = default_timeouts(client);
        }
        Self {
            exchange: Exchange::new(ticket, policy.timeouts),
            id,
            at,
            principal,
            call: Arc::new(call),
            policy,
            has_output_schema: None,
            tool_with_output: None,
            warnings: Vec::new(),
            confirmation: None,
            format: None,
            earlier_attempts: 0,
        }
    }

    /// The tool the call names; empty if it names none.
    pub(super) fn tool(&self) -> &str {
        self.call.tool()
    }

    /// The arguments as they were written.
    pub(super) fn arguments(&self) -> &str {
        self.call.arguments().unwrap_or("{}")
    }

    /// The time, by the clock of the upstream.
    pub(super) fn now(&self) -> Timestamp {
        let now = self.at.checked_add(self.exchange.elapsed());
        now.unwrap_or(self.at)
    }

    /// How often the tool was called.
    pub(super) fn attempts(&self) -> u32 {
        self.earlier_attempts
            .saturating_add(self.exchange.tried.attempts())
    }

    /// Whether its user has corrected the arguments.
    pub(super) fn is_corrected(&self) -> bool {
        self.earlier_attempts > 0
    }

    /// Starts over with other arguments for the same tool.
    pub(super) fn restart(&mut self, call: Call) {
        self.earlier_attempts = self.attempts();
        self.exchange.tried = AttemptLog::default();
        self.warnings.clear();
        self.confirmation = None;
        self.call = Arc::new(call);
    }

    /// Sends a request to the client.
    pub(super) fn ask_client(
        &self,
        frame: Frame,
        timeouts: Timeouts,
    ) -> Result<impl Future<Output = AskOutcome> + use<>, CallError> {
        let ticket = self.exchange.ticket().ok_or(CallError::Cancelled)?;
        let channel = ticket.channel().cloned();
        Ok(ticket.peer().ask_via(channel, frame, timeouts))
    }

    /// Whether the client speaks the modern protocol to a legacy server.
    pub(super) fn is_modern(&self) -> bool {
        let ticket = self.exchange.ticket();
        ticket.is_some_and(|ticket| ticket.is_modern() == Some(true))
    }

    /// Whether a modern client of a legacy server supports elicitation.
    pub(super) fn fills_forms(&self) -> bool {
        self.exchange.ticket().is_some_and(Ticket::fills_forms)
    }

    /// The languages the caller reads, as far as its transport says.
    pub(super) fn languages(&self) -> Option<String> {
        self.exchange.ticket()?.languages()
    }

    /// The caller's name for a tool of this server.
    pub(super) fn caller_name<'a>(&self, tool: &'a str) -> Cow<'a, str> {
        let ticket = self.exchange.ticket();
        let name = ticket.and_then(|ticket| ticket.name_of(None, tool));
        name.map_or(Cow::Borrowed(tool), Cow::Owned)
    }

    /// A fault with the caller's name for the tool.
    pub(super) fn with_caller_name(&self, fault: Fault) -> Fault {
        let tool = self.tool();
        match self.caller_name(tool) {
            name if name == tool => fault,
            name if fault.public().details().text("operation") == Some(tool) => {
                fault.detail("operation", name)
            }
            _ => fault,
        }
    }

    /// Puts the caller's name for the tool into the warnings.
    pub(super) fn rename_warnings(&mut self) {
        let tool = self.tool();
        let name = self.caller_name(tool);
        if self.warnings.is_empty() || name == tool {
            return;
        }
        let is_about_tool = |warning: &Warning| warning.facts().text("operation") == Some(tool);
        let warnings = self.warnings.iter().map(|warning| {
            let warning = warning.clone();
            if is_about_tool(&warning) {
                warning.context("operation", &*name)
            } else {
                warning
            }
        });
        self.warnings = warnings.collect();
    }

    /// The caller's name for an equivalent tool of another server.
    pub(super) fn equivalent_of(&self, tool: &Tool) -> Option<String> {
        self.exchange.ticket()?.name_like(tool.name())
    }

    /// The caller's name for a configured fallback; `None` if the caller cannot reach it.
    pub(super) fn fallback_name(&self, tool: &FallbackTool) -> Option<String> {
        let ticket = self.exchange.ticket()?;
        ticket.name_of(tool.upstream.as_deref(), &tool.tool)
    }
}
