//! What comes for requests that were sent: answers, progress, timeouts, the end of the connection.

use std::ops::Range;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::Instant;

use super::isolate::isolate;
use super::pending::{AnswerSink, PendingRequest};
use super::{AskOutcome, Connection, Listener, LossReason, LostRequest, Peer, ReplyChannel};
use crate::jsonrpc::{BoxedFrameError, Frame, Id, RawMessage, may_contain, progress_token};

impl Peer {
    /// Takes an answer; false if its request is not pending.
    pub(super) fn answered(&self, frame: Frame, listener: &dyn Listener) -> bool {
        let number = frame.id().and_then(Id::as_number);
        let request = number.and_then(|number| self.0.pending.take_answered(number));
        let Some(request) = request else {
            return false;
        };
        match request.sink {
            AnswerSink::Ticket { ticket, progress } => {
                if let (Some(number), Some(token)) = (number, progress)
                    && begins_task(&frame)
                {
                    let to = ticket.peer().clone();
                    self.0.pending.remember_task(number, to, token);
                }
                listener.answered(&request.asked, &frame);
                ticket.answer(frame, request.asked.method);
            }
            // The waiting task may be gone.
            AnswerSink::Waiter(waiter) => drop(waiter.send(AskOutcome::Reply(frame))),
        }
        true
    }

    /// Takes an answer that cannot be parsed, which ends its request.
    pub(super) fn unreadable(&self, refusal: BoxedFrameError, listener: &dyn Listener) {
        let number = refusal.id.as_ref().and_then(Id::as_number);
        let request = number.and_then(|number| self.0.pending.take_answered(number));
        if let Some(lost) =
            request.and_then(|request| request.lost(LossReason::Unreadable(refusal)))
        {
            isolate(|| listener.lost(lost));
        }
    }

    /// Takes progress; false if its request is not pending.
    pub(super) fn progressed(&self, frame: Frame, listener: &dyn Listener) -> bool {
        let Some((place, token)) = progress_token(&frame) else {
            // A token that is neither a string nor an integer was forwarded as it was, and so is its progress.
            listener.notification(frame, self, None);
            return true;
        };
        let number = token.as_number();
        let receiver = number.and_then(|number| self.0.pending.progress(number));
        let Some((to, channel, token)) = receiver else {
            return listener.progress(&frame);
        };
        let note = RawMessage::changed(frame, Some(place), token);
        match channel {
            Some(channel) => channel.tell(note).is_ok(),
            None => to.notify_unrelated(note).is_ok(),
        }
    }

    /// Takes the cancellation of a stream by the server, the only request it may cancel; false if it is not one.
    pub(super) fn ended_stream(&self, note: Frame, at: Range<usize>, id: &Id) -> bool {
        let number = id.as_number();
        let Some(request) = number.and_then(|number| self.0.pending.take_stream(number)) else {
            return false;
        };
        if let AnswerSink::Ticket { ticket, .. } = request.sink {
            let note = RawMessage::changed(note, Some(at), ticket.id().clone());
            // A client that does not read is not notified.
            let _ = ticket.tell(note);
            ticket.withdraw();
        }
        true
    }

    /// The id of the request that began a subscription, and its reply channel.
    pub fn stream_of(&self, subscription: &Id) -> Option<(Id, Option<Arc<dyn ReplyChannel>>)> {
        self.0.pending.caller(subscription.as_number()?)
    }

    /// The reply channel of a request.
    pub fn channel_of(&self, number: u64) -> Option<Arc<dyn ReplyChannel>> {
        self.0.pending.caller(number)?.1
    }

    /// The reply channel of the only request in flight: a message that comes meanwhile most likely belongs to it.
    pub fn only_channel(&self) -> Option<Arc<dyn ReplyChannel>> {
        self.0.tickets.only_channel()
    }

    /// Waits until a request that ended here before the other end answered it is past its deadline. It does not count once a
    /// later request is answered.
    pub async fn overdue(&self) {
        self.0.pending.until_overdue().await;
    }

    /// Whether [`Self::overdue`] holds.
    pub fn is_overdue(&self) -> bool {
        self.0.pending.is_overdue()
    }

    /// The other end is alive, and will not answer the requests that are past their deadline.
    pub fn forget_overdue(&self) {
        self.0.pending.forget_overdue();
    }

    /// The number of the next request. All that were sent so far have lower ones.
    pub fn sent_so_far(&self) -> u64 {
        self.0.pending.next_number()
    }

    /// Waits until all requests with lower numbers that the other end has not answered are past their deadlines.
    pub async fn past_deadlines(&self, next: u64) {
        self.0.pending.until_past_deadlines(next).await;
    }

    /// Waits until the other end has sent nothing for some time, from now on. Time in which this end does not read does
    /// not count. Returns when the other end last sent something.
    pub async fn silent_for(&self, wait: Duration) -> Instant {
        self.0.reading.silent_for(wait).await
    }

    /// Ends a request without an answer. A forwarded one is given back.
    pub(super) fn failed(&self, number: u64, why: LossReason) -> Option<LostRequest> {
        self.0.pending.take(number)?.lost(why)
    }

    /// Ends all requests without an answer. Forwarded ones are given back.
    pub fn give_up(&self) -> Vec<LostRequest> {
        self.over()
    }

    /// The connection is over: ends all requests. Forwarded ones are given back.
    pub(super) fn over(&self) -> Vec<LostRequest> {
        let requests = self.0.pending.end();
        requests
            .filter_map(|request| request.lost(LossReason::Gone))
            .collect()
    }
}

impl PendingRequest {
    /// Ends a request without an answer. A forwarded one is given back.
    fn lost(self, why: LossReason) -> Option<LostRequest> {
        match self.sink {
            AnswerSink::Ticket { ticket, .. } => Some(LostRequest {
                ticket,
                asked: self.asked,
                why,
                is_written: self.is_written,
            }),
            AnswerSink::Waiter(waiter) => {
                // The waiting task may be gone.
                let _ = waiter.send(AskOutcome::Lost(why));
                None
            }
        }
    }
}

/// Whether an answer may begin a task. A wrong guess costs a few bytes.
fn begins_task(answer: &Frame) -> bool {
    let body = answer.body().unwrap_or_default();
    may_contain(body.as_bytes(), "\"task\"")
}

/// Ends requests whose deadline passes, until the connection is over.
pub(super) async fn watch_deadlines(peer: Weak<Connection>, listener: Arc<dyn Listener>) {
    // The reader holds the connection while it is open, and this ends with it.
    let Some(peer) = peer.upgrade().map(Peer) else {
        return;
    };
    while peer.0.pending.until_late().await {
        for (number, request) in peer.0.pending.take_late(Instant::now()) {
            peer.cancel(number, &request);
            let after = request.deadline.map(|deadline| deadline.length());
            if let Some(lost) = request.lost(LossReason::Late(after.unwrap_or_default())) {
                isolate(|| listener.lost(lost));
            }
        }
    }
}
