//! A failed HTTP call → a fault: status, headers and body, without any HTTP library.
//!
//! The status decides, unless the body or the headers know better: a 400 that says `ThrottlingException` is a rate limit,
//! a 409 with "already exists" is that, and so is a 403 whose quota is spent. Whatever was decided, the status, the words and
//! the name the API has for the error are kept.
//!
//! ```
//! use breakfall::classify::http::{Failure, fault};
//! use breakfall::{Timestamp, codes};
//!
//! let failure = Failure::new(403)
//!     .header("X-RateLimit-Remaining", "0")
//!     .header("Retry-After", "30")
//!     .body(r#"{"message": "You have exceeded a secondary rate limit."}"#);
//! let fault = fault(&failure, Timestamp::UNIX_EPOCH);
//! assert_eq!(fault.code(), codes::RATE_LIMIT_EXCEEDED);
//! assert_eq!(fault.public().retry_after_seconds(), Some(30));
//! assert_eq!(fault.public().http_status(), Some(403));
//! assert_eq!(fault.public().message(), "You have exceeded a secondary rate limit.");
//! ```

mod content;
mod headers;
mod phrase;
mod verdict;

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use self::content::HttpContent;
use self::headers::HeaderReading;
use self::verdict::HttpVerdict;
use super::body::{self, BodyReading};
use super::excerpt;
use super::internal;
use super::rpc;
use super::status;
use crate::catalog::codes;
use crate::code::{Category, Origin};
use crate::fault::{Confidence, Fault, Provenance};
use crate::wire::Options;

/// An unsuccessful HTTP response: status, headers, body. It borrows what it is made of.
///
/// ```
/// use breakfall::classify::http::Failure;
///
/// let failure = Failure::new(503).header("Retry-After", "120").body(b"down for maintenance");
/// assert_eq!(failure.status(), 503);
/// ```
#[derive(Clone)]
#[must_use]
pub struct Failure<'a> {
    status: u16,
    headers: Vec<(&'a str, &'a [u8])>,
    body: &'a [u8],
}

impl<'a> Failure<'a> {
    /// An answer with a status, so far without headers and body.
    pub const fn new(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: &[],
        }
    }

    /// Adds a header. Names are compared without regard to case.
    pub fn header(mut self, name: &'a str, value: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        self.headers.push((name, value.as_ref()));
        self
    }

    /// Sets the body, or as much of it as was read. No more than 64 KiB of it are looked at.
    pub fn body(mut self, body: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        self.body = body.as_ref();
        self
    }

    /// The status.
    pub const fn status(&self) -> u16 {
        self.status
    }

    fn heads(&self, now: Timestamp) -> HeaderReading {
        headers::read(self.headers.iter().copied(), now)
    }
}

/// Sizes only: headers and bodies of failures end up in logs often enough.
impl fmt::Debug for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failure")
            .field("status", &self.status)
            .field("headers", &self.headers.len())
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

/// Classifies a failed call. Time is an argument since some servers state a moment to come back at.
pub fn fault(failure: &Failure<'_>, now: Timestamp) -> Fault {
    fault_with(failure, now, &Options::new())
}

/// [`fault`], knowing a server's own codes where the body is in one of our formats.
pub fn fault_with(failure: &Failure<'_>, now: Timestamp, options: &Options) -> Fault {
    let heads = failure.heads(now);
    let content = content::read(failure.body);
    if let HttpContent::Json(body) = &content {
        if let Some(error) = rpc::inside(body) {
            return through_rpc(error, failure, &heads, now, options);
        }
        if let Some((fault, _, sure)) = body::exact(body, options) {
            return finish(as_it_came(fault, failure, sure), failure, &heads, now, None);
        }
    }
    let mut said = said(content);
    if said.name.is_none()
        && let Some(name) = &heads.error_name
    {
        said.name = Some(name.clone());
        if said.code.is_none() {
            said.code = body::names::code_for(name);
            said.shape = "header";
        }
    }
    classified(failure, said, &heads, now)
}

/// Classifies a failed call that this server made for its own purposes. A service that is unavailable or limits its callers is
/// told as such. Any other status, a 401 or a 404, is an internal error: it answers this server, not the caller of the tool.
///
/// ```
/// use breakfall::classify::http::{Failure, upstream_fault};
/// use breakfall::{Origin, Timestamp, codes};
///
/// let refused = upstream_fault(&Failure::new(401), Timestamp::UNIX_EPOCH);
/// assert_eq!((refused.code(), refused.responsible()), (codes::INTERNAL_ERROR, Origin::Tool));
/// let limited = Failure::new(429).header("Retry-After", "30");
/// let limited = upstream_fault(&limited, Timestamp::UNIX_EPOCH);
/// assert_eq!((limited.code(), limited.responsible()), (codes::RATE_LIMIT_EXCEEDED, Origin::Upstream));
/// assert_eq!(limited.public().retry_after_seconds(), Some(30));
/// ```
pub fn upstream_fault(failure: &Failure<'_>, now: Timestamp) -> Fault {
    internal::unless_in(internal::OF_A_SERVICE, fault(failure, now))
}

/// A response of a successful status that cannot be read: an error page in place of data, truncated JSON.
///
/// ```
/// use breakfall::classify::http::{Failure, unreadable};
/// use breakfall::{Timestamp, codes};
///
/// let answer = Failure::new(200).header("Content-Type", "text/html").body("<html><title>Sign in</title>");
/// let fault = unreadable(&answer, Timestamp::UNIX_EPOCH);
/// assert_eq!(fault.code(), codes::INTERNAL_BAD_UPSTREAM);
/// assert_eq!(fault.public().details().text("content_type"), Some("text/html"));
/// ```
pub fn unreadable(answer: &Failure<'_>, now: Timestamp) -> Fault {
    let heads = answer.heads(now);
    let mut fault = Fault::new(codes::INTERNAL_BAD_UPSTREAM);
    if let Some(media_type) = &heads.content_type {
        fault = fault.detail("content_type", media_type.clone());
    }
    let start = &answer.body[..answer.body.len().min(4 * PREVIEW)];
    if let Some(preview) = excerpt::line(&excerpt::lossy(start), PREVIEW) {
        fault = fault.detail("preview", preview);
    }
    fault = fault.provenance(Provenance::new("http.unreadable", Confidence::Structural));
    finish(fault, answer, &heads, now, None)
}

/// How many characters of an unreadable answer are shown.
const PREVIEW: usize = 200;

/// The errors in a GraphQL answer, which come with a successful status. `None` without errors. Where there is data
/// too, the detail `partial` says so.
///
/// ```
/// use breakfall::classify::http::{Failure, graphql};
/// use breakfall::{Timestamp, codes};
///
/// let answer = Failure::new(200).body(
///     r#"{"data": null, "errors": [{"message": "No such user", "extensions": {"code": "NOT_FOUND"}}]}"#,
/// );
/// let fault = graphql(&answer, Timestamp::UNIX_EPOCH).expect("an error");
/// assert_eq!(fault.code(), codes::NOT_FOUND_RESOURCE);
/// ```
pub fn graphql(answer: &Failure<'_>, now: Timestamp) -> Option<Fault> {
    let HttpContent::Json(body) = content::read(answer.body) else {
        return None;
    };
    body.get("errors").filter(|errors| errors.is_array())?;
    let partial = body.get("data").is_some_and(|data| !data.is_null());
    let said = body::read(&body)?;
    let fault = classified(answer, said, &answer.heads(now), now);
    Some(if partial {
        fault.detail("partial", true)
    } else {
        fault
    })
}

/// What a body of any kind says.
fn said(content: HttpContent) -> BodyReading {
    match content {
        HttpContent::Json(body) => body::read(&body).unwrap_or_default(),
        HttpContent::Xml { code, message } => BodyReading {
            shape: "xml",
            code: code.as_deref().and_then(body::names::code_for),
            name: code,
            message,
            ..BodyReading::default()
        },
        HttpContent::Html(Some(words)) => BodyReading {
            shape: "html",
            message: Some(words),
            ..BodyReading::default()
        },
        HttpContent::Text(words) => BodyReading {
            shape: "text",
            message: Some(words),
            ..BodyReading::default()
        },
        HttpContent::Html(None) | HttpContent::Opaque => BodyReading::default(),
    }
}

fn classified(
    failure: &Failure<'_>,
    said: BodyReading,
    heads: &HeaderReading,
    now: Timestamp,
) -> Fault {
    let status = failure.status;
    // A success that carries errors says its status inside, or not at all.
    let number = said.status.filter(|_| status < 400).unwrap_or(status);
    let verdict = verdict::decide(number, &said, heads);
    let HttpVerdict {
        code,
        by,
        confidence,
        retry,
        wait,
    } = verdict;
    let rule = match by {
        Some(by) => format!("http.{number}.{by}"),
        None => format!("http.{number}"),
    };
    let mut fault = Fault::new(code);
    let wait = said.wait.or(wait);
    let silent = said.message.is_none() && said.violations.is_empty();
    // Where the code says more than the status does, so does its text.
    let says_less = [
        codes::VALIDATION_INVALID_VALUE,
        codes::INTERNAL_CONFIGURATION,
    ]
    .contains(&code);
    if silent && (confidence == Confidence::Default || says_less) {
        fault = fault.say(phrase::status_line(status));
    }
    if let Some(retry) = retry {
        fault = fault.retry(retry);
    }
    fault = said
        .add_to(fault)
        .provenance(Provenance::new(rule, confidence));
    // Who answered is not the one who reports it.
    if fault.public().origin() == Origin::Gateway {
        fault = fault.origin(Origin::Upstream);
    }
    finish(fault, failure, heads, now, wait)
}

/// A fault in our own words; only the rule that found it there is added.
fn as_it_came(fault: Fault, failure: &Failure<'_>, sure: Confidence) -> Fault {
    if fault.public().provenance().is_some() {
        return fault;
    }
    let rule = format!("http.{}.document", failure.status);
    fault.provenance(Provenance::new(rule, sure))
}

/// A JSON-RPC error as the body: MCP over HTTP answers so. A number without a meaning leaves the decision to the status.
fn through_rpc(
    error: &Value,
    failure: &Failure<'_>,
    heads: &HeaderReading,
    now: Timestamp,
    options: &Options,
) -> Fault {
    let read = rpc::read(error, &rpc::Call::new(), options);
    let precise = !verdict::frame(failure.status).vague;
    // Words that say what a precise status says make nothing less sure.
    let agreed = read.confidence == Confidence::Textual
        && read.fault.code() == status::code_for_status(failure.status);
    let unsure = read.confidence == Confidence::Default || read.vague && precise;
    let fault = if unsure || agreed && precise {
        let rpc::RpcReading { fault, .. } = read;
        let public = fault.public();
        let said = BodyReading {
            shape: "rpc",
            message: public.message.as_deref().map(str::to_owned),
            name: public.domain_code().map(str::to_owned),
            ..BodyReading::default()
        };
        let mut by_status = classified(failure, said, heads, now);
        for (key, value) in public.details().iter() {
            by_status = by_status.detail(key.to_owned(), value.clone());
        }
        return by_status;
    } else {
        read.fault
    };
    finish(fault, failure, heads, now, None)
}

/// Adds what every failure has: the status, the limit it ran into, how long to wait, the id of the other side.
fn finish(
    mut fault: Fault,
    failure: &Failure<'_>,
    heads: &HeaderReading,
    now: Timestamp,
    wait: Option<Duration>,
) -> Fault {
    let status = failure.status;
    if (100..=599).contains(&status) && fault.public().http_status().is_none() {
        fault = fault.http_status(status);
    }
    if let Some(id) = &heads.request_id {
        fault = fault.detail("upstream_request_id", id.clone());
    }
    if fault.code().category() == Category::Authentication
        && let Some(scheme) = &heads.scheme
    {
        fault = fault.detail("scheme", scheme.clone());
    }
    fault = waiting(fault, status, heads, now, wait);
    let start = &failure.body[..failure.body.len().min(excerpt::NOTE)];
    if let Some(seen) = excerpt::text(&excerpt::lossy(start), excerpt::NOTE) {
        let size = failure.body.len();
        fault = fault.note(format!("answered {status} with {size} bytes: {seen}"));
    }
    fault
}

/// A wait, where repeating the call makes sense: the status or the code has to be one of those.
fn waiting(
    mut fault: Fault,
    status: u16,
    heads: &HeaderReading,
    now: Timestamp,
    told: Option<Duration>,
) -> Fault {
    let limited = fault.code().category() == Category::RateLimit;
    // Before a conflict, a lock or a size is judged hopeless, the server may say that it is not.
    let may = fault.code().entry().retry.is_retryable() || matches!(status, 409 | 413 | 423);
    // More calls than none are left: it was another limit, and this one's reset says nothing.
    let resets = heads
        .limit
        .resets_at
        .filter(|_| limited && heads.limit.remaining.is_none_or(|left| left == 0));
    let until = resets.and_then(|at| Duration::try_from(at.duration_since(now)).ok());
    let wait = heads
        .wait
        .or(fault.public().retry_after())
        .or(told)
        .or(until)
        .filter(|wait| may && !wait.is_zero());
    if let Some(wait) = wait {
        fault = fault.retry_after(wait);
    }
    if !limited {
        return fault;
    }
    let facts = [
        ("limit", heads.limit.calls),
        ("remaining", heads.limit.remaining),
    ];
    for (key, value) in facts {
        if let Some(value) = value {
            fault = fault.detail(key, value);
        }
    }
    if let Some(window) = heads.window {
        fault = fault.detail("window", window.as_str());
    }
    let at = resets.or_else(|| now.checked_add(wait?).ok());
    match at.filter(|at| *at > now) {
        Some(at) => fault.resets_at(at),
        None => fault,
    }
}
