//! A server over HTTP: its address, the headers of every request, its connections.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use breakfall::Category;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, Uri};
use hyper_util::client::proxy::matcher::Matcher;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

use super::UpstreamConfigError;
use super::client::{PooledClient, ResponseBody};
use super::connector::was_reused;
use super::faults::{self, HttpFaults};
use super::in_flight::InFlight;
use super::param_headers::ParamHeaders;
use super::payload::{Payload, RequestBody};
use super::redirect::{self, RedirectError};
use crate::connection::LossReason;
use crate::health::{HealthState, UpstreamHealth};

/// A server over HTTP. Clones share its connections.
#[derive(Clone)]
pub struct RemoteServer(Arc<RemoteServerInner>);

struct RemoteServerInner {
    name: Box<str>,
    uri: Uri,
    client: PooledClient,
    /// The configured headers of every request.
    headers: HeaderMap,
    passes_authorization: bool,
    param_headers: ParamHeaders,
    health: UpstreamHealth,
    /// Whether a call that found no session is sent again in a new one.
    resends_on_lost_session: bool,
    /// Bounds concurrent requests: each may need a connection.
    permits: Semaphore,
}

impl RemoteServer {
    /// A server at an address. Proxies are taken from the environment.
    ///
    /// ```
    /// use breakfall_mcp::http_client::RemoteServer;
    ///
    /// assert!(RemoteServer::new("shop", "http://127.0.0.1:7332/mcp").is_ok());
    /// assert!(RemoteServer::new("shop", "example.test").is_err());
    /// ```
    ///
    /// # Errors
    /// When it is not the URL of a server over HTTP.
    pub fn new(name: &str, url: &str) -> Result<Self, UpstreamConfigError> {
        Self::build(name, url, HeaderMap::new(), false, None)
    }

    /// A server at an address, with headers for every request to it.
    ///
    /// # Errors
    /// When the address, a header, the proxy or the file of certificates cannot be used.
    pub fn with_headers<'a>(
        name: &str,
        url: &str,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
        passes_authorization: bool,
        ca: Option<&Path>,
    ) -> Result<Self, UpstreamConfigError> {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            let key: HeaderName = name
                .parse()
                .map_err(|_| UpstreamConfigError::header(name))?;
            let value = HeaderValue::from_str(value);
            let mut value = value.map_err(|_| UpstreamConfigError::header(name))?;
            value.set_sensitive(true);
            headers.append(key, value);
        }
        Self::build(name, url, headers, passes_authorization, ca)
    }

    fn build(
        name: &str,
        url: &str,
        headers: HeaderMap,
        passes_authorization: bool,
        ca: Option<&Path>,
    ) -> Result<Self, UpstreamConfigError> {
        let uri: Uri = url.parse().map_err(|_| UpstreamConfigError::url(url))?;
        let has_host = uri.host().is_some_and(|host| !host.is_empty());
        if !has_host || !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(UpstreamConfigError::url(url));
        }
        let max_requests = max_concurrent_requests();
        let client = PooledClient::new(&uri, ca, &Matcher::from_env(), max_requests)?;
        Ok(Self(Arc::new(RemoteServerInner {
            name: name.into(),
            uri,
            client,
            headers,
            passes_authorization,
            param_headers: ParamHeaders::default(),
            health: UpstreamHealth::default(),
            resends_on_lost_session: true,
            permits: Semaphore::new(max_requests),
        })))
    }

    /// Sets whether a call that the server answers with 404, because it has forgotten the session, is sent again in a new
    /// session. Set it before the server is used.
    #[must_use]
    pub fn resend_on_lost_session(mut self, is_on: bool) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.resends_on_lost_session = is_on;
        }
        self
    }

    pub(super) fn resends_on_lost_session(&self) -> bool {
        self.0.resends_on_lost_session
    }

    /// What the last request showed.
    pub fn health(&self) -> HealthState {
        self.0.health.state()
    }

    pub(super) fn name(&self) -> &str {
        &self.0.name
    }

    pub(super) fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    pub(super) fn passes_authorization(&self) -> bool {
        self.0.passes_authorization
    }

    pub(super) fn param_headers(&self) -> &ParamHeaders {
        &self.0.param_headers
    }

    /// Waits until one more request may be open.
    pub(super) async fn permit(&self) -> SemaphorePermit<'_> {
        let permit = self.0.permits.acquire().await;
        permit.expect("the semaphore is never closed")
    }

    pub(super) fn faults(&self) -> HttpFaults<'_> {
        HttpFaults {
            service: &self.0.name,
            passes_authorization: self.0.passes_authorization,
        }
    }

    /// Records how a request ended. A server that rejects a request or its caller is up.
    pub(super) fn record_health<T>(&self, outcome: &Result<T, LossReason>) {
        let is_up = match outcome {
            Err(LossReason::Refused(refused)) => {
                let category = refused.fault.public().category();
                refused.challenge.is_some()
                    || !matches!(category, Category::Unavailable | Category::Internal)
            }
            Ok(_)
            | Err(
                LossReason::Late(_)
                | LossReason::Unreadable(_)
                | LossReason::Gone
                | LossReason::Unsent(_),
            ) => true,
        };
        self.0.health.set(if is_up {
            HealthState::Up
        } else {
            HealthState::Down
        });
    }

    /// Sends one request and follows redirects, one if executing it twice may do harm. Returns the head of the response.
    ///
    /// A request without `in_flight` may be repeated.
    pub(super) async fn send(
        &self,
        method: &Method,
        headers: impl Fn() -> HeaderMap,
        mut payload: Payload,
        in_flight: Option<&Arc<InFlight>>,
    ) -> Result<Response<ResponseBody>, LossReason> {
        let kept = payload.kept();
        let max_redirects = match in_flight {
            Some(in_flight) if !in_flight.is_repeatable() => 1,
            Some(_) | None => redirect::MAX_REDIRECTS,
        };
        let mut uri = self.0.uri.clone();
        let mut redirects = 0;
        loop {
            let head = || {
                let mut head = Request::new(());
                *head.method_mut() = method.clone();
                *head.uri_mut() = uri.clone();
                *head.headers_mut() = headers();
                head
            };
            let sent = self.send_once(head, payload, kept.as_ref(), in_flight);
            let response = sent.await?;
            let next = redirect::next(&uri, method, response.status(), response.headers());
            let error = match (next, &kept) {
                (Ok(None), _) => return Ok(response),
                (Ok(Some(_)), _) if redirects == max_redirects => RedirectError::Loop,
                (Ok(Some(_)), None) => RedirectError::TooBig,
                (Ok(Some(next)), Some(kept)) => {
                    redirects += 1;
                    uri = next;
                    payload = kept.clone();
                    continue;
                }
                (Err(error), _) => error,
            };
            let (parts, _) = response.into_parts();
            return Err(faults::redirect(error, &parts));
        }
    }

    /// Sends a request to one URL. On a pooled connection that turns out to be closed, it is sent again if none of its body
    /// has left; over HTTP/1.1, where the server does not say what it has processed, also if it may be repeated.
    async fn send_once(
        &self,
        head: impl Fn() -> Request<()>,
        mut payload: Payload,
        kept: Option<&Payload>,
        in_flight: Option<&Arc<InFlight>>,
    ) -> Result<Response<ResponseBody>, LossReason> {
        let is_repeatable = in_flight.is_none_or(|in_flight| in_flight.is_repeatable());
        let mut resends = 0;
        loop {
            let (body, unsent) = RequestBody::new(payload, in_flight.cloned());
            let begun = Instant::now();
            let request = head().map(|()| body);
            let error = match self.0.client.send(request, is_repeatable).await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            let unsent = unsent.take();
            let has_left = unsent.is_none();
            let may_repeat = is_repeatable && !faults::is_http2(&error);
            let again = unsent.or_else(|| kept.filter(|_| may_repeat).cloned());
            payload = match again {
                Some(again) if resends < MAX_RESENDS && was_reused(&error, begun) => again,
                _ => return Err(self.faults().unreachable(error, has_left)),
            };
            resends += 1;
        }
    }
}

/// Hides the headers and the address.
impl fmt::Debug for RemoteServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RemoteServer").field(&self.0.name).finish()
    }
}

/// Half of the file descriptors this process may open: clients need the other half.
fn max_concurrent_requests() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    let half = limit.unwrap_or(MAX_REQUESTS) / 2;
    half.saturating_sub(RESERVED_FILES)
        .clamp(MIN_REQUESTS, MAX_REQUESTS)
}

/// Files that are open besides connections.
const RESERVED_FILES: usize = 32;
/// How many closed connections of the pool one request runs into before it fails.
const MAX_RESENDS: usize = 4;
const MIN_REQUESTS: usize = 16;
const MAX_REQUESTS: usize = 1 << 14;
