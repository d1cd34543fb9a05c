//! The places a proxy has to change: ids, progress tokens, and what a cancellation refers to.

use std::ops::Range;

use memchr::memmem;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Frame, Id, Patch, splice};

/// A request under another id. If it asks for progress, the token becomes that id too, and the one it had is
/// returned: tokens of two clients may be equal, our ids never are.
pub(crate) fn request(frame: &Frame, id: &Id) -> (Vec<u8>, Option<Box<str>>) {
    let token = progress_token(frame);
    let mut patches = Vec::with_capacity(2);
    let at_token = token.map(|token| frame.place_of(token));
    for at in frame.id_place().into_iter().chain(at_token) {
        patches.push(Patch {
            at,
            with: id.as_json(),
        });
    }
    patches.sort_by_key(|patch| patch.at.start);
    (splice(frame.bytes(), &patches), token.map(Into::into))
}

/// An answer under another id.
pub(crate) fn answer(frame: &Frame, id: &Id) -> Vec<u8> {
    match frame.id_place() {
        Some(at) => replace(frame, at, id.as_json()),
        None => frame.bytes().to_vec(),
    }
}

/// `notifications/progress` under another token.
pub(crate) fn progress(frame: &Frame, token: &str) -> Option<Vec<u8>> {
    let at = frame.place_of(part(frame, "progressToken")?);
    Some(replace(frame, at, token))
}

/// `notifications/cancelled` for another request.
pub(crate) fn cancelled(frame: &Frame, id: &Id) -> Option<Vec<u8>> {
    let at = frame.place_of(part(frame, "requestId")?);
    Some(replace(frame, at, id.as_json()))
}

/// The token of a progress notification, as it stands there.
pub(crate) fn token_of(frame: &Frame) -> Option<&str> {
    part(frame, "progressToken")
}

/// The id a cancellation refers to.
pub(crate) fn cancelled_id(frame: &Frame) -> Option<Id> {
    Id::from_json(part(frame, "requestId")?)
}

fn replace(frame: &Frame, at: Range<usize>, with: &str) -> Vec<u8> {
    splice(frame.bytes(), &[Patch { at, with }])
}

fn progress_token(frame: &Frame) -> Option<&str> {
    let body = frame.body()?;
    // Most requests ask for none, and looking for the word is much cheaper than parsing.
    memmem::find(body.as_bytes(), b"progressToken")?;
    let params: Params<'_> = serde_json::from_str(body).ok()?;
    let meta: Members<'_> = serde_json::from_str(params.meta?.get()).ok()?;
    meta.token
        .map(RawValue::get)
        .filter(|token| *token != "null")
}

fn part<'a>(frame: &'a Frame, name: &str) -> Option<&'a str> {
    let members: Members<'_> = serde_json::from_str(frame.body()?).ok()?;
    let raw = if name == "requestId" {
        members.request
    } else {
        members.token
    };
    raw.map(RawValue::get)
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Members<'a> {
    #[serde(borrow, default, rename = "progressToken")]
    token: Option<&'a RawValue>,
    #[serde(borrow, default, rename = "requestId")]
    request: Option<&'a RawValue>,
}
