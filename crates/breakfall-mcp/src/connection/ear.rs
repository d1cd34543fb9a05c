//! The hearing end of a connection whose transport is not lines: whoever has received something says it here.

use std::fmt;
use std::sync::{Arc, Weak};

use breakfall::Fault;

use super::hear::RelatedRequest;
use super::isolate::isolate;
use super::ticket::Place;
use super::{
    Inner, Listener, LossReason, Peer, PeerRole, ReplayMessage, ReplyChannel, Ticket, Transport,
};
use crate::jsonrpc::{BoxedFrameError, Frame, FrameLimits, Id, Kind};

/// Hears for a peer. The connection is over when it is dropped.
pub struct Inbound {
    peer: Peer,
    limits: FrameLimits,
    listener: Arc<dyn Listener>,
}

impl fmt::Debug for Inbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ear").field(&self.peer).finish()
    }
}

impl Inbound {
    /// A connection with a transport of its own.
    pub fn new(
        side: PeerRole,
        limits: FrameLimits,
        listener: Arc<dyn Listener>,
        carrier: impl FnOnce(&Weak<Self>) -> Arc<dyn Transport>,
    ) -> Arc<Self> {
        let ear = Arc::new_cyclic(|ear| {
            let peer = Peer(Arc::new(Inner::new(side, carrier(ear))));
            Self {
                peer,
                limits,
                listener,
            }
        });
        ear.peer.watch(&ear.listener);
        ear
    }

    /// The connection.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// How big and deep messages may be.
    pub fn limits(&self) -> &FrameLimits {
        &self.limits
    }

    /// Something came in, in the response to one of our requests if `about` says so.
    pub fn receive(&self, mut bytes: Vec<u8>, about: RelatedRequest) {
        // Several at once.
        if bytes.trim_ascii_start().starts_with(b"[") {
            let breaks = bytes
                .iter_mut()
                .filter(|byte| matches!(byte, b'\n' | b'\r'));
            breaks.for_each(|byte| *byte = b' ');
            return self.peer.take(bytes, about, &self.limits, &*self.listener);
        }
        match Frame::parse(bytes, &self.limits) {
            Ok(frame) => self.hear(frame, about),
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// A message came in.
    pub fn hear(&self, mut frame: Frame, about: RelatedRequest) {
        frame.put_on_one_line();
        self.peer.hear(frame, about, &*self.listener);
    }

    /// Something came in that is no message.
    pub fn refuse(&self, refusal: BoxedFrameError) {
        self.peer.refuse(refusal, &[], &*self.listener);
    }

    /// A request came in that has a way back of its own. `key` is what it is called here if ids of several senders
    /// meet.
    ///
    /// # Panics
    /// When it is no request.
    pub fn ask(&self, mut frame: Frame, way: Arc<dyn ReplyChannel>, key: Option<Id>) {
        assert_eq!(frame.kind(), Kind::Request, "only a request has a way back");
        frame.put_on_one_line();
        let back = Some((way, key));
        isolate(|| self.peer.asked_by(frame, None, back, &*self.listener));
    }

    /// A request that nobody sent: it is made in here. Nothing if there are too many, or one by that name.
    pub fn ticket(&self, id: &Id, way: Arc<dyn ReplyChannel>) -> Option<Ticket> {
        self.peer
            .0
            .tickets
            .open(id, None, Some(way), &self.peer)
            .ok()
    }

    /// Whoever made a request does not wait for its answer any more.
    pub fn withdraw(&self, key: &Id) {
        match self.peer.0.tickets.find(key) {
            Some(Place::At(peer, number)) if !peer.take_back(number, None) => {
                self.peer.0.tickets.mark_taken_back(key);
            }
            Some(Place::Here) => {
                self.peer.0.tickets.mark_taken_back(key);
                self.listener.cancelled(key);
            }
            Some(Place::At(..)) | None => {}
        }
    }

    /// Nobody waits for any answer any more.
    pub fn withdraw_all(&self) {
        for key in self.peer.0.tickets.keys() {
            self.withdraw(&key);
        }
    }

    /// There is no time any more: whoever waits for an answer is told this, wherever their request is.
    pub fn give_up(&self, fault: &Fault) {
        self.peer.tell_the_rest(fault);
    }

    /// A request of ours will not be answered.
    pub fn failed(&self, request: u64, why: LossReason) {
        if let Some(lost) = self.peer.failed(request, why) {
            isolate(|| self.listener.lost(lost));
        }
    }

    /// The server has begun to stream what belongs to a request.
    pub fn streams(&self, request: u64) {
        if let Some(way) = self.peer.way_of(request) {
            way.streams();
        }
    }

    /// Waits until whoever hears of what comes in here can take more.
    pub async fn room(&self) {
        if let Some(slower) = self.listener.slower() {
            slower.0.outbox.room().await;
        }
    }

    /// What the other end has to be told if it has forgotten everything.
    pub fn again(&self) -> Vec<ReplayMessage> {
        self.listener.again()
    }
}

impl Drop for Inbound {
    fn drop(&mut self) {
        let lost = self.peer.over();
        self.listener.end(lost, 0);
        self.peer.0.reading_ended.notify_one();
        self.peer.end_writing();
    }
}
