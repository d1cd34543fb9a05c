//! The events a session has sent in streams: a client whose connection broke resumes from them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Weak};

use hyper::body::Bytes;

use super::connection_state::ConnectionState;
use super::event_logs::EventLogs;
use super::event_stream::{EventId, encode_event, priming_event};
use super::exchange::Exchange;
use crate::jsonrpc::RawMessage;
use crate::sync::Mutex;

/// The events of one session.
#[derive(Debug)]
pub(super) struct EventLog {
    state: Mutex<LogState>,
    /// The logs of all sessions.
    logs: Arc<EventLogs>,
}

#[derive(Debug, Default)]
struct LogState {
    last_stream: u64,
    last_number: u64,
    events: VecDeque<LoggedEvent>,
    bytes: usize,
    /// Responses that stream and have not ended.
    live: BTreeMap<u64, Weak<Exchange>>,
    delivered: Vec<DeliveredStream>,
}

#[derive(Debug)]
struct LoggedEvent {
    id: EventId,
    /// Its age among the events of all sessions.
    order: u64,
    bytes: Bytes,
}

/// A stream of which a connection has taken every event.
#[derive(Debug)]
struct DeliveredStream {
    stream: u64,
    since: u32,
    connection: Weak<ConnectionState>,
}

/// The number of the stream for messages that belong to no request.
pub(super) const STANDALONE: u64 = 0;

impl EventLog {
    pub(super) fn new(logs: Arc<EventLogs>) -> Self {
        Self {
            state: Mutex::default(),
            logs,
        }
    }

    /// Starts a stream, and returns its number.
    pub(super) fn start_stream(&self, exchange: Weak<Exchange>) -> u64 {
        let mut state = self.state.lock();
        state.last_stream += 1;
        let stream = state.last_stream;
        state.live.insert(stream, exchange);
        stream
    }

    /// Ends a stream.
    pub(super) fn end_stream(&self, stream: u64) {
        self.state.lock().live.remove(&stream);
    }

    /// An event that only carries an id, and is not kept.
    pub(super) fn priming_event(&self, stream: u64) -> Bytes {
        priming_event(self.state.lock().next_id(stream))
    }

    /// Encodes a message as an event, and keeps it. Returns its number with it.
    pub(super) fn push(&self, stream: u64, message: &RawMessage) -> (u64, Bytes) {
        let mut state = self.state.lock();
        let id = state.next_id(stream);
        let event = encode_event(Some(id), message);
        state.bytes += event.len();
        state.events.push_back(LoggedEvent {
            id,
            order: self.logs.next_order(),
            bytes: event.clone(),
        });
        let mut removed = 0;
        // The newest event stays however big it is: it may be the answer a client comes back for.
        while state.events.len() > MAX_EVENTS
            || (state.bytes > MAX_LOG_BYTES && state.events.len() > 1)
        {
            removed += state.pop_oldest();
        }
        drop(state);
        self.logs.changed(event.len(), removed);
        (id.number, event)
    }

    /// The events of a stream after a given one, with their numbers.
    pub(super) fn after(&self, last: EventId) -> Vec<(u64, Bytes)> {
        let state = self.state.lock();
        let events = state.events.iter();
        let missed =
            events.filter(|event| event.id.stream == last.stream && event.id.number > last.number);
        missed
            .map(|event| (event.id.number, event.bytes.clone()))
            .collect()
    }

    /// The response that writes a stream, if it has not ended.
    pub(super) fn live(&self, stream: u64) -> Option<Arc<Exchange>> {
        self.state.lock().live.get(&stream)?.upgrade()
    }

    /// A connection has taken every event of a stream.
    pub(super) fn set_delivered(&self, stream: u64, connection: Weak<ConnectionState>) {
        let since = self.logs.now();
        self.state.lock().delivered.push(DeliveredStream {
            stream,
            since,
            connection,
        });
    }

    /// Removes streams that no client will resume: every event was taken, and the connection has stayed open for so
    /// many beats since. If it has closed, the events may not have arrived.
    pub(super) fn remove_delivered(&self, beats: u32) {
        let now = self.logs.now();
        let mut state = self.state.lock();
        if state.delivered.is_empty() {
            return;
        }
        let mut finished = Vec::new();
        state.delivered.retain(|delivered| {
            let Some(connection) = delivered.connection.upgrade() else {
                return false;
            };
            let has_arrived =
                now.saturating_sub(delivered.since) >= beats && connection.is_written();
            if has_arrived {
                finished.push(delivered.stream);
            }
            !has_arrived
        });
        let before = state.bytes;
        state
            .events
            .retain(|event| !finished.contains(&event.id.stream));
        state.bytes = state.events.iter().map(|event| event.bytes.len()).sum();
        let removed = before - state.bytes;
        drop(state);
        self.logs.changed(0, removed);
    }

    /// The age of the oldest event.
    pub(super) fn oldest(&self) -> Option<u64> {
        self.state.lock().events.front().map(|event| event.order)
    }

    /// Removes the oldest event, and returns its size.
    pub(super) fn remove_oldest(&self) -> usize {
        self.state.lock().pop_oldest()
    }
}

impl Drop for EventLog {
    fn drop(&mut self) {
        let bytes = self.state.lock().bytes;
        self.logs.changed(0, bytes);
    }
}

impl LogState {
    fn next_id(&mut self, stream: u64) -> EventId {
        self.last_number += 1;
        EventId {
            stream,
            number: self.last_number,
        }
    }

    fn pop_oldest(&mut self) -> usize {
        let removed = self.events.pop_front();
        let removed = removed.map_or(0, |event| event.bytes.len());
        self.bytes -= removed;
        removed
    }
}

/// The number of events kept for each session.
const MAX_EVENTS: usize = 256;
/// The size of the events kept for each session.
const MAX_LOG_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> RawMessage {
        format!(r#"{{"jsonrpc":"2.0","method":"{text}"}}"#)
            .into_bytes()
            .into()
    }

    fn log() -> EventLog {
        EventLog::new(EventLogs::new(usize::MAX))
    }

    fn numbers(log: &EventLog, stream: u64, number: u64) -> Vec<u64> {
        let missed = log.after(EventId { stream, number });
        missed.into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn only_later_events_of_the_same_stream_are_replayed() {
        let log = log();
        for stream in [1, 2, 1, STANDALONE, 1] {
            log.push(stream, &message("x"));
        }
        assert_eq!(numbers(&log, 1, 1), [3, 5]);
        assert_eq!(numbers(&log, 1, 5), [0; 0]);
        assert_eq!(numbers(&log, 2, 0), [2]);
        assert_eq!(numbers(&log, STANDALONE, 0), [4]);
        assert_eq!(numbers(&log, 9, 0), [0; 0]);
    }

    #[test]
    fn a_log_is_bounded_and_always_keeps_the_newest_event() {
        let log = log();
        for _ in 0..=MAX_EVENTS {
            log.push(1, &message("x"));
        }
        assert_eq!(numbers(&log, 1, 0).len(), MAX_EVENTS);
        assert_eq!(numbers(&log, 1, 0)[0], 2);
        log.push(1, &message(&"y".repeat(MAX_LOG_BYTES)));
        assert_eq!(numbers(&log, 1, 0), [MAX_EVENTS as u64 + 2]);
        log.push(1, &message("z"));
        assert_eq!(numbers(&log, 1, 0), [MAX_EVENTS as u64 + 3]);
    }

    #[test]
    fn a_delivered_stream_is_removed_while_its_connection_stays_open() {
        let logs = EventLogs::new(usize::MAX);
        let log = Arc::new(EventLog::new(Arc::clone(&logs)));
        logs.add(&log);
        let connection = ConnectionState::new(Arc::default());
        let cut = ConnectionState::new(Arc::default());
        for stream in 1..=3 {
            log.push(stream, &message("x"));
        }
        log.set_delivered(1, Arc::downgrade(&connection));
        log.set_delivered(2, Arc::downgrade(&cut));
        drop(cut);
        let left = || [1, 2, 3].map(|stream| numbers(&log, stream, 0).len());
        for _ in 1..10 {
            logs.beat(10);
            assert_eq!(left(), [1, 1, 1]);
        }
        let before = logs.bytes();
        logs.beat(10);
        assert_eq!(left(), [0, 1, 1], "the others may be resumed");
        assert_eq!(logs.bytes(), before / 3 * 2);
        drop(log);
        assert_eq!(logs.bytes(), 0);
    }
}
