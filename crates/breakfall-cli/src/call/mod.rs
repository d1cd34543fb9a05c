//! `breakfall call`: words → a session with the server → one call → what came of it.
//!
//! The server is behind the same relay that `run` puts in front of it, so the call has a deadline and an answer
//! whatever the server does; we are the client at the other end of it.

mod absent;
mod again;
mod answer;
mod arguments;
mod blocks;
mod failure;
mod handshake;
mod interrupt;
mod plan;
mod session;
mod tools;

use std::io;

use breakfall::validate::unknown_tool;
use breakfall::{Fault, Stamp};
use breakfall_gateway::assembly;
use breakfall_gateway::session::{self as gateway, Ended};
use breakfall_gateway::upstream::Upstream;
use breakfall_mcp::jsonrpc::{Frame, FrameLimits};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::args::Call;
use crate::exit::Exit;
use crate::log::{self, Servers, Unsaid};
use crate::out;
use crate::report::{Problem, Report};
use crate::server;
use absent::Waits;
use arguments::Arguments;
use interrupt::Interrupt;
use plan::{Plan, What};
use session::{Meta, Question, Session};
use tools::Tools;

pub(crate) fn run(args: &Call) -> Result<Report, Problem> {
    let plan = Plan::of(args)?;
    log::start(&args.log, Unsaid::Server, Servers::One);
    let upstream = match &plan.url {
        Some(url) => server::at(url, &args.header, args.ca.as_deref(), &args.server),
        None => server::configured(&plan.command, &args.server),
    };
    // What a server says is read here, and shown as it is.
    let upstream = upstream.with_wire_only(true);
    let mut upstream = Upstream::from_config(&upstream, server::IN_PROCESS)
        .map_err(|error| Problem::input(error.to_string()))?;
    let (id, at) = failure::OWN.clone();
    upstream.context.stamp = Stamp::Fixed(id, at);
    let unable =
        |error: io::Error| Problem::internal(format!("cannot start: {}", out::reason(&error)));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(unable)?;
    let (done, asked, ended) = runtime
        .block_on(hold(&plan, upstream, args))
        .map_err(unable)?;
    report(done, &asked, ended, args, &plan)
}

/// How far it came.
enum Done {
    /// There are the tools.
    Tools(Tools),
    /// There is no such tool, and nothing was called.
    Unknown(Fault, Tools),
    /// There is an answer, good or bad.
    Answer(Answer),
    /// What was to be the list of tools is none.
    NoList(Frame),
    /// The server refused the handshake.
    Refused(Frame),
    /// The server did not answer the handshake.
    Silent,
    /// What was started sends back what it is sent.
    Echo,
    /// The connection ended.
    Gone,
    /// Somebody had enough.
    Interrupted { is_cancelled: bool },
}

/// The answer to the last request.
struct Answer {
    frame: Frame,
    /// Arguments that break no rule of the tool, if those that were sent do.
    would_do: Option<Value>,
}

impl From<Frame> for Answer {
    fn from(frame: Frame) -> Self {
        Self {
            frame,
            would_do: None,
        }
    }
}

/// Holds a session with the server, from its start to its end. What it asked meanwhile is told too.
async fn hold(
    plan: &Plan,
    mut upstream: Upstream,
    args: &Call,
) -> io::Result<(Done, Vec<Question>, Ended)> {
    // We speak both eras of the protocol ourselves.
    upstream.is_bridged = false;
    let (ours, theirs) = tokio::io::duplex(BUFFER);
    let (reader, writer) = tokio::io::split(theirs);
    let relay = gateway::Session::start(
        reader,
        writer,
        FrameLimits::REQUEST,
        assembly::single(upstream),
    );
    let stop = relay.stop();
    let mut relay = tokio::spawn(relay.run());
    let mut interrupt = Interrupt::new()?;
    let mut session = Session::new(ours, plan.answer.clone(), args.quiet);
    let done = tokio::select! {
        done = converse(&mut session, plan, args) => Some(done.unwrap_or_else(|early| early)),
        () = interrupt.heard() => None,
    };
    let done = if let Some(done) = done {
        done
    } else {
        let is_cancelled = session.cancel().await;
        if !is_cancelled {
            // Nobody waits for what is under way.
            stop.now();
        }
        Done::Interrupted { is_cancelled }
    };
    if matches!(done, Done::Silent) {
        stop.now();
    }
    // With it goes our end of the connection, and the relay ends the server.
    let asked = session.close();
    let ended = tokio::select! {
        ended = &mut relay => ended.unwrap_or(Ended::Defect),
        // Whoever has no patience with a server that does not end need not have any: it is killed.
        () = interrupt.heard() => Ended::Well,
    };
    Ok((done, asked, ended))
}

/// Handshake, tools, call. It may be done early.
async fn converse(session: &mut Session, plan: &Plan, args: &Call) -> Result<Done, Done> {
    let is_told = !args.quiet;
    let say = || {
        if is_told {
            out::tell(&absent::waiting(args, plan));
        }
    };
    let shaken = Waits::of(args).wait(handshake::shake(session), say).await;
    shaken.unwrap_or(Err(Done::Silent))?;
    let (tool, arguments) = match &plan.what {
        What::List => return Ok(Done::Tools(tools::list(session).await?)),
        What::Call { tool, arguments } => (tool, arguments),
    };
    let tools = match tools::list(session).await {
        Ok(tools) => Some(tools),
        // A server that cannot list its tools may still have this one.
        Err(Done::Answer(_) | Done::NoList(_)) => None,
        Err(early) => return Err(early),
    };
    if let Some(tools) = tools.as_ref().filter(|tools| !tools.has(tool)) {
        let fault = unknown_tool(tool, &tools.names());
        return Ok(Done::Unknown(fault, tools.clone()));
    }
    let arguments = arguments.typed(tools.as_ref().and_then(|tools| tools.schema_of(tool)));
    let params = Params {
        name: tool,
        arguments: &arguments,
        meta: session.meta_with_progress(),
    };
    let frame = session.ask("tools/call", &params).await?;
    let would_do = tools.and_then(|tools| tools.correction(tool, &arguments));
    Ok(Done::Answer(Answer { frame, would_do }))
}

#[derive(Serialize)]
struct Params<'a> {
    name: &'a str,
    arguments: &'a RawValue,
    #[serde(rename = "_meta")]
    meta: Meta,
}

fn report(
    done: Done,
    asked: &[Question],
    ended: Ended,
    args: &Call,
    plan: &Plan,
) -> Result<Report, Problem> {
    match done {
        Done::Tools(tools) => Ok(tools::report(&tools, args.json)),
        Done::NoList(frame) => Err(answer::no_list(&frame)),
        Done::Unknown(fault, tools) => {
            let mut problem = failure::problem(fault.public(), None);
            // Without a name that is near, the fix lists them.
            let is_listed = fault.public().details().get("suggestion").is_none();
            if !is_listed || tools.names().is_empty() {
                problem = problem.fact("tools", tools.shown());
            }
            let list = again::list(args, plan);
            Err(Problem {
                exit: Exit::BadInput,
                ..problem.hint(format!("its tools and their arguments: {list}"))
            })
        }
        Done::Answer(answer) => Ok(answer::report(&answer, asked, args, plan)),
        Done::Refused(frame) => {
            absent::ended(ended, args, plan)?;
            Err(absent::refused(&frame, args, plan))
        }
        Done::Silent => Err(absent::silent(args, plan)),
        Done::Echo => Err(absent::echo(args, plan)),
        Done::Gone => {
            absent::ended(ended, args, plan)?;
            Err(Problem::internal("the connection to the server was lost"))
        }
        Done::Interrupted { is_cancelled } => {
            let what = if is_cancelled {
                "interrupted; the server was told to cancel the call"
            } else {
                "interrupted before anything was called"
            };
            Err(Problem {
                exit: Exit::Interrupted,
                ..Problem::input(what)
            })
        }
    }
}

const BUFFER: usize = 64 << 10;
