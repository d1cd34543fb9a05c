//! Sends requests of the gateway itself to a server, which may not be running yet.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use breakfall::{Fault, Outcome};
use tokio::sync::oneshot;

use super::Link;
use breakfall_mcp::connection::{
    AuthChallenge, FinalReply, Inbound, Listener, LostRequest, OutgoingMessage, Peer, PeerRole,
    RelatedRequest, ReplyChannel, SendError, Ticket, Transport,
};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, RawMessage};
use breakfall_mcp::sync::Mutex;

/// A client inside the gateway.
#[derive(Debug)]
pub(crate) struct Asker {
    inbound: Arc<Inbound>,
    link: Link,
    count: AtomicU64,
}

/// The outcome of a request.
#[derive(Debug)]
pub(crate) enum AskReply {
    /// The server has answered.
    Answer(Frame),
    /// The server has not answered.
    Failure(AskFailure),
}

/// Why a request was not answered.
#[derive(Debug, Default)]
pub(crate) struct AskFailure {
    /// The JSON-RPC error response.
    error: Vec<u8>,
    /// The authentication the server demands.
    pub(crate) challenge: Option<AuthChallenge>,
}

impl AskFailure {
    /// The fault in the error response.
    pub(crate) fn fault(&self) -> Fault {
        let error = serde_json::from_slice(&self.error).unwrap_or_default();
        match breakfall::read::read(error).outcome {
            Outcome::Fault(fault) => fault,
            Outcome::Success(_) | Outcome::NeedsInput(_) | Outcome::Batch(_) => Fault::internal(),
        }
    }
}

impl Asker {
    pub(crate) fn new(link: Link) -> Self {
        let listener = Arc::new(AskListener(link.clone()));
        let limits = FrameLimits::REQUEST;
        Self {
            inbound: Inbound::new(PeerRole::Client, limits, listener, |_| {
                Arc::new(NoTransport)
            }),
            link,
            count: AtomicU64::new(0),
        }
    }

    /// Sends a request. The answer may be ignored.
    pub(crate) fn ask(&self, frame: Frame) -> impl Future<Output = AskReply> + use<> {
        let (sender, receiver) = oneshot::channel();
        let sender = Arc::new(Mutex::new(Some(sender)));
        let reply = Arc::new(AskReplyChannel(Arc::clone(&sender)));
        if let Some(ticket) = self.ticket(&self.key(), reply) {
            let ticket = ticket.then(move |answer, ticket, _| {
                send(&sender, AskReply::Answer(answer));
                ticket.withdraw();
            });
            self.link.request(frame, ticket);
        }
        async {
            receiver
                .await
                .unwrap_or(AskReply::Failure(AskFailure::default()))
        }
    }

    /// The key for a new request.
    pub(crate) fn key(&self) -> Id {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let text = format!("\"breakfall/{count}\"");
        Id::from_json(&text).expect("a short text")
    }

    /// A ticket for a request with this key.
    pub(crate) fn ticket(&self, key: &Id, channel: Arc<dyn ReplyChannel>) -> Option<Ticket> {
        self.inbound.ticket(key, channel)
    }

    /// Cancels a request.
    pub(crate) fn withdraw(&self, key: &Id) {
        self.inbound.withdraw(key);
    }
}

type AskSender = Arc<Mutex<Option<oneshot::Sender<AskReply>>>>;

fn send(sender: &AskSender, heard: AskReply) {
    let sender = sender.lock().take();
    if let Some(sender) = sender {
        // The receiver may have stopped waiting.
        let _ = sender.send(heard);
    }
}

/// The reply channel of a request of the gateway.
#[derive(Debug)]
struct AskReplyChannel(AskSender);

impl ReplyChannel for AskReplyChannel {
    fn tell(&self, _: RawMessage) -> Result<(), SendError> {
        Ok(())
    }

    fn answer(&self, last: FinalReply) {
        let failure = AskFailure {
            error: bytes(&last.message),
            challenge: last.challenge,
        };
        send(&self.0, AskReply::Failure(failure));
    }
}

/// The bytes of a message, without its line break.
pub(crate) fn bytes(message: &RawMessage) -> Vec<u8> {
    let mut bytes = message.pieces().collect::<Vec<_>>().concat();
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    bytes
}

/// Passes requests of the gateway on to a server, and ignores everything else.
struct AskListener(Link);

impl Listener for AskListener {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        self.0.request(frame, ticket);
    }

    fn notification(&self, _: Frame, _: &Peer, _: RelatedRequest) {}

    fn cancelled(&self, key: &Id) {
        self.0.cancelled(key);
    }

    fn lost(&self, _: LostRequest) {}
}

/// Requests go out through [`Link`], so messages for the client's own transport are dropped.
#[derive(Debug)]
struct NoTransport;

impl Transport for NoTransport {
    fn carry(&self, _: OutgoingMessage) -> Result<(), SendError> {
        Err(SendError::Over)
    }

    fn close(&self) {}

    fn is_heard(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use breakfall::Retry;

    use super::*;
    use crate::upstream::{Origin, Upstream};
    use breakfall_mcp::access::Principal;

    #[tokio::test]
    async fn a_dropped_ticket_reports_that_the_execution_is_unknown() {
        let upstream = Arc::new(Upstream::new("shop", Origin::in_process(|_| {})));
        let asker = Asker::new(Link::new(upstream, Principal::Anonymous));
        let (sender, heard) = oneshot::channel();
        let reply = Arc::new(AskReplyChannel(Arc::new(Mutex::new(Some(sender)))));
        drop(asker.ticket(&asker.key(), reply));
        let Ok(AskReply::Failure(failure)) = heard.await else {
            panic!("it has to fail");
        };
        let fault = failure.fault();
        let public = fault.public();
        assert_eq!(public.retry(), Retry::Never);
        assert_eq!(public.details().text("executed"), Some("unknown"));
    }
}
