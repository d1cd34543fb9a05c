//! Bytes → a frame, or a refusal that says why and to whom.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use breakfall::wire::Rpc;
use breakfall::{Code, Fault, LimitType};
use memchr::{memchr2, memchr2_iter, memmem};

use super::id::Id;
use super::members::{Members, is_error};
use super::mend;
use super::scan::Scan;
use super::shallow;

/// How big and how deep a message may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a message.
    pub size: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Which limit is told when `size` is passed.
    pub side: LimitType,
}

impl Limits {
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
    beside: Option<Beside>,
    /// The error as it came, where it had to be written as the protocol wants it.
    unmended: Option<Box<str>>,
}

/// What a transport says about an answer, beside the answer itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Beside {
    /// The HTTP status it came with.
    pub(crate) status: u16,
    /// What the status means by itself.
    pub(crate) code: Code,
    /// How long to wait before the next request.
    pub(crate) wait: Option<Duration>,
}

impl Beside {
    /// Whether the server failed at it, at whatever point.
    pub(crate) const fn is_failed_at(self) -> bool {
        self.status >= 500
    }

    /// Whether the request was turned away before anybody looked at it.
    pub(crate) const fn is_turned_away(self) -> bool {
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

/// Why a message was not taken.
#[derive(Debug)]
#[non_exhaustive]
pub struct Refusal {
    /// The code of the protocol that fits.
    pub rpc: Rpc,
    /// What is wrong.
    pub fault: Fault,
    /// The sender's id, wherever it could be read.
    pub id: Option<Id>,
    /// It was meant as an answer, so its id is one of ours and not one of its sender's.
    pub is_answer: bool,
    /// It has a method, so it is no answer, and its id is its sender's own.
    pub has_method: bool,
    /// It plainly was meant as a message, and is more than something with an id in it.
    pub(crate) is_meant: bool,
    /// What it goes beyond.
    pub(crate) beyond: Option<Beyond>,
}

/// A limit that something passes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beyond {
    limit: LimitType,
    value: u64,
    actual: u64,
}

impl Beyond {
    /// Which limit, and where it is set.
    pub(crate) fn words(self) -> String {
        let Self {
            limit,
            value,
            actual,
        } = self;
        let (unit, setting) = (limit.unit(), setting_of(limit));
        format!("{actual} {unit}, and `{setting}` of the gateway allows {value}")
    }
}

/// A refusal, kept off the good path.
pub type Failure = Box<Refusal>;

/// A refusal, and what is refused.
pub(crate) type Unread = (Failure, Vec<u8>);

impl Frame {
    /// Takes a message. `bytes` is one line or one body, without its end.
    ///
    /// # Errors
    /// When it is too big or too deep, not UTF-8, not JSON, or not a message of JSON-RPC 2.0.
    pub fn parse(bytes: Vec<u8>, limits: &Limits) -> Result<Self, Failure> {
        Self::read(bytes, limits).map_err(|(refusal, _)| refusal)
    }

    /// The same, and what is no message is given back.
    pub(crate) fn read(bytes: Vec<u8>, limits: &Limits) -> Result<Self, Unread> {
        if bytes.len() > limits.size {
            let refusal = Refusal::too_big(&Scan::of(&bytes), bytes.len(), limits);
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
    fn read_closely(mut bytes: Vec<u8>, limits: &Limits) -> Result<Self, Unread> {
        if let Some(scan) = too_deep(&bytes, limits.depth) {
            // One tool does not take all the others away.
            let list = (limits.side == LimitType::ResponseSize)
                .then(|| shallow::list_of_tools(&bytes, limits.depth));
            match list.flatten() {
                Some(list) => bytes = list,
                None => return Err((Refusal::too_deep(&scan, limits).into(), bytes)),
            }
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let refusal = Refusal::not_utf8(error.utf8_error().valid_up_to());
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
    fn without_nulls(refusal: Failure, text: String, limits: &Limits) -> Result<Self, Unread> {
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
    pub(crate) fn unmended(&self) -> Option<&str> {
        self.unmended.as_deref().or_else(|| self.body())
    }

    /// An answer of our own, whose id is still to be put in. The body is JSON.
    pub(crate) fn answering(kind: Kind, body: &str) -> Self {
        let name = if kind == Kind::Error {
            "error"
        } else {
            "result"
        };
        let text = format!(r#"{{"jsonrpc":"2.0","id":0,"{name}":{body}}}"#);
        debug_assert!(
            Self::parse(text.clone().into_bytes(), &Limits::RESPONSE).is_ok(),
            "{text}"
        );
        let end = text.len() - 1;
        let id = r#"{"jsonrpc":"2.0","id":"#.len();
        Self {
            id: Some((Id::number(0), id..id + 1)),
            method: None,
            body: Some(end - body.len()..end),
            beside: None,
            unmended: None,
            kind,
            text,
        }
    }

    /// With what its transport says beside it.
    pub(crate) fn with(mut self, beside: Option<Beside>) -> Self {
        self.beside = beside;
        self
    }

    /// What its transport says beside it.
    pub(crate) fn beside(&self) -> Option<Beside> {
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

    /// The whole message, given away.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }

    /// Writes its line breaks as spaces: they stand between the parts of a message only, never inside one.
    pub(crate) fn put_on_one_line(&mut self) {
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
        if plain.contains('\\') {
            serde_json::from_str(quoted).map_or(Cow::Borrowed(plain), Cow::Owned)
        } else {
            Cow::Borrowed(plain)
        }
    }

    /// The parameters, the result or the error object.
    pub fn body(&self) -> Option<&str> {
        self.body.clone().map(|place| &self.text[place])
    }

    /// What stands at a place that [`Self::place_of`] gave.
    pub(crate) fn part(&self, at: Range<usize>) -> &str {
        &self.text[at]
    }

    /// Where a part that was borrowed from [`Self::body`] stands in the message.
    pub fn place_of(&self, part: &str) -> Range<usize> {
        place(&self.text, part)
    }

    /// The same message with parts of its body written otherwise: JSON values for JSON values, which do not overlap.
    pub(crate) fn edited(mut self, mut edits: Vec<Edit>) -> Self {
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
    /// An error the protocol allows, where the one in the text is none.
    mended: Option<String>,
}

impl Layout {
    /// That of a text which is not as most are.
    fn closely(text: &str) -> Result<Self, Failure> {
        let refuse = |refusal| refuse(text.as_bytes(), refusal);
        // A list would pass for the members in their order.
        if text.trim_ascii_start().starts_with('[') {
            return Err(refuse(Refusal::invalid(NO_LISTS)).into());
        }
        let members = Members::of(text)
            .map_err(|error| refuse(Refusal::not_a_message(&error, text.as_bytes())))?;
        Self::of(&members, text)
    }

    fn of(members: &Members<'_>, text: &str) -> Result<Self, Failure> {
        let refuse = |refusal| refuse(text.as_bytes(), refusal);
        let (kind, body) = members.kind().map_err(|why| {
            refuse(Refusal {
                is_answer: members.is_answer(),
                ..Refusal::invalid(why)
            })
        })?;
        let at = |part: &str| place(text, part);
        let id = match members.id {
            None => None,
            Some("null") if kind == Kind::Error => None,
            Some(id) => {
                let read = Id::of_value(id).ok_or_else(|| refuse(Refusal::invalid(BAD_ID)))?;
                Some((read, at(id)))
            }
        };
        let error = body.filter(|body| kind == Kind::Error && !is_error(body));
        let mended = error.map(|error| {
            let mended = mend::error(error);
            mended.ok_or_else(|| refuse(Refusal::bad_error()))
        });
        let mended = mended.transpose()?;
        let (method, body) = (members.method.map(at), body.map(at));
        Ok(Self {
            kind,
            id,
            method,
            body,
            mended,
        })
    }

    fn over(self, text: String) -> Frame {
        let Self {
            kind,
            id,
            method,
            body,
            mended,
        } = self;
        let frame = Frame {
            text,
            kind,
            id,
            method,
            body,
            beside: None,
            unmended: None,
        };
        match mended {
            Some(error) => frame.mended(error),
            None => frame,
        }
    }
}

/// A refusal with whatever can be made out of what is refused.
fn refuse(bytes: &[u8], refusal: Refusal) -> Refusal {
    refusal.seen(&Scan::of(bytes))
}

/// A place in a text, and what is to stand there.
pub(crate) type Edit = (Range<usize>, String);

/// A text with parts written otherwise, which are in order and do not overlap.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> String {
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
fn too_deep(bytes: &[u8], depth: usize) -> Option<Scan> {
    memchr2_iter(b'{', b'[', bytes).nth(depth)?;
    let scan = Scan::of(bytes);
    (scan.deepest() > depth).then_some(scan)
}

/// Where a part borrowed from a text stands in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// What many libraries write for numbers that are none, if it stands around a column.
fn no_number(bytes: &[u8], column: usize) -> Option<&'static str> {
    let around = bytes.get(column.saturating_sub(3)..)?;
    let around = &around[..around.len().min(12)];
    let names = ["NaN", "Infinity"];
    let is_there = |name: &&str| memmem::find(around, name.as_bytes()).is_some();
    names.into_iter().find(is_there)
}

/// Where a limit of messages is set.
const fn setting_of(limit: LimitType) -> &'static str {
    match limit {
        LimitType::NestingDepth => "limits.depth",
        LimitType::ResponseSize => "limits.response",
        LimitType::RequestSize | LimitType::StringLength | LimitType::ArrayElements => {
            "limits.request"
        }
    }
}

const NO_LISTS: &str =
    "a message is one JSON object; send several one by one, each on a line of its own";

const BAD_ID: &str = "`id` must be a string or an integer of at most 1024 bytes";

impl Refusal {
    fn new(rpc: Rpc, fault: Fault) -> Self {
        Self {
            rpc,
            fault,
            id: None,
            is_answer: false,
            has_method: false,
            is_meant: false,
            beyond: None,
        }
    }

    /// With what a look at the message could make out.
    fn seen(self, scan: &Scan) -> Self {
        Self {
            id: scan.id().cloned(),
            has_method: scan.has_method(),
            is_meant: scan.is_meant(),
            ..self
        }
    }

    /// A message whose bytes were not kept.
    pub(crate) fn too_big(scan: &Scan, size: usize, limits: &Limits) -> Self {
        let (limit, actual) = (limits.size as u64, size as u64);
        Self::beyond(limits.side, limit, actual).seen(scan)
    }

    fn too_deep(scan: &Scan, limits: &Limits) -> Self {
        let (limit, actual) = (limits.depth as u64, scan.deepest() as u64);
        Self::beyond(LimitType::NestingDepth, limit, actual).seen(scan)
    }

    fn beyond(limit: LimitType, value: u64, actual: u64) -> Self {
        let (unit, setting) = (limit.unit(), setting_of(limit));
        let fault = Fault::payload_too_large(limit, value, actual).remediation(format!(
            "Ask for less or send less: stay within {value} {unit} (`{setting}` of the gateway)."
        ));
        Self {
            beyond: Some(Beyond {
                limit,
                value,
                actual,
            }),
            ..Self::new(Rpc::InvalidRequest, fault)
        }
    }

    fn not_utf8(offset: usize) -> Self {
        let fault = Fault::invalid_encoding("message", offset as u64);
        Self::new(Rpc::ParseError, fault)
    }

    /// Not JSON at all, or JSON of another shape: serde tells them apart.
    fn not_a_message(error: &serde_json::Error, bytes: &[u8]) -> Self {
        if error.is_data() {
            return Self::invalid(if error.to_string().starts_with("duplicate field") {
                "a member of the message stands there twice"
            } else {
                "a message is one JSON object"
            });
        }
        let what = match no_number(bytes, error.column()) {
            Some(name) => format!("The message is not JSON, which has no {name}"),
            None => "The message is not JSON".to_owned(),
        };
        let fault = Fault::invalid(what)
            .detail("column", error.column())
            .remediation("Send one JSON object on a line of its own, with nothing else on it.");
        Self::new(Rpc::ParseError, fault)
    }

    /// An answer that says nothing about what failed.
    fn bad_error() -> Self {
        Self {
            is_answer: true,
            ..Self::invalid("`error` must have a whole number as `code` and a text as `message`")
        }
    }

    fn invalid(why: &'static str) -> Self {
        let fault = Fault::invalid(format!("The message is not a JSON-RPC 2.0 message: {why}"))
            .remediation("Correct the message; the method was not called.");
        Self::new(Rpc::InvalidRequest, fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_have_are_named() {
        for (line, name) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}"#, "no NaN"),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"x":-Infinity}}"#,
                "no Infinity",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"x":"NaN","y":]}}"#,
                "is not JSON",
            ),
        ] {
            let refusal = Frame::parse(line.into(), &Limits::RESPONSE).expect_err(line);
            let words = refusal.fault.public().message().into_owned();
            assert!(words.ends_with(name), "{words}");
        }
    }
}
