//! One server at `/mcp`, without a configuration.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response};
use hyper::body::Incoming;

use super::assembly;
use super::drain::Shutdown;
use super::endpoint::McpEndpoint;
use super::supervisor::Supervisor;
use crate::upstream::Upstream;
use breakfall_mcp::access::Principal;
use breakfall_mcp::http_server::{
    BindError, HttpRefusal, HttpService, McpService, ResponseBody, Server, ServerHandle, Settings,
};

/// One server at `/mcp`. It listens already; connections wait until [`SingleServer::run`].
#[derive(Debug)]
pub struct SingleServer {
    server: Server,
    route: Arc<SingleRoute>,
    supervisor: Arc<Supervisor>,
}

/// Puts one server at `/mcp`.
///
/// # Errors
/// When the address cannot be used.
///
/// ```
/// use breakfall_mcp::http_server::Settings;
/// use breakfall_gateway::serve;
/// use breakfall_gateway::upstream::{Origin, Upstream};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # runtime.block_on(async {
/// let any_port = ([127, 0, 0, 1], 0).into();
/// let shop = Upstream::new("shop", Origin::in_process(breakfall_demo::spawn));
/// let server = serve::single(any_port, &Settings::default(), shop)?;
/// println!("http://{}/mcp", server.address());
/// server.run(std::future::ready(()), std::time::Duration::ZERO).await;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn single(
    listen: SocketAddr,
    settings: &Settings,
    upstream: Upstream,
) -> Result<SingleServer, BindError> {
    let supervisor = Arc::<Supervisor>::default();
    let endpoint = assembly::endpoint(&Arc::new(upstream), settings.limits, &supervisor);
    let mcp = Arc::new(McpService::new(settings));
    Ok(SingleServer {
        server: Server::bind(listen, settings)?,
        route: Arc::new(SingleRoute { mcp, endpoint }),
        supervisor,
    })
}

impl SingleServer {
    /// The address it listens at.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// A handle on the listener for when it runs.
    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// The MCP service, with its sessions.
    pub fn mcp(&self) -> Arc<McpService> {
        Arc::clone(&self.route.mcp)
    }

    /// Serves until `stop` completes; then open requests have `drain` to finish.
    pub async fn run(self, stop: impl Future<Output = ()>, drain: Duration) {
        let (mcp, endpoint) = (self.mcp(), Arc::clone(&self.route.endpoint));
        let handle = self.handle();
        let shutdown = Shutdown {
            server: &handle,
            mcp: &mcp,
            supervisor: &self.supervisor,
        };
        let stopped = async {
            stop.await;
            let give_up = |fault: &_| endpoint.give_up(fault);
            shutdown.run(drain, std::future::pending(), give_up).await;
        };
        tokio::select! {
            () = self.server.run(self.route, stopped) => {}
            () = mcp.remove_unused_sessions() => {}
        }
        mcp.clear();
    }
}

/// Routes `/mcp` to the endpoint.
#[derive(Debug)]
struct SingleRoute {
    mcp: Arc<McpService>,
    endpoint: Arc<McpEndpoint>,
}

impl HttpService for SingleRoute {
    async fn call(
        &self,
        request: Request<Incoming>,
    ) -> Result<Response<ResponseBody>, HttpRefusal> {
        let path = request.uri().path();
        if path != "/mcp" {
            return Err(HttpRefusal::unknown_path(path));
        }
        let endpoint = &*self.endpoint;
        self.mcp.call(endpoint, Principal::Anonymous, request).await
    }
}
