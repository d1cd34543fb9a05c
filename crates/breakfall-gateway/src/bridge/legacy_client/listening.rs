//! Keeps one stream of a modern server open for a legacy client, which does not know of streams.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use breakfall::wire::Rpc;
use breakfall::{Fault, LimitType};
use tokio::time::sleep;

use super::bridge::LegacyClientBridge;
use super::listen::{ClientSubscriptions, is_agreed, unwrapped, uri};
use crate::bridge::say;
use crate::session::bytes;
use breakfall_mcp::connection::{
    FinalReply, Listener as _, ReplyChannel, RpcMethod, SendError, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id, Kind, RawMessage};
use breakfall_mcp::protocol::method;

/// The subscriptions, and the streams open for them.
#[derive(Debug, Default)]
pub(super) struct SubscriptionStreams {
    wishes: ClientSubscriptions,
    /// By number: when the subscriptions change, a new stream replaces the one before.
    streams: BTreeMap<u64, OpenStream>,
    count: u64,
    /// The number of the acknowledged stream.
    heard: u64,
    /// How often in a row a stream has ended without being closed here.
    failures: u32,
    is_over: bool,
}

#[derive(Debug)]
struct OpenStream {
    key: Id,
    /// The `resources/subscribe` that is answered once the stream is acknowledged.
    waiting: Option<(Ticket, String)>,
}

impl LegacyClientBridge {
    /// The client has finished its handshake.
    pub(super) fn listen(&self) {
        if self.listening.lock().streams.is_empty() {
            self.renew(None);
        }
    }

    pub(super) fn subscribe(&self, frame: &Frame, ticket: Ticket) {
        let Some(uri) = self.subscribable(frame) else {
            return self.unsubscribable(ticket, &frame.method());
        };
        if !self.listening.lock().wishes.add(&uri) {
            let fault = Fault::payload_too_large(LimitType::RequestSize, 0, 0)
                .message("There are too many subscriptions, or the name of this one is too long")
                .remediation("End subscriptions that are not needed first.");
            return ticket.fail(&fault, Some(Rpc::InvalidParams));
        }
        self.renew(Some((ticket, uri)));
    }

    pub(super) fn unsubscribe(&self, frame: &Frame, ticket: Ticket) {
        let Some(uri) = self.subscribable(frame) else {
            return self.unsubscribable(ticket, &frame.method());
        };
        self.listening.lock().wishes.remove(&uri);
        self.renew(None);
        say::result(ticket, "{}".to_owned());
    }

    fn subscribable(&self, frame: &Frame) -> Option<String> {
        self.discovered.server.subscribes.then(|| uri(frame))?
    }

    fn unsubscribable(&self, ticket: Ticket, method: &str) {
        if self.discovered.server.subscribes {
            return ticket.fail(&Fault::missing_param("uri"), Some(Rpc::InvalidParams));
        }
        say::no_such_method(
            ticket,
            method,
            "Read the resource again instead: the server does not tell when one changes.",
        );
    }

    /// Closes all streams.
    pub(super) fn hear_no_more(&self) {
        let mut listening = self.listening.lock();
        listening.is_over = true;
        let streams = std::mem::take(&mut listening.streams);
        drop(listening);
        self.end_streams(streams.into_values());
    }

    /// Requests a stream of all subscriptions. The one before stays open until it is acknowledged.
    fn renew(&self, waiting: Option<(Ticket, String)>) {
        let mut listening = self.listening.lock();
        let Some(request) = listening.wishes.request(self.discovered.server) else {
            let streams = std::mem::take(&mut listening.streams);
            drop(listening);
            self.end_streams(streams.into_values());
            if let Some((ticket, _)) = waiting {
                say::result(ticket, "{}".to_owned());
            }
            return;
        };
        listening.count += 1;
        let number = listening.count;
        let key = self.asker.key();
        let stream = OpenStream {
            key: key.clone(),
            waiting,
        };
        listening.streams.insert(number, stream);
        drop(listening);
        let channel = Arc::new(StreamReplyChannel {
            bridge: self.me.clone(),
            number,
        });
        let frame = say::frame(request).and_then(|frame| self.spoken(&frame));
        let ticket = self.asker.ticket(&key, channel);
        let (Some(frame), Some(ticket)) = (frame, ticket) else {
            return self.failed(number, None);
        };
        let me = self.me.clone();
        let ticket = ticket.then(move |answer, ticket, _| {
            if let Some(bridge) = me.upgrade() {
                bridge.ended(number, answer);
            }
            ticket.withdraw();
        });
        self.front.request(frame, ticket, None);
    }

    /// A notification in a stream.
    fn told(&self, number: u64, note: &Frame) -> Result<(), SendError> {
        if note.method() == method::SUBSCRIPTIONS_ACKNOWLEDGED {
            self.acknowledged(number, note);
            return Ok(());
        }
        if self.listening.lock().heard != number {
            return Ok(());
        }
        self.client.notify_unrelated(unwrapped(note))
    }

    /// A stream is acknowledged: answers the request that waited for it, and closes older streams.
    fn acknowledged(&self, number: u64, note: &Frame) {
        let mut listening = self.listening.lock();
        let Some(stream) = listening.streams.get_mut(&number) else {
            return;
        };
        let mut waiting: Vec<_> = stream.waiting.take().into_iter().collect();
        listening.failures = 0;
        listening.heard = listening.heard.max(number);
        let later = listening.streams.split_off(&number);
        let mut before = std::mem::replace(&mut listening.streams, later);
        waiting.extend(
            before
                .values_mut()
                .filter_map(|stream| stream.waiting.take()),
        );
        let refused: Vec<bool> = waiting
            .iter()
            .map(|(_, uri)| listening.wishes.has(uri) && !is_agreed(note, uri))
            .collect();
        for ((_, uri), _) in waiting
            .iter()
            .zip(&refused)
            .filter(|(_, refused)| **refused)
        {
            listening.wishes.remove(uri);
        }
        drop(listening);
        self.end_streams(before.into_values());
        for ((ticket, uri), is_refused) in waiting.into_iter().zip(refused) {
            if is_refused {
                ticket.fail(
                    &Fault::not_found("resource", &uri),
                    Some(Rpc::InvalidParams),
                );
            } else {
                say::result(ticket, "{}".to_owned());
            }
        }
    }

    /// The server has ended or refused a stream.
    fn ended(&self, number: u64, answer: Frame) {
        if answer.kind() == Kind::Result {
            return self.failed(number, None);
        }
        let mut listening = self.listening.lock();
        let stream = listening.streams.remove(&number);
        if let Some((_, uri)) = stream.as_ref().and_then(|stream| stream.waiting.as_ref()) {
            listening.wishes.remove(uri);
        }
        drop(listening);
        if let Some((ticket, _)) = stream.and_then(|stream| stream.waiting) {
            ticket.answer(answer, RpcMethod::Other);
        }
    }

    /// A stream is lost. If it was the acknowledged one, a new one is requested.
    fn failed(&self, number: u64, failure: Option<Vec<u8>>) {
        let mut listening = self.listening.lock();
        let Some(stream) = listening.streams.remove(&number) else {
            return;
        };
        let is_missed = listening.streams.is_empty() && !listening.is_over;
        let wait = FIRST_PAUSE * 2_u32.saturating_pow(listening.failures.min(MAX_DOUBLINGS));
        listening.failures += 1;
        drop(listening);
        if let Some((ticket, _)) = stream.waiting {
            match failure {
                Some(failure) => say::answer(ticket, failure, RpcMethod::Other),
                None => ticket.fail(&Fault::unavailable(method::SUBSCRIPTIONS_LISTEN), None),
            }
        }
        if is_missed {
            let me = self.me.clone();
            tokio::spawn(async move {
                sleep(wait).await;
                if let Some(bridge) = me.upgrade()
                    && !bridge.listening.lock().is_over
                {
                    bridge.listen();
                }
            });
        }
    }

    fn end_streams(&self, streams: impl Iterator<Item = OpenStream>) {
        for stream in streams {
            self.asker.withdraw(&stream.key);
            if let Some((ticket, _)) = stream.waiting {
                say::result(ticket, "{}".to_owned());
            }
        }
    }
}

/// The reply channel of a stream.
struct StreamReplyChannel {
    bridge: Weak<LegacyClientBridge>,
    number: u64,
}

impl fmt::Debug for StreamReplyChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("StreamReplyChannel")
            .field(&self.number)
            .finish()
    }
}

impl ReplyChannel for StreamReplyChannel {
    fn tell(&self, message: RawMessage) -> Result<(), SendError> {
        let bridge = self.bridge.upgrade().ok_or(SendError::Over)?;
        match say::frame(bytes(&message)) {
            Some(note) => bridge.told(self.number, &note),
            None => Ok(()),
        }
    }

    fn answer(&self, last: FinalReply) {
        if let Some(bridge) = self.bridge.upgrade() {
            bridge.failed(self.number, Some(bytes(&last.message)));
        }
    }

    fn end(&self) {
        if let Some(bridge) = self.bridge.upgrade() {
            bridge.failed(self.number, None);
        }
    }
}

/// The pause before a stream that has ended is requested again; it grows each time.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// How often the pause doubles.
const MAX_DOUBLINGS: u32 = 6;
