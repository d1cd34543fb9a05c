//! Asks a server for ourselves, whether there is one yet or not.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use breakfall::{Fault, Outcome};
use tokio::sync::oneshot;

use super::Link;
use breakfall_mcp::connection::{
    AuthChallenge, FinalReply, Inbound, Listener, LostRequest, OutgoingMessage, Peer, PeerRole,
    RelatedRequest, ReplyChannel, RequestSummary, SendError, Ticket, Transport, TransportHeaders,
};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, RawMessage};

/// A client of our own.
#[derive(Debug)]
pub(crate) struct Asker {
    ear: Arc<Inbound>,
    link: Link,
    count: AtomicU64,
}

/// What came of a question.
#[derive(Debug)]
pub(crate) enum Heard {
    /// The server has answered.
    Answer(Frame),
    /// It has not.
    Failure(Failure),
}

/// What the caller of a question is told that is not answered.
#[derive(Debug, Default)]
pub(crate) struct Failure {
    /// An error of the protocol.
    error: Vec<u8>,
    /// What the server demands before it answers at all.
    pub(crate) challenge: Option<AuthChallenge>,
}

impl Failure {
    /// What went wrong.
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
        let listener = Arc::new(Quiet(link.clone()));
        let limits = FrameLimits::REQUEST;
        Self {
            ear: Inbound::new(PeerRole::Client, limits, listener, |_| Arc::new(Nobody)),
            link,
            count: AtomicU64::new(0),
        }
    }

    /// Asks. The answer is waited for only if somebody does.
    pub(crate) fn ask(&self, frame: Frame) -> impl Future<Output = Heard> + use<> {
        let (sender, receiver) = oneshot::channel();
        let sender = Arc::new(Mutex::new(Some(sender)));
        let reply = Arc::new(Reply(Arc::clone(&sender)));
        if let Some(ticket) = self.ticket(&self.key(), reply) {
            let ticket = ticket.then(move |answer, ticket, _| {
                send(&sender, Heard::Answer(answer));
                ticket.withdraw();
            });
            self.link.request(frame, ticket);
        }
        async { receiver.await.unwrap_or(Heard::Failure(Failure::default())) }
    }

    /// What a question of ours is called.
    pub(crate) fn key(&self) -> Id {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let text = format!("\"breakfall/{count}\"");
        Id::from_json(&text).expect("a short text")
    }

    /// The duty to answer ourselves.
    pub(crate) fn ticket(&self, key: &Id, way: Arc<dyn ReplyChannel>) -> Option<Ticket> {
        self.ear.ticket(key, way)
    }

    /// Takes a question back.
    pub(crate) fn withdraw(&self, key: &Id) {
        self.ear.withdraw(key);
    }
}

type Sender = Arc<Mutex<Option<oneshot::Sender<Heard>>>>;

fn send(sender: &Sender, heard: Heard) {
    let sender = sender.lock().ok().and_then(|mut sender| sender.take());
    if let Some(sender) = sender {
        // Whoever stopped waiting need not be told.
        let _ = sender.send(heard);
    }
}

/// The way back to whoever asks in here.
struct Reply(Sender);

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

impl ReplyChannel for Reply {
    fn tell(&self, _: RawMessage) -> Result<(), SendError> {
        Ok(())
    }

    fn answer(&self, last: FinalReply) {
        let failure = Failure {
            error: bytes(&last.message),
            challenge: last.challenge,
        };
        send(&self.0, Heard::Failure(failure));
    }

    fn end(&self) {}

    fn streams(&self) {}

    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        None
    }
}

/// A message as one piece.
pub(crate) fn bytes(message: &RawMessage) -> Vec<u8> {
    let mut bytes = message.pieces().collect::<Vec<_>>().concat();
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    bytes
}

/// We say nothing of our own accord.
struct Quiet(Link);

impl Listener for Quiet {
    fn request(&self, frame: Frame, ticket: Ticket, _: RelatedRequest) {
        self.0.request(frame, ticket);
    }

    fn notification(&self, _: Frame, _: &Peer, _: RelatedRequest) {}

    fn cancelled(&self, key: &Id) {
        self.0.cancelled(key);
    }

    fn answered(&self, _: &RequestSummary, _: &Frame) {}

    fn lost(&self, _: LostRequest) {}

    fn end(&self, _: Vec<LostRequest>, _: usize) {}

    fn slower(&self) -> Option<Peer> {
        None
    }
}

/// What belongs to no question of ours is not for us.
#[derive(Debug)]
struct Nobody;

impl Transport for Nobody {
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
    async fn a_request_somebody_forgets_is_told_that_nobody_knows_what_was_done() {
        let upstream = Arc::new(Upstream::new("shop", Origin::in_process(|_| {})));
        let asker = Asker::new(Link::new(upstream, Principal::Anonymous));
        let (sender, heard) = oneshot::channel();
        let reply = Arc::new(Reply(Arc::new(Mutex::new(Some(sender)))));
        drop(asker.ticket(&asker.key(), reply));
        let Ok(Heard::Failure(failure)) = heard.await else {
            panic!("it has to fail");
        };
        let fault = failure.fault();
        let public = fault.public();
        assert_eq!(public.retry(), Retry::Never);
        assert_eq!(public.details().text("executed"), Some("unknown"));
    }
}
