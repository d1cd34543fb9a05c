//! The gateway as a service: paths, who sits behind them, and for how long.
//!
//! ```text
//!  file ─► Config ─► Site      what stands at which path; another takes its place when the file changes
//!                     │
//!  front ─► House ─► Endpoint  a session has servers of its own; what needs none shares them, by principal
//!                     │
//!                    Keepers   all servers that run for somebody, so that we can wait for their end
//! ```

mod control;
mod endpoint;
mod house;
mod keepers;
mod keys;
mod one;
mod reload;
mod single;
mod site;
mod stdio;
mod together;
mod watch;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::lookup_host;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

pub use control::{Control, Reloads};
pub use single::single;
pub use stdio::serve_lines;

use crate::config::{Clash, Config, Listen};
use crate::record::Recorder;
use crate::upstream::{InProcessServers, UpstreamConfigError};
use breakfall_mcp::http_server::{BadTls, Handle, House, Server, Settings, Unbound};
use house::Served;
use keepers::Keepers;
use site::Site;

/// A gateway that listens already. Whoever connects waits until [`Gateway::run`].
///
/// ```
/// use breakfall_gateway::config::{Config, Upstream};
/// use breakfall_gateway::serve::{Gateway, ServeOptions};
/// use breakfall_gateway::upstream::InProcessServers;
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let mut config = Config::from(Upstream::demo());
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
    served: Arc<Served>,
    control: Control,
    source: Option<Source>,
}

/// What a program plugs into the gateway it starts.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServeOptions {
    /// The file of the configuration, which is read again when it changes.
    pub source: Option<Source>,
    /// The record of calls.
    pub recorder: Recorder,
    /// The servers inside this process.
    pub in_process: InProcessServers,
}

impl ServeOptions {
    /// Without a file and without a record of calls.
    pub fn new(in_process: InProcessServers) -> Self {
        Self {
            source: None,
            recorder: Recorder::off(),
            in_process,
        }
    }

    /// With the file of the configuration.
    #[must_use]
    pub fn with_source(self, source: Option<Source>) -> Self {
        Self { source, ..self }
    }

    /// With a record of calls.
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
    /// Where to listen, whatever the file says.
    pub listen: Option<Listen>,
}

impl Source {
    /// A file, and somewhere else to listen than it says.
    ///
    /// ```
    /// use breakfall_gateway::serve::Source;
    ///
    /// assert_eq!(Source::new("breakfall.yaml", None).file.to_str(), Some("breakfall.yaml"));
    /// ```
    pub fn new(file: impl Into<PathBuf>, listen: Option<Listen>) -> Self {
        Self {
            file: file.into(),
            listen,
        }
    }
}

impl Gateway {
    /// Begins to listen where a configuration says.
    ///
    /// # Errors
    /// When the address, the certificate or a server cannot be used.
    pub async fn start(config: Config, options: ServeOptions) -> Result<Self, Unserved> {
        let listen = config.listen.clone();
        let source = options.source.clone();
        let served = served(config, options)?;
        let settings = served.site().settings();
        let house = Arc::clone(&served) as Arc<dyn House>;
        let server = bind(&listen, &settings, &house).await?;
        Ok(Self {
            server,
            served,
            control: Control::default(),
            source,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The address of all its servers.
    pub fn url(&self) -> String {
        let scheme = match self.served.site().tls {
            Some(_) => "https",
            None => "http",
        };
        format!("{scheme}://{}/mcp", self.address())
    }

    /// A handle on it for when it runs.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Serves until [`Control::stop`], and ends everything it has started.
    pub async fn run(self) {
        let Self {
            server,
            served,
            control,
            source,
        } = self;
        let stop = async {
            control.stopped().await;
            served.drain();
            let drain = served.site().config.drain;
            tracing::info!("ending, once what is under way is done, in {drain:?} at the latest");
            drain
        };
        let handle = server.handle();
        tokio::select! {
            () = server.run_until(stop, control.hurried()) => {}
            () = read_again(source, &served, &handle, &control) => {}
            () = sweep(&served) => {}
        }
        end(&served, &control).await;
    }
}

/// Whether a configuration could be served here, as the files it names are now. Nothing is started.
///
/// ```
/// use breakfall_gateway::config::{Config, Upstream};
/// use breakfall_gateway::serve;
/// use breakfall_gateway::upstream::InProcessServers;
///
/// let servers = InProcessServers { demo: breakfall_demo::spawn };
/// assert!(serve::fits(&Config::from(Upstream::demo()), servers).is_ok());
/// ```
///
/// # Errors
/// When it could not, whatever the address.
pub fn fits(config: &Config, in_process: InProcessServers) -> Result<(), Unserved> {
    let options = ServeOptions::new(in_process);
    Site::new(config.clone(), None, &Arc::default(), &options).map(drop)
}

/// Ends all servers that still run.
async fn end(served: &Served, control: &Control) {
    served.clear();
    tokio::select! {
        () = served.keepers.ended() => return,
        () = control.hurried() => served.keepers.hurry(),
    }
    // Those that do not end even so are killed with us.
    let _ = timeout(LAST, served.keepers.ended()).await;
}

fn served(config: Config, options: ServeOptions) -> Result<Arc<Served>, Unserved> {
    let keepers = Arc::<Keepers>::default();
    let site = Site::new(config, None, &keepers, &options)?;
    Ok(Arc::new(Served::new(site, keepers, options)))
}

/// A name may have several addresses; the first that can be had is taken.
async fn bind(
    listen: &Listen,
    settings: &Settings,
    house: &Arc<dyn House>,
) -> Result<Server, Unserved> {
    let unknown = |source| Unserved::Host {
        host: listen.host.clone(),
        source,
    };
    let found = lookup_host((listen.host.as_str(), listen.port)).await;
    let mut first = None;
    for address in found.map_err(unknown)? {
        match Server::bind(address, settings, Arc::clone(house)) {
            Ok(server) => return Ok(server),
            Err(error) => {
                first.get_or_insert(error);
            }
        }
    }
    Err(first.map_or_else(
        || unknown(io::Error::from(io::ErrorKind::NotFound)),
        Unserved::Address,
    ))
}

async fn read_again(
    source: Option<Source>,
    served: &Arc<Served>,
    handle: &Handle,
    control: &Control,
) {
    match source {
        Some(source) => reload::run(&source, served, handle, control).await,
        None => loop {
            control.reloads().await;
            tracing::warn!("there is no configuration to read again: none was given");
        },
    }
}

/// Looks for what nobody uses any more, for ever.
async fn sweep(served: &Served) {
    let mut beat = interval(BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        served.sweep(Instant::now());
    }
}

/// Why nothing can be served.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unserved {
    /// There is no such host.
    Host {
        /// What it was called.
        host: String,
        /// Why.
        source: io::Error,
    },
    /// It is not possible to listen there.
    Address(Unbound),
    /// The certificate cannot be used.
    Certificate(BadTls),
    /// A server is of a kind that cannot be served.
    Upstream(UpstreamConfigError),
    /// The names of two servers cannot be told apart.
    Names(Clash),
    /// The system has no random numbers.
    Random,
}

impl Unserved {
    /// What to do about it.
    pub fn fix(&self) -> &str {
        match self {
            Self::Host { .. } => "write an address of this machine, for example 127.0.0.1:7332",
            Self::Address(error) => error.fix(),
            Self::Certificate(_) => {
                "under 'tls', cert is the chain of certificates and key the private key it was made for"
            }
            Self::Upstream(_) => "correct it, or leave this server out",
            Self::Names(_) => "rename a server, or set another separator",
            Self::Random => "look at the log of the system",
        }
    }
}

impl fmt::Display for Unserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { host, source } => write!(f, "there is no host '{host}': {source}"),
            Self::Address(error) => error.fmt(f),
            Self::Certificate(bad) => bad.fmt(f),
            Self::Upstream(error) => error.fmt(f),
            Self::Names(clash) => clash.fmt(f),
            Self::Random => f.write_str("the system has no random numbers"),
        }
    }
}

impl std::error::Error for Unserved {}

impl From<BadTls> for Unserved {
    fn from(bad: BadTls) -> Self {
        Self::Certificate(bad)
    }
}

impl From<Clash> for Unserved {
    fn from(clash: Clash) -> Self {
        Self::Names(clash)
    }
}

impl From<UpstreamConfigError> for Unserved {
    fn from(error: UpstreamConfigError) -> Self {
        Self::Upstream(error)
    }
}

/// How often to look for what nobody uses any more.
const BEAT: Duration = Duration::from_secs(1);
/// How long servers may take to end when there is no time.
const LAST: Duration = Duration::from_secs(2);
