//! A session that the server has forgotten is renewed once for all requests that notice.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::{HeaderMap, Method};
use tokio::time::{Instant, timeout};

use super::in_flight::InFlight;
use super::message_headers::MessageHeaders;
use super::response::{ReplyTarget, ResponseReader};
use super::session::UpstreamSession;
use super::transport::HttpTransport;
use crate::connection::{Inbound, LossReason, ReplayMessage};
use crate::jsonrpc::{Frame, Id, Kind, RawMessage};
use crate::sync::Mutex;

/// Serializes renewals and remembers the last failure.
#[derive(Debug, Default)]
pub(super) struct SessionRenewal {
    failed: tokio::sync::Mutex<Option<Instant>>,
    /// Numbers the requests that the transport itself makes.
    own_requests: AtomicU64,
}

impl HttpTransport {
    /// Begins a new session in place of a forgotten one, unless another request has done so: then false.
    pub(super) async fn renew(
        self: &Arc<Self>,
        inbound: &Arc<Inbound>,
        forgotten: u64,
    ) -> Result<bool, LossReason> {
        let faults = self.remote.faults();
        let mut failed = self.renewal.failed.lock().await;
        if self.session().generation != forgotten {
            return Ok(false);
        }
        if failed.is_some_and(|at| at.elapsed() < PAUSE_AFTER_FAILURE) {
            return Err(faults.no_session("the server began no new session a moment ago"));
        }
        let begun = timeout(HANDSHAKE_TIMEOUT, self.begin_again(inbound)).await;
        let late = |_| Err(faults.no_session("the server did not begin a new session in time"));
        let begun = begun.unwrap_or_else(late);
        *failed = begun.is_err().then(Instant::now);
        begun.map_err(|reason| faults.before_resend(reason))?;
        Ok(true)
    }

    async fn begin_again(self: &Arc<Self>, inbound: &Arc<Inbound>) -> Result<(), LossReason> {
        let faults = self.remote.faults();
        tracing::info!(
            upstream = self.remote.name(),
            "session expired, starting a new one"
        );
        let mut replay = inbound.again().into_iter();
        let Some(ReplayMessage::Ask(handshake)) = replay.next() else {
            return Err(faults.no_session("there was no handshake to repeat"));
        };
        let before = self.session();
        let none = UpstreamSession {
            generation: before.generation,
            ..UpstreamSession::none(&self.basic)
        };
        let alone = MessageHeaders::default();
        let (headers, answer, id) = self.ask_own(inbound, &none, handshake, &alone).await?;
        let begun = before.begin(&self.basic, &id, answer.bytes(), &headers);
        let Some(session) = begun.filter(|_| answer.kind() == Kind::Result) else {
            return Err(faults.no_session("the server refused the handshake it took before"));
        };
        self.close_get_stream();
        self.set_session(session.clone());
        for message in replay {
            match message {
                ReplayMessage::Tell(frame) => {
                    let in_flight = InFlight::new(Arc::clone(inbound), None, 0);
                    let payload = RawMessage::from(frame).into();
                    let headers = MessageHeaders::default();
                    self.post_notification(inbound, &session, payload, &headers, &in_flight)
                        .await?;
                }
                ReplayMessage::Ask(frame) => self.ask_in_background(inbound, &session, frame),
            }
        }
        self.open_get_stream(inbound);
        Ok(())
    }

    /// Repeats a request whose answer the client has had already.
    fn ask_in_background(
        self: &Arc<Self>,
        inbound: &Arc<Inbound>,
        session: &UpstreamSession,
        frame: Frame,
    ) {
        let (me, inbound, session) = (Arc::clone(self), Arc::clone(inbound), session.clone());
        drop(tokio::spawn(async move {
            let alone = MessageHeaders::default();
            let asked = me.ask_own(&inbound, &session, frame, &alone);
            let asked = timeout(HANDSHAKE_TIMEOUT, asked).await;
            let is_accepted =
                matches!(asked, Ok(Ok((_, answer, _))) if answer.kind() == Kind::Result);
            if !is_accepted {
                tracing::warn!(
                    upstream = me.remote.name(),
                    "in its new session the server did not accept what it had accepted before"
                );
            }
        }));
    }

    /// Makes a request of the transport itself, under an id that no client request has.
    pub(super) async fn ask_own(
        &self,
        inbound: &Arc<Inbound>,
        session: &UpstreamSession,
        frame: Frame,
        headers: &MessageHeaders,
    ) -> Result<(HeaderMap, Frame, Id), LossReason> {
        let number = self.renewal.own_requests.fetch_add(1, Ordering::Relaxed);
        let id = Id::from_json(&format!("\"again-{number}\"")).expect("a short text");
        let at = frame.id_place();
        let payload = RawMessage::changed(frame, at, id.clone()).into();
        let all = || headers.over(&session.headers);
        let sent = self.remote.send(&Method::POST, all, payload, None);
        let response = sent.await?;
        let response_headers = response.headers().clone();
        let answer = Mutex::default();
        let reader = ResponseReader {
            remote: &self.remote,
            inbound,
            target: ReplyTarget::Own {
                id: &id,
                answer: &answer,
            },
            headers: &session.headers,
            is_in_session: false,
        };
        reader.read(response).await?;
        let answer = answer.into_inner();
        let answer = answer.ok_or_else(|| {
            let faults = self.remote.faults();
            faults.no_session("the server did not answer the handshake")
        })?;
        Ok((response_headers, answer, id))
    }
}

/// How long after a failure the next renewal waits.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_secs(1);
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(30);
