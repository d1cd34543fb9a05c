//! Reading what comes back: JSON, a stream of events, or the reason why there is neither.

use std::sync::Mutex;
use std::time::Duration;

use http::response::Parts;
use http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use memchr::memmem;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::Remote;
use super::client::Coming;
use super::failure::{beside, is_json, media_type};
use super::heads::LAST_EVENT;
use super::load::Load;
use super::sse::{Event, Events, TooLong};
use crate::connection::{Inbound, LossReason};
use crate::jsonrpc::{Frame, FrameError, FrameScan, Id, Kind};

/// Whoever waits for what comes back.
#[derive(Debug)]
pub(super) struct Hearing<'a> {
    pub(super) remote: &'a Remote,
    pub(super) ear: &'a Inbound,
    pub(super) to: To<'a>,
    /// What goes beside everything that is asked to this end.
    pub(super) heads: &'a HeaderMap,
    /// Whether the server may have forgotten the session it was asked in.
    pub(super) is_in_session: bool,
}

/// What was asked.
pub(super) enum To<'a> {
    /// A request of somebody.
    Request {
        number: u64,
        /// Sees the answer before anybody else does.
        first: Option<&'a First<'a>>,
        /// What stands in headers was put there by us, and may not be all the server wants to see there.
        may_lack: bool,
    },
    /// A request of our own.
    Own {
        id: Id,
        answer: Mutex<Option<Frame>>,
    },
    /// Nothing.
    Nobody,
}

/// Sees the headers of an answer, and what it says.
pub(super) type First<'a> = dyn Fn(&HeaderMap, &[u8]) + Sync + 'a;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// Everything there is to hear.
    All,
    /// The server does not know the session, and has done nothing; with what it says itself, if it is made for programs.
    NoSession(Option<String>),
    /// The server wants to see more in headers, has done nothing, and says this.
    Lacking(Vec<u8>),
}

impl Hearing<'_> {
    /// Reads an answer to its end.
    pub(super) async fn read(&self, response: Response<Coming>) -> Result<Heard, LossReason> {
        let (parts, body) = response.into_parts();
        if !parts.status.is_success() {
            return self.refused(&parts, body).await;
        }
        let kind = media_type(&parts);
        if kind.is_some_and(|kind| kind.eq_ignore_ascii_case("text/event-stream")) {
            self.stream(&parts, body).await?;
        } else if matches!(self.to, To::Nobody) {
            // Accepted, which is all there is to say.
        } else if body.is_empty() || parts.status == StatusCode::ACCEPTED {
            return Err(self.unreadable("an empty answer", &parts, &[]));
        } else if kind.is_none_or(is_json) {
            self.json(&parts, body).await?;
        } else {
            let start = some(body, EXCERPT).await;
            return Err(self.unreadable("an answer of another kind", &parts, &start));
        }
        Ok(Heard::All)
    }

    async fn json(&self, parts: &Parts, mut body: Coming) -> Result<(), LossReason> {
        let limit = self.ear.limits().size;
        let told = body.length();
        if told.is_some_and(|told| told > limit as u64) {
            return Err(self.too_big(&FrameScan::default(), told.unwrap_or_default()));
        }
        let told = told.and_then(|told| usize::try_from(told).ok());
        // With room for the line end it may be written with.
        let mut bytes = Vec::with_capacity(told.unwrap_or(FIRST).min(MOST_AT_ONCE) + 1);
        while let Some(piece) = body.next().await {
            let piece = piece.map_err(|error| self.remote.told().broken_off(error))?;
            if bytes.len() + piece.len() > limit {
                bytes.extend_from_slice(&piece);
                return Err(self.too_big(&FrameScan::of(&bytes), bytes.len() as u64));
            }
            bytes.extend_from_slice(&piece);
        }
        let mut start = [0; EXCERPT];
        let shown = bytes.len().min(EXCERPT);
        start[..shown].copy_from_slice(&bytes[..shown]);
        self.receive(&parts.headers, bytes);
        if self.is_answered() {
            return Ok(());
        }
        Err(self.unreadable(
            "an answer that is none to the request",
            parts,
            &start[..shown],
        ))
    }

    /// Reads a stream until there is the answer, also where it breaks off and can be gone on with.
    async fn stream(&self, parts: &Parts, body: Coming) -> Result<(), LossReason> {
        let mut place = Place::default();
        let mut end = self.events(&parts.headers, body, &mut place).await?;
        let mut failures = 0;
        while !self.is_answered() {
            if place.id.is_empty() || failures == MOST_FAILURES || self.is_over() {
                return Err(end.unwrap_or_else(|| self.remote.told().unanswered()));
            }
            sleep(place.wait(failures)).await;
            failures += 1;
            let Some(again) = self.resume(&place.id).await? else {
                continue;
            };
            let before = place.id.clone();
            let (parts, body) = again.into_parts();
            end = self.events(&parts.headers, body, &mut place).await?;
            if place.id != before {
                failures = 0;
            }
        }
        Ok(())
    }

    /// Asks for the rest of a stream; nothing if nobody is there right now.
    async fn resume(&self, id: &[u8]) -> Result<Option<Response<Coming>>, LossReason> {
        let Ok(id) = HeaderValue::from_bytes(id) else {
            return Err(self.remote.told().unanswered());
        };
        let heads = || {
            let mut heads = self.heads.clone();
            heads.remove(http::header::CONTENT_TYPE);
            heads.insert(
                http::header::ACCEPT,
                HeaderValue::from_static("text/event-stream"),
            );
            heads.insert(LAST_EVENT, id.clone());
            heads
        };
        let asked = self.remote.send(&Method::GET, heads, Load::default(), None);
        let Ok(response) = asked.await else {
            return Ok(None);
        };
        match response.status().as_u16() {
            200 => Ok(Some(response)),
            429 | 500..=599 => Ok(None),
            _ => Err(self.remote.told().unanswered()),
        }
    }

    /// Hears one stream to its end, and says what was wrong with that.
    pub(super) async fn events(
        &self,
        headers: &HeaderMap,
        mut body: Coming,
        place: &mut Place,
    ) -> Result<Option<LossReason>, LossReason> {
        let mut events = Events::new(self.ear.limits().size);
        let mut is_answered = false;
        let mut streams = false;
        let end = loop {
            let piece = if is_answered {
                // Most servers end it now, and the connection can be used again.
                match timeout(AFTERWARDS, body.next()).await {
                    Ok(piece) => piece,
                    Err(_) => break None,
                }
            } else {
                body.next().await
            };
            let Some(piece) = piece else {
                if let Some(last) = events.finish() {
                    self.receive(headers, last);
                }
                break None;
            };
            let piece = match piece {
                Ok(piece) => piece,
                Err(error) => break Some(self.remote.told().broken_off(error)),
            };
            let mut rest = &piece[..];
            while let Some(event) = events.next(&mut rest) {
                match event {
                    Event::Message(bytes) => self.receive(headers, bytes),
                    Event::TooLong(long) => self.ear.refuse(Box::new(self.refusal(&long))),
                }
                self.ear.room().await;
            }
            if let Some(long) = events.too_long().filter(|long| self.is_about(long)) {
                return Err(LossReason::Unreadable(Box::new(self.refusal(long))));
            }
            is_answered = is_answered || self.is_answered();
            if !is_answered && !streams {
                streams = true;
                self.streams();
            }
            place.heard(&events);
        };
        place.heard(&events);
        Ok(end)
    }

    /// An answer that is no success. If it is an answer to the request at all, it is that.
    async fn refused(&self, parts: &Parts, body: Coming) -> Result<Heard, LossReason> {
        let bytes = some(body, MOST_OF_REFUSAL).await;
        let status = parts.status.as_u16();
        let is_challenge = status == 401 || (status == 403 && self.remote.0.passes_authorization);
        let is_readable = !is_challenge && media_type(parts).is_some_and(is_json);
        let frame = is_readable.then(|| Frame::parse(bytes.clone(), self.ear.limits()).ok());
        let frame = frame.flatten();
        let is_answer = frame.as_ref().is_some_and(|frame| self.is_answer(frame));
        if self.is_in_session && is_forgotten(status, &bytes, is_answer) {
            let words = media_type(parts)
                .is_some_and(is_json)
                .then(|| words(&bytes));
            return Ok(Heard::NoSession(words.flatten()));
        }
        let answer = frame.and_then(|frame| self.refusal_in_words(status, frame));
        if let Some(answer) = answer {
            if self.may_lack() && is_mismatch(&answer) {
                return Ok(Heard::Lacking(answer));
            }
            self.receive_beside(parts, answer);
            return Ok(Heard::All);
        }
        Err(self.remote.told().status(parts, &bytes))
    }

    /// An error in the body of a refusal, as the answer. It may have no id, since the server need not have read as far as
    /// that: it is in the response to this request all the same. Where the status says what to do, it counts for more.
    fn refusal_in_words(&self, status: u16, frame: Frame) -> Option<Vec<u8>> {
        if self.is_answer(&frame) {
            return Some(frame.into_bytes());
        }
        let id = match &self.to {
            To::Request { number, .. } => Id::number(*number),
            To::Own { id, .. } => id.clone(),
            To::Nobody => return None,
        };
        let is_in_words = frame.kind() == Kind::Error && frame.id().is_none();
        let is_about_form =
            (400..500).contains(&status) && !matches!(status, 401 | 403 | 407 | 408 | 425 | 429);
        let error = frame.body().filter(|_| is_in_words && is_about_form)?;
        Some(format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes())
    }

    fn is_answer(&self, frame: &Frame) -> bool {
        let is_answer = matches!(frame.kind(), Kind::Error | Kind::Result);
        is_answer && frame.id().is_some_and(|id| self.is_id(id))
    }

    fn is_id(&self, id: &Id) -> bool {
        match &self.to {
            To::Request { number, .. } => id.as_number() == Some(*number),
            To::Own { id: own, .. } => id == own,
            To::Nobody => false,
        }
    }

    /// Whether a message that is too long is the answer, so that nothing more is to come.
    fn is_about(&self, long: &TooLong) -> bool {
        let scan = long.scan();
        !scan.has_method() && scan.id().is_some_and(|id| self.is_id(id))
    }

    fn refusal(&self, long: &TooLong) -> FrameError {
        FrameError::too_big(long.scan(), long.length(), self.ear.limits())
    }

    fn too_big(&self, scan: &FrameScan, size: u64) -> LossReason {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        LossReason::Unreadable(Box::new(FrameError::too_big(scan, size, self.ear.limits())))
    }

    fn unreadable(&self, why: &str, parts: &Parts, body: &[u8]) -> LossReason {
        self.remote.told().unreadable(why, parts, body)
    }

    fn receive(&self, headers: &HeaderMap, bytes: Vec<u8>) {
        match &self.to {
            To::Request { number, first, .. } => {
                if let Some(first) = first {
                    first(headers, &bytes);
                }
                self.ear.receive(bytes, Some(*number));
            }
            To::Own { answer, .. } => match Frame::parse(bytes, self.ear.limits()) {
                Ok(frame) if self.is_answer(&frame) => {
                    *answer
                        .lock()
                        .expect("nobody panics while holding this lock") = Some(frame);
                }
                Ok(frame) => self.ear.hear(frame, None),
                Err(refusal) => self.ear.refuse(refusal),
            },
            To::Nobody => self.ear.receive(bytes, None),
        }
    }

    /// An answer with a status that says something, too.
    fn receive_beside(&self, parts: &Parts, bytes: Vec<u8>) {
        let beside = beside(parts);
        let (To::Request { number, first, .. }, Some(_)) = (&self.to, beside) else {
            return self.receive(&parts.headers, bytes);
        };
        if let Some(first) = first {
            first(&parts.headers, &bytes);
        }
        match Frame::parse(bytes, self.ear.limits()) {
            Ok(frame) => self.ear.hear(frame.with(beside), Some(*number)),
            Err(refusal) => self.ear.refuse(refusal),
        }
    }

    fn may_lack(&self) -> bool {
        matches!(self.to, To::Request { may_lack: true, .. })
    }

    fn streams(&self) {
        if let To::Request { number, .. } = self.to {
            self.ear.streams(number);
        }
    }

    /// Whether there is nothing more to wait for.
    fn is_answered(&self) -> bool {
        match &self.to {
            To::Request { number, .. } => !self.ear.peer().waits_for(*number),
            To::Own { answer, .. } => {
                let answer = answer.lock();
                answer
                    .expect("nobody panics while holding this lock")
                    .is_some()
            }
            To::Nobody => false,
        }
    }

    /// Whether it is pointless to go on, since nobody can be answered.
    fn is_over(&self) -> bool {
        matches!(self.to, To::Nobody)
    }
}

impl std::fmt::Debug for To<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Request { .. } => "Request",
            Self::Own { .. } => "Own",
            Self::Nobody => "Nobody",
        })
    }
}

/// Where a stream is, so that it can be gone on with.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) id: Vec<u8>,
    retry: Option<Duration>,
}

impl Place {
    fn heard(&mut self, events: &Events) {
        if !events.last_id().is_empty() && self.id != events.last_id() {
            self.id = events.last_id().to_vec();
        }
        self.retry = events.retry().or(self.retry);
    }

    /// How long to wait before going on, after so many times in vain.
    pub(super) fn wait(&self, failures: u32) -> Duration {
        let first = self.retry.unwrap_or(RETRY);
        let wait = first.saturating_mul(1 << failures.min(5));
        wait.min(first.max(LONGEST_RETRY)).min(LONGEST_OF_ALL)
    }
}

/// Whether a refusal is about headers that are not what the body says.
fn is_mismatch(answer: &[u8]) -> bool {
    #[derive(serde::Deserialize)]
    struct Answer {
        error: Error,
    }
    #[derive(serde::Deserialize)]
    struct Error {
        code: i64,
    }
    let answer = serde_json::from_slice::<Answer>(answer);
    answer.is_ok_and(|answer| answer.error.code == HEADER_MISMATCH)
}

/// Whether a server refuses a request because it does not know the session. Some say so with 400. An error under the id of
/// the request is what it says it is: a server that does not know the session has not looked at the request, as a rule. A
/// tool may have sessions of its own, so that only the words of servers count, and under that id only those of the official
/// SDKs, to the letter.
fn is_forgotten(status: u16, body: &[u8], is_answer: bool) -> bool {
    let says = |words: &&[u8]| memmem::find(body, words).is_some();
    match status {
        404 if is_answer => words(body).is_some_and(|words| words == NOT_FOUND),
        404 => true,
        400 => !is_answer && FORGOTTEN.iter().any(says),
        _ => false,
    }
}

/// What an error says, of the protocol or of any other kind that has words where most have them.
fn words(body: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Said {
        error: Option<Value>,
        message: Option<String>,
    }
    let said: Said = serde_json::from_slice(body).ok()?;
    let words = match said.error {
        Some(Value::String(words)) => Some(words),
        Some(error) => error["message"].as_str().map(str::to_owned),
        None => None,
    };
    let words = words.or(said.message)?;
    (!words.trim().is_empty()).then_some(words)
}

/// What the official SDKs say.
const NOT_FOUND: &str = "Session not found";

/// What servers say of a session they do not know, whatever the case of its first letter.
const FORGOTTEN: [&[u8]; 7] = [
    b"ession not found",
    b"ession does not exist",
    b"ession has been terminated",
    b"nvalid session ID",
    b"nvalid or expired session",
    b"nknown session",
    b"o valid session ID",
];

/// The beginning of a body that is only looked at, as much of it as comes at once.
async fn some(mut body: Coming, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let reading = async {
        while let Some(Ok(piece)) = body.next().await {
            let room = most - bytes.len();
            bytes.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.len() >= room {
                break;
            }
        }
    };
    // What came until then is enough to judge it by.
    let _ = timeout(PATIENCE, reading).await;
    bytes
}

/// What the protocol calls headers that do not fit.
const HEADER_MISMATCH: i64 = -32020;
/// How much of an answer is kept for the case that nobody can read it.
const EXCERPT: usize = 256;
/// How much of a refusal is read: it may be an answer.
const MOST_OF_REFUSAL: usize = 1 << 20;
/// How long a refusal may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How much to expect of an answer that does not say how long it is.
const FIRST: usize = 4 << 10;
/// How much memory is taken on the word of the server.
const MOST_AT_ONCE: usize = 1 << 20;
/// How long a stream may go on after the answer.
const AFTERWARDS: Duration = Duration::from_secs(2);
/// How long to wait before going on with a stream, if the server does not say.
const RETRY: Duration = Duration::from_secs(1);
const LONGEST_RETRY: Duration = Duration::from_secs(30);
const LONGEST_OF_ALL: Duration = Duration::from_mins(5);
/// How often to go on in vain.
const MOST_FAILURES: u32 = 5;
