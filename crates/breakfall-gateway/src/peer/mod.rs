//! One end of a JSON-RPC connection, whoever sits at the other: the client in front of us, or the server behind us.
//!
//! A peer can be asked ([`Peer::request`]) and told ([`Peer::notify`]); what it asks and tells itself goes to a
//! [`Listener`]. Each direction has ids of its own, so whoever joins two peers never compares one's ids with the
//! other's: a request that came in is a [`Ticket`], one that went out is a [`Waiting`], and an answer moves from the
//! second to the first.

mod lines;
mod pending;
mod reader;
mod ticket;
mod writer;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncWrite};

pub use pending::{Answer, Gone, Waiting};
pub use reader::Listener;
pub use ticket::{Cancel, Ticket};
pub use writer::Full;

use crate::envelope::Limits;
use pending::Pending;
use ticket::Tickets;
use writer::Outbox;

/// A handle on one connection. Clones are the same connection.
#[derive(Debug, Clone)]
pub struct Peer(Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    side: Side,
    outbox: Outbox,
    pending: Pending,
    tickets: Tickets,
    noise: Noise,
}

/// Who sits at the other end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two sides of a proxy")]
pub enum Side {
    /// A client. Lines that are no message are answered.
    Client,
    /// A server. Lines that are no message are counted.
    Server,
}

/// What came in and was of no use.
#[derive(Debug, Default)]
struct Noise {
    lines: AtomicU64,
    strays: AtomicU64,
}

impl Peer {
    /// Starts reading and writing.
    pub fn start<R, W>(
        side: Side,
        reader: R,
        writer: W,
        limits: Limits,
        listener: Arc<dyn Listener>,
    ) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (outbox, queue) = Outbox::new();
        let peer = Self(Arc::new(Inner {
            side,
            outbox,
            pending: Pending::default(),
            tickets: Tickets::default(),
            noise: Noise::default(),
        }));
        tokio::spawn(writer::run(writer, queue, Arc::downgrade(&peer.0)));
        tokio::spawn(reader::run(reader, peer.clone(), limits, listener));
        peer
    }

    /// Tells, byte for byte.
    ///
    /// # Errors
    /// When the other end has not read for so long that nothing more may wait for it, or is gone.
    pub fn notify(&self, bytes: Vec<u8>) -> Result<(), Full> {
        self.0.outbox.put(bytes, None)
    }

    /// Ends writing once everything that waits is written; the other end sees the end of its input.
    pub fn close(&self) {
        self.0.outbox.close();
    }

    /// How many requests have gone out and are not answered.
    pub fn asked(&self) -> usize {
        self.0.pending.len()
    }

    /// How many requests have come in and are not answered.
    pub fn owed(&self) -> usize {
        self.0.tickets.len()
    }

    /// How many lines were no message.
    pub fn garbage(&self) -> u64 {
        self.0.noise.lines.load(Ordering::Relaxed)
    }

    /// How many answers, cancellations and progress reports came that belong to nothing.
    pub fn strays(&self) -> u64 {
        self.0.noise.strays.load(Ordering::Relaxed)
    }

    fn count_stray(&self) {
        self.0.noise.strays.fetch_add(1, Ordering::Relaxed);
    }

    fn count_garbage(&self) {
        self.0.noise.lines.fetch_add(1, Ordering::Relaxed);
    }
}
