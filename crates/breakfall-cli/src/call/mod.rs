//! `breakfall call`: words → a session with the server → one call → its result.
//!
//! The server runs behind the same gateway session as with `run`, so the call has a deadline and an answer whatever the
//! server does; the command is the client of that session.

mod answer;
mod arguments;
mod blocks;
mod failure;
mod next_command;
mod no_session;
mod plan;
mod session;
mod tools;
mod waiting;

use std::io;

use breakfall::validate::unknown_tool;
use breakfall::{Fault, Stamp};
use breakfall_gateway::assembly;
use breakfall_gateway::config::GateSettings;
use breakfall_gateway::session::{Session, SessionEnd};
use breakfall_gateway::upstream::Upstream;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::args::CallArgs;
use crate::exit::CommandExit;
use crate::log::{self, DefaultVerbosity};
use crate::output;
use crate::report::{CommandError, CommandReport};
use crate::server;
use crate::signals::Signals;
use arguments::CallArguments;
use breakfall_mcp::protocol::method;
use no_session::SessionTimeouts;
use plan::{CallPlan, PlannedAction};
use session::{CallSession, UnansweredQuestion};
use tools::ToolList;

pub(crate) fn run(args: &CallArgs) -> Result<CommandReport, CommandError> {
    let plan = CallPlan::of(args)?;
    log::start(&args.log, DefaultVerbosity::Server);
    let upstream = match &plan.url {
        Some(url) => server::at(url, &args.header, args.ca.as_deref(), &args.server),
        None => server::configured(&plan.command, &args.server),
    };
    // Results are classified here, and shown as the server sent them.
    let upstream = upstream.with_wire_only(true);
    let mut upstream = Upstream::from_config(&upstream, server::IN_PROCESS)
        .map_err(|error| CommandError::input(error.to_string()))?;
    let (id, at) = failure::OWN.clone();
    upstream.context.stamp = Stamp::Fixed(id, at);
    // A person types the call; the gate is for agents.
    upstream.gate = GateSettings::reporting();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::runtime(&error))?;
    let (end, unanswered, ended) = runtime
        .block_on(hold(&plan, upstream, args))
        .map_err(|error| CommandError::runtime(&error))?;
    report(end, &unanswered, ended, args, &plan)
}

/// How the session ended for the client.
enum CallEnd {
    /// The tools are listed.
    Tools(ToolList),
    /// The server does not have the tool; nothing was called.
    Unknown(Fault, ToolList),
    /// The server answered, well or badly.
    Answer(CallAnswer),
    /// The answer is not a list of tools.
    NoList(Frame),
    /// A request could not be sent, or its answer not be read.
    Failed(Fault),
    /// The server refused the handshake.
    Refused(Frame),
    /// The server did not answer the handshake.
    Silent,
    /// The program sends back its input.
    Echo,
    /// The connection ended.
    Gone,
    /// The user interrupted the command.
    Interrupted { is_cancelled: bool },
}

/// The answer to the last request.
struct CallAnswer {
    frame: Frame,
    /// Arguments that break no rule of the tool, if those that were sent do.
    correction: Option<Value>,
    /// Whether the tool may be called twice, by its annotations.
    may_repeat: bool,
}

impl From<Frame> for CallAnswer {
    fn from(frame: Frame) -> Self {
        Self {
            frame,
            correction: None,
            may_repeat: false,
        }
    }
}

/// Holds a session with the server from start to end.
async fn hold(
    plan: &CallPlan,
    upstream: Upstream,
    args: &CallArgs,
) -> io::Result<(CallEnd, Vec<UnansweredQuestion>, SessionEnd)> {
    let (client, gateway) = tokio::io::duplex(DUPLEX_BYTES);
    let (reader, writer) = tokio::io::split(gateway);
    let upstream = assembly::single(upstream);
    let relay = Session::start(reader, writer, FrameLimits::REQUEST, upstream);
    let stop = relay.stop();
    let mut relay = tokio::spawn(relay.run());
    let mut signals = Signals::new()?;
    let mut session = CallSession::start(client, plan.answer.clone(), args.quiet);
    let end = tokio::select! {
        end = converse(&mut session, plan, args) => Some(end.unwrap_or_else(|early| early)),
        _ = signals.recv() => None,
    };
    let end = end.unwrap_or_else(|| CallEnd::Interrupted {
        is_cancelled: session.is_cancellable(),
    });
    // Without a session there is nothing to drain.
    if matches!(
        end,
        CallEnd::Silent
            | CallEnd::Interrupted {
                is_cancelled: false
            }
    ) {
        stop.now();
    }
    // The end of the client's input makes the gateway stop the server.
    let unanswered = session.close();
    let ended = tokio::select! {
        ended = &mut relay => ended.unwrap_or(SessionEnd::Defect),
        // A second interrupt does not wait for the server: it is killed with its process group.
        _ = signals.recv() => SessionEnd::Well,
    };
    Ok((end, unanswered, ended))
}

/// Handshake, tools, call.
async fn converse(
    session: &mut CallSession,
    plan: &CallPlan,
    args: &CallArgs,
) -> Result<CallEnd, CallEnd> {
    let note = || {
        if !args.quiet {
            output::note(&no_session::waiting(args, plan));
        }
    };
    let initialized = SessionTimeouts::of(args).wait(session.initialize(), note);
    initialized.await.unwrap_or(Err(CallEnd::Silent))?;
    let (tool, arguments) = match &plan.action {
        PlannedAction::List => return Ok(CallEnd::Tools(tools::list(session).await?)),
        PlannedAction::Call { tool, arguments } => (tool, arguments),
    };
    let tools = match tools::list(session).await {
        Ok(tools) => Some(tools),
        // A server that cannot list its tools may still have this one.
        Err(CallEnd::Answer(_) | CallEnd::NoList(_)) => None,
        Err(early) => return Err(early),
    };
    if let Some(tools) = tools.as_ref().filter(|tools| !tools.has(tool)) {
        let fault = unknown_tool(tool, &tools.names());
        return Ok(CallEnd::Unknown(fault, tools.clone()));
    }
    let arguments = arguments.typed(tools.as_ref().and_then(|tools| tools.schema_of(tool)));
    let params = ToolCallParams {
        name: tool,
        arguments: &arguments,
        meta: json!({"progressToken": "call"}),
    };
    let note = |waited| {
        if let Some(note) = waiting::for_answer(tool, waited, args) {
            output::note(&note);
        }
    };
    let answer = waiting::with_notes(session.ask(method::TOOLS_CALL, &params), note);
    let frame = answer.await?;
    let tools = tools.unwrap_or_default();
    Ok(CallEnd::Answer(CallAnswer {
        frame,
        correction: tools.correction(tool, &arguments),
        may_repeat: tools.may_repeat(tool),
    }))
}

#[derive(Serialize)]
struct ToolCallParams<'a> {
    name: &'a str,
    arguments: &'a RawValue,
    #[serde(rename = "_meta")]
    meta: Value,
}

fn report(
    end: CallEnd,
    unanswered: &[UnansweredQuestion],
    ended: SessionEnd,
    args: &CallArgs,
    plan: &CallPlan,
) -> Result<CommandReport, CommandError> {
    match end {
        CallEnd::Tools(tools) => Ok(tools::report(&tools, args.json)),
        CallEnd::NoList(frame) => Err(answer::no_list(&frame)),
        CallEnd::Unknown(fault, tools) => {
            let mut error = failure::error(fault.public(), None);
            // Without a similar name, the fix lists them.
            let is_listed = fault.public().details().get("suggestion").is_none();
            if !is_listed || tools.names().is_empty() {
                error = error.fact("tools", tools.shown());
            }
            let list = next_command::list(args, plan);
            Err(error
                .exit(CommandExit::BadInput)
                .hint(format!("its tools and their arguments: {list}")))
        }
        CallEnd::Answer(answer) => Ok(answer::report(&answer, unanswered, args, plan)),
        CallEnd::Failed(fault) => Err(failure::error(fault.public(), None)),
        CallEnd::Refused(frame) => {
            no_session::ended(ended, args, plan)?;
            Err(no_session::refused(&frame, args, plan))
        }
        CallEnd::Silent => Err(no_session::silent(args, plan)),
        CallEnd::Echo => Err(no_session::echo(args, plan)),
        CallEnd::Gone => {
            no_session::ended(ended, args, plan)?;
            Err(CommandError::internal(
                "the connection to the server was lost",
            ))
        }
        CallEnd::Interrupted { is_cancelled } => {
            let message = if is_cancelled {
                "interrupted; the server was told to cancel the call"
            } else {
                "interrupted before anything was called"
            };
            Err(CommandError::new(CommandExit::Interrupted, message))
        }
    }
}

const DUPLEX_BYTES: usize = 64 << 10;
