//! What goes out as the body of a request: the pieces of a message, and whether they may still leave.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};

use super::flight::Flight;
use crate::jsonrpc::RawMessage;

/// A message, in as few pieces as it takes without copying a big one. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Load {
    first: Bytes,
    rest: Vec<Bytes>,
}

impl From<RawMessage> for Load {
    fn from(message: RawMessage) -> Self {
        let (first, rest) = message.into_parts();
        Self { first, rest }
    }
}

impl Load {
    /// The same once more, if it is small enough to be kept until it is known whether it has to be sent twice.
    pub(super) fn again(&self) -> Option<Self> {
        (self.len() <= KEPT).then(|| self.clone())
    }

    /// All of it in one piece.
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
}

/// The body of a request.
pub(super) struct Outgoing {
    load: Load,
    /// How many pieces have left.
    sent: usize,
    flight: Option<Arc<Flight>>,
}

impl Outgoing {
    pub(super) fn new(load: Load, flight: Option<Arc<Flight>>) -> Self {
        Self {
            load,
            sent: 0,
            flight,
        }
    }

    fn take(&mut self) -> Option<Bytes> {
        let piece = match self.sent {
            0 => &self.load.first,
            sent => self.load.rest.get(sent - 1)?,
        };
        self.sent += 1;
        (!piece.is_empty()).then(|| piece.clone())
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = Withdrawn;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Withdrawn>>> {
        if self.sent == 0 && self.flight.as_ref().is_some_and(|flight| !flight.begin()) {
            return Poll::Ready(Some(Err(Withdrawn)));
        }
        let piece = self.take();
        if self.is_end_stream()
            && let Some(flight) = self.flight.take()
        {
            flight.leave();
        }
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.sent > self.load.rest.len() || self.load.first.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        let sent = self.sent;
        let left = match sent {
            0 => self.load.len(),
            sent => self.load.rest[sent - 1..].iter().map(Bytes::len).sum(),
        };
        SizeHint::with_exact(left as u64)
    }
}

/// A request nobody wants any more, taken back before it left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Withdrawn;

impl std::fmt::Display for Withdrawn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nobody waits for the answer any more")
    }
}

impl std::error::Error for Withdrawn {}

/// The biggest message that is kept after it has left.
const KEPT: usize = 256 << 10;
