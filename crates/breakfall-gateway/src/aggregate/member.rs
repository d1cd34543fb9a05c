//! One of many servers: whether its handshake is over, and what is known of its lists.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::mem;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::UpstreamNames;
use super::list::{ListMethod, ListPage, ListedItem};
use crate::bridge::EraBridge;
use crate::session::{self, LateRequests, Link, MessageBacklog, WaitingMessage};
use breakfall_mcp::connection::{Listener as _, Peer, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Id};
use breakfall_mcp::protocol::method;
use breakfall_mcp::sync::Mutex;

/// A server of an aggregate.
#[derive(Debug)]
pub(super) struct AggregateMember {
    pub(super) link: Link,
    /// Translates for the server and passes requests on.
    pub(super) front: Arc<EraBridge>,
    handshake: Mutex<MemberHandshake>,
    /// Notified when a request starts to wait.
    waits: Notify,
    known: Mutex<KnownLists>,
}

/// Requests wait while the handshake is under way; a failed handshake is repeated before the next request.
#[derive(Debug)]
struct MemberHandshake {
    state: HandshakeState,
    /// The server has got `notifications/initialized`.
    is_told: bool,
}

#[derive(Debug)]
enum HandshakeState {
    Open,
    Greeting(MessageBacklog),
    /// The handshake failed; this is its request.
    Shut(Frame),
}

/// What a server has listed so far.
#[derive(Debug, Default)]
struct KnownLists {
    capabilities: Option<Value>,
    lists: BTreeMap<ListMethod, CachedList>,
    /// Shortened names, and the server's own.
    cut: HashMap<Box<str>, Box<str>>,
    /// Lists the server did not return, and the request for each.
    missing: BTreeMap<ListMethod, Frame>,
    /// A probe is running.
    is_probed: bool,
}

#[derive(Debug, Default)]
struct CachedList {
    items: Vec<ListedItem>,
    /// The server's own names, and the page each is on.
    owns: HashMap<Box<str>, u32>,
    bytes: usize,
    /// All pages were read.
    is_whole: bool,
}

impl AggregateMember {
    pub(super) fn new(link: Link) -> Self {
        Self {
            front: EraBridge::new(&link),
            link,
            handshake: Mutex::new(MemberHandshake {
                state: HandshakeState::Open,
                is_told: false,
            }),
            waits: Notify::new(),
            known: Mutex::default(),
        }
    }

    /// Whether calls of a tool are likely to succeed: the server is up and the circuit closed.
    pub(super) fn works(&self, tool: &str) -> bool {
        let breakers = self.link.upstream().resilience.breakers();
        let is_up = match self.link.state() {
            Some(session::ServerState::Down | session::ServerState::Stuck) => false,
            Some(session::ServerState::Starting | session::ServerState::Up) | None => true,
        };
        is_up && breakers.is_closed(tool, Instant::now())
    }

    /// Sends the handshake itself.
    pub(super) fn hello(&self, frame: Frame, ticket: Ticket) {
        self.front.request(frame, ticket, None);
    }

    /// Sends a request, or holds it during the handshake. If a failed handshake has to be repeated first, returns its
    /// request.
    #[must_use]
    pub(super) fn request(&self, frame: Frame, ticket: Ticket) -> Option<Frame> {
        let mut handshake = self.handshake.lock();
        let (hello, unsent) = match mem::replace(&mut handshake.state, HandshakeState::Open) {
            HandshakeState::Open => {
                drop(handshake);
                self.front.request(frame, ticket, None);
                return None;
            }
            HandshakeState::Greeting(mut held) => {
                let unsent = held.push_request(frame, ticket, self.link.upstream());
                handshake.state = HandshakeState::Greeting(held);
                (None, unsent.err())
            }
            HandshakeState::Shut(hello) => {
                let mut held = MessageBacklog::default();
                let unsent = held.push_request(frame, ticket, self.link.upstream());
                handshake.state = HandshakeState::Greeting(held);
                (Some(hello), unsent.err())
            }
        };
        drop(handshake);
        self.waits.notify_one();
        if let Some(lost) = unsent {
            session::lost(*lost, self.link.upstream());
        }
        hello
    }

    /// Answers requests that wait too long for the end of the handshake. Never returns.
    pub(super) async fn answer_late(&self) -> Infallible {
        let upstream = self.link.upstream();
        session::answer_late(upstream, &self.waits, || {
            match &mut self.handshake.lock().state {
                HandshakeState::Greeting(held) => held.take_late(upstream),
                HandshakeState::Open | HandshakeState::Shut(_) => LateRequests::default(),
            }
        })
        .await
    }

    /// Sends a notification.
    pub(super) fn notification(&self, frame: Frame, from: &Peer) {
        let mut handshake = self.handshake.lock();
        let is_greeted = frame.method() == method::INITIALIZED;
        let MemberHandshake { state, is_told } = &mut *handshake;
        match state {
            HandshakeState::Open if is_greeted && mem::replace(is_told, true) => {}
            HandshakeState::Open => self.front.notification(frame, from, None),
            // It gets this once it has answered the handshake.
            HandshakeState::Greeting(_) | HandshakeState::Shut(_) if is_greeted => {}
            HandshakeState::Greeting(held) => held.push_notification(frame, Some(from)),
            // Without a handshake the server has no state to change.
            HandshakeState::Shut(_) => {}
        }
    }

    /// A handshake begins.
    pub(super) fn greet(&self) {
        let mut handshake = self.handshake.lock();
        handshake.is_told = false;
        if !matches!(handshake.state, HandshakeState::Greeting(_)) {
            handshake.state = HandshakeState::Greeting(MessageBacklog::default());
        }
    }

    /// The handshake is over, or has failed and is to be repeated. Held requests are sent either way: the server
    /// answers them, or its failure does.
    pub(super) fn greeted(&self, again: Option<Frame>, initialized: Option<(Frame, Peer)>) {
        let mut handshake = self.handshake.lock();
        let next = again.map_or(HandshakeState::Open, HandshakeState::Shut);
        let is_open = matches!(next, HandshakeState::Open);
        let before = mem::replace(&mut handshake.state, next);
        if let Some((initialized, from)) = initialized.filter(|_| is_open && !handshake.is_told) {
            handshake.is_told = true;
            self.front.notification(initialized, &from, None);
        }
        // In order, and before anything newer.
        let HandshakeState::Greeting(mut held) = before else {
            return;
        };
        while let Some(message) = held.pop() {
            match message {
                WaitingMessage::Request(request) => {
                    self.front.request(request.frame, request.ticket, None);
                }
                WaitingMessage::Notification(frame, Some(from)) => {
                    self.front.notification(frame, &from, None);
                }
                WaitingMessage::Notification(_, None) => {}
            }
        }
    }

    /// Drops a request that was not passed on yet.
    pub(super) fn cancelled(&self, key: &Id) {
        let mut handshake = self.handshake.lock();
        if let HandshakeState::Greeting(held) = &mut handshake.state
            && let Some(ticket) = held.remove(key)
        {
            drop(handshake);
            return ticket.withdraw();
        }
        drop(handshake);
        self.front.cancelled(key);
    }

    /// Records the capabilities the server declared.
    pub(super) fn set_capabilities(&self, capabilities: Value) {
        self.known.lock().capabilities = Some(capabilities);
    }

    /// Whether the server may have a capability: declared, or the handshake is not over.
    pub(super) fn may_have(&self, capability: &str) -> bool {
        let known = self.known.lock();
        let capabilities = known.capabilities.as_ref();
        capabilities.is_none_or(|all| all.get(capability).is_some())
    }

    /// Remembers a page of a list. Items that another page has are removed from this one.
    pub(super) fn learn(&self, list: ListMethod, page: &mut ListPage, number: u32) {
        let mut known = self.known.lock();
        let known = &mut *known;
        known.missing.remove(&list);
        let cached = known.lists.entry(list).or_default();
        if number == 0 {
            *cached = CachedList::default();
        }
        cached.is_whole = page.next.is_none();
        let listed = page.items.len();
        page.items.retain(|item| {
            let before = cached.owns.get(&item.own);
            before.is_none_or(|before| *before == number)
        });
        page.left_out += listed - page.items.len();
        for item in &page.items {
            if !item.name.ends_with(&*item.own) && known.cut.len() < MAX_SHORTENED_NAMES {
                known.cut.insert(item.name.clone(), item.own.clone());
            }
            // Another request for the same page may have been faster.
            if cached.owns.contains_key(&item.own) {
                continue;
            }
            cached.bytes += item.text.len() + item.name.len() + item.own.len();
            if cached.bytes > MAX_LIST_BYTES {
                cached.is_whole = false;
                break;
            }
            cached.owns.insert(item.own.clone(), number);
            cached.items.push(item.clone());
        }
    }

    /// The items of the last list.
    pub(super) fn items(&self, list: ListMethod) -> Vec<ListedItem> {
        let known = self.known.lock();
        known
            .lists
            .get(&list)
            .map_or_else(Vec::new, |cached| cached.items.clone())
    }

    /// The server's own name for the name clients use: that without the prefix, unless it was shortened. `None` if
    /// the server is known not to have it.
    pub(super) fn own<'a>(
        &self,
        list: ListMethod,
        joined: &str,
        rest: &'a str,
    ) -> Option<Cow<'a, str>> {
        let known = self.known.lock();
        if let Some(whole) = known.cut.get(joined) {
            return Some(Cow::Owned(whole.to_string()));
        }
        let cached = known.lists.get(&list);
        let has = cached.is_some_and(|cached| cached.owns.contains_key(rest));
        let is_whole = cached.is_some_and(|cached| cached.is_whole);
        (has || !(is_whole || UpstreamNames::may_be_replaced(joined)))
            .then_some(Cow::Borrowed(rest))
    }

    /// Whether the server has listed this name of its own.
    pub(super) fn has(&self, list: ListMethod, own: &str) -> bool {
        let known = self.known.lock();
        let cached = known.lists.get(&list);
        cached.is_some_and(|cached| cached.owns.contains_key(own))
    }

    /// The server did not answer a request for this list.
    pub(super) fn miss(&self, list: ListMethod, frame: Frame) {
        self.known.lock().missing.insert(list, frame);
    }

    /// Begins a probe; false if one is running.
    pub(super) fn begin_probe(&self) -> bool {
        !mem::replace(&mut self.known.lock().is_probed, true)
    }

    /// Ends the probe; false if there is a list left to ask for.
    pub(super) fn end_probe(&self) -> bool {
        let mut known = self.known.lock();
        known.is_probed = !known.missing.is_empty();
        !known.is_probed
    }

    /// This list need not be asked for any more.
    pub(super) fn found(&self, list: ListMethod) {
        self.known.lock().missing.remove(&list);
    }

    /// The lists the server did not return.
    pub(super) fn missing(&self) -> Vec<(ListMethod, Frame)> {
        let known = self.known.lock();
        let missing = known.missing.iter();
        missing
            .map(|(list, frame)| (*list, frame.clone()))
            .collect()
    }

    pub(super) fn is_missing(&self) -> bool {
        !self.known.lock().missing.is_empty()
    }
}

/// How many bytes of a list are remembered.
const MAX_LIST_BYTES: usize = 4 << 20;
/// How many shortened names are remembered.
const MAX_SHORTENED_NAMES: usize = 10_000;
