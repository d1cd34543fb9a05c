//! `breakfall run`: stands in for a server, between its client and itself, on the standard streams.

use breakfall_gateway::envelope::Limits;
use breakfall_gateway::front::{Stdio, stdio};
use breakfall_gateway::relay::{Ended, Relay, Stop};
use breakfall_gateway::upstream::Upstream;
use tokio::signal::unix::{SignalKind, signal};

use crate::args;
use crate::log::{self, Unsaid};
use crate::out;
use crate::report::{Body, Problem, Report};
use crate::server;

pub(crate) fn run(args: &args::Run) -> Result<Report, Problem> {
    log::start(&args.log, Unsaid::Everything);
    let upstream = upstream(args)?;
    // One thread: a message passes through in microseconds, and nothing has to be handed from one to another.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::internal(format!("cannot start: {}", out::reason(&error))))?;
    let ended = runtime.block_on(relay(upstream));
    // Somebody may still sit at a terminal we read from; nobody waits for that.
    runtime.shutdown_background();
    server::ended(ended?, &args.command)?;
    Ok(Report::new(Body::Exact(String::new())))
}

/// What to stand in for.
fn upstream(args: &args::Run) -> Result<Upstream, Problem> {
    let mut upstream = server::configured(&args.command, &args.server);
    if let Some(name) = &args.name {
        upstream.name.clone_from(name);
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
