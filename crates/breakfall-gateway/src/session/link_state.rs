//! What happens to a message for the server: it is sent, waits until there is a server, or is refused.

use std::mem;
use std::time::Duration;

use tokio::time::Instant;

use super::message_backlog::{
    LateRequests, MessageBacklog, WaitingMessage, WaitingRequest, time_of,
};
use crate::upstream::Upstream;
use breakfall_mcp::connection::{LossReason, LostRequest, Peer, RequestSummary, RpcMethod, Ticket};
use breakfall_mcp::jsonrpc::{Frame, Id, RequestParams};

/// Where messages for the server go.
#[derive(Debug)]
pub(super) enum LinkState {
    /// To the server.
    Ready(Peer),
    /// Into a backlog, until the server has started.
    Waiting(MessageBacklog),
    /// Nowhere for some time: the server has failed too often.
    BackingOff { until: Instant },
    /// Nowhere any more: the server cannot be started, or the session ends.
    Closed,
}

/// Where a request is now.
#[derive(Debug)]
pub(super) enum RequestPlace {
    Sent,
    Waiting,
}

/// A request that was not accepted, and why.
#[derive(Debug)]
pub(super) enum RefusedRequest {
    /// It was lost before it was sent.
    Lost(Box<LostRequest>),
    /// No server is started for that long.
    BackingOff(Box<UnsentRequest>, Duration),
    /// No server is started any more.
    Closed(Box<UnsentRequest>),
}

/// A request that no server gets.
#[derive(Debug)]
pub(super) struct UnsentRequest {
    pub(super) ticket: Ticket,
    pub(super) asked: RequestSummary,
}

impl UnsentRequest {
    fn boxed(ticket: Ticket, frame: &Frame, params: &RequestParams) -> Box<Self> {
        let asked = RequestSummary::of(frame, params);
        Box::new(Self { ticket, asked })
    }
}

impl From<WaitingRequest> for UnsentRequest {
    fn from(request: WaitingRequest) -> Self {
        let WaitingRequest { frame, ticket, .. } = request;
        *Self::boxed(ticket, &frame, &RequestParams::of(&frame))
    }
}

impl LinkState {
    /// A request of the client.
    pub(super) fn request(
        &mut self,
        frame: Frame,
        params: RequestParams,
        ticket: Ticket,
        upstream: &Upstream,
    ) -> Result<RequestPlace, RefusedRequest> {
        let now = Instant::now();
        match self {
            Self::Ready(server) => {
                let sent = forward(server, frame, params, ticket, upstream, None);
                sent.map(|()| RequestPlace::Sent)
                    .map_err(RefusedRequest::Lost)
            }
            Self::Waiting(backlog) => {
                let held = backlog.push_request(frame, ticket, upstream);
                held.map(|()| RequestPlace::Waiting)
                    .map_err(RefusedRequest::Lost)
            }
            Self::BackingOff { until } => {
                let wait = until.saturating_duration_since(now);
                let request = UnsentRequest::boxed(ticket, &frame, &params);
                Err(RefusedRequest::BackingOff(request, wait))
            }
            Self::Closed => {
                let request = UnsentRequest::boxed(ticket, &frame, &params);
                Err(RefusedRequest::Closed(request))
            }
        }
    }

    /// A notification of the client. It may be lost: its sender expects no answer.
    pub(super) fn notification(&mut self, frame: Frame) {
        match self {
            // A server that does not read misses notifications.
            Self::Ready(server) => drop(server.notify(frame)),
            Self::Waiting(backlog) => backlog.push_notification(frame, None),
            Self::BackingOff { .. } | Self::Closed => {}
        }
    }

    /// The client cancels a request that waits.
    pub(super) fn cancel(&mut self, key: &Id) -> Option<Ticket> {
        match self {
            Self::Waiting(backlog) => backlog.remove(key),
            Self::Ready(_) | Self::BackingOff { .. } | Self::Closed => None,
        }
    }

    /// The server is ready: the backlog is sent.
    pub(super) fn open(&mut self, server: &Peer, upstream: &Upstream) -> Vec<RefusedRequest> {
        let before = mem::replace(self, Self::Ready(server.clone()));
        let Self::Waiting(mut backlog) = before else {
            return Vec::new();
        };
        let mut refused = Vec::new();
        while let Some(message) = backlog.pop() {
            match message {
                WaitingMessage::Request(request) => {
                    let WaitingRequest {
                        frame,
                        ticket,
                        since,
                    } = *request;
                    let params = RequestParams::of(&frame);
                    let sent = forward(server, frame, params, ticket, upstream, Some(since));
                    refused.extend(sent.err().map(RefusedRequest::Lost));
                }
                // As above.
                WaitingMessage::Notification(frame, _) => drop(server.notify(frame)),
            }
        }
        refused
    }

    /// The server is gone for now. Streams continue with the next one.
    pub(super) fn wait(
        &mut self,
        streams: Vec<(Frame, Ticket)>,
        upstream: &Upstream,
    ) -> Vec<LostRequest> {
        // A server that ends before it was ready does not end the requests that wait for one.
        let mut backlog = match mem::replace(self, Self::Closed) {
            Self::Waiting(backlog) => backlog,
            Self::Ready(_) | Self::BackingOff { .. } | Self::Closed => MessageBacklog::default(),
        };
        let streams = streams.into_iter();
        let lost = streams
            .filter_map(|(frame, ticket)| backlog.push_request(frame, ticket, upstream).err());
        let lost = lost.map(|lost| *lost).collect();
        *self = Self::Waiting(backlog);
        lost
    }

    /// The server is gone; the requests that wait are given up.
    pub(super) fn give_up(&mut self, next: Self) -> Vec<UnsentRequest> {
        match mem::replace(self, next) {
            Self::Waiting(backlog) => backlog.into_requests().map(Into::into).collect(),
            Self::Ready(_) | Self::BackingOff { .. } | Self::Closed => Vec::new(),
        }
    }

    /// Takes out the requests that have waited for too long.
    pub(super) fn take_late(&mut self, upstream: &Upstream) -> LateRequests {
        match self {
            Self::Waiting(backlog) => backlog.take_late(upstream),
            Self::Ready(_) | Self::BackingOff { .. } | Self::Closed => LateRequests::default(),
        }
    }

    /// Whether any message waits for a server.
    pub(super) fn is_wanted(&self) -> bool {
        match self {
            Self::Waiting(backlog) => !backlog.is_empty(),
            Self::Ready(_) | Self::BackingOff { .. } | Self::Closed => false,
        }
    }
}

/// Sends a request to a server, unless its time is up. Its time began at `since`, if it has waited.
fn forward(
    server: &Peer,
    frame: Frame,
    params: RequestParams,
    ticket: Ticket,
    upstream: &Upstream,
    since: Option<Instant>,
) -> Result<(), Box<LostRequest>> {
    let now = Instant::now();
    let own = ticket.deadline();
    if since.is_none() && own.is_none() && ticket.received().is_none() {
        let timeouts = |asked: &RequestSummary| upstream.timeouts_for(asked);
        return server.forward(frame, params, ticket, timeouts, now);
    }
    let asked = RequestSummary::of(&frame, &params);
    let (timeouts, begun) = time_of(&ticket, &asked, upstream, now);
    let begun = since.unwrap_or(begun);
    let length = timeouts.idle.min(timeouts.total);
    if asked.method != RpcMethod::Listen && begun + length <= now {
        return Err(Box::new(LostRequest {
            ticket,
            asked,
            why: LossReason::Late(length),
            is_written: false,
        }));
    }
    server.forward(frame, params, ticket, |_| timeouts, begun)
}
