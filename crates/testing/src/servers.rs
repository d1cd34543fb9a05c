//! Public MCP servers, as their authors ship them.
//!
//! `./check tools` installs them in pinned versions under `target/tools/servers`. Without them a test fails and says
//! so; it never skips.
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

mod playground;
mod steps;

use std::path::{Path, PathBuf};

use crate::clients::{Client, Era, Step};

/// A public server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "private to the workspace")]
pub enum Server {
    /// The reference server that has everything (npm).
    Everything,
    /// Files below one folder (npm).
    Filesystem,
    /// A graph of what was told to it (npm).
    Memory,
    /// The time, anywhere (pip).
    Time,
    /// A git repository (pip).
    Git,
    /// A server of our own on a framework that many servers use (pip).
    FastMcp,
}

impl Server {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Everything,
        Self::Filesystem,
        Self::Memory,
        Self::Time,
        Self::Git,
        Self::FastMcp,
    ];

    /// Every client with every era this server can speak with it.
    pub fn clients(self) -> impl Iterator<Item = (Client, Era)> {
        Client::ALL
            .into_iter()
            .filter(move |(_, era)| *era == Era::Legacy || self.is_modern())
    }

    /// Those from npm stand on the first generation of the TypeScript SDK, which knows the legacy era only.
    fn is_modern(self) -> bool {
        match self {
            Self::Everything | Self::Filesystem | Self::Memory => false,
            Self::Time | Self::Git | Self::FastMcp => true,
        }
    }

    /// What starts it, with all it works on below that folder.
    ///
    /// # Panics
    /// When it is not installed.
    pub fn command(self, folder: &Path) -> Vec<String> {
        let node = |name: &str| {
            let script = format!("node_modules/@modelcontextprotocol/server-{name}/dist/index.js");
            vec!["node".to_owned(), place(&script)]
        };
        let python = || place("py/bin/python");
        let folder = text(folder);
        match self {
            Self::Everything => node("everything"),
            Self::Filesystem => [node("filesystem"), vec![folder]].concat(),
            Self::Memory => {
                let file = format!("MEMORY_FILE_PATH={folder}/memory.jsonl");
                [vec!["env".to_owned(), file], node("memory")].concat()
            }
            Self::Time => words(&[
                &python(),
                "-m",
                "mcp_server_time",
                "--local-timezone",
                "UTC",
            ]),
            Self::Git => {
                let fixed = playground::FIXED.map(|(name, value)| format!("{name}={value}"));
                let server = words(&[&python(), "-m", "mcp_server_git", "--repository", &folder]);
                [words(&["env"]), fixed.to_vec(), server].concat()
            }
            Self::FastMcp => {
                let script =
                    Path::new(env!("CARGO_MANIFEST_DIR")).join("servers/fastmcp_fixture.py");
                words(&[&python(), &text(&script)])
            }
        }
    }

    /// Makes the folder anew, with what the steps need in it.
    ///
    /// # Panics
    /// When it cannot.
    pub fn prepare(self, folder: &Path) {
        playground::prepare(self, folder);
    }

    /// What a client can do with it, well and badly.
    pub fn steps(self, folder: &Path) -> Vec<Step> {
        steps::steps(self, &text(folder))
    }
}

/// Something that is installed.
fn place(path: &str) -> String {
    let place: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/tools/servers")
        .join(path);
    assert!(
        place.exists(),
        "{} is not installed; run ./check tools",
        place.display()
    );
    text(&place)
}

fn text(path: &Path) -> String {
    let Some(text) = path.to_str() else {
        panic!("{} is not UTF-8", path.display())
    };
    text.to_owned()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}
