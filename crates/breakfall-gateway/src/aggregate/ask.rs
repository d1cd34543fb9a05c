//! Asking one of many servers on behalf of a client, and hearing in here what comes of it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};

use serde::Deserialize;
use tokio::sync::oneshot;

use super::gather::METHOD_NOT_FOUND;
use breakfall_mcp::connection::{
    FinalReply, Peer, ReplyChannel, SendError, Ticket, TransportHeaders,
};
use breakfall_mcp::jsonrpc::{Frame, FrameLimits, Id, Kind, RawMessage};

/// What a server says to a question, well or badly; or in a few words why it says nothing.
pub(super) type Said = Result<Frame, Box<str>>;

/// For whom something is asked.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    pub(super) client: Peer,
    pub(super) id: Id,
    way: Option<Arc<dyn ReplyChannel>>,
}

/// A question under way: what it is called, to take it back, and what will come of it.
pub(super) struct Question {
    pub(super) key: Id,
    pub(super) answer: oneshot::Receiver<Said>,
}

impl Asking {
    /// For whoever holds the other end of a ticket.
    pub(super) fn of(ticket: &Ticket) -> Self {
        Self {
            client: ticket.peer().clone(),
            id: ticket.id().clone(),
            way: ticket.way().cloned(),
        }
    }

    /// For nobody who waits.
    pub(super) fn alone(&self) -> Self {
        Self {
            way: None,
            ..self.clone()
        }
    }

    /// A ticket whose answer is heard in here.
    pub(super) fn question(&self) -> (Question, Option<Ticket>) {
        let (sender, answer) = oneshot::channel();
        let part = Arc::new(Part {
            client: self.client.clone(),
            outer: self.way.clone(),
            said: Mutex::new(Some(sender)),
        });
        match self.client.inner_ticket(&self.id, Arc::clone(&part) as _) {
            Ok(ticket) => {
                let key = ticket.key().clone();
                let ticket = ticket.then(move |frame, ticket, _| {
                    part.say(Ok(frame));
                    ticket.withdraw();
                });
                (Question { key, answer }, Some(ticket))
            }
            Err(fault) => {
                part.say(Err(fault.public().message().as_ref().into()));
                let key = self.id.clone();
                (Question { key, answer }, None)
            }
        }
    }
}

/// What waits for one server's part of an answer.
struct Part {
    client: Peer,
    outer: Option<Arc<dyn ReplyChannel>>,
    said: Mutex<Option<oneshot::Sender<Said>>>,
}

impl Part {
    fn say(&self, said: Said) {
        let sender = self.lock().take();
        if let Some(sender) = sender {
            // Whoever stopped waiting need not be told.
            let _ = sender.send(said);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<oneshot::Sender<Said>>> {
        self.said
            .lock()
            .expect("nobody panics while holding this lock")
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Part")
    }
}

impl ReplyChannel for Part {
    fn tell(&self, message: RawMessage) -> Result<(), SendError> {
        let is_open = self.lock().as_ref().is_some_and(|said| !said.is_closed());
        // Of many who work at once nobody can say how far they all are.
        if !is_open || is_progress(&message) {
            return Err(SendError::Over);
        }
        match &self.outer {
            Some(outer) => outer.tell(message),
            None => self.client.notify(message),
        }
    }

    /// An answer that did not come from the server itself: somebody speaks for it, or says why there is none.
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

    fn streams(&self) {}

    fn extra(&self) -> Option<Arc<TransportHeaders>> {
        self.outer.as_ref()?.extra()
    }
}

/// A message that was about to be written, read again.
pub(super) fn reread(message: &RawMessage) -> Option<Frame> {
    let bytes = message.pieces().collect::<Vec<_>>().concat();
    Frame::parse(bytes, &FrameLimits::RESPONSE).ok()
}

fn is_progress(message: &RawMessage) -> bool {
    reread(message).is_some_and(|frame| frame.method() == "notifications/progress")
}

/// What a fault of ours says, in the words its caller would have read.
fn why(frame: Option<&Frame>) -> Box<str> {
    #[derive(Deserialize)]
    struct Told {
        message: Box<str>,
    }
    let told = frame.and_then(Frame::body);
    let told = told.and_then(|body| serde_json::from_str(body).ok());
    told.map_or_else(|| "it does not answer".into(), |told: Told| told.message)
}
