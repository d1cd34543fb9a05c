//! One end of a JSON-RPC connection, to a client or to a server.
//!
//! A [`Peer`] sends; what comes in goes to a [`Listener`]. Each direction has ids of its own, so a proxy that joins two peers
//! never compares their ids: a request that came in is a [`Ticket`], the request that is forwarded for it holds the ticket,
//! and the answer is sent with it.
//!
//! | file | |
//! |---|---|
//! | `reader`, `line_writer` | the tasks of a connection of lines |
//! | `inbound`, `transport` | the two ends of any other transport |
//! | `dispatch`, `listener` | what comes in, and its handler |
//! | `ticket` | requests that came in |
//! | `pending`, `deadline`, `forward`, `answers` | requests that were sent |
//! | `read_activity` | how long the other end has been silent |
//! | `outbox` | the bound on what waits to be sent |

mod answers;
mod backlog;
mod client_name;
mod deadline;
mod deadline_pause;
mod dispatch;
mod forward;
mod inbound;
mod isolate;
mod line_writer;
mod listener;
mod outbox;
mod outcome;
mod pending;
mod read_activity;
mod reader;
mod reply_channel;
mod request_summary;
mod ticket;
mod transport;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use breakfall::Fault;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;

pub use backlog::{Backlog, BacklogLimits};
pub use client_name::client_name;
pub use inbound::Inbound;
pub use isolate::isolate;
pub use listener::{Listener, RelatedRequest, ReplayMessage};
pub use outbox::SendError;
pub use outcome::{AskOutcome, LossReason, LostRequest, TransportError};
pub use outcome::{ForwardFailure, ForwardOutcome, OutcomeReceiver};
pub use reply_channel::{AuthChallenge, FinalReply, ReplyChannel, ToolNaming};
pub use request_summary::{RequestSummary, RpcMethod};
pub use ticket::{CancelReason, Ticket};
pub use transport::{OutgoingMessage, Transport, TransportHeaders};

use crate::error::ReplyOptions;
use crate::jsonrpc::{FrameLimits, RawMessage};
use outbox::Outbox;
use pending::PendingRequests;
use read_activity::ReadActivity;
use ticket::Tickets;

/// A handle on one connection. Clones are the same connection.
#[derive(Debug, Clone)]
pub struct Peer(Arc<Connection>);

#[derive(Debug)]
struct Connection {
    side: PeerRole,
    /// How requests are answered that fail here.
    replies: ReplyOptions,
    outbox: Outbox,
    writing_ended: Notify,
    /// Notified when nothing more is read.
    reading_ended: Notify,
    /// Notified when nothing more is to be read.
    cut: Notify,
    reading: ReadActivity,
    pending: PendingRequests,
    tickets: Tickets,
    /// How many lines were not messages.
    garbage: AtomicU64,
    /// How many answers, cancellations and progress reports belonged to no request.
    strays: AtomicU64,
    /// The name a client gave itself in its handshake.
    client_name: OnceLock<Box<str>>,
}

/// What the other end is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two sides of a proxy")]
pub enum PeerRole {
    /// A client. Lines that are not messages are answered.
    Client,
    /// A server. Lines that are not messages are counted.
    Server,
}

impl Connection {
    fn new(side: PeerRole, replies: ReplyOptions, transport: Arc<dyn Transport>) -> Self {
        Self {
            side,
            replies,
            outbox: Outbox::new(transport),
            writing_ended: Notify::new(),
            reading_ended: Notify::new(),
            cut: Notify::new(),
            reading: ReadActivity::default(),
            pending: PendingRequests::default(),
            tickets: Tickets::default(),
            garbage: AtomicU64::new(0),
            strays: AtomicU64::new(0),
            client_name: OnceLock::new(),
        }
    }

    /// Nothing more is written.
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
        let replies = listener.reply_options();
        let make = |inner: &Weak<Connection>| {
            let transport = line_writer::LineWriter::start(writer, inner.clone());
            Connection::new(side, replies, transport)
        };
        let peer = Self(Arc::new_cyclic(make));
        peer.watch_deadlines(&listener);
        tokio::spawn(reader::run(reader, peer.clone(), limits, listener));
        peer
    }

    /// Starts the task that ends requests whose deadline passes.
    fn watch_deadlines(&self, listener: &Arc<dyn Listener>) {
        let (peer, listener) = (Arc::downgrade(&self.0), Arc::clone(listener));
        tokio::spawn(answers::watch_deadlines(peer, listener));
    }

    /// Sends a message, byte for byte.
    ///
    /// # Errors
    /// When too much waits for the other end, or it is gone.
    pub fn notify(&self, message: impl Into<RawMessage>) -> Result<(), SendError> {
        self.0.outbox.put(OutgoingMessage {
            message: message.into(),
            request: None,
            extra: None,
        })
    }

    /// Marks a request as written, before it is; false if it is not pending any more, and must not be written.
    pub fn begin(&self, request: u64) -> bool {
        self.0.pending.mark_written(request)
    }

    /// Whether a request may be sent twice without harm; false if it is not pending.
    pub fn may_repeat(&self, request: u64) -> bool {
        self.0.pending.may_repeat(request)
    }

    /// Whether a request is pending.
    pub fn waits_for(&self, request: u64) -> bool {
        self.0.pending.has(request)
    }

    /// A message of that weight is written.
    pub fn sent(&self, weight: usize) {
        self.0.outbox.done(weight);
    }

    /// The transport takes no more.
    pub fn end_writing(&self) {
        self.0.end_writing();
    }

    /// Ends writing once everything that waits is written.
    pub fn close(&self) {
        self.0.outbox.close();
    }

    /// Stops reading, as if the other end were gone.
    pub fn cut(&self) {
        self.0.cut.notify_one();
    }

    /// Waits until there is room for a message of some size.
    pub async fn room_for(&self, size: usize) {
        self.0.outbox.room_for(size).await;
    }

    /// Waits until writing has ended, because of [`Self::close`] or because the other end is gone.
    pub async fn closed(&self) {
        self.0.writing_ended.notified().await;
        self.0.writing_ended.notify_one();
    }

    /// Waits until the other end has sent its last message, and the listener has handled that.
    pub async fn hung_up(&self) {
        self.0.reading_ended.notified().await;
        self.0.reading_ended.notify_one();
    }

    /// Waits until every request that came in is answered.
    pub async fn idle(&self) {
        self.0.tickets.idle().await;
    }

    /// Whether writing has ended, or is about to.
    pub fn is_closed(&self) -> bool {
        self.0.outbox.is_closed()
    }

    /// How many requests were sent and are not answered.
    pub fn asked(&self) -> usize {
        self.0.pending.len()
    }

    /// The process shuts down: requests that are not forwarded are cancelled.
    pub fn dismiss(&self) {
        self.0.tickets.dismiss();
    }

    /// Answers all open requests with a fault, wherever they are. Later answers are dropped.
    pub fn fail_open_requests(&self, fault: &Fault) {
        self.0
            .tickets
            .give_up(fault, &self.0.replies, &self.0.outbox);
    }

    /// How many requests came in and are not answered.
    pub fn owed(&self) -> usize {
        self.0.tickets.len()
    }

    /// How many lines were not messages.
    pub fn garbage(&self) -> u64 {
        self.0.garbage.load(Ordering::Relaxed)
    }

    /// How many answers, cancellations and progress reports belonged to no request.
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
