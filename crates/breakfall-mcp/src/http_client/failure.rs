//! What went wrong over HTTP → a fault that says what a caller may do, and nothing of hosts, paths or pages.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::sync::LazyLock;

use breakfall::classify;
use breakfall::classify::http::Failure;
use breakfall::disclose::Redactor;
use breakfall::{Fault, Retry, Stamp, codes};
use http::HeaderValue;
use http::header::{CONTENT_TYPE, LOCATION, WWW_AUTHENTICATE};
use http::response::Parts;
use rustls::CertificateError;

use super::client;
use super::redirect::Astray;
use crate::connection::{AuthChallenge, LossReason, TransportError};
use crate::jsonrpc::TransportStatus;

/// Makes failures of requests to one server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told<'a> {
    /// What the server is called.
    pub(super) service: &'a str,
    /// Whether callers have credentials of their own for it.
    pub(super) passes_authorization: bool,
}

impl Told<'_> {
    /// No answer, because there is no connection, or none any more.
    pub(super) fn unreachable(self, error: client::Failure, has_left: bool) -> LossReason {
        match error {
            client::Failure::Connect(error) => not_done(self.connection(&*error).caused_by(error)),
            client::Failure::Send(error) => {
                let has_left = has_left && !is_turned_away(&error);
                let fault = self.connection(&error).caused_by(error);
                if has_left {
                    perhaps_done(fault)
                } else {
                    not_done(fault)
                }
            }
        }
    }

    /// The answer broke off, or what came of it is not HTTP.
    pub(super) fn broken_off(self, error: hyper::Error) -> LossReason {
        let fault = if is_nonsense(&error) {
            Fault::new(codes::INTERNAL_BAD_UPSTREAM).detail("service", self.service)
        } else {
            self.half()
        };
        perhaps_done(fault.caused_by(error))
    }

    /// A stream of events ended before the answer, and there is no way to go on with it.
    pub(super) fn unanswered(self) -> LossReason {
        let note = "the stream of events ended without the answer";
        perhaps_done(self.half().note(note))
    }

    fn half(self) -> Fault {
        Fault::connection(self.service).message("The answer broke off before it was complete")
    }

    /// An answer that is no success, with as much of its body as was read.
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
            // What we send and take is what every MCP server does.
            404..=406 | 410 | 415 => Fault::configuration("url")
                .detail("reason", "there is no MCP server at this address")
                .http_status(status)
                .note(excerpt(parts, body)),
            // No caller can correct what a page for humans is about, and the same bytes would be refused again.
            400 if !is_json => Fault::new(codes::INTERNAL_BAD_UPSTREAM)
                .detail("service", self.service)
                .http_status(status)
                .retry(Retry::Never)
                .note(excerpt(parts, body)),
            _ => classified(parts, body),
        };
        // What is refused for its form, its sender or their number is not begun. A page with 400 may come from inside a tool.
        let is_untouched = match status {
            400 => is_json,
            401..=407 | 410..=417 | 421 | 426 | 428 | 429 | 431 => true,
            _ => false,
        };
        let challenge = matches!(status, 401 | 403) && self.passes_authorization;
        let mut refused = TransportError::new(fault);
        refused.is_untouched = is_untouched;
        refused.challenge = challenge.then(|| AuthChallenge {
            status: parts.status,
            authenticate: parts.headers.get(WWW_AUTHENTICATE).cloned(),
        });
        LossReason::Refused(Box::new(refused))
    }

    /// An answer that nobody can read, though its status is good.
    pub(super) fn unreadable(self, why: &str, parts: &Parts, body: &[u8]) -> LossReason {
        let fault = Fault::new(codes::INTERNAL_BAD_UPSTREAM)
            .detail("service", self.service)
            .note(why)
            .note(excerpt(parts, body));
        perhaps_done(fault)
    }

    /// The server has forgotten the session, and does not begin a new one.
    pub(super) fn no_session(self, why: &str) -> LossReason {
        let fault = Fault::unavailable(self.service).note(why);
        not_done(fault)
    }

    /// The server says that it has forgotten a session it began for this very request, in these words: whatever it means by
    /// that, it has seen the request twice.
    pub(super) fn forgetful(self, words: Option<String>) -> LossReason {
        let why = "the server has forgotten a session it has just begun";
        let fault = Fault::unavailable(self.service).note(why);
        perhaps_done(match words {
            Some(words) => REDACTOR.fault(fault.message(words)),
            None => fault,
        })
    }

    /// Something went wrong before the request that it is told about was even sent again.
    pub(super) fn before_it(self, why: LossReason) -> LossReason {
        match why {
            LossReason::Refused(mut refused) => {
                refused.is_untouched = true;
                LossReason::Refused(refused)
            }
            LossReason::Unreadable(_)
            | LossReason::Late(_)
            | LossReason::Gone
            | LossReason::Unsent(_) => {
                self.no_session("nobody can read the answer to the handshake")
            }
        }
    }

    /// What failed below HTTP, told by the causes of an error.
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
                .note("no more connections may be open at once");
        }
        if let Some(error) = find::<hyper::Error>(error) {
            return classify::hyper::of(error);
        }
        let kinds = ios().map(io::Error::kind);
        match kinds.filter(|kind| *kind != io::ErrorKind::Other).last() {
            // An end in the middle of a handshake: there was no answer yet that could have been too short.
            None | Some(io::ErrorKind::UnexpectedEof) => Fault::connection(self.service),
            Some(kind) => classify::io::fault(kind.into()),
        }
    }
}

/// A redirect that is not followed.
pub(super) fn astray(astray: Astray, parts: &Parts) -> LossReason {
    let why = match astray {
        Astray::Elsewhere => {
            "the address redirects to another server, which is not to see what is meant for this one"
        }
        Astray::Fetch => {
            "the address redirects in a way (301, 302, 303) that says nothing of sending the request there; if the server has moved, its new address belongs here"
        }
        Astray::Nowhere => "the address redirects without saying where to",
        Astray::Endless => "the address redirects again and again",
        Astray::TooBig => "the address redirects, and the message is too big to be sent twice",
    };
    let location = parts.headers.get(LOCATION).map(HeaderValue::as_bytes);
    let location = location.unwrap_or_default().escape_ascii();
    let fault = Fault::configuration("url")
        .detail("reason", why)
        .http_status(parts.status.as_u16())
        .note(format!("{}, Location: {location}", parts.status));
    match astray {
        // By the letter of HTTP it may have been carried out.
        Astray::Fetch => perhaps_done(fault),
        Astray::Elsewhere | Astray::Nowhere | Astray::Endless | Astray::TooBig => not_done(fault),
    }
}

/// Something went wrong after a request was sent so often.
pub(super) fn after_all(why: LossReason, sent: u32) -> LossReason {
    match why {
        LossReason::Refused(mut refused) => {
            let fault = std::mem::replace(&mut refused.fault, Fault::internal());
            refused.fault = fault.detail("attempts", sent);
            LossReason::Refused(refused)
        }
        LossReason::Unreadable(_)
        | LossReason::Late(_)
        | LossReason::Gone
        | LossReason::Unsent(_) => why,
    }
}

/// It is certain that nothing was done.
fn not_done(fault: Fault) -> LossReason {
    let mut refused = TransportError::new(fault);
    refused.is_untouched = true;
    LossReason::Refused(Box::new(refused))
}

/// Nobody knows whether it was.
fn perhaps_done(fault: Fault) -> LossReason {
    LossReason::Refused(Box::new(TransportError::new(fault)))
}

/// What status and headers say beside an error in the body, where they say something about calling again.
pub(super) fn beside(parts: &Parts) -> Option<TransportStatus> {
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

/// By status, headers and what is made for programs to read: a page or a text may name anything.
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
    let fault = REDACTOR.fault(classify::http::fault(&failure, now));
    if is_json || body.is_empty() {
        fault
    } else {
        fault.note(excerpt(parts, body))
    }
}

fn find<'a, E: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a E> {
    causes(error).find_map(|cause| cause.downcast_ref::<E>())
}

/// An error and what is behind it, outermost first. What an I/O error was made of is in it, not behind it.
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
    successors(Some(error), next).take(DEEPEST)
}

/// Whether the server says by the rules of HTTP/2 that it has not looked at a request: it refuses it, or ends and names
/// an earlier one as the last it takes.
fn is_turned_away(error: &hyper::Error) -> bool {
    find::<h2::Error>(error).is_some_and(|error| {
        let is_refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
        error.is_remote() && (is_refused || error.is_go_away())
    })
}

/// Whether something came, and broke the rules.
fn is_nonsense(error: &hyper::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput};
    let mut ios = causes(error).filter_map(|cause| cause.downcast_ref::<io::Error>());
    error.is_parse() || ios.any(|error| matches!(error.kind(), InvalidData | InvalidInput))
}

/// Whether the system gives out no more descriptors.
fn is_exhausted(error: &io::Error) -> bool {
    const PROCESS: i32 = 24;
    const SYSTEM: i32 = 23;
    matches!(error.raw_os_error(), Some(PROCESS | SYSTEM))
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
            CertificateError::UnknownIssuer => "nobody who is trusted signed the certificate",
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the certificate is for another name"
            }
            CertificateError::Revoked => "the certificate is revoked",
            _ => "the certificate is not valid",
        },
        E::InvalidMessage(_) => "what answers does not speak TLS",
        E::PeerIncompatible(_) | E::AlertReceived(_) => "the server refuses the handshake",
        _ => "the handshake failed",
    }
}

/// For the private half: what came instead.
fn excerpt(parts: &Parts, body: &[u8]) -> String {
    let status = parts.status;
    let kind = media_type(parts).unwrap_or("no content type");
    let shown = &body[..body.len().min(EXCERPT)];
    let (size, shown) = (body.len(), String::from_utf8_lossy(shown));
    format!("answered {status} with {size} bytes of {kind}: {shown}")
}

/// The media type without its parameters.
pub(super) fn media_type(parts: &Parts) -> Option<&str> {
    let value = parts.headers.get(CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim())
}

/// Whether a media type is JSON, of whatever kind.
pub(super) fn is_json(kind: &str) -> bool {
    if kind == "application/json" {
        return true;
    }
    let kind = kind.to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

static REDACTOR: LazyLock<Redactor> = LazyLock::new(Redactor::client);

/// How much of an answer nobody can read is kept for the log.
const EXCERPT: usize = 2000;
const DEEPEST: usize = 32;
