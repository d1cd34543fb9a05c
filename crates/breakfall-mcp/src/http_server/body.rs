//! What a response is written from.

use std::convert::Infallible;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::vec;

use hyper::body::{Body as _, Bytes, Frame, SizeHint};

use super::events::Events;
use super::pulse::Busy;
use super::taking::{Piece, Taking};
use crate::jsonrpc::RawMessage;

/// The body of a response.
#[derive(Debug)]
pub struct Body {
    content: Content,
    /// The connection has something to do until it is written.
    busy: Option<Busy>,
    /// Watched, where it has to be.
    taking: Option<Arc<Taking>>,
}

#[derive(Debug)]
enum Content {
    Nothing,
    Once(Bytes),
    /// Something big, in the pieces it lies in.
    Pieces(vec::IntoIter<Bytes>),
    Events(Events),
}

impl Body {
    /// A body without content.
    pub fn empty() -> Self {
        Self::of(Content::Nothing)
    }

    /// A body that is known whole.
    pub fn once(bytes: impl Into<Bytes>) -> Self {
        Self::of(Content::Once(bytes.into()))
    }

    /// A message as it is; of a big one nothing is copied.
    pub(super) fn message(message: RawMessage) -> Self {
        let (first, mut rest) = message.into_parts();
        if rest.is_empty() {
            return Self::once(first);
        }
        rest.insert(0, first);
        Self::of(Content::Pieces(rest.into_iter()))
    }

    pub(super) fn events(events: Events) -> Self {
        Self::of(Content::Events(events))
    }

    fn of(content: Content) -> Self {
        Self {
            content,
            busy: None,
            taking: None,
        }
    }

    pub(super) fn keeping(mut self, busy: Busy) -> Self {
        if let Content::Events(events) = &mut self.content {
            events.written_to(busy.pulse());
        }
        self.busy = Some(busy);
        self
    }

    /// Has it watched whether it is taken.
    pub(super) fn watched(mut self) -> Self {
        let pipe = match &self.content {
            Content::Nothing => return self,
            Content::Once(_) | Content::Pieces(_) => None,
            Content::Events(events) => Some(Arc::clone(events.pipe())),
        };
        self.taking = self.busy.take().map(|busy| Taking::new(busy, pipe));
        self
    }

    /// What is given away next.
    fn piece(&mut self, bytes: Bytes) -> Piece {
        let is_last = self.is_end_stream();
        if let Some(taking) = self.taking.as_ref().filter(|_| is_last) {
            taking.is_given();
        }
        let busy = self.busy.take_if(|_| is_last);
        Piece::new(bytes, self.taking.as_ref(), busy)
    }
}

impl hyper::body::Body for Body {
    type Data = Piece;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Piece>, Infallible>>> {
        let next = match &mut self.content {
            Content::Nothing => None,
            Content::Once(_) => match mem::replace(&mut self.content, Content::Nothing) {
                Content::Once(bytes) => Some(bytes),
                Content::Nothing | Content::Pieces(_) | Content::Events(_) => None,
            },
            Content::Pieces(pieces) => pieces.next(),
            Content::Events(events) => std::task::ready!(events.poll_next(context)),
        };
        Poll::Ready(next.map(|bytes| Ok(Frame::data(self.piece(bytes)))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            Content::Nothing => true,
            Content::Pieces(pieces) => pieces.as_slice().is_empty(),
            Content::Once(_) | Content::Events(_) => false,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Nothing => SizeHint::with_exact(0),
            Content::Once(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Pieces(pieces) => {
                let left = pieces.as_slice().iter().map(Bytes::len).sum::<usize>();
                SizeHint::with_exact(left as u64)
            }
            Content::Events(_) => SizeHint::default(),
        }
    }
}
