//! What is told goes one after the other, and not before what was asked before it has left.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use tokio::time::timeout;

use super::answer::{Heard, Hearing, To};
use super::courier::Courier;
use super::flight::Flight;
use super::heads::Beside;
use super::load::Load;
use super::session::Session;
use crate::connection::{Inbound, LossReason};
use crate::jsonrpc::{Frame, FrameLimits, RawMessage, cancelled_id};

/// Something to tell, or the end.
#[derive(Debug)]
pub(super) enum Item {
    Tell(Tell),
    Close,
}

/// A message nobody answers.
#[derive(Debug)]
pub(super) struct Tell {
    pub(super) load: Load,
    pub(super) beside: Beside,
    pub(super) flight: Arc<Flight>,
    pub(super) about: Note,
}

/// What something to tell is, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Note {
    /// The end of the handshake.
    Initialized,
    /// A request is taken back.
    Cancelled(u64),
    Other,
}

impl Courier {
    /// Tells one thing, and sees to what follows from it.
    pub(super) async fn deliver(self: &Arc<Self>, ear: &Arc<Inbound>, tell: Tell) {
        let Tell {
            load,
            beside,
            flight,
            about,
        } = tell;
        let of = match about {
            Note::Cancelled(number) => self.flight_of(number),
            Note::Initialized | Note::Other => None,
        };
        if let Some(of) = of {
            // What is taken back must not arrive after that.
            let _ = timeout(OVERTAKING, of.left()).await;
        }
        let posting = self.post(ear, load, &beside, &flight);
        match timeout(TELLING, posting).await {
            Ok(Ok(())) => {}
            Ok(Err(why)) => self.log("the server did not take what it was told", &why),
            Err(_) => tracing::warn!(
                upstream = &*self.remote.0.name,
                "the server did not take what it was told in time"
            ),
        }
        match about {
            Note::Initialized => {
                self.listen(ear);
                self.release();
            }
            Note::Cancelled(number) => self.leave_alone(number),
            Note::Other => {}
        }
    }

    /// Tells, in a new session if the server has forgotten the one before.
    async fn post(
        self: &Arc<Self>,
        ear: &Arc<Inbound>,
        load: Load,
        beside: &Beside,
        flight: &Arc<Flight>,
    ) -> Result<(), LossReason> {
        let again = load.again();
        let session = self.session();
        if self.say(ear, &session, load, beside, flight).await? == Heard::All {
            return Ok(());
        }
        self.renew(ear, session.generation).await?;
        if let Some(load) = again {
            let session = self.session();
            self.say(ear, &session, load, beside, flight).await?;
        }
        Ok(())
    }

    pub(super) async fn say(
        &self,
        ear: &Inbound,
        session: &Session,
        load: Load,
        beside: &Beside,
        flight: &Arc<Flight>,
    ) -> Result<Heard, LossReason> {
        let heads = || beside.on(&session.heads);
        let sent = self.remote.send(&Method::POST, heads, load, Some(flight));
        let response = sent.await?;
        let hearing = Hearing {
            remote: &self.remote,
            ear,
            to: To::Nobody,
            heads: &session.heads,
            is_in_session: session.is_named(),
        };
        if !response.status().is_success() {
            return hearing.read(response).await;
        }
        Ok(Heard::All)
    }
}

/// What something to tell is.
pub(super) fn note(message: &RawMessage) -> Note {
    if is_of(message, "notifications/initialized") {
        return Note::Initialized;
    }
    if !is_of(message, "notifications/cancelled") {
        return Note::Other;
    }
    let frame = Frame::parse(message.to_bytes(), &FrameLimits::REQUEST).ok();
    let id = frame.and_then(|frame| Some(cancelled_id(&frame)?.1));
    let number = id.and_then(|id| id.as_json().parse().ok());
    number.map_or(Note::Other, Note::Cancelled)
}

/// Whether a message is of a method. Hardly any has the word in it and is not, and then a closer look tells.
pub(super) fn is_of(message: &RawMessage, method: &str) -> bool {
    let bytes = message.original();
    if bytes.len() > LONGEST_WORD || !message.may_contain(method) {
        return false;
    }
    let frame = Frame::parse(bytes.to_vec(), &FrameLimits::REQUEST);
    frame.is_ok_and(|frame| frame.method() == method)
}

/// Messages of the protocol itself are no longer than that.
const LONGEST_WORD: usize = 64 << 10;
/// How long to wait for a request to leave before it is taken back.
const OVERTAKING: Duration = Duration::from_secs(1);
/// How long the server may take to hear what it is told.
const TELLING: Duration = Duration::from_secs(30);
