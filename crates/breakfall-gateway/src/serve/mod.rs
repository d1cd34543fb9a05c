//! The gateway as a service: which server is at which path, for which clients, from start to shutdown.
//!
//! `assembly.rs` tells how a request reaches a server, layer by layer.
//!
//! | module | |
//! |---|---|
//! | `assembly` | what is plugged into what, and why in that order |
//! | `router`, `pages` | paths: MCP, health, readiness, metrics |
//! | `site`, `api_keys` | one configuration at work: endpoints by path, keys |
//! | `endpoint`, `supervisor` | the servers of each client: opened, bounded, waited for |
//! | `state`, `reload`, `watch` | the current site, and how a reload replaces it |
//! | `control`, `drain` | signals from outside, shutdown |
//! | `single`, `stdio` | one server over HTTP, and one client over stdio |

mod api_keys;
mod assembly;
mod control;
mod drain;
mod endpoint;
mod pages;
mod reload;
mod router;
mod single;
mod site;
mod start_error;
mod state;
mod stdio;
mod supervisor;
mod watch;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::lookup_host;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

pub use control::{Control, Reloads};
pub use single::{SingleServer, single};
pub use start_error::StartError;
pub use stdio::serve_lines;

use crate::config::{Config, ListenAddress};
use crate::record::Recorder;
use crate::upstream::InProcessServers;
use breakfall_mcp::http_server::{McpService, Server, ServerHandle, Settings};
use drain::Shutdown;
use site::Site;
use state::GatewayState;
use supervisor::Supervisor;

/// A gateway that listens already. Connections wait until [`Gateway::run`].
///
/// ```
/// use breakfall_gateway::config::{Config, UpstreamSettings};
/// use breakfall_gateway::serve::{Gateway, ServeOptions};
/// use breakfall_gateway::upstream::InProcessServers;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let mut config = Config::from(UpstreamSettings::demo());
/// config.listen.port = 0;
/// let servers = InProcessServers { demo: breakfall_demo::spawn };
/// let gateway = Gateway::start(config, ServeOptions::new(servers)).await.expect("there is a free port");
/// assert_eq!(gateway.url(), format!("http://{}/mcp", gateway.address()));
///
/// let control = gateway.control();
/// let running = tokio::spawn(gateway.run());
/// control.stop();
/// running.await.expect("it ends");
/// # });
/// # Ok::<_, std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Gateway {
    server: Server,
    state: Arc<GatewayState>,
    control: Control,
    source: Option<Source>,
}

/// What a program hands to the gateway it starts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServeOptions {
    /// The file of the configuration, which is reloaded when it changes.
    pub source: Option<Source>,
    /// Where calls are recorded.
    pub recorder: Recorder,
    /// The servers inside this process.
    pub in_process: InProcessServers,
}

impl ServeOptions {
    /// Options without a file and without a record of calls.
    pub fn new(in_process: InProcessServers) -> Self {
        Self {
            source: None,
            recorder: Recorder::off(),
            in_process,
        }
    }

    /// Sets the file of the configuration.
    #[must_use]
    pub fn with_source(self, source: Option<Source>) -> Self {
        Self { source, ..self }
    }

    /// Sets where calls are recorded.
    #[must_use]
    pub fn with_recorder(self, recorder: Recorder) -> Self {
        Self { recorder, ..self }
    }
}

/// Where a configuration comes from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Source {
    /// The file.
    pub file: PathBuf,
    /// The address to listen at, instead of the one in the file.
    pub listen: Option<ListenAddress>,
}

impl Source {
    /// A file, and the address to listen at instead of the one in it.
    ///
    /// ```
    /// use breakfall_gateway::serve::Source;
    ///
    /// assert_eq!(Source::new("breakfall.yaml", None).file.to_str(), Some("breakfall.yaml"));
    /// ```
    pub fn new(file: impl Into<PathBuf>, listen: Option<ListenAddress>) -> Self {
        Self {
            file: file.into(),
            listen,
        }
    }
}

impl Gateway {
    /// Starts to listen where a configuration says.
    ///
    /// # Errors
    /// When the address, the certificate or a server cannot be used.
    pub async fn start(config: Config, options: ServeOptions) -> Result<Self, StartError> {
        let listen = config.listen.clone();
        let source = options.source.clone();
        let state = new_state(config, options)?;
        let server = bind(&listen, &state.site().settings()).await?;
        Ok(Self {
            server,
            state,
            control: Control::default(),
            source,
        })
    }

    /// The address it listens at.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The URL of all its servers as one.
    pub fn url(&self) -> String {
        let scheme = match self.state.site().tls {
            Some(_) => "https",
            None => "http",
        };
        format!("{scheme}://{}/mcp", self.address())
    }

    /// A handle for when it runs.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Serves until [`Control::stop`], and ends every server it has started.
    pub async fn run(self) {
        let Self {
            server,
            state,
            control,
            source,
        } = self;
        let handle = server.handle();
        let (router, mcp) = assembly::router(&state, &handle);
        let stopped = async {
            control.stopped().await;
            state.start_drain();
            let drain = state.site().config.drain;
            tracing::info!("shutting down, open requests have {drain:?} to finish");
            let shutdown = Shutdown {
                server: &handle,
                mcp: &mcp,
                supervisor: &state.supervisor,
            };
            let give_up = |fault: &_| state.give_up(fault);
            shutdown.run(drain, control.hurried(), give_up).await;
        };
        tokio::select! {
            () = server.run(router, stopped) => {}
            () = mcp.remove_unused_sessions() => {}
            () = reload_on_change(source, &state, &handle, &mcp, &control) => {}
            () = sweep(&state) => {}
        }
        mcp.clear();
        end_servers(&state, &control).await;
    }
}

/// Whether a configuration could be served here, with the files it names as they are now. Nothing is started.
///
/// ```
/// use breakfall_gateway::config::{Config, UpstreamSettings};
/// use breakfall_gateway::serve;
/// use breakfall_gateway::upstream::InProcessServers;
///
/// let servers = InProcessServers { demo: breakfall_demo::spawn };
/// assert!(serve::fits(&Config::from(UpstreamSettings::demo()), servers).is_ok());
/// ```
///
/// # Errors
/// When it could not, whatever the address.
pub fn fits(config: &Config, in_process: InProcessServers) -> Result<(), StartError> {
    let options = ServeOptions::new(in_process);
    Site::new(config.clone(), None, &Arc::default(), &options).map(drop)
}

fn new_state(config: Config, options: ServeOptions) -> Result<Arc<GatewayState>, StartError> {
    let supervisor = Arc::<Supervisor>::default();
    let site = Site::new(config, None, &supervisor, &options)?;
    Ok(Arc::new(GatewayState::new(site, supervisor, options)))
}

/// Ends every server that still runs, and stores what its calls have used.
async fn end_servers(state: &GatewayState, control: &Control) {
    let usage = state.site().usage.clone();
    state.clear();
    tokio::select! {
        () = state.supervisor.ended() => {}
        () = control.hurried() => {
            state.supervisor.hurry();
            // A process that does not end even so is killed with the gateway.
            let _ = timeout(HURRIED_END, state.supervisor.ended()).await;
        }
    }
    usage.finish().await;
}

/// Listens at the first address of a host name that can be used.
async fn bind(listen: &ListenAddress, settings: &Settings) -> Result<Server, StartError> {
    let unknown = |source| StartError::Host {
        host: listen.host.clone(),
        source,
    };
    let found = lookup_host((listen.host.as_str(), listen.port)).await;
    let mut first = None;
    for address in found.map_err(unknown)? {
        match Server::bind(address, settings) {
            Ok(server) => return Ok(server),
            Err(error) => {
                first.get_or_insert(error);
            }
        }
    }
    Err(first.map_or_else(
        || unknown(io::Error::from(io::ErrorKind::NotFound)),
        StartError::Address,
    ))
}

async fn reload_on_change(
    source: Option<Source>,
    state: &Arc<GatewayState>,
    server: &ServerHandle,
    mcp: &McpService,
    control: &Control,
) {
    match source {
        Some(source) => reload::run(&source, state, server, mcp, control).await,
        None => loop {
            control.reloads().await;
            tracing::warn!("no configuration file was given, so there is nothing to reload");
        },
    }
}

/// Ends unused servers, for ever.
async fn sweep(state: &GatewayState) {
    let mut beat = interval(SWEEP_INTERVAL);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        state.sweep(Instant::now());
    }
}

/// How often unused servers are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// How long servers may take to end at the second signal.
const HURRIED_END: Duration = Duration::from_secs(2);
