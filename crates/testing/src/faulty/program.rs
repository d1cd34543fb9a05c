//! Where the built server is.
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

use std::path::PathBuf;

/// The `fault-server` that was built beside the running test.
///
/// # Panics
/// When there is none: a build of another package alone does not make it.
pub fn program() -> PathBuf {
    let test = std::env::current_exe().expect("a running program has a path");
    // target/PROFILE/deps/TEST → target/PROFILE/fault-server
    let folder = test.ancestors().nth(2).expect("tests lie in deps/");
    let program = folder.join("fault-server");
    if !program.exists() {
        let wanted = program.display();
        panic!("{wanted} is missing; cargo build -p testing --bins makes it");
    }
    program
}
