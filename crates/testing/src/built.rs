//! Programs of the workspace that were built beside the running test.
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

use std::path::PathBuf;

/// The program of that name, which is of that package.
///
/// # Panics
/// When it is not built: building another package alone does not build it.
pub fn program(name: &str, package: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a running program has a path");
    // target/PROFILE/deps/TEST → target/PROFILE/NAME
    let folder = test.ancestors().nth(2).expect("tests lie in deps/");
    let program = folder.join(name);
    if !program.exists() {
        let wanted = program.display();
        panic!("{wanted} is missing; cargo build -p {package} --bins makes it");
    }
    program
}
