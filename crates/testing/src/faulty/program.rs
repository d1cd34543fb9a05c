//! Where the built server is.

use std::path::PathBuf;

/// The `fault-server` that was built beside the running test.
///
/// # Panics
/// When there is none: a build of another package alone does not make it.
pub fn program() -> PathBuf {
    crate::built::program("fault-server", "testing")
}
