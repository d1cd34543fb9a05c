//! Requests of the other end that we have not answered yet: each is answered once, by type.

use std::collections::HashMap;
use std::sync::Mutex;

use breakfall::wire::{Dialect, Options, Rpc, rpc_error, rpc_error_as};
use breakfall::{Fault, codes};
use tokio::sync::oneshot;

use super::Peer;
use crate::envelope::{Frame, Id, rewrite};

/// The requests we owe an answer, by the id their sender gave them.
#[derive(Debug, Default)]
pub(crate) struct Tickets(Mutex<HashMap<Id, Option<oneshot::Sender<Frame>>>>);

/// The duty to answer one request. Answering uses it up; dropping it answers with an internal error, since a caller
/// that hears nothing waits for ever.
#[derive(Debug)]
#[must_use = "a request has to be answered"]
pub struct Ticket {
    id: Id,
    peer: Peer,
    due: bool,
}

/// Resolves when the sender withdraws its request.
#[derive(Debug)]
pub struct Cancel(oneshot::Receiver<Frame>);

impl Cancel {
    /// The cancellation, as it came. Never resolves if there is none.
    pub async fn wait(&mut self) -> Frame {
        match (&mut self.0).await {
            Ok(frame) => frame,
            Err(_) => std::future::pending().await,
        }
    }
}

impl Tickets {
    /// Takes a request, or says why not: its id is in use, or there are too many already.
    pub(super) fn open(&self, id: &Id, peer: &Peer) -> Result<(Ticket, Cancel), Fault> {
        let (sender, cancel) = oneshot::channel();
        let mut open = self.lock();
        if open.contains_key(id) {
            return Err(Fault::invalid(format!(
                "The id {id} belongs to a request that is still in flight"
            ))
            .remediation("Give every request an id of its own."));
        }
        if open.len() >= MOST {
            return Err(Fault::new(codes::UNAVAILABLE_OVERLOADED));
        }
        open.insert(id.clone(), Some(sender));
        let ticket = Ticket {
            id: id.clone(),
            peer: peer.clone(),
            due: true,
        };
        Ok((ticket, Cancel(cancel)))
    }

    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Withdraws a request; false if it is not open. Its id stays in use until its ticket is gone.
    pub(super) fn cancel(&self, frame: Frame) -> bool {
        let id = rewrite::cancelled_id(&frame);
        let sender = id.and_then(|id| self.lock().get_mut(&id)?.take());
        sender.is_some_and(|sender| sender.send(frame).is_ok())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Id, Option<oneshot::Sender<Frame>>>> {
        self.0
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl Ticket {
    /// Answers with what the other side answered, under the id the caller used.
    pub fn answer(mut self, frame: &Frame) {
        self.send(rewrite::answer(frame, &self.id));
    }

    /// Answers with a failure at protocol level.
    pub fn fail(mut self, fault: &Fault, rpc: Option<Rpc>) {
        self.send(error(Some(&self.id), fault, rpc));
    }

    /// Answers with a result.
    pub fn result(mut self, result: &impl serde::Serialize) {
        let body = serde_json::to_string(result).expect("what we answer with is JSON");
        self.send(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{body}}}"#, self.id).into_bytes());
    }

    /// Does not answer, because the caller took the request back.
    pub fn withdraw(mut self) {
        self.due = false;
    }

    fn send(&mut self, bytes: Vec<u8>) {
        self.due = false;
        // A caller that is gone or does not read cannot be answered.
        let _ = self.peer.notify(bytes);
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.peer.0.tickets.lock().remove(&self.id);
        if self.due {
            let bytes = error(Some(&self.id), &Fault::internal(), None);
            self.send(bytes);
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
