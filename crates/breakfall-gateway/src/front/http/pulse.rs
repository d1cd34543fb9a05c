//! What each connection is doing, so that those that do nothing can be told from those that only pretend to do
//! something, without a timer for every request.

use std::io::IoSlice;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};

use tokio::io::{self, AsyncRead, AsyncWrite, ReadBuf};

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
        if stuck_since > 0 && now.saturating_sub(stuck_since) >= STUCK {
            return Verdict::Stalled;
        }
        if self.busy.load(Ordering::Relaxed) > 0 {
            return Verdict::Busy;
        }
        match self.head_since.load(Ordering::Relaxed) {
            0 => Verdict::Idle(now.saturating_sub(self.idle_since.load(Ordering::Relaxed))),
            since if now.saturating_sub(since) >= HEAD => Verdict::Stalled,
            _ => Verdict::Busy,
        }
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
            Poll::Ready(_) if stuck_since > 0 => self.stuck_since.store(0, Ordering::Relaxed),
            Poll::Pending | Poll::Ready(_) => {}
        }
    }
}

/// A request is not done as long as this is kept.
#[derive(Debug)]
pub(super) struct Busy(Arc<Pulse>);

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
}
