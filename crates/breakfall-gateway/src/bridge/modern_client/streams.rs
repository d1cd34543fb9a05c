//! Streams of modern clients: notifications of a legacy server go to every stream that wants them.

use std::collections::{BTreeMap, HashMap};

use breakfall::Fault;
use breakfall::wire::Rpc;

use super::bridge::ModernClientBridge;
use super::listen::{StreamFilter, ended, subscribe, wrapped};
use crate::bridge::say;
use crate::session::AskReply;
use breakfall_mcp::connection::Ticket;
use breakfall_mcp::jsonrpc::{Frame, Id, Kind};
use breakfall_mcp::protocol::method;

/// The open streams.
#[derive(Debug, Default)]
pub(super) struct FilteredStreams {
    open: BTreeMap<Id, FilteredStream>,
    /// How many streams want updates of each resource.
    wanted: HashMap<Box<str>, usize>,
}

#[derive(Debug)]
struct FilteredStream {
    ticket: Ticket,
    filter: StreamFilter,
    /// Whether the stream was acknowledged. No notification is sent before that.
    is_begun: bool,
}

impl ModernClientBridge {
    /// Opens a stream for a client.
    pub(super) fn listen(&self, frame: &Frame, ticket: Ticket) {
        let Some(filter) = StreamFilter::of(frame, self.welcome.server) else {
            let fault = Fault::missing_param("notifications");
            return ticket.fail(&fault, Some(Rpc::InvalidParams));
        };
        let key = ticket.key().clone();
        let mut streams = self.streams.lock();
        let new: Vec<Box<str>> = filter.uris.iter().cloned().collect();
        let mut first = Vec::new();
        for uri in new {
            let count = streams.wanted.entry(uri.clone()).or_default();
            *count += 1;
            if *count == 1 {
                first.push(uri);
            }
        }
        let stream = FilteredStream {
            ticket,
            filter,
            is_begun: false,
        };
        streams.open.insert(key.clone(), stream);
        drop(streams);
        let asked = first.into_iter().map(|uri| {
            let frame = say::frame(subscribe(&uri, true));
            (uri, frame.map(|frame| self.asker.ask(frame)))
        });
        let asked: Vec<_> = asked.collect();
        let me = self.me.clone();
        tokio::spawn(async move {
            let mut refused = Vec::new();
            for (uri, answer) in asked {
                let is_agreed = match answer {
                    Some(answer) => is_agreed(&answer.await),
                    None => false,
                };
                if !is_agreed {
                    refused.push(uri);
                }
            }
            if let Some(bridge) = me.upgrade() {
                bridge.begin(&key, &refused);
            }
        });
    }

    /// Acknowledges a stream to its client.
    fn begin(&self, key: &Id, refused: &[Box<str>]) {
        let mut streams = self.streams.lock();
        let Some(stream) = streams.open.get_mut(key) else {
            return;
        };
        for uri in refused {
            stream.filter.uris.remove(uri);
        }
        stream.is_begun = true;
        let first = stream.filter.acknowledged(stream.ticket.id());
        // The client may be gone.
        let _ = stream.ticket.tell(first);
        for uri in refused {
            streams.wanted.remove(uri);
        }
    }

    /// Sends a notification to all streams that want it.
    pub(super) fn tell_streams(&self, note: &Frame) {
        let streams = self.streams.lock();
        let open = streams.open.values();
        for stream in open.filter(|stream| stream.is_begun && stream.filter.wants(note)) {
            // The client may be gone.
            let _ = stream.ticket.tell(wrapped(note, stream.ticket.id()));
        }
    }

    /// Ends the stream of a client; false if it has no stream.
    pub(super) fn end_stream(&self, key: &Id) -> bool {
        let mut streams = self.streams.lock();
        let Some(stream) = streams.open.remove(key) else {
            return false;
        };
        let unwanted = streams.release(&stream.filter);
        drop(streams);
        stream.ticket.withdraw();
        for uri in unwanted {
            let frame = say::frame(subscribe(&uri, false));
            // The answer is not needed.
            drop(frame.map(|frame| self.asker.ask(frame)));
        }
        true
    }

    /// All clients have disconnected.
    pub(super) fn end_all_streams(&self) {
        let streams = std::mem::take(&mut *self.streams.lock());
        for stream in streams.open.into_values() {
            stream.ticket.withdraw();
        }
    }

    /// Ends all streams with a result: a client of another era takes over the server.
    pub(in crate::bridge) fn close(&self) {
        let streams = std::mem::take(&mut *self.streams.lock());
        for stream in streams.open.into_values() {
            let last = ended(stream.ticket.id());
            say::result(
                stream.ticket,
                self.welcome.complete(method::SUBSCRIPTIONS_LISTEN, &last),
            );
        }
    }
}

impl FilteredStreams {
    /// Removes a stream; returns the resources that no stream wants any more.
    fn release(&mut self, filter: &StreamFilter) -> Vec<Box<str>> {
        let mut unwanted = Vec::new();
        for uri in &filter.uris {
            let Some(count) = self.wanted.get_mut(uri) else {
                continue;
            };
            *count -= 1;
            if *count == 0 {
                self.wanted.remove(uri);
                unwanted.push(uri.clone());
            }
        }
        unwanted
    }
}

fn is_agreed(heard: &AskReply) -> bool {
    match heard {
        AskReply::Answer(frame) => frame.kind() == Kind::Result,
        AskReply::Failure(_) => false,
    }
}
