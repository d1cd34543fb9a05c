//! The requests of one end that are not answered yet, and where each of them is.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard};

use breakfall::wire::Rpc;
use breakfall::{Fault, codes};
use foldhash::quality::RandomState;
use tokio::sync::{Notify, oneshot};

use super::super::told::error;
use super::super::{FinalReply, Outbox, OutgoingMessage, Peer, ReplyChannel};
use super::Ticket;
use crate::error::ReplyOptions;
use crate::jsonrpc::{Id, RawMessage};

/// The requests we owe an answer, by the id their sender gave them, and where each was passed on to.
#[derive(Debug, Default)]
pub(in crate::connection) struct Tickets {
    table: Mutex<Table>,
    /// Told when the last open request is answered.
    emptied: Notify,
}

#[derive(Debug, Default)]
struct Table {
    open: HashMap<Id, Open, RandomState>,
    /// How many there were.
    count: u64,
}

#[derive(Debug)]
struct Open {
    place: Place,
    /// The later, the higher.
    order: u64,
    /// Small where there is none of it: it is written and cleared for every request.
    more: Option<Box<More>>,
}

/// What is known of some requests only.
#[derive(Debug, Default)]
struct More {
    /// What its sender calls it, if that is not what it is called here.
    id: Option<Id>,
    way: Option<Arc<dyn ReplyChannel>>,
    /// Why it need not be done any more though it is with us, and who wants to know.
    off: Option<CancelReason>,
    told: Option<oneshot::Sender<CancelReason>>,
}

/// Why a request that is with us need not be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelReason {
    /// Its sender took it back, and wants no answer.
    TakenBack,
    /// Everything is about to end. There is to be an answer, at once.
    Ending,
}

/// Where a request is.
#[derive(Debug, Clone)]
pub(in crate::connection) enum Place {
    /// With us.
    Here,
    /// Passed on, under a number of its own.
    At(Peer, u64),
}

impl Open {
    /// Who is to be told that it need not be done. What was said first counts.
    fn call_off(&mut self, off: CancelReason) -> Option<oneshot::Sender<CancelReason>> {
        let more = self.more();
        more.off.get_or_insert(off);
        more.told.take()
    }

    /// Whether its sender has cancelled it.
    fn is_cancelled(&self) -> bool {
        let more = self.more.as_ref();
        more.is_some_and(|more| more.off == Some(CancelReason::TakenBack))
    }

    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    fn way(&self) -> Option<&Arc<dyn ReplyChannel>> {
        self.more.as_ref()?.way.as_ref()
    }
}

impl Tickets {
    /// Takes a request, or says why not: its id is in use, or there are too many already.
    pub(in crate::connection) fn open(
        &self,
        id: &Id,
        key: Option<Id>,
        way: Option<Arc<dyn ReplyChannel>>,
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
        let is_plain = key.is_none() && way.is_none();
        let more = (!is_plain).then(|| More {
            id: key.is_some().then(|| id.clone()),
            way: way.clone(),
            ..More::default()
        });
        place.insert(Open {
            place: Place::Here,
            order: table.count,
            more: more.map(Box::new),
        });
        Ok(Ticket::new(id.clone(), key, way, peer.clone()))
    }

    /// A name no request has that comes in.
    pub(super) fn inner(&self) -> Id {
        let mut table = self.lock();
        table.count += 1;
        Id::inner(table.count)
    }

    /// Whether there ever was one.
    pub(in crate::connection) fn ever(&self) -> bool {
        self.lock().count > 0
    }

    pub(in crate::connection) fn len(&self) -> usize {
        self.lock().open.len()
    }

    /// Waits until no request is open.
    pub(in crate::connection) async fn idle(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.len() == 0 {
                return;
            }
            emptied.await;
        }
    }

    /// Where an open request is.
    pub(in crate::connection) fn find(&self, key: &Id) -> Option<Place> {
        self.lock().open.get(key).map(|open| open.place.clone())
    }

    /// Records where a request is from now on; false if its sender has cancelled it.
    pub(super) fn set_place(&self, key: &Id, place: Place) -> bool {
        let mut table = self.lock();
        let Some(open) = table.open.get_mut(key) else {
            return true;
        };
        if open.is_cancelled() {
            return false;
        }
        let before = std::mem::replace(&mut open.place, place);
        drop(table);
        // Outside the lock, because it may be the last handle on another connection.
        drop(before);
        true
    }

    /// A request is answered; false if it was already.
    pub(super) fn close(&self, key: &Id) -> bool {
        let (open, is_empty) = {
            let mut table = self.lock();
            (table.open.remove(key), table.open.is_empty())
        };
        if is_empty {
            self.emptied.notify_waiters();
        }
        // Outside the lock, as above.
        open.is_some()
    }

    /// Waits until a request need not be done any more while it is with us.
    pub(super) fn called_off(&self, key: &Id) -> impl Future<Output = CancelReason> + Send + use<> {
        let (told, tell) = oneshot::channel();
        let mut table = self.lock();
        match table.open.get_mut(key).map(Open::more) {
            Some(More { off: Some(off), .. }) => drop(told.send(*off)),
            Some(more) => more.told = Some(told),
            None => drop(told.send(CancelReason::TakenBack)),
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

    /// Its sender takes back a request that is with us: whoever holds it may want to know.
    pub(in crate::connection) fn mark_taken_back(&self, key: &Id) {
        let mut table = self.lock();
        let told = table
            .open
            .get_mut(key)
            .and_then(|open| open.call_off(CancelReason::TakenBack));
        drop(table);
        if let Some(told) = told {
            // Whoever stopped waiting need not be told.
            let _ = told.send(CancelReason::TakenBack);
        }
    }

    /// Everything is about to end: whoever holds a request may want to know.
    pub(in crate::connection) fn dismiss(&self) {
        let mut table = self.lock();
        let open = table.open.values_mut();
        let told: Vec<_> = open
            .filter_map(|open| open.call_off(CancelReason::Ending))
            .collect();
        drop(table);
        for told in told {
            // As above.
            let _ = told.send(CancelReason::Ending);
        }
    }

    /// What those are called that are open.
    pub(in crate::connection) fn keys(&self) -> Vec<Id> {
        self.lock().open.keys().cloned().collect()
    }

    /// Answers all that are open, whoever holds them. What comes later is not heard.
    pub(in crate::connection) fn give_up(&self, fault: &Fault, outbox: &Outbox) {
        let mut open: Vec<(Id, Open)> = self.lock().open.drain().collect();
        self.emptied.notify_waiters();
        open.sort_unstable_by_key(|(_, open)| open.order);
        for (key, open) in open {
            let more = open.more.unwrap_or_default();
            let id = more.id.unwrap_or(key);
            let (bytes, code) = error(Some(&id), fault, None, &ReplyOptions::default());
            let message = RawMessage::from(bytes);
            match more.way {
                Some(way) => way.answer(FinalReply {
                    message,
                    code: Some(code),
                    challenge: None,
                    retry_after: None,
                }),
                // A caller that is gone cannot be answered.
                None => drop(outbox.put_anyway(OutgoingMessage {
                    message,
                    request: None,
                    extra: None,
                })),
            }
        }
    }

    /// The way back of the only request there is.
    pub(in crate::connection) fn only_way(&self) -> Option<Arc<dyn ReplyChannel>> {
        let table = self.lock();
        if table.open.len() != 1 {
            return None;
        }
        table.open.values().next()?.way().cloned()
    }

    /// The way back of the latest request that has one.
    pub(in crate::connection) fn latest_way(&self) -> Option<Arc<dyn ReplyChannel>> {
        let table = self.lock();
        let ways = table.open.values().filter(|open| open.way().is_some());
        ways.max_by_key(|open| open.order)?.way().cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

/// How many requests one peer may have in flight.
const MOST: usize = 1 << 16;
