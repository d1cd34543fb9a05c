//! One server at `/mcp`, and nothing else.

use std::net::SocketAddr;
use std::sync::Arc;

use breakfall::Fault;

use super::endpoint::Endpoint;
use super::one::One;
use crate::upstream::Upstream;
use breakfall_mcp::access::Door;
use breakfall_mcp::http_server::{House, Server, Settings, Unbound};

/// Puts one server at `/mcp`.
///
/// # Errors
/// When it is not possible to listen there.
///
/// ```
/// use breakfall_gateway::http_server::Settings;
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
) -> Result<Server, Unbound> {
    let one = Box::new(One::new(Arc::new(upstream)));
    let endpoint = Endpoint::new(one, settings.limits, Arc::default());
    Server::bind(listen, settings, Arc::new(Single(Arc::new(endpoint))))
}

#[derive(Debug)]
struct Single(Arc<Endpoint>);

impl House for Single {
    fn door(&self, path: &str) -> Option<Arc<dyn Door>> {
        (path == "/mcp").then(|| Arc::clone(&self.0) as Arc<dyn Door>)
    }

    fn give_up(&self) {
        self.0.give_up();
    }

    fn tell_the_rest(&self, fault: &Fault) {
        self.0.tell_the_rest(fault);
    }
}
