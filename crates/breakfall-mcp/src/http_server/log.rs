//! What a session has sent in streams, as far back as is kept: a client that was cut off comes back for the rest.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use hyper::body::Bytes;

use super::events::{EventId, event, priming};
use super::exchange::Exchange;
use super::logs::Logs;
use super::pulse::Pulse;
use crate::jsonrpc::RawMessage;

/// The events of one session. Stream 0 is that of what belongs to no request.
#[derive(Debug)]
pub(super) struct Log {
    kept: Mutex<Kept>,
    /// Those of all sessions.
    all: Arc<Logs>,
}

#[derive(Debug, Default)]
struct Kept {
    /// Numbers of streams and of events, so that no two are the same in a session.
    streams: u64,
    numbers: u64,
    events: VecDeque<Event>,
    bytes: usize,
    /// Responses that stream and are not at their end.
    live: BTreeMap<u64, Weak<Exchange>>,
    /// Streams of which a connection has taken everything, and when.
    taken: Vec<Taken>,
}

#[derive(Debug)]
struct Event {
    id: EventId,
    /// Its place among those of all sessions.
    order: u64,
    bytes: Bytes,
}

#[derive(Debug)]
struct Taken {
    stream: u64,
    since: u32,
    connection: Weak<Pulse>,
}

/// The stream of what belongs to no request.
pub(super) const LOOSE: u64 = 0;

impl Log {
    /// One among all.
    pub(super) fn new(all: Arc<Logs>) -> Self {
        Self {
            kept: Mutex::default(),
            all,
        }
    }

    /// A stream begins.
    pub(super) fn begin(&self, exchange: Weak<Exchange>) -> u64 {
        let mut kept = self.lock();
        kept.streams += 1;
        let stream = kept.streams;
        kept.live.insert(stream, exchange);
        stream
    }

    /// A stream is at its end.
    pub(super) fn end(&self, stream: u64) {
        self.lock().live.remove(&stream);
    }

    /// A name for an event that is not kept.
    pub(super) fn prime(&self, stream: u64) -> Bytes {
        priming(self.lock().name(stream))
    }

    /// Names an event and keeps it.
    pub(super) fn keep(&self, stream: u64, message: &RawMessage) -> (u64, Bytes) {
        let mut kept = self.lock();
        let id = kept.name(stream);
        let event = event(Some(id), message);
        kept.bytes += event.len();
        kept.events.push_back(Event {
            id,
            order: self.all.order(),
            bytes: event.clone(),
        });
        let mut gone = 0;
        // The last one is kept however big it is: it may be the answer somebody comes back for.
        while kept.events.len() > MOST || (kept.bytes > MOST_BYTES && kept.events.len() > 1) {
            gone += kept.forget_first();
        }
        drop(kept);
        self.all.changed(event.len(), gone);
        (id.number, event)
    }

    /// What came in a stream after some event, and its name.
    pub(super) fn after(&self, last: EventId) -> Vec<(u64, Bytes)> {
        let kept = self.lock();
        let events = kept.events.iter();
        let missed =
            events.filter(|event| event.id.stream == last.stream && event.id.number > last.number);
        missed
            .map(|event| (event.id.number, event.bytes.clone()))
            .collect()
    }

    /// A response that streams and is not at its end.
    pub(super) fn live(&self, stream: u64) -> Option<Arc<Exchange>> {
        self.lock().live.get(&stream)?.upgrade()
    }

    /// A connection has taken everything there is of a stream.
    pub(super) fn taken(&self, stream: u64, connection: Weak<Pulse>) {
        let since = self.all.now();
        self.lock().taken.push(Taken {
            stream,
            since,
            connection,
        });
    }

    /// Forgets streams that nobody comes back for: all of them was taken, and the connection has been there for so
    /// many beats since. If it has gone, nobody knows what arrived.
    pub(super) fn tidy(&self, beats: u32) {
        let now = self.all.now();
        let mut kept = self.lock();
        if kept.taken.is_empty() {
            return;
        }
        let mut over = Vec::new();
        kept.taken.retain(|taken| {
            let Some(connection) = taken.connection.upgrade() else {
                return false;
            };
            let is_over = now.saturating_sub(taken.since) >= beats && connection.is_written();
            if is_over {
                over.push(taken.stream);
            }
            !is_over
        });
        let before = kept.bytes;
        kept.events.retain(|event| !over.contains(&event.id.stream));
        kept.bytes = kept.events.iter().map(|event| event.bytes.len()).sum();
        let gone = before - kept.bytes;
        drop(kept);
        self.all.changed(0, gone);
    }

    /// The place of the oldest event among those of all sessions.
    pub(super) fn oldest(&self) -> Option<u64> {
        self.lock().events.front().map(|event| event.order)
    }

    /// Forgets the oldest event, and tells how big it was.
    pub(super) fn forget_oldest(&self) -> usize {
        self.lock().forget_first()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        let bytes = self.lock().bytes;
        self.all.changed(0, bytes);
    }
}

impl Kept {
    fn name(&mut self, stream: u64) -> EventId {
        self.numbers += 1;
        EventId {
            stream,
            number: self.numbers,
        }
    }

    fn forget_first(&mut self) -> usize {
        let gone = self.events.pop_front();
        let gone = gone.map_or(0, |event| event.bytes.len());
        self.bytes -= gone;
        gone
    }
}

/// How much of a session is kept.
const MOST: usize = 256;
const MOST_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> RawMessage {
        format!(r#"{{"jsonrpc":"2.0","method":"{text}"}}"#)
            .into_bytes()
            .into()
    }

    fn log() -> Log {
        Log::new(Logs::new(usize::MAX))
    }

    fn names(log: &Log, stream: u64, number: u64) -> Vec<u64> {
        let missed = log.after(EventId { stream, number });
        missed.into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn only_what_came_later_in_the_same_stream_is_missed() {
        let log = log();
        for stream in [1, 2, 1, LOOSE, 1] {
            log.keep(stream, &message("x"));
        }
        assert_eq!(names(&log, 1, 1), [3, 5]);
        assert_eq!(names(&log, 1, 5), [0; 0]);
        assert_eq!(names(&log, 2, 0), [2]);
        assert_eq!(names(&log, LOOSE, 0), [4]);
        assert_eq!(names(&log, 9, 0), [0; 0]);
    }

    #[test]
    fn a_log_keeps_so_many_events_and_so_many_bytes_and_always_the_last() {
        let log = log();
        for _ in 0..=MOST {
            log.keep(1, &message("x"));
        }
        assert_eq!(names(&log, 1, 0).len(), MOST);
        assert_eq!(names(&log, 1, 0)[0], 2);
        log.keep(1, &message(&"y".repeat(MOST_BYTES)));
        assert_eq!(names(&log, 1, 0), [MOST as u64 + 2]);
        log.keep(1, &message("z"));
        assert_eq!(names(&log, 1, 0), [MOST as u64 + 3]);
    }

    #[test]
    fn a_stream_is_forgotten_a_while_after_it_was_taken_by_a_connection_that_is_still_there() {
        let all = Logs::new(usize::MAX);
        let log = Arc::new(Log::new(Arc::clone(&all)));
        all.add(&log);
        let connection = Pulse::new(Arc::default());
        let cut = Pulse::new(Arc::default());
        for stream in 1..=3 {
            log.keep(stream, &message("x"));
        }
        log.taken(1, Arc::downgrade(&connection));
        log.taken(2, Arc::downgrade(&cut));
        drop(cut);
        let left = || [1, 2, 3].map(|stream| names(&log, stream, 0).len());
        for _ in 1..10 {
            all.beat(10);
            assert_eq!(left(), [1, 1, 1]);
        }
        let before = all.bytes();
        all.beat(10);
        assert_eq!(left(), [0, 1, 1], "the others may come back");
        assert_eq!(all.bytes(), before / 3 * 2);
        drop(log);
        assert_eq!(all.bytes(), 0);
    }
}
