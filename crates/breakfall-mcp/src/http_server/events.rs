//! A stream of server-sent events: how one is written, and what keeps it alive.

use std::fmt::{self, Write as _};
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::Bytes;
use memchr::memchr2;
use tokio::time::{Instant, Sleep, sleep_until};

use super::pipe::Pipe;
use super::pulse::Pulse;
use crate::jsonrpc::RawMessage;

/// The name of an event, by which a client comes back for what came after it: which stream of its session it stands
/// in, and its number in the session.
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
pub(super) fn event(id: Option<EventId>, message: &RawMessage) -> Bytes {
    let mut head = String::new();
    if let Some(id) = id {
        writeln!(head, "id: {id}").expect("a text takes everything");
    }
    head.push_str("data: ");
    let mut bytes = head.into_bytes();
    bytes.reserve(message.weight());
    let start = bytes.len();
    message.write_to(&mut bytes);
    put_on_one_line(&mut bytes[start..]);
    bytes.extend_from_slice(b"\n\n");
    bytes.into()
}

/// An event without a message, for a client to come back to that was cut off before there was one; it also says how
/// long to wait before that.
pub(super) fn priming(id: EventId) -> Bytes {
    format!("id: {id}\nretry: {RETRY}\ndata:\n\n").into()
}

/// A line break ends a line of an event. In JSON it means nothing.
fn put_on_one_line(mut json: &mut [u8]) {
    while let Some(at) = memchr2(b'\n', b'\r', json) {
        json[at] = b' ';
        json = &mut json[at + 1..];
    }
}

/// A stream as it is written: what is in a pipe, and a comment when there has been nothing for long, so that nobody
/// on the way takes the connection for dead.
pub(super) struct Events {
    pipe: Arc<Pipe>,
    quiet: Option<Pin<Box<Sleep>>>,
    /// The connection it is written to.
    connection: Option<Weak<Pulse>>,
    /// Told that nobody reads any more, and which connection has taken everything there is, if one has.
    left: Option<Left>,
}

type Left = Box<dyn FnOnce(Option<Weak<Pulse>>) + Send + Sync>;

impl Events {
    pub(super) fn new(
        pipe: Arc<Pipe>,
        left: impl FnOnce(Option<Weak<Pulse>>) + Send + Sync + 'static,
    ) -> Self {
        Self {
            pipe,
            quiet: None,
            connection: None,
            left: Some(Box::new(left)),
        }
    }

    /// Says where it is written to.
    pub(super) fn written_to(&mut self, connection: &Arc<Pulse>) {
        self.connection = Some(Arc::downgrade(connection));
    }

    pub(super) fn pipe(&self) -> &Arc<Pipe> {
        &self.pipe
    }

    pub(super) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Poll::Ready(next) = self.pipe.poll(context) {
            self.quiet = None;
            if next.is_none() {
                self.leave(!self.pipe.is_cut());
            }
            return Poll::Ready(next);
        }
        let until = || Box::pin(sleep_until(Instant::now() + QUIET));
        let quiet = self.quiet.get_or_insert_with(until);
        std::task::ready!(quiet.as_mut().poll(context));
        quiet.as_mut().reset(Instant::now() + QUIET);
        // Polled so that it is waited for from now on.
        let _ = quiet.as_mut().poll(context);
        Poll::Ready(Some(Bytes::from_static(b":\n\n")))
    }
}

impl Events {
    fn leave(&mut self, has_all: bool) {
        if let Some(left) = self.left.take() {
            self.pipe.leave();
            left(self.connection.take().filter(|_| has_all));
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.leave(false);
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Events").field(&self.pipe).finish()
    }
}

/// How long a stream or an answer may be quiet before a sign of life is given.
pub(super) const QUIET: Duration = Duration::from_secs(15);
/// After how many milliseconds a client may come back.
const RETRY: u32 = 3000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_one_line_whatever_the_message_looked_like() {
        let id = EventId {
            stream: 3,
            number: 17,
        };
        let message = b"{\"jsonrpc\":\"2.0\",\r\n \"method\":\"a\\nb\"\n}".to_vec();
        let event = event(Some(id), &message.into());
        let want = "id: 3_17\ndata: {\"jsonrpc\":\"2.0\",   \"method\":\"a\\nb\" }\n\n";
        assert_eq!(String::from_utf8_lossy(&event), want);
        assert_eq!(&priming(id)[..], b"id: 3_17\nretry: 3000\ndata:\n\n");
    }

    #[test]
    fn the_name_of_an_event_is_read_as_it_is_written() {
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
    async fn a_quiet_stream_gives_a_sign_of_life_now_and_then() {
        let pipe = Arc::<Pipe>::default();
        let mut events = Events::new(Arc::clone(&pipe), |_| {});
        let begun = Instant::now();
        let mut next = async || std::future::poll_fn(|context| events.poll_next(context)).await;
        for beats in 1..=3 {
            assert_eq!(next().await.as_deref(), Some(&b":\n\n"[..]));
            assert_eq!(begun.elapsed(), beats * QUIET);
        }
        tokio::time::advance(QUIET / 2).await;
        pipe.put(Bytes::from_static(b"data: 1\n\n"));
        assert_eq!(next().await.as_deref(), Some(&b"data: 1\n\n"[..]));
        assert_eq!(next().await.as_deref(), Some(&b":\n\n"[..]));
        assert_eq!(
            begun.elapsed(),
            4 * QUIET + QUIET / 2,
            "from the last event on"
        );
        pipe.end();
        assert_eq!(next().await, None);
    }
}
