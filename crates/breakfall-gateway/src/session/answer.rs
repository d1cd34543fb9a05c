//! Answers requests that a server will not answer: what happened, and whether the caller may try again.

use std::borrow::Cow;
use std::process::ExitStatus;
use std::sync::LazyLock;
use std::time::Duration;

use breakfall::classify::exit::{self, Exit};
use breakfall::disclose::Redactor;
use breakfall::wire::{Dialect, Options, tool_result};
use breakfall::{Fault, Origin, Outcome, Retry, codes};
use serde_json::Value;

use super::link_state::{RefusedRequest, UnsentRequest};
use crate::record::Evidence;
use crate::resilience::retry::Executed;
use crate::upstream::Upstream;
use breakfall_mcp::connection::{
    AuthChallenge, ForwardFailure, LossReason, LostRequest, Peer, RequestSummary, RpcMethod,
    SendError, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, FrameError, RequestParams};

/// How a server ended.
pub(super) struct ExitReport {
    /// `None` for a process that has closed its output but still runs, and for servers that are not processes.
    pub(super) exit: Option<ExitStatus>,
    pub(super) is_process: bool,
    pub(super) stderr: Vec<u8>,
    /// Its output that was not a message.
    pub(super) printed: Option<String>,
    /// It ended before its first message.
    pub(super) is_start: bool,
}

/// Answers a request that was passed on and will not be answered.
pub(crate) fn lost(lost: LostRequest, upstream: &Upstream) {
    let LostRequest {
        ticket,
        asked,
        why,
        is_written,
    } = lost;
    let is_written = match &why {
        LossReason::Refused(refused) => is_written && !refused.is_untouched,
        LossReason::Late(_)
        | LossReason::Unreadable(_)
        | LossReason::Gone
        | LossReason::Unsent(_) => is_written,
    };
    let mut challenge = None;
    let fault = match why {
        LossReason::Refused(refused) => {
            challenge = refused.challenge;
            refused.fault
        }
        LossReason::Late(after) => Fault::timeout(&called(&ticket, &asked), after),
        LossReason::Unreadable(refusal) => unreadable(&refusal, upstream),
        LossReason::Gone | LossReason::Unsent(SendError::Over) => {
            Fault::unavailable(&upstream.name)
        }
        // The limit is the gateway's, and says nothing about the server.
        LossReason::Unsent(SendError::Full) => {
            let fault = crowded(&upstream.name);
            return settle(ticket, &asked, fault, is_written, None, upstream);
        }
    };
    let fault = fault.origin(Origin::Upstream);
    settle(ticket, &asked, fault, is_written, challenge, upstream);
}

/// Too many bytes wait to be read by the server.
fn crowded(service: &str) -> Fault {
    Fault::new(codes::UNAVAILABLE_OVERLOADED)
        .origin(Origin::Gateway)
        .detail("service", service)
        .note("more is waiting for the server to read it than the gateway keeps")
}

/// An answer that cannot be parsed. If it exceeds a limit, a retry will exceed it, too.
fn unreadable(refusal: &FrameError, upstream: &Upstream) -> Fault {
    let name = &*upstream.name;
    let fault = Fault::new(codes::INTERNAL_BAD_UPSTREAM)
        .detail("service", name)
        .note(refusal.fault.report().to_string());
    let Some(beyond) = refusal.beyond else {
        return fault;
    };
    let beyond = beyond.words();
    fault
        .message(format!(
            "The answer of '{name}' is too large: it has {beyond}"
        ))
        .retry(Retry::AfterChange)
        .remediation("Ask for less, or tell the operator of the gateway which limit is exceeded.")
}

/// The subject of a request, under the name the caller uses.
fn called<'a>(ticket: &Ticket, asked: &'a RequestSummary) -> Cow<'a, str> {
    let name = asked
        .is_named
        .then(|| ticket.name_of(None, &asked.operation));
    match name.flatten() {
        Some(name) => Cow::Owned(name),
        None => Cow::Borrowed(&asked.operation),
    }
}

/// Reports a failure to the observer of the request, if there is one; otherwise to the caller.
fn settle(
    ticket: Ticket,
    asked: &RequestSummary,
    fault: Fault,
    is_written: bool,
    challenge: Option<AuthChallenge>,
    upstream: &Upstream,
) {
    let Err(loss) = ticket.lose(fault, is_written, challenge) else {
        return;
    };
    tell_loss(*loss, asked, upstream);
}

/// Answers the caller of a request that was lost.
pub(crate) fn tell_loss(loss: ForwardFailure, asked: &RequestSummary, upstream: &Upstream) {
    let ForwardFailure {
        ticket,
        fault,
        is_written,
        challenge,
    } = loss;
    let executed = Executed::after_loss(is_written);
    let fault = executed.tell(fault, asked.method.is_safe_to_repeat());
    match challenge {
        Some(challenge) => ticket.challenge(&fault, challenge),
        None => reply(ticket, asked, fault, upstream),
    }
}

/// Answers a request that was never sent, because the server had failed before.
pub(crate) fn unreached(
    ticket: Ticket,
    request: &Frame,
    fault: Fault,
    challenge: Option<AuthChallenge>,
    upstream: &Upstream,
) {
    let asked = RequestSummary::of(request, &RequestParams::of(request));
    let fault = fault.origin(Origin::Upstream);
    settle(ticket, &asked, fault, false, challenge, upstream);
}

/// Answers a request of the server that the client will not answer.
pub(crate) fn lost_by_client(lost: LostRequest) {
    let fault = match lost.why {
        LossReason::Late(after) => Fault::timeout(&lost.asked.operation, after),
        LossReason::Gone
        | LossReason::Unsent(_)
        | LossReason::Unreadable(_)
        | LossReason::Refused(_) => Fault::unavailable("client"),
    };
    lost.ticket.fail(&fault.origin(Origin::Caller), None);
}

/// Answers a request that was under way when the server ended.
pub(super) fn dead(lost: LostRequest, death: &ExitReport, upstream: &Upstream) {
    let fault = death.fault(upstream).origin(Origin::Upstream);
    settle(
        lost.ticket,
        &lost.asked,
        fault,
        lost.is_written,
        None,
        upstream,
    );
}

/// Answers a request that no server accepts.
pub(super) fn refused(refused: RefusedRequest, upstream: &Upstream) {
    match refused {
        RefusedRequest::Lost(request) => lost(*request, upstream),
        RefusedRequest::BackingOff(request, wait) => given_up([*request], Some(wait), upstream),
        RefusedRequest::Closed(request) => given_up([*request], None, upstream),
    }
}

/// Answers requests that waited for a server in vain.
pub(super) fn given_up(
    waiting: impl IntoIterator<Item = UnsentRequest>,
    wait: Option<Duration>,
    upstream: &Upstream,
) {
    for UnsentRequest { ticket, asked } in waiting {
        let fault = resting(upstream, wait).origin(Origin::Upstream);
        settle(ticket, &asked, fault, false, None, upstream);
    }
}

/// Answers a request that was under way when the session ended.
pub(super) fn cut_off(lost: LostRequest, upstream: &Upstream) {
    let LostRequest {
        ticket,
        asked,
        is_written,
        ..
    } = lost;
    settle(ticket, &asked, ended(), is_written, None, upstream);
}

/// Answers requests that waited when the session ended.
pub(super) fn too_late(waiting: impl IntoIterator<Item = UnsentRequest>, upstream: &Upstream) {
    for UnsentRequest { ticket, asked } in waiting {
        settle(ticket, &asked, ended(), false, None, upstream);
    }
}

/// The session has ended, which says nothing about the server.
pub(crate) fn ended() -> Fault {
    Fault::unavailable("gateway")
        .origin(Origin::Gateway)
        .message("The session has ended before there was an answer")
        .remediation("Ask again in a new session.")
}

/// Logs the end of a server, once, however many calls it took with it.
pub(super) fn log_death(death: &ExitReport, server: &Peer, upstream: &Upstream) {
    let exit = match death.exit {
        Some(status) => status.to_string(),
        None if death.is_process => RUNS_ON.to_owned(),
        None => "inside this process".to_owned(),
    };
    let (garbage, strays) = (server.garbage(), server.strays());
    tracing::warn!(
        upstream = &*upstream.name,
        exit,
        garbage,
        strays,
        "the server ended"
    );
}

impl ExitReport {
    fn fault(&self, upstream: &Upstream) -> Fault {
        let fault = self.end(upstream);
        match &self.printed {
            Some(printed) => fault.note(printed),
            None => fault,
        }
    }

    fn end(&self, upstream: &Upstream) -> Fault {
        let Some(status) = self.exit else {
            let fault = Fault::unavailable(&upstream.name);
            return if self.is_process {
                fault.note(RUNS_ON)
            } else {
                fault
            };
        };
        let mut exit = Exit::of(status).stderr(&self.stderr);
        if self.is_start {
            exit = exit.during_start();
        }
        exit::fault(&exit).detail("service", &*upstream.name)
    }
}

fn resting(upstream: &Upstream, wait: Option<Duration>) -> Fault {
    let fault = Fault::unavailable(&upstream.name);
    match wait {
        Some(wait) => fault.retry_after(wait),
        None => fault
            .retry(Retry::Never)
            .message(format!("The server '{}' cannot be started", upstream.name))
            .user_message("This service cannot be started. Please tell its operator.")
            .remediation("Tell the operator of this server: its log says why it does not start."),
    }
}

const RUNS_ON: &str = "it closed its output or its input and runs on";

/// Credentials are removed even from the log.
pub(super) static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::client);

/// Answers with a fault: a failed call as a result the model can read, everything else as a protocol error.
fn reply(ticket: Ticket, asked: &RequestSummary, fault: Fault, upstream: &Upstream) {
    let (id, now) = upstream.context.stamp.take();
    let fault = fault.correlation_id(id).at(now);
    tracing::warn!(
        upstream = &*upstream.name,
        operation = &*REDACTOR.text(&asked.operation),
        "{}",
        REDACTOR.report(&fault)
    );
    // A caller that asked for a task expects no tool result.
    if asked.method != RpcMethod::ToolsCall || asked.is_task {
        ticket.fail(&fault, None);
        let context = &upstream.context;
        if context.is_judged {
            let evidence = Evidence::new(fault);
            context
                .recorder
                .keep(&context.name, &asked.operation, evidence);
        }
        return;
    }
    let outcome = Outcome::from(fault);
    let mut result = tool_result(&outcome, Dialect::Native, &Options::new())
        .map(|result| result.to_value())
        .expect("native says everything");
    let is_modern = ticket.is_modern().unwrap_or(asked.is_modern);
    if let (true, Value::Object(result)) = (is_modern, &mut result) {
        result.insert("resultType".to_owned(), "complete".into());
    }
    ticket.result(&result);
}
