//! A refused request: a status, and a fault that says what is wrong and what to do. At MCP paths it is a JSON-RPC error,
//! at other paths a problem (RFC 9457).

use breakfall::redact::Redacted;
use breakfall::wire::problem::MEDIA_TYPE;
use breakfall::wire::{self, Dialect, Rpc};
use breakfall::{Fault, Outcome, Retry, codes};
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};
use serde_json::{Map, Value};

use crate::error::{REDACTOR, ReplyOptions};
use crate::jsonrpc::{FrameError, Id};
use crate::protocol::{MODERN, Version, error_code, method};

/// Why a request is refused.
#[derive(Debug)]
pub struct HttpRefusal(Box<RefusalParts>);

/// Boxed, so that the `Result` of a successful request is small.
#[derive(Debug)]
struct RefusalParts {
    status: StatusCode,
    code: i32,
    fault: Fault,
    /// The id of the request, if it could be read.
    id: Option<Id>,
    /// Members of `data` that the protocol requires, beside the fault.
    data: Map<String, Value>,
    allow: Option<&'static str>,
    authenticate: Option<HeaderValue>,
    /// Whether the connection closes afterwards.
    closes: bool,
}

impl HttpRefusal {
    pub(super) fn new(status: StatusCode, rpc: Rpc, fault: Fault) -> Self {
        Self(Box::new(RefusalParts {
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

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// 400: malformed, as HTTP or as a message.
    pub fn bad(what: impl Into<Box<str>>, remedy: &'static str) -> Self {
        let fault = Fault::invalid(what).remediation(remedy);
        Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidRequest, fault)
    }

    /// A header of the protocol is missing, or differs from the body.
    pub(super) fn mismatch(what: impl Into<Box<str>>) -> Self {
        let remedy = "Send the headers 'MCP-Protocol-Version', 'Mcp-Method' and, for what has a name, 'Mcp-Name', \
                      each once and with the same value as the body; the method was not called.";
        Self::bad(what, remedy).code(error_code::HEADER_MISMATCH)
    }

    /// An unsupported protocol version.
    pub(super) fn version(asked: &str, in_session: bool) -> Self {
        let asked = shorten(asked);
        let fault = Fault::invalid(format!("The protocol version '{asked}' is not supported"))
            .detail("param_name", "MCP-Protocol-Version")
            .remediation("Repeat the request in one of the versions listed under 'supported'.");
        let refused = Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidParams, fault);
        let (mut refused, supported) = if in_session {
            (refused, Version::all().map(Version::as_str).collect())
        } else {
            (
                refused.code(error_code::UNSUPPORTED_VERSION),
                vec![MODERN.as_str()],
            )
        };
        refused
            .0
            .data
            .insert("supported".to_owned(), supported.into());
        refused.0.data.insert("requested".to_owned(), asked.into());
        refused
    }

    /// `_meta` lacks what 2026-07-28 requires.
    pub(super) fn without_meta(missing: &[&'static str]) -> Self {
        let names = missing.join("', '");
        let fault = Fault::invalid(format!(
            "'params._meta' lacks '{names}', or it is malformed"
        ))
        .detail("param_name", "_meta")
        .remediation("Send both in the '_meta' of every request; the method was not called.");
        Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidParams, fault)
    }

    /// `initialize` without a protocol version.
    pub(super) fn without_version() -> Self {
        let fault = Fault::missing_param("protocolVersion")
            .message("'params.protocolVersion' is missing, or no text")
            .remediation("Say which version of the protocol you speak, as '2025-11-25'.");
        Self::new(StatusCode::BAD_REQUEST, Rpc::InvalidParams, fault)
    }

    /// `initialize` in a version without sessions. It must not reach a server, which would remember it.
    pub(super) fn handshake() -> Self {
        let fault = Fault::not_found("method", method::INITIALIZE)
            .message("From 2026-07-28 on there is no 'initialize'")
            .remediation(
                "Send any request at once; 'server/discover' says what the server can do.",
            );
        Self::new(StatusCode::NOT_FOUND, Rpc::MethodNotFound, fault)
    }

    /// A body that is not a valid message.
    pub(super) fn message(failure: FrameError) -> Self {
        let status = match failure.fault.code().entry().http {
            413 => StatusCode::PAYLOAD_TOO_LARGE,
            _ => StatusCode::BAD_REQUEST,
        };
        let id = failure.id.filter(|_| !failure.is_answer);
        let mut fault = failure.fault;
        if failure.rpc == Rpc::ParseError {
            // The advice of the parser is about lines of stdio.
            fault = fault.remediation(
                "Send one JSON object as the body, in UTF-8 without a byte order mark, and nothing else.",
            );
        }
        Self::new(status, failure.rpc, fault).id(id)
    }

    /// 405: an HTTP method that has no meaning at this path.
    pub fn method(allow: &'static str, what: &str, remedy: &'static str) -> Self {
        let fault = Fault::invalid(what).remediation(remedy);
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

    /// Several messages in one body.
    pub(super) fn batch() -> Self {
        Self::bad(
            "Several messages in one body are not taken",
            "Send them one by one, each as a POST of its own; none of their methods was called.",
        )
    }

    /// 404: no endpoint at this path.
    pub fn unknown_path(path: &str) -> Self {
        let is_old = ["/sse", "/message", "/messages"]
            .iter()
            .any(|end| path.trim_end_matches('/').ends_with(end));
        let (what, remedy) = if is_old {
            (
                "The transport HTTP+SSE of 2024-11-05 is not offered",
                "Use Streamable HTTP: POST each message to '/mcp', or to '/mcp/NAME' for one server.",
            )
        } else {
            (
                "There is nothing at this path",
                "POST messages to '/mcp', or to '/mcp/NAME' for one server by its name in the configuration.",
            )
        };
        let fault = Fault::not_found("path", shorten(path))
            .message(what)
            .remediation(remedy);
        Self::new(StatusCode::NOT_FOUND, Rpc::InvalidRequest, fault)
    }

    /// 503: more clients than the gateway serves.
    pub(super) fn too_many_clients() -> Self {
        Self::overloaded("there are too many clients")
    }

    /// 503: more of something than the gateway bears.
    pub(super) fn overloaded(what: &str) -> Self {
        let fault = Fault::new(codes::UNAVAILABLE_OVERLOADED)
            .detail("executed", "no")
            .note(what);
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            Rpc::InternalError,
            fault.retry_after(RETRY_AFTER_OVERLOAD),
        )
    }

    /// 503: the answer is dropped, because the client reads none of its answers.
    pub(super) fn unread_answers() -> Self {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Self::new(status, Rpc::InternalError, unread_answers_fault()).closing()
    }

    /// 503: shutting down.
    pub(super) fn draining() -> Self {
        let fault = Fault::unavailable("gateway")
            .detail("executed", "no")
            .message("The gateway is shutting down, and takes no new requests")
            .remediation("Send the request again in a moment; its method was not called.");
        let refused = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            Rpc::InternalError,
            fault.retry_after(RETRY_AFTER_OVERLOAD),
        );
        refused.closing()
    }

    /// 401: no key, or an unknown one.
    pub fn unauthorized(fault: Fault, authenticate: HeaderValue) -> Self {
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

    /// The response at an MCP path. Versions differ in the `id` of an error that answers no request.
    pub(super) fn response(
        &self,
        version: Option<Version>,
        options: &ReplyOptions,
    ) -> Response<Vec<u8>> {
        self.respond(JSON, self.message_bytes(version, options))
    }

    /// The response at any other path.
    ///
    /// # Panics
    /// Never: every failure is a problem.
    pub fn problem(&self, options: &ReplyOptions) -> Response<Vec<u8>> {
        let outcome = Redacted::<Outcome>::from(self.shown(options));
        let problem = wire::encode(outcome.as_ref(), Dialect::Problem, &options.wire());
        let mut problem = problem.expect("every failure is a problem").to_value();
        problem["status"] = self.0.status.as_u16().into();
        self.respond(MEDIA_TYPE, problem.to_string().into_bytes())
    }

    fn respond(&self, content_type: &'static str, body: Vec<u8>) -> Response<Vec<u8>> {
        let mut response = Response::new(body);
        *response.status_mut() = self.0.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(allow) = self.0.allow {
            headers.insert(ALLOW, HeaderValue::from_static(allow));
        }
        if let Some(authenticate) = &self.0.authenticate {
            headers.insert(WWW_AUTHENTICATE, authenticate.clone());
        }
        if let Some(seconds) = self.0.fault.public().retry_after_seconds() {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.0.closes {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }

    /// The fault for the client, with a line in the log: at level debug, because any client can cause it.
    fn shown(&self, options: &ReplyOptions) -> Redacted<Fault> {
        let shown = options.finished(REDACTOR.shown(&self.0.fault));
        let id = shown.public().correlation_id().map(tracing::field::display);
        tracing::debug!(correlation_id = id, "{}", REDACTOR.report(&self.0.fault));
        shown
    }

    pub(super) fn message_bytes(
        &self,
        version: Option<Version>,
        options: &ReplyOptions,
    ) -> Vec<u8> {
        let shown = self.shown(options);
        let error = options.protocol_error(shown, self.0.code, &self.0.data);
        let id = match &self.0.id {
            Some(id) => format!(r#""id":{id},"#),
            None if version.is_some_and(Version::omits_unknown_id) => String::new(),
            None => r#""id":null,"#.to_owned(),
        };
        format!(r#"{{"jsonrpc":"2.0",{id}"error":{error}}}"#).into_bytes()
    }
}

/// The answer to a request of a client that is closed because it does not read its answers.
pub(super) fn unread_answers_fault() -> Fault {
    Fault::new(codes::UNAVAILABLE_OVERLOADED)
        .message("The answer was dropped: too many earlier answers were not read")
        .detail("executed", "unknown")
        .retry(Retry::Never)
        .remediation("Read each response, and open a new session; the call may have been executed.")
}

/// The start of a text a client sent, which is enough to recognise it.
pub(super) fn shorten(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_SHOWN_BYTES)]
}

const MAX_SHOWN_BYTES: usize = 100;

const RETRY_AFTER_OVERLOAD: std::time::Duration = std::time::Duration::from_secs(1);

pub(super) const JSON: &str = "application/json";
