//! Where everything goes that belongs to one request, where that is not simply the connection it came from: over HTTP
//! it is the response to the request itself.

use std::fmt;
use std::sync::Arc;

use http::{HeaderValue, StatusCode};

use super::{SendError, TransportHeaders};
use crate::jsonrpc::RawMessage;

/// The way back to whoever made one request.
pub trait ReplyChannel: fmt::Debug + Send + Sync {
    /// Something that belongs to the request, before its answer: progress, a log line, a question of the server.
    ///
    /// # Errors
    /// When it cannot be sent.
    fn tell(&self, message: RawMessage) -> Result<(), SendError>;

    /// The answer. Nothing comes after it.
    fn answer(&self, last: FinalReply);

    /// There will be no answer, because the request was taken back.
    fn end(&self);

    /// The server has begun to stream what belongs to the request, so it will take its time.
    fn streams(&self);

    /// What came beside the request.
    fn extra(&self) -> Option<Arc<TransportHeaders>>;
}

/// What a caller calls the tools of servers, where that is not what the servers call them.
pub trait ToolNaming: fmt::Debug + Send + Sync {
    /// The name of a tool, of the server that is asked or of another. Nothing if the caller does not reach that one.
    fn name(&self, upstream: Option<&str>, tool: &str) -> Option<String>;

    /// The name of a tool of another server that does the same and works, as far as anybody knows. Neither changes anything.
    fn like(&self, tool: &str) -> Option<String>;
}

/// An answer, and what a transport wants to know of it.
#[derive(Debug)]
pub struct FinalReply {
    /// The response.
    pub message: RawMessage,
    /// The code of the protocol, if it is an error.
    pub code: Option<i64>,
    /// What the server demands before it answers at all.
    pub challenge: Option<AuthChallenge>,
    /// How many seconds to stay away, if the failure is ours and says so.
    pub retry_after: Option<u64>,
}

/// A server wants credentials, or others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AuthChallenge {
    /// 401 or 403.
    pub status: StatusCode,
    /// `WWW-Authenticate`, as it came.
    pub authenticate: Option<HeaderValue>,
}
