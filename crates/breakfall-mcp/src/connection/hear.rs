//! What becomes of a message that came in: answers go to those who wait for them, everything else to the listener.

use std::fmt;
use std::sync::Arc;

use serde::Deserializer as _;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::isolate::isolate;
use super::ticket::Place;
use super::told::error;
use super::{
    FinalReply, LostRequest, OutgoingMessage, Peer, PeerRole, ReplyChannel, RequestSummary, Ticket,
};
use crate::error::ReplyOptions;
use crate::jsonrpc::{
    BoxedFrameError, Frame, FrameLimits, Id, Kind, RejectedFrame, cancelled_id, message_behind,
};

/// The number of the request in whose response something came, where the transport tells.
pub type RelatedRequest = Option<u64>;

/// Hears what the other end asks and tells. It is called by whoever reads, in the order of the messages, so it must
/// not wait: what takes time is spawned.
pub trait Listener: Send + Sync {
    /// The other end asks.
    fn request(&self, frame: Frame, ticket: Ticket, about: RelatedRequest);

    /// The other end tells.
    fn notification(&self, frame: Frame, from: &Peer, about: RelatedRequest);

    /// The other end takes back a request that was not passed on to anybody yet.
    fn cancelled(&self, key: &Id);

    /// The other end answers what somebody asked it through us; the answer is on its way already.
    fn answered(&self, asked: &RequestSummary, frame: &Frame);

    /// The other end does not answer what somebody asked it through us.
    fn lost(&self, lost: LostRequest);

    /// The other end is gone, and with it the answers it owed. `half` is the length of a last line without an end.
    fn end(&self, lost: Vec<LostRequest>, half: usize);

    /// The other end prints what is no message.
    fn noise(&self, _line: &[u8]) {}

    /// Where most of what is read here is written to: it is not read faster than it can be written.
    fn slower(&self) -> Option<Peer>;

    /// What an end that has forgotten everything has to be told first.
    fn again(&self) -> Vec<ReplayMessage> {
        Vec::new()
    }
}

/// Something to be told or asked again.
#[derive(Debug)]
pub enum ReplayMessage {
    /// Has to be accepted.
    Ask(Frame),
    /// Has only to be said.
    Tell(Frame),
}

impl Peer {
    /// Takes what came in: one message, or from a server several.
    pub(super) fn take(
        &self,
        bytes: Vec<u8>,
        about: RelatedRequest,
        limits: &FrameLimits,
        listener: &dyn Listener,
    ) {
        // Servers of 2025-03-26 may say several things at once; of a client it is refused.
        if self.0.side == PeerRole::Server && bytes.trim_ascii_start().starts_with(b"[") {
            let mut is_list = false;
            let each = Each(|one: &RawValue| {
                if one.get().starts_with('{') {
                    is_list = true;
                    self.take_one(one.get().into(), about, limits, listener);
                }
            });
            let is_whole = each.of(&bytes);
            // Many a log line begins like this, too.
            if !is_list {
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
            Err(unread) => {
                let found = self.take_behind(unread, about, limits, listener);
                if let Err((refusal, line)) = found {
                    self.refuse(refusal, &line, listener);
                }
            }
        }
    }

    /// Takes the message that a line of a server ends with, where something stands before it: half of another one, another
    /// one, or words. Else the line is given back.
    ///
    /// # Errors
    /// When there is no message at its end.
    #[cold]
    pub(super) fn take_behind(
        &self,
        (refusal, mut line): RejectedFrame,
        about: RelatedRequest,
        limits: &FrameLimits,
        listener: &dyn Listener,
    ) -> Result<(), RejectedFrame> {
        let place = match self.0.side {
            PeerRole::Server => message_behind(&line, limits.depth),
            PeerRole::Client => None,
        };
        let Some(place) = place else {
            return Err((refusal, line));
        };
        // The last one first.
        let mut behind = vec![Frame::read(line.split_off(place), limits)];
        let mut is_behind_message = loop {
            let (refusal, mut front) = match Frame::read(line, limits) {
                Ok(frame) => {
                    self.hear(frame, about, listener);
                    break true;
                }
                Err(unread) => unread,
            };
            let place = (behind.len() < MOST_BEHIND).then(|| message_behind(&front, limits.depth));
            let Some(place) = place.flatten() else {
                let is_half = refusal.is_meant;
                self.refuse(refusal, &front, listener);
                break is_half;
            };
            behind.push(Frame::read(front.split_off(place), limits));
            line = front;
        };
        for message in behind.into_iter().rev() {
            match message {
                Ok(frame) if is_behind_message || self.is_its_own(&frame) => {
                    self.hear(frame, about, listener);
                    is_behind_message = true;
                }
                Ok(_) => self.count_garbage(),
                Err((refusal, last)) => self.refuse(refusal, &last, listener),
            }
        }
        Ok(())
    }

    /// Whether a message behind words is one of its sender's own. What is logged may be what came in: a request of ours, or
    /// our answer to a question.
    fn is_its_own(&self, frame: &Frame) -> bool {
        match frame.kind() {
            Kind::Result | Kind::Error => !self.0.tickets.ever(),
            Kind::Request | Kind::Notification => false,
        }
    }

    /// Handles one message. A panic in whatever handles it ends here.
    pub(super) fn hear(&self, frame: Frame, about: RelatedRequest, listener: &dyn Listener) {
        isolate(|| self.dispatch(frame, about, listener));
    }

    fn dispatch(&self, frame: Frame, about: RelatedRequest, listener: &dyn Listener) {
        let is_known = match frame.kind() {
            Kind::Request => {
                self.asked_by(frame, about, None, listener);
                true
            }
            Kind::Notification => match &*frame.method() {
                "notifications/progress" => self.progressed(frame, listener),
                "notifications/cancelled" => self.cancelled(frame, listener),
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

    /// Takes a request. `back` is the way its answer takes, and what it is called here, if that is not its id.
    pub(super) fn asked_by(
        &self,
        frame: Frame,
        about: RelatedRequest,
        back: Option<(Arc<dyn ReplyChannel>, Option<Id>)>,
        listener: &dyn Listener,
    ) {
        let id = frame.id().expect("a request has an id");
        let (way, key) = back.unzip();
        let (fault, rpc) = match self.0.tickets.open(id, key.flatten(), way.clone(), self) {
            Ok(ticket) => return listener.request(frame, ticket, about),
            Err(refusal) => *refusal,
        };
        let (bytes, code) = error(Some(id), &fault, rpc, &ReplyOptions::default());
        match way {
            Some(way) => way.answer(FinalReply {
                message: bytes.into(),
                code: Some(code),
                challenge: None,
                retry_after: fault.public().retry_after_seconds(),
            }),
            None => self.put_answer(bytes),
        }
    }

    /// Answers what has no ticket. A client is always answered, since it is not heard while too much waits for it; a
    /// server that does not read its answers does not get them.
    fn put_answer(&self, bytes: Vec<u8>) {
        // Who is gone cannot be answered.
        let _ = match self.0.side {
            PeerRole::Client => self.0.outbox.put_anyway(OutgoingMessage {
                message: bytes.into(),
                request: None,
                extra: None,
            }),
            PeerRole::Server => self.notify(bytes),
        };
    }

    /// Passes a cancellation to wherever the request went; false if there is no such request.
    fn cancelled(&self, frame: Frame, listener: &dyn Listener) -> bool {
        let Some((at, id)) = cancelled_id(&frame) else {
            return false;
        };
        match self.0.tickets.find(&id) {
            Some(Place::At(peer, number)) => {
                if !peer.take_back(number, Some((frame, at))) {
                    self.0.tickets.mark_taken_back(&id);
                }
            }
            Some(Place::Here) => {
                self.0.tickets.mark_taken_back(&id);
                listener.cancelled(&id);
            }
            None => return self.ended_stream(frame, at, &id),
        }
        true
    }

    /// A line that is no message. A client is told, unless it was meant as an answer: then the id in it is ours, and
    /// would be taken for one of its own. A server is told if it has asked something, and what it answers is the answer; all
    /// else it says is noise, whatever ids are in it: they are small numbers, as those of rows and orders are.
    pub(super) fn refuse(&self, refusal: BoxedFrameError, line: &[u8], listener: &dyn Listener) {
        self.count_garbage();
        let is_told = match self.0.side {
            PeerRole::Client => !refusal.is_answer,
            PeerRole::Server if !refusal.is_meant => return isolate(|| listener.noise(line)),
            PeerRole::Server => refusal.has_method && refusal.id.is_some(),
        };
        if is_told {
            let (bytes, _) = error(
                refusal.id.as_ref(),
                &refusal.fault,
                Some(refusal.rpc),
                &ReplyOptions::default(),
            );
            self.put_answer(bytes);
        } else if !refusal.has_method {
            self.unreadable(refusal, listener);
        }
    }
}

/// Does something with each value of a list, one after the other: a list of many small ones would be a much longer
/// one of places.
struct Each<F>(F);

impl<F: FnMut(&RawValue)> Each<F> {
    /// False if it is no list, or one that is far too long.
    fn of(self, bytes: &[u8]) -> bool {
        serde_json::Deserializer::from_slice(bytes)
            .deserialize_seq(self)
            .is_ok()
    }
}

impl<'de, F: FnMut(&RawValue)> Visitor<'de> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut all: A) -> Result<(), A::Error> {
        // Nobody else is heard meanwhile.
        for _ in 0..MOST {
            let Some(one) = all.next_element()? else {
                return Ok(());
            };
            (self.0)(one);
        }
        Err(A::Error::custom("too many messages in one"))
    }
}

/// How many messages are found on one line behind something else.
const MOST_BEHIND: usize = 8;
/// How many messages are taken out of one list: more than that are never under way.
const MOST: usize = 1 << 16;
