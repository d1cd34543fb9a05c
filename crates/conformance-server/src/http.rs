//! Streamable HTTP on loopback.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::sync::Arc;

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use crate::fixture::Fixture;

/// Serves at `/mcp` of that port, for good. The address is the only line on standard output.
///
/// # Errors
/// When the port cannot be had.
pub(crate) async fn serve(fixture: Fixture, port: u16) -> io::Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    writeln!(io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    let service = Arc::new(StreamableHttpService::new(
        move || Ok(fixture.session()),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    ));
    loop {
        let (stream, _) = listener.accept().await?;
        // Answers are small and often two writes: waiting for more to send would cost forty milliseconds each.
        stream.set_nodelay(true)?;
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            let answer = service_fn(|request: Request<Incoming>| {
                let service = Arc::clone(&service);
                async move { Ok::<_, Infallible>(service.handle(request).await) }
            });
            // A connection that breaks is its client's matter.
            let _ended = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}
