//! Requests of the other end that we have not answered yet: each is answered once, by type.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::mem;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use breakfall::wire::Rpc;
use breakfall::{Fault, codes};
use foldhash::quality::RandomState;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::came::{Watched, watch};
use super::pause::Pause;
pub(super) use super::told::error;
use super::{
    Came, Challenge, Extra, Last, Loss, Method, Naming, Outbox, Parcel, Peer, Unsent, Watch, Way,
    uncertain,
};
use http::header::ACCEPT_LANGUAGE;

use crate::config::Patience;
use crate::envelope::{Frame, Id, Kind, Message, subscription_id};
use crate::tools::Tool;

/// The requests we owe an answer, by the id their sender gave them, and where each was passed on to.
#[derive(Debug, Default)]
pub(super) struct Tickets(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    open: HashMap<Id, Open, RandomState>,
    /// How many there were.
    count: u64,
}

#[derive(Debug)]
struct Open {
    /// What its sender calls it, if that is not what it is called here.
    id: Option<Id>,
    place: Place,
    way: Option<Arc<dyn Way>>,
    /// The later, the higher.
    order: u64,
    /// Why it need not be done any more though it is with us, and who wants to know.
    off: Option<CalledOff>,
    told: Option<oneshot::Sender<CalledOff>>,
}

/// Why a request that is with us need not be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CalledOff {
    /// Its sender took it back, and wants no answer.
    TakenBack,
    /// Everything is about to end. There is to be an answer, at once.
    Ending,
}

/// Where a request is.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// With us.
    Here,
    /// Passed on, under a number of its own.
    At(Peer, u64),
}

/// The duty to answer one request. Answering uses it up; dropping it answers with an internal error, since a caller
/// that hears nothing waits for ever. What was done by then nobody knows.
#[derive(Debug)]
#[must_use = "a request has to be answered"]
pub struct Ticket {
    id: Id,
    /// What it is called in the table, if ids of several senders meet there.
    key: Option<Id>,
    peer: Peer,
    way: Option<Arc<dyn Way>>,
    /// What goes on beside the request, if it is not what came beside it.
    extra: Option<Arc<Extra>>,
    /// Who gets whatever comes of it, before anybody else.
    watched: Option<Watched>,
    /// How long it may take, if somebody knows better than its server's settings.
    patience: Option<Patience>,
    /// What the caller calls tools, if it is not what their servers call them.
    naming: Option<Arc<dyn Naming>>,
    /// What becomes of an answer before it is sent; the last one first.
    then: Vec<Then>,
    /// Whether the caller speaks the protocol of 2026-07-28 or later, where the request as it is passed on does not
    /// say so.
    is_modern: Option<bool>,
    /// Whether its sender can put a question to its user, if the request does not say.
    fills_forms: bool,
    /// What its sender is not late with meanwhile.
    pause: Option<Box<Pause>>,
    is_due: bool,
}

/// Does something with an answer, and answers.
struct Then(Box<dyn FnOnce(Frame, Ticket, Method) + Send>);

impl fmt::Debug for Then {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Then")
    }
}

impl Open {
    /// Who is to be told that it need not be done. What was said first counts.
    fn call_off(&mut self, off: CalledOff) -> Option<oneshot::Sender<CalledOff>> {
        self.off.get_or_insert(off);
        self.told.take()
    }
}

impl Tickets {
    /// Takes a request, or says why not: its id is in use, or there are too many already.
    pub(super) fn open(
        &self,
        id: &Id,
        key: Option<Id>,
        way: Option<Arc<dyn Way>>,
        peer: &Peer,
    ) -> Result<Ticket, Box<(Fault, Option<Rpc>)>> {
        let mut table = self.lock();
        let table = &mut *table;
        let is_full = table.open.len() >= MOST;
        let place = match table.open.entry(key.as_ref().unwrap_or(id).clone()) {
            Entry::Occupied(_) => {
                let what = format!("The id {id} belongs to a request that is still in flight");
                let fault =
                    Fault::invalid(what).remediation("Give every request an id of its own.");
                return Err(Box::new((fault, Some(Rpc::InvalidRequest))));
            }
            Entry::Vacant(_) if is_full => {
                let fault = Fault::new(codes::UNAVAILABLE_OVERLOADED).detail("executed", "no");
                return Err(Box::new((fault, None)));
            }
            Entry::Vacant(place) => place,
        };
        table.count += 1;
        place.insert(Open {
            id: key.is_some().then(|| id.clone()),
            place: Place::Here,
            way: way.clone(),
            order: table.count,
            off: None,
            told: None,
        });
        Ok(Ticket {
            id: id.clone(),
            key,
            peer: peer.clone(),
            way,
            extra: None,
            watched: None,
            patience: None,
            naming: None,
            then: Vec::new(),
            is_modern: None,
            fills_forms: false,
            pause: None,
            is_due: true,
        })
    }

    /// A name no request has that comes in.
    fn inner(&self) -> Id {
        let mut table = self.lock();
        table.count += 1;
        Id::inner(table.count)
    }

    /// Whether there ever was one.
    pub(super) fn ever(&self) -> bool {
        self.lock().count > 0
    }

    pub(super) fn len(&self) -> usize {
        self.lock().open.len()
    }

    /// Where an open request is.
    pub(super) fn find(&self, key: &Id) -> Option<Place> {
        self.lock().open.get(key).map(|open| open.place.clone())
    }

    /// Its sender takes back a request that is with us: whoever holds it may want to know.
    pub(super) fn mark_taken_back(&self, key: &Id) {
        let mut table = self.lock();
        let told = table
            .open
            .get_mut(key)
            .and_then(|open| open.call_off(CalledOff::TakenBack));
        drop(table);
        if let Some(told) = told {
            // Whoever stopped waiting need not be told.
            let _ = told.send(CalledOff::TakenBack);
        }
    }

    /// Everything is about to end: whoever holds a request may want to know.
    pub(super) fn dismiss(&self) {
        let mut table = self.lock();
        let open = table.open.values_mut();
        let told: Vec<_> = open
            .filter_map(|open| open.call_off(CalledOff::Ending))
            .collect();
        drop(table);
        for told in told {
            // As above.
            let _ = told.send(CalledOff::Ending);
        }
    }

    /// What those are called that are open.
    pub(super) fn keys(&self) -> Vec<Id> {
        self.lock().open.keys().cloned().collect()
    }

    /// Answers all that are open, whoever holds them. What comes later is not heard.
    pub(super) fn give_up(&self, fault: &Fault, outbox: &Outbox) {
        let mut open: Vec<(Id, Open)> = self.lock().open.drain().collect();
        open.sort_unstable_by_key(|(_, open)| open.order);
        for (key, open) in open {
            let id = open.id.unwrap_or(key);
            let (bytes, code) = error(Some(&id), fault, None);
            let message = Message::from(bytes);
            match open.way {
                Some(way) => way.answer(Last {
                    message,
                    code: Some(code),
                    challenge: None,
                    retry_after: None,
                }),
                // A caller that is gone cannot be answered.
                None => drop(outbox.put_anyway(Parcel {
                    message,
                    request: None,
                    extra: None,
                })),
            }
        }
    }

    /// The way back of the only request there is.
    pub(super) fn only_way(&self) -> Option<Arc<dyn Way>> {
        let table = self.lock();
        if table.open.len() != 1 {
            return None;
        }
        table.open.values().next()?.way.clone()
    }

    /// The way back of the latest request that has one.
    pub(super) fn latest_way(&self) -> Option<Arc<dyn Way>> {
        let table = self.lock();
        let ways = table.open.values().filter(|open| open.way.is_some());
        ways.max_by_key(|open| open.order)?.way.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Peer {
    /// A request of our own as if this end had made it, with a way of its own: whatever becomes of it is told there.
    ///
    /// # Errors
    /// When there are too many already.
    pub(crate) fn inner_ticket(&self, id: &Id, way: Arc<dyn Way>) -> Result<Ticket, Box<Fault>> {
        let tickets = &self.0.tickets;
        let opened = tickets.open(id, Some(tickets.inner()), Some(way), self);
        opened.map_err(|refusal| Box::new(refusal.0))
    }

    /// Takes a request back that was passed on; false if it is still with whoever holds its ticket.
    pub(crate) fn recall(&self, key: &Id) -> bool {
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
    /// The id the caller used.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// What it is called here.
    pub(crate) fn key(&self) -> &Id {
        self.key.as_ref().unwrap_or(&self.id)
    }

    /// The caller.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The way back to the caller, if it is not the connection itself.
    pub(crate) fn way(&self) -> Option<&Arc<dyn Way>> {
        self.way.as_ref()
    }

    /// What goes on beside the request.
    pub(crate) fn extra(&self) -> Option<Arc<Extra>> {
        self.extra.clone().or_else(|| self.way.as_ref()?.extra())
    }

    /// What goes on does not say any more what came, so what repeats it in headers goes no further.
    pub(crate) fn rewritten(self) -> Self {
        match self.extra() {
            Some(extra) if extra.has_spoken() => self.beside(extra.silenced()),
            Some(_) | None => self,
        }
    }

    /// The languages its sender reads, as far as its transport says.
    pub(crate) fn languages(&self) -> Option<String> {
        let extra = self.extra()?;
        let said = extra.headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        Some(said.to_owned())
    }

    /// Lets something else go on beside the request than what came.
    pub(crate) fn beside(mut self, extra: Extra) -> Self {
        self.extra = Some(Arc::new(extra));
        self
    }

    /// Tells the caller something that belongs to its request.
    ///
    /// # Errors
    /// When it does not read, or is gone.
    pub(crate) fn tell(&self, message: impl Into<Message>) -> Result<(), Unsent> {
        match &self.way {
            Some(way) => way.tell(message.into()),
            None => self.peer.notify(message),
        }
    }

    /// Gives whatever comes of the request back, and the duty to answer with it.
    pub(crate) fn watched(mut self) -> (Self, Watch) {
        let (watched, watch) = watch();
        self.watched = Some(watched);
        (self, watch)
    }

    /// It will not be answered. Whoever watches it is told; else it is given back.
    pub(crate) fn lose(
        mut self,
        fault: Fault,
        is_written: bool,
        challenge: Option<Challenge>,
    ) -> Result<(), Box<Loss>> {
        let watched = self.watched.take();
        let loss = Box::new(Loss {
            ticket: self,
            fault,
            is_written,
            challenge,
        });
        let Some(watched) = watched else {
            return Err(loss);
        };
        match watched.send(Came::Lost(loss)) {
            Ok(()) => Ok(()),
            Err(Came::Lost(loss)) => Err(loss),
            Err(Came::Answer(..)) => unreachable!("a loss was sent"),
        }
    }

    pub(super) fn keeping(mut self, pause: Pause) -> Self {
        self.pause = Some(Box::new(pause));
        self
    }

    /// Waits until the request need not be done any more while it is with us.
    pub(crate) fn called_off(&self) -> impl Future<Output = CalledOff> + Send + use<> {
        let (told, tell) = oneshot::channel();
        let mut table = self.peer.0.tickets.lock();
        match table.open.get_mut(self.key()) {
            Some(Open { off: Some(off), .. }) => drop(told.send(*off)),
            Some(open) => open.told = Some(told),
            None => drop(told.send(CalledOff::TakenBack)),
        }
        drop(table);
        async {
            match tell.await {
                Ok(off) => off,
                // Somebody else waits now, or it is answered.
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// Says what the caller calls tools.
    pub(crate) fn naming(mut self, naming: Arc<dyn Naming>) -> Self {
        self.naming = Some(naming);
        self
    }

    /// What the caller calls a tool, of the server that is asked or of another; nothing if it does not reach that one.
    pub(crate) fn name_of(&self, upstream: Option<&str>, tool: &str) -> Option<String> {
        match &self.naming {
            Some(naming) => naming.name(upstream, tool),
            None => upstream.is_none().then(|| tool.to_owned()),
        }
    }

    /// What the caller calls a tool of another server that does the same as one of this server; nothing if there is none.
    pub(crate) fn name_like(&self, tool: &Tool) -> Option<String> {
        self.naming.as_ref()?.like(tool)
    }

    /// Sets how long it may take.
    pub(crate) fn within(&mut self, patience: Patience) {
        self.patience = Some(patience);
    }

    /// How long it may take, if somebody knows better than its server's settings.
    pub(crate) fn patience(&self) -> Option<Patience> {
        self.patience
    }

    /// Does something with the answer of somebody else before it is sent, which then has to answer. Asked for several
    /// times, the last one comes first.
    pub(crate) fn then(mut self, then: impl FnOnce(Frame, Self, Method) + Send + 'static) -> Self {
        self.then.push(Then(Box::new(then)));
        self
    }

    /// Says which protocol the caller speaks, if the request as it is passed on says otherwise.
    pub(crate) fn for_modern(mut self, is_modern: bool) -> Self {
        self.is_modern = Some(is_modern);
        self
    }

    /// Says whether the caller can put a question to its user, if the request as it is passed on does not.
    pub(crate) fn filling_forms(mut self, fills_forms: bool) -> Self {
        self.fills_forms = fills_forms;
        self
    }

    /// Whether the caller can put a question to its user, if that was said.
    pub(crate) fn fills_forms(&self) -> bool {
        self.fills_forms
    }

    /// Whether the caller speaks the protocol of 2026-07-28 or later, if that was said.
    pub(crate) fn is_modern(&self) -> Option<bool> {
        self.is_modern
    }

    /// Answers with what somebody else answered, under the id the caller used.
    pub(crate) fn answer(mut self, frame: Frame, to: Method) {
        if let Some(watched) = self.watched.take() {
            // If nobody watches any more, dropping the ticket answers.
            return drop(watched.send(Came::Answer(Box::new((frame, self)))));
        }
        if let Some(Then(then)) = self.then.pop() {
            return then(frame, self, to);
        }
        let code = (frame.kind() == Kind::Error).then(|| code_of(&frame));
        // The end of a stream names the stream once more.
        let stream = (to == Method::Listen).then(|| subscription_id(&frame));
        let stream: Option<Range<usize>> = stream.flatten().map(|(at, _)| at);
        let at = frame.id_place();
        let id = self.id.clone();
        let message = Message::changed(frame, [(at, &id), (stream, &id)]);
        self.send(
            message,
            Outer {
                code: code.flatten(),
                ..Outer::default()
            },
        );
    }

    /// Answers with a failure at protocol level.
    pub fn fail(mut self, fault: &Fault, rpc: Option<Rpc>) {
        let (bytes, code) = error(Some(&self.id), fault, rpc);
        self.send(bytes.into(), Outer::of(code, fault));
    }

    /// Answers that the server demands credentials.
    pub(crate) fn challenge(mut self, fault: &Fault, challenge: Challenge) {
        let (bytes, code) = error(Some(&self.id), fault, None);
        let challenge = Some(challenge);
        self.send(
            bytes.into(),
            Outer {
                challenge,
                ..Outer::of(code, fault)
            },
        );
    }

    /// Answers with a result.
    ///
    /// # Panics
    /// When the result is no JSON, which no value of ours is.
    pub fn result(mut self, result: &impl Serialize) {
        let body = serde_json::to_string(result).expect("what we answer with is JSON");
        let text = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{body}}}"#, self.id);
        self.send(text.into_bytes().into(), Outer::default());
    }

    /// Does not answer, because the caller took the request back.
    pub fn withdraw(mut self) {
        self.close();
        if let Some(way) = &self.way {
            way.end();
        }
    }

    /// Remembers where the request was passed on to, so that it can be taken back there.
    pub(super) fn sent_to(&self, peer: &Peer, number: u64) {
        if let Some(open) = self.peer.0.tickets.lock().open.get_mut(self.key()) {
            open.place = Place::At(peer.clone(), number);
        }
    }

    /// Remembers that wherever the request was passed on to is gone.
    pub(crate) fn sent_nowhere(&self) {
        let mut table = self.peer.0.tickets.lock();
        let open = table.open.get_mut(self.key());
        let place = open.map(|open| mem::replace(&mut open.place, Place::Here));
        drop(table);
        // Outside the lock, because it may be the last handle on another connection.
        drop(place);
    }

    fn send(&mut self, message: Message, outer: Outer) {
        // First the id is free again, then the answer is on its way: the caller may use it at once.
        if !self.close() {
            return;
        }
        if let Some(way) = &self.way {
            let Outer {
                code,
                challenge,
                retry_after,
            } = outer;
            return way.answer(Last {
                message,
                code,
                challenge,
                retry_after,
            });
        }
        // A caller that is gone cannot be answered.
        let _ = self.peer.0.outbox.put_anyway(Parcel {
            message,
            request: None,
            extra: None,
        });
    }

    /// False if it was answered over the head of whoever holds it.
    fn close(&mut self) -> bool {
        self.is_due = false;
        let open = self.peer.0.tickets.lock().open.remove(self.key());
        // Outside the lock, because it may be the last handle on another connection.
        open.is_some()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.is_due {
            let fault = uncertain(Fault::internal());
            let (bytes, code) = error(Some(&self.id), &fault, None);
            self.send(bytes.into(), Outer::of(code, &fault));
        }
    }
}

/// What a transport wants to know of an answer.
#[derive(Debug, Default)]
struct Outer {
    code: Option<i64>,
    challenge: Option<Challenge>,
    retry_after: Option<u64>,
}

impl Outer {
    fn of(code: i64, fault: &Fault) -> Self {
        Self {
            code: Some(code),
            challenge: None,
            retry_after: fault.public().retry_after_seconds(),
        }
    }
}

/// The code of an answer that is an error.
fn code_of(frame: &Frame) -> Option<i64> {
    code_in(frame.body()?)
}

pub(super) fn code_in(error: &str) -> Option<i64> {
    #[derive(Deserialize)]
    struct Error {
        code: i64,
    }
    let error: Error = serde_json::from_str(error).ok()?;
    Some(error.code)
}

/// How many requests one peer may have in flight.
const MOST: usize = 1 << 16;
