//! Where the built server is.

use std::path::PathBuf;

/// The `fault-server` that was built beside the running test.
///
/// # Panics
/// When it is not built: building another package alone does not build it.
pub fn program() -> PathBuf {
    crate::built::program("fault-server", "testing")
}
