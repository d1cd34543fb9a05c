//! What becomes of a message for the server: it goes there, waits until there is one, or is refused.

use std::mem;
use std::time::Duration;

use tokio::time::Instant;

use crate::upstream::Upstream;
use breakfall_mcp::connection::{
    LossReason, LostRequest, Peer, RequestSummary, RpcMethod, SendError, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Id, RequestParams};

/// Where messages for the server go right now.
#[derive(Debug)]
pub(super) enum Desk {
    /// To the server.
    Open(Peer),
    /// Nowhere yet: a server is on its way.
    Waiting(Held),
    /// Nowhere for some time: the server has failed too often.
    Resting { until: Instant },
    /// Nowhere any more: there is no such server.
    Shut,
}

/// What came while there was no server, in its order.
#[derive(Debug, Default)]
pub(super) struct Held {
    messages: Vec<Waits>,
    bytes: usize,
}

#[derive(Debug)]
enum Waits {
    Request {
        frame: Frame,
        ticket: Ticket,
        since: Instant,
    },
    Notification(Frame),
}

/// Where a request is now.
#[derive(Debug)]
pub(super) enum Taken {
    /// On its way to the server.
    Sent,
    /// In line, until there is one.
    Held,
}

/// A request nobody takes, and why.
#[derive(Debug)]
pub(super) enum Refused {
    /// It was lost at the door.
    Lost(Box<LostRequest>),
    /// There is no server for so long.
    Resting(Box<(Ticket, RequestSummary)>, Duration),
    /// There is no server at all.
    Shut(Box<(Ticket, RequestSummary)>),
}

impl Desk {
    /// A request of the client.
    pub(super) fn request(
        &mut self,
        frame: Frame,
        params: RequestParams,
        ticket: Ticket,
        upstream: &Upstream,
    ) -> Result<Taken, Refused> {
        let now = Instant::now();
        match self {
            Self::Open(server) => {
                let own = ticket.patience();
                let patience =
                    |asked: &RequestSummary| own.unwrap_or_else(|| upstream.patience_with(asked));
                let sent = server.forward(frame, params, ticket, patience, now);
                sent.map(|()| Taken::Sent).map_err(Refused::Lost)
            }
            Self::Waiting(held) if held.has_room(&frame) => {
                held.push_request(frame, ticket, now);
                Ok(Taken::Held)
            }
            Self::Waiting(_) => Err(Refused::Lost(Box::new(LostRequest::unsent(
                ticket,
                RequestSummary::of(&frame, &params),
                SendError::Full,
            )))),
            Self::Resting { until } => {
                let wait = until.saturating_duration_since(now);
                let asked = RequestSummary::of(&frame, &params);
                Err(Refused::Resting(Box::new((ticket, asked)), wait))
            }
            Self::Shut => {
                let asked = RequestSummary::of(&frame, &params);
                Err(Refused::Shut(Box::new((ticket, asked))))
            }
        }
    }

    /// A notification of the client. What nobody can take is lost: its sender expects no answer.
    pub(super) fn notification(&mut self, frame: Frame) {
        match self {
            // A server that does not read is not told.
            Self::Open(server) => drop(server.notify(frame)),
            Self::Waiting(held) if held.has_room(&frame) => {
                held.bytes += frame.bytes().len();
                held.messages.push(Waits::Notification(frame));
            }
            Self::Waiting(_) | Self::Resting { .. } | Self::Shut => {}
        }
    }

    /// The client takes back a request that waits.
    pub(super) fn cancel(&mut self, key: &Id) -> Option<Ticket> {
        let Self::Waiting(held) = self else {
            return None;
        };
        let is_it = |message: &Waits| matches!(message, Waits::Request { ticket, .. } if ticket.key() == key);
        let at = held.messages.iter().position(is_it)?;
        match held.messages.remove(at) {
            Waits::Request { ticket, frame, .. } => {
                held.bytes -= frame.bytes().len();
                Some(ticket)
            }
            Waits::Notification(_) => None,
        }
    }

    /// There is a server: whatever waited goes there.
    pub(super) fn open(&mut self, server: &Peer, upstream: &Upstream) -> Vec<Refused> {
        let before = mem::replace(self, Self::Open(server.clone()));
        let Self::Waiting(held) = before else {
            return Vec::new();
        };
        let messages = held.messages.into_iter();
        messages
            .filter_map(|message| match message {
                Waits::Request {
                    frame,
                    ticket,
                    since,
                } => {
                    let params = RequestParams::of(&frame);
                    let own = ticket.patience();
                    let patience = |asked: &RequestSummary| {
                        own.unwrap_or_else(|| upstream.patience_with(asked))
                    };
                    let sent = server.forward(frame, params, ticket, patience, since);
                    sent.err().map(Refused::Lost)
                }
                Waits::Notification(frame) => {
                    // As above.
                    let _ = server.notify(frame);
                    None
                }
            })
            .collect()
    }

    /// There is no server for now. Streams go on with the next one.
    pub(super) fn wait(&mut self, streams: Vec<(Frame, Ticket)>) {
        // A server that ends before it was ready takes nothing with it that waits for one.
        let mut held = match mem::replace(self, Self::Shut) {
            Self::Waiting(held) => held,
            Self::Open(_) | Self::Resting { .. } | Self::Shut => Held::default(),
        };
        let now = Instant::now();
        for (frame, ticket) in streams {
            held.push_request(frame, ticket, now);
        }
        *self = Self::Waiting(held);
    }

    /// There is no server, and what waits waits no longer.
    pub(super) fn give_up(&mut self, next: Self) -> Vec<(Ticket, RequestSummary)> {
        let before = mem::replace(self, next);
        let Self::Waiting(held) = before else {
            return Vec::new();
        };
        let messages = held.messages.into_iter();
        messages
            .filter_map(|message| match message {
                Waits::Request { frame, ticket, .. } => {
                    let asked = RequestSummary::of(&frame, &RequestParams::of(&frame));
                    Some((ticket, asked))
                }
                Waits::Notification(_) => None,
            })
            .collect()
    }

    /// Takes out what has waited for as long as it may take.
    pub(super) fn take_late(&mut self, upstream: &Upstream) -> Vec<LostRequest> {
        let Self::Waiting(held) = self else {
            return Vec::new();
        };
        let now = Instant::now();
        let mut late = Vec::new();
        for message in mem::take(&mut held.messages) {
            let Waits::Request {
                frame,
                ticket,
                since,
            } = message
            else {
                held.messages.push(message);
                continue;
            };
            let asked = RequestSummary::of(&frame, &RequestParams::of(&frame));
            let own = ticket.patience();
            let patience = own.unwrap_or_else(|| upstream.patience_with(&asked));
            let longest = patience.idle.min(patience.total);
            if asked.method == RpcMethod::Listen || now < since + longest {
                held.messages.push(Waits::Request {
                    frame,
                    ticket,
                    since,
                });
                continue;
            }
            held.bytes -= frame.bytes().len();
            late.push(LostRequest {
                ticket,
                asked,
                why: LossReason::Late(longest),
                is_written: false,
            });
        }
        late
    }

    /// Whether anything waits for a server.
    pub(super) fn is_wanted(&self) -> bool {
        match self {
            Self::Waiting(held) => !held.messages.is_empty(),
            Self::Open(_) | Self::Resting { .. } | Self::Shut => false,
        }
    }
}

impl Held {
    fn has_room(&self, frame: &Frame) -> bool {
        self.messages.is_empty()
            || (self.messages.len() < MOST && self.bytes + frame.bytes().len() <= MOST_BYTES)
    }

    fn push_request(&mut self, frame: Frame, ticket: Ticket, since: Instant) {
        self.bytes += frame.bytes().len();
        self.messages.push(Waits::Request {
            frame,
            ticket,
            since,
        });
    }
}

/// How much may wait for a server that is being started.
const MOST: usize = 10_000;
const MOST_BYTES: usize = 64 << 20;
