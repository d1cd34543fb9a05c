//! A session the server has forgotten is begun anew, once for all who notice.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::{HeaderMap, Method};
use tokio::time::{Instant, timeout};

use super::answer::{Hearing, To};
use super::courier::Courier;
use super::flight::Flight;
use super::heads::Beside;
use super::session::Session;
use crate::connection::{Inbound, LossReason, ReplayMessage};
use crate::jsonrpc::{Frame, Id, Kind, RawMessage};

/// Who renews, and what came of the last time.
#[derive(Debug, Default)]
pub(super) struct Renewal {
    /// When it was in vain.
    failed: tokio::sync::Mutex<Option<Instant>>,
    /// Counts our own requests.
    asked: AtomicU64,
}

impl Courier {
    /// Begins a new session in place of one the server has forgotten, unless somebody has done so already: true if it
    /// was us.
    pub(super) async fn renew(
        self: &Arc<Self>,
        ear: &Arc<Inbound>,
        forgotten: u64,
    ) -> Result<bool, LossReason> {
        let mut failed = self.renewal.failed.lock().await;
        if self.session().generation != forgotten {
            return Ok(false);
        }
        if failed.is_some_and(|at| at.elapsed() < REST) {
            return Err(self
                .remote
                .told()
                .no_session("the server began no new session a moment ago"));
        }
        let begun = timeout(BEGINNING, self.begin_anew(ear)).await;
        let late = |_| {
            Err(self
                .remote
                .told()
                .no_session("the server did not begin a new session in time"))
        };
        let begun = begun.unwrap_or_else(late);
        *failed = begun.is_err().then(Instant::now);
        begun.map_err(|why| self.remote.told().before_it(why))?;
        Ok(true)
    }

    async fn begin_anew(self: &Arc<Self>, ear: &Arc<Inbound>) -> Result<(), LossReason> {
        tracing::info!(
            upstream = &*self.remote.0.name,
            "the server has forgotten the session"
        );
        let mut again = ear.again().into_iter();
        let Some(ReplayMessage::Ask(handshake)) = again.next() else {
            return Err(self
                .remote
                .told()
                .no_session("there was no handshake to repeat"));
        };
        let before = self.session();
        let none = Session {
            generation: before.generation,
            ..Session::none(&self.basic)
        };
        let alone = Beside::default();
        let (headers, answer, id) = self.ask_own(ear, &none, handshake, &alone).await?;
        let begun = before.begun(&self.basic, &id, answer.bytes(), &headers);
        let Some(session) = begun.filter(|_| answer.kind() == Kind::Result) else {
            return Err(self
                .remote
                .told()
                .no_session("the server refused the handshake it took before"));
        };
        self.deafen();
        self.set_session(session.clone());
        for again in again {
            match again {
                ReplayMessage::Tell(frame) => {
                    let flight = Flight::new(Arc::clone(ear), None, 0);
                    let load = RawMessage::from(frame).into();
                    let beside = Beside::default();
                    self.say(ear, &session, load, &beside, &flight).await?;
                }
                ReplayMessage::Ask(frame) => self.ask_aside(ear, &session, frame),
            }
        }
        self.listen(ear);
        Ok(())
    }

    /// Asks for something nobody waits for.
    fn ask_aside(self: &Arc<Self>, ear: &Arc<Inbound>, session: &Session, frame: Frame) {
        let (me, ear, session) = (Arc::clone(self), Arc::clone(ear), session.clone());
        drop(tokio::spawn(async move {
            let alone = Beside::default();
            let asked = me.ask_own(&ear, &session, frame, &alone);
            let asked = timeout(BEGINNING, asked).await;
            let is_accepted =
                matches!(asked, Ok(Ok((_, answer, _))) if answer.kind() == Kind::Result);
            if !is_accepted {
                tracing::warn!(
                    upstream = &*me.remote.0.name,
                    "in its new session the server did not accept what it had accepted before"
                );
            }
        }));
    }

    /// Asks for ourselves, under an id nobody else has.
    pub(super) async fn ask_own(
        &self,
        ear: &Arc<Inbound>,
        session: &Session,
        frame: Frame,
        beside: &Beside,
    ) -> Result<(HeaderMap, Frame, Id), LossReason> {
        let number = self.renewal.asked.fetch_add(1, Ordering::Relaxed);
        let id = Id::from_json(&format!("\"again-{number}\"")).expect("a short text");
        let at = frame.id_place();
        let load = RawMessage::changed(frame, at, id.clone()).into();
        let heads = || beside.on(&session.heads);
        let response = self.remote.send(&Method::POST, heads, load, None).await?;
        let headers = response.headers().clone();
        let hearing = Hearing {
            remote: &self.remote,
            ear,
            to: To::Own {
                id: id.clone(),
                answer: Mutex::default(),
            },
            heads: &session.heads,
            is_in_session: false,
        };
        hearing.read(response).await?;
        let To::Own { answer, .. } = hearing.to else {
            unreachable!("made above")
        };
        let answer = answer.into_inner();
        let answer = answer.expect("nobody panics while holding this lock");
        let nothing = || {
            self.remote
                .told()
                .no_session("the server did not answer the handshake")
        };
        Ok((headers, answer.ok_or_else(nothing)?, id))
    }
}

/// How long to wait after a session could not be begun before it is tried again.
const REST: Duration = Duration::from_secs(1);
/// How long it may take to begin one.
const BEGINNING: Duration = Duration::from_secs(30);
