//! What `?` makes of a foreign failure. Whose doing a missing file or an unreadable number is, the error does not know; so
//! it is this server's, with the error as the private cause. A failure becomes the caller's by name: by
//! [`ResultExt::or_fault`](crate::ResultExt::or_fault), or a function of [`classify`](crate::classify).

use crate::code::{Category, Origin};
use crate::fault::Fault;

/// The classified failure if its category is among those to keep, or else an internal error in its place. It is never the
/// caller's doing.
pub(super) fn unless_in(kept: &[Category], classified: Fault) -> Fault {
    let public = classified.public();
    if kept.contains(&classified.category()) {
        return match public.origin() {
            Origin::Caller => classified.origin(Origin::Upstream),
            Origin::Gateway | Origin::Upstream | Origin::Tool => classified,
        };
    }
    let mut fault = Fault::internal();
    if let Some(provenance) = public.provenance() {
        fault = fault.provenance(provenance.clone());
    }
    if let Some(status) = public.http_status() {
        fault = fault.http_status(status);
    }
    fault.in_place_of(classified)
}

/// What an error of the operating system or of reading data tells for certain: the other side was not there.
pub(super) const OF_DATA: &[Category] = &[Category::Unavailable];

/// What a call of another service tells for certain: the rest, such as its 401 or 404, answers this server's own request.
pub(super) const OF_A_SERVICE: &[Category] = &[
    Category::Unavailable,
    Category::RateLimit,
    Category::Internal,
];
