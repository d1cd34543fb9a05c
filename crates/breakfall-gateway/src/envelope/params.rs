//! What a proxy wants to know of parameters, in one look at them.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Frame, Id, may_mention};

/// What the parameters of a request say that matters on the way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Params {
    /// Where the progress token stands, and what it is.
    pub(crate) token: Option<(Range<usize>, Id)>,
    /// The name of a tool or prompt.
    pub(crate) name: Option<Box<str>>,
    /// The client speaks the protocol of 2026-07-28 or later: it says its version in every request.
    pub(crate) is_modern: bool,
    /// It is to be done in the background, and answered with a task.
    pub(crate) is_task: bool,
    /// Where the arguments stand.
    pub(crate) arguments: Option<Range<usize>>,
    /// Where `_meta` stands.
    pub(crate) meta: Option<Range<usize>>,
    /// It brings what the server has asked for, and a server takes that once.
    pub(crate) has_input: bool,
}

impl Params {
    pub(crate) fn of(frame: &Frame) -> Self {
        let Some(all) = frame.body().and_then(object::<All<'_>>) else {
            return Self::default();
        };
        let place = |raw: &RawValue| frame.place_of(raw.get());
        let places = (all.arguments.map(place), all.meta.map(place));
        let meta = all.meta.and_then(|meta| object::<Meta<'_>>(meta.get()));
        let meta = meta.unwrap_or_default();
        Self {
            arguments: places.0,
            meta: places.1,
            has_input: all.input.is_some(),
            token: meta.token.and_then(|token| place_and_id(frame, token)),
            name: all.name.and_then(text).map(Into::into),
            is_modern: meta.version.is_some(),
            is_task: all.task.is_some_and(|task| task.get().starts_with('{')),
        }
    }
}

/// The token of `notifications/progress`.
pub(crate) fn progress_token(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let params: Progress<'_> = object(frame.body()?)?;
    place_and_id(frame, params.token?)
}

/// The id `notifications/cancelled` refers to.
pub(crate) fn cancelled_id(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let params: Cancelled<'_> = object(frame.body()?)?;
    place_and_id(frame, params.request?)
}

/// The subscription a notification, or the end of a subscription, belongs to: the id of the request that made it.
pub(crate) fn subscription_id(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let body = frame.body()?;
    // Hardly any message has one, and looking for the words is much cheaper than parsing.
    if !may_mention(body.as_bytes(), "/subscriptionId") {
        return None;
    }
    let meta: Meta<'_> = object(object::<All<'_>>(body)?.meta?.get())?;
    place_and_id(frame, meta.subscription?)
}

fn place_and_id(frame: &Frame, raw: &RawValue) -> Option<(Range<usize>, Id)> {
    Some((frame.place_of(raw.get()), Id::from_json(raw.get())?))
}

fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str(raw.get()).ok()
}

/// The members of an object. A list would pass for them in their order.
pub(crate) fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let is_object = text.starts_with('{');
    is_object.then(|| serde_json::from_str(text).ok()).flatten()
}

#[derive(Deserialize)]
struct All<'a> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(borrow, default)]
    name: Option<&'a RawValue>,
    #[serde(borrow, default)]
    task: Option<&'a RawValue>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "inputResponses")]
    input: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
struct Meta<'a> {
    #[serde(borrow, default, rename = "progressToken")]
    token: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "io.modelcontextprotocol/subscriptionId")]
    subscription: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Progress<'a> {
    #[serde(borrow, default, rename = "progressToken")]
    token: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Cancelled<'a> {
    #[serde(borrow, default, rename = "requestId")]
    request: Option<&'a RawValue>,
}
