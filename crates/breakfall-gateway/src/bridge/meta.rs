//! The keys of `_meta` that every modern request carries.

use super::splice::{Object, ObjectEdit};
use breakfall_mcp::protocol::meta::{
    CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, PROTOCOL_VERSION,
};

pub(super) const META: &str = "_meta";
/// All keys of a modern request.
pub(super) const OF_REQUESTS: [&str; 4] = [
    PROTOCOL_VERSION,
    CLIENT_INFO,
    CLIENT_CAPABILITIES,
    LOG_LEVEL,
];

/// A body with another `_meta`. One that is not an object violates the protocol, and is replaced.
pub(super) fn with_meta(
    body: Option<&str>,
    names: &[&'static str],
    change: impl FnOnce(ObjectEdit<'_>) -> ObjectEdit<'_>,
) -> String {
    let body = body.and_then(|body| Object::of(body, &[META]));
    let body = body.unwrap_or_else(empty);
    let meta = body.get(META).and_then(|meta| Object::of(meta, names));
    let meta = change(meta.unwrap_or_else(empty).edit()).write();
    if is_empty(&meta) {
        return body.edit().drop(META).write();
    }
    body.edit().put(META, meta).write()
}

fn is_empty(object: &str) -> bool {
    object
        .trim_matches(['{', '}', ' ', '\t', '\n', '\r'])
        .is_empty()
}

fn empty<'a>() -> Object<'a> {
    Object::of("{}", &[]).expect("an object")
}
