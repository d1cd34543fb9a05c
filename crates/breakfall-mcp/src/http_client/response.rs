//! Reads a response: JSON, a stream of events, or the reason why there is neither.

use std::fmt;
use std::time::Duration;

use http::response::Parts;
use http::{HeaderMap, Method, Response, StatusCode};
use serde::Deserialize;
use tokio::time::{sleep, timeout};

use super::RemoteServer;
use super::client::ResponseBody;
use super::faults::{is_event_stream, is_json, media_type, transport_status};
use super::message_headers::for_get;
use super::payload::Payload;
use super::session_expiry::{LostSession, error_message, lost_session};
use super::sse::{OversizedMessage, SseEvent, SseReader};
use super::stream_position::StreamPosition;
use crate::connection::{Inbound, LossReason};
use crate::jsonrpc::{Frame, FrameError, FrameScan, Id, Kind};
use crate::protocol::error_code;
use crate::sync::Mutex;

/// Reads the response to one message.
#[derive(Debug)]
pub(super) struct ResponseReader<'a> {
    pub(super) remote: &'a RemoteServer,
    pub(super) inbound: &'a Inbound,
    pub(super) target: ReplyTarget<'a>,
    /// The headers of the session, for a GET that continues a stream.
    pub(super) headers: &'a HeaderMap,
    /// Whether the request was sent in a session, which the server may have forgotten.
    pub(super) is_in_session: bool,
}

/// Where the answer goes.
pub(super) enum ReplyTarget<'a> {
    /// To the request of a client.
    Request {
        number: u64,
        /// Sees the answer before it is delivered.
        hook: Option<&'a AnswerHook<'a>>,
        /// The headers of the message were derived here, and may not be all that the server requires.
        may_lack_headers: bool,
    },
    /// To a request of the transport itself.
    Own {
        id: &'a Id,
        answer: &'a Mutex<Option<Frame>>,
    },
    /// Nowhere: the message was a notification.
    None,
}

/// Sees the headers of a response and the answer in it.
pub(super) type AnswerHook<'a> = dyn Fn(&HeaderMap, &[u8]) + Sync + 'a;

/// How reading a response ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReadOutcome {
    /// Everything was delivered.
    Complete,
    /// The server does not know the session. With its own message, if that is machine-readable.
    SessionExpired(LostSession, Option<String>),
    /// The server requires more headers and executed nothing. With its answer.
    MissingHeaders(Vec<u8>),
}

impl ResponseReader<'_> {
    /// Reads a response to its end.
    pub(super) async fn read(
        &self,
        response: Response<ResponseBody>,
    ) -> Result<ReadOutcome, LossReason> {
        let (parts, body) = response.into_parts();
        if !parts.status.is_success() {
            return self.read_refusal(&parts, body).await;
        }
        let media_type = media_type(&parts);
        if media_type.is_some_and(is_event_stream) {
            self.read_stream(&parts, body).await?;
        } else if matches!(self.target, ReplyTarget::None) {
            // A notification is accepted, and has no answer.
        } else if body.is_empty() || parts.status == StatusCode::ACCEPTED {
            return Err(self.unreadable("an empty answer", &parts, &[]));
        } else if media_type.is_none_or(is_json) {
            self.read_json(&parts, body).await?;
        } else {
            let start = read_start(body, EXCERPT_BYTES).await;
            return Err(self.unreadable("an answer of another kind", &parts, &start));
        }
        Ok(ReadOutcome::Complete)
    }

    async fn read_json(&self, parts: &Parts, mut body: ResponseBody) -> Result<(), LossReason> {
        let limit = self.inbound.limits().size;
        let length = body.length();
        if length.is_some_and(|length| length > limit as u64) {
            return Err(self.too_big(&FrameScan::default(), length.unwrap_or_default()));
        }
        let length = length.and_then(|length| usize::try_from(length).ok());
        let capacity = length.unwrap_or(DEFAULT_BODY_BYTES);
        // One more for the end of the line that it may be written with.
        let mut bytes = Vec::with_capacity(capacity.min(MAX_PREALLOCATED_BYTES) + 1);
        while let Some(piece) = body.next().await {
            let piece = piece.map_err(|error| self.remote.faults().broken_off(error))?;
            if bytes.len() + piece.len() > limit {
                bytes.extend_from_slice(&piece);
                return Err(self.too_big(&FrameScan::of(&bytes), bytes.len() as u64));
            }
            bytes.extend_from_slice(&piece);
        }
        let mut start = [0; EXCERPT_BYTES];
        let shown = bytes.len().min(EXCERPT_BYTES);
        start[..shown].copy_from_slice(&bytes[..shown]);
        self.deliver(&parts.headers, bytes);
        if self.is_answered() {
            return Ok(());
        }
        let reason = "the response does not answer the request";
        Err(self.unreadable(reason, parts, &start[..shown]))
    }

    /// Reads a stream until the answer comes, and continues it where it breaks off, if it can be continued.
    async fn read_stream(&self, parts: &Parts, body: ResponseBody) -> Result<(), LossReason> {
        let mut position = StreamPosition::default();
        let (mut end, _) = self
            .read_events(&parts.headers, body, &mut position)
            .await?;
        let mut failures = 0;
        while !self.is_answered() {
            let has_target = !matches!(self.target, ReplyTarget::None);
            if !position.is_known() || failures == MAX_RESUME_FAILURES || !has_target {
                return Err(end.unwrap_or_else(|| self.remote.faults().unanswered()));
            }
            sleep(position.wait(failures)).await;
            failures += 1;
            let Some(resumed) = self.resume(&position).await? else {
                continue;
            };
            let (parts, body) = resumed.into_parts();
            let has_moved;
            (end, has_moved) = self
                .read_events(&parts.headers, body, &mut position)
                .await?;
            if has_moved {
                failures = 0;
            }
        }
        Ok(())
    }

    /// Asks for the rest of a stream; nothing if the server is unavailable for now.
    async fn resume(
        &self,
        position: &StreamPosition,
    ) -> Result<Option<Response<ResponseBody>>, LossReason> {
        let Some(id) = position.last_event_id() else {
            return Err(self.remote.faults().unanswered());
        };
        let headers = || for_get(self.headers, Some(id.clone()));
        let sent = self
            .remote
            .send(&Method::GET, headers, Payload::default(), None);
        let Ok(response) = sent.await else {
            return Ok(None);
        };
        match response.status().as_u16() {
            200 => Ok(Some(response)),
            429 | 500..=599 => Ok(None),
            _ => Err(self.remote.faults().unanswered()),
        }
    }

    /// Reads one stream to its end. Returns what ended it, unless it ended well, and whether its position changed.
    pub(super) async fn read_events(
        &self,
        headers: &HeaderMap,
        mut body: ResponseBody,
        position: &mut StreamPosition,
    ) -> Result<(Option<LossReason>, bool), LossReason> {
        let mut events = SseReader::new(self.inbound.limits().size);
        let mut is_answered = false;
        let mut is_announced = false;
        let mut has_moved = false;
        let end = loop {
            let piece = if is_answered {
                // Most servers end the stream now, and the connection can be used again.
                match timeout(AFTER_ANSWER_TIMEOUT, body.next()).await {
                    Ok(piece) => piece,
                    Err(_) => break None,
                }
            } else {
                body.next().await
            };
            let piece = match piece {
                Some(Ok(piece)) => piece,
                Some(Err(error)) => break Some(self.remote.faults().broken_off(error)),
                None => {
                    if let Some(last) = events.finish() {
                        self.deliver(headers, last);
                    }
                    break None;
                }
            };
            let mut rest = &piece[..];
            while let Some(event) = events.next_event(&mut rest) {
                match event {
                    SseEvent::Message(bytes) => self.deliver(headers, bytes),
                    SseEvent::Oversized(message) => {
                        self.inbound.refuse(Box::new(self.oversized(&message)));
                    }
                }
                self.inbound.room().await;
            }
            if let Some(message) = events.oversized().filter(|it| self.is_answer_scan(it)) {
                return Err(LossReason::Unreadable(Box::new(self.oversized(message))));
            }
            is_answered = is_answered || self.is_answered();
            if !is_answered && !is_announced {
                is_announced = true;
                self.announce_stream();
            }
            has_moved |= position.update(&events);
        };
        has_moved |= position.update(&events);
        Ok((end, has_moved))
    }

    /// Reads a response that is not a success. If its body is the answer to the request, it is delivered.
    async fn read_refusal(
        &self,
        parts: &Parts,
        body: ResponseBody,
    ) -> Result<ReadOutcome, LossReason> {
        let bytes = read_start(body, MAX_REFUSAL_BYTES).await;
        let status = parts.status.as_u16();
        let is_challenge = status == 401 || (status == 403 && self.remote.passes_authorization());
        let is_json = media_type(parts).is_some_and(is_json);
        let is_readable = !is_challenge && is_json;
        let frame = is_readable.then(|| Frame::parse(bytes.clone(), self.inbound.limits()).ok());
        let frame = frame.flatten();
        let is_answer = frame.as_ref().is_some_and(|frame| self.is_answer(frame));
        let lost = lost_session(status, &bytes, is_answer).filter(|_| self.is_in_session);
        if let Some(lost) = lost {
            let words = is_json.then(|| error_message(&bytes)).flatten();
            return Ok(ReadOutcome::SessionExpired(lost, words));
        }
        let answer = frame.and_then(|frame| self.refusal_as_answer(status, frame));
        if let Some(answer) = answer {
            if self.may_lack_headers() && is_header_mismatch(&answer) {
                return Ok(ReadOutcome::MissingHeaders(answer));
            }
            self.deliver_with_status(parts, answer);
            return Ok(ReadOutcome::Complete);
        }
        Err(self.remote.faults().status(parts, &bytes))
    }

    /// A JSON-RPC error in a refusal, as the answer. It may have no id: the server need not have read that far, and the
    /// error is in the response to this request. Where the status says what to do, the status counts instead.
    fn refusal_as_answer(&self, status: u16, frame: Frame) -> Option<Vec<u8>> {
        if self.is_answer(&frame) {
            return Some(frame.into_bytes());
        }
        let id = match &self.target {
            ReplyTarget::Request { number, .. } => Id::number(*number),
            ReplyTarget::Own { id, .. } => (*id).clone(),
            ReplyTarget::None => return None,
        };
        let is_error = frame.kind() == Kind::Error && frame.id().is_none();
        let is_about_form = (400..500).contains(&status)
            && !matches!(status, 401 | 403 | 407 | 408 | 421 | 425 | 426 | 429 | 431);
        let error = frame.body().filter(|_| is_error && is_about_form)?;
        Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes())
    }

    fn is_answer(&self, frame: &Frame) -> bool {
        let is_answer = matches!(frame.kind(), Kind::Error | Kind::Result);
        is_answer && frame.id().is_some_and(|id| self.is_id(id))
    }

    fn is_id(&self, id: &Id) -> bool {
        match &self.target {
            ReplyTarget::Request { number, .. } => id.as_number() == Some(*number),
            ReplyTarget::Own { id: own, .. } => id == *own,
            ReplyTarget::None => false,
        }
    }

    /// Whether an oversized message is the answer, so that no other will come.
    fn is_answer_scan(&self, message: &OversizedMessage) -> bool {
        let scan = message.scan();
        !scan.has_method() && scan.id().is_some_and(|id| self.is_id(id))
    }

    fn oversized(&self, message: &OversizedMessage) -> FrameError {
        FrameError::too_big(message.scan(), message.length(), self.inbound.limits())
    }

    fn too_big(&self, scan: &FrameScan, size: u64) -> LossReason {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let error = FrameError::too_big(scan, size, self.inbound.limits());
        LossReason::Unreadable(Box::new(error))
    }

    fn unreadable(&self, reason: &str, parts: &Parts, body: &[u8]) -> LossReason {
        self.remote.faults().unreadable(reason, parts, body)
    }

    fn deliver(&self, headers: &HeaderMap, bytes: Vec<u8>) {
        match &self.target {
            ReplyTarget::Request { number, hook, .. } => {
                if let Some(hook) = hook {
                    hook(headers, &bytes);
                }
                self.inbound.receive(bytes, Some(*number));
            }
            ReplyTarget::Own { answer, .. } => match Frame::parse(bytes, self.inbound.limits()) {
                Ok(frame) if self.is_answer(&frame) => {
                    *answer.lock() = Some(frame);
                }
                Ok(frame) => self.inbound.hear(frame, None),
                Err(refusal) => self.inbound.refuse(refusal),
            },
            ReplyTarget::None => self.inbound.receive(bytes, None),
        }
    }

    /// Delivers an answer together with its status, if that says when to call again.
    fn deliver_with_status(&self, parts: &Parts, bytes: Vec<u8>) {
        let status = transport_status(parts);
        let (ReplyTarget::Request { number, hook, .. }, Some(_)) = (&self.target, status) else {
            return self.deliver(&parts.headers, bytes);
        };
        if let Some(hook) = hook {
            hook(&parts.headers, &bytes);
        }
        match Frame::parse(bytes, self.inbound.limits()) {
            Ok(frame) => self.inbound.hear(frame.with(status), Some(*number)),
            Err(refusal) => self.inbound.refuse(refusal),
        }
    }

    fn may_lack_headers(&self) -> bool {
        matches!(
            self.target,
            ReplyTarget::Request {
                may_lack_headers: true,
                ..
            }
        )
    }

    /// Lets the response to the client become a stream, too.
    fn announce_stream(&self) {
        if let ReplyTarget::Request { number, .. } = self.target {
            self.inbound.streams(number);
        }
    }

    fn is_answered(&self) -> bool {
        match &self.target {
            ReplyTarget::Request { number, .. } => !self.inbound.peer().waits_for(*number),
            ReplyTarget::Own { answer, .. } => answer.lock().is_some(),
            ReplyTarget::None => false,
        }
    }
}

impl fmt::Debug for ReplyTarget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Request { .. } => "Request",
            Self::Own { .. } => "Own",
            Self::None => "None",
        })
    }
}

/// Whether an answer refuses a request because its headers do not match its body.
fn is_header_mismatch(answer: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct ErrorAnswer {
        error: ErrorCode,
    }
    #[derive(Deserialize)]
    struct ErrorCode {
        code: i64,
    }
    let answer = serde_json::from_slice::<ErrorAnswer>(answer);
    answer.is_ok_and(|answer| answer.error.code == i64::from(error_code::HEADER_MISMATCH))
}

/// The beginning of a body, as much as comes in time.
async fn read_start(mut body: ResponseBody, max_bytes: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let reading = async {
        while let Some(Ok(piece)) = body.next().await {
            let room = max_bytes - bytes.len();
            bytes.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.len() >= room {
                break;
            }
        }
    };
    // What came until then is enough to judge it by.
    let _ = timeout(REFUSAL_TIMEOUT, reading).await;
    bytes
}

/// The code that the protocol has for headers that do not match the body.
/// How much of an unreadable answer is kept for the log.
const EXCERPT_BYTES: usize = 256;
/// How much of a refusal is read: it may be an answer.
const MAX_REFUSAL_BYTES: usize = 1 << 20;
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(5);
/// The expected size of a body without a length.
const DEFAULT_BODY_BYTES: usize = 4 << 10;
/// How much memory is reserved because a server gives a length.
const MAX_PREALLOCATED_BYTES: usize = 1 << 20;
/// How long a stream may go on after the answer.
const AFTER_ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// How often in a row a stream is continued in vain.
const MAX_RESUME_FAILURES: u32 = 5;
