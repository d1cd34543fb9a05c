//! Shorthand for the keys of `details`, so that a row's list reads as one line per key.

use crate::code::{Detail, Shape};

/// A key that every fault of the code has.
pub(super) const fn need(name: &'static str, shape: Shape, about: &'static str) -> Detail {
    Detail {
        name,
        shape,
        required: true,
        about,
    }
}

/// A key that a fault of the code may have.
pub(super) const fn may(name: &'static str, shape: Shape, about: &'static str) -> Detail {
    Detail {
        name,
        shape,
        required: false,
        about,
    }
}
