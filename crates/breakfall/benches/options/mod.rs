//! Options that always give the same bytes.

use breakfall::wire::Options;
use breakfall::{CorrelationId, Stamp};

pub(crate) fn fixed() -> Options {
    let id = CorrelationId::new("018f2b5e-7c41-7d9a-9f0e-6a1c2b3d4e5f").expect("visible ASCII");
    let at = "2026-03-01T12:00:00Z".parse().expect("a timestamp");
    Options::new().stamp(Stamp::Fixed(id, at))
}
