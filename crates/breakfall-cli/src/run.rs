//! `breakfall run`: the gateway in front of one server, on the standard streams.

mod streams;

use std::io::IsTerminal as _;
use std::sync::Arc;

use breakfall_gateway::assembly;
use breakfall_gateway::config::{Config, ConfigError, GateMode, ProcessEnvironment};
use breakfall_gateway::record::{Recorder, SuccessLevel};
use breakfall_gateway::session::{Session, SessionEnd, SessionStop};
use breakfall_gateway::upstream::{Origin, Upstream, UsageWriter};
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::stdio::stdio;
use streams::StreamErrors;

use crate::args;
use crate::config;
use crate::inspection;
use crate::log::{self, DefaultVerbosity};
use crate::output;
use crate::report::{CommandError, CommandReport};
use crate::server;
use crate::signals::Signals;

pub(crate) fn run(args: &args::RunArgs) -> Result<CommandReport, CommandError> {
    inspection::forbid();
    let config = configured(args)?;
    log::start(&args.log.or(config.log), DefaultVerbosity::Everything);
    let [upstream] = config.upstreams.as_slice() else {
        return Err(CommandError::internal("one server was chosen"));
    };
    let limits = config.limits.of_requests();
    let has_quotas = upstream.has_quotas();
    let upstream = Upstream::from_config(upstream, server::IN_PROCESS);
    let upstream = upstream.map_err(|error| CommandError::input(error.to_string()))?;
    let mut upstream = upstream.started_by_client();
    if upstream.context.is_judged || has_quotas {
        upstream.context.recorder =
            Recorder::open(&config, &ProcessEnvironment, SuccessLevel::Debug);
    }
    // One thread: passing a message takes microseconds, and a hand-over between threads would take longer.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::runtime(&error))?;
    let recorder = upstream.context.recorder.clone();
    let usage = UsageWriter::new(Arc::default(), recorder.store().cloned());
    upstream.context.usage = usage.clone();
    let ended = runtime.block_on(async {
        let ended = relay(upstream, limits).await;
        usage.finish().await;
        recorder.finish();
        recorder.sum_up();
        ended
    });
    // A blocked read of a terminal must not delay the exit.
    runtime.shutdown_background();
    server::ended(ended?, &args.command)?;
    Ok(CommandReport::empty())
}

/// The configuration to run: one server.
fn configured(args: &args::RunArgs) -> Result<Config, CommandError> {
    let mut config = if let Some(file) = &args.config {
        let refused = |problems: ConfigError| config::refused(&problems);
        let mut config = Config::load(file).map_err(refused)?;
        let chosen = server::of_config(&config, args.upstream.as_deref(), &args.server)?;
        config.upstreams = vec![chosen];
        config
    } else {
        let mut config = Config::from(server::configured(&args.command, &args.server));
        // A server behind `run` works as without it, unless its user asks for more.
        let gate = if args.gate {
            GateMode::Strict
        } else {
            GateMode::Report
        };
        for upstream in &mut config.upstreams {
            upstream.gate.mode = gate;
        }
        config
    };
    for upstream in &mut config.upstreams {
        if let Some(name) = &args.name {
            upstream.name.clone_from(name);
        }
        upstream.wire_only |= args.wire_only;
        upstream.hints = args.hints.unwrap_or(upstream.hints);
        let replies = &mut upstream.replies;
        let redaction = args.redact.map(args::Redaction::setting);
        replies.redaction = redaction.unwrap_or(replies.redaction);
        if let Some(args::DurationOrOff(stuck_after)) = args.stuck_after {
            upstream.stuck_after = stuck_after;
        }
        if let Some(first) = args.restart_delay {
            upstream.restart.first = first;
            upstream.restart.max = upstream.restart.max.max(first);
        }
    }
    Ok(config)
}

async fn relay(upstream: Upstream, limits: FrameLimits) -> Result<SessionEnd, CommandError> {
    let unusable = |error| CommandError::standard_streams("use the standard streams", &error);
    let is_terminal = std::io::stdin().is_terminal();
    if is_terminal {
        output::note_missing_client(matches!(upstream.origin, Origin::Inside(_)));
    }
    let failures = StreamErrors::default();
    let (input, output) = failures.of(stdio().map_err(unusable)?);
    let relay = Session::start(input, output, limits, assembly::single(upstream));
    let signals = Signals::new().map_err(|error| CommandError::runtime(&error))?;
    tokio::spawn(stop_on_signal(signals, relay.stop()));
    let ended = relay.run().await;
    match failures.first() {
        // Closing a terminal is an error of its stream too.
        Some(failed) if !is_terminal => Err(failed),
        Some(_) | None => Ok(ended),
    }
}

/// Clients that cannot close the input end the gateway with a signal.
async fn stop_on_signal(mut signals: Signals, stop: SessionStop) {
    signals.recv().await;
    stop.now();
}
