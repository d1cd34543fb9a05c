//! Requests of the other end that we have not answered yet: each is answered once, by type.

use std::collections::HashMap;
use std::mem;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use breakfall::wire::{Dialect, Options, Rpc, rpc_error, rpc_error_as};
use breakfall::{Fault, codes};
use serde::Serialize;

use super::{Method, Peer};
use crate::envelope::{Frame, Id, Message, subscription_id};

/// The requests we owe an answer, by the id their sender gave them, and where each was passed on to.
#[derive(Debug, Default)]
pub(super) struct Tickets(Mutex<HashMap<Id, Place>>);

/// Where a request is.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// With us.
    Here,
    /// Passed on, under a number of its own.
    At(Peer, u64),
}

/// The duty to answer one request. Answering uses it up; dropping it answers with an internal error, since a caller
/// that hears nothing waits for ever.
#[derive(Debug)]
#[must_use = "a request has to be answered"]
pub struct Ticket {
    id: Id,
    peer: Peer,
    is_due: bool,
}

impl Tickets {
    /// Takes a request, or says why not: its id is in use, or there are too many already.
    pub(super) fn open(&self, id: &Id, peer: &Peer) -> Result<Ticket, Box<(Fault, Option<Rpc>)>> {
        let mut open = self.lock();
        if open.contains_key(id) {
            let what = format!("The id {id} belongs to a request that is still in flight");
            let fault = Fault::invalid(what).remediation("Give every request an id of its own.");
            return Err(Box::new((fault, Some(Rpc::InvalidRequest))));
        }
        if open.len() >= MOST {
            let fault = Fault::new(codes::UNAVAILABLE_OVERLOADED).detail("executed", "no");
            return Err(Box::new((fault, None)));
        }
        open.insert(id.clone(), Place::Here);
        Ok(Ticket {
            id: id.clone(),
            peer: peer.clone(),
            is_due: true,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Where an open request is.
    pub(super) fn find(&self, id: &Id) -> Option<Place> {
        self.lock().get(id).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, Place>> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Ticket {
    /// The id the caller used.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The caller.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// Answers with what somebody else answered, under the id the caller used.
    pub(crate) fn answer(mut self, frame: Frame, to: Method) {
        // The end of a stream names the stream once more.
        let stream = (to == Method::Listen).then(|| subscription_id(&frame));
        let stream: Option<Range<usize>> = stream.flatten().map(|(at, _)| at);
        let at = frame.id_place();
        let id = self.id.clone();
        self.send(Message::changed(frame, [(at, &id), (stream, &id)]));
    }

    /// Answers with a failure at protocol level.
    pub fn fail(mut self, fault: &Fault, rpc: Option<Rpc>) {
        self.send(error(Some(&self.id), fault, rpc).into());
    }

    /// Answers with a result.
    ///
    /// # Panics
    /// When the result is no JSON, which no value of ours is.
    pub fn result(mut self, result: &impl Serialize) {
        let body = serde_json::to_string(result).expect("what we answer with is JSON");
        let text = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{body}}}"#, self.id);
        self.send(text.into_bytes().into());
    }

    /// Does not answer, because the caller took the request back.
    pub fn withdraw(mut self) {
        self.close();
    }

    /// Remembers where the request was passed on to, so that it can be taken back there.
    pub(super) fn sent_to(&self, peer: &Peer, number: u64) {
        if let Some(place) = self.peer.0.tickets.lock().get_mut(&self.id) {
            *place = Place::At(peer.clone(), number);
        }
    }

    /// Remembers that wherever the request was passed on to is gone.
    pub(crate) fn sent_nowhere(&self) {
        let mut open = self.peer.0.tickets.lock();
        let place = open
            .get_mut(&self.id)
            .map(|place| mem::replace(place, Place::Here));
        drop(open);
        // Outside the lock, because it may be the last handle on another connection.
        drop(place);
    }

    fn send(&mut self, message: Message) {
        // First the id is free again, then the answer is on its way: the caller may use it at once.
        self.close();
        // A caller that is gone cannot be answered.
        let _ = self.peer.0.outbox.put_anyway(message, None);
    }

    fn close(&mut self) {
        self.is_due = false;
        let place = self.peer.0.tickets.lock().remove(&self.id);
        // Outside the lock, because it may be the last handle on another connection.
        drop(place);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        if self.is_due {
            self.send(error(Some(&self.id), &Fault::internal(), None).into());
        }
    }
}

/// A JSON-RPC error. Without an id it says `null`, as JSON-RPC does.
pub(super) fn error(id: Option<&Id>, fault: &Fault, rpc: Option<Rpc>) -> Vec<u8> {
    let (public, options) = (fault.public(), Options::new());
    let error = match rpc {
        Some(rpc) => rpc_error_as(rpc, public, Dialect::Native, &options),
        None => rpc_error(public, Dialect::Native, &options),
    };
    let error = serde_json::to_string(&error).expect("an error is JSON");
    let id = id.map_or("null", Id::as_json);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes()
}

/// How many requests one peer may have in flight.
const MOST: usize = 1 << 16;
