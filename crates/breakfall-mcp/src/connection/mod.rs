//! One end of a JSON-RPC connection, whoever sits at the other: the client in front of us, or the server behind us.
//!
//! A peer can be asked and told; what it asks and tells itself goes to a `Listener`. Each direction has ids of its
//! own, so whoever joins two peers never compares one's ids with the other's: a request that came in is a [`Ticket`],
//! one that went out holds the ticket it answers, and the answer moves from the second to the first.

mod asked;
mod backlog;
mod came;
mod carrier;
mod crossing;
mod deadline;
mod ear;
mod hear;
mod isolate;
mod lines;
mod lost;
mod outbox;
mod pause;
mod pending;
mod reader;
mod ticket;
mod told;
mod way;
mod writer;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use breakfall::Fault;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

pub use asked::{RequestSummary, RpcMethod};
pub use backlog::{Backlog, BacklogLimits};
pub use came::{ForwardFailure, ForwardOutcome, OutcomeReceiver};
pub use carrier::{OutgoingMessage, Transport, TransportHeaders};
pub use ear::Inbound;
pub use hear::{Listener, RelatedRequest, ReplayMessage};
pub use lost::uncertain;
pub use lost::{AskOutcome, LossReason, LostRequest, TransportError};
pub use outbox::SendError;
pub use ticket::CancelReason;
pub use ticket::Ticket;
pub use told::REDACTOR;
pub use way::AuthChallenge;
pub use way::{FinalReply, ReplyChannel, ToolNaming};

use crate::jsonrpc::{FrameLimits, RawMessage};
use outbox::Outbox;
use pending::Pending;
use ticket::Tickets;

/// A handle on one connection. Clones are the same connection.
#[derive(Debug, Clone)]
pub struct Peer(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    side: PeerRole,
    outbox: Outbox,
    writing_ended: Notify,
    reading_ended: Notify,
    /// Told when nothing more is to be read.
    cut: Notify,
    pending: Pending,
    tickets: Tickets,
    /// Lines that were no message.
    garbage: AtomicU64,
    /// Answers, cancellations and progress that belong to nothing.
    strays: AtomicU64,
}

/// Who sits at the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two sides of a proxy")]
pub enum PeerRole {
    /// A client. Lines that are no message are answered.
    Client,
    /// A server. Lines that are no message are counted.
    Server,
}

impl Inner {
    fn new(side: PeerRole, carrier: Arc<dyn Transport>) -> Self {
        Self {
            side,
            outbox: Outbox::new(carrier),
            writing_ended: Notify::new(),
            reading_ended: Notify::new(),
            cut: Notify::new(),
            pending: Pending::default(),
            tickets: Tickets::default(),
            garbage: AtomicU64::new(0),
            strays: AtomicU64::new(0),
        }
    }

    /// Nothing more will be written.
    fn end_writing(&self) {
        self.outbox.close();
        self.writing_ended.notify_waiters();
        self.writing_ended.notify_one();
    }
}

impl Peer {
    /// Starts reading and writing lines.
    pub fn start<R, W>(
        side: PeerRole,
        reader: R,
        writer: W,
        limits: FrameLimits,
        listener: Arc<dyn Listener>,
    ) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let make =
            |inner: &Weak<Inner>| Inner::new(side, writer::Writer::start(writer, inner.clone()));
        let peer = Self(Arc::new_cyclic(make));
        peer.watch(&listener);
        tokio::spawn(reader::run(reader, peer.clone(), limits, listener));
        peer
    }

    /// Ends what is late from now on.
    fn watch(&self, listener: &Arc<dyn Listener>) {
        let (peer, listener) = (Arc::downgrade(&self.0), Arc::clone(listener));
        tokio::spawn(crossing::watch(peer, listener));
    }

    /// Tells, byte for byte.
    ///
    /// # Errors
    /// When the other end has not read for so long that nothing more may wait for it, or is gone.
    pub fn notify(&self, message: impl Into<RawMessage>) -> Result<(), SendError> {
        self.0.outbox.put(OutgoingMessage {
            message: message.into(),
            request: None,
            extra: None,
        })
    }

    /// A request is about to be carried: from now on nobody can say that it was not; false if nobody waits for it any
    /// more, and it is not to be carried.
    pub fn begin(&self, request: u64) -> bool {
        self.0.pending.mark_written(request)
    }

    /// Whether somebody waits for the answer to a request still.
    pub fn waits_for(&self, request: u64) -> bool {
        self.0.pending.has(request)
    }

    /// A message of such a weight waits no longer.
    pub fn sent(&self, weight: usize) {
        self.0.outbox.done(weight);
    }

    /// The carrier takes no more.
    pub fn end_writing(&self) {
        self.0.end_writing();
    }

    /// Ends writing once everything that waits is written; the other end sees the end of its input.
    pub fn close(&self) {
        self.0.outbox.close();
    }

    /// Reads no more, as if the other end were gone.
    pub fn cut(&self) {
        self.0.cut.notify_one();
    }

    /// Waits until the other end has read so much that a message of some size is taken.
    pub async fn room_for(&self, size: usize) {
        self.0.outbox.room_for(size).await;
    }

    /// Waits until nothing more is written, because of [`Self::close`] or because the other end does not listen.
    pub async fn closed(&self) {
        self.0.writing_ended.notified().await;
        self.0.writing_ended.notify_one();
    }

    /// Waits until the other end has sent its last message, and the listener has heard of that.
    pub async fn hung_up(&self) {
        self.0.reading_ended.notified().await;
        self.0.reading_ended.notify_one();
    }

    /// Waits until every request that came in is answered.
    pub async fn idle(&self) {
        self.0.tickets.idle().await;
    }

    /// Whether nothing more is written, or soon will not be.
    pub fn is_closed(&self) -> bool {
        self.0.outbox.is_closed()
    }

    /// How many requests have gone out and are not answered.
    pub fn asked(&self) -> usize {
        self.0.pending.len()
    }

    /// Everything is about to end: requests that are in here, and wait for something, wait no longer.
    pub fn dismiss(&self) {
        self.0.tickets.dismiss();
    }

    /// Answers whatever is not answered yet, whoever holds it. What comes of it later is not heard.
    pub fn tell_the_rest(&self, fault: &Fault) {
        self.0.tickets.give_up(fault, &self.0.outbox);
    }

    /// How many requests have come in and are not answered.
    pub fn owed(&self) -> usize {
        self.0.tickets.len()
    }

    /// How many lines were no message.
    pub fn garbage(&self) -> u64 {
        self.0.garbage.load(Ordering::Relaxed)
    }

    /// How many answers, cancellations and progress reports came that belong to nothing.
    pub fn strays(&self) -> u64 {
        self.0.strays.load(Ordering::Relaxed)
    }

    /// Whether two handles are on the same connection.
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn count_stray(&self) {
        self.0.strays.fetch_add(1, Ordering::Relaxed);
    }

    fn count_garbage(&self) {
        self.0.garbage.fetch_add(1, Ordering::Relaxed);
    }
}
