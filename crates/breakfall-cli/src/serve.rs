//! `breakfall serve`: a gateway that listens, from its configuration to its end.

use std::io;
use std::path::Path;

use breakfall_gateway::config::{Config, Machine, Problems, Source, Upstream};
use breakfall_gateway::record::Recorder;
use breakfall_gateway::serve::{self, Control, Gateway, ServeOptions, StartError, serve_lines};
use breakfall_mcp::stdio::{StdioStreams, stdio};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::args::{self, DEFAULT_CONFIG};
use crate::config;
use crate::exit::Exit;
use crate::log::{self, Servers, Unsaid};
use crate::out;
use crate::report::{Body, Note, Problem, Report};
use crate::server;
use crate::shell;

pub(crate) fn run(args: &args::Serve) -> Result<Report, Problem> {
    let config = configured(args)?;
    let level = args::LogLevel::from_word(config.log.level.as_str());
    let format = args::LogFormat::from_word(config.log.format.as_str());
    let log = args::Log {
        level: args.log.level.or(level),
        format: args.log.format.or(format),
    };
    log::start(&log, Unsaid::Everything, Servers::Many);
    let unable =
        |error: io::Error| Problem::internal(format!("cannot start: {}", out::reason(&error)));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(unable)?;
    let ended = if args.stdio {
        runtime.block_on(on_streams(config))
    } else {
        allow_connections();
        runtime.block_on(on_network(config, args))
    };
    // Somebody may still sit at a terminal we read from; nobody waits for that.
    runtime.shutdown_background();
    ended?;
    Ok(Report::new(Body::Exact(String::new())))
}

/// Every connection is an open file, and many systems let a program have only a thousand unless it asks for more.
fn allow_connections() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.map_or(FILES, |maximum| maximum.min(FILES));
    if limit.current.is_some_and(|current| current < most) {
        limit.current = Some(most);
        // It goes on with fewer.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// What to serve.
fn configured(args: &args::Serve) -> Result<Config, Problem> {
    let mut config = if let Some(file) = &args.config {
        let refused = |problems: Problems| config::refused(&problems, WIDTH);
        Config::load(file).map_err(refused)?
    } else {
        if !args.demo && Path::new(DEFAULT_CONFIG).exists() {
            let text = format!("there is a {DEFAULT_CONFIG} here; -c {DEFAULT_CONFIG} serves it");
            out::tell(&Note::new("note", text));
        }
        Config::from(Upstream::demo())
    };
    for note in &config.notes {
        out::tell(&Note::new(note.label, &note.text));
    }
    if let Some(listen) = &args.listen {
        if !listen.is_loopback() && config.keys.is_empty() {
            let text = format!(
                "listening at {listen} lets other machines call every tool; with 'keys' in a configuration only those come in that have one"
            );
            out::tell(&Note::new("warning", text));
        }
        config.listen = listen.clone();
    }
    Ok(config)
}

async fn on_network(config: Config, args: &args::Serve) -> Result<(), Problem> {
    let file = args.config.as_deref();
    let source = file.map(|file| serve::Source::new(file, args.listen.clone()));
    let servers: Vec<(String, String)> = config
        .upstreams
        .iter()
        .map(|upstream| (upstream.name.clone(), upstream.source.to_string()))
        .collect();
    let is_demo = matches!(config.upstreams.as_slice(), [only] if only.source == Source::Demo);
    let has_keys = !config.keys.is_empty();
    let recorder = Recorder::open(&config, &Machine);
    let options = ServeOptions::new(server::IN_PROCESS)
        .with_source(source)
        .with_recorder(recorder.clone());
    let gateway = Gateway::start(config, options)
        .await
        .map_err(|error| unserved(&error))?;
    // Before anybody is told where we are, so that whoever reads it may send one at once.
    let signals = Signals::new().map_err(|error| unheard(&error))?;
    let tried = Tried {
        url: gateway.url(),
        is_demo,
        has_keys,
    };
    out::announce(&announcement(&tried, &servers, file));
    let control = gateway.control();
    let heard = tokio::spawn(signals.obey(control, Control::reload));
    gateway.run().await;
    recorder.flush().await;
    recorder.sum_up();
    heard.abort();
    Ok(())
}

async fn on_streams(config: Config) -> Result<(), Problem> {
    let closed = |error: io::Error| {
        let what = format!("cannot use the standard streams: {}", out::reason(&error));
        Problem::input(what).hint("an MCP client starts this command and speaks to it there")
    };
    let StdioStreams { input, output } = stdio().map_err(closed)?;
    let signals = Signals::new().map_err(|error| unheard(&error))?;
    let control = Control::default();
    // Whoever started us is gone with its terminal, and there is nobody else to serve.
    let heard = tokio::spawn(signals.obey(control.clone(), Control::stop));
    let recorder = Recorder::open(&config, &Machine);
    let options = ServeOptions::new(server::IN_PROCESS).with_recorder(recorder.clone());
    let ended = serve_lines(config, input, output, control, options).await;
    recorder.flush().await;
    recorder.sum_up();
    heard.abort();
    ended.map_err(|error| unserved(&error))
}

/// What whoever has just started us may try.
struct Tried {
    url: String,
    is_demo: bool,
    has_keys: bool,
}

impl Tried {
    fn line(&self) -> String {
        let Self { url, .. } = self;
        let breakfall = shell::ourselves();
        let key = if self.has_keys {
            " -H 'Authorization: Bearer KEY'"
        } else {
            ""
        };
        if self.is_demo {
            format!(
                "{breakfall} call{key} {url} search_products '{{\"query\":\"belt\",\"limit\":1}}'"
            )
        } else {
            format!("{breakfall} call --list{key} {url}")
        }
    }
}

/// Where we are, and what to do with it.
fn announcement(tried: &Tried, servers: &[(String, String)], file: Option<&Path>) -> String {
    let width = servers.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or_default();
    let servers = servers.iter().map(|(name, source)| {
        let source = out::printable(source);
        format!("  {name:width$}  {source}\n")
    });
    let servers: String = servers.collect();
    let Tried { url, .. } = tried;
    let line = tried.line();
    let watched = file.map_or_else(String::new, |file| {
        let file = shell::line(&[file.display().to_string()]);
        format!("\n{file} is read again when it changes.\n")
    });
    format!("Listening at {url}\n\n{servers}\nTry it from another terminal:\n  {line}\n{watched}")
}

/// What wakes us up.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
    quit: Signal,
    hang_up: Signal,
}

impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Does what is wanted, for ever.
    async fn obey(mut self, control: Control, on_hang_up: fn(&Control)) {
        loop {
            tokio::select! {
                _ = self.terminate.recv() => control.stop(),
                _ = self.interrupt.recv() => control.stop(),
                _ = self.quit.recv() => control.stop(),
                _ = self.hang_up.recv() => on_hang_up(&control),
            }
        }
    }
}

fn unheard(error: &io::Error) -> Problem {
    Problem::internal(format!("cannot hear signals: {}", out::reason(error)))
}

fn unserved(error: &StartError) -> Problem {
    let is_address = matches!(error, StartError::Host { .. } | StartError::Address(_));
    let exit = if is_address {
        Exit::Address
    } else {
        Exit::BadConfig
    };
    let problem = Problem {
        exit,
        ..Problem::input(error.to_string())
    };
    problem.hint(error.fix())
}

/// More than the connections there may be, and not so many that programs which close all they could have take long.
const FILES: u64 = 65_536;

/// The width of problems of a configuration: our stderr is a log more often than a terminal.
const WIDTH: usize = 100;
