//! Server-sent events: how one is written, and the comments that keep a stream alive.

use std::fmt::{self, Write as _};
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::Bytes;
use memchr::memchr2;
use tokio::time::{Instant, Sleep, sleep_until};

use super::connection_state::ConnectionState;
use super::event_queue::EventQueue;
use super::unread_answers::HeldBytes;
use crate::jsonrpc::RawMessage;

/// The id of an event, which a client sends back to resume: the stream within its session, and the number of the
/// event within the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventId {
    pub(super) stream: u64,
    pub(super) number: u64,
}

impl EventId {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (stream, number) = text.split_once('_')?;
        Some(Self {
            stream: stream.parse().ok()?,
            number: number.parse().ok()?,
        })
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.stream, self.number)
    }
}

/// A message as an event.
pub(super) fn encode_event(id: Option<EventId>, message: &RawMessage) -> Bytes {
    let mut head = String::new();
    if let Some(id) = id {
        writeln!(head, "id: {id}").expect("writing to a String cannot fail");
    }
    head.push_str("data: ");
    let mut bytes = head.into_bytes();
    bytes.reserve(message.weight());
    let start = bytes.len();
    message.write_to(&mut bytes);
    join_lines(&mut bytes[start..]);
    bytes.extend_from_slice(b"\n\n");
    bytes.into()
}

/// An event without a message, which gives a client an id to resume from before the first message, and a delay.
pub(super) fn priming_event(id: EventId) -> Bytes {
    format!("id: {id}\nretry: {RETRY_MS}\ndata:\n\n").into()
}

/// Replaces line breaks, which would end the `data` field. Between JSON tokens they mean the same as spaces.
fn join_lines(mut json: &mut [u8]) {
    while let Some(at) = memchr2(b'\n', b'\r', json) {
        json[at] = b' ';
        json = &mut json[at + 1..];
    }
}

/// A stream as it is written: the events of a queue, and a comment after a silence, so that no proxy takes the
/// connection for dead.
pub(super) struct EventStream {
    queue: Arc<EventQueue>,
    keep_alive: Option<Pin<Box<Sleep>>>,
    /// The connection it is written to.
    connection: Option<Weak<ConnectionState>>,
    on_close: Option<OnClose>,
}

/// Called when the stream closes, with the connection if that has taken every event.
type OnClose = Box<dyn FnOnce(Option<Weak<ConnectionState>>) + Send + Sync>;

impl EventStream {
    pub(super) fn new(
        queue: Arc<EventQueue>,
        on_close: impl FnOnce(Option<Weak<ConnectionState>>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            queue,
            keep_alive: None,
            connection: None,
            on_close: Some(Box::new(on_close)),
        }
    }

    pub(super) fn set_connection(&mut self, connection: &Arc<ConnectionState>) {
        self.connection = Some(Arc::downgrade(connection));
    }

    pub(super) fn queue(&self) -> &Arc<EventQueue> {
        &self.queue
    }

    pub(super) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<HeldBytes>> {
        if let Poll::Ready(next) = self.queue.poll(context) {
            self.keep_alive = None;
            if next.is_none() {
                self.close(!self.queue.is_replaced());
            }
            return Poll::Ready(next);
        }
        let until = || Box::pin(sleep_until(Instant::now() + KEEP_ALIVE));
        let keep_alive = self.keep_alive.get_or_insert_with(until);
        std::task::ready!(keep_alive.as_mut().poll(context));
        keep_alive.as_mut().reset(Instant::now() + KEEP_ALIVE);
        // Polled, so that the task is woken at its end.
        let _ = keep_alive.as_mut().poll(context);
        Poll::Ready(Some(HeldBytes::uncounted(Bytes::from_static(b":\n\n"))))
    }

    fn close(&mut self, is_complete: bool) {
        if let Some(on_close) = self.on_close.take() {
            self.queue.abandon();
            on_close(self.connection.take().filter(|_| is_complete));
        }
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.close(false);
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("EventStream").field(&self.queue).finish()
    }
}

/// The silence after which a stream carries a comment, and an answer becomes a stream.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// How long a client waits before it resumes.
const RETRY_MS: u32 = 3000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_of_an_event_is_one_line() {
        let id = EventId {
            stream: 3,
            number: 17,
        };
        let message = b"{\"jsonrpc\":\"2.0\",\r\n \"method\":\"a\\nb\"\n}".to_vec();
        let event = encode_event(Some(id), &message.into());
        let want = "id: 3_17\ndata: {\"jsonrpc\":\"2.0\",   \"method\":\"a\\nb\" }\n\n";
        assert_eq!(String::from_utf8_lossy(&event), want);
        assert_eq!(&priming_event(id)[..], b"id: 3_17\nretry: 3000\ndata:\n\n");
    }

    #[test]
    fn an_event_id_is_parsed_as_it_is_written() {
        let id = EventId {
            stream: 0,
            number: u64::MAX,
        };
        assert_eq!(EventId::parse(&id.to_string()), Some(id));
        for text in [
            "",
            "_",
            "1",
            "1_",
            "_1",
            "1_2_3",
            "-1_2",
            "a_b",
            "1_99999999999999999999",
        ] {
            assert_eq!(EventId::parse(text), None, "{text}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_carries_a_comment_every_fifteen_seconds() {
        let queue = Arc::<EventQueue>::default();
        let mut events = EventStream::new(Arc::clone(&queue), |_| {});
        let start = Instant::now();
        let mut next = async || std::future::poll_fn(|context| events.poll_next(context)).await;
        for beats in 1..=3 {
            assert_eq!(next().await.as_deref(), Some(&b":\n\n"[..]));
            assert_eq!(start.elapsed(), beats * KEEP_ALIVE);
        }
        tokio::time::advance(KEEP_ALIVE / 2).await;
        queue.push(Bytes::from_static(b"data: 1\n\n"));
        assert_eq!(next().await.as_deref(), Some(&b"data: 1\n\n"[..]));
        assert_eq!(next().await.as_deref(), Some(&b":\n\n"[..]));
        assert_eq!(
            start.elapsed(),
            4 * KEEP_ALIVE + KEEP_ALIVE / 2,
            "counted from the last event"
        );
        queue.end();
        assert!(next().await.is_none());
    }
}
