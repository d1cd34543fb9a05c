//! What takes messages to the other end of a connection.

use std::fmt;
use std::sync::Arc;

use http::{HeaderMap, HeaderName};

use super::SendError;
use crate::jsonrpc::RawMessage;

/// Takes messages to the other end of a connection.
///
/// The outbox counts a message as waiting from [`Self::carry`] until the transport calls [`super::Peer::sent`].
pub trait Transport: fmt::Debug + Send + Sync {
    /// Takes a message. It must not block.
    ///
    /// # Errors
    /// When the message cannot be sent.
    fn carry(&self, outgoing: OutgoingMessage) -> Result<(), SendError>;

    /// Ends the connection once everything that waits is written.
    fn close(&self);

    /// Aborts a request where the transport can do so without a message; false where the other end has to be notified.
    fn abort(&self, _request: u64) -> bool {
        false
    }

    /// Whether a message that belongs to no request reaches the other end now.
    fn is_heard(&self) -> bool {
        true
    }

    /// Whether all requests are of one client. If not, a message that belongs to none of them must not reach any.
    fn is_of_one(&self) -> bool {
        true
    }
}

/// A message to be sent.
#[derive(Debug)]
pub struct OutgoingMessage {
    /// The message.
    pub message: RawMessage,
    /// Its number, if it is a request. The transport calls [`super::Peer::begin`] before any of it leaves, and drops it if
    /// the request is no longer pending.
    pub request: Option<u64>,
    /// The headers to send with it.
    pub extra: Option<Arc<TransportHeaders>>,
}

/// The headers of the protocol that came with a request over HTTP and are forwarded with it.
#[derive(Debug, Default)]
pub struct TransportHeaders {
    /// The headers.
    pub headers: HeaderMap,
}

impl TransportHeaders {
    /// Whether they repeat the method of the message, as clients of 2026-07-28 do.
    pub fn has_spoken(&self) -> bool {
        self.headers.contains_key(METHOD)
    }

    /// Without those that repeat parts of the message: they are derived again from a rewritten message.
    #[must_use]
    pub fn silenced(&self) -> Self {
        let headers = self.headers.iter();
        let headers = headers
            .filter(|(name, _)| **name != METHOD && !name.as_str().starts_with("mcp-param-"));
        Self {
            headers: headers
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        }
    }
}

const METHOD: HeaderName = HeaderName::from_static("mcp-method");
