//! One request and its response.
//!
//! The first message decides the form of the response. An answer makes it JSON. Any other message, or an upstream
//! server that streams its response, makes it a stream of events.

use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, OnceLock, Weak};
use std::task::{Context, Poll, Waker};

use super::connection_state::ConnectionState;
use super::event_log::EventLog;
use super::event_queue::EventQueue;
use super::event_stream::{EventId, encode_event};
use super::http_session::HttpSession;
use super::unread_answers::UnreadAnswers;
use crate::access::ClientHandle;
use crate::connection::{FinalReply, ReplyChannel, SendError, TransportHeaders};
use crate::jsonrpc::{Id, RawMessage};
use crate::sync::Mutex;

/// An open request, and its response so far.
#[derive(Debug)]
pub(super) struct Exchange {
    me: Weak<Self>,
    state: Mutex<ExchangeState>,
    session: Option<SessionContext>,
    /// The number of its stream within the session, once it streams.
    stream: OnceLock<u64>,
    extra: Option<Arc<TransportHeaders>>,
    /// What its events count for.
    unread: Arc<UnreadAnswers>,
}

/// What an exchange knows of its session.
#[derive(Debug)]
pub(super) struct SessionContext {
    pub(super) log: Arc<EventLog>,
    /// Whether a stream starts with an event to resume from.
    pub(super) primes: bool,
    /// The session that the answer opens, if the request is a handshake. It waits for the answer: without it there is
    /// no session to stream in.
    pub(super) opens: Option<Weak<HttpSession>>,
}

#[derive(Debug)]
enum ExchangeState {
    /// Nothing was sent; the waker is that of the response.
    Open(Option<Waker>),
    /// The answer came first.
    Answered(FinalReply),
    /// The response streams.
    Streams { queue: Arc<EventQueue>, stream: u64 },
    /// The stream has ended, perhaps before the response began to read it.
    Streamed(Arc<EventQueue>),
    /// The answer was taken, or the response is gone.
    Closed,
}

/// What a response starts with.
#[derive(Debug)]
pub(super) enum FirstReply {
    Answer(FinalReply),
    Stream(Arc<EventQueue>),
    /// The request was cancelled.
    Nothing,
}

impl Exchange {
    pub(super) fn new(
        session: Option<SessionContext>,
        extra: Option<Arc<TransportHeaders>>,
        unread: &Arc<UnreadAnswers>,
    ) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            state: Mutex::new(ExchangeState::Open(None)),
            session,
            stream: OnceLock::new(),
            extra,
            unread: Arc::clone(unread),
        })
    }

    /// Makes the response a stream before there is a message.
    pub(super) fn start_stream(&self) {
        let waker = self.start_stream_locked(&mut self.state.lock());
        wake(waker);
    }

    /// Continues the stream in another response, with the events after `last`; nothing if it has ended.
    pub(super) fn resume(&self, last: EventId) -> Option<Arc<EventQueue>> {
        let mut state = self.state.lock();
        let (session, ExchangeState::Streams { queue, stream }) =
            (self.session.as_ref()?, &mut *state)
        else {
            return None;
        };
        if *stream != last.stream {
            return None;
        }
        queue.replace();
        *queue = EventQueue::of(&self.unread);
        for (_, event) in session.log.after(last) {
            queue.push(event);
        }
        Some(Arc::clone(queue))
    }

    fn start_stream_locked(&self, state: &mut ExchangeState) -> Option<Waker> {
        let ExchangeState::Open(waker) = state else {
            return None;
        };
        let waker = waker.take();
        let queue = EventQueue::of(&self.unread);
        let stream = self.session.as_ref().map_or(0, |session| {
            let start = || session.log.start_stream(self.me.clone());
            let stream = *self.stream.get_or_init(start);
            if session.primes {
                queue.push(session.log.priming_event(stream));
            }
            stream
        });
        *state = ExchangeState::Streams { queue, stream };
        waker
    }

    fn push(&self, queue: &EventQueue, stream: u64, message: &RawMessage) -> Result<(), SendError> {
        match &self.session {
            // Kept in the log, so it is sent even if the response is gone.
            Some(session) => {
                queue.push(session.log.push(stream, message).1);
                Ok(())
            }
            None if queue.push(encode_event(None, message)) => Ok(()),
            None => Err(SendError::Over),
        }
    }

    fn poll_first(&self, context: &mut Context<'_>) -> Poll<FirstReply> {
        let mut state = self.state.lock();
        match &mut *state {
            ExchangeState::Open(waker) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
            ExchangeState::Streams { queue, .. } => {
                Poll::Ready(FirstReply::Stream(Arc::clone(queue)))
            }
            ExchangeState::Answered(_) | ExchangeState::Streamed(_) | ExchangeState::Closed => {
                Poll::Ready(match mem::replace(&mut *state, ExchangeState::Closed) {
                    ExchangeState::Answered(last) => FirstReply::Answer(last),
                    ExchangeState::Streamed(queue) => FirstReply::Stream(queue),
                    ExchangeState::Open(_)
                    | ExchangeState::Streams { .. }
                    | ExchangeState::Closed => FirstReply::Nothing,
                })
            }
        }
    }

    /// The response is gone. True if its request is still open.
    fn leave(&self) -> bool {
        let mut state = self.state.lock();
        match &*state {
            ExchangeState::Open(_) => {
                // Without an event the client has no id to resume from.
                *state = ExchangeState::Closed;
                true
            }
            ExchangeState::Streams { .. } => true,
            ExchangeState::Answered(_) | ExchangeState::Streamed(_) | ExchangeState::Closed => {
                false
            }
        }
    }

    /// Tells the session how its handshake ended.
    fn finish_handshake(&self, last: Option<&FinalReply>) {
        let session = self
            .session
            .as_ref()
            .and_then(|session| session.opens.as_ref());
        if let Some(session) = session.and_then(Weak::upgrade) {
            match last {
                Some(last) if last.code.is_none() => session.set_greeted(last),
                Some(_) | None => session.set_void(),
            }
        }
    }

    fn end_stream(&self, queue: &EventQueue, stream: u64) {
        queue.end();
        if let Some(session) = &self.session {
            session.log.end_stream(stream);
        }
    }
}

impl ReplyChannel for Exchange {
    fn tell(&self, message: RawMessage) -> Result<(), SendError> {
        let mut state = self.state.lock();
        let waker = self.start_stream_locked(&mut state);
        let sent = match &*state {
            ExchangeState::Streams { queue, .. } if queue.bytes() > MAX_UNREAD_BYTES => {
                Err(SendError::Full)
            }
            ExchangeState::Streams { queue, stream } => self.push(queue, *stream, &message),
            ExchangeState::Open(_)
            | ExchangeState::Answered(_)
            | ExchangeState::Streamed(_)
            | ExchangeState::Closed => Err(SendError::Over),
        };
        drop(state);
        wake(waker);
        sent
    }

    fn answer(&self, last: FinalReply) {
        self.finish_handshake(Some(&last));
        let mut state = self.state.lock();
        let waker = match &mut *state {
            ExchangeState::Open(waker) => {
                let waker = waker.take();
                *state = ExchangeState::Answered(last);
                waker
            }
            ExchangeState::Streams { queue, stream } => {
                // Without a session, a client that has left has cancelled its request.
                let _ = self.push(queue, *stream, &last.message);
                self.end_stream(queue, *stream);
                let queue = Arc::clone(queue);
                *state = ExchangeState::Streamed(queue);
                None
            }
            ExchangeState::Answered(_) | ExchangeState::Streamed(_) | ExchangeState::Closed => None,
        };
        drop(state);
        wake(waker);
    }

    fn end(&self) {
        let mut state = self.state.lock();
        let waker = match &mut *state {
            ExchangeState::Open(waker) => {
                let waker = waker.take();
                *state = ExchangeState::Closed;
                waker
            }
            ExchangeState::Streams { queue, stream } => {
                self.end_stream(queue, *stream);
                *state = ExchangeState::Streamed(Arc::clone(queue));
                None
            }
            // An answer is not taken back.
            ExchangeState::Answered(_) | ExchangeState::Streamed(_) | ExchangeState::Closed => None,
        };
        drop(state);
        wake(waker);
        self.finish_handshake(None);
    }

    fn streams(&self) {
        let is_handshake = self
            .session
            .as_ref()
            .is_some_and(|session| session.opens.is_some());
        if !is_handshake {
            self.start_stream();
        }
    }

    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        self.extra.clone()
    }
}

/// The response of an exchange. If it is dropped before the answer, a request without a session is cancelled; one in a
/// session is not, because its client may resume.
#[derive(Debug)]
pub(super) struct ExchangeReader {
    exchange: Arc<Exchange>,
    /// The client and the key under which a request without a session is cancelled.
    cancels: Option<(ClientHandle, Id)>,
}

impl ExchangeReader {
    pub(super) fn new(exchange: Arc<Exchange>, cancels: Option<(ClientHandle, Id)>) -> Self {
        Self { exchange, cancels }
    }

    /// What the response starts with.
    pub(super) async fn first(&self) -> FirstReply {
        poll_fn(|context| self.exchange.poll_first(context)).await
    }

    pub(super) fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// A connection has taken every event.
    pub(super) fn set_delivered(&self, connection: Weak<ConnectionState>) {
        if let Some(session) = &self.exchange.session
            && let Some(stream) = self.exchange.stream.get()
        {
            session.log.set_delivered(*stream, connection);
        }
    }
}

impl Drop for ExchangeReader {
    fn drop(&mut self) {
        let is_open = self.exchange.leave();
        if let (true, Some((client, key))) = (is_open, &self.cancels) {
            client.inbound().withdraw(key);
        }
    }
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// The size of the events, beside an answer, that wait for a client that does not read.
const MAX_UNREAD_BYTES: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use super::super::unread_answers::AnswerBudget;
    use super::*;
    use crate::access::Principal;

    #[tokio::test]
    async fn an_answer_that_follows_at_once_is_in_the_stream() {
        let budget = AnswerBudget::new(usize::MAX);
        let unread = UnreadAnswers::new(&budget, Principal::Anonymous);
        let exchange = Exchange::new(None, None, &unread);
        let reader = ExchangeReader::new(Arc::clone(&exchange), None);
        exchange.streams();
        exchange.answer(FinalReply {
            message: b"{}".to_vec().into(),
            code: None,
            challenge: None,
            retry_after: None,
        });
        let FirstReply::Stream(queue) = reader.first().await else {
            panic!("it streams");
        };
        let event = poll_fn(|context| queue.poll(context)).await;
        assert_eq!(event.as_deref(), Some(&b"data: {}\n\n"[..]));
        assert!(poll_fn(|context| queue.poll(context)).await.is_none());
    }
}
