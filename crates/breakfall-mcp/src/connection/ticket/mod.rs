//! Tickets: each request of the other end is answered exactly once, by type.

mod answer;
mod table;

use std::fmt;
use std::sync::Arc;

use breakfall::Fault;
use http::header::ACCEPT_LANGUAGE;
use tokio::sync::oneshot;
use tokio::time::Instant;

pub use table::CancelReason;
pub(super) use table::{RequestLocation, Tickets};

use super::deadline_pause::DeadlinePause;
use super::outcome::OutcomeSender;
use super::{
    OutcomeReceiver, Peer, ReplyChannel, RpcMethod, SendError, ToolNaming, TransportHeaders,
};
use crate::jsonrpc::{Frame, Id, RawMessage};
use crate::timeouts::Timeouts;

/// The duty to answer one request. Answering consumes it. Dropping it answers with an internal error, since a caller without
/// an answer waits for ever; the request may have been executed by then.
#[derive(Debug)]
#[must_use = "a request has to be answered"]
pub struct Ticket {
    id: Id,
    peer: Peer,
    /// Boxed, since a ticket is moved often.
    more: Option<Box<TicketExtra>>,
    is_due: bool,
}

/// What only some requests have.
#[derive(Debug, Default)]
struct TicketExtra {
    /// The key in the table, where ids of several senders meet.
    key: Option<Id>,
    channel: Option<Arc<dyn ReplyChannel>>,
    /// The headers to forward, if they are not those that came with the request.
    extra: Option<Arc<TransportHeaders>>,
    /// Receives the outcome instead of the caller.
    watched: Option<OutcomeSender>,
    /// Its timeouts and since when they count, if they are not those of its server.
    deadline: Option<(Timeouts, Instant)>,
    /// When it was received, if it has waited since.
    received: Option<Instant>,
    /// The caller's names of tools, if they are not those of the servers.
    naming: Option<Arc<dyn ToolNaming>>,
    /// What handles an answer before it is sent; the last one first.
    then: Vec<Continuation>,
    /// Whether the caller speaks the protocol of 2026-07-28 or later, if the forwarded request says otherwise.
    is_modern: Option<bool>,
    /// Whether the caller takes elicitations, if the request does not say so.
    fills_forms: bool,
    /// The name of the client, if the forwarded request does not say it.
    client_name: Option<Box<str>>,
    /// The deadlines that pause until it is answered.
    pause: Option<DeadlinePause>,
}

/// Handles an answer, and answers.
struct Continuation(Box<dyn FnOnce(Frame, Ticket, RpcMethod) + Send>);

impl fmt::Debug for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Continuation")
    }
}

impl Peer {
    /// A ticket for a request that this process makes on behalf of this end; the answer goes to the reply channel.
    ///
    /// # Errors
    /// When too many are open.
    pub fn inner_ticket(
        &self,
        id: &Id,
        channel: Arc<dyn ReplyChannel>,
    ) -> Result<Ticket, Box<Fault>> {
        let tickets = &self.0.tickets;
        let opened = tickets.open(id, Some(tickets.inner()), Some(channel), self);
        opened.map_err(|refusal| Box::new(refusal.0))
    }

    /// Cancels a request; false if it is not forwarded, and its holder has to withdraw it.
    pub fn recall(&self, key: &Id) -> bool {
        match self.0.tickets.find(key) {
            Some(RequestLocation::Forwarded(peer, number)) if !peer.take_back(number, None) => {
                self.0.tickets.mark_taken_back(key);
            }
            Some(RequestLocation::Here) => {
                self.0.tickets.mark_taken_back(key);
                return false;
            }
            Some(RequestLocation::Forwarded(..)) | None => {}
        }
        true
    }
}

impl Ticket {
    fn new(id: Id, key: Option<Id>, channel: Option<Arc<dyn ReplyChannel>>, peer: Peer) -> Self {
        let is_plain = key.is_none() && channel.is_none();
        let more = (!is_plain).then(|| TicketExtra {
            key,
            channel,
            ..TicketExtra::default()
        });
        Self {
            id,
            peer,
            more: more.map(Box::new),
            is_due: true,
        }
    }

    /// The id the caller used.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// Its key in the table: the id, unless ids of several senders meet.
    pub fn key(&self) -> &Id {
        let key = self.more.as_ref().and_then(|more| more.key.as_ref());
        key.unwrap_or(&self.id)
    }

    /// The caller.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The reply channel, if it is not the connection itself.
    pub fn channel(&self) -> Option<&Arc<dyn ReplyChannel>> {
        self.more.as_ref()?.channel.as_ref()
    }

    /// The headers to forward with the request.
    pub fn extra(&self) -> Option<Arc<TransportHeaders>> {
        let more = self.more.as_ref()?;
        more.extra
            .clone()
            .or_else(|| more.channel.as_ref()?.extra())
    }

    /// The forwarded request is not the one that came, so headers that repeat it are dropped.
    pub fn rewritten(self) -> Self {
        match self.extra() {
            Some(extra) if extra.has_spoken() => self.beside(extra.silenced()),
            Some(_) | None => self,
        }
    }

    /// The languages of the caller, as far as its transport says.
    pub fn languages(&self) -> Option<String> {
        let extra = self.extra()?;
        let said = extra.headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        Some(said.to_owned())
    }

    /// Sets the headers to forward with the request.
    pub fn beside(mut self, extra: TransportHeaders) -> Self {
        self.more().extra = Some(Arc::new(extra));
        self
    }

    /// Sends the caller a message that belongs to its request.
    ///
    /// # Errors
    /// When the caller does not read, or is gone.
    pub fn tell(&self, message: impl Into<RawMessage>) -> Result<(), SendError> {
        match self.channel() {
            Some(channel) => channel.tell(message.into()),
            None => self.peer.notify(message),
        }
    }

    /// Redirects the outcome, with the ticket, to a receiver.
    pub fn watched(mut self) -> (Self, OutcomeReceiver) {
        let (sender, receiver) = oneshot::channel();
        self.more().watched = Some(sender);
        (self, receiver)
    }

    pub(super) fn keeping(mut self, pause: DeadlinePause) -> Self {
        self.more().pause = Some(pause);
        self
    }

    /// Waits until the request is cancelled while it is not forwarded.
    pub fn cancellation(&self) -> impl Future<Output = CancelReason> + Send + use<> {
        self.peer.0.tickets.cancellation(self.key())
    }

    /// Sets the caller's names of tools.
    pub fn naming(mut self, naming: Arc<dyn ToolNaming>) -> Self {
        self.more().naming = Some(naming);
        self
    }

    /// The caller's name of a tool, of the server that is asked or of another; `None` if the caller cannot reach it.
    pub fn name_of(&self, upstream: Option<&str>, tool: &str) -> Option<String> {
        match self.named() {
            Some(naming) => naming.name(upstream, tool),
            None => upstream.is_none().then(|| tool.to_owned()),
        }
    }

    /// The caller's name of a tool of another server that does the same as one of this server.
    pub fn name_like(&self, tool: &str) -> Option<String> {
        self.named()?.like(tool)
    }

    fn named(&self) -> Option<&dyn ToolNaming> {
        self.more.as_ref()?.naming.as_deref()
    }

    /// Sets its timeouts, and since when they count.
    pub fn set_deadline(&mut self, timeouts: Timeouts, since: Instant) {
        self.more().deadline = Some((timeouts, since));
    }

    /// Its timeouts and since when they count, if they were set.
    pub fn deadline(&self) -> Option<(Timeouts, Instant)> {
        self.more.as_ref()?.deadline
    }

    /// Says when it was received, unless that is known already.
    pub fn received_at(&mut self, at: Instant) {
        self.more().received.get_or_insert(at);
    }

    /// When it was received, if it has waited since.
    pub fn received(&self) -> Option<Instant> {
        self.more.as_ref()?.received
    }

    /// Adds a handler of the answer of a server, which then has to answer. The last one added is called first.
    pub fn then(mut self, then: impl FnOnce(Frame, Self, RpcMethod) + Send + 'static) -> Self {
        self.more().then.push(Continuation(Box::new(then)));
        self
    }

    /// Sets which protocol the caller speaks, if the forwarded request says otherwise.
    pub fn for_modern(mut self, is_modern: bool) -> Self {
        self.more().is_modern = Some(is_modern);
        self
    }

    /// Sets whether the caller takes elicitations, if the forwarded request does not say so.
    pub fn filling_forms(mut self, fills_forms: bool) -> Self {
        self.more().fills_forms = fills_forms;
        self
    }

    /// Sets the name the client gives itself, if the forwarded request does not say it.
    pub fn of_client(mut self, name: Option<String>) -> Self {
        if let Some(name) = name {
            self.more().client_name = Some(name.into());
        }
        self
    }

    /// The name the client gave itself, in its handshake or for this request. Anyone can choose any name.
    pub fn client_name(&self) -> Option<&str> {
        let own = self
            .more
            .as_ref()
            .and_then(|more| more.client_name.as_deref());
        own.or_else(|| self.peer.0.client_name.get().map(|name| &**name))
    }

    /// Whether the caller takes elicitations, if that was set.
    pub fn fills_forms(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.fills_forms)
    }

    /// Whether the caller speaks the protocol of 2026-07-28 or later, if that was set.
    pub fn is_modern(&self) -> Option<bool> {
        self.more.as_ref()?.is_modern
    }

    /// Records where the request is forwarded to, so that a cancellation can follow it; false if it is cancelled already.
    pub(super) fn sent_to(&self, peer: &Peer, number: u64) -> bool {
        let location = RequestLocation::Forwarded(peer.clone(), number);
        self.peer.0.tickets.set_location(self.key(), location)
    }

    /// Records that the request is not forwarded any more.
    pub fn clear_location(&self) {
        self.peer
            .0
            .tickets
            .set_location(self.key(), RequestLocation::Here);
    }

    fn more(&mut self) -> &mut TicketExtra {
        self.more.get_or_insert_default()
    }
}
