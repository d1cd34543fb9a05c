//! What takes messages to the other end of a connection, and what is known to go beside them.

use std::fmt;
use std::sync::Arc;

use http::{HeaderMap, HeaderName};

use super::SendError;
use crate::jsonrpc::RawMessage;

/// Takes messages to the other end, by whatever transport.
///
/// It counts nothing: a message it took is counted as waiting until it says [`super::Peer::sent`].
pub trait Transport: fmt::Debug + Send + Sync {
    /// Takes a message. It must not wait.
    ///
    /// # Errors
    /// When the message cannot be sent.
    fn carry(&self, parcel: OutgoingMessage) -> Result<(), SendError>;

    /// Ends once everything that waits is on its way.
    fn close(&self);

    /// Ends a request without a word, if that is how it is done here; else the other end is told.
    fn abort(&self, _request: u64) -> bool {
        false
    }

    /// Whether somebody hears now what belongs to no request.
    fn is_heard(&self) -> bool {
        true
    }

    /// Whether all requests are of the same client. If not, what belongs to none of them must not come to any.
    fn is_of_one(&self) -> bool {
        true
    }
}

/// A message on its way.
#[derive(Debug)]
pub struct OutgoingMessage {
    /// The bytes of the message.
    pub message: RawMessage,
    /// The request of ours it is. It has to be marked by [`super::Peer::begin`] before any of it leaves, and does not
    /// leave if nobody waits for it any more.
    pub request: Option<u64>,
    /// What came beside it.
    pub extra: Option<Arc<TransportHeaders>>,
}

/// What came beside a request over HTTP, and goes on beside it.
#[derive(Debug, Default)]
pub struct TransportHeaders {
    /// Headers of the protocol.
    pub headers: HeaderMap,
}

impl TransportHeaders {
    /// Whether the sender says in headers, too, what belongs there.
    pub fn has_spoken(&self) -> bool {
        self.headers.contains_key(METHOD)
    }

    /// Without what repeats the message: somebody else says it, from what the message says by then.
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
