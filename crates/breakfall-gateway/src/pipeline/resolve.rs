//! Which tool a call means.

use super::{Call, Life, Pipeline, Stop};

/// A call of a tool that is known, or may be there all the same.
#[derive(Debug)]
pub struct Resolved {
    call: Call,
}

impl Pipeline {
    /// Finds the tool.
    #[expect(clippy::unused_async, reason = "a server may have to be asked")]
    pub(super) async fn resolve(&self, call: Call, _: &mut Life) -> Result<Resolved, Stop> {
        Ok(Resolved { call })
    }
}

impl Resolved {
    pub(super) fn into_inner(self) -> Call {
        self.call
    }
}
