//! One notification stream for the client, joined from the streams of many servers.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use tokio::time::sleep;

use super::ask::reread;
use super::gather::OpenRequest;
use super::outward::parse;
use super::{Aggregate, UpstreamNames, unknown, uris};
use breakfall_mcp::connection::{FinalReply, ReplyChannel, SendError, Ticket, TransportHeaders};
use breakfall_mcp::jsonrpc::{Frame, Id, RawMessage};
use breakfall_mcp::protocol::meta::SUBSCRIPTION_ID;
use breakfall_mcp::protocol::method;
use breakfall_mcp::sync::Mutex;

/// A notification stream of a client.
#[derive(Debug)]
pub(super) struct NotificationStream {
    id: Id,
    open: Arc<OpenRequest>,
    /// The notifications the client subscribed to.
    wanted: Map<String, Value>,
    state: Mutex<StreamState>,
}

#[derive(Debug)]
struct StreamState {
    /// Servers whose streams are open, and servers that have not acknowledged theirs yet.
    listening: BTreeSet<usize>,
    silent: BTreeSet<usize>,
    /// The subscriptions the servers have accepted.
    agreed: Map<String, Value>,
    /// Notifications that arrived before the stream was acknowledged to the client.
    held: Vec<RawMessage>,
    is_acknowledged: bool,
}

impl Aggregate {
    /// Opens a stream.
    pub(super) fn listen(&self, frame: &Frame, ticket: Ticket) {
        let filter = filter(frame);
        let Some((place, wanted)) = filter else {
            return unknown::nothing(method::SUBSCRIPTIONS_LISTEN, ticket);
        };
        let (client, id, key) = (
            ticket.peer().clone(),
            ticket.id().clone(),
            ticket.key().clone(),
        );
        let extra = ticket.extra();
        let each = (0..self.0.members.len())
            .filter_map(|at| Some((at, share(self.names(), at, &wanted)?)));
        let each: Vec<(usize, Value)> = each.collect();
        let open = OpenRequest::new(ticket, false);
        let ats: BTreeSet<usize> = each.iter().map(|(at, _)| *at).collect();
        let stream = Arc::new(NotificationStream {
            id: id.clone(),
            open: Arc::clone(&open),
            wanted,
            state: Mutex::new(StreamState {
                listening: ats.clone(),
                silent: ats,
                agreed: Map::new(),
                held: Vec::new(),
                is_acknowledged: false,
            }),
        });
        self.0.open.lock().insert(key.clone(), Arc::clone(&open));
        self.0.streams.lock().push(Arc::downgrade(&stream));
        let wait = each.iter().map(|(at, _)| self.listing(*at)).max();
        for (at, share) in each {
            let part = Arc::new(StreamChannel {
                stream: Arc::clone(&stream),
                many: self.clone(),
                key: key.clone(),
                at,
                extra: extra.clone(),
            });
            let channel = Arc::clone(&part) as Arc<dyn ReplyChannel>;
            let Ok(ticket) = client.inner_ticket(&id, channel) else {
                part.end();
                continue;
            };
            open.add(at, ticket.key().clone());
            let ticket = ticket.then(|_, ticket, _| ticket.withdraw());
            let frame = frame
                .clone()
                .edited(vec![(place.clone(), share.to_string())]);
            self.send(at, frame, ticket);
        }
        stream.acknowledge_if_all();
        drop(tokio::spawn(async move {
            sleep(wait.unwrap_or_default()).await;
            stream.acknowledge();
        }));
    }

    /// Sends `list_changed` to all streams that subscribed to it.
    pub(super) fn announce_in_streams(&self, what: &str) {
        let streams: Vec<Arc<NotificationStream>> = {
            let mut streams = self.0.streams.lock();
            streams.retain(|stream| stream.strong_count() > 0);
            streams
                .iter()
                .filter_map(std::sync::Weak::upgrade)
                .collect()
        };
        for stream in streams {
            stream.announce(what);
        }
    }
}

impl NotificationStream {
    fn announce(&self, what: &str) {
        if self.wanted.get(&format!("{what}ListChanged")) == Some(&Value::Bool(true)) {
            let note = note(
                &format!("notifications/{what}/list_changed"),
                &self.id,
                None,
            );
            self.pass(note.into());
        }
    }

    /// Passes a notification on, or holds it until the stream is acknowledged.
    fn pass(&self, message: RawMessage) {
        let mut state = self.state.lock();
        if !state.is_acknowledged {
            if state.held.len() < MAX_HELD_NOTIFICATIONS {
                state.held.push(message);
            }
            return;
        }
        // With the lock held: otherwise two notifications could overtake each other.
        self.tell(message);
    }

    fn tell(&self, message: RawMessage) {
        if let Some(ticket) = &*self.open.ticket() {
            // A client that does not read misses notifications.
            let _ = ticket.tell(message);
        }
    }

    /// A server has acknowledged its stream.
    fn agreed(&self, names: &UpstreamNames, at: usize, frame: &Frame) {
        let agreed = filter(frame).map(|(_, agreed)| agreed);
        let is_again = {
            let mut state = self.state.lock();
            let is_again = !state.silent.remove(&at);
            for (key, value) in agreed.unwrap_or_default() {
                let value = outward(names, at, &key, value);
                agree(&mut state.agreed, key, value);
            }
            is_again
        };
        if is_again {
            // The server was restarted, and its lists may differ now.
            for what in ["tools", "prompts", "resources"] {
                self.announce(what);
            }
        }
        self.acknowledge_if_all();
    }

    fn acknowledge_if_all(&self) {
        if self.state.lock().silent.is_empty() {
            self.acknowledge();
        }
    }

    fn acknowledge(&self) {
        let mut state = self.state.lock();
        if std::mem::replace(&mut state.is_acknowledged, true) {
            return;
        }
        // The gateway itself announces changes of the joined lists, whatever the servers support.
        for what in ["tools", "prompts", "resources"] {
            let key = format!("{what}ListChanged");
            if self.wanted.get(&key) == Some(&Value::Bool(true)) {
                state.agreed.insert(key, true.into());
            }
        }
        let agreed = Value::Object(std::mem::take(&mut state.agreed));
        let method = method::SUBSCRIPTIONS_ACKNOWLEDGED;
        self.tell(note(method, &self.id, Some(&agreed)).into());
        for message in std::mem::take(&mut state.held) {
            self.tell(message);
        }
    }

    /// A server has ended its stream; true if it was the last one.
    fn ended(&self, at: usize) -> bool {
        let mut state = self.state.lock();
        state.silent.remove(&at);
        state.listening.remove(&at) && state.listening.is_empty() && state.is_acknowledged
    }
}

/// One server's part of a stream.
struct StreamChannel {
    stream: Arc<NotificationStream>,
    many: Aggregate,
    key: Id,
    at: usize,
    extra: Option<Arc<TransportHeaders>>,
}

impl StreamChannel {
    /// Whether a notification has an address with the prefix of this server.
    fn is_ours(&self, frame: &Frame) -> bool {
        let front = json!(uris::front(self.many.names(), self.at)).to_string();
        let front = front.trim_end_matches('"');
        let body = frame.body().unwrap_or_default().as_bytes();
        memchr::memmem::find(body, front.as_bytes()).is_some()
    }
}

impl fmt::Debug for StreamChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StreamChannel")
    }
}

impl ReplyChannel for StreamChannel {
    fn tell(&self, message: RawMessage) -> Result<(), SendError> {
        let Some(frame) = reread(&message) else {
            return Err(SendError::Over);
        };
        match &*frame.method() {
            method::SUBSCRIPTIONS_ACKNOWLEDGED => {
                self.stream.agreed(self.many.names(), self.at, &frame);
            }
            // The other streams go on.
            method::CANCELLED => {}
            // An update that the bridge made has not been through the filter that adds the prefix.
            method::RESOURCES_UPDATED if !self.is_ours(&frame) => {
                self.stream
                    .pass(super::outward::told(self.many.view(self.at), frame).into());
            }
            _ => self.stream.pass(message),
        }
        Ok(())
    }

    fn answer(&self, _: FinalReply) {
        self.end();
    }

    fn end(&self) {
        if !self.stream.ended(self.at) {
            return self.stream.acknowledge_if_all();
        }
        self.many.0.open.lock().remove(&self.key);
        if let Some(ticket) = self.stream.open.take() {
            let meta = json!({SUBSCRIPTION_ID: value(&self.stream.id)});
            ticket.result(&json!({"resultType": "complete", "_meta": meta}));
        }
    }

    fn streams(&self) {
        if let Some(ticket) = &*self.stream.open.ticket()
            && let Some(channel) = ticket.channel()
        {
            channel.streams();
        }
    }

    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        self.extra.clone()
    }
}

/// The subscriptions in a message, and their position.
fn filter(frame: &Frame) -> Option<(std::ops::Range<usize>, Map<String, Value>)> {
    #[derive(Deserialize)]
    struct ListenParams<'a> {
        #[serde(borrow, default)]
        notifications: Option<&'a RawValue>,
    }
    let raw = parse::<ListenParams<'_>>(frame.body()?)?.notifications?;
    let filter = serde_json::from_str(raw.get()).ok()?;
    Some((frame.place_of(raw.get()), filter))
}

/// One server's share of the subscriptions; `None` if it has none.
fn share(names: &UpstreamNames, at: usize, wanted: &Map<String, Value>) -> Option<Value> {
    let mut share = Map::new();
    for (key, value) in wanted {
        let value = match (&**key, value) {
            ("resourceSubscriptions", Value::Array(all)) => {
                own(all, |uri| uris::split(names, uri), at)
            }
            ("taskIds", Value::Array(all)) => own(all, |id| names.split(id), at),
            (_, Value::Bool(false)) => continue,
            _ => value.clone(),
        };
        if value != json!([]) {
            share.insert(key.clone(), value);
        }
    }
    (!share.is_empty()).then_some(Value::Object(share))
}

/// The addresses that belong to a server, without the prefix.
fn own<'a>(
    all: &'a [Value],
    split: impl Fn(&'a str) -> Option<(usize, &'a str)>,
    at: usize,
) -> Value {
    let texts = all.iter().filter_map(Value::as_str);
    let own = texts.filter_map(|text| split(text).filter(|(owner, _)| *owner == at));
    own.map(|(_, own)| Value::from(own)).collect()
}

/// An accepted subscription with the names clients use.
fn outward(names: &UpstreamNames, at: usize, key: &str, mut value: Value) -> Value {
    let front = match key {
        "resourceSubscriptions" => uris::front(names, at),
        "taskIds" => names.prefix(at).to_owned(),
        _ => return value,
    };
    for text in value.as_array_mut().into_iter().flatten() {
        if let Value::String(text) = text {
            text.insert_str(0, &front);
        }
    }
    value
}

/// Merges an accepted subscription into those of the other servers.
fn agree(all: &mut Map<String, Value>, key: String, value: Value) {
    match (all.get_mut(&key), value) {
        (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
        (Some(Value::Bool(all)), Value::Bool(more)) => *all |= more,
        (Some(_), _) => {}
        (None, value) => drop(all.insert(key, value)),
    }
}

/// A notification of the gateway in a stream.
fn note(method: &str, id: &Id, notifications: Option<&Value>) -> Vec<u8> {
    let mut params = json!({"_meta": {SUBSCRIPTION_ID: value(id)}});
    if let Some(notifications) = notifications {
        params["notifications"] = notifications.clone();
    }
    let note = json!({"jsonrpc": "2.0", "method": method, "params": params});
    note.to_string().into_bytes()
}

fn value(id: &Id) -> Box<RawValue> {
    RawValue::from_string(id.as_json().to_owned()).unwrap_or_default()
}

/// How many notifications are held before a stream is acknowledged.
const MAX_HELD_NOTIFICATIONS: usize = 1000;
