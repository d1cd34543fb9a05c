//! The receiving end of a connection whose transport is not lines.

use std::fmt;
use std::sync::{Arc, Weak};

use breakfall::Fault;

use super::isolate::isolate;
use super::listener::RelatedRequest;
use super::ticket::RequestLocation;
use super::{
    Connection, Listener, LossReason, Peer, PeerRole, ReplayMessage, ReplyChannel, Ticket,
    Transport,
};
use crate::jsonrpc::{BoxedFrameError, Frame, FrameLimits, Id, Kind};

/// Takes what a transport has received for a connection. The connection ends when it is dropped.
pub struct Inbound {
    peer: Peer,
    limits: FrameLimits,
    listener: Arc<dyn Listener>,
}

impl fmt::Debug for Inbound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Inbound").field(&self.peer).finish()
    }
}

impl Inbound {
    /// A connection with the transport that `carrier` makes.
    pub fn new(
        side: PeerRole,
        limits: FrameLimits,
        listener: Arc<dyn Listener>,
        carrier: impl FnOnce(&Weak<Self>) -> Arc<dyn Transport>,
    ) -> Arc<Self> {
        let replies = listener.reply_options();
        let inbound = Arc::new_cyclic(|inbound| {
            let connection = Connection::new(side, replies, carrier(inbound));
            let peer = Peer(Arc::new(connection));
            Self {
                peer,
                limits,
                listener,
            }
        });
        inbound.peer.watch_deadlines(&inbound.listener);
        inbound
    }

    /// The connection.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The limits of messages.
    pub fn limits(&self) -> &FrameLimits {
        &self.limits
    }

    /// Takes bytes, which came in the response to the request `about`.
    pub fn receive(&self, mut bytes: Vec<u8>, about: RelatedRequest) {
        // A batch.
        if bytes.trim_ascii_start().starts_with(b"[") {
            let breaks = bytes
                .iter_mut()
                .filter(|byte| matches!(byte, b'\n' | b'\r'));
            breaks.for_each(|byte| *byte = b' ');
            return self.peer.take(bytes, about, &self.limits, &*self.listener);
        }
        match Frame::parse(bytes, &self.limits) {
            Ok(frame) => self.hear(frame, about),
            Err(error) => self.refuse(error),
        }
    }

    /// Takes a message.
    pub fn hear(&self, mut frame: Frame, about: RelatedRequest) {
        frame.put_on_one_line();
        self.peer.hear(frame, about, &*self.listener);
    }

    /// Takes bytes that are not a message.
    pub fn refuse(&self, error: BoxedFrameError) {
        self.peer.refuse(error, &[], &*self.listener);
    }

    /// Takes a request with a reply channel of its own. `key` identifies it where the ids of several senders meet.
    ///
    /// # Panics
    /// When the frame is not a request.
    pub fn ask(&self, mut frame: Frame, channel: Arc<dyn ReplyChannel>, key: Option<Id>) {
        assert_eq!(frame.kind(), Kind::Request, "only a request is answered");
        frame.put_on_one_line();
        let back = Some((channel, key));
        isolate(|| self.peer.take_request(frame, None, back, &*self.listener));
    }

    /// A ticket for a request that this process makes itself; `None` if the id is in use or too many are open.
    pub fn ticket(&self, id: &Id, channel: Arc<dyn ReplyChannel>) -> Option<Ticket> {
        self.peer
            .0
            .tickets
            .open(id, None, Some(channel), &self.peer)
            .ok()
    }

    /// Cancels a request: its sender does not wait for the answer any more.
    pub fn withdraw(&self, key: &Id) {
        match self.peer.0.tickets.find(key) {
            Some(RequestLocation::Forwarded(peer, number)) if !peer.take_back(number, None) => {
                self.peer.0.tickets.mark_taken_back(key);
            }
            Some(RequestLocation::Here) => {
                self.peer.0.tickets.mark_taken_back(key);
                self.listener.cancelled(key);
            }
            Some(RequestLocation::Forwarded(..)) | None => {}
        }
    }

    /// Cancels all requests.
    pub fn withdraw_all(&self) {
        for key in self.peer.0.tickets.keys() {
            self.withdraw(&key);
        }
    }

    /// Answers all open requests with a fault, wherever they are.
    pub fn give_up(&self, fault: &Fault) {
        self.peer.fail_open_requests(fault);
    }

    /// Answers all open requests with a fault, and cancels the forwarded ones.
    pub fn give_up_and_cancel(&self, fault: &Fault) {
        let tickets = &self.peer.0.tickets;
        let keys = tickets.keys();
        let locations: Vec<_> = keys.iter().filter_map(|key| tickets.find(key)).collect();
        // First, because a cancelled request gets no answer.
        self.give_up(fault);
        for location in locations {
            if let RequestLocation::Forwarded(peer, number) = location {
                peer.take_back(number, None);
            }
        }
    }

    /// A request to the other end will not be answered.
    pub fn failed(&self, request: u64, why: LossReason) {
        if let Some(lost) = self.peer.failed(request, why) {
            isolate(|| self.listener.lost(lost));
        }
    }

    /// The server streams messages for a request.
    pub fn streams(&self, request: u64) {
        if let Some(channel) = self.peer.channel_of(request) {
            channel.streams();
        }
    }

    /// Waits until the destination of what comes in here can take more.
    pub async fn room(&self) {
        if let Some(slower) = self.listener.slower() {
            slower.0.outbox.room().await;
        }
    }

    /// The messages to send first to an end that has lost its state.
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
