//! One request and its response: where everything goes that belongs to the request.
//!
//! The first thing that comes decides the form. An answer is JSON; anything else, or word from the server that it
//! streams, begins a stream of events.

use std::future::poll_fn;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::task::{Context, Poll, Waker};

use super::events::{EventId, event};
use super::log::Log;
use super::pipe::Pipe;
use super::pulse::Pulse;
use super::session::Session;
use crate::access::Seat;
use crate::connection::{FinalReply, ReplyChannel, SendError, TransportHeaders};
use crate::jsonrpc::{Id, RawMessage};

/// A request that is not answered, and what is there of its response.
#[derive(Debug)]
pub(super) struct Exchange {
    me: Weak<Self>,
    state: Mutex<State>,
    /// The session it belongs to.
    home: Option<Home>,
    /// The number of its stream in there, once it streams.
    stream: OnceLock<u64>,
    extra: Option<Arc<TransportHeaders>>,
}

/// What an exchange knows of its session.
#[derive(Debug)]
pub(super) struct Home {
    pub(super) log: Arc<Log>,
    /// Whether a stream begins with an event to come back to.
    pub(super) primes: bool,
    /// The session that begins with the answer, which is worth waiting for: there is no session without it.
    pub(super) opens: Option<Weak<Session>>,
}

#[derive(Debug)]
enum State {
    /// Nobody knows yet what form it takes; whoever writes the response waits.
    Open(Option<Waker>),
    /// The answer came first.
    Answered(FinalReply),
    /// It streams.
    Streams { pipe: Arc<Pipe>, stream: u64 },
    /// It has streamed all there is, which whoever writes the response may not have seen the beginning of yet.
    Streamed(Arc<Pipe>),
    /// Nothing more will come, or nobody cares if it does.
    Over,
}

/// What a response begins with.
#[derive(Debug)]
pub(super) enum First {
    Answer(FinalReply),
    Stream(Arc<Pipe>),
    /// The request was taken back.
    Nothing,
}

impl Exchange {
    pub(super) fn new(home: Option<Home>, extra: Option<Arc<TransportHeaders>>) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            state: Mutex::new(State::Open(None)),
            home,
            stream: OnceLock::new(),
            extra,
        })
    }

    /// Begins a stream, although nothing has come yet.
    pub(super) fn begin(&self) {
        let waker = self.begun(&mut self.lock());
        wake(waker);
    }

    /// Goes on with a stream in another response, with whatever was missed; not if it is at its end.
    pub(super) fn resume(&self, last: EventId) -> Option<Arc<Pipe>> {
        let mut state = self.lock();
        let (home, State::Streams { pipe, stream }) = (self.home.as_ref()?, &mut *state) else {
            return None;
        };
        if *stream != last.stream {
            return None;
        }
        pipe.cut();
        *pipe = Arc::default();
        for (_, event) in home.log.after(last) {
            pipe.put(event);
        }
        Some(Arc::clone(pipe))
    }

    fn begun(&self, state: &mut State) -> Option<Waker> {
        let State::Open(waker) = state else {
            return None;
        };
        let waker = waker.take();
        let pipe = Arc::<Pipe>::default();
        let stream = self.home.as_ref().map_or(0, |home| {
            let stream = *self.stream.get_or_init(|| home.log.begin(self.me.clone()));
            if home.primes {
                pipe.put(home.log.prime(stream));
            }
            stream
        });
        *state = State::Streams { pipe, stream };
        waker
    }

    fn put(&self, pipe: &Pipe, stream: u64, message: &RawMessage) -> Result<(), SendError> {
        match &self.home {
            // Who was cut off comes back for it.
            Some(home) => {
                pipe.put(home.log.keep(stream, message).1);
                Ok(())
            }
            None if pipe.put(event(None, message)) => Ok(()),
            None => Err(SendError::Over),
        }
    }

    fn poll_first(&self, context: &mut Context<'_>) -> Poll<First> {
        let mut state = self.lock();
        match &mut *state {
            State::Open(waker) => {
                *waker = Some(context.waker().clone());
                Poll::Pending
            }
            State::Streams { pipe, .. } => Poll::Ready(First::Stream(Arc::clone(pipe))),
            State::Answered(_) | State::Streamed(_) | State::Over => {
                Poll::Ready(match mem::replace(&mut *state, State::Over) {
                    State::Answered(last) => First::Answer(last),
                    State::Streamed(pipe) => First::Stream(pipe),
                    State::Open(_) | State::Streams { .. } | State::Over => First::Nothing,
                })
            }
        }
    }

    /// Nobody reads the response any more. True if something may still come.
    fn leave(&self) -> bool {
        let mut state = self.lock();
        match &*state {
            State::Open(_) => {
                // Without an event nobody knows what to come back to.
                *state = State::Over;
                true
            }
            State::Streams { .. } => true,
            State::Answered(_) | State::Streamed(_) | State::Over => false,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl ReplyChannel for Exchange {
    fn tell(&self, message: RawMessage) -> Result<(), SendError> {
        let mut state = self.lock();
        let waker = self.begun(&mut state);
        let told = match &*state {
            State::Streams { pipe, .. } if pipe.bytes() > MOST => Err(SendError::Full),
            State::Streams { pipe, stream } => self.put(pipe, *stream, &message),
            State::Open(_) | State::Answered(_) | State::Streamed(_) | State::Over => {
                Err(SendError::Over)
            }
        };
        drop(state);
        wake(waker);
        told
    }

    fn answer(&self, last: FinalReply) {
        self.opened(Some(&last));
        let mut state = self.lock();
        let waker = match &mut *state {
            State::Open(waker) => {
                let waker = waker.take();
                *state = State::Answered(last);
                waker
            }
            State::Streams { pipe, stream } => {
                // Whoever has left a request that stands for itself has taken it back.
                let _ = self.put(pipe, *stream, &last.message);
                self.ended(pipe, *stream);
                let pipe = Arc::clone(pipe);
                *state = State::Streamed(pipe);
                None
            }
            State::Answered(_) | State::Streamed(_) | State::Over => None,
        };
        drop(state);
        wake(waker);
    }

    fn end(&self) {
        let mut state = self.lock();
        let waker = match &mut *state {
            State::Open(waker) => {
                let waker = waker.take();
                *state = State::Over;
                waker
            }
            State::Streams { pipe, stream } => {
                self.ended(pipe, *stream);
                *state = State::Streamed(Arc::clone(pipe));
                None
            }
            // What is said already is not taken back.
            State::Answered(_) | State::Streamed(_) | State::Over => None,
        };
        drop(state);
        wake(waker);
        self.opened(None);
    }

    fn streams(&self) {
        let waits = self.home.as_ref().is_some_and(|home| home.opens.is_some());
        if !waits {
            self.begin();
        }
    }

    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        self.extra.clone()
    }
}

impl Exchange {
    /// The handshake is answered, or will not be.
    fn opened(&self, last: Option<&FinalReply>) {
        let session = self.home.as_ref().and_then(|home| home.opens.as_ref());
        if let Some(session) = session.and_then(Weak::upgrade) {
            match last {
                Some(last) if last.code.is_none() => session.begun(last),
                Some(_) | None => session.void(),
            }
        }
    }

    fn ended(&self, pipe: &Pipe, stream: u64) {
        pipe.end();
        if let Some(home) = &self.home {
            home.log.end(stream);
        }
    }
}

/// Whoever writes the response. When it goes before everything is said, a request that stands for itself is taken
/// back; one in a session is not, since its client may come back.
#[derive(Debug)]
pub(super) struct Reader {
    exchange: Arc<Exchange>,
    /// By what name, and where, the request is taken back.
    key: Option<(Seat, Id)>,
}

impl Reader {
    pub(super) fn new(exchange: Arc<Exchange>, key: Option<(Seat, Id)>) -> Self {
        Self { exchange, key }
    }

    /// What the response begins with.
    pub(super) async fn first(&self) -> First {
        poll_fn(|context| self.exchange.poll_first(context)).await
    }

    pub(super) fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// A connection has taken everything there was.
    pub(super) fn taken(&self, connection: Weak<Pulse>) {
        if let Some(home) = &self.exchange.home
            && let Some(stream) = self.exchange.stream.get()
        {
            home.log.taken(*stream, connection);
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let is_missing = self.exchange.leave();
        if let (true, Some((seat, key))) = (is_missing, &self.key) {
            seat.ear().withdraw(key);
        }
    }
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// How much may wait for somebody who does not read, beside an answer.
const MOST: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_that_follows_at_once_is_not_lost_with_the_beginning_of_its_stream() {
        let exchange = Exchange::new(None, None);
        let reader = Reader::new(Arc::clone(&exchange), None);
        exchange.streams();
        exchange.answer(FinalReply {
            message: b"{}".to_vec().into(),
            code: None,
            challenge: None,
            retry_after: None,
        });
        let First::Stream(pipe) = reader.first().await else {
            panic!("it streams");
        };
        let event = poll_fn(|context| pipe.poll(context)).await;
        assert_eq!(event.as_deref(), Some(&b"data: {}\n\n"[..]));
        assert_eq!(poll_fn(|context| pipe.poll(context)).await, None);
    }
}
