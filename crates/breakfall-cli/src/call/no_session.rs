//! No session with the server: how long to wait for one, and the errors.

use std::pin::pin;
use std::time::Duration;

use breakfall::classify::Classifier;
use breakfall::read::read_by;
use breakfall::wire::Options;
use breakfall::{Fault, Public, codes};
use breakfall_gateway::classify::value_of;
use breakfall_gateway::session::SessionEnd;
use breakfall_mcp::jsonrpc::Frame;
use tokio::time::timeout;

use super::plan::{CallPlan, PlannedAction};
use super::{failure, next_command};
use crate::args::CallArgs;
use crate::report::{CommandError, ReportNote};
use crate::server;

/// How long to wait for the handshake.
#[derive(Debug, Clone, Copy)]
pub(super) struct SessionTimeouts {
    /// Before a note says what is waited for.
    pub(super) note: Duration,
    /// In total; the gateway has its own deadline if `--timeout` is set.
    pub(super) total: Option<Duration>,
}

impl SessionTimeouts {
    /// `--timeout` covers the handshake too.
    pub(super) fn of(args: &CallArgs) -> Self {
        Self {
            note: NOTE_AFTER,
            total: args.server.timeout.is_none().then_some(GIVE_UP_AFTER),
        }
    }

    /// Waits, and calls `note` when it takes long; `None` after the total time.
    pub(super) async fn wait<T>(
        self,
        work: impl Future<Output = T>,
        note: impl FnOnce(),
    ) -> Option<T> {
        let mut work = pin!(work);
        if let Ok(done) = timeout(self.note, &mut work).await {
            return Some(done);
        }
        note();
        match self.total {
            Some(total) => timeout(total.saturating_sub(self.note), work).await.ok(),
            None => Some(work.await),
        }
    }
}

/// The note on what is waited for, and on how the words were read.
pub(super) fn waiting(args: &CallArgs, plan: &CallPlan) -> ReportNote {
    let server = match &plan.url {
        Some(url) => server::shown_url(url),
        None => format!("`{}`", server::line(&plan.command)),
    };
    let text = format!("{server} has not answered yet");
    ReportNote::new(
        "note",
        match misread(args, plan) {
            Some(misread) => format!("{text}; {misread}"),
            None => text,
        },
    )
}

/// The error of a server that never answered.
pub(super) fn silent(args: &CallArgs, plan: &CallPlan) -> CommandError {
    let seconds = GIVE_UP_AFTER.as_secs();
    let error = CommandError::server(format!(
        "no session with the server: it did not answer within {seconds} s"
    ));
    match &plan.url {
        Some(url) => error.hint(there(url)),
        None => taken_for_tool(error.hint(alone(plan)), args, plan),
    }
}

/// The error of a program that echoes its input, as `cat` does.
pub(super) fn echo(args: &CallArgs, plan: &CallPlan) -> CommandError {
    let message =
        "no session with the server: it sends back what it is sent, so it is not an MCP server";
    taken_for_tool(CommandError::server(message).hint(alone(plan)), args, plan)
}

/// The error of a server that ended before the session began.
///
/// # Errors
/// When the server did not start or exited before its first message.
pub(super) fn ended(
    ended: SessionEnd,
    args: &CallArgs,
    plan: &CallPlan,
) -> Result<(), CommandError> {
    let never_spoke = matches!(ended, SessionEnd::NeverSpoke { .. });
    server::ended(ended, &plan.command).map_err(|error| {
        if never_spoke {
            taken_for_tool(error, args, plan)
        } else {
            error
        }
    })
}

/// The error of a refused handshake. The remediation of a call does not apply to it.
pub(super) fn refused(frame: &Frame, args: &CallArgs, plan: &CallPlan) -> CommandError {
    let reading = read_by(value_of(frame.text()), &Options::new(), &Classifier::new());
    let public = reading.outcome.fault().map(Fault::public);
    let why = public.map(|public| reason(public).unwrap_or_else(|| public.message().into_owned()));
    let message = match why {
        Some(why) => format!("no session with the server: {why}"),
        None => "no session with the server".to_owned(),
    };
    if let Some(url) = &plan.url {
        let hint = match public {
            Some(public) if matches!(public.http_status(), Some(401 | 403)) => {
                "send what it asks for, for example -H 'Authorization: Bearer KEY'".to_owned()
            }
            Some(public) if public.code() == codes::UNAVAILABLE_TLS => {
                "if the certificate is one of your own, trust it with --ca FILE, and use a name that is in it; if the server does not encrypt, use http://".to_owned()
            }
            Some(_) | None => there(url),
        };
        let error = CommandError::server(message).hint(hint);
        // Only a remediation of the server: that of Breakfall is the hint.
        let is_own = |public: &&Public| public.correlation_id() == Some(&failure::OWN.0);
        let remote = public.filter(|public| reason(public).is_none() && !is_own(public));
        let fix = reading.dialect.and(remote).map(Public::remediation);
        return match fix {
            Some(fix) => error.fact("fix", fix),
            None => error,
        };
    }
    let is_silent = public.is_some_and(|public| public.code() == codes::UNAVAILABLE_TIMEOUT);
    let error = CommandError::server(message).hint(alone(plan));
    if is_silent {
        return taken_for_tool(error, args, plan);
    }
    error
}

/// Adds a hint if the last word of the server may have been taken for the tool.
fn taken_for_tool(error: CommandError, args: &CallArgs, plan: &CallPlan) -> CommandError {
    match misread(args, plan) {
        Some(misread) => error.hint(misread),
        None => error,
    }
}

fn misread(args: &CallArgs, plan: &CallPlan) -> Option<String> {
    let PlannedAction::Call { tool, .. } = &plan.action else {
        return None;
    };
    if args.tool.is_some() || plan.command.is_empty() {
        return None;
    }
    let list = next_command::list_with(args, plan, tool);
    // The word before it may show that it is a credential.
    let words = [&plan.command[..], &[tool.into()]].concat();
    let tool = server::shown(&words).pop()?;
    Some(format!(
        "'{tool}' is taken for the tool; if it belongs to the server, this lists the tools: {list}"
    ))
}

fn alone(plan: &CallPlan) -> String {
    let alone = server::line(&plan.command);
    format!(
        "is it an MCP server on standard streams, and quick enough for --timeout? run it alone to see: {alone}"
    )
}

fn there(url: &str) -> String {
    format!("is there an MCP server at {}?", server::shown_url(url))
}

/// The reason of a configuration or certificate error, where the message lacks it.
fn reason(public: &Public) -> Option<String> {
    let reason = public.details().get("reason")?.as_str()?;
    match public.code() {
        code if code == codes::INTERNAL_CONFIGURATION => Some(reason.to_owned()),
        code if code == codes::UNAVAILABLE_TLS => {
            let message = public.message();
            let is_shown = message.contains(reason);
            (!is_shown).then(|| format!("no secure connection: {reason}"))
        }
        _ => None,
    }
}

/// Most servers answer by then.
const NOTE_AFTER: Duration = Duration::from_secs(3);
/// Enough for servers that a package manager downloads first.
const GIVE_UP_AFTER: Duration = Duration::from_mins(1);

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::{pending, ready};

    use super::*;

    #[test]
    fn a_silent_server_is_waited_for_with_a_note_and_not_for_ever() {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = builder.enable_time().build().unwrap();
        let total = Some(Duration::from_millis(2));
        let timeouts = |note| SessionTimeouts { note, total };
        let notes = Cell::new(0);
        let note = || notes.set(notes.get() + 1);
        let hour = Duration::from_hours(1);
        let at_once = runtime.block_on(timeouts(hour).wait(ready(1), note));
        assert_eq!((at_once, notes.get()), (Some(1), 0));
        let never =
            runtime.block_on(timeouts(Duration::from_millis(1)).wait(pending::<u8>(), note));
        assert_eq!((never, notes.get()), (None, 1));
    }
}
