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
mod asker;
mod back;
mod desk;
mod front;
mod keep;
mod lens;
mod link;
mod memory;
mod noise;

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, timeout};

pub(crate) use answer::{ended, lost_by_client, tell_loss, unreached};
pub(crate) use asker::{Asker, Failure, Heard, bytes};
pub(crate) use front::Front;
pub use keep::Ended;
pub(crate) use lens::Lens;
pub(crate) use link::{Link, State};

use crate::bridge::Gate;
use crate::upstream::Upstream;
use breakfall_mcp::access::Principal;
use breakfall_mcp::connection::{Peer, PeerRole, uncertain};
use breakfall_mcp::jsonrpc::FrameLimits;

/// A client in front, a server behind.
#[derive(Debug)]
pub struct Relay {
    link: Link,
    gate: Arc<Gate>,
    client: Peer,
}

impl Relay {
    /// Begins to listen to a client.
    pub fn start<R, W>(
        reader: R,
        writer: W,
        limits: FrameLimits,
        upstream: impl Into<Arc<Upstream>>,
    ) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let link = Link::new(upstream.into(), Principal::Anonymous);
        let gate = Gate::new(&link);
        let listener = Arc::clone(&gate) as Arc<_>;
        let client = Peer::start(PeerRole::Client, reader, writer, limits, listener);
        Self { link, gate, client }
    }

    /// Keeps a server behind the client until the client is gone, or [`Stop::now`].
    pub async fn run(self) -> Ended {
        let lens = Arc::clone(&self.gate) as Arc<_>;
        let mut keeper = tokio::spawn(self.link.clone().keep(self.client.clone(), Some(lens)));
        let ended = tokio::select! {
            // It gives up by itself only if there is nothing to keep.
            ended = &mut keeper => Some(ended),
            () = self.gate.hung_up() => {
                self.drain().await;
                None
            }
            // Nobody reads what we write: whatever is under way is for nobody.
            () = self.client.closed() => None,
            () = self.link.stopped() => None,
        };
        self.link.halt();
        let ended = match ended {
            Some(ended) => ended,
            None => keeper.await,
        };
        let ended = ended.unwrap_or(Ended::Defect);
        self.answer_the_rest().await;
        self.client.close();
        // A client that does not read does not keep us.
        let _ = timeout(LAST_WORDS, self.client.closed()).await;
        ended
    }

    /// Whatever waits for something else than the server waits no longer, and nothing is left without an answer.
    async fn answer_the_rest(&self) {
        self.client.dismiss();
        let until = Instant::now() + LAST_WORDS;
        while self.client.owed() > 0 && Instant::now() < until {
            tokio::time::sleep(STEP).await;
        }
        self.client.tell_the_rest(&uncertain(answer::ended()));
    }

    /// A handle to end it with.
    pub fn stop(&self) -> Stop {
        Stop(self.link.clone())
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
                () = self.link.stopped() => return,
            }
        }
    }
}

/// Ends a relay.
#[derive(Debug, Clone)]
pub struct Stop(Link);

impl Stop {
    /// Without waiting for what is under way; also while it ends already, to make it end sooner.
    pub fn now(&self) {
        self.0.stop();
    }
}

/// How long a client that has closed its end is still answered.
const DRAIN: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(10);
/// How long the last words to a client may take.
const LAST_WORDS: Duration = Duration::from_secs(1);
