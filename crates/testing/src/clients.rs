//! Real MCP clients: the official SDKs, each driven by a script, one process for each job.
//!
//! `./check tools` installs them in pinned versions under `target/tools/clients`. Without them a test fails and says
//! so; it never skips.
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An official client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
pub enum Client {
    /// The first generation of the Python SDK.
    Python1,
    /// The second generation of the Python SDK.
    Python2,
    /// The first generation of the TypeScript SDK, which most clients are built on.
    TypeScript1,
    /// The second generation of the TypeScript SDK.
    TypeScript2,
}

/// Which of the protocol's two eras a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
pub enum Era {
    /// Up to 2025-11-25: a handshake first.
    Legacy,
    /// From 2026-07-28 on: every request for itself.
    Modern,
}

/// A call to make.
#[derive(Debug, Serialize)]
struct Call<'a> {
    tool: &'a str,
    arguments: &'a Value,
}

#[derive(Debug, Serialize)]
struct Job<'a> {
    command: &'a [&'a str],
    era: Era,
    #[serde(flatten)]
    work: Work<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Work<'a> {
    Calls(Vec<Call<'a>>),
    Steps(&'a [Step]),
}

/// Something a client does.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "do", rename_all = "lowercase")]
#[expect(missing_docs, reason = "the methods of the protocol, by their names")]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
pub enum Step {
    Tools,
    Call {
        tool: String,
        arguments: Value,
        /// Whether to ask for progress.
        progress: bool,
    },
    /// A call that is not waited for: the next step runs meanwhile.
    Begin {
        tool: String,
        arguments: Value,
    },
    Resources,
    Templates,
    Read {
        uri: String,
    },
    Prompts,
    Prompt {
        name: String,
        arguments: Value,
    },
    Complete {
        prompt: String,
        argument: String,
        value: String,
    },
    Subscribe {
        uri: String,
    },
    Unsubscribe {
        uri: String,
    },
    Level {
        level: String,
    },
    Ping,
    /// Modern only: a stream of changes of the tools and of one resource, until the end.
    Listen {
        uri: String,
    },
    /// Waits for a notification.
    Hear {
        method: String,
    },
}

/// What a program built on the client got to see.
#[derive(Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Report {
    /// The version both sides agreed on, where the client tells it.
    pub protocol: Option<String>,
    /// The tools, as listed.
    pub tools: Vec<Value>,
    /// One reply for each call, in order.
    pub replies: Vec<Reply>,
    /// How far the calls were that asked for progress, each time the client heard of it.
    pub progress: Vec<f64>,
}

/// What became of a call.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
pub enum Reply {
    /// A tool result, failed or not.
    Result(Value),
    /// A JSON-RPC error.
    Error(Value),
    /// What the client itself said instead of asking the server, or of believing it.
    Refused(String),
}

impl Client {
    /// Every client with every era it knows.
    pub const ALL: [(Self, Era); 6] = [
        (Self::Python1, Era::Legacy),
        (Self::Python2, Era::Legacy),
        (Self::Python2, Era::Modern),
        (Self::TypeScript1, Era::Legacy),
        (Self::TypeScript2, Era::Legacy),
        (Self::TypeScript2, Era::Modern),
    ];

    /// Starts a server, lists its tools, calls some and ends it. A command that is an address is that of a server over
    /// HTTP, which is there already.
    ///
    /// # Panics
    /// When the client is not installed, or it or the server fails in any way that is not a reply.
    pub fn drive(self, era: Era, command: &[&str], calls: &[(&str, Value)]) -> Report {
        let calls = calls
            .iter()
            .map(|(tool, arguments)| Call { tool, arguments });
        self.work(era, command, Work::Calls(calls.collect()))
    }

    /// The same with steps instead of calls. The report has no tools, and a reply for each step. The client says that it
    /// can answer whatever a server may ask, and does.
    ///
    /// # Panics
    /// When the client is not installed, or it or the server fails in any way that is not a reply.
    pub fn perform(self, era: Era, command: &[&str], steps: &[Step]) -> Report {
        self.work(era, command, Work::Steps(steps))
    }

    fn work(self, era: Era, command: &[&str], work: Work<'_>) -> Report {
        let job = Job { command, era, work };
        let mut driver = self
            .driver()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{self:?} does not start: {error}; run ./check tools"));
        let mut stdin = driver.stdin.take().expect("piped just above");
        let job = serde_json::to_vec(&job).expect("a job is JSON");
        stdin.write_all(&job).expect("the driver reads its job");
        drop(stdin);
        let output = driver.wait_with_output().expect("the driver ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{self:?} in {era:?}: {told}");
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{self:?} wrote no report ({error}): {told}"))
    }

    fn driver(self) -> Command {
        let place = place();
        let (program, script) = match self {
            Self::Python1 => (place.join("py-v1/bin/python"), "drive-v1.py"),
            Self::Python2 => (place.join("py/bin/python"), "drive-v2.py"),
            Self::TypeScript1 => (PathBuf::from("node"), "drive-v1.mjs"),
            Self::TypeScript2 => (PathBuf::from("node"), "drive-v2.mjs"),
        };
        let mut command = Command::new(program);
        command.arg(place.join(script));
        command
    }
}

/// Where the clients are installed, with our drivers beside them: Node looks for a package next to the script that
/// asks for it.
fn place() -> PathBuf {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/clients");
    let place = place
        .canonicalize()
        .unwrap_or_else(|_| panic!("the clients are not installed; run ./check tools"));
    for (name, script) in DRIVERS {
        let file = place.join(name);
        if std::fs::read_to_string(&file).is_ok_and(|have| have == script) {
            continue;
        }
        // Tests run side by side: none may read a half-written script.
        let fresh = place.join(format!("{name}.{}", std::process::id()));
        std::fs::write(&fresh, script).expect("target/ can be written");
        std::fs::rename(&fresh, &file).expect("target/ can be written");
    }
    place
}

const DRIVERS: [(&str, &str); 7] = [
    ("driving.py", include_str!("../clients/driving.py")),
    ("filled.py", include_str!("../clients/filled.py")),
    ("drive-v1.py", include_str!("../clients/drive-v1.py")),
    ("drive-v2.py", include_str!("../clients/drive-v2.py")),
    ("drive.mjs", include_str!("../clients/drive.mjs")),
    ("drive-v1.mjs", include_str!("../clients/drive-v1.mjs")),
    ("drive-v2.mjs", include_str!("../clients/drive-v2.mjs")),
];
