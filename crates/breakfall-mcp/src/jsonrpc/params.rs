//! The parameters a proxy needs, parsed in one pass.

use std::ops::Range;

use serde::Deserialize;

use super::cursor::Cursor;
use super::splice::text;
use super::{Frame, Id, may_contain};
use crate::protocol::meta;

/// The parameters of a request that a proxy needs.
#[derive(Debug, Clone, Default)]
pub struct RequestParams {
    /// The progress token, and its place.
    pub token: Option<(Range<usize>, Id)>,
    /// The name of a tool or prompt.
    pub name: Option<Box<str>>,
    /// Whether the client speaks the protocol of 2026-07-28 or later, which has the version in every request.
    pub is_modern: bool,
    /// Whether it is to be answered with a task.
    pub is_task: bool,
    /// The place of the arguments.
    pub arguments: Option<Range<usize>>,
    /// The place of `_meta`.
    pub meta: Option<Range<usize>>,
    /// Whether it has answers to questions of the server, which takes them once.
    pub has_input: bool,
}

impl RequestParams {
    /// Reads the parameters of a request.
    /// The parameters of a request.
    pub fn of(frame: &Frame) -> Self {
        let names = ["_meta", "name", "task", "arguments", "inputResponses"];
        let Some([request_meta, name, task, arguments, input]) =
            frame.body().and_then(|b| values(b, names))
        else {
            return Self::default();
        };
        let place = |value: &str| frame.place_of(value);
        let names = [meta::PROGRESS_TOKEN, meta::PROTOCOL_VERSION];
        let [token, version] = request_meta
            .and_then(|meta| values(meta, names))
            .unwrap_or_default();
        Self {
            arguments: arguments.map(place),
            meta: request_meta.map(place),
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
    let [token] = values(frame.body()?, [meta::PROGRESS_TOKEN])?;
    place_and_id(frame, token?)
}

/// The id `notifications/cancelled` refers to.
pub fn cancelled_id(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let [request] = values(frame.body()?, ["requestId"])?;
    place_and_id(frame, request?)
}

/// The subscription that a notification or the end of a subscription belongs to: the id of the request that began it.
pub fn subscription_id(frame: &Frame) -> Option<(Range<usize>, Id)> {
    let body = frame.body()?;
    // Hardly any message has one, and a search is much cheaper than parsing.
    if !may_contain(body.as_bytes(), "/subscriptionId") {
        return None;
    }
    let [own_meta] = values(body, ["_meta"])?;
    let [subscription] = values(own_meta?, [meta::SUBSCRIPTION_ID])?;
    place_and_id(frame, subscription?)
}

/// The values of some members of an object of valid JSON, as they are written; `null` counts as absent. `None` if it is not an
/// object, or has one of them twice.
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

/// Deserializes an object. Without the check serde would also take a list, in the order of the members.
pub fn object<'a, T: Deserialize<'a>>(text: &'a str) -> Option<T> {
    let is_object = text.starts_with('{');
    is_object.then(|| serde_json::from_str(text).ok()).flatten()
}
