//! Whether there is room for a call now.

use super::{Call, Life, Permitted, Stop};

/// A call that may be passed on.
#[derive(Debug)]
pub struct Admitted {
    call: Call,
}

/// Waits for room, if there is to be any.
#[expect(clippy::unused_async, reason = "there may be a queue")]
pub(super) async fn admit(permitted: Permitted, _: &mut Life) -> Result<Admitted, Stop> {
    Ok(Admitted {
        call: permitted.into_inner().into_inner(),
    })
}

impl Admitted {
    pub(super) fn into_inner(self) -> Call {
        self.call
    }
}
