//! Joins a client and its servers: messages pass in both directions, and every request is answered.
//!
//! ```text
//!          ClientSide            LinkState            ServerSide
//!  client ─► Peer ── request ──► open? ── forward ──► Peer ─► server
//!         ◄────────── answer, under the client's id ◄──────
//! ```
//!
//! The readers of both ends pass messages on themselves, in order. A judged call or a read that has to wait before it is sent,
//! for a list of tools, for room or for a retry, becomes a task of its own, and later requests may overtake it. A request at the
//! server is a table entry with a deadline. The entry is taken out once (by the answer, the deadline, a cancellation or the end
//! of the server), and with it the duty to answer the client.

mod answer;
mod asker;
mod server_side;
mod client_capabilities;
mod client_roots;
mod client_side;
mod client_stream;
mod last_words;
mod link_state;
mod supervise;
mod server_message_filter;
mod link;
mod message_backlog;
mod replay;
mod stray_output;
mod stuck;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::task::JoinSet;

pub(crate) use answer::{ended, lost, lost_by_client, tell_loss, unreached};
pub(crate) use asker::{AskFailure, AskReply, Asker, bytes};
pub(crate) use client_capabilities::ClientCapabilities;
pub(crate) use client_roots::returned as roots_returned;
pub(crate) use client_side::{ClientSide, RequestHandler};
pub(crate) use client_stream::ClientStream;
pub(crate) use link::{Link, ServerState};
pub(crate) use message_backlog::{LateRequests, MessageBacklog, WaitingMessage, answer_late};
pub(crate) use server_message_filter::ServerMessageFilter;
pub use supervise::SessionEnd;

use breakfall_mcp::connection::{Listener, Peer};
use breakfall_mcp::jsonrpc::FrameLimits;

/// The receiver of a client's messages, and the links to its servers. Built by [`crate::assembly`].
pub struct SessionRoute {
    /// Receives the messages of the client.
    pub(crate) listener: Arc<dyn Listener>,
    /// The servers, not started yet, each with the filter for its notifications and requests.
    pub(crate) links: Vec<(Link, Option<Arc<dyn ServerMessageFilter>>)>,
    /// The session ends with its only server.
    pub(crate) is_single: bool,
}

impl fmt::Debug for SessionRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SessionRoute").field(&self.links).finish()
    }
}

/// A client on a pair of streams, and its servers.
#[derive(Debug)]
pub struct Session {
    client: ClientStream,
    links: Vec<(Link, Option<Arc<dyn ServerMessageFilter>>)>,
    is_single: bool,
    stop: SessionStop,
}

impl Session {
    /// Starts to read the messages of the client.
    pub fn start<R, W>(reader: R, writer: W, limits: FrameLimits, route: SessionRoute) -> Self
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let links = route.links.iter().map(|(link, _)| link.clone());
        let stop = SessionStop {
            links: links.collect(),
            is_requested: Arc::default(),
        };
        Self {
            client: ClientStream::start(reader, writer, limits, route.listener),
            links: route.links,
            is_single: route.is_single,
            stop,
        }
    }

    /// Runs the servers until the client disconnects, or [`SessionStop::now`].
    pub async fn run(self) -> SessionEnd {
        let Self { client, stop, .. } = self;
        let mut servers = JoinSet::new();
        for (link, filter) in self.links {
            servers.spawn(link.keep(client.peer().clone(), filter));
        }
        let mut ended = None;
        tokio::select! {
            // Returns only if the server cannot be started.
            first = servers.join_next(), if self.is_single => ended = first,
            () = client.ended() => client.drain(DRAIN, stop.requested()).await,
            () = stop.requested() => {}
        }
        stop.links.iter().for_each(Link::halt);
        while let Some(next) = servers.join_next().await {
            ended = Some(next);
        }
        client.finish().await;
        match ended {
            Some(Ok(ended)) if self.is_single => ended,
            Some(Err(_)) => SessionEnd::Defect,
            Some(Ok(_)) | None => SessionEnd::Well,
        }
    }

    /// A handle that ends the session.
    pub fn stop(&self) -> SessionStop {
        self.stop.clone()
    }

    /// The client.
    pub fn client(&self) -> &Peer {
        self.client.peer()
    }
}

/// Ends a session.
#[derive(Debug, Clone)]
pub struct SessionStop {
    links: Vec<Link>,
    is_requested: Arc<Notify>,
}

impl SessionStop {
    /// Ends the session without waiting for open requests. If it is ending already, it ends sooner.
    pub fn now(&self) {
        self.is_requested.notify_one();
        self.links.iter().for_each(Link::hurry);
    }

    async fn requested(&self) {
        self.is_requested.notified().await;
    }
}

/// How long open requests may take once the client has closed its output.
const DRAIN: Duration = Duration::from_secs(5);
