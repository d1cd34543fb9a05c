//! What a response is written from.

use std::convert::Infallible;
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Bytes, Frame, SizeHint};

use super::events::Events;
use super::pulse::Busy;

/// The body of a response.
#[derive(Debug)]
pub(crate) struct Body {
    content: Content,
    /// The connection has something to do until it is written.
    busy: Option<Busy>,
}

#[derive(Debug)]
enum Content {
    Nothing,
    Once(Bytes),
    Events(Events),
}

impl Body {
    pub(crate) fn empty() -> Self {
        Self::of(Content::Nothing)
    }

    pub(crate) fn once(bytes: impl Into<Bytes>) -> Self {
        Self::of(Content::Once(bytes.into()))
    }

    pub(super) fn events(events: Events) -> Self {
        Self::of(Content::Events(events))
    }

    fn of(content: Content) -> Self {
        Self {
            content,
            busy: None,
        }
    }

    pub(super) fn keeping(mut self, busy: Busy) -> Self {
        self.busy = Some(busy);
        self
    }
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match &mut self.content {
            Content::Nothing => None,
            Content::Once(_) => match mem::replace(&mut self.content, Content::Nothing) {
                Content::Once(bytes) => Some(bytes),
                Content::Nothing | Content::Events(_) => None,
            },
            Content::Events(events) => std::task::ready!(events.poll_next(context)),
        };
        Poll::Ready(next.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self.content, Content::Nothing)
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            Content::Nothing => SizeHint::with_exact(0),
            Content::Once(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Events(_) => SizeHint::default(),
        }
    }
}
