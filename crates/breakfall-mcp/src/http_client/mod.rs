//! A server over HTTP: each message goes there in a request of its own, and what comes back is heard.
//!
//! ```text
//!  carry ─► Courier ── POST ──► Client (pooled) ─► server
//!             │                    │ JSON, a stream of events, or nothing
//!             ◄── Ear::receive ◄───┘
//! ```
//!
//! A session, where the server has one, is renewed when the server has forgotten it: what it refused for that reason
//! it has not done, and is asked again.

mod answer;
mod asking;
mod client;
mod connect;
mod courier;
mod failure;
mod flight;
mod heads;
mod lacking;
mod listen;
mod load;
mod mirror;
mod redirect;
mod renew;
mod session;
pub mod sse;
mod telling;
mod trust;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use breakfall::Category;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, Uri};
use tokio::sync::Semaphore;

use crate::connection::LossReason;
use crate::health::{HealthState, UpstreamHealth};
use client::{Client, Coming};
pub use courier::connect;
use failure::Told;
use flight::Flight;
use load::{Load, Outgoing};
use mirror::Mirrors;
use redirect::Astray;

/// A server over HTTP: where it is, and what every request to it says. Clones share its connections.
#[derive(Clone)]
pub struct Remote(Arc<Inner>);

struct Inner {
    name: Box<str>,
    uri: Uri,
    client: Client,
    /// Of every request, as configured.
    headers: HeaderMap,
    passes_authorization: bool,
    mirrors: Mirrors,
    /// What came of the last request.
    health: UpstreamHealth,
    /// How many requests may be under way: each may need a connection.
    room: Semaphore,
}

impl Remote {
    /// A server at an address.
    ///
    /// ```
    /// use breakfall_mcp::http_client::Remote;
    ///
    /// assert!(Remote::new("shop", "http://127.0.0.1:7332/mcp").is_ok());
    /// assert!(Remote::new("shop", "example.test").is_err());
    /// ```
    ///
    /// # Errors
    /// When the address is none of a server over HTTP.
    pub fn new(name: &str, url: &str) -> Result<Self, Unusable> {
        Self::make(name, url, HeaderMap::new(), false, None)
    }

    /// A server at an address, with headers for every request to it.
    ///
    /// # Errors
    /// When the address or a header cannot be used, or the file of certificates cannot.
    pub fn with_headers<'a>(
        name: &str,
        url: &str,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
        passes_authorization: bool,
        ca: Option<&Path>,
    ) -> Result<Self, Unusable> {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            let key: HeaderName = name.parse().map_err(|_| Unusable::header(name))?;
            let value = HeaderValue::from_str(value);
            let mut value = value.map_err(|_| Unusable::header(name))?;
            value.set_sensitive(true);
            headers.append(key, value);
        }
        Self::make(name, url, headers, passes_authorization, ca)
    }

    fn make(
        name: &str,
        url: &str,
        headers: HeaderMap,
        passes_authorization: bool,
        ca: Option<&Path>,
    ) -> Result<Self, Unusable> {
        let uri: Uri = url.parse().map_err(|_| Unusable::url(url))?;
        let is_secure = match (uri.scheme_str(), uri.host()) {
            (_, None | Some("")) => return Err(Unusable::url(url)),
            (Some("https"), _) => true,
            (Some("http"), _) => false,
            (_, _) => return Err(Unusable::url(url)),
        };
        Ok(Self(Arc::new(Inner {
            name: name.into(),
            uri,
            client: Client::new(is_secure, ca)?,
            headers,
            passes_authorization,
            mirrors: Mirrors::default(),
            health: UpstreamHealth::default(),
            room: Semaphore::new(most_at_once()),
        })))
    }

    /// How it was when it was last asked something.
    pub fn was(&self) -> HealthState {
        self.0.health.was()
    }

    /// A request came to its end. A server that has something against the request, or against whoever makes it, is
    /// there.
    fn note<T>(&self, came: &Result<T, LossReason>) {
        let is_there = match came {
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
        let was = if is_there {
            HealthState::Well
        } else {
            HealthState::Down
        };
        self.0.health.set(was);
    }

    fn told(&self) -> Told<'_> {
        Told {
            service: &self.0.name,
            passes_authorization: self.0.passes_authorization,
        }
    }

    /// Sends one request and follows where it is sent instead. What comes back is the head of the answer.
    async fn send(
        &self,
        method: &Method,
        headers: impl Fn() -> HeaderMap,
        load: Load,
        flight: Option<&Arc<Flight>>,
    ) -> Result<Response<Coming>, LossReason> {
        let again = load.again();
        let mut load = load;
        let mut to = self.0.uri.clone();
        let mut redirects = 0;
        loop {
            let body = Outgoing::new(load, flight.cloned());
            let mut request = Request::new(body);
            *request.method_mut() = method.clone();
            *request.uri_mut() = to.clone();
            *request.headers_mut() = headers();
            let response = self.0.client.send(request).await.map_err(|error| {
                let has_left = flight.is_none_or(|flight| flight.has_left());
                self.told().unreachable(error, has_left)
            })?;
            let next = redirect::next(&to, method, response.status(), response.headers());
            let astray = match (next, &again) {
                (Ok(None), _) => return Ok(response),
                (Ok(Some(_)), _) if redirects == redirect::MOST => Astray::Endless,
                (Ok(Some(_)), None) => Astray::TooBig,
                (Ok(Some(next)), Some(again)) => {
                    redirects += 1;
                    to = next;
                    load = again.clone();
                    continue;
                }
                (Err(astray), _) => astray,
            };
            let (parts, _) = response.into_parts();
            return Err(failure::astray(astray, &parts));
        }
    }
}

/// Neither headers nor what the address stands for is shown.
impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Remote").field(&self.0.name).finish()
    }
}

/// Half of what may be open, since each client may need a connection too.
fn most_at_once() -> usize {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let limit = limit.and_then(|limit| usize::try_from(limit).ok());
    let half = limit.unwrap_or(MOST) / 2;
    half.saturating_sub(RESERVE).clamp(FEWEST, MOST)
}

/// What is open besides connections.
const RESERVE: usize = 32;
const FEWEST: usize = 16;
const MOST: usize = 1 << 14;

/// A server that cannot be used as it is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable(Box<str>);

impl Unusable {
    /// A kind of server that is not supported yet.
    pub fn planned(what: &str) -> Self {
        Self(format!("a server with `{what}` is planned, not in this version").into())
    }

    /// Says which server it is.
    #[must_use]
    pub fn of(self, name: &str) -> Self {
        Self(format!("the server '{name}': {}", self.0).into())
    }

    fn url(url: &str) -> Self {
        // One that has a password in it is not one of ours, and is not shown.
        let shown = if url.contains('@') { "it" } else { url };
        Self(format!("`url` is no address of a server over HTTP: {shown}").into())
    }

    fn header(name: &str) -> Self {
        Self(format!("the header '{name}' cannot be sent").into())
    }

    fn certificates(file: &Path, why: &str) -> Self {
        Self(format!("`ca` cannot be used: {}: {why}", file.display()).into())
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unusable {}
