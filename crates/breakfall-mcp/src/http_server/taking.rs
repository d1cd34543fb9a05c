//! Whether a client takes a response it was given. A connection of HTTP/2 has a window for each, so one can lie there for
//! ever while others come and go, and nothing that is written tells.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use hyper::body::{Buf, Bytes};

use super::pipe::Pipe;
use super::pulse::Busy;

/// One response, until the last of it is written.
#[derive(Debug)]
pub(super) struct Taking {
    busy: Busy,
    /// When some of it was taken, or there was nothing to take.
    last: AtomicU32,
    /// Pieces that were given away and are not written.
    given: AtomicU32,
    source: Source,
}

/// Where the rest of it is.
#[derive(Debug)]
enum Source {
    /// All of it is there; or was, if it is given away.
    Whole(AtomicBool),
    /// Whatever is in a pipe. If nothing is, the client waits for us.
    Pipe(Arc<Pipe>),
}

impl Taking {
    pub(super) fn new(busy: Busy, pipe: Option<Arc<Pipe>>) -> Arc<Self> {
        let taking = Arc::new(Self {
            last: AtomicU32::new(busy.pulse().now()),
            given: AtomicU32::new(0),
            source: pipe.map_or_else(|| Source::Whole(AtomicBool::new(false)), Source::Pipe),
            busy,
        });
        taking.busy.pulse().watch(&taking);
        taking
    }

    /// Everything is given away.
    pub(super) fn is_given(&self) {
        match &self.source {
            Source::Whole(is_given) => is_given.store(true, Ordering::Relaxed),
            Source::Pipe(_) => {}
        }
    }

    /// Whether there is something to take.
    pub(super) fn is_waiting(&self) -> bool {
        let has_rest = match &self.source {
            Source::Whole(is_given) => !is_given.load(Ordering::Relaxed),
            Source::Pipe(pipe) => pipe.bytes() > 0,
        };
        has_rest || self.given.load(Ordering::Relaxed) > 0
    }

    /// For how many beats nothing of it was taken although there was something; it has to be asked now and then.
    pub(super) fn waits(&self) -> u32 {
        if !self.is_waiting() {
            self.taken();
        }
        let last = self.last.load(Ordering::Relaxed);
        self.busy.pulse().now().saturating_sub(last)
    }

    fn taken(&self) {
        self.last.store(self.busy.pulse().now(), Ordering::Relaxed);
    }
}

/// Some of a response, on its way.
#[derive(Debug)]
pub struct Piece {
    bytes: Bytes,
    /// Told when it is taken.
    taking: Option<Arc<Taking>>,
    /// The connection has something to do until it is written.
    _busy: Option<Busy>,
}

impl Piece {
    /// The last there is, or one of several.
    pub(super) fn new(bytes: Bytes, taking: Option<&Arc<Taking>>, busy: Option<Busy>) -> Self {
        if let Some(taking) = taking {
            taking.given.fetch_add(1, Ordering::Relaxed);
            taking.taken();
        }
        Self {
            bytes,
            taking: taking.cloned(),
            _busy: busy,
        }
    }
}

impl Buf for Piece {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        if let Some(taking) = self.taking.as_ref().filter(|_| count > 0) {
            taking.taken();
        }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        if let Some(taking) = &self.taking {
            taking.given.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pulse::{Pulse, Verdict};
    use super::*;

    #[test]
    fn a_response_that_nobody_takes_stalls_and_one_that_has_nothing_to_give_does_not() {
        let clock = Arc::new(AtomicU32::new(1));
        let pulse = Pulse::new(Arc::clone(&clock));
        let pass = |beats| {
            clock.fetch_add(beats, Ordering::Relaxed);
            pulse.verdict()
        };
        // It waits for the server.
        let pipe = Arc::<Pipe>::default();
        let stream = Taking::new(pulse.begin(), Some(Arc::clone(&pipe)));
        assert_eq!(pass(1000), Verdict::Busy);
        assert!(pulse.is_written());
        // Something is there, and nobody comes for it.
        pipe.put(Bytes::from_static(b"data: 1\n\n"));
        assert_eq!(pass(59), Verdict::Busy);
        assert!(!pulse.is_written());
        assert_eq!(pass(1), Verdict::Stalled);
        drop((pipe, stream));
        assert_eq!(pulse.verdict(), Verdict::Idle(0));

        // Given away is not taken.
        let whole = Taking::new(pulse.begin(), None);
        assert_eq!(pass(59), Verdict::Busy);
        let mut piece = Piece::new(Bytes::from_static(b"abc"), Some(&whole), None);
        whole.is_given();
        drop(whole);
        for _ in 0..2 {
            assert_eq!(pass(59), Verdict::Busy);
            piece.advance(1);
        }
        assert_eq!(pass(60), Verdict::Stalled);
        drop(piece);
        assert_eq!(pulse.verdict(), Verdict::Idle(0));
    }
}
