//! Bytes → a frame, or an error.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use breakfall::{Code, LimitType};
use memchr::{memchr, memchr2, memchr2_iter};

use super::duplicate_key::duplicate_key;
use super::frame_error::{BAD_ID, BoxedFrameError, FrameError, NO_LISTS, RejectedFrame};
use super::id::Id;
use super::members::{MessageMembers, is_error};
use super::repair;
use super::scan::FrameScan;
use super::schema_depth;

/// How big and how deep a message may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameLimits {
    /// Bytes of a message.
    pub size: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// The limit that an error names when `size` is exceeded.
    pub side: LimitType,
}

impl FrameLimits {
    /// Limits of one side of a connection.
    pub const fn new(size: usize, depth: usize, side: LimitType) -> Self {
        Self { size, depth, side }
    }

    /// The default limits of a client's messages.
    pub const REQUEST: Self = Self {
        size: 16 << 20,
        depth: 128,
        side: LimitType::RequestSize,
    };

    /// The default limits of a server's messages.
    pub const RESPONSE: Self = Self {
        size: 64 << 20,
        depth: 128,
        side: LimitType::ResponseSize,
    };
}

/// One message, as it came.
#[derive(Debug, Clone)]
pub struct Frame {
    text: String,
    kind: Kind,
    id: Option<(Id, Range<usize>)>,
    method: Option<Range<usize>>,
    body: Option<Range<usize>>,
    beside: Option<TransportStatus>,
    /// The error as it came, if it was repaired.
    original_error: Option<Box<str>>,
}

/// The HTTP status an answer came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransportStatus {
    /// The status.
    pub status: u16,
    /// What the status means by itself.
    pub code: Code,
    /// How long to wait before the next request.
    pub wait: Option<Duration>,
}

impl TransportStatus {
    /// Whether the server failed.
    pub const fn is_failed_at(self) -> bool {
        self.status >= 500
    }

    /// Whether the server refused the request before it executed anything.
    pub const fn is_turned_away(self) -> bool {
        self.status == 429
    }
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the kinds of JSON-RPC")]
pub enum Kind {
    /// It has a method and an id, and expects an answer.
    Request,
    /// It has a method and no id.
    Notification,
    /// The answer to a request: a result.
    Result,
    /// The answer to a request: an error. Only an error may lack an id.
    Error,
}

impl Frame {
    /// Parses a message: a line without its end, or a body.
    ///
    /// # Errors
    /// When it is too big or too deep, not UTF-8, not JSON, or not a JSON-RPC 2.0 message.
    pub fn parse(bytes: Vec<u8>, limits: &FrameLimits) -> Result<Self, BoxedFrameError> {
        Self::read(bytes, limits).map_err(|(refusal, _)| refusal)
    }

    /// Like [`Self::parse`]; bytes that are not a message are given back.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn read(bytes: Vec<u8>, limits: &FrameLimits) -> Result<Self, RejectedFrame> {
        if bytes.len() > limits.size {
            let refusal = FrameError::too_big(&FrameScan::of(&bytes), bytes.len(), limits);
            return Err((refusal.into(), bytes));
        }
        let bytes = match String::from_utf8(bytes) {
            Ok(text) => match MessageMembers::plain(&text, limits.depth) {
                Some(members) => match Layout::of(&members, &text) {
                    Ok(layout) => return Ok(layout.over(text)),
                    Err(refusal) => return Self::without_nulls(refusal, text, limits),
                },
                None => text.into_bytes(),
            },
            Err(error) => error.into_bytes(),
        };
        Self::read_closely(bytes, limits)
    }

    /// Parses a message that the strict parser did not take.
    #[cold]
    fn read_closely(mut bytes: Vec<u8>, limits: &FrameLimits) -> Result<Self, RejectedFrame> {
        if let Some(scan) = too_deep(&bytes, limits.depth) {
            // One tool with a deep schema does not cost all the others.
            let list = (limits.side == LimitType::ResponseSize)
                .then(|| schema_depth::list_of_tools(&bytes, limits.depth));
            match list.flatten() {
                Some(list) => bytes = list,
                None => return Err((FrameError::too_deep(&scan, limits).into(), bytes)),
            }
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let refusal = FrameError::not_utf8(error.utf8_error().valid_up_to());
                let bytes = error.into_bytes();
                return Err((refuse(&bytes, refusal).into(), bytes));
            }
        };
        match Layout::closely(&text) {
            Ok(layout) => Ok(layout.over(text)),
            Err(refusal) => Self::without_nulls(refusal, text, limits),
        }
    }

    /// Parses a message of a server once more, without members that are `null`.
    #[cold]
    fn without_nulls(
        refusal: BoxedFrameError,
        text: String,
        limits: &FrameLimits,
    ) -> Result<Self, RejectedFrame> {
        let is_of_server = limits.side == LimitType::ResponseSize;
        match is_of_server.then(|| repair::without_nulls(&text)).flatten() {
            Some(text) => Self::read(text.into_bytes(), limits),
            None => Err((refusal, text.into_bytes())),
        }
    }

    /// The message with a repaired error.
    fn with_repaired_error(self, error: String) -> Self {
        let as_it_came = self.body().map(Into::into);
        let edits = self.body.clone().map(|at| (at, error));
        let repaired = self.edited(edits.into_iter().collect());
        Self {
            original_error: as_it_came,
            ..repaired
        }
    }

    /// The parameters, the result or the error object, as they came.
    pub fn original_body(&self) -> Option<&str> {
        self.original_error.as_deref().or_else(|| self.body())
    }

    /// An answer of this process, whose id is replaced when it is sent. The body is JSON.
    pub fn answering(kind: Kind, body: &str) -> Self {
        let name = if kind == Kind::Error {
            "error"
        } else {
            "result"
        };
        let text = format!(r#"{{"jsonrpc":"2.0","id":0,"{name}":{body}}}"#);
        debug_assert!(
            Self::parse(text.clone().into_bytes(), &FrameLimits::RESPONSE).is_ok(),
            "{text}"
        );
        let end = text.len() - 1;
        let id = r#"{"jsonrpc":"2.0","id":"#.len();
        Self {
            id: Some((Id::number(0), id..id + 1)),
            method: None,
            body: Some(end - body.len()..end),
            beside: None,
            original_error: None,
            kind,
            text,
        }
    }

    /// Sets the HTTP status it came with.
    #[must_use]
    pub fn with(mut self, beside: Option<TransportStatus>) -> Self {
        self.beside = beside;
        self
    }

    /// The HTTP status it came with.
    pub fn beside(&self) -> Option<TransportStatus> {
        self.beside
    }

    /// The kind of message.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The whole message.
    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The whole message, as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole message, as owned bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// Replaces line breaks, which valid JSON has only between tokens, by spaces.
    pub fn put_on_one_line(&mut self) {
        let bytes = self.text.as_bytes();
        if memchr2(b'\n', b'\r', bytes).is_some() {
            self.text = self.text.replace(['\n', '\r'], " ");
        }
    }

    /// The id.
    pub fn id(&self) -> Option<&Id> {
        self.id.as_ref().map(|(id, _)| id)
    }

    /// The place of the id.
    pub fn id_place(&self) -> Option<Range<usize>> {
        self.id.as_ref().map(|(_, place)| place.clone())
    }

    /// The method; empty for answers. A name that is not valid text (half a surrogate pair) stays as it is written.
    pub fn method(&self) -> Cow<'_, str> {
        let Some(place) = self.method.clone() else {
            return Cow::Borrowed("");
        };
        let quoted = &self.text[place];
        let plain = &quoted[1..quoted.len() - 1];
        if memchr(b'\\', plain.as_bytes()).is_some() {
            serde_json::from_str(quoted).map_or(Cow::Borrowed(plain), Cow::Owned)
        } else {
            Cow::Borrowed(plain)
        }
    }

    /// The parameters, the result or the error object.
    pub fn body(&self) -> Option<&str> {
        self.body.clone().map(|place| &self.text[place])
    }

    /// The first key that an object in the body has twice.
    pub fn duplicate_key(&self) -> Option<Cow<'_, str>> {
        self.body().and_then(duplicate_key)
    }

    /// The text at a place that [`Self::place_of`] gave.
    pub fn part(&self, at: Range<usize>) -> &str {
        &self.text[at]
    }

    /// The place of a part that was borrowed from [`Self::body`].
    pub fn place_of(&self, part: &str) -> Range<usize> {
        place(&self.text, part)
    }

    /// Replaces parts of the body, which do not overlap: JSON values by JSON values.
    #[must_use]
    pub fn edited(mut self, mut edits: Vec<Edit>) -> Self {
        edits.sort_unstable_by_key(|(at, _)| at.start);
        let moved = |place: usize| {
            let before = edits.iter().take_while(|(at, _)| at.end <= place);
            before.fold(place, |place, (at, new)| place + new.len() - at.len())
        };
        let moved = |place: Range<usize>| moved(place.start)..moved(place.end);
        self.id = self.id.map(|(id, place)| (id, moved(place)));
        self.method = self.method.map(moved);
        self.body = self.body.map(moved);
        match &*edits {
            // Most have one, which needs no second copy.
            [(at, new)] => self.text.replace_range(at.clone(), new),
            _ => self.text = edited(&self.text, &edits),
        }
        self
    }
}

/// The kind of a message, and the places of its parts.
struct Layout {
    kind: Kind,
    id: Option<(Id, Range<usize>)>,
    method: Option<Range<usize>>,
    body: Option<Range<usize>>,
    /// The repaired error, if the one in the text is invalid.
    repaired: Option<String>,
}

impl Layout {
    /// The layout of a text that the strict parser did not take.
    fn closely(text: &str) -> Result<Self, BoxedFrameError> {
        let refuse = |refusal| refuse(text.as_bytes(), refusal);
        // Serde would take a list for the members in their order.
        if text.trim_ascii_start().starts_with('[') {
            return Err(refuse(FrameError::invalid(NO_LISTS)).into());
        }
        let members = MessageMembers::of(text)
            .map_err(|error| refuse(FrameError::not_a_message(&error, text.as_bytes())))?;
        Self::of(&members, text)
    }

    fn of(members: &MessageMembers<'_>, text: &str) -> Result<Self, BoxedFrameError> {
        let refuse = |refusal| refuse(text.as_bytes(), refusal);
        let (kind, body) = members.kind().map_err(|why| {
            refuse(FrameError {
                is_answer: members.is_answer(),
                ..FrameError::invalid(why)
            })
        })?;
        let at = |part: &str| place(text, part);
        let id = match members.id {
            None => None,
            Some("null") if kind == Kind::Error => None,
            Some(id) => {
                let read = Id::of_value(id).ok_or_else(|| refuse(FrameError::invalid(BAD_ID)))?;
                Some((read, at(id)))
            }
        };
        let error = body.filter(|body| kind == Kind::Error && !is_error(body));
        let repaired = error.map(|error| {
            let repaired = repair::error(error);
            repaired.ok_or_else(|| refuse(FrameError::bad_error()))
        });
        let repaired = repaired.transpose()?;
        let (method, body) = (members.method.map(at), body.map(at));
        Ok(Self {
            kind,
            id,
            method,
            body,
            repaired,
        })
    }

    fn over(self, text: String) -> Frame {
        let Self {
            kind,
            id,
            method,
            body,
            repaired,
        } = self;
        let frame = Frame {
            text,
            kind,
            id,
            method,
            body,
            beside: None,
            original_error: None,
        };
        match repaired {
            Some(error) => frame.with_repaired_error(error),
            None => frame,
        }
    }
}

/// An error with the id of the bytes, if they have one.
fn refuse(bytes: &[u8], refusal: FrameError) -> FrameError {
    refusal.seen(&FrameScan::of(bytes))
}

/// A place in a text, and its new text.
pub type Edit = (Range<usize>, String);

/// A text with parts replaced, which are in order and do not overlap.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let more: usize = edits.iter().map(|(_, new)| new.len()).sum();
    let mut all = String::with_capacity(text.len() + more);
    let mut from = 0;
    for (at, new) in edits {
        all.push_str(&text[from..at.start]);
        all.push_str(new);
        from = at.end;
    }
    all.push_str(&text[from..]);
    all
}

/// The scan of a message that is too deep. Most messages have fewer openings than levels allowed, and are not scanned.
fn too_deep(bytes: &[u8], depth: usize) -> Option<FrameScan> {
    memchr2_iter(b'{', b'[', bytes).nth(depth)?;
    let scan = FrameScan::of(bytes);
    (scan.deepest() > depth).then_some(scan)
}

/// The place of a part that was borrowed from a text.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}
