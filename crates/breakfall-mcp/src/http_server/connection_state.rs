//! The state of each connection: busy, idle or stalled, without a timer for every request.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::task::Poll;

use tokio::sync::Notify;
use tokio::sync::futures::Notified;
use tokio::task::AbortHandle;

use super::tracked_body::TrackedBody;
use super::unread_answers::{CarriedResponse, UnreadAnswers};
use crate::sync::Mutex;

/// The clock of all connections of a server. Its unit is the beat, in which connections are looked at.
#[derive(Debug)]
pub(super) struct ConnectionClock {
    beats: AtomicU32,
    is_draining: AtomicBool,
    changed: Notify,
}

impl Default for ConnectionClock {
    /// Starts at 1, because a connection stores 0 for "never".
    fn default() -> Self {
        Self {
            beats: AtomicU32::new(1),
            is_draining: AtomicBool::new(false),
            changed: Notify::new(),
        }
    }
}

impl ConnectionClock {
    fn now(&self) -> u32 {
        self.beats.load(Ordering::Relaxed)
    }

    pub(super) fn advance(&self) {
        self.beats.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn start_drain(&self) {
        self.is_draining.store(true, Ordering::SeqCst);
    }

    pub(super) fn notify(&self) {
        self.changed.notify_waiters();
    }

    /// Completes at the next change that [`Self::notify`] tells.
    pub(super) fn changed(&self) -> Notified<'_> {
        self.changed.notified()
    }

    /// Tells a drain that a connection may have become idle. Outside a drain this costs one load.
    fn notify_drain(&self) {
        if self.is_draining.load(Ordering::SeqCst) {
            self.notify();
        }
    }
}

/// What a connection is doing.
#[derive(Debug)]
pub(super) struct ConnectionState {
    clock: Arc<ConnectionClock>,
    /// The task that serves it.
    task: OnceLock<AbortHandle>,
    /// The number of open requests.
    open_requests: AtomicU32,
    /// The beat at which the last open request ended.
    idle_since: AtomicU32,
    /// The beat at which the headers of a request began to arrive; 0 if none do.
    head_since: AtomicU32,
    /// The beat since which the client has read nothing of what is written; 0 if it reads.
    stuck_since: AtomicU32,
    /// Responses with a window of their own (HTTP/2): writes to the connection do not tell whether they are read.
    tracked: Mutex<TrackedBodies>,
}

#[derive(Debug, Default)]
struct TrackedBodies {
    bodies: Vec<Weak<TrackedBody>>,
    /// The length at which the list is searched for bodies that are gone.
    prune_at: usize,
}

/// What is to be done about a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConnectionVerdict {
    /// A request is open, or its response is being written.
    Busy,
    /// No request has been open for so many beats.
    Idle(u32),
    /// The headers do not arrive, or the client does not read.
    Stalled,
}

impl ConnectionState {
    pub(super) fn new(clock: Arc<ConnectionClock>) -> Arc<Self> {
        let now = clock.now();
        Arc::new(Self {
            clock,
            task: OnceLock::new(),
            open_requests: AtomicU32::new(0),
            idle_since: AtomicU32::new(now),
            head_since: AtomicU32::new(0),
            stuck_since: AtomicU32::new(0),
            tracked: Mutex::default(),
        })
    }

    /// Sets the task that serves it.
    pub(super) fn served_by(&self, task: AbortHandle) {
        // Set once, when the task starts.
        let _ = self.task.set(task);
    }

    /// Closes the connection at once.
    pub(super) fn close(&self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }

    /// The headers of a request have arrived.
    pub(super) fn begin_request(self: &Arc<Self>) -> RequestGuard {
        self.head_since.store(0, Ordering::Relaxed);
        self.open_requests.fetch_add(1, Ordering::Relaxed);
        RequestGuard {
            connection: Arc::clone(self),
            carried: None,
        }
    }

    pub(super) fn verdict(&self) -> ConnectionVerdict {
        let now = self.now();
        let stuck_since = self.stuck_since.load(Ordering::Relaxed);
        let is_stuck = stuck_since > 0;
        if is_stuck && now.saturating_sub(stuck_since) >= UNREAD_BEATS || self.has_unread_body() {
            return ConnectionVerdict::Stalled;
        }
        // The end of a response may wait to be read after its request is done.
        if is_stuck || self.open_requests.load(Ordering::SeqCst) > 0 {
            return ConnectionVerdict::Busy;
        }
        match self.head_since.load(Ordering::Relaxed) {
            0 => {
                let idle_since = self.idle_since.load(Ordering::Relaxed);
                ConnectionVerdict::Idle(now.saturating_sub(idle_since))
            }
            since if now.saturating_sub(since) >= HEADER_BEATS => ConnectionVerdict::Stalled,
            _ => ConnectionVerdict::Busy,
        }
    }

    /// Includes a response in the verdict.
    pub(super) fn track(&self, body: &Arc<TrackedBody>) {
        let mut tracked = self.tracked.lock();
        if tracked.bodies.len() >= tracked.prune_at {
            tracked.bodies.retain(|body| body.strong_count() > 0);
            tracked.prune_at = (2 * tracked.bodies.len()).max(MIN_PRUNE_LENGTH);
        }
        tracked.bodies.push(Arc::downgrade(body));
    }

    /// Whether the client has read everything so far.
    pub(super) fn is_written(&self) -> bool {
        let is_stuck = self.stuck_since.load(Ordering::Relaxed) > 0;
        !is_stuck && !self.bodies().any(|body| body.is_unread())
    }

    /// The current beat.
    pub(super) fn now(&self) -> u32 {
        self.clock.now()
    }

    fn has_unread_body(&self) -> bool {
        // Every body is asked: that is how one without data restarts its count.
        let unread = self
            .bodies()
            .filter(|body| body.unread_beats() >= UNREAD_BEATS);
        unread.count() > 0
    }

    fn bodies(&self) -> impl Iterator<Item = Arc<TrackedBody>> {
        // Collected, because dropping the last clone of a body takes this lock again.
        let tracked = self.tracked.lock();
        let bodies: Vec<_> = tracked.bodies.iter().filter_map(Weak::upgrade).collect();
        drop(tracked);
        bodies.into_iter()
    }

    /// The bytes received so far were the HTTP/2 preface, not headers.
    pub(super) fn preface_received(&self) {
        self.head_since.store(0, Ordering::Relaxed);
    }

    /// Bytes have arrived.
    pub(super) fn received(&self) {
        let is_waiting = self.open_requests.load(Ordering::Relaxed) == 0;
        if is_waiting && self.head_since.load(Ordering::Relaxed) == 0 {
            self.head_since.store(self.now(), Ordering::Relaxed);
        }
    }

    /// A write was tried.
    pub(super) fn wrote<T>(&self, written: &Poll<T>) {
        let stuck_since = self.stuck_since.load(Ordering::Relaxed);
        match written {
            Poll::Pending if stuck_since == 0 => {
                self.stuck_since.store(self.now(), Ordering::Relaxed);
            }
            Poll::Ready(_) if stuck_since > 0 => {
                self.stuck_since.store(0, Ordering::Relaxed);
                // A client that reads slowly is not idle.
                self.idle_since.store(self.now(), Ordering::Relaxed);
                self.clock.notify_drain();
            }
            Poll::Pending | Poll::Ready(_) => {}
        }
    }
}

/// Keeps a request open until its response is written.
#[derive(Debug)]
pub(super) struct RequestGuard {
    connection: Arc<ConnectionState>,
    carried: Option<CarriedResponse>,
}

impl RequestGuard {
    pub(super) fn connection(&self) -> &Arc<ConnectionState> {
        &self.connection
    }

    /// The response belongs to a client, whose end closes the connection.
    pub(super) fn carries(&mut self, answers: &Arc<UnreadAnswers>) {
        self.carried = Some(answers.carry(&self.connection));
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let state = &self.connection;
        state.idle_since.store(state.now(), Ordering::Relaxed);
        state.open_requests.fetch_sub(1, Ordering::SeqCst);
        state.clock.notify_drain();
    }
}

/// How many beats the headers of a request may take.
pub(super) const HEADER_BEATS: u32 = 10;
/// How many beats a client may read nothing of its response.
const UNREAD_BEATS: u32 = 60;
const MIN_PRUNE_LENGTH: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> (Arc<ConnectionState>, impl Fn(u32)) {
        let clock = Arc::<ConnectionClock>::default();
        let state = ConnectionState::new(Arc::clone(&clock));
        (state, move |beats| (0..beats).for_each(|_| clock.advance()))
    }

    #[test]
    fn headers_must_arrive_in_time_and_an_open_request_is_busy() {
        let (state, beats) = state();
        beats(5);
        assert_eq!(state.verdict(), ConnectionVerdict::Idle(5));
        // The headers arrive byte by byte.
        for _ in 1..HEADER_BEATS {
            state.received();
            beats(1);
            assert_eq!(state.verdict(), ConnectionVerdict::Busy);
        }
        state.received();
        beats(1);
        assert_eq!(state.verdict(), ConnectionVerdict::Stalled);
        // Their end arrives.
        let first = state.begin_request();
        let second = state.begin_request();
        beats(1000);
        state.received();
        drop(first);
        assert_eq!(state.verdict(), ConnectionVerdict::Busy);
        drop(second);
        assert_eq!(state.verdict(), ConnectionVerdict::Idle(0));
        beats(3);
        assert_eq!(state.verdict(), ConnectionVerdict::Idle(3));
    }

    #[test]
    fn a_blocked_write_is_busy_until_the_client_reads_nothing_for_too_long() {
        let (state, beats) = state();
        for _ in 0..3 {
            state.wrote::<()>(&Poll::Pending);
            assert!(!state.is_written());
            beats(UNREAD_BEATS - 1);
            assert_eq!(state.verdict(), ConnectionVerdict::Busy);
            state.wrote(&Poll::Ready(()));
            assert!(state.is_written());
        }
        assert_eq!(state.verdict(), ConnectionVerdict::Idle(0));
        state.wrote::<()>(&Poll::Pending);
        beats(UNREAD_BEATS);
        assert_eq!(state.verdict(), ConnectionVerdict::Stalled);
    }
}
