//! The body of a request: the pieces of a message, and whether any of it has been handed to a connection.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

use super::in_flight::InFlight;
use crate::jsonrpc::RawMessage;
use crate::sync::Mutex;

/// A message in as few pieces as possible without copying a big one. Clones share the bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct Payload {
    first: Bytes,
    rest: Vec<Bytes>,
}

impl From<RawMessage> for Payload {
    fn from(message: RawMessage) -> Self {
        let (first, rest) = message.into_parts();
        Self { first, rest }
    }
}

impl Payload {
    /// A clone to send the message a second time, if it is small enough to stay in memory until the response.
    pub(super) fn kept(&self) -> Option<Self> {
        (self.len() <= MAX_KEPT_BYTES).then(|| self.clone())
    }

    /// The message in one piece.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.len());
        all.extend_from_slice(&self.first);
        for piece in &self.rest {
            all.extend_from_slice(piece);
        }
        all
    }

    fn len(&self) -> usize {
        let rest = self.rest.iter().map(Bytes::len);
        self.first.len() + rest.sum::<usize>()
    }

    /// Takes the next piece out.
    fn pop(&mut self) -> Option<Bytes> {
        let next = if self.rest.is_empty() {
            Bytes::new()
        } else {
            self.rest.remove(0)
        };
        let piece = std::mem::replace(&mut self.first, next);
        (!piece.is_empty()).then_some(piece)
    }
}

/// Holds a payload until a connection asks for its first byte. A payload that is still here after an error has not
/// left this process, and can be sent on another connection.
#[derive(Debug, Clone)]
pub(super) struct UnsentPayload(Arc<Mutex<Option<Payload>>>);

impl UnsentPayload {
    pub(super) fn new(payload: Payload) -> Self {
        Self(Arc::new(Mutex::new(Some(payload))))
    }

    /// The payload, unless a connection has it.
    pub(super) fn take(&self) -> Option<Payload> {
        self.0.lock().take()
    }
}

/// The body of a request.
pub(super) struct RequestBody {
    unsent: UnsentPayload,
    /// What is left of the payload once the first byte was asked for.
    sending: Payload,
    left: usize,
    in_flight: Option<Arc<InFlight>>,
}

impl RequestBody {
    pub(super) fn new(payload: Payload, in_flight: Option<Arc<InFlight>>) -> (Self, UnsentPayload) {
        let left = payload.len();
        let unsent = UnsentPayload::new(payload);
        let body = Self {
            unsent: unsent.clone(),
            sending: Payload::default(),
            left,
            in_flight,
        };
        (body, unsent)
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = CancelledError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, CancelledError>>> {
        if let Some(payload) = self.unsent.take() {
            if self.in_flight.as_ref().is_some_and(|it| !it.begin()) {
                return Poll::Ready(Some(Err(CancelledError)));
            }
            self.sending = payload;
        }
        let piece = self.sending.pop();
        self.left -= piece.as_ref().map_or(0, Bytes::len);
        if self.is_end_stream()
            && let Some(in_flight) = self.in_flight.take()
        {
            in_flight.leave();
        }
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left as u64)
    }
}

/// The caller cancelled the request before any of it left.
#[derive(Debug, Clone, Copy)]
pub(super) struct CancelledError;

impl std::fmt::Display for CancelledError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the request was cancelled before it was sent")
    }
}

impl std::error::Error for CancelledError {}

/// The biggest message that stays in memory after it has left.
const MAX_KEPT_BYTES: usize = 256 << 10;
