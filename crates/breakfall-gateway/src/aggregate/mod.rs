//! Many servers as one: their lists are joined, and each request goes to the server it names.
//!
//! ```text
//!            Aggregate                     Link (one for each server)
//!  client ─► files__read ── inward ──► read ─► files
//!         ◄─ answer ────── outward ◄────────
//!         ─► tools/list ── gather ───► tools/list ─► files, shop, …
//!         ◄─ one list ──── merge ◄──────────
//! ```
//!
//! | what | from outside |
//! |---|---|
//! | names of tools and prompts | `files__read` ([`config::UpstreamNames`]) |
//! | addresses of resources | `breakfall://files/file:///a` (`uris`) |
//! | ids of tasks and elicitations | `files__7` |
//! | cursors, the state of a request | sealed ([`Seal`]) |
//!
//! A server that does not answer adds a warning and little delay: a list waits for it a moment, less the next time,
//! and is announced as changed when the server is back.

mod ask;
#[cfg(any(test, fuzzing))]
pub mod fuzzed;
mod gather;
mod greet;
mod inward;
mod list;
mod listen;
mod member;
mod merge;
mod outward;
mod probe;
mod route;
mod seal;
#[cfg(test)]
mod tests;
mod unknown;
mod uris;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use breakfall::wire::Rpc;
use breakfall::{Fault, codes};
use serde_json::json;

pub use seal::Seal;

use crate::bridge::EraBridge;
use crate::config::{self, NameConflict, UpstreamNames};
use crate::session::{self, Link, ServerMessageFilter};
use crate::upstream::Upstream;
use breakfall_mcp::access::Principal;
use breakfall_mcp::connection::{Listener, LostRequest, Peer, RelatedRequest, Ticket};
use breakfall_mcp::error::ReplyOptions;
use breakfall_mcp::jsonrpc::{Frame, Id, RequestParams};
use breakfall_mcp::protocol::method;
use breakfall_mcp::sync::Mutex;
use gather::OpenRequest;
use list::ListMethod;
use listen::NotificationStream;
use member::AggregateMember;
use merge::Merger;
use outward::ServerView;

/// The servers to join, and how.
#[derive(Debug)]
#[non_exhaustive]
pub struct ServerGroup {
    upstreams: Vec<Arc<Upstream>>,
    names: UpstreamNames,
    seal: Seal,
    /// Whether the tools of a lost server stay listed.
    pub lost: config::LostUpstream,
    /// How requests are answered that fail before a server is chosen.
    pub replies: ReplyOptions,
    /// Servers that were too late for the last handshake of any client.
    late: Vec<AtomicBool>,
}

impl ServerGroup {
    /// Joins these servers, with the separator between their names and those of tools.
    ///
    /// # Errors
    /// When the separator leaves names ambiguous.
    pub fn new(
        upstreams: Vec<Arc<Upstream>>,
        separator: &str,
        seal: Seal,
    ) -> Result<Self, NameConflict> {
        let names =
            UpstreamNames::new(upstreams.iter().map(|upstream| &*upstream.name), separator)?;
        Ok(Self {
            late: upstreams.iter().map(|_| AtomicBool::default()).collect(),
            upstreams,
            names,
            seal,
            lost: config::LostUpstream::Keep,
            replies: ReplyOptions::default(),
        })
    }
}

/// Receives the messages of one client for many servers. Clones share their state.
#[derive(Debug, Clone)]
pub(crate) struct Aggregate(Arc<AggregateInner>);

#[derive(Debug)]
struct AggregateInner {
    all: Arc<ServerGroup>,
    principal: Box<str>,
    members: Vec<AggregateMember>,
    /// Requests that are answered here, while their parts are gathered.
    open: Mutex<HashMap<Id, Arc<OpenRequest>>>,
    streams: Mutex<Vec<Weak<NotificationStream>>>,
    /// The client's `notifications/initialized`.
    initialized: Mutex<Option<(Frame, Peer)>>,
}

impl Aggregate {
    /// For an authenticated client.
    pub(crate) fn new(all: Arc<ServerGroup>, principal: &Principal) -> Self {
        let upstreams = all.upstreams.iter();
        let links = upstreams.map(|one| Link::new(Arc::clone(one), principal.clone()));
        let members = links.map(AggregateMember::new).collect();
        Self(Arc::new(AggregateInner {
            all,
            principal: principal.mark().into(),
            members,
            open: Mutex::default(),
            streams: Mutex::default(),
            initialized: Mutex::default(),
        }))
    }

    /// The links, not supervised yet, each with the filter for messages of its server.
    pub(crate) fn links(&self) -> Vec<(Link, Option<Arc<dyn ServerMessageFilter>>)> {
        let members = self.0.members.iter().enumerate();
        let links = members.map(|(at, member)| {
            let filter: Arc<dyn ServerMessageFilter> = Arc::new(MemberFilter {
                many: Arc::downgrade(&self.0),
                at,
                first: Arc::clone(&member.front),
            });
            (member.link.clone(), Some(filter))
        });
        links.collect()
    }

    fn member(&self, at: usize) -> &AggregateMember {
        &self.0.members[at]
    }

    /// Whether a server did not answer a greeting in time the last time.
    fn is_late(&self, at: usize) -> bool {
        self.0.all.late[at].load(Ordering::Relaxed)
    }

    fn set_late(&self, at: usize, is_late: bool) {
        self.0.all.late[at].store(is_late, Ordering::Relaxed);
    }

    fn names(&self) -> &UpstreamNames {
        &self.0.all.names
    }

    fn view(&self, at: usize) -> ServerView<'_> {
        self.asker(false).view(at)
    }

    fn asker(&self, is_modern: bool) -> Merger<'_> {
        Merger {
            names: &self.0.all.names,
            seal: &self.0.all.seal,
            principal: &self.0.principal,
            is_modern,
        }
    }
}

impl Listener for Aggregate {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        let method = frame.method();
        if let Some(list) = ListMethod::of(&method) {
            return self.list(list, frame, ticket);
        }
        match &*method {
            method::INITIALIZE => self.initialize(frame, ticket),
            method::DISCOVER => self.discover(frame, ticket),
            method::PING => ticket.result(&json!({})),
            method::LOGGING_SET_LEVEL => self.level(&frame, ticket),
            method::SUBSCRIPTIONS_LISTEN => self.listen(&frame, ticket),
            _ => self.route(frame, ticket),
        }
    }

    fn notification(&self, frame: Frame, from: &Peer, _: RelatedRequest) {
        if frame.method() == method::INITIALIZED {
            *self.0.initialized.lock() = Some((frame.clone(), from.clone()));
        }
        for (at, member) in self.0.members.iter().enumerate() {
            member.notification(inward::told(self.view(at), frame.clone()), from);
        }
    }

    fn cancelled(&self, key: &Id) {
        // The lock is released first: parts of a stream that ends take it, too.
        let open = self.0.open.lock().remove(key);
        if let Some(open) = open {
            return open.cancel(self);
        }
        let members = self.0.members.iter();
        members.for_each(|member| member.cancelled(key));
    }

    fn lost(&self, lost: LostRequest) {
        session::lost_by_client(lost);
    }

    fn reply_options(&self) -> ReplyOptions {
        self.0.all.replies.clone()
    }

    fn end(&self, lost: Vec<LostRequest>, _: usize) {
        lost.into_iter().for_each(session::lost_by_client);
        for member in &self.0.members {
            member.front.end(Vec::new(), 0);
        }
    }
}

/// Rewrites notifications and requests of one server for the client, after the bridge has translated them.
#[derive(Debug)]
struct MemberFilter {
    many: Weak<AggregateInner>,
    at: usize,
    first: Arc<EraBridge>,
}

impl ServerMessageFilter for MemberFilter {
    fn told(&self, frame: Frame) -> Option<Frame> {
        let many = Aggregate(self.many.upgrade()?);
        let frame = self.first.told(frame)?;
        Some(outward::told(many.view(self.at), frame))
    }

    fn asked(&self, frame: Frame, ticket: Ticket) -> Option<(Frame, Ticket)> {
        let many = Aggregate(self.many.upgrade()?);
        let (frame, ticket) = self.first.asked(frame, ticket)?;
        let frame = outward::told(many.view(self.at), frame);
        let at = self.at;
        let ticket = ticket.then(move |answer, ticket, method| {
            ticket.answer(inward::told(many.view(at), answer), method);
        });
        Some((frame, ticket))
    }
}

/// Whether a request is of a modern client, which states its version in every request.
fn is_modern(frame: &Frame) -> bool {
    RequestParams::of(frame).is_modern
}

/// Refuses a request that does not say which server it is for.
fn refuse_ambiguous(ticket: Ticket, method: &str) {
    let fault = Fault::new(codes::NOT_FOUND_OPERATION)
        .in_operation(method)
        .remediation("Many servers are joined here, and nothing says which one is meant. Ask one of them at its own address.");
    ticket.fail(&fault, Some(Rpc::MethodNotFound));
}
