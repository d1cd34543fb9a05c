//! A session of a client of the older versions.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

use tokio::time::Instant;

use super::events::EventId;
use super::log::{LOOSE, Log};
use super::pipe::Pipe;
use crate::access::{Principal, Seat};
use crate::connection::{FinalReply, Inbound, OutgoingMessage, SendError, Transport};
use crate::protocol::Version;

/// One client, from its handshake until it goes or is not heard of for long.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) id: Box<str>,
    /// Where it began, which is where it stays.
    path: Box<str>,
    who: Principal,
    seat: Seat,
    pub(super) loose: Arc<Loose>,
    version: OnceLock<Version>,
    /// It has not come to a session.
    is_void: AtomicBool,
    last_seen: Mutex<Instant>,
    /// Responses that are being written.
    open: AtomicUsize,
}

impl Session {
    pub(super) fn new(
        id: Box<str>,
        path: &str,
        who: Principal,
        seat: Seat,
        loose: Arc<Loose>,
    ) -> Self {
        Self {
            id,
            path: path.into(),
            who,
            seat,
            loose,
            version: OnceLock::new(),
            is_void: AtomicBool::new(false),
            last_seen: Mutex::new(Instant::now()),
            open: AtomicUsize::new(0),
        }
    }

    pub(super) fn ear(&self) -> &Arc<Inbound> {
        self.seat.ear()
    }

    /// Whether it shall go once what is under way is answered.
    pub(super) fn is_dismissed(&self) -> bool {
        self.is_void.load(Ordering::Relaxed) || self.seat.is_dismissed()
    }

    /// Whether it is somebody's, there: an id alone opens nothing.
    pub(super) fn belongs(&self, path: &str, who: &Principal) -> bool {
        *self.path == *path && self.who == *who
    }

    /// The handshake is answered, and says what client and server agreed on.
    pub(super) fn begun(&self, answer: &FinalReply) {
        if let (None, Some(version)) = (self.version.get(), agreed(answer)) {
            // They agree once.
            let _ = self.version.set(version);
        }
    }

    /// The handshake has failed. A client may know the id already, and it stands for nothing.
    pub(super) fn void(&self) {
        if self.version.get().is_none() {
            self.is_void.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn primes(&self) -> bool {
        self.version.get().is_some_and(|version| version.primes())
    }

    /// Something of it goes on as long as this is kept.
    pub(super) fn enter(self: &Arc<Self>) -> Present {
        self.open.fetch_add(1, Ordering::Relaxed);
        Present(Arc::clone(self))
    }

    /// Since when nothing of it goes on.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        (self.open.load(Ordering::Relaxed) == 0).then(|| *self.seen())
    }

    fn seen(&self) -> MutexGuard<'_, Instant> {
        self.last_seen
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// What client and server agreed on, from the answer to the handshake.
fn agreed(last: &FinalReply) -> Option<Version> {
    #[derive(serde::Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        result: Result<'a>,
    }
    #[derive(serde::Deserialize)]
    struct Result<'a> {
        #[serde(borrow, rename = "protocolVersion")]
        version: std::borrow::Cow<'a, str>,
    }
    let mut bytes = Vec::new();
    last.message.write_to(&mut bytes);
    let answer: Answer<'_> = serde_json::from_slice(&bytes).ok()?;
    Version::of(&answer.result.version)
}

/// Something of a session goes on.
#[derive(Debug)]
pub(super) struct Present(Arc<Session>);

impl Present {
    pub(super) fn session(&self) -> &Session {
        &self.0
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        *self.0.seen() = Instant::now();
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Carries what belongs to no request: to the stream the client holds open for that, or to the next one it opens.
#[derive(Debug)]
pub(super) struct Loose {
    pub(super) log: Arc<Log>,
    ear: OnceLock<Weak<Inbound>>,
    stream: Mutex<Stream>,
}

#[derive(Debug, Default)]
struct Stream {
    pipe: Option<Arc<Pipe>>,
    /// The last event that was put into one.
    heard: u64,
}

impl Loose {
    pub(super) fn new(log: Arc<Log>) -> Self {
        Self {
            log,
            ear: OnceLock::new(),
            stream: Mutex::default(),
        }
    }

    /// Says for whom it carries. Nobody has anything to say before that.
    pub(super) fn belongs_to(&self, ear: &Arc<Inbound>) {
        // Once.
        let _ = self.ear.set(Arc::downgrade(ear));
    }

    /// The client opens a stream, after some event or simply now. There is one: a client that opens another has lost
    /// the first, even if nobody has noticed yet.
    pub(super) fn listen(&self, last: Option<EventId>, primes: bool) -> Arc<Pipe> {
        let mut stream = self.lock();
        let after = last.map_or(stream.heard, |last| last.number);
        let pipe = Arc::<Pipe>::default();
        if primes && last.is_none() {
            pipe.put(self.log.prime(LOOSE));
        }
        let missed = self.log.after(EventId {
            stream: LOOSE,
            number: after,
        });
        for (number, event) in missed {
            pipe.put(event);
            stream.heard = stream.heard.max(number);
        }
        if let Some(before) = stream.pipe.replace(Arc::clone(&pipe)) {
            before.end();
        }
        pipe
    }

    fn lock(&self) -> MutexGuard<'_, Stream> {
        self.stream
            .lock()
            .expect("nobody panics while holding this lock")
    }

    fn put(&self, parcel: &OutgoingMessage) {
        let mut stream = self.lock();
        let (number, event) = self.log.keep(LOOSE, &parcel.message);
        let is_heard = stream.pipe.as_ref().is_some_and(|pipe| {
            let is_read = pipe.put(event);
            // Who does not read loses the stream, and may come back for what the log keeps.
            if pipe.bytes() > MOST {
                pipe.end();
            }
            is_read
        });
        if is_heard {
            stream.heard = number;
        } else {
            stream.pipe = None;
        }
    }
}

impl Transport for Loose {
    fn carry(&self, parcel: OutgoingMessage) -> Result<(), SendError> {
        let ear = self
            .ear
            .get()
            .and_then(Weak::upgrade)
            .ok_or(SendError::Over)?;
        let is_wanted = parcel
            .request
            .is_none_or(|request| ear.peer().begin(request));
        if is_wanted {
            self.put(&parcel);
        }
        ear.peer().sent(parcel.message.weight());
        Ok(())
    }

    fn close(&self) {
        if let Some(pipe) = self.lock().pipe.take() {
            pipe.end();
        }
    }

    fn is_heard(&self) -> bool {
        self.lock().pipe.as_ref().is_some_and(|pipe| pipe.is_open())
    }
}

/// How much may wait for a client that does not read.
const MOST: usize = 4 << 20;

#[cfg(test)]
mod tests {
    use std::task::{Context, Poll, Waker};

    use super::super::logs::Logs;
    use super::*;

    fn loose() -> Loose {
        Loose::new(Arc::new(Log::new(Logs::new(usize::MAX))))
    }

    fn say(loose: &Loose, text: &str) {
        loose.put(&OutgoingMessage {
            message: format!("\"{text}\"").into_bytes().into(),
            request: None,
            extra: None,
        });
    }

    /// The messages that can be read now.
    fn heard(pipe: &Pipe) -> Vec<String> {
        let mut context = Context::from_waker(Waker::noop());
        let events = std::iter::from_fn(|| match pipe.poll(&mut context) {
            Poll::Ready(event) => event,
            Poll::Pending => None,
        });
        let text = |event: hyper::body::Bytes| {
            let text = String::from_utf8_lossy(&event).into_owned();
            let (_, data) = text.split_once("data:").expect("an event");
            data.trim().trim_matches('"').to_owned()
        };
        events.map(text).collect()
    }

    #[test]
    fn what_nobody_heard_waits_and_what_was_heard_is_not_repeated() {
        let loose = loose();
        assert!(!loose.is_heard());
        say(&loose, "a");
        say(&loose, "b");
        let first = loose.listen(None, true);
        assert!(loose.is_heard());
        say(&loose, "c");
        assert_eq!(heard(&first), ["", "a", "b", "c"]);
        let second = loose.listen(None, false);
        assert!(!first.is_open(), "there is one");
        say(&loose, "d");
        assert_eq!(heard(&second), ["d"]);
        second.leave();
        assert!(!loose.is_heard());
        say(&loose, "e");
        assert_eq!(heard(&loose.listen(None, false)), ["e"]);
    }

    #[test]
    fn who_names_an_event_hears_everything_after_it_again() {
        let loose = loose();
        for text in ["a", "b", "c"] {
            say(&loose, text);
        }
        assert_eq!(heard(&loose.listen(None, false)), ["a", "b", "c"]);
        let last = EventId {
            stream: LOOSE,
            number: 1,
        };
        assert_eq!(heard(&loose.listen(Some(last), false)), ["b", "c"]);
    }

    #[test]
    fn who_does_not_read_loses_the_stream_and_not_the_last_message() {
        let loose = loose();
        let pipe = loose.listen(None, false);
        let long = "x".repeat(MOST);
        say(&loose, &long);
        assert!(!pipe.is_open());
        say(&loose, "after");
        assert_eq!(heard(&pipe), [long]);
        assert_eq!(heard(&loose.listen(None, false)), ["after"]);
    }
}
