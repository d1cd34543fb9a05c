//! Whether a client reads a response.
//!
//! In HTTP/2 each response has a flow-control window. A response can be stuck for ever while others on the connection
//! proceed, and writes to the connection do not show it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use hyper::body::Buf;

use super::connection_state::RequestGuard;
use super::event_queue::EventQueue;
use super::unread_answers::HeldBytes;

/// A response, until its last byte is written.
#[derive(Debug)]
pub(super) struct TrackedBody {
    guard: RequestGuard,
    /// The beat at which some of it was read last, or at which it had no data.
    last_read: AtomicU32,
    /// Chunks that were handed to hyper and are not written.
    unwritten: AtomicU32,
    source: BodySource,
}

/// Where the rest of a response comes from.
#[derive(Debug)]
pub(super) enum BodySource {
    /// All of it exists; true once the last chunk was handed to hyper.
    Whole(AtomicBool),
    /// The events in a queue. While it is empty, the client waits for the gateway.
    Queue(Arc<EventQueue>),
    /// A stream that is only asked when the client has room.
    Stream,
}

impl TrackedBody {
    pub(super) fn new(guard: RequestGuard, source: BodySource) -> Arc<Self> {
        let body = Arc::new(Self {
            last_read: AtomicU32::new(guard.connection().now()),
            unwritten: AtomicU32::new(0),
            source,
            guard,
        });
        body.guard.connection().track(&body);
        body
    }

    /// The last chunk was handed to hyper.
    pub(super) fn set_last_chunk_taken(&self) {
        match &self.source {
            BodySource::Whole(is_taken) => is_taken.store(true, Ordering::Relaxed),
            BodySource::Queue(_) | BodySource::Stream => {}
        }
    }

    /// Whether the client has not read everything that exists.
    pub(super) fn is_unread(&self) -> bool {
        let has_rest = match &self.source {
            BodySource::Whole(is_taken) => !is_taken.load(Ordering::Relaxed),
            BodySource::Queue(queue) => queue.bytes() > 0,
            BodySource::Stream => false,
        };
        has_rest || self.unwritten.load(Ordering::Relaxed) > 0
    }

    /// For how many beats the client has read nothing of what exists. A body without data restarts the count when
    /// this is called, so it must be called regularly.
    pub(super) fn unread_beats(&self) -> u32 {
        if !self.is_unread() {
            self.touch();
        }
        let last = self.last_read.load(Ordering::Relaxed);
        self.guard.connection().now().saturating_sub(last)
    }

    fn touch(&self) {
        let now = self.guard.connection().now();
        self.last_read.store(now, Ordering::Relaxed);
    }
}

/// A chunk of a response on its way to the client.
#[derive(Debug)]
pub struct BodyChunk {
    bytes: HeldBytes,
    body: Option<Arc<TrackedBody>>,
    /// Keeps the request open until the last chunk is written.
    _guard: Option<RequestGuard>,
}

impl BodyChunk {
    /// A chunk; the guard goes with the last one.
    pub(super) fn new(
        bytes: HeldBytes,
        body: Option<&Arc<TrackedBody>>,
        guard: Option<RequestGuard>,
    ) -> Self {
        if let Some(body) = body {
            body.unwritten.fetch_add(1, Ordering::Relaxed);
            body.touch();
        }
        Self {
            bytes,
            body: body.cloned(),
            _guard: guard,
        }
    }
}

impl Buf for BodyChunk {
    fn remaining(&self) -> usize {
        self.bytes.len()
    }

    fn chunk(&self) -> &[u8] {
        &self.bytes
    }

    fn advance(&mut self, count: usize) {
        self.bytes.bytes_mut().advance(count);
        if let Some(body) = self.body.as_ref().filter(|_| count > 0) {
            body.touch();
        }
    }
}

impl Drop for BodyChunk {
    fn drop(&mut self) {
        if let Some(body) = &self.body {
            body.unwritten.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use hyper::body::Bytes;

    use super::super::connection_state::{ConnectionClock, ConnectionState, ConnectionVerdict};
    use super::*;

    #[test]
    fn a_response_stalls_when_it_is_not_read_and_not_when_it_has_no_data() {
        let clock = Arc::<ConnectionClock>::default();
        let state = ConnectionState::new(Arc::clone(&clock));
        let after = |beats| {
            (0..beats).for_each(|_| clock.advance());
            state.verdict()
        };
        // It waits for the server.
        let queue = Arc::<EventQueue>::default();
        let source = BodySource::Queue(Arc::clone(&queue));
        let stream = TrackedBody::new(state.begin_request(), source);
        assert_eq!(after(1000), ConnectionVerdict::Busy);
        assert!(state.is_written());
        // An event is ready, and the client does not read it.
        queue.push(Bytes::from_static(b"data: 1\n\n"));
        assert_eq!(after(59), ConnectionVerdict::Busy);
        assert!(!state.is_written());
        assert_eq!(after(1), ConnectionVerdict::Stalled);
        drop((queue, stream));
        assert_eq!(state.verdict(), ConnectionVerdict::Idle(0));

        // A chunk that was handed to hyper is not written yet.
        let source = BodySource::Whole(AtomicBool::new(false));
        let whole = TrackedBody::new(state.begin_request(), source);
        assert_eq!(after(59), ConnectionVerdict::Busy);
        let bytes = HeldBytes::uncounted(Bytes::from_static(b"abc"));
        let mut chunk = BodyChunk::new(bytes, Some(&whole), None);
        whole.set_last_chunk_taken();
        drop(whole);
        for _ in 0..2 {
            assert_eq!(after(59), ConnectionVerdict::Busy);
            chunk.advance(1);
        }
        assert_eq!(after(60), ConnectionVerdict::Stalled);
        drop(chunk);
        assert_eq!(state.verdict(), ConnectionVerdict::Idle(0));
    }
}
