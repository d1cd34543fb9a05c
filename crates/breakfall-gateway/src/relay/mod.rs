//! Joins one client and one server: whatever one asks or tells, the other hears, and every question is answered.
//!
//! ```text
//!            Front                 Desk                  Back
//!  client ─► Peer ── request ──► open? ── forward ──► Peer ─► server
//!         ◄────────── answer, under the client's id ◄──────
//! ```
//!
//! The readers of both ends pass messages on themselves, in the order they came. What waits is a table entry with a
//! deadline, not a task: whoever takes the entry out (the answer, the deadline, a cancellation, the end of the
//! server) holds the only duty to answer the client.

mod answer;
mod desk;
mod keep;
mod memory;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, timeout};

pub use keep::Ended;

use crate::config::Patience;
use crate::envelope::{Frame, Limits, Message, Params, cancelled_id, named_twice, subscription_id};
use crate::peer::{Asked, Listener, Lost, Method, Peer, Side, Ticket};
use crate::upstream::Upstream;
use desk::Desk;
use memory::Memory;

/// A client in front, a server behind.
#[derive(Debug)]
pub struct Relay {
    shared: Arc<Shared>,
    client: Peer,
}

/// What both directions know.
#[derive(Debug)]
struct Shared {
    upstream: Upstream,
    desk: Mutex<Desk>,
    memory: Mutex<Memory>,
    /// Told when something waits for a server that is not started yet.
    wanted: Notify,
    /// Told when the client has said its last word.
    hung_up: Notify,
    /// Told when everything is to end.
    stop: Notify,
    /// Told when there is to be no server any more.
    halt: Notify,
    /// Told when whoever wants it to end may not wait for long.
    hurry: Notify,
}

impl Relay {
    /// Begins to listen to a client.
    pub fn start<R, W>(reader: R, writer: W, limits: Limits, upstream: Upstream) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let mut desk = Desk::Shut;
        desk.wait(Vec::new());
        let shared = Arc::new(Shared {
            upstream,
            desk: Mutex::new(desk),
            memory: Mutex::default(),
            wanted: Notify::new(),
            hung_up: Notify::new(),
            stop: Notify::new(),
            halt: Notify::new(),
            hurry: Notify::new(),
        });
        let front = Arc::new(Front(Arc::clone(&shared)));
        let client = Peer::start(Side::Client, reader, writer, limits, front);
        Self { shared, client }
    }

    /// Keeps a server behind the client until the client is gone, or [`Stop::now`].
    pub async fn run(self) -> Ended {
        let mut keeper = tokio::spawn(keep::run(Arc::clone(&self.shared), self.client.clone()));
        let ended = tokio::select! {
            // It gives up by itself only if there is nothing to keep.
            ended = &mut keeper => Some(ended),
            () = self.shared.hung_up.notified() => {
                self.drain().await;
                None
            }
            // Nobody reads what we write: whatever is under way is for nobody.
            () = self.client.closed() => None,
            () = self.shared.stop.notified() => None,
        };
        self.shared.halt.notify_one();
        let ended = match ended {
            Some(ended) => ended,
            None => keeper.await,
        };
        let ended = ended.unwrap_or(Ended::Defect);
        self.client.close();
        // A client that does not read does not keep us.
        let _ = timeout(LAST_WORDS, self.client.closed()).await;
        ended
    }

    /// A handle to end it with.
    pub fn stop(&self) -> Stop {
        Stop(Arc::clone(&self.shared))
    }

    /// The client.
    pub fn client(&self) -> &Peer {
        &self.client
    }

    /// The client has closed its end, which may mean that it is gone, or only that it has nothing more to ask: what
    /// it has asked is answered still, if that does not take long.
    async fn drain(&self) {
        let until = Instant::now() + DRAIN;
        while self.client.owed() > 0 && Instant::now() < until {
            tokio::select! {
                () = tokio::time::sleep(STEP) => {}
                () = self.client.closed() => return,
                () = self.shared.stop.notified() => return,
            }
        }
    }
}

/// Ends a relay.
#[derive(Debug, Clone)]
pub struct Stop(Arc<Shared>);

impl Stop {
    /// Without waiting for what is under way; also while it ends already, to make it end sooner.
    pub fn now(&self) {
        self.0.stop.notify_one();
        self.0.hurry.notify_one();
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk
            .lock()
            .expect("nobody panics while holding this lock")
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// Hears the client.
struct Front(Arc<Shared>);

impl Listener for Front {
    fn request(&self, frame: Frame, ticket: Ticket) {
        let shared = &*self.0;
        if frame.method() == "tools/call"
            && let Some(twice) = frame.body().and_then(named_twice)
        {
            return answer::named_twice(ticket, &twice);
        }
        let taken = shared.desk().request(frame, ticket, &shared.upstream);
        if let Err(refused) = taken {
            answer::refused(refused, &shared.upstream);
        }
        shared.wanted.notify_one();
    }

    fn notification(&self, frame: Frame) {
        self.0.memory().told(&frame);
        self.0.desk().notification(frame);
    }

    fn cancelled(&self, frame: Frame) {
        let ticket = cancelled_id(&frame).and_then(|(_, id)| self.0.desk().cancel(&id));
        if let Some(ticket) = ticket {
            ticket.withdraw();
        }
    }

    fn answered(&self, _: &Asked, _: &Frame) {}

    fn lost(&self, lost: Lost) {
        answer::lost_by_client(lost);
    }

    fn end(&self, lost: Vec<Lost>, _: usize) {
        lost.into_iter().for_each(answer::lost_by_client);
        self.0.hung_up.notify_one();
    }

    /// Nobody: a client is read always, since it may want to cancel.
    fn slower(&self) -> Option<Peer> {
        None
    }
}

/// Hears the server.
struct Back {
    shared: Arc<Shared>,
    client: Peer,
    /// Whether it has said anything yet.
    has_spoken: AtomicBool,
    ended: mpsc::UnboundedSender<Vec<Lost>>,
}

impl Listener for Back {
    fn request(&self, frame: Frame, ticket: Ticket) {
        self.has_spoken.store(true, Ordering::Relaxed);
        let params = Params::of(&frame);
        // People may be asked, who are slow: only the hard maximum counts.
        let total = self.shared.upstream.patience.total;
        let patience = Patience {
            quiet: total,
            total,
        };
        let sent = self
            .client
            .forward(frame, params, ticket, |_| patience, Instant::now());
        if let Err(lost) = sent {
            answer::lost_by_client(*lost);
        }
    }

    fn notification(&self, frame: Frame) {
        self.has_spoken.store(true, Ordering::Relaxed);
        let stream = subscription_id(&frame).and_then(|(at, id)| {
            let desk = self.shared.desk();
            let Desk::Open(server) = &*desk else {
                return None;
            };
            Some((at, server.stream_of(&id)?))
        });
        let message = match &stream {
            Some((at, id)) => Message::changed(frame, [(Some(at.clone()), id)]),
            None => frame.into(),
        };
        // A client that is gone is not told.
        let _ = self.client.notify(message);
    }

    /// A request that was passed on is cancelled where it went, and all of them were.
    fn cancelled(&self, _: Frame) {}

    fn answered(&self, asked: &Asked, answer: &Frame) {
        self.has_spoken.store(true, Ordering::Relaxed);
        self.shared.memory().answered(asked, answer);
    }

    fn lost(&self, lost: Lost) {
        answer::lost(lost, &self.shared.upstream);
    }

    fn end(&self, lost: Vec<Lost>, half: usize) {
        if half > 0 {
            tracing::warn!(
                upstream = &*self.shared.upstream.name,
                bytes = half,
                "the server ended in the middle of a line"
            );
        }
        let is_stream = |lost: &Lost| lost.asked.method == Method::Listen;
        let (streams, lost): (Vec<_>, Vec<_>) = lost.into_iter().partition(is_stream);
        let streams = streams.into_iter().filter_map(|lost| {
            lost.ticket.sent_nowhere();
            Some((lost.asked.again?, lost.ticket))
        });
        self.shared.desk().wait(streams.collect());
        // Nobody listens if everything is about to end.
        let _ = self.ended.send(lost);
    }

    fn slower(&self) -> Option<Peer> {
        Some(self.client.clone())
    }
}

/// How long a client that has closed its end is still answered.
const DRAIN: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(10);
/// How long the last words to a client may take.
const LAST_WORDS: Duration = Duration::from_secs(1);
