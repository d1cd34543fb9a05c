//! Sends a client's request to one of the servers and receives the answer here.

use std::sync::Arc;

use serde::Deserialize;
use tokio::sync::oneshot;

use super::gather::METHOD_NOT_FOUND;
use breakfall_mcp::connection::{
    FinalReply, Peer, ReplyChannel, SendError, Ticket, TransportHeaders,
};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, Kind, RawMessage};
use breakfall_mcp::protocol::method;
use breakfall_mcp::sync::Mutex;

/// The response of a server, a result or an error; or in a few words why none arrived.
pub(super) type ServerReply = Result<Frame, Box<str>>;

/// The request of a client on whose behalf servers are asked.
#[derive(Debug, Clone)]
pub(super) struct RequestOrigin {
    pub(super) client: Peer,
    pub(super) id: Id,
    channel: Option<Arc<dyn ReplyChannel>>,
}

/// A request under way: its key, for cancelling it, and the channel its answer arrives on.
pub(super) struct PendingPart {
    pub(super) key: Id,
    pub(super) answer: oneshot::Receiver<ServerReply>,
}

impl RequestOrigin {
    /// The request a ticket stands for.
    pub(super) fn of(ticket: &Ticket) -> Self {
        Self {
            client: ticket.peer().clone(),
            id: ticket.id().clone(),
            channel: ticket.channel().cloned(),
        }
    }

    /// The same client, for a request that may outlive the reply channel.
    pub(super) fn alone(&self) -> Self {
        Self {
            channel: None,
            ..self.clone()
        }
    }

    /// A request to a server, and the ticket its answer arrives with.
    pub(super) fn question(&self) -> (PendingPart, Option<Ticket>) {
        let (sender, answer) = oneshot::channel();
        let part = Arc::new(PartChannel {
            client: self.client.clone(),
            outer: self.channel.clone(),
            said: Mutex::new(Some(sender)),
        });
        match self.client.inner_ticket(&self.id, Arc::clone(&part) as _) {
            Ok(ticket) => {
                let key = ticket.key().clone();
                let ticket = ticket.then(move |frame, ticket, _| {
                    part.say(Ok(frame));
                    ticket.withdraw();
                });
                (PendingPart { key, answer }, Some(ticket))
            }
            Err(fault) => {
                part.say(Err(fault.public().message().as_ref().into()));
                let key = self.id.clone();
                (PendingPart { key, answer }, None)
            }
        }
    }
}

/// The reply channel of a request to one server.
#[derive(Debug)]
struct PartChannel {
    client: Peer,
    outer: Option<Arc<dyn ReplyChannel>>,
    said: Mutex<Option<oneshot::Sender<ServerReply>>>,
}

impl PartChannel {
    fn say(&self, said: ServerReply) {
        let sender = self.said.lock().take();
        if let Some(sender) = sender {
            // The receiver may have stopped waiting.
            let _ = sender.send(said);
        }
    }
}

impl ReplyChannel for PartChannel {
    fn tell(&self, message: RawMessage) -> Result<(), SendError> {
        let is_open = self
            .said
            .lock()
            .as_ref()
            .is_some_and(|said| !said.is_closed());
        // The progress of one server says nothing about the progress of all, so it is not passed on.
        if !is_open || is_progress(&message) {
            return Err(SendError::Over);
        }
        match &self.outer {
            Some(outer) => outer.tell(message),
            None => self.client.notify(message),
        }
    }

    /// Takes an answer that was made by the gateway, such as a fault, instead of the server.
    fn answer(&self, last: FinalReply) {
        let frame = reread(&last.message);
        let is_answer =
            |frame: &Frame| frame.kind() == Kind::Result || last.code == Some(METHOD_NOT_FOUND);
        match frame {
            Some(frame) if is_answer(&frame) => self.say(Ok(frame)),
            frame => self.say(Err(why(frame.as_ref()))),
        }
    }

    fn end(&self) {
        self.say(Err("the question was taken back".into()));
    }

    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        self.outer.as_ref()?.extra()
    }
}

/// Parses an outgoing message.
pub(super) fn reread(message: &RawMessage) -> Option<Frame> {
    let bytes = message.pieces().collect::<Vec<_>>().concat();
    Frame::parse(bytes, &FrameLimits::RESPONSE).ok()
}

fn is_progress(message: &RawMessage) -> bool {
    reread(message).is_some_and(|frame| frame.method() == method::PROGRESS)
}

/// The message of the fault in an error response.
fn why(frame: Option<&Frame>) -> Box<str> {
    #[derive(Deserialize)]
    struct ErrorMessageBody {
        message: Box<str>,
    }
    let told = frame.and_then(Frame::body);
    let told = told.and_then(|body| serde_json::from_str(body).ok());
    told.map_or_else(
        || "it does not answer".into(),
        |told: ErrorMessageBody| told.message,
    )
}
