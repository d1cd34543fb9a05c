//! Connections to servers over HTTP: kept open between requests, HTTP/1.1 or what the server offers, TLS checked.

use std::error::Error;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response, Uri};
use hyper::body::Incoming;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy::{self, connect::HttpConnector};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower_service::Service;

use super::Unusable;
use super::load::Outgoing;

/// The connections to one server. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Client(legacy::Client<Timely, Outgoing>);

impl Client {
    /// For a server with or without TLS. Whoever signed a certificate in `ca` is trusted too.
    pub(super) fn new(is_secure: bool, ca: Option<&Path>) -> Result<Self, Unusable> {
        let roots = if is_secure {
            roots(ca)?
        } else {
            Arc::new(RootCertStore::empty())
        };
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider knows the versions it comes with")
            .with_root_certificates(roots)
            .with_no_client_auth();
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
        let client = legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .timer(TokioTimer::new())
            .http2_keep_alive_interval(Some(ALIVE))
            .http2_adaptive_window(true)
            .build(Timely(connector));
        Ok(Self(client))
    }

    /// Sends a request. The answer is its head; the body is still to come.
    pub(super) async fn send(
        &self,
        request: Request<Outgoing>,
    ) -> Result<Response<Incoming>, legacy::Error> {
        self.0.request(request).await
    }
}

/// Whom to trust: what the system does, and who is named besides.
fn roots(ca: Option<&Path>) -> Result<Arc<RootCertStore>, Unusable> {
    let Some(file) = ca else {
        return Ok(Arc::clone(&SYSTEM));
    };
    let unusable = |why: &str| Unusable::certificates(file, why);
    let mut roots = RootCertStore::clone(&SYSTEM);
    let certificates =
        CertificateDer::pem_file_iter(file).map_err(|error| unusable(&told(error)))?;
    let before = roots.len();
    for certificate in certificates {
        let certificate = certificate.map_err(|error| unusable(&told(error)))?;
        roots
            .add(certificate)
            .map_err(|_| unusable("one of its certificates cannot be used to check others"))?;
    }
    if roots.len() == before {
        return Err(unusable("there is no certificate in it"));
    }
    Ok(Arc::new(roots))
}

fn told(error: pem::Error) -> String {
    if let pem::Error::Io(error) = error {
        error.to_string()
    } else {
        "it is no PEM file".to_owned()
    }
}

/// What the system trusts. Read once: it is some hundred files.
static SYSTEM: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!("a certificate of the system cannot be read: {error}");
    }
    let mut roots = RootCertStore::empty();
    // Those that are no good are of no use to anybody.
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        tracing::warn!("the system trusts no certificates; name those to trust with `ca`");
    }
    Arc::new(roots)
});

/// A connection that is made in time, or not at all: a server may accept it and then say nothing.
#[derive(Debug, Clone)]
struct Timely(HttpsConnector<HttpConnector>);

type Stream = MaybeHttpsStream<TokioIo<TcpStream>>;
type Failure = Box<dyn Error + Send + Sync>;

impl Service<Uri> for Timely {
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
/// How long a connection is kept that nobody uses: less than most servers keep it, so that they do not close it just
/// when the next request is on its way.
const IDLE: Duration = Duration::from_secs(4);
/// How often to see whether somebody is there still.
const ALIVE: Duration = Duration::from_secs(30);
