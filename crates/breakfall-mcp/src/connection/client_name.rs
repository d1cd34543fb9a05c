//! The name a client gives itself.

use crate::jsonrpc::splice::Object;

/// The name in a `clientInfo`, unless it is unusually long.
pub fn client_name(info: &str) -> Option<String> {
    let name = Object::of(info, &["name"])?.text("name")?;
    (name.len() <= MAX_NAME_BYTES).then(|| name.into_owned())
}

const MAX_NAME_BYTES: usize = 200;
