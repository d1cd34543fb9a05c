//! The body of a response.

use std::fmt;
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll, ready};
use std::vec;

use hyper::body::{Body as _, Bytes, Frame, SizeHint};

use super::connection_state::RequestGuard;
use super::event_stream::EventStream;
use super::tracked_body::{BodyChunk, BodySource, TrackedBody};
use super::unread_answers::{HeldBytes, UnreadAnswers};
use crate::jsonrpc::RawMessage;

/// The body of a response.
#[derive(Debug)]
pub struct ResponseBody {
    content: BodyContent,
    /// Keeps the request open until the body is written.
    guard: Option<RequestGuard>,
    tracked: Option<Arc<TrackedBody>>,
    /// The answers of the client it counts for.
    unread: Option<Arc<UnreadAnswers>>,
}

enum BodyContent {
    Empty,
    Once(HeldBytes),
    /// A big message, in the pieces it was received in.
    Pieces(vec::IntoIter<HeldBytes>),
    Events(EventStream),
    Stream(BoxedBody),
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;
type BoxedBody = Pin<Box<dyn hyper::body::Body<Data = Bytes, Error = BoxError> + Send>>;

impl ResponseBody {
    /// A body without a byte.
    pub fn empty() -> Self {
        Self::of(BodyContent::Empty)
    }

    /// A body of these bytes.
    pub fn once(bytes: impl Into<Bytes>) -> Self {
        Self::of(BodyContent::Once(HeldBytes::uncounted(bytes.into())))
    }

    /// A body that another handler writes, such as that of a router.
    pub fn stream<B>(body: B) -> Self
    where
        B: hyper::body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self::of(BodyContent::Stream(Box::pin(ErrorInto(Box::pin(body)))))
    }

    /// An answer, without copying a big one; `None` if the client is closed.
    pub(super) fn message(message: RawMessage, unread: &Arc<UnreadAnswers>) -> Option<Self> {
        let (first, mut rest) = message.into_parts();
        let content = if rest.is_empty() {
            BodyContent::Once(unread.hold(first)?)
        } else {
            rest.insert(0, first);
            BodyContent::Pieces(unread.hold_pieces(rest)?.into_iter())
        };
        let unread = Some(Arc::clone(unread));
        Some(Self {
            unread,
            ..Self::of(content)
        })
    }

    pub(super) fn events(events: EventStream) -> Self {
        let unread = events.queue().unread().cloned();
        Self {
            unread,
            ..Self::of(BodyContent::Events(events))
        }
    }

    fn of(content: BodyContent) -> Self {
        Self {
            content,
            guard: None,
            tracked: None,
            unread: None,
        }
    }

    /// Keeps the request open until the body is written.
    pub(super) fn guarded_by(mut self, mut guard: RequestGuard) -> Self {
        if let Some(unread) = self.unread.take() {
            guard.carries(&unread);
        }
        if let BodyContent::Events(events) = &mut self.content {
            events.set_connection(guard.connection());
        }
        self.guard = Some(guard);
        self
    }

    /// Tracks whether the client reads the body.
    pub(super) fn tracked(mut self) -> Self {
        let source = match &self.content {
            BodyContent::Empty => return self,
            BodyContent::Once(_) | BodyContent::Pieces(_) => {
                BodySource::Whole(AtomicBool::new(false))
            }
            BodyContent::Events(events) => BodySource::Queue(Arc::clone(events.queue())),
            BodyContent::Stream(_) => BodySource::Stream,
        };
        self.tracked = self
            .guard
            .take()
            .map(|guard| TrackedBody::new(guard, source));
        self
    }

    fn chunk(&mut self, bytes: HeldBytes) -> BodyChunk {
        let is_last = self.is_end_stream();
        if let Some(tracked) = self.tracked.as_ref().filter(|_| is_last) {
            tracked.set_last_chunk_taken();
        }
        let guard = self.guard.take_if(|_| is_last);
        BodyChunk::new(bytes, self.tracked.as_ref(), guard)
    }
}

impl hyper::body::Body for ResponseBody {
    type Data = BodyChunk;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<BodyChunk>, BoxError>>> {
        let next = match &mut self.content {
            BodyContent::Empty => None,
            BodyContent::Once(bytes) => {
                let bytes = mem::take(bytes);
                self.content = BodyContent::Empty;
                Some(bytes)
            }
            BodyContent::Pieces(pieces) => pieces.next(),
            BodyContent::Events(events) => ready!(events.poll_next(context)),
            BodyContent::Stream(body) => match ready!(poll_data(body, context)) {
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                next => next.transpose().ok().flatten().map(HeldBytes::uncounted),
            },
        };
        Poll::Ready(next.map(|bytes| Ok(Frame::data(self.chunk(bytes)))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.content {
            BodyContent::Empty => true,
            BodyContent::Pieces(pieces) => pieces.as_slice().is_empty(),
            BodyContent::Once(_) | BodyContent::Events(_) => false,
            BodyContent::Stream(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.content {
            BodyContent::Empty => SizeHint::with_exact(0),
            BodyContent::Once(bytes) => SizeHint::with_exact(bytes.len() as u64),
            BodyContent::Pieces(pieces) => {
                let left = pieces
                    .as_slice()
                    .iter()
                    .map(|piece| piece.len())
                    .sum::<usize>();
                SizeHint::with_exact(left as u64)
            }
            BodyContent::Events(_) => SizeHint::default(),
            BodyContent::Stream(body) => body.size_hint(),
        }
    }
}

/// The next data of a body; trailers are left out.
fn poll_data(
    body: &mut BoxedBody,
    context: &mut Context<'_>,
) -> Poll<Option<Result<Bytes, BoxError>>> {
    loop {
        match ready!(body.as_mut().poll_frame(context)) {
            None => return Poll::Ready(None),
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            Some(Ok(frame)) => {
                if let Ok(bytes) = frame.into_data() {
                    return Poll::Ready(Some(Ok(bytes)));
                }
            }
        }
    }
}

/// A body whose error is boxed.
struct ErrorInto<B>(Pin<Box<B>>);

impl<B> hyper::body::Body for ErrorInto<B>
where
    B: hyper::body::Body<Data = Bytes>,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(self.0.as_mut().poll_frame(context));
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

impl fmt::Debug for BodyContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "Empty",
            Self::Once(_) => "Once",
            Self::Pieces(_) => "Pieces",
            Self::Events(_) => "Events",
            Self::Stream(_) => "Stream",
        })
    }
}
