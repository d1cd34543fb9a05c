//! Takes what came in: answers go to the requests they belong to, everything else to the listener.

use std::fmt;
use std::sync::Arc;

use serde::Deserializer as _;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::client_name::client_name;
use super::isolate::isolate;
use super::listener::RelatedRequest;
use super::ticket::RequestLocation;
use super::{FinalReply, Listener, OutgoingMessage, Peer, PeerRole, ReplyChannel};
use crate::error::rpc_reply;
use crate::jsonrpc::splice::Object;
use crate::jsonrpc::{
    BoxedFrameError, Frame, FrameLimits, Id, Kind, RejectedFrame, cancelled_id, trailing_message,
};
use crate::protocol::method;

impl Peer {
    /// Takes one message, or a batch of a server.
    pub(super) fn take(
        &self,
        bytes: Vec<u8>,
        about: RelatedRequest,
        limits: &FrameLimits,
        listener: &dyn Listener,
    ) {
        // Servers of 2025-03-26 may send batches; those of clients are refused.
        if self.0.side == PeerRole::Server && bytes.trim_ascii_start().starts_with(b"[") {
            let mut is_batch = false;
            let each = EachMessage(|one: &RawValue| {
                if one.get().starts_with('{') {
                    is_batch = true;
                    self.take_one(one.get().into(), about, limits, listener);
                }
            });
            let is_whole = each.of(&bytes);
            // Many log lines begin with a bracket, too.
            if !is_batch {
                self.take_one(bytes, about, limits, listener);
            } else if !is_whole {
                self.count_garbage();
            }
        } else {
            self.take_one(bytes, about, limits, listener);
        }
    }

    fn take_one(
        &self,
        bytes: Vec<u8>,
        about: RelatedRequest,
        limits: &FrameLimits,
        listener: &dyn Listener,
    ) {
        match Frame::read(bytes, limits) {
            Ok(frame) => self.hear(frame, about, listener),
            Err(rejected) => {
                let found = self.take_behind(rejected, about, limits, listener);
                if let Err((error, line)) = found {
                    self.refuse(error, &line, listener);
                }
            }
        }
    }

    /// Takes the message at the end of a line of a server that begins with something else: text, an unfinished message, or
    /// another message.
    ///
    /// # Errors
    /// When no message stands at its end; the line is given back.
    #[cold]
    pub(super) fn take_behind(
        &self,
        (error, mut line): RejectedFrame,
        about: RelatedRequest,
        limits: &FrameLimits,
        listener: &dyn Listener,
    ) -> Result<(), RejectedFrame> {
        let place = match self.0.side {
            PeerRole::Server => trailing_message(&line, limits.depth),
            PeerRole::Client => None,
        };
        let Some(place) = place else {
            return Err((error, line));
        };
        // The last one first.
        let mut behind = vec![Frame::read(line.split_off(place), limits)];
        let mut is_behind_message = loop {
            let (error, mut front) = match Frame::read(line, limits) {
                Ok(frame) => {
                    self.hear(frame, about, listener);
                    break true;
                }
                Err(rejected) => rejected,
            };
            let place = (behind.len() < MAX_MESSAGES_PER_LINE)
                .then(|| trailing_message(&front, limits.depth));
            let Some(place) = place.flatten() else {
                let is_unfinished = error.is_meant;
                self.refuse(error, &front, listener);
                break is_unfinished;
            };
            behind.push(Frame::read(front.split_off(place), limits));
            line = front;
        };
        for message in behind.into_iter().rev() {
            match message {
                Ok(frame) if is_behind_message || self.is_own_message(&frame) => {
                    self.hear(frame, about, listener);
                    is_behind_message = true;
                }
                Ok(_) => self.count_garbage(),
                Err((error, last)) => self.refuse(error, &last, listener),
            }
        }
        Ok(())
    }

    /// Whether a message behind text is the sender's own. A server may log what it receives: a request, or the answer to a
    /// question it asked.
    fn is_own_message(&self, frame: &Frame) -> bool {
        match frame.kind() {
            Kind::Result | Kind::Error => !self.0.tickets.ever(),
            Kind::Request | Kind::Notification => false,
        }
    }

    /// Handles one message. A panic in the handler ends here.
    pub(super) fn hear(&self, frame: Frame, about: RelatedRequest, listener: &dyn Listener) {
        isolate(|| self.dispatch(frame, about, listener));
    }

    fn dispatch(&self, frame: Frame, about: RelatedRequest, listener: &dyn Listener) {
        let is_known = match frame.kind() {
            Kind::Request => {
                self.take_request(frame, about, None, listener);
                true
            }
            Kind::Notification => match &*frame.method() {
                method::PROGRESS => self.progressed(frame, listener),
                method::CANCELLED => self.cancelled(frame, listener),
                _ => {
                    listener.notification(frame, self, about);
                    true
                }
            },
            Kind::Result | Kind::Error => self.answered(frame, listener),
        };
        if !is_known {
            self.count_stray();
        }
    }

    /// Takes a request. `back` is its reply channel, and its key if that is not its id.
    pub(super) fn take_request(
        &self,
        frame: Frame,
        about: RelatedRequest,
        back: Option<(Arc<dyn ReplyChannel>, Option<Id>)>,
        listener: &dyn Listener,
    ) {
        let id = frame.id().expect("a request has an id");
        let (channel, key) = back.unzip();
        let opened = self
            .0
            .tickets
            .open(id, key.flatten(), channel.clone(), self);
        let (fault, rpc) = match opened {
            Ok(ticket) => {
                if frame.method() == method::INITIALIZE {
                    self.learn_client_name(&frame);
                }
                return listener.request(frame, ticket, about);
            }
            Err(refused) => *refused,
        };
        let (bytes, code) = rpc_reply(Some(id), &fault, rpc, &self.0.replies);
        match channel {
            Some(channel) => channel.answer(FinalReply {
                message: bytes.into(),
                code: Some(code),
                challenge: None,
                retry_after: fault.public().retry_after_seconds(),
            }),
            None => self.send_refusal(bytes),
        }
    }

    fn learn_client_name(&self, handshake: &Frame) {
        let params = handshake.body();
        let params = params.and_then(|params| Object::of(params, &["clientInfo"]));
        let name = params.and_then(|params| client_name(params.get("clientInfo")?));
        if let Some(name) = name {
            // The first handshake counts.
            let _ = self.0.client_name.set(name.into());
        }
    }

    /// Sends an answer that has no ticket. A client always gets it, since it is not read while too much waits for it; a
    /// server only if it reads.
    fn send_refusal(&self, bytes: Vec<u8>) {
        // An end that is gone cannot be answered.
        let _ = match self.0.side {
            PeerRole::Client => self.0.outbox.put_anyway(OutgoingMessage {
                message: bytes.into(),
                request: None,
                extra: None,
            }),
            PeerRole::Server => self.notify(bytes),
        };
    }

    /// Passes a cancellation to where the request is; false if the request is unknown.
    fn cancelled(&self, frame: Frame, listener: &dyn Listener) -> bool {
        let Some((at, id)) = cancelled_id(&frame) else {
            return false;
        };
        match self.0.tickets.find(&id) {
            Some(RequestLocation::Forwarded(peer, number)) => {
                if !peer.take_back(number, Some((frame, at))) {
                    self.0.tickets.mark_taken_back(&id);
                }
            }
            Some(RequestLocation::Here) => {
                self.0.tickets.mark_taken_back(&id);
                listener.cancelled(&id);
            }
            None => return self.ended_stream(frame, at, &id),
        }
        true
    }

    /// Takes a line that is not a message. A client gets an error, unless the line was meant as an answer: the id in it is a
    /// number of this process, and the client would take it for its own. A server gets an error only for a broken request;
    /// a broken answer fails its request. Everything else a server prints is stray output, whatever ids are in it.
    pub(super) fn refuse(&self, error: BoxedFrameError, line: &[u8], listener: &dyn Listener) {
        self.count_garbage();
        let is_answered = match self.0.side {
            PeerRole::Client => !error.is_answer,
            PeerRole::Server if !error.is_meant => return isolate(|| listener.noise(line)),
            PeerRole::Server => error.has_method && error.id.is_some(),
        };
        if is_answered {
            let (id, rpc) = (error.id.as_ref(), Some(error.rpc));
            let (bytes, _) = rpc_reply(id, &error.fault, rpc, &self.0.replies);
            self.send_refusal(bytes);
        } else if !error.has_method {
            self.unreadable(error, listener);
        }
    }
}

/// Calls a function with each message of a batch as it is parsed: the places of many small ones would take more memory than
/// the batch.
struct EachMessage<F>(F);

impl<F: FnMut(&RawValue)> EachMessage<F> {
    /// False if the bytes are not a list, or one that is too long.
    fn of(self, bytes: &[u8]) -> bool {
        serde_json::Deserializer::from_slice(bytes)
            .deserialize_seq(self)
            .is_ok()
    }
}

impl<'de, F: FnMut(&RawValue)> Visitor<'de> for EachMessage<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut all: A) -> Result<(), A::Error> {
        // Nothing else is read meanwhile.
        for _ in 0..MAX_BATCH {
            let Some(one) = all.next_element()? else {
                return Ok(());
            };
            (self.0)(one);
        }
        Err(A::Error::custom("too many messages in one"))
    }
}

/// How many messages are looked for on one line.
const MAX_MESSAGES_PER_LINE: usize = 8;
/// How many messages of a batch are taken: more requests than that are never in flight.
const MAX_BATCH: usize = 1 << 16;
