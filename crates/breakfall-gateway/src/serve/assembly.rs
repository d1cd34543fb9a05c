//! How a request reaches a server: what is plugged into what, and why in that order.
//!
//! ```text
//!  listener      bounds connections and their timeouts, TLS                 breakfall_mcp::http_server::Server
//!   └ front      Host, Origin, CORS: before anything is read or routed      (within the server)
//!    └ router    /mcp and /mcp/NAME to the MCP service, the rest to pages   router, pages
//!     └ MCP      sessions, streams, protocol versions                       breakfall_mcp::http_server::McpService
//!      └ endpoint  servers of one client: for its session, or shared by     endpoint
//!        │         its requests without a session
//!        └ aggregate  at /mcp with several servers: names, lists            crate::aggregate
//!         └ bridge    between protocol versions with and without sessions   crate::bridge
//!          └ pipeline   one call of a tool, stage by stage                  crate::pipeline
//!           └ session    the connection to one server, restarted at its end crate::session
//!            └ upstream   a process, a URL, or a server in this process     crate::upstream
//! ```
//!
//! Down to the endpoint it is put together here: the router once, an endpoint for each server that a site adds or changes. From the aggregate on it is put together for each
//! client, in [`crate::assembly`].
//!
//! The order is that of trust and cost. Whatever can refuse a request stands before whatever does work for it: the
//! front before the router, keys before endpoints, endpoints before processes. The aggregate stands above the bridges,
//! because each of its servers may speak another version. The pipeline stands below the bridge, so that it sees the
//! calls of all clients in one form, and above the session, so that a retry can reach a restarted server.

use std::sync::Arc;

use super::StartError;
use super::endpoint::McpEndpoint;
use super::router::GatewayRouter;
use super::state::GatewayState;
use super::supervisor::Supervisor;
use crate::aggregate::{Seal, ServerGroup};
use crate::assembly;
use crate::config::Config;
use crate::record::Gauges;
use crate::session::SessionRoute;
use crate::upstream::{Origin, Upstream};
use breakfall_mcp::access::Principal;
use breakfall_mcp::http_server::{McpService, ServerHandle};
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::process;

/// The router over its MCP service and the current site.
pub(super) fn router(
    state: &Arc<GatewayState>,
    server: &ServerHandle,
) -> (Arc<GatewayRouter>, Arc<McpService>) {
    let mcp = Arc::new(McpService::new(&state.site().settings()));
    let (sessions, connections) = (mcp.session_gauge(), server.connection_gauge());
    let gauges = move || Gauges {
        sessions: sessions(),
        connections: connections(),
        processes: process::running(),
    };
    let router = GatewayRouter::new(Arc::clone(state), Arc::clone(&mcp), Arc::new(gauges));
    (Arc::new(router), mcp)
}

/// The endpoint of one server.
pub(super) fn endpoint(
    upstream: &Arc<Upstream>,
    limits: FrameLimits,
    supervisor: &Arc<Supervisor>,
) -> Arc<McpEndpoint> {
    let backends = Backends::Single(Arc::clone(upstream));
    Arc::new(McpEndpoint::new(backends, limits, Arc::clone(supervisor)))
}

/// The endpoint of several servers as one.
///
/// # Errors
/// When their names cannot be told apart.
pub(super) fn aggregate_endpoint(
    upstreams: Vec<Arc<Upstream>>,
    config: &Config,
    supervisor: &Arc<Supervisor>,
) -> Result<Arc<McpEndpoint>, StartError> {
    let processes = upstreams.iter().filter(|one| is_process(one)).count();
    let seal = Seal::random().map_err(|_| StartError::Random)?;
    let mut all = ServerGroup::new(upstreams, &config.separator, seal)?;
    all.lost = config.lost_upstream;
    all.replies = config.replies.for_listener();
    let backends = Backends::Aggregate {
        all: Arc::new(all),
        processes,
    };
    let limits = config.limits.of_requests();
    let endpoint = McpEndpoint::new(backends, limits, Arc::clone(supervisor));
    Ok(Arc::new(endpoint))
}

/// The servers behind an endpoint.
#[derive(Debug)]
pub(super) enum Backends {
    /// One server, under its own names.
    Single(Arc<Upstream>),
    /// Several servers as one.
    Aggregate {
        all: Arc<ServerGroup>,
        /// How many of them are processes.
        processes: usize,
    },
}

impl Backends {
    /// The session of one client, with servers that no other client uses.
    pub(super) fn route(&self, principal: &Principal) -> SessionRoute {
        match self {
            Self::Single(upstream) => assembly::single_for(Arc::clone(upstream), principal),
            Self::Aggregate { all, .. } => assembly::joined_for(Arc::clone(all), principal),
        }
    }

    /// How many processes a client may start.
    pub(super) fn processes(&self) -> usize {
        match self {
            Self::Single(upstream) => usize::from(is_process(upstream)),
            Self::Aggregate { processes, .. } => *processes,
        }
    }
}

fn is_process(upstream: &Upstream) -> bool {
    matches!(upstream.origin, Origin::Program(_))
}
