//! `breakfall serve`: the gateway as a service, from configuration to shutdown.

use std::path::Path;

use breakfall_gateway::config::{
    Config, ConfigError, ProcessEnvironment, UpstreamSettings, UpstreamSource,
};
use breakfall_gateway::record::{Recorder, SuccessLevel};
use breakfall_gateway::serve::{self, Control, Gateway, ServeOptions, StartError, serve_lines};
use breakfall_mcp::stdio::{StdioStreams, stdio};

use crate::args::{self, DEFAULT_CONFIG};
use crate::config;
use crate::exit::CommandExit;
use crate::inspection;
use crate::log::{self, DefaultVerbosity};
use crate::output;
use crate::report::{CommandError, CommandReport, ReportNote};
use crate::server;
use crate::shell;
use crate::signals::{ReceivedSignal, Signals};

pub(crate) fn run(args: &args::ServeArgs) -> Result<CommandReport, CommandError> {
    inspection::forbid();
    let default = Path::new(DEFAULT_CONFIG);
    let file = args.config.as_deref();
    let file = file.or_else(|| (!args.demo && default.exists()).then_some(default));
    let config = configured(file, args)?;
    let log = args.log.or(config.log);
    log::start(&log, DefaultVerbosity::Everything);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::runtime(&error))?;
    let ended = if args.stdio {
        runtime.block_on(on_streams(config))
    } else {
        raise_file_limit();
        runtime.block_on(on_network(config, file, args))
    };
    // A blocked read of a terminal must not delay the exit.
    runtime.shutdown_background();
    ended?;
    Ok(CommandReport::empty())
}

/// Every connection is an open file, and many systems allow a process a thousand unless it asks for more.
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let most = limit
        .maximum
        .map_or(MAX_OPEN_FILES, |maximum| maximum.min(MAX_OPEN_FILES));
    if limit.current.is_some_and(|current| current < most) {
        limit.current = Some(most);
        // On failure it runs with fewer.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// The configuration to serve.
fn configured(file: Option<&Path>, args: &args::ServeArgs) -> Result<Config, CommandError> {
    let mut config = match file {
        Some(file) => {
            let refused = |problems: ConfigError| config::refused(&problems);
            Config::load(file).map_err(refused)?
        }
        None => Config::from(UpstreamSettings::demo()),
    };
    for note in &config.notes {
        output::note(&ReportNote::new(note.label, &note.text));
    }
    if let Some(listen) = &args.listen {
        if !listen.is_loopback() && config.keys.is_empty() {
            let text = format!(
                "listening at {listen} lets other machines call every tool; 'keys' in a configuration restricts access"
            );
            output::note(&ReportNote::new("warning", text));
        }
        config.listen = listen.clone();
    }
    Ok(config)
}

async fn on_network(
    config: Config,
    file: Option<&Path>,
    args: &args::ServeArgs,
) -> Result<(), CommandError> {
    let source = file.map(|file| serve::Source::new(file, args.listen.clone()));
    let servers: Vec<(String, String)> = config
        .upstreams
        .iter()
        .map(|upstream| (upstream.name.clone(), upstream.source.to_string()))
        .collect();
    let is_demo =
        matches!(config.upstreams.as_slice(), [only] if only.source == UpstreamSource::Demo);
    let has_keys = !config.keys.is_empty();
    let recorder = Recorder::open(&config, &ProcessEnvironment, SuccessLevel::Info);
    let options = ServeOptions::new(server::IN_PROCESS)
        .with_source(source)
        .with_recorder(recorder.clone());
    let gateway = Gateway::start(config, options)
        .await
        .map_err(|error| start_error(&error))?;
    // Before the address is printed: its reader may send a signal at once.
    let signals = signals()?;
    let example = TryLine {
        url: gateway.url(),
        is_demo,
        has_keys,
    };
    output::announce(&announcement(&example, &servers, file));
    let control = gateway.control();
    let obeying = tokio::spawn(obey(signals, control, Control::reload));
    gateway.run().await;
    recorder.finish();
    recorder.sum_up();
    obeying.abort();
    Ok(())
}

async fn on_streams(config: Config) -> Result<(), CommandError> {
    let unusable = |error| CommandError::standard_streams("use the standard streams", &error);
    let StdioStreams { input, output } = stdio().map_err(unusable)?;
    let signals = signals()?;
    let control = Control::default();
    // When the terminal is closed, the only client is gone.
    let obeying = tokio::spawn(obey(signals, control.clone(), Control::stop));
    let recorder = Recorder::open(&config, &ProcessEnvironment, SuccessLevel::Info);
    let options = ServeOptions::new(server::IN_PROCESS).with_recorder(recorder.clone());
    let ended = serve_lines(config, input, output, control, options).await;
    recorder.finish();
    recorder.sum_up();
    obeying.abort();
    ended.map_err(|error| start_error(&error))
}

/// The command line that is printed to try the service.
struct TryLine {
    url: String,
    is_demo: bool,
    has_keys: bool,
}

impl TryLine {
    fn line(&self) -> String {
        let Self { url, .. } = self;
        let breakfall = shell::program_name();
        let key = if self.has_keys {
            " -H 'Authorization: Bearer KEY'"
        } else {
            ""
        };
        if self.is_demo {
            // One that fails: that is what there is to see.
            format!("{breakfall} call{key} {url} get_order '{{\"order_id\":\"ord-9999\"}}'")
        } else {
            format!("{breakfall} call --list{key} {url}")
        }
    }
}

/// The address and the servers, with a command to try.
fn announcement(example: &TryLine, servers: &[(String, String)], file: Option<&Path>) -> String {
    let width = servers.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or_default();
    let servers = servers.iter().map(|(name, source)| {
        let source = output::printable(source);
        format!("  {name:width$}  {source}\n")
    });
    let servers: String = servers.collect();
    let TryLine { url, .. } = example;
    let line = example.line();
    let watched = file.map_or_else(String::new, |file| {
        let file = shell::line(&[file.display().to_string()]);
        format!("\n{file} is read again when it changes.\n")
    });
    format!("Listening at {url}\n\n{servers}\nTry it from another terminal:\n  {line}\n{watched}")
}

/// Obeys signals until it is aborted.
async fn obey(mut signals: Signals, control: Control, on_hang_up: fn(&Control)) {
    loop {
        match signals.recv().await {
            ReceivedSignal::Stop => control.stop(),
            ReceivedSignal::HangUp => on_hang_up(&control),
        }
    }
}

fn signals() -> Result<Signals, CommandError> {
    Signals::new().map_err(|error| CommandError::runtime(&error))
}

fn start_error(error: &StartError) -> CommandError {
    let is_address = matches!(error, StartError::Host { .. } | StartError::Address(_));
    let exit = if is_address {
        CommandExit::Address
    } else {
        CommandExit::BadConfig
    };
    CommandError::new(exit, error.to_string()).hint(error.fix())
}

/// More than the connections that are allowed, and few enough for servers that close every possible file on start.
const MAX_OPEN_FILES: u64 = 65_536;
