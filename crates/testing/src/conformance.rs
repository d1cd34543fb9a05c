//! The official conformance suite, run against a server, and the server that has all it asks for.
//!
//! `./check tools` installs the suite in pinned versions under `target/tools/conformance`. Without it a test fails
//! and says so; it never skips. The server is the binary of the package `conformance-server`.
//!
//! ```no_run
//! use testing::conformance::{Server, Suite, run};
//!
//! let server = Server::http(&[]);
//! let report = run(server.url(), Suite::Modern);
//! assert_eq!(report.failures(), [""; 0]);
//! ```
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

mod report;
mod server;
mod tour;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use report::{Check, Report, Status};
pub use server::{Server, program};
pub use tour::{surprises, tour};

/// A version of the suite, with what it requires of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
pub enum Suite {
    /// 0.1.16, the released one: what it runs by default, at 2025-11-25.
    Released,
    /// 0.2.0-alpha.12, the requirements of 2025-11-25. Every message is held against the schema, too.
    Legacy,
    /// 0.2.0-alpha.12, the requirements of 2026-07-28.
    Modern,
}

impl Suite {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Released, Self::Legacy, Self::Modern];

    /// The name it is installed under, and what to ask of it.
    fn parts(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Released => ("conformance-released", &[]),
            Self::Legacy => ("conformance-next", &["--requirements", "2025-11-25"]),
            Self::Modern => ("conformance-next", &["--requirements", "2026-07-28"]),
        }
    }
}

/// Runs the suite against the server at that address.
///
/// # Panics
/// When the suite is not installed, or does not run. A server that fails is a report, even one that is not there.
pub fn run(url: &str, suite: Suite) -> Report {
    let (package, requirements) = suite.parts();
    let place = place();
    let script = place
        .join("node_modules")
        .join(package)
        .join("dist/index.js");
    let results = Results::fresh(&place);
    let output = Command::new(node(&place))
        .arg(script)
        .args(["server", "--url", url, "--output-dir"])
        .arg(&results.0)
        .args(requirements)
        .output()
        .unwrap_or_else(|error| panic!("the suite does not start: {error}"));
    let report = Report::read(&results.0);
    // Its exit code says whether the server passed, so only the files can say whether it ran.
    if report.scenarios.is_empty() {
        let told = String::from_utf8_lossy(&output.stderr);
        panic!("{suite:?} ran nothing ({}): {told}", output.status);
    }
    report
}

/// Where the suite is installed.
pub(crate) fn place() -> PathBuf {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/conformance");
    assert!(
        place.join("installed").exists(),
        "the conformance suite is not installed; run ./check tools"
    );
    place
}

/// The Node that was installed with the suite, which the system's may be too old for; or else the system's, where
/// npm has none for the machine.
pub(crate) fn node(place: &Path) -> PathBuf {
    let installed = ["linux-x64", "linux-arm64", "darwin-x64"]
        .map(|machine| place.join(format!("node_modules/node-{machine}/bin/node")));
    let mut installed = installed.into_iter().filter(|node| node.exists());
    installed.next().unwrap_or_else(|| "node".into())
}

/// A folder for the files of one run. It goes with the value.
struct Results(PathBuf);

impl Results {
    /// Tests run side by side, in one process or in many.
    fn fresh(place: &Path) -> Self {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let run = RUNS.fetch_add(1, Ordering::Relaxed);
        let folder = place.join(format!("results/{}-{run}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("target/ can be written");
        Self(folder)
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        // What stays is only in the way, and only below target/.
        let _stays = std::fs::remove_dir_all(&self.0);
    }
}
