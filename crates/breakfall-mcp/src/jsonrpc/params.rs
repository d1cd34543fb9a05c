//! What a proxy wants to know of parameters, in one look at them.

use std::ops::Range;

use serde::Deserialize;

use super::cursor::Cursor;
use super::splice::text;
use super::{Frame, Id, may_mention};

/// What the parameters of a request say that matters on the way.
#[derive(Debug, Clone, Default)]
pub struct RequestParams {
    /// Where the progress token stands, and what it is.
    pub token: Option<(Range<usize>, Id)>,
    /// The name of a tool or prompt.
    pub name: Option<Box<str>>,
    /// The client speaks the protocol of 2026-07-28 or later: it says its version in every request.
    pub is_modern: bool,
    /// It is to be done in the background, and answered with a task.
    pub is_task: bool,
    /// Where the arguments stand.
    pub arguments: Option<Range<usize>>,
    /// Where `_meta` stands.
    pub meta: Option<Range<usize>>,
    /// It brings what the server has asked for, and a server takes that once.
    pub has_input: bool,
}

impl RequestParams {
    /// Reads the parameters of a request.
    pub fn of(frame: &Frame) -> Self {
        let names = ["_meta", "name", "task", "arguments", "inputResponses"];
        let Some([meta, name, task, arguments, input]) =
            frame.body().and_then(|b| values(b, names))
        else {
            return Self::default();
        };
        let place = |value: &str| frame.place_of(value);
        let names = [TOKEN, "io.modelcontextprotocol/protocolVersion"];
        let [token, version] = meta
            .and_then(|meta| values(meta, names))
            .unwrap_or_default();
        Self {
            arguments: arguments.map(place),
            meta: meta.map(place),
            has_input: input.is_some(),
            token: token.and_then(|token| place_and_id(frame, token)),
            name: name.and_then(text).map(Into::into),
            is_modern: version.is_some(),
            is_task: task.is_some_and(|task| task.starts_with('{')),
        }
    }
}

/// The token of `notifications/progress`.
pub fn progress_token(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let [token] = values(frame.body()?, [TOKEN])?;
    place_and_id(frame, token?)
}

/// The id `notifications/cancelled` refers to.
pub fn cancelled_id(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let [request] = values(frame.body()?, ["requestId"])?;
    place_and_id(frame, request?)
}

/// The subscription a notification, or the end of a subscription, belongs to: the id of the request that made it.
pub fn subscription_id(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let body = frame.body()?;
    // Hardly any message has one, and looking for the words is much cheaper than parsing.
    if !may_mention(body.as_bytes(), "/subscriptionId") {
        return None;
    }
    let [meta] = values(body, ["_meta"])?;
    let [subscription] = values(meta?, ["io.modelcontextprotocol/subscriptionId"])?;
    place_and_id(frame, subscription?)
}

const TOKEN: &str = "progressToken";

/// The values of some members of an object that is known to be JSON, as they are written; `null` is as good as none.
/// Nothing if it is no object, or has one of them twice.
fn values<'a, const N: usize>(json: &'a str, names: [&str; N]) -> Option<[Option<&'a str>; N]> {
    let mut found = [None; N];
    Cursor::new(json).object(|cursor, key| {
        let value = cursor.skip()?;
        match names.iter().position(|name| *name == key) {
            Some(at) => found[at].replace(value).is_none().then_some(()),
            None => Some(()),
        }
    })?;
    Some(found.map(|value| value.filter(|value| *value != "null")))
}

fn place_and_id(frame: &Frame, value: &str) -> Option<(Range<usize>, Id)> {
    Some((frame.place_of(value), Id::of_value(value)?))
}

/// The members of an object. A list would pass for them in their order.
pub fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let is_object = text.starts_with('{');
    is_object.then(|| serde_json::from_str(text).ok()).flatten()
}
