//! Receives the messages of a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::link::LinkShared;
use super::stray_output::StrayOutput;
use super::{ServerMessageFilter, answer, client_roots};
use breakfall_mcp::connection::{
    Listener, LostRequest, Peer, RelatedRequest, ReplayMessage, RequestSummary, RpcMethod, Ticket,
};
use breakfall_mcp::jsonrpc::{Frame, Kind, RawMessage, RequestParams, subscription_id};
use breakfall_mcp::protocol::method;
use breakfall_mcp::timeouts::Timeouts;

/// Passes messages of a server on to the client.
pub(super) struct ServerSide {
    shared: Arc<LinkShared>,
    client: Peer,
    filter: Option<Arc<dyn ServerMessageFilter>>,
    /// Whether it has sent a message yet.
    has_spoken: AtomicBool,
    /// Its output beside messages.
    noise: StrayOutput,
    ended: mpsc::UnboundedSender<Vec<LostRequest>>,
}

impl ServerSide {
    pub(super) fn new(
        shared: Arc<LinkShared>,
        client: Peer,
        filter: Option<Arc<dyn ServerMessageFilter>>,
        ended: mpsc::UnboundedSender<Vec<LostRequest>>,
    ) -> Self {
        Self {
            shared,
            client,
            filter,
            has_spoken: AtomicBool::new(false),
            noise: StrayOutput::default(),
            ended,
        }
    }

    pub(super) fn has_spoken(&self) -> bool {
        self.has_spoken.load(Ordering::Relaxed)
    }

    pub(super) fn noise(&self) -> &StrayOutput {
        &self.noise
    }

    /// A ticket whose answer tells the roots of the client.
    fn learning_roots(&self, ticket: Ticket) -> Ticket {
        let shared = Arc::clone(&self.shared);
        ticket.then(move |answer, ticket, to| {
            if let (Kind::Result, Some(result)) = (answer.kind(), answer.body()) {
                shared.set_roots(client_roots::listed(result));
            }
            ticket.answer(answer, to);
        })
    }
}

impl Listener for ServerSide {
    fn request(&self, frame: Frame, ticket: Ticket, about: RelatedRequest) {
        self.has_spoken.store(true, Ordering::Relaxed);
        let ticket = if asks_people(&frame.method()) {
            ticket.peer().clone().pausing(ticket, about)
        } else if frame.method() == method::ROOTS_LIST {
            self.learning_roots(ticket)
        } else {
            ticket
        };
        let seen = match &self.filter {
            Some(filter) => filter.asked(frame, ticket),
            None => Some((frame, ticket)),
        };
        let Some((frame, ticket)) = seen else { return };
        let params = RequestParams::of(&frame);
        // A user may be asked, so only the total timeout counts.
        let total = self.shared.upstream.timeouts.total;
        let timeouts = Timeouts { idle: total, total };
        let channel = match about {
            Some(number) => ticket.peer().channel_of(number),
            None => self.client.only_channel(),
        };
        let now = Instant::now();
        let sent = self
            .client
            .forward_via(channel, frame, params, ticket, |_| timeouts, now);
        if let Err(lost) = sent {
            answer::lost_by_client(*lost);
        }
    }

    fn notification(&self, frame: Frame, from: &Peer, about: RelatedRequest) {
        self.has_spoken.store(true, Ordering::Relaxed);
        if frame.method() == method::TOOLS_LIST_CHANGED {
            self.shared.tools.outdated();
        }
        let seen = match &self.filter {
            Some(filter) => filter.told(frame),
            None => Some(frame),
        };
        let Some(frame) = seen else { return };
        let stream = subscription_id(&frame)
            .and_then(|(at, id)| from.stream_of(&id).map(|(id, channel)| (at, id, channel)));
        let (message, channel) = if let Some((at, id, channel)) = stream {
            (RawMessage::changed(frame, Some(at), id), channel)
        } else {
            let channel = match about {
                Some(number) => from.channel_of(number),
                None if frame.method() == method::MESSAGE => self.client.only_channel(),
                None => None,
            };
            (frame.into(), channel)
        };
        // The client may be gone.
        let _ = match channel {
            Some(channel) => channel.tell(message),
            None => self.client.notify_unrelated(message),
        };
    }

    /// Nothing to do: the ticket cancels a request where it was passed on.
    fn answered(&self, asked: &RequestSummary, answer: &Frame) {
        self.has_spoken.store(true, Ordering::Relaxed);
        if let Some(request) = &asked.again {
            let mut memory = self.shared.replay();
            memory.answered(asked.method, request, answer);
        }
    }

    fn lost(&self, lost: LostRequest) {
        answer::lost(lost, &self.shared.upstream);
    }

    fn end(&self, lost: Vec<LostRequest>, half: usize) {
        if half > 0 {
            tracing::warn!(
                upstream = &*self.shared.upstream.name,
                bytes = half,
                "the server ended in the middle of a line"
            );
        }
        let mut state = self.shared.link_state();
        if self.shared.is_ending() {
            drop(state);
            for lost in lost {
                answer::cut_off(lost, &self.shared.upstream);
            }
            // The session may have ended.
            let _ = self.ended.send(Vec::new());
            return;
        }
        let is_stream = |lost: &LostRequest| lost.asked.method == RpcMethod::Listen;
        let (streams, lost): (Vec<_>, Vec<_>) = lost.into_iter().partition(is_stream);
        let streams = streams.into_iter().filter_map(|lost| {
            lost.ticket.clear_location();
            Some((*lost.asked.again?, lost.ticket))
        });
        let unsent = state.wait(streams.collect(), &self.shared.upstream);
        drop(state);
        self.shared.waits.notify_one();
        for lost in unsent {
            answer::lost(lost, &self.shared.upstream);
        }
        // The session may be ending.
        let _ = self.ended.send(lost);
    }

    fn noise(&self, line: &[u8]) {
        self.noise.heard(line, &self.shared.upstream.name);
    }

    fn slower(&self) -> Option<Peer> {
        Some(self.client.clone())
    }

    fn again(&self) -> Vec<ReplayMessage> {
        self.shared.replay().again()
    }
}

/// Whether a request of the server waits for a user or a model. A client answers all others on its own, so they have
/// a timeout.
fn asks_people(method: &str) -> bool {
    matches!(method, method::ELICITATION_CREATE | method::SAMPLING_CREATE)
}
