//! What a session has sent in streams, as far back as is kept: a client that was cut off comes back for the rest.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use hyper::body::Bytes;

use super::events::{EventId, event, priming};
use super::exchange::Exchange;
use crate::envelope::Message;

/// The events of one session. Stream 0 is that of what belongs to no request.
#[derive(Debug, Default)]
pub(super) struct Log(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// Numbers of streams and of events, so that no two are the same in a session.
    streams: u64,
    numbers: u64,
    events: VecDeque<(EventId, Bytes)>,
    bytes: usize,
    /// Responses that stream and are not at their end.
    live: BTreeMap<u64, Weak<Exchange>>,
}

/// The stream of what belongs to no request.
pub(super) const LOOSE: u64 = 0;

impl Log {
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
    pub(super) fn keep(&self, stream: u64, message: &Message) -> (u64, Bytes) {
        let mut kept = self.lock();
        let id = kept.name(stream);
        let event = event(Some(id), message);
        kept.bytes += event.len();
        kept.events.push_back((id, event.clone()));
        // The last one is kept however big it is: it may be the answer somebody comes back for.
        while kept.events.len() > MOST || (kept.bytes > MOST_BYTES && kept.events.len() > 1) {
            let gone = kept.events.pop_front();
            kept.bytes -= gone.map_or(0, |(_, event)| event.len());
        }
        (id.number, event)
    }

    /// What came in a stream after some event, and its name.
    pub(super) fn after(&self, last: EventId) -> Vec<(u64, Bytes)> {
        let kept = self.lock();
        let events = kept.events.iter();
        let missed = events.filter(|(id, _)| id.stream == last.stream && id.number > last.number);
        missed
            .map(|(id, event)| (id.number, event.clone()))
            .collect()
    }

    /// A response that streams and is not at its end.
    pub(super) fn live(&self, stream: u64) -> Option<Arc<Exchange>> {
        self.lock().live.get(&stream)?.upgrade()
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
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
}

/// How much of a session is kept.
const MOST: usize = 256;
const MOST_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Message {
        format!(r#"{{"jsonrpc":"2.0","method":"{text}"}}"#)
            .into_bytes()
            .into()
    }

    fn names(log: &Log, stream: u64, number: u64) -> Vec<u64> {
        let missed = log.after(EventId { stream, number });
        missed.into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn only_what_came_later_in_the_same_stream_is_missed() {
        let log = Log::default();
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
        let log = Log::default();
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
}
