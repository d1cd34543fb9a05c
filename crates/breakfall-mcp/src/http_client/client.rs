//! The connections to one server: pooled, HTTP/1.1 or HTTP/2 as the server offers.

use std::future::poll_fn;
use std::path::Path;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::header::PROXY_AUTHORIZATION;
use http::{HeaderValue, Request, Response, Uri, Version};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper_util::client::legacy;
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use super::UpstreamConfigError;
use super::connector::{ProxyRoute, UpstreamConnector};
use super::payload::RequestBody;
use super::root_store;

/// The connections to one server.
///
/// hyper-util's client closes idle connections after one fixed time, so there are two: a server may close an idle
/// connection of HTTP/1.1 (most do after 5 s) while a request is on its way, and only a request that may be repeated
/// may run into that.
#[derive(Debug)]
pub(super) struct PooledClient {
    /// For HTTP/2, and for requests that may be repeated.
    long_idle: Pool,
    /// For every other request over HTTP/1.1.
    short_idle: Pool,
    /// The version of the last response. Over HTTP/2 a server says which requests it has not processed.
    is_http2: AtomicBool,
    proxy_authorization: Option<HeaderValue>,
}

type Pool = legacy::Client<UpstreamConnector, RequestBody>;

impl PooledClient {
    pub(super) fn new(
        server: &Uri,
        ca: Option<&Path>,
        proxies: &Matcher,
        max_connections: usize,
    ) -> Result<Self, UpstreamConfigError> {
        let route = ProxyRoute::find(proxies, server)?;
        let is_secure = server.scheme_str() == Some("https") || route.has_secure_proxy();
        let proxy_authorization = route.request_authorization();
        let connector = UpstreamConnector::new(root_store::tls(is_secure, ca)?, route);
        let pool = |idle_timeout| {
            legacy::Client::builder(TokioExecutor::new())
                .pool_timer(TokioTimer::new())
                .pool_idle_timeout(idle_timeout)
                .pool_max_idle_per_host(max_connections / 2)
                .retry_canceled_requests(false)
                .timer(TokioTimer::new())
                .http1_max_buf_size(MAX_BUFFER_BYTES)
                .http2_keep_alive_interval(Some(HTTP2_PING_INTERVAL))
                .http2_adaptive_window(true)
                .build(connector.clone())
        };
        Ok(Self {
            long_idle: pool(LONG_IDLE_TIMEOUT),
            short_idle: pool(SHORT_IDLE_TIMEOUT),
            is_http2: AtomicBool::new(false),
            proxy_authorization,
        })
    }

    /// Sends a request once. The body of the response is still to be read.
    pub(super) async fn send(
        &self,
        mut request: Request<RequestBody>,
        is_repeatable: bool,
    ) -> Result<Response<ResponseBody>, legacy::Error> {
        if let Some(authorization) = &self.proxy_authorization {
            let headers = request.headers_mut();
            headers.insert(PROXY_AUTHORIZATION, authorization.clone());
        }
        let pool = if is_repeatable || self.is_http2.load(Ordering::Relaxed) {
            &self.long_idle
        } else {
            &self.short_idle
        };
        let response = pool.request(request).await?;
        let is_http2 = response.version() == Version::HTTP_2;
        if self.is_http2.load(Ordering::Relaxed) != is_http2 {
            self.is_http2.store(is_http2, Ordering::Relaxed);
        }
        Ok(response.map(ResponseBody))
    }
}

/// The body of a response. Dropping it early closes an HTTP/1.1 connection and resets an HTTP/2 stream.
#[derive(Debug)]
pub(super) struct ResponseBody(Incoming);

impl ResponseBody {
    /// The next piece.
    pub(super) async fn next(&mut self) -> Option<Result<Bytes, hyper::Error>> {
        loop {
            let frame = poll_fn(|context| Pin::new(&mut self.0).poll_frame(context)).await?;
            match frame.map(hyper::body::Frame::into_data) {
                Ok(Ok(piece)) => return Some(Ok(piece)),
                // Trailers are not used.
                Ok(Err(_)) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Its length, if the server said so.
    pub(super) fn length(&self) -> Option<u64> {
        self.0.size_hint().exact()
    }

    /// Whether all of it was read.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_end_stream()
    }
}

/// How much a connection of HTTP/1.1 reads at a time. It keeps the memory while it is open.
const MAX_BUFFER_BYTES: usize = 64 << 10;
const LONG_IDLE_TIMEOUT: Duration = Duration::from_mins(1);
/// Shorter than the 5 s after which most servers close.
const SHORT_IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// How often HTTP/2 checks that the server is alive.
const HTTP2_PING_INTERVAL: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests;
