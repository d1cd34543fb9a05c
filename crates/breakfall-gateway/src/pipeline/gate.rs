//! Whether a call may be made at all. Nobody is asked yet: everything is permitted.

use breakfall::Fault;

use super::Valid;

/// A call that may be made.
#[derive(Debug)]
pub struct Permitted(Valid);

/// Lets a call through.
///
/// # Errors
/// None yet.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a gate that refuses has this shape"
)]
pub(super) fn permit(valid: Valid) -> Result<Permitted, Fault> {
    Ok(Permitted(valid))
}

impl Permitted {
    pub(super) fn into_inner(self) -> Valid {
        self.0
    }
}
