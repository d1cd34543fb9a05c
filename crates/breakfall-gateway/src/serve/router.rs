//! Sends each request to the MCP service or to the pages.

use std::convert::Infallible;
use std::sync::Arc;

use http::{Request, Response};
use hyper::body::Incoming;
use tower_service::Service as _;

use super::pages::{self, GaugeReader};
use super::state::GatewayState;
use breakfall_mcp::http_server::{HttpRefusal, HttpService, McpService, ResponseBody, is_mcp_path};

/// The routes of the gateway.
#[derive(Debug)]
pub(super) struct GatewayRouter {
    state: Arc<GatewayState>,
    mcp: Arc<McpService>,
    pages: axum::Router,
}

impl GatewayRouter {
    pub(super) fn new(state: Arc<GatewayState>, mcp: Arc<McpService>, gauges: GaugeReader) -> Self {
        let pages = pages::router(Arc::clone(&state), gauges);
        Self { state, mcp, pages }
    }
}

impl HttpService for GatewayRouter {
    /// MCP paths do not pass the axum router. It would box the future and both bodies of every call, and its body
    /// type loses track of which response of a connection the client does not read.
    async fn call(
        &self,
        request: Request<Incoming>,
    ) -> Result<Response<ResponseBody>, HttpRefusal> {
        let path = request.uri().path();
        if is_mcp_path(path) {
            let site = self.state.site();
            // Authenticated first: a client without a key does not learn which paths exist.
            let principal = site.authenticate(path, request.headers())?;
            let endpoint = site.endpoint(path);
            let endpoint = endpoint.ok_or_else(|| HttpRefusal::unknown_path(path))?;
            return self.mcp.call(&**endpoint, principal, request).await;
        }
        let Ok(response): Result<_, Infallible> = self.pages.clone().call(request).await;
        Ok(response.map(ResponseBody::stream))
    }
}
