//! The table of requests of one end that are not answered yet.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use breakfall::wire::Rpc;
use breakfall::{Fault, codes};
use foldhash::quality::RandomState;
use tokio::sync::{Notify, oneshot};

use super::super::outbox::Outbox;
use super::super::{FinalReply, OutgoingMessage, Peer, ReplyChannel};
use super::Ticket;
use crate::error::{ReplyOptions, rpc_reply};
use crate::jsonrpc::{Id, RawMessage};
use crate::sync::Mutex;

/// The requests that are not answered yet, by their key, and where each of them is.
#[derive(Debug, Default)]
pub(in crate::connection) struct Tickets {
    table: Mutex<TicketTable>,
    /// Notified when the last open request is answered.
    emptied: Notify,
}

#[derive(Debug, Default)]
struct TicketTable {
    open: HashMap<Id, OpenTicket, RandomState>,
    /// How many answers are on their way to the transport.
    leaving: usize,
    /// How many requests there have been.
    count: u64,
}

impl TicketTable {
    /// Whether every request is answered, and every answer has left: the connection may be closed.
    fn is_empty(&self) -> bool {
        self.open.is_empty() && self.leaving == 0
    }
}

#[derive(Debug)]
struct OpenTicket {
    location: RequestLocation,
    /// The number among all requests.
    order: u64,
    /// Boxed, since most requests have none and an entry is written for each.
    more: Option<Box<OpenTicketExtra>>,
}

/// What only some requests have.
#[derive(Debug, Default)]
struct OpenTicketExtra {
    /// The id its sender used, if that is not the key.
    id: Option<Id>,
    channel: Option<Arc<dyn ReplyChannel>>,
    /// Why it is cancelled.
    reason: Option<CancelReason>,
    /// Notified when it is cancelled.
    cancelled: Option<oneshot::Sender<CancelReason>>,
}

/// Why a request that is not forwarded is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelReason {
    /// Its sender cancelled it, and expects no answer.
    TakenBack,
    /// The process shuts down. It is to be answered at once.
    Ending,
}

/// Where a request is.
#[derive(Debug, Clone)]
pub(in crate::connection) enum RequestLocation {
    /// In this process.
    Here,
    /// Forwarded, under that number.
    Forwarded(Peer, u64),
}

impl OpenTicket {
    /// Cancels it, and returns the channel of the waiting task. The first reason counts.
    fn cancel(&mut self, reason: CancelReason) -> Option<oneshot::Sender<CancelReason>> {
        let more = self.more();
        more.reason.get_or_insert(reason);
        more.cancelled.take()
    }

    /// Whether its sender has cancelled it.
    fn is_cancelled(&self) -> bool {
        let more = self.more.as_ref();
        more.is_some_and(|more| more.reason == Some(CancelReason::TakenBack))
    }

    fn more(&mut self) -> &mut OpenTicketExtra {
        self.more.get_or_insert_default()
    }

    fn channel(&self) -> Option<&Arc<dyn ReplyChannel>> {
        self.more.as_ref()?.channel.as_ref()
    }
}

impl Tickets {
    /// Opens a ticket, unless the id is in use or too many are open.
    pub(in crate::connection) fn open(
        &self,
        id: &Id,
        key: Option<Id>,
        channel: Option<Arc<dyn ReplyChannel>>,
        peer: &Peer,
    ) -> Result<Ticket, Box<(Fault, Option<Rpc>)>> {
        let mut table = self.table.lock();
        let table = &mut *table;
        let is_full = table.open.len() >= MAX_REQUESTS;
        let location = match table.open.entry(key.as_ref().unwrap_or(id).clone()) {
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
            Entry::Vacant(location) => location,
        };
        table.count += 1;
        let is_plain = key.is_none() && channel.is_none();
        let more = (!is_plain).then(|| OpenTicketExtra {
            id: key.is_some().then(|| id.clone()),
            channel: channel.clone(),
            ..OpenTicketExtra::default()
        });
        location.insert(OpenTicket {
            location: RequestLocation::Here,
            order: table.count,
            more: more.map(Box::new),
        });
        Ok(Ticket::new(id.clone(), key, channel, peer.clone()))
    }

    /// A key that no id can equal.
    pub(super) fn inner(&self) -> Id {
        let mut table = self.table.lock();
        table.count += 1;
        Id::inner(table.count)
    }

    /// Whether there ever was a request.
    pub(in crate::connection) fn ever(&self) -> bool {
        self.table.lock().count > 0
    }

    pub(in crate::connection) fn len(&self) -> usize {
        self.table.lock().open.len()
    }

    /// Waits until no request is open.
    pub(in crate::connection) async fn idle(&self) {
        loop {
            let emptied = self.emptied.notified();
            if self.table.lock().is_empty() {
                return;
            }
            emptied.await;
        }
    }

    /// Where an open request is.
    pub(in crate::connection) fn find(&self, key: &Id) -> Option<RequestLocation> {
        self.table
            .lock()
            .open
            .get(key)
            .map(|open| open.location.clone())
    }

    /// Records where a request is from now on; false if its sender has cancelled it.
    pub(super) fn set_location(&self, key: &Id, location: RequestLocation) -> bool {
        let mut table = self.table.lock();
        let Some(open) = table.open.get_mut(key) else {
            return true;
        };
        if open.is_cancelled() {
            return false;
        }
        let before = std::mem::replace(&mut open.location, location);
        drop(table);
        // Outside the lock, because it may be the last handle on another connection.
        drop(before);
        true
    }

    /// A request is about to be answered; false if it was already. [`Self::left`] follows.
    pub(super) fn close(&self, key: &Id) -> bool {
        let open = {
            let mut table = self.table.lock();
            let open = table.open.remove(key);
            table.leaving += usize::from(open.is_some());
            open
        };
        // Outside the lock, as above.
        open.is_some()
    }

    /// The answer of a request that was closed is on its transport.
    pub(super) fn left(&self) {
        let is_empty = {
            let mut table = self.table.lock();
            table.leaving -= 1;
            table.is_empty()
        };
        if is_empty {
            self.emptied.notify_waiters();
        }
    }

    /// Waits until a request is cancelled.
    pub(super) fn cancellation(
        &self,
        key: &Id,
    ) -> impl Future<Output = CancelReason> + Send + use<> {
        let (cancelled, tell) = oneshot::channel();
        let mut table = self.table.lock();
        match table.open.get_mut(key).map(OpenTicket::more) {
            Some(OpenTicketExtra {
                reason: Some(reason),
                ..
            }) => drop(cancelled.send(*reason)),
            Some(more) => more.cancelled = Some(cancelled),
            None => drop(cancelled.send(CancelReason::TakenBack)),
        }
        drop(table);
        async {
            match tell.await {
                Ok(reason) => reason,
                // Another task waits now, or it is answered.
                Err(_) => std::future::pending().await,
            }
        }
    }

    /// The sender of a request cancelled it.
    pub(in crate::connection) fn mark_taken_back(&self, key: &Id) {
        let mut table = self.table.lock();
        let cancelled = table
            .open
            .get_mut(key)
            .and_then(|open| open.cancel(CancelReason::TakenBack));
        drop(table);
        if let Some(cancelled) = cancelled {
            // The task may not wait any more.
            let _ = cancelled.send(CancelReason::TakenBack);
        }
    }

    /// The process shuts down: cancels all requests.
    pub(in crate::connection) fn dismiss(&self) {
        let mut table = self.table.lock();
        let open = table.open.values_mut();
        let cancelled: Vec<_> = open
            .filter_map(|open| open.cancel(CancelReason::Ending))
            .collect();
        drop(table);
        for cancelled in cancelled {
            // As above.
            let _ = cancelled.send(CancelReason::Ending);
        }
    }

    /// The keys of all requests.
    pub(in crate::connection) fn keys(&self) -> Vec<Id> {
        self.table.lock().open.keys().cloned().collect()
    }

    /// Answers all requests with a fault. Later answers are dropped.
    pub(in crate::connection) fn give_up(
        &self,
        fault: &Fault,
        replies: &ReplyOptions,
        outbox: &Outbox,
    ) {
        let mut open: Vec<(Id, OpenTicket)> = self.table.lock().open.drain().collect();
        self.emptied.notify_waiters();
        open.sort_unstable_by_key(|(_, open)| open.order);
        for (key, open) in open {
            let more = open.more.unwrap_or_default();
            let id = more.id.unwrap_or(key);
            let (bytes, code) = rpc_reply(Some(&id), fault, None, replies);
            let message = RawMessage::from(bytes);
            match more.channel {
                Some(channel) => channel.answer(FinalReply {
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

    /// The reply channel of the only request.
    pub(in crate::connection) fn only_channel(&self) -> Option<Arc<dyn ReplyChannel>> {
        let table = self.table.lock();
        if table.open.len() != 1 {
            return None;
        }
        table.open.values().next()?.channel().cloned()
    }

    /// The reply channel of the latest request that has one.
    pub(in crate::connection) fn latest_channel(&self) -> Option<Arc<dyn ReplyChannel>> {
        let table = self.table.lock();
        let channels = table.open.values().filter(|open| open.channel().is_some());
        channels.max_by_key(|open| open.order)?.channel().cloned()
    }
}

/// How many requests one peer may have in flight.
const MAX_REQUESTS: usize = 1 << 16;
