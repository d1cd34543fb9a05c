//! The way back to the sender of one request, where that is not the connection the request came from: over HTTP it is the
//! response to the request.

use std::fmt;
use std::sync::Arc;

use http::{HeaderValue, StatusCode};

use super::{SendError, TransportHeaders};
use crate::jsonrpc::RawMessage;

/// The way back to the sender of one request.
pub trait ReplyChannel: fmt::Debug + Send + Sync {
    /// Sends a message that belongs to the request, before its answer: progress, a log line, a request of the server.
    ///
    /// # Errors
    /// When it cannot be sent.
    fn tell(&self, message: RawMessage) -> Result<(), SendError>;

    /// Sends the answer, which is the last message.
    fn answer(&self, last: FinalReply);

    /// Ends without an answer, because the request was cancelled.
    fn end(&self) {}

    /// The server streams messages for the request, so the answer will take its time.
    fn streams(&self) {}

    /// The headers that came with the request.
    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        None
    }
}

/// The names a caller has for the tools of servers, where they are not the servers' own.
pub trait ToolNaming: fmt::Debug + Send + Sync {
    /// The name of a tool of the server that is asked, or of another; `None` if the caller cannot reach it.
    fn name(&self, upstream: Option<&str>, tool: &str) -> Option<String>;

    /// The name of a read-only tool of another server that does the same, as far as is known, and works.
    fn like(&self, tool: &str) -> Option<String>;
}

/// An answer, with what an HTTP response needs of it.
#[derive(Debug)]
pub struct FinalReply {
    /// The answer.
    pub message: RawMessage,
    /// The JSON-RPC code, if it is an error.
    pub code: Option<i64>,
    /// The credentials the server demands first.
    pub challenge: Option<AuthChallenge>,
    /// The seconds to wait before the next request, if the failure says so.
    pub retry_after: Option<u64>,
}

/// A server demands credentials, or others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuthChallenge {
    /// 401 or 403.
    pub status: StatusCode,
    /// `WWW-Authenticate`, as it came.
    pub authenticate: Option<HeaderValue>,
}
