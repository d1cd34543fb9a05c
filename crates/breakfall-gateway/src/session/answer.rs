//! Answers requests that a server will not answer: what happened, and whether the caller may try again.

use std::borrow::Cow;
use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use breakfall::classify::exit::{self, Exit};
use breakfall::{Fault, Origin, Retry, codes};
use serde_json::value::RawValue;

use super::last_words::last_words;
use super::link::LinkShared;
use super::link_state::{RefusedRequest, UnsentRequest};
use crate::classify::{ClassifiedFailure, ExecutionEvidence};
use crate::record::Evidence;
use crate::reply::{self, ReplyOptions};
use crate::resilience::retry;
use crate::upstream::Upstream;
use breakfall_mcp::connection::{
    AuthChallenge, ForwardFailure, LossReason, LostRequest, Peer, RequestSummary, RpcMethod,
    SendError, Ticket,
};
use breakfall_mcp::error::REDACTOR;
use breakfall_mcp::jsonrpc::{Frame, FrameError, RequestParams};

/// How a server ended.
pub(super) struct ExitReport {
    /// `None` for a process that has closed its output but still runs, and for servers that are not processes.
    pub(super) exit: Option<ExitStatus>,
    pub(super) is_process: bool,
    /// How long it was silent, if it is ended because it was stuck.
    pub(super) silence: Option<Duration>,
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
            let fault = overloaded(&upstream.name);
            return settle(ticket, &asked, fault, is_written, None, upstream);
        }
    };
    let fault = fault.origin(Origin::Upstream);
    settle(ticket, &asked, fault, is_written, challenge, upstream);
}

/// Too many bytes wait to be read by the server.
fn overloaded(service: &str) -> Fault {
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
    let evidence = ExecutionEvidence::of_loss(is_written, &fault);
    let is_repeatable = asked.method.is_safe_to_repeat();
    let fault = retry::answer(evidence, fault.public().category(), is_repeatable).tell(fault);
    match challenge {
        Some(challenge) => ticket.challenge(&fault, challenge),
        None => fail(ticket, asked, fault, upstream),
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
pub(super) fn refused(refused: RefusedRequest, shared: &LinkShared) {
    match refused {
        RefusedRequest::Lost(request) => lost(*request, &shared.upstream),
        RefusedRequest::BackingOff(request, wait) => given_up([*request], Some(wait), shared),
        RefusedRequest::Closed(request) => given_up([*request], None, shared),
    }
}

/// Answers requests that waited for a server in vain.
pub(super) fn given_up(
    waiting: impl IntoIterator<Item = UnsentRequest>,
    wait: Option<Duration>,
    shared: &LinkShared,
) {
    let upstream = &*shared.upstream;
    for UnsentRequest { ticket, asked } in waiting {
        // The next start will most likely fail for the same reason.
        let fault = match &*shared.failed_start() {
            Some(failed) => failed.fault(upstream),
            None => resting(upstream, wait),
        };
        let fault = fault.origin(Origin::Upstream);
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
    if let Some(silence) = death.silence {
        upstream
            .context
            .recorder
            .count_stuck(&upstream.context.name);
        tracing::error!(
            upstream = &*upstream.name,
            silence = ?silence,
            "the server is stuck: a request is past its deadline, and it answers neither that nor a ping; it is terminated and restarted"
        );
        return;
    }
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

/// Without its output, which may hold secrets.
impl fmt::Debug for ExitReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("ExitReport");
        debug.field("exit", &self.exit).finish_non_exhaustive()
    }
}

impl ExitReport {
    /// Whether it ended with an error before its first message.
    pub(super) fn is_failed_start(&self) -> bool {
        self.is_start && self.exit.is_some_and(|exit| !exit.success())
    }

    fn fault(&self, upstream: &Upstream) -> Fault {
        let fault = self.end(upstream);
        match &self.printed {
            Some(printed) => fault.note(printed),
            None => fault,
        }
    }

    fn end(&self, upstream: &Upstream) -> Fault {
        if let Some(silence) = self.silence {
            let name = &upstream.name;
            return Fault::unavailable(name)
                .message(format!("The server '{name}' stopped responding and is restarted"))
                .note(format!(
                    "a request was past its deadline, and for {silence:?} the server sent nothing and answered no ping"
                ));
        }
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
        let fault = exit::fault(&exit).detail("service", &*upstream.name);
        // A missing key, a wrong path: only the server knows what its operator has to change.
        match last_words(&self.stderr).filter(|_| self.is_failed_start()) {
            Some(words) => {
                let message = format!("{}: {words}", fault.message_text());
                let fault = fault.message(message);
                match fault.public().retry() {
                    Retry::Never => fault.remediation(START_REMEDY).user_message(NO_START),
                    Retry::AfterChange | Retry::Once | Retry::Backoff | Retry::After => fault,
                }
            }
            None => fault,
        }
    }
}

fn resting(upstream: &Upstream, wait: Option<Duration>) -> Fault {
    let fault = Fault::unavailable(&upstream.name);
    match wait {
        Some(wait) => fault.retry_after(wait),
        None => fault
            .retry(Retry::Never)
            .message(format!("The server '{}' cannot be started", upstream.name))
            .user_message(NO_START)
            .remediation("Tell the operator of this server: its log says why it does not start."),
    }
}

const NO_START: &str = "This service cannot be started. Please tell its operator.";
const START_REMEDY: &str = "Tell the operator of this server what it said when it failed to start; calls will fail until that is changed.";
const RUNS_ON: &str = "it closed its output or its input and runs on";

/// Answers with a fault: a failed call as a result the model can read, everything else as a protocol error. The report is kept
/// under the id the caller is told.
fn fail(ticket: Ticket, asked: &RequestSummary, fault: Fault, upstream: &Upstream) {
    let context = &upstream.context;
    let fault = reply::stamped(fault, &context.stamp);
    tracing::warn!(
        upstream = &*upstream.name,
        operation = &*REDACTOR.text(&asked.operation),
        "{}",
        REDACTOR.report(&fault)
    );
    // A caller that asked for a task expects no tool result.
    let failure = ClassifiedFailure::new(fault);
    if asked.method != RpcMethod::ToolsCall || asked.is_task {
        ticket.fail(&failure.fault, None);
    } else {
        let options = reply_options(&ticket, asked, upstream);
        let said = reply::failed(&failure, None, &options, "{}");
        let result: Option<&RawValue> = serde_json::from_str(said.body()).ok();
        ticket.result(&result);
    }
    let evidence = Evidence::new(failure.fault);
    context
        .recorder
        .keep(&context.name, &asked.operation, evidence);
}

/// How the caller of a tool is answered, as far as its request is still known.
fn reply_options(ticket: &Ticket, asked: &RequestSummary, upstream: &Upstream) -> ReplyOptions {
    let mut options = upstream.tool_policy(&asked.operation).reply;
    if let Some(languages) = ticket.languages() {
        options = options.locale(&languages);
    }
    options.is_modern = ticket.is_modern().unwrap_or(asked.is_modern);
    options.known = upstream.context.known.clone();
    options
}
