//! The order of the modules: foundations first, and each imports only those above it.

use std::path::Path;

#[test]
fn modules_import_only_those_above_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut upward = testing::module_order::upward_imports(&src);
    upward.retain(|import| !KNOWN.iter().any(|known| import.starts_with(known)));
    assert_eq!(upward, [""; 0]);
}

/// Imports that still point up.
const KNOWN: [&str; 1] = ["upstream -> pipeline:"];
