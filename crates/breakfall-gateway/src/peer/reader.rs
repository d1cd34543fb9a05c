//! Reading a connection: answers go to those who wait for them, everything else to the listener.

use std::fmt;
use std::sync::Arc;

use serde::Deserializer as _;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde_json::value::RawValue;
use tokio::io::AsyncRead;

use super::lines::{Line, Lines};
use super::ticket::{Place, error};
use super::{Asked, Lost, Peer, Side, Ticket};
use crate::envelope::{Failure, Frame, Kind, Limits, Refusal, cancelled_id};

/// Hears what the other end asks and tells. It is called by the task that reads, in the order of the messages, so it
/// must not wait: what takes time is spawned.
pub trait Listener: Send + Sync {
    /// The other end asks.
    fn request(&self, frame: Frame, ticket: Ticket);

    /// The other end tells.
    fn notification(&self, frame: Frame);

    /// The other end takes back a request that was not passed on to anybody yet.
    fn cancelled(&self, frame: Frame);

    /// The other end answers what somebody asked it through us; the answer is on its way already.
    fn answered(&self, asked: &Asked, frame: &Frame);

    /// The other end does not answer what somebody asked it through us.
    fn lost(&self, lost: Lost);

    /// The other end is gone, and with it the answers it owed. `half` is the length of a last line without an end.
    fn end(&self, lost: Vec<Lost>, half: usize);

    /// Where most of what is read here is written to: it is not read faster than it can be written.
    fn slower(&self) -> Option<Peer>;
}

pub(super) async fn run<R: AsyncRead + Unpin>(
    reader: R,
    peer: Peer,
    limits: Limits,
    listener: Arc<dyn Listener>,
) {
    let mut lines = Lines::new(reader, limits.size);
    let mut half = 0;
    loop {
        let line = tokio::select! {
            biased;
            line = lines.next() => line,
            () = peer.0.cut.notified() => break,
        };
        // An error of the stream is its end.
        let Ok(Some(line)) = line else { break };
        match line {
            Line::Whole(bytes) => peer.take(bytes, &limits, &*listener),
            Line::TooLong { scan, length } => {
                let refusal = Refusal::too_big(&scan, length, &limits);
                peer.refuse(Box::new(refusal), &*listener);
            }
            // The last line may lack only its end.
            Line::Half { start, length } => match Frame::parse(start, &limits) {
                Ok(frame) => peer.hear(frame, &*listener),
                Err(refusal) => {
                    half = length;
                    if peer.0.side == Side::Client {
                        peer.refuse(refusal, &*listener);
                    }
                }
            },
        }
        if peer.0.side == Side::Client {
            peer.0.outbox.room_for_answers().await;
        }
        if let Some(slower) = listener.slower() {
            tokio::select! {
                () = slower.0.outbox.room() => {}
                () = peer.0.cut.notified() => break,
            }
        }
    }
    let lost = peer.over();
    listener.end(lost, half);
}

impl Peer {
    fn take(&self, bytes: Vec<u8>, limits: &Limits, listener: &dyn Listener) {
        // Servers of 2025-03-26 may say several things at once; of a client it is refused.
        if self.0.side == Side::Server && bytes.trim_ascii_start().starts_with(b"[") {
            let each = Each(|one: &RawValue| self.take_one(one.get().into(), limits, listener));
            // Many a log line begins like this, too.
            if !each.of(&bytes) {
                self.count_garbage();
            }
        } else {
            self.take_one(bytes, limits, listener);
        }
    }

    fn take_one(&self, bytes: Vec<u8>, limits: &Limits, listener: &dyn Listener) {
        match Frame::parse(bytes, limits) {
            Ok(frame) => self.hear(frame, listener),
            Err(refusal) => self.refuse(refusal, listener),
        }
    }

    fn hear(&self, frame: Frame, listener: &dyn Listener) {
        let is_known = match frame.kind() {
            Kind::Request => {
                self.asked_by(frame, listener);
                true
            }
            Kind::Notification => match &*frame.method() {
                "notifications/progress" => self.progressed(frame, listener),
                "notifications/cancelled" => self.cancelled(frame, listener),
                _ => {
                    listener.notification(frame);
                    true
                }
            },
            Kind::Result | Kind::Error => self.answered(frame, listener),
        };
        if !is_known {
            self.count_stray();
        }
    }

    fn asked_by(&self, frame: Frame, listener: &dyn Listener) {
        let id = frame.id().expect("a request has an id");
        let (fault, rpc) = match self.0.tickets.open(id, self) {
            Ok(ticket) => return listener.request(frame, ticket),
            Err(refusal) => *refusal,
        };
        self.put_answer(error(Some(id), &fault, rpc));
    }

    /// Answers what has no ticket. A client is always answered, since it is not heard while too much waits for it; a
    /// server that does not read its answers does not get them.
    fn put_answer(&self, bytes: Vec<u8>) {
        // Who is gone cannot be answered.
        let _ = match self.0.side {
            Side::Client => self.0.outbox.put_anyway(bytes.into(), None),
            Side::Server => self.notify(bytes),
        };
    }

    /// Passes a cancellation to wherever the request went; false if there is no such request.
    fn cancelled(&self, frame: Frame, listener: &dyn Listener) -> bool {
        let Some((at, id)) = cancelled_id(&frame) else {
            return false;
        };
        match self.0.tickets.find(&id) {
            Some(Place::At(peer, number)) => peer.take_back(number, frame, at),
            Some(Place::Here) => listener.cancelled(frame),
            None => return self.ended_stream(frame, at, &id),
        }
        true
    }

    /// A line that is no message. A client is told, unless it was meant as an answer: then the id in it is ours, and
    /// would be taken for one of its own. A server is told if it has asked something; else it is noise, unless it
    /// carries the id of a request.
    fn refuse(&self, refusal: Failure, listener: &dyn Listener) {
        self.count_garbage();
        let is_told = match self.0.side {
            Side::Client => !refusal.is_answer,
            Side::Server => refusal.has_method && refusal.id.is_some(),
        };
        if is_told {
            let bytes = error(refusal.id.as_ref(), &refusal.fault, Some(refusal.rpc));
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

/// How many messages are taken out of one list: more than that are never under way.
const MOST: usize = 1 << 16;
