//! Stage 4: may this principal make this call?

use super::{CallContext, CallError, Pipeline, Valid};

/// A call that may be made.
#[derive(Debug)]
pub struct Permitted(Valid);

impl Pipeline {
    /// Decides whether the call may be made. A gate goes here: it sees the call and its principal in the context, waits for what
    /// it needs, and keeps its state in [`crate::resilience::registry`]. Wire-only calls pass it too.
    ///
    /// # Errors
    /// None yet: every call is permitted.
    #[expect(
        clippy::unused_async,
        reason = "the shape of a gate that asks a user or a store"
    )]
    pub async fn permit(
        &self,
        valid: Valid,
        _context: &mut CallContext,
    ) -> Result<Permitted, CallError> {
        Ok(Permitted(valid))
    }
}

impl Permitted {
    pub(super) fn into_inner(self) -> Valid {
        self.0
    }
}
