//! The order of the modules: foundations first, and each imports only those above it.

use std::path::Path;

#[test]
fn modules_import_only_those_above_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    assert_eq!(testing::module_order::upward_imports(&src), [""; 0]);
}
