//! Messages of a client that wait until a server is ready.

use std::convert::Infallible;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::answer;
use crate::upstream::Upstream;
use breakfall_mcp::connection::{
    Backlog, LossReason, LostRequest, Peer, RequestSummary, RpcMethod, SendError, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id, RequestParams};
use breakfall_mcp::timeouts::Timeouts;

/// Messages in the order they arrived. A request that exceeds the limits, or waits for too long, is lost.
#[derive(Debug, Default)]
pub(crate) struct MessageBacklog(Backlog<WaitingMessage>);

/// A message that waits.
#[derive(Debug)]
pub(crate) enum WaitingMessage {
    Request(Box<WaitingRequest>),
    /// A notification, and its sender where that matters.
    Notification(Frame, Option<Peer>),
}

/// A request that waits.
#[derive(Debug)]
pub(crate) struct WaitingRequest {
    pub(crate) frame: Frame,
    pub(crate) ticket: Ticket,
    /// When its time began.
    pub(crate) since: Instant,
}

impl WaitingRequest {
    /// A request that was lost before it was sent.
    pub(super) fn lost(self, why: LossReason) -> LostRequest {
        LostRequest {
            asked: RequestSummary::of(&self.frame, &RequestParams::of(&self.frame)),
            ticket: self.ticket,
            why,
            is_written: false,
        }
    }
}

/// How long a request may take, and since when. Its time begins when it is received, unless its sender has set another.
pub(super) fn time_of(
    ticket: &Ticket,
    asked: &RequestSummary,
    upstream: &Upstream,
    now: Instant,
) -> (Timeouts, Instant) {
    let own = ticket.deadline();
    own.unwrap_or_else(|| {
        let since = ticket.received().unwrap_or(now);
        (upstream.timeouts_for(asked), since)
    })
}

impl MessageBacklog {
    /// Lets a request wait.
    pub(crate) fn push_request(
        &mut self,
        frame: Frame,
        mut ticket: Ticket,
        upstream: &Upstream,
    ) -> Result<(), Box<LostRequest>> {
        let now = Instant::now();
        let asked = RequestSummary::of(&frame, &RequestParams::of(&frame));
        let (timeouts, since) = time_of(&ticket, &asked, upstream, now);
        ticket.received_at(now);
        let has_end = asked.method != RpcMethod::Listen;
        let deadline = has_end.then(|| since + timeouts.idle.min(timeouts.total));
        let bytes = frame.bytes().len();
        let request = Box::new(WaitingRequest {
            frame,
            ticket,
            since,
        });
        match self
            .0
            .push(WaitingMessage::Request(request), bytes, deadline)
        {
            Err(WaitingMessage::Request(request)) => {
                Err(Box::new(request.lost(LossReason::Unsent(SendError::Full))))
            }
            Err(WaitingMessage::Notification(..)) | Ok(()) => Ok(()),
        }
    }

    /// Lets a notification wait. Without room it is lost: its sender expects no answer.
    pub(crate) fn push_notification(&mut self, frame: Frame, from: Option<&Peer>) {
        let bytes = frame.bytes().len();
        let message = WaitingMessage::Notification(frame, from.cloned());
        drop(self.0.push(message, bytes, None));
    }

    /// Takes out the first message.
    pub(crate) fn pop(&mut self) -> Option<WaitingMessage> {
        self.0.pop()
    }

    /// Takes out the first message if it is a request for this method.
    pub(crate) fn pop_request(&mut self, method: &str) -> Option<Ticket> {
        let first = self.0.pop_if(|message| match message {
            WaitingMessage::Request(request) => request.frame.method() == method,
            WaitingMessage::Notification(..) => false,
        });
        first.and_then(WaitingMessage::into_ticket)
    }

    /// Takes out a request that its sender cancels.
    pub(crate) fn remove(&mut self, key: &Id) -> Option<Ticket> {
        let found = self.0.remove(|message| match message {
            WaitingMessage::Request(request) => request.ticket.key() == key,
            WaitingMessage::Notification(..) => false,
        });
        found.and_then(WaitingMessage::into_ticket)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes out every request.
    pub(super) fn into_requests(self) -> impl Iterator<Item = WaitingRequest> {
        self.0.into_messages().filter_map(|message| match message {
            WaitingMessage::Request(request) => Some(*request),
            WaitingMessage::Notification(..) => None,
        })
    }

    /// Takes out the requests that have waited for too long, and the time when the next one will have.
    pub(crate) fn take_late(&mut self, upstream: &Upstream) -> LateRequests {
        let now = Instant::now();
        let late = self.0.take_late(now).into_iter();
        let lost = late.filter_map(|message| match message {
            WaitingMessage::Request(request) => {
                let mut lost = request.lost(LossReason::Gone);
                let own = lost.ticket.deadline().map(|(timeouts, _)| timeouts);
                let timeouts = own.unwrap_or_else(|| upstream.timeouts_for(&lost.asked));
                lost.why = LossReason::Late(timeouts.idle.min(timeouts.total));
                Some(lost)
            }
            WaitingMessage::Notification(..) => None,
        });
        LateRequests {
            lost: lost.collect(),
            next: self.0.next_deadline(),
        }
    }
}

impl WaitingMessage {
    fn into_ticket(self) -> Option<Ticket> {
        match self {
            Self::Request(request) => Some(request.ticket),
            Self::Notification(..) => None,
        }
    }
}

/// Requests that have waited for too long.
#[derive(Debug, Default)]
pub(crate) struct LateRequests {
    lost: Vec<LostRequest>,
    /// When the next one is late.
    next: Option<Instant>,
}

/// Answers requests of a backlog that wait for too long. Never returns. `changed` is notified when a request is
/// added.
pub(crate) async fn answer_late(
    upstream: &Upstream,
    changed: &Notify,
    mut take_late: impl FnMut() -> LateRequests,
) -> Infallible {
    loop {
        let LateRequests { lost, next } = take_late();
        for lost in lost {
            answer::lost(lost, upstream);
        }
        match next {
            Some(next) => tokio::select! {
                () = sleep_until(next) => {}
                () = changed.notified() => {}
            },
            None => changed.notified().await,
        }
    }
}
