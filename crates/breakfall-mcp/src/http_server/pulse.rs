//! What each connection is doing, so that those that do nothing can be told from those that only pretend to do
//! something, without a timer for every request.

use std::io::IoSlice;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::task::{Context, Poll};

use tokio::io::{self, AsyncRead, AsyncWrite, ReadBuf};

use super::taking::Taking;

/// The state of a connection, in beats of the clock that whoever looks after connections moves.
#[derive(Debug)]
pub(super) struct Pulse {
    clock: Arc<AtomicU32>,
    /// Requests that are not done.
    busy: AtomicU32,
    /// Since when there is none.
    idle_since: AtomicU32,
    /// Since when the head of one arrives; never at 0.
    head_since: AtomicU32,
    /// Since when nothing of what is written is taken; never at 0.
    stuck_since: AtomicU32,
    /// Responses that have windows of their own, so that what is written does not tell whether they are taken.
    watched: Mutex<Watched>,
}

#[derive(Debug, Default)]
struct Watched {
    all: Vec<Weak<Taking>>,
    /// How many there may be before it is worth looking which are over.
    room: usize,
}

/// What is to be done about a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It works.
    Busy,
    /// It has had nothing to do for so many beats.
    Idle(u32),
    /// It does not finish what it has begun to say, or does not take what it is told.
    Stalled,
}

impl Pulse {
    pub(super) fn new(clock: Arc<AtomicU32>) -> Arc<Self> {
        let now = clock.load(Ordering::Relaxed);
        Arc::new(Self {
            clock,
            busy: AtomicU32::new(0),
            idle_since: AtomicU32::new(now),
            head_since: AtomicU32::new(0),
            stuck_since: AtomicU32::new(0),
            watched: Mutex::default(),
        })
    }

    /// A request has come in whole, as far as its head goes.
    pub(super) fn begin(self: &Arc<Self>) -> Busy {
        self.head_since.store(0, Ordering::Relaxed);
        self.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(self))
    }

    pub(super) fn verdict(&self) -> Verdict {
        let now = self.clock.load(Ordering::Relaxed);
        let stuck_since = self.stuck_since.load(Ordering::Relaxed);
        let is_stuck = stuck_since > 0;
        if is_stuck && now.saturating_sub(stuck_since) >= STUCK || self.is_left_lying() {
            return Verdict::Stalled;
        }
        // The last of an answer may wait to be taken when nothing else is to be done.
        if is_stuck || self.busy.load(Ordering::Relaxed) > 0 {
            return Verdict::Busy;
        }
        match self.head_since.load(Ordering::Relaxed) {
            0 => Verdict::Idle(now.saturating_sub(self.idle_since.load(Ordering::Relaxed))),
            since if now.saturating_sub(since) >= HEAD => Verdict::Stalled,
            _ => Verdict::Busy,
        }
    }

    /// Watches whether a response is taken.
    pub(super) fn watch(&self, response: &Arc<Taking>) {
        let mut watched = self.watched();
        if watched.all.len() >= watched.room {
            watched.all.retain(|taking| taking.strong_count() > 0);
            watched.room = (2 * watched.all.len()).max(FEW);
        }
        watched.all.push(Arc::downgrade(response));
    }

    /// Whether everything that was to be written is written.
    pub(super) fn is_written(&self) -> bool {
        let is_stuck = self.stuck_since.load(Ordering::Relaxed) > 0;
        !is_stuck && !self.responses().any(|taking| taking.is_waiting())
    }

    /// The time, in beats.
    pub(super) fn now(&self) -> u32 {
        self.clock.load(Ordering::Relaxed)
    }

    /// Whether a response lies there that nobody takes.
    fn is_left_lying(&self) -> bool {
        // All are looked at, since that is how they notice that they have nothing to give.
        let lying = self.responses().filter(|taking| taking.waits() >= STUCK);
        lying.count() > 0
    }

    fn responses(&self) -> impl Iterator<Item = Arc<Taking>> {
        // They are let go outside the lock, because the last of them to go may come back here.
        let all: Vec<_> = self
            .watched()
            .all
            .iter()
            .filter_map(Weak::upgrade)
            .collect();
        all.into_iter()
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched
            .lock()
            .expect("nobody panics while holding this lock")
    }

    /// What came was no head.
    pub(super) fn opened(&self) {
        self.head_since.store(0, Ordering::Relaxed);
    }

    /// Something came.
    pub(super) fn heard(&self) {
        let is_waiting = self.busy.load(Ordering::Relaxed) == 0;
        if is_waiting && self.head_since.load(Ordering::Relaxed) == 0 {
            let now = self.clock.load(Ordering::Relaxed).max(1);
            self.head_since.store(now, Ordering::Relaxed);
        }
    }
}

impl Pulse {
    fn wrote<T>(&self, written: &Poll<T>) {
        let stuck_since = self.stuck_since.load(Ordering::Relaxed);
        match written {
            Poll::Pending if stuck_since == 0 => {
                let now = self.clock.load(Ordering::Relaxed).max(1);
                self.stuck_since.store(now, Ordering::Relaxed);
            }
            Poll::Ready(_) if stuck_since > 0 => {
                self.stuck_since.store(0, Ordering::Relaxed);
                // Who takes it slowly does something.
                self.idle_since.store(self.now(), Ordering::Relaxed);
            }
            Poll::Pending | Poll::Ready(_) => {}
        }
    }
}

/// A request is not done as long as this is kept.
#[derive(Debug)]
pub(super) struct Busy(Arc<Pulse>);

impl Busy {
    pub(super) fn pulse(&self) -> &Arc<Pulse> {
        &self.0
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let pulse = &self.0;
        let now = pulse.clock.load(Ordering::Relaxed);
        pulse.idle_since.store(now, Ordering::Relaxed);
        pulse.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream whose pulse is felt.
#[derive(Debug)]
pub(super) struct Felt<S> {
    stream: S,
    pulse: Arc<Pulse>,
    /// Whether what comes in is the head of a request, if none is under way.
    reads_heads: bool,
}

impl<S> Felt<S> {
    pub(super) fn new(stream: S, pulse: Arc<Pulse>) -> Self {
        Self {
            stream,
            pulse,
            reads_heads: true,
        }
    }

    /// One on which much else comes in, too.
    pub(super) fn writing(stream: S, pulse: Arc<Pulse>) -> Self {
        Self {
            stream,
            pulse,
            reads_heads: false,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Felt<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if self.reads_heads && buffer.filled().len() > before {
            self.pulse.heard();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Felt<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.pulse.wrote(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.pulse.wrote(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// How many beats the head of a request may take.
pub(super) const HEAD: u32 = 10;
/// How many beats a client may take nothing of what it is told.
const STUCK: u32 = 60;
const FEW: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_is_judged_by_what_it_does_and_not_by_what_it_sends() {
        let clock = Arc::new(AtomicU32::new(1));
        let pulse = Pulse::new(Arc::clone(&clock));
        let beats = |count| clock.fetch_add(count, Ordering::Relaxed);
        beats(5);
        assert_eq!(pulse.verdict(), Verdict::Idle(5));
        // Drops of a head.
        for _ in 1..HEAD {
            pulse.heard();
            beats(1);
            assert_eq!(pulse.verdict(), Verdict::Busy);
        }
        pulse.heard();
        beats(1);
        assert_eq!(pulse.verdict(), Verdict::Stalled);
        // Its end came at last.
        let first = pulse.begin();
        let second = pulse.begin();
        beats(1000);
        pulse.heard();
        drop(first);
        assert_eq!(pulse.verdict(), Verdict::Busy);
        drop(second);
        assert_eq!(pulse.verdict(), Verdict::Idle(0));
        beats(3);
        assert_eq!(pulse.verdict(), Verdict::Idle(3));
    }

    #[test]
    fn what_waits_to_be_written_is_something_to_do() {
        let clock = Arc::new(AtomicU32::new(1));
        let pulse = Pulse::new(Arc::clone(&clock));
        for _ in 0..3 {
            pulse.wrote::<()>(&Poll::Pending);
            assert!(!pulse.is_written());
            clock.fetch_add(STUCK - 1, Ordering::Relaxed);
            assert_eq!(pulse.verdict(), Verdict::Busy);
            pulse.wrote(&Poll::Ready(()));
            assert!(pulse.is_written());
        }
        assert_eq!(pulse.verdict(), Verdict::Idle(0));
        pulse.wrote::<()>(&Poll::Pending);
        clock.fetch_add(STUCK, Ordering::Relaxed);
        assert_eq!(pulse.verdict(), Verdict::Stalled);
    }
}
