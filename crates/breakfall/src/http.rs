//! Faults as HTTP responses, for services that are no MCP servers: RFC 9457 with the status, `Retry-After` and the correlation id.
//!
//! A handler of axum returns `Result<T, Fault>` and uses `?`:
//!
//! ```
//! use axum_core::response::IntoResponse;
//! use breakfall::Fault;
//!
//! async fn order(id: String) -> Result<String, Fault> {
//!     Err(Fault::not_found("order", &id))
//! }
//!
//! # let poll = |fault: Fault| fault.into_response();
//! let response = poll(Fault::not_found("order", "ord_7"));
//! assert_eq!(response.status(), 404);
//! assert_eq!(response.headers()["content-type"], "application/problem+json");
//! ```
//!
//! Every response is redacted for its caller on the way out; [`Problem`] is there to choose otherwise. The fault itself, with
//! its private half, is an extension of the response ([`ResponseFault`]), where a middleware finds it for the log.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use axum_core::body::Body;
use axum_core::response::IntoResponse;
use http::header::{
    CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE,
};
use http::{HeaderMap, HeaderValue, Response, StatusCode};

use crate::classify::http::Failure;
use crate::fault::{CorrelationId, Fault, Public};
use crate::redact::{Redacted, Redactor};
use crate::wire::Options;
use crate::wire::problem::{self, MEDIA_TYPE};

/// The header that carries the correlation id.
pub const CORRELATION_ID: HeaderName = HeaderName::from_static("x-correlation-id");

/// A fault on its way out as a response.
///
/// ```
/// use breakfall::Fault;
/// use breakfall::redact::{Audience, Redactor};
/// use breakfall::http::Problem;
///
/// let fault = Fault::invalid("cannot read /etc/app/secrets.yaml");
/// let response = Problem::new(fault).redactor(Redactor::new(Audience::Operator)).response();
/// let text = String::from_utf8_lossy(response.body());
/// assert!(text.contains("/etc/app/secrets.yaml"), "the operator may read it");
/// ```
#[derive(Debug)]
#[must_use]
pub struct Problem {
    fault: Fault,
    options: Options,
    redactor: Redactor,
}

impl Problem {
    /// A problem as it is answered by default: redacted for the caller, with our extensions.
    pub fn new(fault: Fault) -> Self {
        Self {
            fault,
            options: Options::new(),
            redactor: Redactor::client(),
        }
    }

    /// How to write it: to the letter of RFC 9457, with ids and times from elsewhere.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// For whom to redact it.
    pub fn redactor(mut self, redactor: Redactor) -> Self {
        self.redactor = redactor;
        self
    }

    /// The response, for servers of any kind.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use breakfall::http::Problem;
    /// use breakfall::{Fault, Window};
    ///
    /// let fault = Fault::rate_limited(100, Window::Minute).retry_after(Duration::from_millis(4100));
    /// let response = Problem::new(fault).response();
    /// assert_eq!(response.status(), 429);
    /// assert_eq!(response.headers()["retry-after"], "5");
    /// ```
    pub fn response(self) -> Response<Vec<u8>> {
        let Self {
            fault,
            options,
            redactor,
        } = self;
        let shown = redactor.shown(&fault).stamped(&options.stamp);
        let mut response = Response::new(body(shown.public(), &options));
        *response.status_mut() = status(&shown.public());
        *response.headers_mut() = headers(&shown.public());
        // Header, body and log tell the same id, also where the fault's own was a secret and is gone.
        let fault = match shown.public().correlation_id() {
            Some(id) => fault.correlation_id(id.clone()),
            None => fault,
        };
        let source = ResponseFault(Arc::new(fault));
        response.extensions_mut().insert(source);
        response
    }
}

fn body(public: Redacted<&Public>, options: &Options) -> Vec<u8> {
    let document = problem::of_redacted(public, options);
    serde_json::to_vec(&document).expect("keys are strings and values are JSON")
}

fn status(public: &Public) -> StatusCode {
    StatusCode::from_u16(public.code().entry().http).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn headers(public: &Public) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(6);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    // An id belongs to one failure; no other caller should get this response out of a cache.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let id = public.correlation_id().map(CorrelationId::as_str);
    let scheme = Some(public)
        .filter(|public| public.code().entry().http == 401)
        .and_then(|public| public.details().text("scheme"));
    for (name, text) in [
        (CORRELATION_ID, id),
        (WWW_AUTHENTICATE, scheme),
        (CONTENT_LANGUAGE, language(public)),
    ] {
        if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
            headers.insert(name, value);
        }
    }
    if let Some(seconds) = public.retry_after_seconds() {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    headers
}

/// The language of the words, where they are those of the row. The language of other words is unknown.
fn language(public: &Public) -> Option<&'static str> {
    if public.message.is_some() && !public.says_it_itself() {
        return None;
    }
    #[cfg(feature = "locale")]
    if let Some(translator) = &public.translator {
        return Some(translator.language().as_str());
    }
    Some("en")
}

/// The response of axum and whatever is built on its core.
impl IntoResponse for Problem {
    fn into_response(self) -> axum_core::response::Response {
        self.response().map(Body::from)
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> axum_core::response::Response {
        Problem::new(self).into_response()
    }
}

/// The fault behind a response, among the response's extensions: for the log, with its private half and before anything
/// was taken out of the public one.
///
/// ```
/// use axum_core::response::IntoResponse;
/// use breakfall::Fault;
/// use breakfall::http::ResponseFault;
///
/// let fault = Fault::invalid("cannot read /etc/app/config.yaml").caused_by("disk full, password=hunter2");
/// let response = fault.into_response();
/// let fault = response.extensions().get::<ResponseFault>().expect("a fault made it");
/// let report = fault.report();
/// assert!(report.contains("/etc/app/config.yaml") && report.contains("disk full"));
/// assert!(!report.contains("hunter2"), "credentials have no place in a log either");
/// ```
#[derive(Clone)]
pub struct ResponseFault(Arc<Fault>);

impl ResponseFault {
    /// Everything there is to know for the log: the message, the id, notes and the chain of causes, without credentials.
    pub fn report(&self) -> String {
        Redactor::default().report(&self.0)
    }
}

impl Deref for ResponseFault {
    type Target = Fault;

    fn deref(&self) -> &Fault {
        &self.0
    }
}

/// As little as [`Fault`] shows of itself.
impl fmt::Debug for ResponseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Failed responses of the `http` crate.
impl<'a> Failure<'a> {
    /// An unsuccessful response.
    ///
    /// ```
    /// use breakfall::classify::http::{Failure, fault};
    /// use breakfall::{Timestamp, codes};
    ///
    /// let response = http::Response::builder().status(503).header("retry-after", "9").body("down").unwrap();
    /// let fault = fault(&Failure::of(&response), Timestamp::UNIX_EPOCH);
    /// assert_eq!(fault.code(), codes::UNAVAILABLE_SERVICE);
    /// assert_eq!(fault.public().retry_after_seconds(), Some(9));
    /// ```
    pub fn of<B: AsRef<[u8]>>(response: &'a Response<B>) -> Self {
        Self::new(response.status().as_u16())
            .headers(response.headers())
            .body(response.body())
    }

    /// The head of a response; the body comes by [`Self::body`].
    pub fn of_parts(parts: &'a http::response::Parts) -> Self {
        Self::new(parts.status.as_u16()).headers(&parts.headers)
    }

    /// Adds all headers of a map. A response of reqwest keeps `Retry-After` like this, which `error_for_status` drops:
    ///
    /// ```no_run
    /// use breakfall::classify::http::{Failure, fault};
    /// use breakfall::{Fault, Timestamp};
    ///
    /// async fn fetch(client: &reqwest::Client, url: &str) -> Result<Vec<u8>, Fault> {
    ///     let response = client.get(url).send().await?;
    ///     let (status, headers) = (response.status(), response.headers().clone());
    ///     let body = response.bytes().await?;
    ///     if status.is_success() {
    ///         return Ok(body.into());
    ///     }
    ///     let failure = Failure::new(status.as_u16()).headers(&headers).body(&body);
    ///     Err(fault(&failure, Timestamp::now()))
    /// }
    /// ```
    pub fn headers(self, headers: &'a HeaderMap) -> Self {
        headers.iter().fold(self, |failure, (name, value)| {
            failure.header(name.as_str(), value)
        })
    }
}
