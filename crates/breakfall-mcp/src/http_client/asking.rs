//! One request, from here to its answer.

use std::sync::Arc;

use http::{HeaderMap, Method};

use super::answer::{First, Heard, Hearing, To};
use super::courier::Courier;
use super::failure::after_all;
use super::flight::Flight;
use super::heads::Beside;
use super::lacking;
use super::load::Load;
use super::session::Session;
use crate::connection::LossReason;
use crate::jsonrpc::Id;

/// What a request is, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The handshake.
    Opening,
    /// Part of a session, or of nothing we know of.
    Usual,
    /// Of the protocol that has no sessions: it is taken back by not listening any more.
    Modern,
    /// The same, for the tools.
    List,
}

/// One request, from here to its answer.
pub(super) struct Asking {
    pub(super) courier: Arc<Courier>,
    pub(super) session: Session,
    pub(super) flight: Arc<Flight>,
    pub(super) number: u64,
    pub(super) beside: Beside,
    pub(super) kind: Kind,
    /// What stands in headers was put there by us.
    pub(super) may_lack: bool,
}

impl Asking {
    /// Asks, and says what came of it.
    pub(super) async fn run(self, load: Load) {
        let came = self.ask(load).await;
        self.courier.remote.note(&came);
        if let Err(why) = came {
            let told = match self.kind {
                Kind::Opening => lacking::in_words(why, self.number),
                Kind::Usual | Kind::Modern | Kind::List => Err(why),
            };
            match told {
                Ok(refusal) => self.flight.ear.receive(refusal, Some(self.number)),
                Err(why) => self.flight.ear.failed(self.number, why),
            }
        }
        self.courier.landed(self.number, self.kind);
    }

    async fn ask(&self, load: Load) -> Result<(), LossReason> {
        // It is never closed.
        let _room = self.courier.remote.0.room.acquire().await;
        let again = load.again();
        match self.once(&self.session, load, &self.beside).await? {
            Heard::All => return Ok(()),
            Heard::Lacking(refusal) => return self.in_full(again, refusal).await,
            Heard::NoSession(_) => {}
        }
        let courier = &self.courier;
        let told = courier.remote.told();
        let too_big =
            "the server has forgotten the session, and the message is too big to be sent twice";
        let again = again.ok_or_else(|| told.no_session(too_big))?;
        let mut session = self.session.clone();
        let (mut sent, mut words) = (1, None);
        for _ in 0..MOST_SESSIONS {
            let is_ours = courier.renew(&self.flight.ear, session.generation).await?;
            session = courier.session();
            sent += 1;
            let heard = self.once(&session, again.clone(), &self.beside).await;
            words = match heard.map_err(|why| after_all(why, sent))? {
                Heard::All => return Ok(()),
                Heard::NoSession(words) => words,
                Heard::Lacking(_) => None,
            };
            // What somebody else began may have been forgotten because of them; what was begun for this is not.
            if is_ours {
                break;
            }
        }
        Err(after_all(told.forgetful(words), sent))
    }

    /// Once more, with what the tool wants to see in headers, if that can be found out.
    async fn in_full(&self, again: Option<Load>, refusal: Vec<u8>) -> Result<(), LossReason> {
        let ear = &self.flight.ear;
        let beside = match &again {
            Some(call) => {
                self.courier
                    .dress(ear, &self.session, call, &self.beside)
                    .await
            }
            None => None,
        };
        let (Some(call), Some(beside)) = (again, beside) else {
            ear.receive(refusal, Some(self.number));
            return Ok(());
        };
        if let Heard::Lacking(refusal) = self.once(&self.session, call, &beside).await? {
            ear.receive(refusal, Some(self.number));
        }
        Ok(())
    }

    async fn once(
        &self,
        session: &Session,
        load: Load,
        beside: &Beside,
    ) -> Result<Heard, LossReason> {
        let remote = &self.courier.remote;
        let heads = || beside.on(&session.heads);
        let sent = remote.send(&Method::POST, heads, load, Some(&self.flight));
        let response = sent.await?;
        let begin = |headers: &HeaderMap, answer: &[u8]| self.begin(headers, answer);
        let learn = |_: &HeaderMap, answer: &[u8]| remote.0.mirrors.learn(answer);
        let first: Option<&First<'_>> = match self.kind {
            Kind::Opening => Some(&begin),
            Kind::List => Some(&learn),
            Kind::Usual | Kind::Modern => None,
        };
        let hearing = Hearing {
            remote,
            ear: &self.flight.ear,
            to: To::Request {
                number: self.number,
                first,
                may_lack: self.may_lack,
            },
            heads: &session.heads,
            is_in_session: session.is_named(),
        };
        hearing.read(response).await
    }

    /// The handshake is answered: whoever hears of it may go on at once.
    fn begin(&self, headers: &HeaderMap, answer: &[u8]) {
        let id = Id::number(self.number);
        let courier = &self.courier;
        let begun = courier
            .session()
            .begun(&courier.basic, &id, answer, headers);
        if let Some(begun) = begun {
            courier.set_session(begun);
        }
    }
}

/// In how many sessions that others have begun something is tried.
const MOST_SESSIONS: usize = 4;
