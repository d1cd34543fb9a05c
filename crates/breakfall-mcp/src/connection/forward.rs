//! Sending requests, and cancelling them.

use std::ops::Range;
use std::sync::{Arc, Weak};

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::deadline::Deadline;
use super::pending::{AnswerSink, PendingRequest};
use super::{
    AskOutcome, Connection, LossReason, LostRequest, OutgoingMessage, Peer, ReplyChannel,
    RequestSummary, RpcMethod, SendError, Ticket, TransportHeaders,
};
use crate::jsonrpc::{Frame, Id, RawMessage, RequestParams};
use crate::timeouts::Timeouts;

impl Peer {
    /// Forwards a request that came at some time. Its answer and its progress go to the sender of the ticket's request.
    ///
    /// # Errors
    /// When it could not be sent.
    pub fn forward(
        &self,
        frame: Frame,
        params: RequestParams,
        ticket: Ticket,
        timeouts: impl FnOnce(&RequestSummary) -> Timeouts,
        since: Instant,
    ) -> Result<(), Box<LostRequest>> {
        self.forward_via(None, frame, params, ticket, timeouts, since)
    }

    /// Like [`Self::forward`], as part of the messages of another request if it has a reply channel.
    ///
    /// # Errors
    /// When it could not be sent.
    pub fn forward_via(
        &self,
        channel: Option<Arc<dyn ReplyChannel>>,
        frame: Frame,
        mut params: RequestParams,
        ticket: Ticket,
        timeouts: impl FnOnce(&RequestSummary) -> Timeouts,
        since: Instant,
    ) -> Result<(), Box<LostRequest>> {
        let asked = RequestSummary::taking(&frame, &mut params);
        let deadline = Deadline::new(since, timeouts(&asked));
        let number = self.0.pending.number();
        let (token_place, token) = params.token.unzip();
        let id_place = frame.id_place();
        let message = RawMessage::changed_twice(frame, [id_place, token_place], Id::number(number));
        if !ticket.sent_to(self, number) {
            ticket.withdraw();
            return Ok(());
        }
        let out = OutgoingRequest {
            number,
            message,
            extra: ticket.extra(),
            channel,
        };
        let sink = AnswerSink::Ticket {
            ticket,
            progress: token,
        };
        self.send(out, asked, sink, deadline).map_err(
            |(request, unsent): (Box<PendingRequest>, _)| {
                let AnswerSink::Ticket { ticket, .. } = request.sink else {
                    unreachable!("made above")
                };
                Box::new(LostRequest::unsent(ticket, request.asked, unsent))
            },
        )
    }

    /// Sends a request of this process, at once. The id of the frame is replaced. Dropping the future cancels the request.
    pub fn ask(
        &self,
        frame: Frame,
        timeouts: Timeouts,
    ) -> impl Future<Output = AskOutcome> + use<> {
        self.ask_via(None, frame, timeouts)
    }

    /// Like [`Self::ask`], as part of the messages of another request if it has a reply channel.
    pub fn ask_via(
        &self,
        channel: Option<Arc<dyn ReplyChannel>>,
        frame: Frame,
        timeouts: Timeouts,
    ) -> impl Future<Output = AskOutcome> + use<> {
        let asked = RequestSummary::of(&frame, &RequestParams::default());
        let number = self.0.pending.number();
        let id_place = frame.id_place();
        let message = RawMessage::changed(frame, id_place, Id::number(number));
        let (sender, answer) = oneshot::channel();
        let deadline = Deadline::new(Instant::now(), timeouts);
        let out = OutgoingRequest {
            number,
            message,
            extra: None,
            channel,
        };
        let sent = self.send(out, asked, AnswerSink::Waiter(sender), deadline);
        let sent = sent.map_err(|(_, unsent)| AskOutcome::Lost(LossReason::Unsent(unsent)));
        let guard = CancelOnDrop(Arc::downgrade(&self.0), number);
        async move {
            let _guard = guard;
            match sent {
                Ok(()) => answer.await.unwrap_or(AskOutcome::Lost(LossReason::Gone)),
                Err(lost) => lost,
            }
        }
    }

    fn send(
        &self,
        out: OutgoingRequest,
        asked: RequestSummary,
        sink: AnswerSink,
        deadline: Deadline,
    ) -> Result<(), (Box<PendingRequest>, SendError)> {
        let OutgoingRequest {
            number,
            message,
            extra,
            channel,
        } = out;
        let channel = channel.or_else(|| self.unrelated_channel());
        let has_end = asked.method != RpcMethod::Listen;
        let request = Box::new(PendingRequest {
            asked,
            sink,
            is_written: channel.is_some(),
            channel: channel.clone(),
            deadline: has_end.then_some(deadline),
            questions: 0,
        });
        let inserted = self.0.pending.insert(number, request);
        inserted.map_err(|request| (request, SendError::Over))?;
        let sent = match channel {
            Some(channel) => channel.tell(message),
            None => self.0.outbox.put(OutgoingMessage {
                message,
                request: Some(number),
                extra,
            }),
        };
        match sent {
            Ok(()) => Ok(()),
            // A request that is gone was lost with the connection, and handled there.
            Err(unsent) => match self.0.pending.take(number) {
                Some(request) => Err((request, unsent)),
                None => Ok(()),
            },
        }
    }

    /// Sends a message that belongs to no request. If the transport cannot deliver it now, the latest request of the same
    /// client carries it.
    ///
    /// # Errors
    /// When it could not be sent.
    pub fn notify_unrelated(&self, message: impl Into<RawMessage>) -> Result<(), SendError> {
        match self.unrelated_channel() {
            Some(channel) => channel.tell(message.into()),
            None => self.notify(message),
        }
    }

    fn unrelated_channel(&self) -> Option<Arc<dyn ReplyChannel>> {
        let transport = self.0.outbox.transport();
        if transport.is_heard() {
            return None;
        }
        if transport.is_of_one() {
            self.0.tickets.latest_channel()
        } else {
            self.0.tickets.only_channel()
        }
    }

    /// Cancels a forwarded request, because its sender did. `note` is the cancellation as it came, which is forwarded under
    /// the id the request has here; `None` if the sender disconnected instead. False if the request is not pending any more.
    pub(super) fn take_back(&self, number: u64, note: Option<(Frame, Range<usize>)>) -> bool {
        let Some(request) = self.0.pending.abandon(number) else {
            return false;
        };
        // A request that is not written yet never will be.
        if request.is_written && !self.0.outbox.transport().abort(number) {
            match note {
                Some((note, at)) => {
                    self.notify_about(&request, || {
                        RawMessage::changed(note.clone(), Some(at.clone()), Id::number(number))
                    });
                }
                None => self.notify_cancelled(number, &request),
            }
        }
        if let AnswerSink::Ticket { ticket, .. } = request.sink {
            ticket.withdraw();
        }
        true
    }

    /// Cancels the requests of a connection that is gone.
    pub fn cancel_requests_of(&self, gone: &Self) {
        for (number, request) in self.0.pending.take_all_of(gone) {
            self.cancel(number, &request);
            if let AnswerSink::Ticket { ticket, .. } = request.sink {
                ticket.withdraw();
            }
        }
    }

    /// Notifies the other end that a request is cancelled.
    pub(super) fn cancel(&self, number: u64, request: &PendingRequest) {
        let transport = self.0.outbox.transport();
        // The protocol forbids to cancel the handshake, and a request that is not written yet never will be.
        if request.asked.method == RpcMethod::Initialize {
            transport.abort(number);
        } else if request.is_written && !transport.abort(number) {
            self.notify_cancelled(number, request);
        }
    }

    fn notify_cancelled(&self, number: u64, request: &PendingRequest) {
        self.notify_about(request, || {
            let note = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{number}}}}}"#
            );
            note.into_bytes().into()
        });
    }

    /// Sends a notification about a request the way the request went: over HTTP, an end may read one stream and not another.
    fn notify_about(&self, request: &PendingRequest, note: impl Fn() -> RawMessage) {
        let channel = request.channel.as_ref();
        if channel.is_none_or(|channel| channel.tell(note()).is_err()) {
            // An end that does not read is not notified.
            let _ = self.notify(note());
        }
    }
}

/// Cancels a request when the future that waits for its answer is dropped.
struct CancelOnDrop(Weak<Connection>, u64);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Self(peer, number) = self;
        let Some(peer) = peer.upgrade().map(Peer) else {
            return;
        };
        if let Some(request) = peer.0.pending.abandon(*number) {
            peer.cancel(*number, &request);
        }
    }
}

/// A request to be sent.
struct OutgoingRequest {
    number: u64,
    message: RawMessage,
    extra: Option<Arc<TransportHeaders>>,
    channel: Option<Arc<dyn ReplyChannel>>,
}
