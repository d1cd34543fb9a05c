//! An upstream server: its settings, its origin, and how it is started.

mod backoff;
mod context;
mod era_cache;
mod gate;
mod impatient_clients;
mod origin;
mod started_server;
mod tool_policy;
mod usage_writer;

use std::sync::Arc;
use std::time::Duration;

use breakfall::redact::KnownValues;

pub(crate) use backoff::Backoff;
pub(crate) use breakfall_mcp::health::{HealthState, UpstreamHealth};
pub use breakfall_mcp::http_client::{RemoteServer, UpstreamConfigError, sse};
pub use breakfall_mcp::process::{ServerCommand, SpawnError};
pub(crate) use breakfall_mcp::process::{ServerProcess, StderrTail};
pub use context::UpstreamContext;
pub(crate) use era_cache::EraCache;
pub use impatient_clients::default_timeouts;
pub use origin::{InProcessServers, Origin};
pub(crate) use started_server::StartedServer;
pub use tool_policy::ToolPolicy;
pub use usage_writer::UsageWriter;

use crate::config::{
    self, COMMON_VARIABLES, GateSettings, HintTrust, InheritedEnv, RestartDelay, TrustLevel,
    UnlistedTools, ValidationModes,
};
use crate::resilience::breaker::BreakerPolicy;
use crate::resilience::bulkhead::ConcurrencyPolicy;
use crate::resilience::registry::UpstreamState;
use crate::resilience::retry::RetryPolicy;
use crate::tools::SchemaCache;
use breakfall_mcp::connection::{RequestSummary, RpcMethod};
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::timeouts::Timeouts;
use jiff::tz::TimeZone;

/// A server with its settings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Upstream {
    /// Its name in messages and logs.
    pub name: Box<str>,
    /// Where it runs.
    pub origin: Origin,
    /// The timeouts of its answers.
    pub timeouts: Timeouts,
    /// How far it is trusted.
    pub trust: TrustLevel,
    /// Which calls may be made.
    pub gate: GateSettings,
    /// Whether annotations say if a failed call may be made again.
    pub hints: HintTrust,
    /// When a failed call is retried, if ever.
    pub retry: Option<RetryPolicy>,
    /// When the circuit of a tool opens, if ever.
    pub breaker: Option<BreakerPolicy>,
    /// The concurrency limit, if there is a limit.
    pub concurrency: Option<ConcurrencyPolicy>,
    /// The settings of single tools.
    pub tools: config::ToolTable,
    /// How much of it may be used.
    pub usage: config::UsageLimits,
    /// How much of all servers together may be used.
    pub gateway_usage: config::UsageLimits,
    /// The time zone whose calendar quotas follow.
    pub time_zone: TimeZone,
    /// What happens to arguments and results that break a schema.
    pub modes: ValidationModes,
    /// What happens to calls of tools it does not list.
    pub unlisted: UnlistedTools,
    /// The schemas of its tools, shared by all clients.
    pub schemas: Arc<SchemaCache>,
    /// The delay before it is restarted.
    pub restart: RestartDelay,
    /// How long it may be silent after a request has passed its deadline before it is restarted, if ever.
    pub stuck_after: Option<Duration>,
    /// The limits of its messages.
    pub limits: FrameLimits,
    /// Whether clients of the other protocol era are bridged.
    pub is_bridged: bool,
    /// The parts that all its calls share.
    pub context: UpstreamContext,
    /// The state of its breakers and limits. The service takes it from a registry, so that it survives a reload.
    pub resilience: Arc<UpstreamState>,
    /// The protocol eras it supports.
    pub(crate) eras: EraCache,
    /// The outcome of its last start.
    pub(crate) health: UpstreamHealth,
}

impl Upstream {
    /// A server with default settings.
    pub fn new(name: impl Into<Box<str>>, origin: Origin) -> Self {
        let name = name.into();
        Self {
            modes: ValidationModes::default(),
            unlisted: UnlistedTools::Refuse,
            schemas: Arc::new(SchemaCache::new(&name)),
            resilience: Arc::new(UpstreamState::new(&name)),
            context: UpstreamContext::new(&name),
            name,
            origin,
            timeouts: Timeouts::default(),
            trust: TrustLevel::Validated,
            gate: GateSettings::reporting(),
            hints: HintTrust::Believe,
            retry: Some(RetryPolicy::default()),
            breaker: Some(BreakerPolicy::default()),
            concurrency: None,
            tools: config::ToolTable::default(),
            usage: config::UsageLimits::default(),
            gateway_usage: config::UsageLimits::default(),
            time_zone: TimeZone::UTC,
            restart: RestartDelay::default(),
            stuck_after: Some(config::DEFAULT_STUCK_AFTER),
            limits: FrameLimits::RESPONSE,
            is_bridged: true,
            eras: EraCache::default(),
            health: UpstreamHealth::default(),
        }
    }
}

impl Upstream {
    /// The server of a configuration.
    ///
    /// # Errors
    /// When its settings are invalid, or its kind is not supported.
    pub fn from_config(
        config: &config::UpstreamSettings,
        in_process: InProcessServers,
    ) -> Result<Self, UpstreamConfigError> {
        let origin = match &config.source {
            config::UpstreamSource::Command(command) => Origin::Program(program(command)),
            config::UpstreamSource::Demo => Origin::in_process(in_process.demo),
            config::UpstreamSource::Url(remote) => {
                Origin::Remote(self::remote(&config.name, remote)?)
            }
            config::UpstreamSource::Adapter(_) => {
                return Err(UpstreamConfigError::planned("adapter"));
            }
        };
        let mut context = UpstreamContext::new(&config.name);
        context.is_judged = !config.wire_only;
        context.replies = config.replies.clone();
        Ok(Self {
            context,
            timeouts: config.timeouts,
            trust: config.trust,
            gate: config.gate,
            hints: config.hints,
            retry: config.retry,
            breaker: config.breaker,
            concurrency: config.concurrency,
            is_bridged: config.bridge,
            tools: config.tools.clone(),
            usage: config.usage.clone(),
            gateway_usage: config.gateway_usage.clone(),
            time_zone: config.time_zone.clone(),
            modes: config.modes,
            unlisted: config.unlisted,
            restart: config.restart,
            stuck_after: config.stuck_after,
            limits: config.limits.of_responses(),
            ..Self::new(&*config.name, origin)
        })
    }
}

impl Upstream {
    /// Declares that the client started the server with this gateway, as under `run`: it knows the directories in the command
    /// line, and loopback addresses are those of its own machine.
    #[must_use]
    pub fn started_by_client(mut self) -> Self {
        let known = match &self.origin {
            Origin::Program(program) => program.directories(),
            Origin::Remote(_) | Origin::Inside(_) => Vec::new(),
        };
        let known = known.iter().fold(KnownValues::new(), |known, directory| {
            known.directory(&directory.to_string_lossy())
        });
        self.context.known = known.loopback();
        self
    }
}

fn program(command: &config::UpstreamCommand) -> ServerCommand {
    let mut program = ServerCommand::from_words(command.program.clone(), command.args.clone());
    program = match command.inherit_env {
        InheritedEnv::All => program,
        InheritedEnv::Filtered => {
            let withheld = command.withheld().iter();
            withheld.fold(program, ServerCommand::env_remove)
        }
        InheritedEnv::Listed => {
            let common = COMMON_VARIABLES.iter();
            let common = common.filter_map(|name| Some((name, std::env::var_os(name)?)));
            common.fold(program.env_clear(), |program, (name, value)| {
                program.env(name, value)
            })
        }
        InheritedEnv::None => program.env_clear(),
    };
    for (name, value) in &command.env {
        program = program.env(name, value.reveal());
    }
    match &command.cwd {
        Some(cwd) => program.cwd(cwd),
        None => program,
    }
}

fn remote(name: &str, remote: &config::UpstreamUrl) -> Result<RemoteServer, UpstreamConfigError> {
    let url = remote.url.reveal_str().unwrap_or_default();
    let headers = remote.headers.iter();
    let headers = headers.map(|(name, value)| (name.as_ref(), value.reveal()));
    let server = RemoteServer::with_headers(
        name,
        url,
        headers,
        remote.pass_authorization,
        remote.ca.as_deref(),
    )?;
    let resends = remote.resend_on_lost_session == config::ResendOnLostSession::On;
    Ok(server.resend_on_lost_session(resends))
}

impl Upstream {
    /// The timeouts of a request.
    pub(crate) fn timeouts_for(&self, asked: &RequestSummary) -> Timeouts {
        if asked.method == RpcMethod::Await {
            return Timeouts {
                idle: self.timeouts.total,
                total: self.timeouts.total,
            };
        }
        let is_call = asked.method == RpcMethod::ToolsCall;
        let own = is_call.then(|| self.tools.timeout(&asked.operation));
        config::TimeoutSetting::replacing(own.flatten(), self.timeouts)
    }

    /// Its health at the last contact.
    pub(crate) fn health_state(&self) -> HealthState {
        match &self.origin {
            Origin::Remote(remote) => remote.health(),
            Origin::Program(_) | Origin::Inside(_) => self.health.state(),
        }
    }
}
