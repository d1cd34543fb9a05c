//! Making a connection, in time or not at all.

use std::error::Error;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

/// Makes connections. A server may accept one and then say nothing, so TLS has its time too.
#[derive(Debug, Clone)]
pub(super) struct Connector(HttpsConnector<HttpConnector>);

/// A connection, with or without TLS.
pub(super) type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;

type Failure = Box<dyn Error + Send + Sync>;

impl Connector {
    pub(super) fn new(tls: ClientConfig) -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(ALIVE));
        tcp.set_connect_timeout(Some(CONNECT));
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_all_versions()
            .wrap_connector(tcp);
        Self(connector)
    }
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, Failure>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.0.call(uri);
        Box::pin(async {
            let late = |_| Err(io::Error::from(io::ErrorKind::TimedOut).into());
            timeout(CONNECT, connecting).await.unwrap_or_else(late)
        })
    }
}

/// How long it may take to make a connection, TLS included.
const CONNECT: Duration = Duration::from_secs(10);
/// How often to see whether somebody is there still.
const ALIVE: Duration = Duration::from_secs(30);
