//! The server behind us: where it comes from, how it is started, and how it is ended.

mod backoff;
mod context;
mod era_cache;
mod tool_policy;

use std::fmt;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};

pub(crate) use backoff::Backoff;
pub(crate) use breakfall_mcp::health::{HealthState, UpstreamHealth};
pub use breakfall_mcp::http_client::{RemoteServer, UpstreamConfigError, sse};
pub use breakfall_mcp::process::{ServerCommand, SpawnError};
pub(crate) use breakfall_mcp::process::{ServerProcess, StderrTail};
pub use context::UpstreamContext;
pub(crate) use era_cache::EraCache;
pub use tool_policy::ToolPolicy;

use crate::config::{self, Modes, Restart, Trust, Unlisted};
use crate::resilience::breaker::BreakerPolicy;
use crate::resilience::bulkhead::ConcurrencyPolicy;
use crate::resilience::registry::UpstreamState;
use crate::resilience::retry::RetryPolicy;
use crate::tools::SchemaCache;
use breakfall_mcp::access::Credentials;
use breakfall_mcp::connection::{Listener, Peer, PeerRole, RequestSummary, RpcMethod};
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::timeouts::Timeouts;

/// A server, and how to treat it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Upstream {
    /// What it is called in messages and logs.
    pub name: Box<str>,
    /// Where it comes from.
    pub origin: Origin,
    /// How long it may take to answer.
    pub patience: Timeouts,
    /// How far it is trusted.
    pub trust: Trust,
    /// How often a call that failed is made again, if ever.
    pub retry: Option<RetryPolicy>,
    /// When a tool that keeps failing is left alone, if ever.
    pub breaker: Option<BreakerPolicy>,
    /// How many calls may be under way at once, if there is an end to them.
    pub concurrency: Option<ConcurrencyPolicy>,
    /// Tools that are treated in another way.
    pub tools: config::Tools,
    /// What happens where a call or a result breaks a rule of its tool's schema.
    pub modes: Modes,
    /// What happens to calls of tools it does not list.
    pub unlisted: Unlisted,
    /// The schemas of its tools, for all clients it has.
    pub schemas: Arc<SchemaCache>,
    /// When it is started again.
    pub restart: Restart,
    /// How big its messages may be.
    pub limits: FrameLimits,
    /// Whether clients of another era of the protocol are understood, too.
    pub is_bridged: bool,
    /// What all its calls share.
    pub context: UpstreamContext,
    /// The state of its breakers and limits. The service takes it from a registry, so that it survives a reload.
    pub resilience: Arc<UpstreamState>,
    /// Which eras it has shown to speak.
    pub(crate) eras: EraCache,
    /// Whether it could be started.
    pub(crate) health: UpstreamHealth,
}

impl Upstream {
    /// A server with the defaults.
    pub fn new(name: impl Into<Box<str>>, origin: Origin) -> Self {
        let name = name.into();
        Self {
            modes: Modes::default(),
            unlisted: Unlisted::Refuse,
            schemas: Arc::new(SchemaCache::new(&name)),
            resilience: Arc::new(UpstreamState::new(&name)),
            context: UpstreamContext::new(&name),
            name,
            origin,
            patience: Timeouts::default(),
            trust: Trust::Validated,
            retry: Some(RetryPolicy::default()),
            breaker: Some(BreakerPolicy::default()),
            concurrency: None,
            tools: config::Tools::default(),
            restart: Restart::default(),
            limits: FrameLimits::RESPONSE,
            is_bridged: true,
            eras: EraCache::default(),
            health: UpstreamHealth::default(),
        }
    }
}

impl Upstream {
    /// The server a configuration means.
    ///
    /// # Errors
    /// When it is of a kind that cannot be started here yet, or cannot be used as it is configured.
    pub fn from_config(
        config: &config::Upstream,
        in_process: InProcessServers,
    ) -> Result<Self, UpstreamConfigError> {
        let origin = match &config.source {
            config::Source::Command(command) => Origin::Program(program(command)),
            config::Source::Demo => Origin::in_process(in_process.demo),
            config::Source::Url(remote) => Origin::Remote(self::remote(&config.name, remote)?),
            config::Source::Adapter(_) => return Err(UpstreamConfigError::planned("adapter")),
        };
        let mut context = UpstreamContext::new(&config.name);
        context.is_judged = !config.wire_only;
        context.replies = config.replies.clone();
        Ok(Self {
            context,
            patience: config.patience,
            trust: config.trust,
            retry: config.retry,
            breaker: config.breaker,
            concurrency: config.concurrency,
            is_bridged: config.bridge,
            tools: config.tools.clone(),
            modes: config.modes,
            unlisted: config.unlisted,
            restart: config.restart,
            limits: config.limits.of_responses(),
            ..Self::new(&*config.name, origin)
        })
    }
}

fn program(command: &config::Command) -> ServerCommand {
    let mut program = ServerCommand::from_words(command.program.clone(), command.args.clone());
    for (name, value) in &command.env {
        program = program.env(name, value.reveal());
    }
    match &command.cwd {
        Some(cwd) => program.cwd(cwd),
        None => program,
    }
}

fn remote(name: &str, remote: &config::Remote) -> Result<RemoteServer, UpstreamConfigError> {
    let url = remote.url.reveal_str().unwrap_or_default();
    let headers = remote.headers.iter();
    let headers = headers.map(|(name, value)| (name.as_ref(), value.reveal()));
    RemoteServer::with_headers(
        name,
        url,
        headers,
        remote.pass_authorization,
        remote.ca.as_deref(),
    )
}

impl Upstream {
    /// How long a request may take.
    pub(crate) fn patience_with(&self, asked: &RequestSummary) -> Timeouts {
        if asked.method == RpcMethod::Await {
            return Timeouts {
                idle: self.patience.total,
                total: self.patience.total,
            };
        }
        let is_call = asked.method == RpcMethod::ToolsCall;
        let own = is_call.then(|| self.tools.timeout(&asked.operation));
        config::Timeout::replacing(own.flatten(), self.patience)
    }
}

impl Upstream {
    /// How it was when somebody last had to do with it.
    pub(crate) fn health_state(&self) -> HealthState {
        match &self.origin {
            Origin::Remote(remote) => remote.health(),
            Origin::Program(_) | Origin::Inside(_) => self.health.state(),
        }
    }
}

/// Where a server comes from.
#[non_exhaustive]
pub enum Origin {
    /// A child process, which speaks on its standard streams.
    Program(ServerCommand),
    /// A server somebody else runs, over HTTP.
    Remote(RemoteServer),
    /// Something inside this process. The function starts it anew and gives the other end of its stream.
    Inside(Box<dyn Fn() -> DuplexStream + Send + Sync>),
}

impl Origin {
    /// A server of this process. The function serves one stream on a task of its own.
    pub fn in_process(serve: fn(DuplexStream)) -> Self {
        Self::Inside(Box::new(move || {
            let (ours, theirs) = tokio::io::duplex(PIPE);
            serve(theirs);
            ours
        }))
    }
}

/// The servers that can run inside this process. The program that assembles the gateway hands them in.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a program must supply every kind"
)]
pub struct InProcessServers {
    /// Serves an upstream with `demo: true`.
    pub demo: fn(DuplexStream),
}

/// As much as a pipe holds.
const PIPE: usize = 64 << 10;

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => program.fmt(f),
            Self::Remote(remote) => remote.fmt(f),
            Self::Inside(_) => f.write_str("Inside"),
        }
    }
}

/// A server that runs.
pub(crate) enum Started {
    /// One that speaks lines.
    Lines {
        reader: Box<dyn AsyncRead + Send + Unpin>,
        writer: Box<dyn AsyncWrite + Send + Unpin>,
        /// The process, if it is one.
        process: Option<ServerProcess>,
    },
    /// One that runs already, and what it is shown.
    Remote(RemoteServer, Option<Credentials>),
}

impl Started {
    /// Begins to speak with it.
    pub(crate) fn connect(
        self,
        limits: FrameLimits,
        listener: Arc<dyn Listener>,
    ) -> (Peer, Option<ServerProcess>) {
        match self {
            Self::Lines {
                reader,
                writer,
                process,
            } => {
                let server = Peer::start(PeerRole::Server, reader, writer, limits, listener);
                (server, process)
            }
            Self::Remote(remote, credentials) => {
                let server = breakfall_mcp::http_client::connect(
                    remote,
                    credentials.as_ref(),
                    limits,
                    listener,
                );
                (server, None)
            }
        }
    }
}

impl Upstream {
    /// Starts the server. What it says on stderr goes to the log, and to the ring. Credentials are shown only to one that
    /// asks its callers who they are.
    pub(crate) fn start(
        &self,
        ring: &Arc<StderrTail>,
        credentials: Option<&Credentials>,
    ) -> Result<Started, SpawnError> {
        match &self.origin {
            Origin::Program(program) => {
                let child = program.start(&self.name, ring)?;
                Ok(Started::Lines {
                    reader: child.reader,
                    writer: child.writer,
                    process: Some(child.process),
                })
            }
            Origin::Remote(remote) => Ok(Started::Remote(remote.clone(), credentials.cloned())),
            Origin::Inside(start) => {
                let (reader, writer) = tokio::io::split(start());
                Ok(Started::Lines {
                    reader: Box::new(reader),
                    writer: Box::new(writer),
                    process: None,
                })
            }
        }
    }
}
