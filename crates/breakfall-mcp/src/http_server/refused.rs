//! A request that is not taken: its status, and a body that says what is wrong and what to do. Never text, never a page.

use breakfall::wire::Rpc;
use breakfall::{Fault, codes};
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};
use serde_json::{Map, Value};

use super::body::Body;
use crate::error::REDACTOR;
use crate::error::{ReplyOptions, public_copy};
use crate::jsonrpc::{FrameError as NoMessage, Id};
use crate::protocol::{MODERN, Version};

/// Why a request is not taken.
#[derive(Debug)]
pub struct Refused(Box<Parts>);

/// Kept off the good path.
#[derive(Debug)]
struct Parts {
    status: StatusCode,
    code: i32,
    fault: Fault,
    /// The caller's id, wherever it could be read.
    id: Option<Id>,
    /// What the protocol wants to see in `data` beside our own object.
    data: Map<String, Value>,
    allow: Option<&'static str>,
    authenticate: Option<HeaderValue>,
    /// Whether the connection is of no use afterwards.
    closes: bool,
}

impl Refused {
    pub(super) fn new(status: StatusCode, rpc: Rpc, fault: Fault) -> Self {
        Self(Box::new(Parts {
            status,
            code: rpc.number(),
            fault,
            id: None,
            data: Map::new(),
            allow: None,
            authenticate: None,
            closes: false,
        }))
    }

    pub(super) fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The request is malformed, as HTTP or as a message.
    pub fn bad(what: impl Into<Box<str>>, remedy: &'static str) -> Self {
        let fault = Fault::invalid(what).remediation(remedy);
        Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidRequest, fault)
    }

    /// What a header of the protocol says is not what the body says, or it is not there.
    pub(super) fn mismatch(what: impl Into<Box<str>>) -> Self {
        let remedy = "Send the headers 'MCP-Protocol-Version', 'Mcp-Method' and, for what has a name, 'Mcp-Name', \
                      each once and with the same value as the body; the method was not called.";
        Self::bad(what, remedy).code(HEADER_MISMATCH)
    }

    /// A version of the protocol nobody here speaks.
    pub(super) fn version(asked: &str, in_session: bool) -> Self {
        let asked = cut(asked);
        let fault = Fault::invalid(format!("The protocol version '{asked}' is not supported"))
            .detail("param_name", "MCP-Protocol-Version")
            .remediation("Repeat the request in one of the versions listed under 'supported'.");
        let refused = Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidParams, fault);
        let (mut refused, supported) = if in_session {
            (refused, Version::all().map(Version::as_str).collect())
        } else {
            (refused.code(UNSUPPORTED_VERSION), vec![MODERN.as_str()])
        };
        refused
            .0
            .data
            .insert("supported".to_owned(), supported.into());
        refused.0.data.insert("requested".to_owned(), asked.into());
        refused
    }

    /// What every request says of its sender is not there.
    pub(super) fn without_meta(missing: &[&'static str]) -> Self {
        let names = missing.join("', '");
        let fault = Fault::invalid(format!(
            "'params._meta' lacks '{names}', or it is malformed"
        ))
        .detail("param_name", "_meta")
        .remediation("Send both in the '_meta' of every request; the method was not called.");
        Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidParams, fault)
    }

    /// A handshake that does not say which version it is of.
    pub(super) fn without_version() -> Self {
        let fault = Fault::missing_param("protocolVersion")
            .message("'params.protocolVersion' is missing, or no text")
            .remediation("Say which version of the protocol you speak, as '2025-11-25'.");
        Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidParams, fault)
    }

    /// A handshake in a version that has none. It must reach no server, which would remember it.
    pub(super) fn handshake() -> Self {
        let fault = Fault::not_found("method", "initialize")
            .message("From 2026-07-28 on there is no 'initialize'")
            .remediation(
                "Send any request at once; 'server/discover' says what the server can do.",
            );
        Self::new(StatusCode::NOT_FOUND, Rpc::MethodNotFound, fault)
    }

    /// A message that is none.
    pub(super) fn message(failure: NoMessage) -> Self {
        let status = match failure.fault.code().entry().http {
            413 => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::BAD_REQUEST,
        };
        let id = failure.id.filter(|_| !failure.is_answer);
        let mut fault = failure.fault;
        if failure.rpc == Rpc::ParseError {
            // Elsewhere a message is a line.
            fault = fault.remediation(
                "Send one JSON object as the body, in UTF-8 without a byte order mark, and nothing else.",
            );
        }
        Self::new(status, failure.rpc, fault).id(id)
    }

    /// A method of HTTP that has no meaning here.
    pub fn method(allow: &'static str, what: &str) -> Self {
        let fault = Fault::invalid(what)
            .remediation("Send each message as a POST of its own to this address.");
        let mut refused = Self::new(StatusCode::METHOD_NOT_ALLOWED, Rpc::InvalidRequest, fault);
        refused.0.allow = Some(allow);
        refused
    }

    pub(super) fn forbidden(reason: &str, remedy: &'static str) -> Self {
        let fault = Fault::permission_denied(reason)
            .message(reason)
            .remediation(remedy);
        Self::new(StatusCode::FORBIDDEN, Rpc::InvalidRequest, fault)
    }

    /// There are too many of something.
    pub(super) fn overloaded(what: &str) -> Self {
        let fault = Fault::new(codes::UNAVAILABLE_OVERLOADED)
            .detail("executed", "no")
            .note(what);
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            Rpc::InternalError,
            fault.retry_after(SOON),
        )
    }

    /// Nobody new is served any more.
    pub(super) fn ending() -> Self {
        let fault = Fault::unavailable("gateway")
            .detail("executed", "no")
            .message("The gateway is ending, and takes no new requests")
            .remediation("Send the request again in a moment; its method was not called.");
        let refused = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            Rpc::InternalError,
            fault.retry_after(SOON),
        );
        refused.closing()
    }

    /// Nobody knows who is asking.
    pub fn stranger(fault: Fault, authenticate: HeaderValue) -> Self {
        let mut refused = Self::new(StatusCode::UNAUTHORIZED, Rpc::InvalidRequest, fault);
        refused.0.authenticate = Some(authenticate);
        refused
    }

    pub(super) fn id(mut self, id: Option<Id>) -> Self {
        self.0.id = self.0.id.take().or(id);
        self
    }

    fn code(mut self, code: i32) -> Self {
        self.0.code = code;
        self
    }

    pub(super) fn closing(mut self) -> Self {
        self.0.closes = true;
        self
    }

    /// The response. Whether an error without an id says so differs by version.
    pub(super) fn response(self, version: Option<Version>) -> Response<Body> {
        let mut response = Response::new(Body::once(self.message_bytes(version)));
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(allow) = self.0.allow {
            headers.insert(ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(authenticate) = self.0.authenticate {
            headers.insert(WWW_AUTHENTICATE, authenticate);
        }
        if let Some(seconds) = self.0.fault.public().retry_after_seconds() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.0.closes {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    pub(super) fn message_bytes(&self, version: Option<Version>) -> Vec<u8> {
        let options = ReplyOptions::default();
        let shown = options.finished(public_copy(&self.0.fault));
        // Not louder: anyone can send what is refused.
        let id = shown.public().correlation_id().map(tracing::field::display);
        tracing::debug!(correlation_id = id, "{}", REDACTOR.report(&self.0.fault));
        let mut error = options.numbered_error(shown.public(), Rpc::InvalidRequest, self.0.code);
        if let Some(Value::Object(data)) = error.get_mut("data") {
            data.extend(self.0.data.clone());
        }
        let id = match &self.0.id {
            Some(id) => format!(r#""id":{id},"#),
            None if version.is_some_and(Version::omits_unknown_id) => String::new(),
            None => r#""id":null,"#.to_owned(),
        };
        format!(r#"{{"jsonrpc":"2.0",{id}"error":{error}}}"#).into_bytes()
    }
}

/// So much of what a caller wrote is enough to recognise it.
pub(super) fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHOWN)]
}

const SHOWN: usize = 100;

/// What the version of 2026-07-28 gave numbers to.
pub(super) const HEADER_MISMATCH: i32 = -32020;
pub(super) const UNSUPPORTED_VERSION: i32 = -32022;

const SOON: std::time::Duration = std::time::Duration::from_secs(1);

pub(super) const JSON: &str = "application/json";
