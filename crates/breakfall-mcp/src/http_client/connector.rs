//! Makes connections to one server, directly or through the proxy that the environment names, within one timeout.

use std::error::Error;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::uri::Scheme;
use http::{Extensions, HeaderValue, Uri};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder, MaybeHttpsStream};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use tower_service::Service;

use super::UpstreamConfigError;

/// Makes connections. TLS counts towards the timeout: a server may accept a connection and then never answer.
#[derive(Debug, Clone)]
pub(super) struct UpstreamConnector(HttpsConnector<ProxyConnector>);

type BoxError = Box<dyn Error + Send + Sync>;
type BoxConnecting<T> = Pin<Box<dyn Future<Output = Result<T, BoxError>> + Send>>;

impl UpstreamConnector {
    pub(super) fn new(tls: ClientConfig, route: ProxyRoute) -> Self {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(KEEP_ALIVE));
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        let to_proxy = HttpsConnectorBuilder::new()
            .with_tls_config(tls.clone())
            .https_or_http()
            .enable_http1()
            .wrap_connector(tcp.clone());
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_all_versions()
            .wrap_connector(ProxyConnector {
                tcp,
                to_proxy,
                route,
            });
        Self(connector)
    }
}

impl Service<Uri> for UpstreamConnector {
    type Response = MaybeHttpsStream<RoutedStream>;
    type Error = BoxError;
    type Future = BoxConnecting<Self::Response>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = self.0.call(uri);
        Box::pin(async {
            let late = |_| Err(io::Error::from(io::ErrorKind::TimedOut).into());
            timeout(CONNECT_TIMEOUT, connecting)
                .await
                .unwrap_or_else(late)
        })
    }
}

/// How the connections to one server are made.
#[derive(Debug, Clone)]
pub(super) enum ProxyRoute {
    Direct,
    /// Requests go to the proxy with the whole URL.
    Forward(Intercept),
    /// The proxy opens a tunnel, and TLS with the server goes through it.
    Tunnel(Intercept),
}

impl ProxyRoute {
    /// The route to a server. Loopback addresses are never reached through a proxy.
    pub(super) fn find(proxies: &Matcher, server: &Uri) -> Result<Self, UpstreamConfigError> {
        let is_loopback = server.host().is_some_and(is_loopback);
        let Some(proxy) = proxies.intercept(server).filter(|_| !is_loopback) else {
            return Ok(Self::Direct);
        };
        let scheme = proxy.uri().scheme_str().unwrap_or_default();
        if !matches!(scheme, "http" | "https") {
            return Err(UpstreamConfigError::proxy(scheme));
        }
        Ok(if server.scheme() == Some(&Scheme::HTTPS) {
            Self::Tunnel(proxy)
        } else {
            Self::Forward(proxy)
        })
    }

    /// Whether the proxy itself is reached over TLS.
    pub(super) fn has_secure_proxy(&self) -> bool {
        match self {
            Self::Direct => false,
            Self::Forward(proxy) | Self::Tunnel(proxy) => {
                proxy.uri().scheme() == Some(&Scheme::HTTPS)
            }
        }
    }

    /// The `Proxy-Authorization` that each request to a forward proxy needs. A tunnel sends it when it is opened.
    pub(super) fn request_authorization(&self) -> Option<HeaderValue> {
        match self {
            Self::Forward(proxy) => proxy.basic_auth().cloned().map(|mut value| {
                value.set_sensitive(true);
                value
            }),
            Self::Direct | Self::Tunnel(_) => None,
        }
    }
}

fn is_loopback(host: &str) -> bool {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    let is_local_name = host
        .rsplit('.')
        .next()
        .is_some_and(|last| last.eq_ignore_ascii_case("localhost"));
    let address = host.parse::<IpAddr>();
    is_local_name || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Makes the connection that TLS, or plain HTTP, is spoken on.
#[derive(Debug, Clone)]
struct ProxyConnector {
    tcp: HttpConnector,
    to_proxy: HttpsConnector<HttpConnector>,
    route: ProxyRoute,
}

impl Service<Uri> for ProxyConnector {
    type Response = RoutedStream;
    type Error = BoxError;
    type Future = BoxConnecting<RoutedStream>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.tcp.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        match &self.route {
            ProxyRoute::Direct => {
                let connecting = self.tcp.call(uri);
                Box::pin(async {
                    let stream = MaybeHttpsStream::Http(connecting.await?);
                    Ok(RoutedStream::new(stream, false))
                })
            }
            ProxyRoute::Forward(proxy) => {
                let connecting = self.to_proxy.call(proxy.uri().clone());
                Box::pin(async { Ok(RoutedStream::new(connecting.await?, true)) })
            }
            ProxyRoute::Tunnel(proxy) => {
                let mut tunnel = Tunnel::new(proxy.uri().clone(), self.to_proxy.clone());
                if let Some(authorization) = proxy.basic_auth() {
                    tunnel = tunnel.with_auth(authorization.clone());
                }
                let connecting = tunnel.call(uri);
                Box::pin(async { Ok(RoutedStream::new(connecting.await?, false)) })
            }
        }
    }
}

/// A connection to a server or to its proxy, before any TLS with the server.
pub(super) struct RoutedStream {
    io: MaybeHttpsStream<TokioIo<TcpStream>>,
    is_forward_proxy: bool,
    established: Established,
}

/// When a connection was made.
#[derive(Debug, Clone, Copy)]
struct Established(Instant);

impl RoutedStream {
    fn new(io: MaybeHttpsStream<TokioIo<TcpStream>>, is_forward_proxy: bool) -> Self {
        Self {
            io,
            is_forward_proxy,
            established: Established(Instant::now()),
        }
    }
}

impl Connection for RoutedStream {
    fn connected(&self) -> Connected {
        Connected::new()
            .proxy(self.is_forward_proxy)
            .extra(self.established)
    }
}

impl Read for RoutedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl Write for RoutedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }
}

/// Whether a request failed on a connection that had been made before `begun`: an idle one that the server may have
/// closed.
pub(super) fn was_reused(error: &legacy::Error, begun: Instant) -> bool {
    let mut extras = Extensions::new();
    if let Some(connection) = error.connect_info() {
        connection.get_extras(&mut extras);
    }
    extras
        .get::<Established>()
        .is_some_and(|established| established.0 < begun)
}

/// How long a connection may take, TLS and proxy included.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the system checks that an idle peer is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use super::*;

    fn route(server: &str, proxies: &Matcher) -> ProxyRoute {
        let server = server.parse().expect("a URI");
        ProxyRoute::find(proxies, &server).expect("a usable proxy")
    }

    #[test]
    fn loopback_and_excluded_hosts_are_never_proxied() {
        let proxies = Matcher::builder()
            .all("http://proxy.test:3128")
            .no("internal.test")
            .build();
        for direct in [
            "http://127.0.0.1/mcp",
            "https://127.8.9.1:8443/mcp",
            "http://[::1]:80/mcp",
            "http://[::ffff:127.0.0.1]/mcp",
            "http://localhost:9/mcp",
            "https://LOCALHOST./mcp",
            "http://app.localhost/mcp",
            "https://internal.test/mcp",
        ] {
            let route = route(direct, &proxies);
            assert!(matches!(route, ProxyRoute::Direct), "{direct}: {route:?}");
        }
        let http = route("http://example.test/mcp", &proxies);
        assert!(matches!(http, ProxyRoute::Forward(_)), "{http:?}");
        let https = route("https://localhost.test/mcp", &proxies);
        assert!(matches!(https, ProxyRoute::Tunnel(_)), "{https:?}");
    }

    #[test]
    fn a_proxy_of_an_unsupported_scheme_is_an_error_of_configuration() {
        let proxies = Matcher::builder().all("socks5://proxy.test").build();
        let server = "https://example.test/mcp".parse().expect("a URI");
        let error = ProxyRoute::find(&proxies, &server).expect_err("no SOCKS");
        assert!(error.to_string().contains("socks5"), "{error}");
        assert!(ProxyRoute::find(&proxies, &"http://[::1]/".parse().expect("a URI")).is_ok());
    }
}
