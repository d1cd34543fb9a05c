//! One request from its POST to its answer.

use std::sync::Arc;

use http::{HeaderMap, Method};

use super::faults::with_attempts;
use super::in_flight::InFlight;
use super::message_headers::MessageHeaders;
use super::payload::Payload;
use super::refusals;
use super::response::{AnswerHook, ReadOutcome, ReplyTarget, ResponseReader};
use super::session::UpstreamSession;
use super::session_expiry::LostSession;
use super::transport::HttpTransport;
use crate::connection::LossReason;
use crate::jsonrpc::Id;

/// The requests that the transport treats differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestKind {
    /// The handshake.
    Initialize,
    /// Part of a session, or of an unknown protocol.
    Legacy,
    /// Of the protocol without sessions: closing the response cancels it.
    Modern,
    /// A modern list of tools, which tells the parameters that go into headers.
    ToolsList,
}

/// One request from its POST to its answer.
pub(super) struct PostRequest {
    pub(super) transport: Arc<HttpTransport>,
    pub(super) session: UpstreamSession,
    pub(super) in_flight: Arc<InFlight>,
    pub(super) number: u64,
    pub(super) headers: MessageHeaders,
    pub(super) kind: RequestKind,
    /// The client sent no headers for the message: they are derived here, and may be incomplete.
    pub(super) derives_headers: bool,
}

impl PostRequest {
    /// Sends the request and delivers its answer, or the reason for its loss.
    pub(super) async fn run(self, payload: Payload) {
        let outcome = self.post(payload).await;
        self.transport.remote.record_health(&outcome);
        if let Err(reason) = outcome {
            let answer = match self.kind {
                RequestKind::Initialize => refusals::as_answer(reason, self.number),
                RequestKind::Legacy | RequestKind::Modern | RequestKind::ToolsList => Err(reason),
            };
            let inbound = &self.in_flight.inbound;
            match answer {
                Ok(refusal) => inbound.receive(refusal, Some(self.number)),
                Err(reason) => inbound.failed(self.number, reason),
            }
        }
        self.transport.finished(self.number, self.kind);
    }

    /// Sends the request, in a new session if the server has forgotten the current one: the protocol says that a request
    /// with 404 was not executed. Other words make only what may be executed twice be sent again.
    async fn post(&self, payload: Payload) -> Result<(), LossReason> {
        let _permit = self.transport.remote.permit().await;
        let kept = payload.kept();
        let first = self.post_once(&self.session, payload, &self.headers).await;
        let (mut lost, mut words) = match first? {
            ReadOutcome::Complete => return Ok(()),
            ReadOutcome::MissingHeaders(refusal) => {
                return self.post_with_param_headers(kept, refusal).await;
            }
            ReadOutcome::SessionExpired(lost, words) => (lost, words),
        };
        let transport = &self.transport;
        let faults = transport.remote.faults();
        let too_big =
            "the server has forgotten the session, and the message is too big to be sent twice";
        let kept = kept.ok_or_else(|| faults.no_session(too_big))?;
        let mut session = self.session.clone();
        let mut attempts = 1;
        for _ in 0..MAX_SESSIONS {
            let inbound = &self.in_flight.inbound;
            let renewed = transport.renew(inbound, session.generation).await;
            if !self.may_resend(lost) {
                return Err(with_attempts(faults.session_lost(words), attempts));
            }
            let is_ours = renewed?;
            session = transport.session();
            attempts += 1;
            let outcome = self.post_once(&session, kept.clone(), &self.headers).await;
            (lost, words) = match outcome.map_err(|reason| with_attempts(reason, attempts))? {
                ReadOutcome::Complete => return Ok(()),
                ReadOutcome::SessionExpired(lost, words) => (lost, words),
                ReadOutcome::MissingHeaders(_) => (LostSession::Words, None),
            };
            // A session that another request began may have expired since; one begun for this request has not.
            if is_ours {
                break;
            }
        }
        Err(with_attempts(faults.session_lost_again(words), attempts))
    }

    /// Whether a request that found no session is sent again in a new one.
    fn may_resend(&self, lost: LostSession) -> bool {
        let is_believed = match lost {
            LostSession::Status => self.transport.remote.resends_on_lost_session(),
            LostSession::Words => false,
        };
        is_believed || self.in_flight.is_repeatable()
    }

    /// Sends the request again with the headers that the tool requires, if a new list of tools names them.
    async fn post_with_param_headers(
        &self,
        kept: Option<Payload>,
        refusal: Vec<u8>,
    ) -> Result<(), LossReason> {
        let inbound = &self.in_flight.inbound;
        let headers = match &kept {
            Some(call) => {
                let learned =
                    self.transport
                        .learn_param_headers(inbound, &self.session, call, &self.headers);
                learned.await
            }
            None => None,
        };
        let (Some(call), Some(headers)) = (kept, headers) else {
            inbound.receive(refusal, Some(self.number));
            return Ok(());
        };
        match self.post_once(&self.session, call, &headers).await? {
            ReadOutcome::Complete => {}
            ReadOutcome::MissingHeaders(refusal) => inbound.receive(refusal, Some(self.number)),
            ReadOutcome::SessionExpired(_, words) => {
                return Err(self.transport.remote.faults().session_lost(words));
            }
        }
        Ok(())
    }

    async fn post_once(
        &self,
        session: &UpstreamSession,
        payload: Payload,
        headers: &MessageHeaders,
    ) -> Result<ReadOutcome, LossReason> {
        let remote = &self.transport.remote;
        let all = || headers.over(&session.headers);
        let sent = remote.send(&Method::POST, all, payload, Some(&self.in_flight));
        let response = sent.await?;
        let begin = |headers: &HeaderMap, answer: &[u8]| self.begin_session(headers, answer);
        let learn = |_: &HeaderMap, answer: &[u8]| remote.param_headers().learn(answer);
        let hook: Option<&AnswerHook<'_>> = match self.kind {
            RequestKind::Initialize => Some(&begin),
            RequestKind::ToolsList => Some(&learn),
            RequestKind::Legacy | RequestKind::Modern => None,
        };
        let reader = ResponseReader {
            remote,
            inbound: &self.in_flight.inbound,
            target: ReplyTarget::Request {
                number: self.number,
                hook,
                may_lack_headers: self.derives_headers,
            },
            headers: &session.headers,
            is_in_session: session.has_id(),
        };
        reader.read(response).await
    }

    /// Begins the session before the answer to `initialize` is delivered: the next message may follow at once.
    fn begin_session(&self, headers: &HeaderMap, answer: &[u8]) {
        let id = Id::number(self.number);
        let transport = &self.transport;
        let session = transport.session();
        if let Some(begun) = session.begin(&transport.basic, &id, answer, headers) {
            transport.set_session(begun);
        }
    }
}

/// In how many sessions one request is tried.
const MAX_SESSIONS: usize = 4;
