//! Failures of HTTP → faults. A caller learns what to do next, and nothing about hosts, paths or pages.

use std::error::Error;
use std::io;
use std::iter::successors;

use breakfall::classify;
use breakfall::classify::http::Failure;
use breakfall::{Fault, Retry, Stamp, codes};
use http::HeaderValue;
use http::header::{CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use http::response::Parts;
use hyper_util::client::legacy;
use rustls::CertificateError;

use super::redirect::RedirectError;
use crate::connection::{AuthChallenge, LossReason, TransportError};
use crate::error::REDACTOR;
use crate::jsonrpc::TransportStatus;

/// Makes the faults of requests to one server.
#[derive(Debug, Clone, Copy)]
pub(super) struct HttpFaults<'a> {
    /// The name of the server.
    pub(super) service: &'a str,
    /// Whether the credentials are the caller's own.
    pub(super) passes_authorization: bool,
}

impl HttpFaults<'_> {
    /// The connection failed, or broke before the response.
    pub(super) fn unreachable(self, error: legacy::Error, has_left: bool) -> LossReason {
        let has_left = has_left && !error.is_connect() && !is_refused_stream(&error);
        let fault = self.connection(&error).caused_by(error);
        if has_left {
            maybe_executed(fault)
        } else {
            not_executed(fault)
        }
    }

    /// The response broke off, or is not HTTP.
    pub(super) fn broken_off(self, error: hyper::Error) -> LossReason {
        let fault = if is_malformed(&error) {
            Fault::new(codes::INTERNAL_BAD_UPSTREAM).detail("service", self.service)
        } else {
            self.incomplete()
        };
        maybe_executed(fault.caused_by(error))
    }

    /// A stream of events ended before the answer, and cannot be continued.
    pub(super) fn unanswered(self) -> LossReason {
        let note = "the stream of events ended without the answer";
        maybe_executed(self.incomplete().note(note))
    }

    fn incomplete(self) -> Fault {
        Fault::connection(self.service).message("The answer broke off before it was complete")
    }

    /// A response that is not a success, with as much of its body as was read.
    pub(super) fn status(self, parts: &Parts, body: &[u8]) -> LossReason {
        let status = parts.status.as_u16();
        let is_json = media_type(parts).is_some_and(is_json);
        let fault = match status {
            401 | 403 if !self.passes_authorization => Fault::configuration("headers")
                .detail(
                    "reason",
                    "the server does not accept the credentials it is given",
                )
                .http_status(status)
                .note(excerpt(parts, body)),
            // The method and media types of the request are those of every MCP server.
            404..=406 | 410 | 415 => Fault::configuration("url")
                .detail("reason", "there is no MCP server at this address")
                .http_status(status)
                .note(excerpt(parts, body)),
            // About the connection to the server and the headers on it, not about the message.
            407 | 421 | 426 | 431 => connection_setting(status)
                .http_status(status)
                .note(excerpt(parts, body)),
            // A caller cannot act on a page for humans, and the same bytes would be refused again.
            400 if !is_json => Fault::new(codes::INTERNAL_BAD_UPSTREAM)
                .detail("service", self.service)
                .http_status(status)
                .retry(Retry::Never)
                .note(excerpt(parts, body)),
            _ => classified(parts, body),
        };
        // A request refused for its sender, its headers or its rate was not executed. A 400 may come from a tool, whatever
        // its words.
        let is_untouched = matches!(
            status,
            401..=407 | 410..=417 | 421 | 426 | 428 | 429 | 431
        );
        let challenge = matches!(status, 401 | 403) && self.passes_authorization;
        let mut refused = TransportError::new(fault);
        refused.is_untouched = is_untouched;
        refused.challenge = challenge.then(|| AuthChallenge {
            status: parts.status,
            authenticate: parts.headers.get(WWW_AUTHENTICATE).cloned(),
        });
        LossReason::Refused(Box::new(refused))
    }

    /// A successful response with an unreadable body.
    pub(super) fn unreadable(self, reason: &str, parts: &Parts, body: &[u8]) -> LossReason {
        let fault = Fault::new(codes::INTERNAL_BAD_UPSTREAM)
            .detail("service", self.service)
            .note(reason)
            .note(excerpt(parts, body));
        maybe_executed(fault)
    }

    /// The server has forgotten the session and begins no new one.
    pub(super) fn no_session(self, reason: &str) -> LossReason {
        let fault = Fault::unavailable(self.service).note(reason);
        not_executed(fault)
    }

    /// The server does not know the session, in these words, and the request is not sent again in a new one.
    pub(super) fn session_lost(self, words: Option<String>) -> LossReason {
        let reason =
            "the server does not know the session, and the call is not sent again in a new one";
        let fault = Fault::unavailable(self.service).note(reason);
        maybe_executed(match words {
            Some(words) => REDACTOR.fault(fault.message(words)).into_inner(),
            None => fault,
        })
    }

    /// The server has also forgotten the session that was begun for this request, in these words. It has seen the request
    /// twice.
    pub(super) fn session_lost_again(self, words: Option<String>) -> LossReason {
        let reason = "the server has forgotten a session it has just begun";
        let fault = Fault::unavailable(self.service).note(reason);
        maybe_executed(match words {
            Some(words) => REDACTOR.fault(fault.message(words)).into_inner(),
            None => fault,
        })
    }

    /// A failure of the handshake that had to precede sending a request again.
    pub(super) fn before_resend(self, reason: LossReason) -> LossReason {
        match reason {
            LossReason::Refused(mut refused) => {
                refused.is_untouched = true;
                LossReason::Refused(refused)
            }
            LossReason::Unreadable(_)
            | LossReason::Late(_)
            | LossReason::Gone
            | LossReason::Unsent(_) => self.no_session("the answer to the handshake is unreadable"),
        }
    }

    /// The fault of a failure below HTTP, by the causes of an error.
    fn connection(self, error: &(dyn Error + 'static)) -> Fault {
        if let Some(tls) = find::<rustls::Error>(error) {
            return Fault::new(codes::UNAVAILABLE_TLS)
                .detail("service", self.service)
                .detail("reason", reason(tls));
        }
        if causes(error).any(|cause| cause.to_string() == "dns error") {
            return Fault::connection(self.service).detail("transport_code", "TRANSPORT_DNS_ERROR");
        }
        let ios = || causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
        if ios().any(is_exhausted) {
            return Fault::new(codes::UNAVAILABLE_OVERLOADED)
                .detail("service", self.service)
                .note("too many open files");
        }
        if let Some(error) = find::<hyper::Error>(error) {
            return classify::hyper::of(error);
        }
        let kinds = ios().map(io::Error::kind);
        match kinds.filter(|kind| *kind != io::ErrorKind::Other).last() {
            // The connection ended in the TLS handshake, before any response.
            None | Some(io::ErrorKind::UnexpectedEof) => Fault::connection(self.service),
            Some(kind) => classify::io::fault(kind.into()),
        }
    }
}

/// The setting behind a status that is about the connection or its headers.
fn connection_setting(status: u16) -> Fault {
    let (setting, reason) = match status {
        407 => (
            "HTTP_PROXY",
            "a proxy before the server demands credentials",
        ),
        421 => (
            "url",
            "the server does not serve this address on this connection",
        ),
        426 => (
            "url",
            "the server demands another protocol, for example TLS",
        ),
        _ => ("headers", "the server refuses headers of this size"),
    };
    Fault::configuration(setting).detail("reason", reason)
}

/// A redirect that is not followed.
pub(super) fn redirect(error: RedirectError, parts: &Parts) -> LossReason {
    let reason = match error {
        RedirectError::Elsewhere => {
            "the address redirects to another server, which must not see requests for this one"
        }
        RedirectError::Fetch => {
            "the address redirects with a status (301, 302, 303) that does not ask for the request to be sent again; if the server has moved, configure its new address"
        }
        RedirectError::Nowhere => "the address redirects without saying where to",
        RedirectError::Loop => "the address redirects again and again",
        RedirectError::TooBig => {
            "the address redirects, and the message is too big to be sent twice"
        }
    };
    let location = parts.headers.get(LOCATION).map(HeaderValue::as_bytes);
    let location = location.unwrap_or_default().escape_ascii();
    let fault = Fault::configuration("url")
        .detail("reason", reason)
        .http_status(parts.status.as_u16())
        .note(format!("{}, Location: {location}", parts.status));
    match error {
        // By the letter of HTTP it may have been executed.
        RedirectError::Fetch => maybe_executed(fault),
        RedirectError::Elsewhere
        | RedirectError::Nowhere
        | RedirectError::Loop
        | RedirectError::TooBig => not_executed(fault),
    }
}

/// Adds how often a request was sent.
pub(super) fn with_attempts(reason: LossReason, attempts: u32) -> LossReason {
    match reason {
        LossReason::Refused(mut refused) => {
            let fault = std::mem::replace(&mut refused.fault, Fault::internal());
            refused.fault = fault.detail("attempts", attempts);
            LossReason::Refused(refused)
        }
        LossReason::Unreadable(_)
        | LossReason::Late(_)
        | LossReason::Gone
        | LossReason::Unsent(_) => reason,
    }
}

fn not_executed(fault: Fault) -> LossReason {
    let mut refused = TransportError::new(fault);
    refused.is_untouched = true;
    LossReason::Refused(Box::new(refused))
}

fn maybe_executed(fault: Fault) -> LossReason {
    LossReason::Refused(Box::new(TransportError::new(fault)))
}

/// The status of a response with an error in its body, if it says when to call again.
pub(super) fn transport_status(parts: &Parts) -> Option<TransportStatus> {
    let status = parts.status.as_u16();
    if !matches!(status, 429 | 503) {
        return None;
    }
    let fault = classified(parts, &[]);
    Some(TransportStatus {
        status,
        code: fault.code(),
        wait: fault.public().retry_after(),
    })
}

/// The fault of a status, its headers and a JSON body. Pages and plain texts are not classified.
fn classified(parts: &Parts, body: &[u8]) -> Fault {
    let mut failure = Failure::new(parts.status.as_u16());
    for (name, value) in &parts.headers {
        failure = failure.header(name.as_str(), value.as_bytes());
    }
    let is_json = media_type(parts).is_some_and(is_json);
    if is_json {
        failure = failure.body(body);
    }
    let (_, now) = Stamp::System.take();
    let fault = REDACTOR
        .fault(classify::http::fault(&failure, now))
        .into_inner();
    if is_json || body.is_empty() {
        fault
    } else {
        fault.note(excerpt(parts, body))
    }
}

fn find<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    causes(error).find_map(|cause| cause.downcast_ref::<E>())
}

/// An error and its sources, outermost first. An I/O error holds its source as its inner error.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let next = |&error: &&'a (dyn Error + 'static)| {
        let inside = error
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        match inside {
            Some(inside) => Some(inside as &(dyn Error + 'static)),
            None => error.source(),
        }
    };
    successors(Some(error), next).take(MAX_CAUSES)
}

/// Whether the server says by the rules of HTTP/2 that it has not processed a request: it refuses the stream, or names an
/// earlier one as its last.
fn is_refused_stream(error: &legacy::Error) -> bool {
    find::<h2::Error>(error).is_some_and(|error| {
        let is_refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
        error.is_remote() && (is_refused || error.is_go_away())
    })
}

/// Whether an error is one of HTTP/2.
pub(super) fn is_http2(error: &legacy::Error) -> bool {
    find::<h2::Error>(error).is_some()
}

/// Whether the response breaks the rules of HTTP.
fn is_malformed(error: &hyper::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput};
    let mut ios = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    error.is_parse() || ios.any(|error| matches!(error.kind(), InvalidData | InvalidInput))
}

/// Whether the process or the system is out of file descriptors.
fn is_exhausted(error: &io::Error) -> bool {
    const EMFILE: i32 = 24;
    const ENFILE: i32 = 23;
    matches!(error.raw_os_error(), Some(EMFILE | ENFILE))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "of the many, those an operator can act on"
)]
fn reason(error: &rustls::Error) -> &'static str {
    use rustls::Error as E;
    match error {
        E::InvalidCertificate(why) => match why {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "the certificate is expired"
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "the certificate is not valid yet"
            }
            CertificateError::UnknownIssuer => {
                "the certificate is not signed by a trusted authority"
            }
            CertificateError::NotValidForNameContext { presented, .. } if presented.is_empty() => {
                "the certificate has no subjectAltName, which names the hosts it is for"
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate is for another name"
            }
            // rustls does not export the error of its verifier.
            CertificateError::Other(why) if format!("{why:?}").contains("CaUsedAsEndEntity") => {
                "the certificate is that of an authority (CA:TRUE), as plain 'openssl req -x509' makes it; make one for the server with -addext basicConstraints=critical,CA:FALSE -addext subjectAltName=DNS:NAME"
            }
            CertificateError::Revoked => "the certificate is revoked",
            _ => "the certificate is not valid",
        },
        E::InvalidMessage(_) => "the server does not speak TLS",
        E::PeerIncompatible(_) | E::AlertReceived(_) => "the server refuses the handshake",
        _ => "the handshake failed",
    }
}

/// The beginning of a body, for the private half of a fault.
fn excerpt(parts: &Parts, body: &[u8]) -> String {
    let status = parts.status;
    let kind = media_type(parts).unwrap_or("no content type");
    let shown = &body[..body.len().min(MAX_EXCERPT_BYTES)];
    let (size, shown) = (body.len(), String::from_utf8_lossy(shown));
    format!("answered {status} with {size} bytes of {kind}: {shown}")
}

/// The media type without its parameters.
pub(super) fn media_type(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim())
}

/// Whether a media type is a stream of events.
pub(super) fn is_event_stream(media_type: &str) -> bool {
    media_type.eq_ignore_ascii_case("text/event-stream")
}

/// Whether a media type is JSON, with or without a suffix.
pub(super) fn is_json(kind: &str) -> bool {
    if kind == "application/json" {
        return true;
    }
    let kind = kind.to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

/// How much of an unreadable body is kept for the log.
const MAX_EXCERPT_BYTES: usize = 2000;
const MAX_CAUSES: usize = 32;
