//! Bytes → a frame, or a refusal that says why and to whom.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use breakfall::{Code, LimitType};
use memchr::{memchr, memchr2, memchr2_iter};

use super::id::Id;
use super::members::{Members, is_error};
use super::mend;
use super::refusal::{BAD_ID, BoxedFrameError, FrameError, NO_LISTS, RejectedFrame};
use super::scan::FrameScan;
use super::shallow;
use super::twice::named_twice;

/// How big and how deep a message may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameLimits {
    /// Bytes of a message.
    pub size: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Which limit is told when `size` is passed.
    pub side: LimitType,
}

impl FrameLimits {
    /// Limits of one side of a connection.
    pub const fn new(size: usize, depth: usize, side: LimitType) -> Self {
        Self { size, depth, side }
    }

    /// What a client may send.
    pub const REQUEST: Self = Self {
        size: 16 << 20,
        depth: 128,
        side: LimitType::RequestSize,
    };

    /// What a server may answer.
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
    /// An object in it may have a key twice.
    may_repeat: bool,
    /// The error as it came, where it had to be written as the protocol wants it.
    unmended: Option<Box<str>>,
}

/// What a transport says about an answer, beside the answer itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransportStatus {
    /// The HTTP status it came with.
    pub status: u16,
    /// What the status means by itself.
    pub code: Code,
    /// How long to wait before the next request.
    pub wait: Option<Duration>,
}

impl TransportStatus {
    /// Whether the server failed at it, at whatever point.
    pub const fn is_failed_at(self) -> bool {
        self.status >= 500
    }

    /// Whether the request was turned away before anybody looked at it.
    pub const fn is_turned_away(self) -> bool {
        self.status == 429
    }
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the kinds of JSON-RPC")]
pub enum Kind {
    /// It has a method and an id: somebody waits.
    Request,
    /// It has a method and no id.
    Notification,
    /// The answer to a request, and a good one.
    Result,
    /// The answer to a request, and a bad one. Only this one may lack an id.
    Error,
}

impl Frame {
    /// Takes a message. `bytes` is one line or one body, without its end.
    ///
    /// # Errors
    /// When it is too big or too deep, not UTF-8, not JSON, or not a message of JSON-RPC 2.0.
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
            Ok(text) => match Members::plain(&text, limits.depth) {
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

    /// Takes a message that is not as most are, or says why not.
    #[cold]
    fn read_closely(mut bytes: Vec<u8>, limits: &FrameLimits) -> Result<Self, RejectedFrame> {
        if let Some(scan) = too_deep(&bytes, limits.depth) {
            // One tool does not take all the others away.
            let list = (limits.side == LimitType::ResponseSize)
                .then(|| shallow::list_of_tools(&bytes, limits.depth));
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

    /// A refused message of a server once more, without what it says is not there.
    #[cold]
    fn without_nulls(
        refusal: BoxedFrameError,
        text: String,
        limits: &FrameLimits,
    ) -> Result<Self, RejectedFrame> {
        let is_of_server = limits.side == LimitType::ResponseSize;
        match is_of_server.then(|| mend::without_nulls(&text)).flatten() {
            Some(text) => Self::read(text.into_bytes(), limits),
            None => Err((refusal, text.into_bytes())),
        }
    }

    /// With an error the protocol allows.
    fn mended(self, error: String) -> Self {
        let as_it_came = self.body().map(Into::into);
        let edits = self.body.clone().map(|at| (at, error));
        let mended = self.edited(edits.into_iter().collect());
        Self {
            unmended: as_it_came,
            ..mended
        }
    }

    /// The parameters, the result or the error object, as they came.
    pub fn unmended(&self) -> Option<&str> {
        self.unmended.as_deref().or_else(|| self.body())
    }

    /// An answer of our own, whose id is still to be put in. The body is JSON.
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
            may_repeat: true,
            unmended: None,
            kind,
            text,
        }
    }

    /// With what its transport says beside it.
    #[must_use]
    pub fn with(mut self, beside: Option<TransportStatus>) -> Self {
        self.beside = beside;
        self
    }

    /// What its transport says beside it.
    pub fn beside(&self) -> Option<TransportStatus> {
        self.beside
    }

    /// What it is.
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

    /// The whole message, given away.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// Writes its line breaks as spaces: they stand between the parts of a message only, never inside one.
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

    /// Where the id stands.
    pub fn id_place(&self) -> Option<Range<usize>> {
        self.id.as_ref().map(|(_, place)| place.clone())
    }

    /// The method; empty for answers. A name that is no text (half a surrogate pair) stays as it is written.
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
    pub fn named_twice(&self) -> Option<Cow<'_, str>> {
        let body = self.may_repeat.then(|| self.body()).flatten();
        body.and_then(named_twice)
    }

    /// What stands at a place that [`Self::place_of`] gave.
    pub fn part(&self, at: Range<usize>) -> &str {
        &self.text[at]
    }

    /// Where a part that was borrowed from [`Self::body`] stands in the message.
    pub fn place_of(&self, part: &str) -> Range<usize> {
        place(&self.text, part)
    }

    /// The same message with parts of its body written otherwise: JSON values for JSON values, which do not overlap.
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
        self.may_repeat = true;
        match &*edits {
            // Most have one, which takes no second copy.
            [(at, new)] => self.text.replace_range(at.clone(), new),
            _ => self.text = edited(&self.text, &edits),
        }
        self
    }
}

/// What a message is, and where its parts stand in its text.
struct Layout {
    kind: Kind,
    id: Option<(Id, Range<usize>)>,
    method: Option<Range<usize>>,
    body: Option<Range<usize>>,
    may_repeat: bool,
    /// An error the protocol allows, where the one in the text is none.
    mended: Option<String>,
}

impl Layout {
    /// That of a text which is not as most are.
    fn closely(text: &str) -> Result<Self, BoxedFrameError> {
        let refuse = |refusal| refuse(text.as_bytes(), refusal);
        // A list would pass for the members in their order.
        if text.trim_ascii_start().starts_with('[') {
            return Err(refuse(FrameError::invalid(NO_LISTS)).into());
        }
        let members = Members::of(text)
            .map_err(|error| refuse(FrameError::not_a_message(&error, text.as_bytes())))?;
        Self::of(&members, text)
    }

    fn of(members: &Members<'_>, text: &str) -> Result<Self, BoxedFrameError> {
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
        let mended = error.map(|error| {
            let mended = mend::error(error);
            mended.ok_or_else(|| refuse(FrameError::bad_error()))
        });
        let mended = mended.transpose()?;
        let (method, body) = (members.method.map(at), body.map(at));
        Ok(Self {
            kind,
            id,
            method,
            body,
            may_repeat: members.may_repeat,
            mended,
        })
    }

    fn over(self, text: String) -> Frame {
        let Self {
            kind,
            id,
            method,
            body,
            may_repeat,
            mended,
        } = self;
        let frame = Frame {
            text,
            kind,
            id,
            method,
            body,
            beside: None,
            may_repeat,
            unmended: None,
        };
        match mended {
            Some(error) => frame.mended(error),
            None => frame,
        }
    }
}

/// A refusal with whatever can be made out of what is refused.
fn refuse(bytes: &[u8], refusal: FrameError) -> FrameError {
    refusal.seen(&FrameScan::of(bytes))
}

/// A place in a text, and what is to stand there.
pub type Edit = (Range<usize>, String);

/// A text with parts written otherwise, which are in order and do not overlap.
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

/// Looks closer only if there are more openings than levels allowed: most messages have fewer.
fn too_deep(bytes: &[u8], depth: usize) -> Option<FrameScan> {
    memchr2_iter(b'{', b'[', bytes).nth(depth)?;
    let scan = FrameScan::of(bytes);
    (scan.deepest() > depth).then_some(scan)
}

/// Where a part borrowed from a text stands in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}
