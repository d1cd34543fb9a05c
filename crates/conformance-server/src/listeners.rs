//! Who listens for changes.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ProtocolVersion, ResourceUpdatedNotificationParam};
use rmcp::service::{RequestContext, SubscriptionContext, SubscriptionSink};

/// The streams that listen, in all sessions.
#[derive(Clone, Default)]
pub(crate) struct Listeners(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    next: u64,
    seats: BTreeMap<u64, Held>,
}

/// Who sits there.
enum Held {
    /// Not listening yet, with the changes it missed.
    Reserved(Vec<Change>),
    Taken(SubscriptionSink),
}

/// What changed.
#[derive(Clone)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resource(String),
}

impl Listeners {
    /// A seat for a stream that is about to listen. Its client is told that it listens before it does, and may
    /// change something at once: what changes meanwhile is kept for it.
    pub(crate) fn reserve(&self) -> Seat {
        let mut open = self.open();
        let number = open.next;
        open.next += 1;
        open.seats.insert(number, Held::Reserved(Vec::new()));
        drop(open);
        Seat {
            listeners: self.clone(),
            number,
        }
    }

    /// Tells the streams, and a legacy caller on its own connection. Who did not ask is not told.
    pub(crate) async fn tell(
        &self,
        change: &Change,
        watched: &BTreeSet<String>,
        caller: &RequestContext<RoleServer>,
    ) {
        for sink in self.sinks(change) {
            told(&sink, change).await;
        }
        if is_modern(caller) {
            return;
        }
        let peer = &caller.peer;
        let _gone = match change {
            Change::Tools => peer.notify_tool_list_changed().await,
            Change::Prompts => peer.notify_prompt_list_changed().await,
            Change::Resource(uri) if watched.contains(uri) => {
                let updated = ResourceUpdatedNotificationParam::new(uri);
                peer.notify_resource_updated(updated).await
            }
            Change::Resource(_) => Ok(()),
        };
    }

    /// The streams that listen. Those that are about to will hear of the change when they do.
    fn sinks(&self, change: &Change) -> Vec<SubscriptionSink> {
        let mut sinks = Vec::new();
        for held in self.open().seats.values_mut() {
            match held {
                Held::Reserved(missed) => missed.push(change.clone()),
                Held::Taken(sink) => sinks.push(sink.clone()),
            }
        }
        sinks
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a request is of the era without a handshake.
pub(crate) fn is_modern(context: &RequestContext<RoleServer>) -> bool {
    let first = ProtocolVersion::V_2026_07_28;
    context
        .protocol_version()
        .is_some_and(|version| version.as_str() >= first.as_str())
}

/// A stream that did not ask for this refuses it, and one that is gone has no use for it.
async fn told(sink: &SubscriptionSink, change: &Change) {
    let _refused_or_gone = match change {
        Change::Tools => sink.notify_tool_list_changed().await,
        Change::Prompts => sink.notify_prompt_list_changed().await,
        Change::Resource(uri) => sink.notify_resource_updated(uri).await,
    };
}

/// A stream's place among the listeners. It is given up whichever way the stream ends.
pub(crate) struct Seat {
    listeners: Listeners,
    number: u64,
}

impl Seat {
    /// Keeps a stream until its client ends it.
    pub(crate) async fn keep(self, context: SubscriptionContext) {
        for change in self.take(context.sink().clone()) {
            told(context.sink(), &change).await;
        }
        context.cancelled().await;
    }

    /// Sits down. What was missed until now comes back.
    fn take(&self, sink: SubscriptionSink) -> Vec<Change> {
        let mut open = self.listeners.open();
        let Some(held) = open.seats.get_mut(&self.number) else {
            return Vec::new();
        };
        match mem::replace(held, Held::Taken(sink)) {
            Held::Reserved(missed) => missed,
            Held::Taken(_) => Vec::new(),
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.listeners.open().seats.remove(&self.number);
    }
}
