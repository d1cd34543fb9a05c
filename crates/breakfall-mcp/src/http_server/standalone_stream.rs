//! The stream of a session for messages that belong to no request of the client.

use std::sync::{Arc, OnceLock, Weak};

use super::event_log::{EventLog, STANDALONE};
use super::event_queue::EventQueue;
use super::event_stream::EventId;
use super::unread_answers::UnreadAnswers;
use crate::connection::{Inbound, OutgoingMessage, SendError, Transport};
use crate::sync::Mutex;

/// Sends messages to the stream the client holds open for them, or keeps them for the next one it opens.
#[derive(Debug)]
pub(super) struct StandaloneStream {
    pub(super) log: Arc<EventLog>,
    /// What its events count for.
    unread: Arc<UnreadAnswers>,
    inbound: OnceLock<Weak<Inbound>>,
    current: Mutex<CurrentStream>,
}

#[derive(Debug, Default)]
struct CurrentStream {
    queue: Option<Arc<EventQueue>>,
    /// The number of the last event that was put into a queue.
    last_sent: u64,
}

impl StandaloneStream {
    pub(super) fn new(log: Arc<EventLog>, unread: Arc<UnreadAnswers>) -> Self {
        Self {
            log,
            unread,
            inbound: OnceLock::new(),
            current: Mutex::default(),
        }
    }

    /// Sets the connection whose messages it sends. Before that, it sends no messages.
    pub(super) fn belongs_to(&self, inbound: &Arc<Inbound>) {
        // Set once, by the session that owns both.
        let _ = self.inbound.set(Arc::downgrade(inbound));
    }

    /// Opens the stream, after an event or from now on. A client has one such stream: if it opens another, it has lost
    /// the first.
    pub(super) fn open(&self, last: Option<EventId>, primes: bool) -> Arc<EventQueue> {
        let mut current = self.current.lock();
        let number = last.map_or(current.last_sent, |last| last.number);
        let queue = EventQueue::of(&self.unread);
        if primes && last.is_none() {
            queue.push(self.log.priming_event(STANDALONE));
        }
        let stream = STANDALONE;
        for (number, event) in self.log.after(EventId { stream, number }) {
            queue.push(event);
            current.last_sent = current.last_sent.max(number);
        }
        if let Some(before) = current.queue.replace(Arc::clone(&queue)) {
            before.end();
        }
        queue
    }

    fn push(&self, outgoing: &OutgoingMessage) {
        let mut current = self.current.lock();
        let (number, event) = self.log.push(STANDALONE, &outgoing.message);
        let is_sent = current.queue.as_ref().is_some_and(|queue| {
            let is_sent = queue.push(event);
            // A client that does not read loses the stream. It may resume from the log.
            if queue.bytes() > MAX_UNREAD_BYTES {
                queue.end();
            }
            is_sent
        });
        if is_sent {
            current.last_sent = number;
        } else {
            current.queue = None;
        }
    }
}

impl Transport for StandaloneStream {
    fn carry(&self, outgoing: OutgoingMessage) -> Result<(), SendError> {
        let inbound = self
            .inbound
            .get()
            .and_then(Weak::upgrade)
            .ok_or(SendError::Over)?;
        let is_wanted = outgoing
            .request
            .is_none_or(|request| inbound.peer().begin(request));
        if is_wanted {
            self.push(&outgoing);
        }
        inbound.peer().sent(outgoing.message.weight());
        Ok(())
    }

    fn close(&self) {
        if let Some(queue) = self.current.lock().queue.take() {
            queue.end();
        }
    }

    fn is_heard(&self) -> bool {
        let current = self.current.lock();
        current.queue.as_ref().is_some_and(|queue| queue.is_open())
    }
}

/// The size of the events that wait for a client that does not read.
const MAX_UNREAD_BYTES: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::super::event_logs::EventLogs;
    use super::super::unread_answers::{AnswerBudget, HeldBytes};
    use super::*;
    use crate::access::Principal;

    fn stream() -> StandaloneStream {
        let log = Arc::new(EventLog::new(EventLogs::new(usize::MAX)));
        let budget = AnswerBudget::new(usize::MAX);
        StandaloneStream::new(log, UnreadAnswers::new(&budget, Principal::Anonymous))
    }

    fn send(stream: &StandaloneStream, text: &str) {
        stream.push(&OutgoingMessage {
            message: format!("\"{text}\"").into_bytes().into(),
            request: None,
            extra: None,
        });
    }

    /// The messages that can be read now.
    fn read(queue: &EventQueue) -> Vec<String> {
        let mut context = Context::from_waker(Waker::noop());
        let events = std::iter::from_fn(|| match queue.poll(&mut context) {
            Poll::Ready(event) => event,
            Poll::Pending => None,
        });
        let text = |event: HeldBytes| {
            let text = String::from_utf8_lossy(&event).into_owned();
            let (_, data) = text.split_once("data:").expect("an event");
            data.trim().trim_matches('"').to_owned()
        };
        events.map(text).collect()
    }

    #[test]
    fn an_unread_message_waits_for_the_next_stream_and_a_read_one_is_not_repeated() {
        let stream = stream();
        assert!(!stream.is_heard());
        send(&stream, "a");
        send(&stream, "b");
        let first = stream.open(None, true);
        assert!(stream.is_heard());
        send(&stream, "c");
        assert_eq!(read(&first), ["", "a", "b", "c"]);
        let second = stream.open(None, false);
        assert!(!first.is_open(), "a session has one such stream");
        send(&stream, "d");
        assert_eq!(read(&second), ["d"]);
        second.abandon();
        assert!(!stream.is_heard());
        send(&stream, "e");
        assert_eq!(read(&stream.open(None, false)), ["e"]);
    }

    #[test]
    fn a_client_that_names_an_event_gets_every_later_one_again() {
        let stream = stream();
        for text in ["a", "b", "c"] {
            send(&stream, text);
        }
        assert_eq!(read(&stream.open(None, false)), ["a", "b", "c"]);
        let last = EventId {
            stream: STANDALONE,
            number: 1,
        };
        assert_eq!(read(&stream.open(Some(last), false)), ["b", "c"]);
    }

    #[test]
    fn a_client_that_does_not_read_loses_the_stream_and_not_the_last_message() {
        let stream = stream();
        let queue = stream.open(None, false);
        let long = "x".repeat(MAX_UNREAD_BYTES);
        send(&stream, &long);
        assert!(!queue.is_open());
        send(&stream, "after");
        assert_eq!(read(&queue), [long]);
        assert_eq!(read(&stream.open(None, false)), ["after"]);
    }
}
