//! Requests of the other end that we have not answered yet: each is answered once, by type.

mod answer;
mod table;

use std::fmt;
use std::sync::Arc;

use breakfall::Fault;
use http::header::ACCEPT_LANGUAGE;
use tokio::time::Instant;

pub use table::CancelReason;
pub(super) use table::{Place, Tickets};

use super::came::{Watched, watch};
use super::pause::Pause;
use super::{
    OutcomeReceiver, Peer, ReplyChannel, RpcMethod, SendError, ToolNaming, TransportHeaders,
};
use crate::jsonrpc::{Frame, Id, RawMessage};
use crate::timeouts::Timeouts;

/// The duty to answer one request. Answering uses it up; dropping it answers with an internal error, since a caller
/// that hears nothing waits for ever. What was done by then nobody knows.
#[derive(Debug)]
#[must_use = "a request has to be answered"]
pub struct Ticket {
    id: Id,
    peer: Peer,
    /// Small where there is none of it: a ticket is moved from hand to hand.
    more: Option<Box<More>>,
    is_due: bool,
}

/// What is known of some requests only.
#[derive(Debug, Default)]
struct More {
    /// What it is called in the table, if ids of several senders meet there.
    key: Option<Id>,
    way: Option<Arc<dyn ReplyChannel>>,
    /// What goes on beside the request, if it is not what came beside it.
    extra: Option<Arc<TransportHeaders>>,
    /// Who gets whatever comes of it, before anybody else.
    watched: Option<Watched>,
    /// How long it may take, if somebody knows better than its server's settings.
    patience: Option<Timeouts>,
    /// When it was received, if it has waited since.
    received: Option<Instant>,
    /// What the caller calls tools, if it is not what their servers call them.
    naming: Option<Arc<dyn ToolNaming>>,
    /// What becomes of an answer before it is sent; the last one first.
    then: Vec<Then>,
    /// Whether the caller speaks the protocol of 2026-07-28 or later, where the request as it is passed on does not
    /// say so.
    is_modern: Option<bool>,
    /// Whether its sender can put a question to its user, if the request does not say.
    fills_forms: bool,
    /// What its sender is not late with meanwhile.
    pause: Option<Pause>,
}

/// Does something with an answer, and answers.
struct Then(Box<dyn FnOnce(Frame, Ticket, RpcMethod) + Send>);

impl fmt::Debug for Then {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Then")
    }
}

impl Peer {
    /// A request of our own as if this end had made it, with a way of its own: whatever becomes of it is told there.
    ///
    /// # Errors
    /// When there are too many already.
    pub fn inner_ticket(&self, id: &Id, way: Arc<dyn ReplyChannel>) -> Result<Ticket, Box<Fault>> {
        let tickets = &self.0.tickets;
        let opened = tickets.open(id, Some(tickets.inner()), Some(way), self);
        opened.map_err(|refusal| Box::new(refusal.0))
    }

    /// Takes a request back that was passed on; false if it is still with whoever holds its ticket.
    pub fn recall(&self, key: &Id) -> bool {
        match self.0.tickets.find(key) {
            Some(Place::At(peer, number)) if !peer.take_back(number, None) => {
                self.0.tickets.mark_taken_back(key);
            }
            Some(Place::Here) => {
                self.0.tickets.mark_taken_back(key);
                return false;
            }
            Some(Place::At(..)) | None => {}
        }
        true
    }
}

impl Ticket {
    fn new(id: Id, key: Option<Id>, way: Option<Arc<dyn ReplyChannel>>, peer: Peer) -> Self {
        let is_plain = key.is_none() && way.is_none();
        let more = (!is_plain).then(|| More {
            key,
            way,
            ..More::default()
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

    /// What it is called here.
    pub fn key(&self) -> &Id {
        let key = self.more.as_ref().and_then(|more| more.key.as_ref());
        key.unwrap_or(&self.id)
    }

    /// The caller.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The way back to the caller, if it is not the connection itself.
    pub fn way(&self) -> Option<&Arc<dyn ReplyChannel>> {
        self.more.as_ref()?.way.as_ref()
    }

    /// What goes on beside the request.
    pub fn extra(&self) -> Option<Arc<TransportHeaders>> {
        let more = self.more.as_ref()?;
        more.extra.clone().or_else(|| more.way.as_ref()?.extra())
    }

    /// What goes on does not say any more what came, so what repeats it in headers goes no further.
    pub fn rewritten(self) -> Self {
        match self.extra() {
            Some(extra) if extra.has_spoken() => self.beside(extra.silenced()),
            Some(_) | None => self,
        }
    }

    /// The languages its sender reads, as far as its transport says.
    pub fn languages(&self) -> Option<String> {
        let extra = self.extra()?;
        let said = extra.headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        Some(said.to_owned())
    }

    /// Lets something else go on beside the request than what came.
    pub fn beside(mut self, extra: TransportHeaders) -> Self {
        self.more().extra = Some(Arc::new(extra));
        self
    }

    /// Tells the caller something that belongs to its request.
    ///
    /// # Errors
    /// When it does not read, or is gone.
    pub fn tell(&self, message: impl Into<RawMessage>) -> Result<(), SendError> {
        match self.way() {
            Some(way) => way.tell(message.into()),
            None => self.peer.notify(message),
        }
    }

    /// Gives whatever comes of the request back, and the duty to answer with it.
    pub fn watched(mut self) -> (Self, OutcomeReceiver) {
        let (watched, watch) = watch();
        self.more().watched = Some(watched);
        (self, watch)
    }

    pub(super) fn keeping(mut self, pause: Pause) -> Self {
        self.more().pause = Some(pause);
        self
    }

    /// Waits until the request need not be done any more while it is with us.
    pub fn called_off(&self) -> impl Future<Output = CancelReason> + Send + use<> {
        self.peer.0.tickets.called_off(self.key())
    }

    /// Says what the caller calls tools.
    pub fn naming(mut self, naming: Arc<dyn ToolNaming>) -> Self {
        self.more().naming = Some(naming);
        self
    }

    /// What the caller calls a tool, of the server that is asked or of another; nothing if it does not reach that one.
    pub fn name_of(&self, upstream: Option<&str>, tool: &str) -> Option<String> {
        match self.named() {
            Some(naming) => naming.name(upstream, tool),
            None => upstream.is_none().then(|| tool.to_owned()),
        }
    }

    /// What the caller calls a tool of another server that does the same as one of this server; nothing if there is none.
    pub fn name_like(&self, tool: &str) -> Option<String> {
        self.named()?.like(tool)
    }

    fn named(&self) -> Option<&dyn ToolNaming> {
        self.more.as_ref()?.naming.as_deref()
    }

    /// Sets how long it may take.
    pub fn within(&mut self, patience: Timeouts) {
        self.more().patience = Some(patience);
    }

    /// How long it may take, if somebody knows better than its server's settings.
    pub fn patience(&self) -> Option<Timeouts> {
        self.more.as_ref()?.patience
    }

    /// Says when it was received, unless that is known already.
    pub fn received_at(&mut self, at: Instant) {
        self.more().received.get_or_insert(at);
    }

    /// When it was received, if it has waited since.
    pub fn received(&self) -> Option<Instant> {
        self.more.as_ref()?.received
    }

    /// Does something with the answer of somebody else before it is sent, which then has to answer. Asked for several
    /// times, the last one comes first.
    pub fn then(mut self, then: impl FnOnce(Frame, Self, RpcMethod) + Send + 'static) -> Self {
        self.more().then.push(Then(Box::new(then)));
        self
    }

    /// Says which protocol the caller speaks, if the request as it is passed on says otherwise.
    pub fn for_modern(mut self, is_modern: bool) -> Self {
        self.more().is_modern = Some(is_modern);
        self
    }

    /// Says whether the caller can put a question to its user, if the request as it is passed on does not.
    pub fn filling_forms(mut self, fills_forms: bool) -> Self {
        self.more().fills_forms = fills_forms;
        self
    }

    /// Whether the caller can put a question to its user, if that was said.
    pub fn fills_forms(&self) -> bool {
        self.more.as_ref().is_some_and(|more| more.fills_forms)
    }

    /// Whether the caller speaks the protocol of 2026-07-28 or later, if that was said.
    pub fn is_modern(&self) -> Option<bool> {
        self.more.as_ref()?.is_modern
    }

    /// Records where the request is forwarded to, so that a cancellation can follow it; false if it is cancelled already.
    pub(super) fn sent_to(&self, peer: &Peer, number: u64) -> bool {
        let place = Place::At(peer.clone(), number);
        self.peer.0.tickets.set_place(self.key(), place)
    }

    /// Remembers that wherever the request was passed on to is gone.
    pub fn sent_nowhere(&self) {
        self.peer.0.tickets.set_place(self.key(), Place::Here);
    }

    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }
}
