//! `breakfall run`: stands in for a server, between its client and itself, on the standard streams.

mod streams;

use std::io::IsTerminal as _;

use breakfall_gateway::assembly;
use breakfall_gateway::config::{Config, Machine, Problems};
use breakfall_gateway::record::Recorder;
use breakfall_gateway::session::{Ended, Session, SessionStop};
use breakfall_gateway::upstream::{Origin, Upstream};
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::stdio::stdio;
use streams::Failures;
use tokio::signal::unix::{SignalKind, signal};

use crate::args;
use crate::config;
use crate::log::{self, Servers, Unsaid};
use crate::out;
use crate::report::{Body, Problem, Report};
use crate::server;

pub(crate) fn run(args: &args::Run) -> Result<Report, Problem> {
    let config = configured(args)?;
    let level = args
        .log
        .level
        .or_else(|| args::LogLevel::from_word(config.log.level.as_str()));
    let format = args
        .log
        .format
        .or_else(|| args::LogFormat::from_word(config.log.format.as_str()));
    log::start(
        &args::Log { level, format },
        Unsaid::Everything,
        Servers::One,
    );
    let [upstream] = config.upstreams.as_slice() else {
        return Err(Problem::internal("one server was chosen"));
    };
    let limits = config.limits.of_requests();
    let upstream = Upstream::from_config(upstream, server::IN_PROCESS);
    let mut upstream = upstream.map_err(|error| Problem::input(error.to_string()))?;
    if upstream.context.is_judged {
        upstream.context.recorder = Recorder::open(&config, &Machine);
    }
    // One thread: a message passes through in microseconds, and nothing has to be handed from one to another.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Problem::internal(format!("cannot start: {}", out::reason(&error))))?;
    let recorder = upstream.context.recorder.clone();
    let ended = runtime.block_on(async {
        let ended = relay(upstream, limits).await;
        recorder.flush().await;
        recorder.sum_up();
        ended
    });
    // Somebody may still sit at a terminal we read from; nobody waits for that.
    runtime.shutdown_background();
    server::ended(ended?, &args.command)?;
    Ok(Report::new(Body::Exact(String::new())))
}

/// What to stand in for, with everything there is to know about it: a configuration of one server.
fn configured(args: &args::Run) -> Result<Config, Problem> {
    let mut config = match &args.config {
        Some(file) => {
            let refused = |problems: Problems| config::refused(&problems, WIDTH);
            let mut config = Config::load(file).map_err(refused)?;
            let chosen = server::of_config(&config, args.upstream.as_deref(), &args.server)?;
            config.upstreams = vec![chosen];
            config
        }
        None => Config::from(server::configured(&args.command, &args.server)),
    };
    for upstream in &mut config.upstreams {
        if let Some(name) = &args.name {
            upstream.name.clone_from(name);
        }
        upstream.wire_only |= args.wire_only;
        if let Some(first) = args.restart_delay {
            upstream.restart.first = first;
            upstream.restart.max = upstream.restart.max.max(first);
        }
    }
    Ok(config)
}

async fn relay(upstream: Upstream, limits: FrameLimits) -> Result<Ended, Problem> {
    let closed = |error: std::io::Error| {
        let what = format!("cannot use the standard streams: {}", out::reason(&error));
        Problem::input(what).hint("an MCP client starts this command and speaks to it there")
    };
    let is_terminal = std::io::stdin().is_terminal();
    if is_terminal {
        out::waiting_for_client(matches!(upstream.origin, Origin::Inside(_)));
    }
    let failures = Failures::default();
    let (input, output) = failures.of(stdio().map_err(closed)?);
    let relay = Session::start(input, output, limits, assembly::single(upstream));
    tokio::spawn(stop_on_signal(relay.stop()));
    let ended = relay.run().await;
    match failures.first() {
        // A terminal that is closed fails as well.
        Some(failed) if !is_terminal => Err(failed),
        Some(_) | None => Ok(ended),
    }
}

/// A client that wants us gone asks in this way if closing our input did not do it.
async fn stop_on_signal(stop: SessionStop) {
    let kinds = [
        SignalKind::terminate(),
        SignalKind::interrupt(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    // They fail only if the runtime has no signals, and ours has.
    let [
        Ok(mut terminate),
        Ok(mut interrupt),
        Ok(mut hangup),
        Ok(mut quit),
    ] = kinds.map(signal)
    else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = hangup.recv() => {}
        _ = quit.recv() => {}
    }
    stop.now();
}

/// The width of problems of a configuration: our stderr is a client's log more often than a terminal.
const WIDTH: usize = 100;
