//! `breakfall run`: stands in for a server, between its client and itself, on the standard streams.

mod log;

use std::process::ExitStatus;

use breakfall_gateway::config::{self, Secret, Word};
use breakfall_gateway::envelope::Limits;
use breakfall_gateway::front::{Stdio, stdio};
use breakfall_gateway::relay::{Ended, Relay, Stop};
use breakfall_gateway::upstream::Upstream;
use tokio::signal::unix::{SignalKind, signal};

use crate::args;
use crate::exit::Exit;
use crate::out;
use crate::report::{Body, Problem, Report};

pub(crate) fn run(args: &args::Run) -> Result<Report, Problem> {
    log::start(args.log.level.into(), args.log.format);
    let upstream = upstream(args)?;
    // One thread: a message passes through in microseconds, and nothing has to be handed from one to another.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::internal(format!("cannot start: {}", out::reason(&error))))?;
    let ended = runtime.block_on(relay(upstream));
    // Somebody may still sit at a terminal we read from; nobody waits for that.
    runtime.shutdown_background();
    report(ended?, args)
}

/// What to stand in for: the command line of the server, or the demo.
fn upstream(args: &args::Run) -> Result<Upstream, Problem> {
    let mut upstream = match args.command.split_first() {
        Some((program, rest)) => config::Upstream::command(
            Word::from(program.as_str()),
            rest.iter().map(|arg| Word::from(arg.as_str())),
        ),
        None => config::Upstream::demo(),
    };
    if let Some(name) = &args.name {
        upstream.name.clone_from(name);
    }
    for (name, value) in &args.env {
        upstream = upstream.with_env(name.clone(), Secret::new(value.clone()));
    }
    if let Some(cwd) = &args.cwd {
        upstream = upstream.with_cwd(cwd.clone());
    }
    if let Some(timeout) = args.timeout {
        upstream = upstream.with_timeout(timeout);
    }
    if let Some(most) = args.max_timeout {
        upstream.patience.total = most;
    }
    if let Some(first) = args.restart_delay {
        upstream.restart.first = first;
        upstream.restart.max = upstream.restart.max.max(first);
    }
    Upstream::from_config(&upstream).map_err(|error| Problem::input(error.to_string()))
}

async fn relay(upstream: Upstream) -> Result<Ended, Problem> {
    let closed = |error: std::io::Error| {
        let what = format!("cannot use the standard streams: {}", out::reason(&error));
        Problem::input(what).hint("an MCP client starts this command and speaks to it there")
    };
    let Stdio { input, output } = stdio().map_err(closed)?;
    let relay = Relay::start(input, output, Limits::REQUEST, upstream);
    tokio::spawn(stop_on_signal(relay.stop()));
    Ok(relay.run().await)
}

/// A client that wants us gone asks in this way if closing our input did not do it.
async fn stop_on_signal(stop: Stop) {
    let kinds = [
        SignalKind::terminate(),
        SignalKind::interrupt(),
        SignalKind::hangup(),
    ];
    // They fail only if the runtime has no signals, and ours has.
    let [Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)] = kinds.map(signal) else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
    }
    stop.now();
}

/// How it ended, for whoever started us.
fn report(ended: Ended, args: &args::Run) -> Result<Report, Problem> {
    let server = |what: String| Problem {
        exit: Exit::Server,
        ..Problem::input(what)
    };
    match ended {
        Ended::Well => Ok(Report::new(Body::Exact(String::new()))),
        Ended::NotStarted(error) => Err(server(error.to_string()).hint(error.fix())),
        Ended::NeverSpoke(exit) => {
            let shown = args.command.join(" ");
            let how = exit.map_or_else(String::new, |exit: ExitStatus| format!(" ({exit})"));
            let what = format!("the server ended before it said anything{how}");
            let hint = format!("run it alone to see what it needs: {shown}");
            Err(server(what).hint(hint))
        }
        Ended::Defect => Err(Problem::internal(
            "this is a defect of breakfall, not of the server",
        )),
    }
}
