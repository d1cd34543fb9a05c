//! One client on a pair of streams, and many servers behind it.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::{All, Many};
use crate::session::Ended;
use breakfall_mcp::access::Principal;
use breakfall_mcp::connection::{Peer, PeerRole};
use breakfall_mcp::jsonrpc::FrameLimits;

/// A client in front, many servers behind.
#[derive(Debug)]
pub struct Hub {
    many: Many,
    client: Peer,
    stop: Arc<Notify>,
}

/// Ends a hub.
#[derive(Debug, Clone)]
pub struct Stop {
    many: Many,
    stop: Arc<Notify>,
}

impl Hub {
    /// Begins to listen to a client.
    pub fn start<R, W>(reader: R, writer: W, limits: FrameLimits, all: Arc<All>) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let many = Many::new(all, &Principal::Anonymous);
        let listener = Arc::new(many.clone());
        let client = Peer::start(PeerRole::Client, reader, writer, limits, listener);
        Self {
            many,
            client,
            stop: Arc::default(),
        }
    }

    /// Keeps servers behind the client until the client is gone, or [`Stop::now`].
    pub async fn run(self) {
        let links = self.many.links().into_iter();
        let keepers = links.map(|(link, lens)| tokio::spawn(link.keep(self.client.clone(), lens)));
        let keepers: Vec<_> = keepers.collect();
        tokio::select! {
            () = self.many.hung_up() => self.drain().await,
            // Nobody reads what we write: whatever is under way is for nobody.
            () = self.client.closed() => {}
            () = self.stop.notified() => {}
        }
        self.many.halt();
        for keeper in keepers {
            // A server that could not be started was told to everybody who asked for it.
            let _: Result<Ended, _> = keeper.await;
        }
        self.client.close();
        // A client that does not read does not keep us.
        let _ = timeout(LAST_WORDS, self.client.closed()).await;
    }

    /// A handle to end it with.
    pub fn stop(&self) -> Stop {
        Stop {
            many: self.many.clone(),
            stop: Arc::clone(&self.stop),
        }
    }

    /// The client.
    pub fn client(&self) -> &Peer {
        &self.client
    }

    /// What the client has asked is answered still, if that does not take long.
    async fn drain(&self) {
        let until = Instant::now() + DRAIN;
        while self.client.owed() > 0 && Instant::now() < until {
            tokio::select! {
                () = tokio::time::sleep(STEP) => {}
                () = self.client.closed() => return,
                () = self.stop.notified() => return,
            }
        }
    }
}

impl Stop {
    /// Without waiting for what is under way; also while it ends already, to make it end sooner.
    pub fn now(&self) {
        self.stop.notify_one();
        self.many.hurry();
    }
}

/// How long a client that has closed its end is still answered.
const DRAIN: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_millis(10);
/// How long the last words to a client may take.
const LAST_WORDS: Duration = Duration::from_secs(1);
