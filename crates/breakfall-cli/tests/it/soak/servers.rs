//! The gateway under test, the servers behind it, and what is left of them.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::json;
use tempfile::TempDir;
use testing::faulty::{self, Trail};
use testing::faulty_http::{Eras, Options, Server};

use super::answer::Outcome;
use super::clients::{MAX_TIMEOUT, STUCK_AFTER, TIMEOUT};
use crate::serving::Gateway;

pub(super) struct SoakServers {
    gateway: Gateway,
    legacy: Server,
    modern: Server,
    trail: Trail,
    folder: TempDir,
}

/// Where clients find the servers.
#[derive(Debug)]
pub(super) struct SoakPlaces {
    /// The gateway.
    pub(super) address: SocketAddr,
    /// The command of the server over stdio.
    pub(super) command: Vec<String>,
    /// Where `run` keeps its records.
    pub(super) state: PathBuf,
}

/// What a gateway holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holdings {
    memory: usize,
    files: usize,
    children: usize,
}

impl Holdings {
    /// What it should not hold any more.
    pub(super) fn grown_since(self, before: Self) -> Vec<String> {
        let mut grown = Vec::new();
        if self.memory > before.memory + before.memory / 2 + SPARE_BYTES {
            grown.push(format!(
                "its memory grew from {} to {} bytes",
                before.memory, self.memory
            ));
        }
        if self.files > before.files + SPARE_FILES {
            grown.push(format!(
                "its open files grew from {} to {}",
                before.files, self.files
            ));
        }
        if self.children > before.children {
            grown.push(format!(
                "its children grew from {} to {}",
                before.children, self.children
            ));
        }
        grown
    }
}

impl SoakServers {
    pub(super) fn start() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        let trail = Trail::new(folder.path());
        let [legacy, modern] =
            [Eras::Legacy, Eras::Modern].map(|eras| Server::of(Options::default().eras(eras)));
        let treated = |mut server: serde_json::Value| {
            server["timeout"] = TIMEOUT.into();
            server["max_timeout"] = MAX_TIMEOUT.into();
            // An open circuit would keep the calls from the servers.
            server["breaker"] = "off".into();
            server
        };
        let mut lines = treated(json!({"command": command(folder.path())}));
        lines["restart"] = json!({"first": "10ms", "max": "100ms"});
        lines["stuck_after"] = STUCK_AFTER.into();
        let config = json!({
            "store": format!("sqlite:{}", folder.path().join("store.db").display()),
            "retention": {"count": 200, "audit_count": 1000},
            "log": {"level": "off"},
            "sessions": {"max": 1000, "idle": "1m"},
            "upstreams": {
                "lines": lines,
                "legacy": treated(json!({"url": legacy.url()})),
                "modern": treated(json!({"url": modern.url()})),
            },
        });
        Self {
            gateway: Gateway::of(&config.to_string()),
            legacy,
            modern,
            trail,
            folder,
        }
    }

    /// Where clients find them.
    pub(super) fn places(&self) -> SoakPlaces {
        SoakPlaces {
            address: self.gateway.address(),
            command: command(self.folder.path()),
            state: self.folder.path().join("state"),
        }
    }

    /// What the gateway holds once its clients are gone, as soon as that is not more than before.
    pub(super) fn settled(&self, before: Option<Holdings>) -> Holdings {
        let mut last = self.holdings();
        let mut quiet = 0;
        // Pools close idle connections after a while, and the allocator gives memory back.
        for _ in 0..SETTLE_LOOKS {
            thread::park_timeout(SETTLE_STEP);
            let now = self.holdings();
            let is_small = before.is_none_or(|before| now.grown_since(before).is_empty());
            let is_same = now.files == last.files && now.children == last.children;
            quiet = if is_same { quiet + 1 } else { 0 };
            last = now;
            if is_small && quiet >= QUIET_LOOKS {
                break;
            }
        }
        last
    }

    fn holdings(&self) -> Holdings {
        Holdings {
            memory: self.gateway.memory(),
            files: self.gateway.files(),
            children: self.gateway.children(),
        }
    }

    /// Calls that were executed more than once, or otherwise than their callers were told.
    pub(super) fn executed_wrongly(&self, told: &BTreeMap<String, Outcome>) -> Vec<String> {
        let mut executed: BTreeMap<String, u64> = BTreeMap::new();
        let keys = fs::read_to_string(keys(self.folder.path())).unwrap_or_default();
        for key in keys.lines() {
            *executed.entry(key.to_owned()).or_default() += 1;
        }
        for server in [&self.legacy, &self.modern] {
            for (key, times) in server.all_executed() {
                *executed.entry(key).or_default() += times;
            }
        }
        let twice = executed.iter().filter(|(_, times)| **times > 1);
        let twice = twice.map(|(key, times)| format!("{key} was executed {times} times"));
        let untrue = told.iter().filter_map(|(key, outcome)| {
            let times = executed.get(key).copied().unwrap_or_default();
            match outcome {
                Outcome::Success if times == 0 => Some(format!(
                    "{key} was never executed, and its caller got a success"
                )),
                Outcome::NotExecuted if times > 0 => Some(format!(
                    "{key} was executed, and its caller was told that it was not"
                )),
                Outcome::Success | Outcome::NotExecuted | Outcome::Failure => None,
            }
        });
        twice.chain(untrue).collect()
    }

    /// Ends the gateway, and says what it has left behind.
    pub(super) fn end(&mut self) -> Vec<String> {
        self.gateway.signal("TERM");
        let status = self.gateway.ended();
        let mut left = Vec::new();
        if !status.success() {
            left.push(format!("the gateway ended with {status}"));
        }
        let processes = self.trail.left_over();
        if !processes.is_empty() {
            left.push(format!("processes are left: {processes:?}"));
        }
        left
    }
}

fn command(folder: &Path) -> Vec<String> {
    let program = faulty::program().display().to_string();
    let trail = Trail::new(folder).file().display().to_string();
    let keys = keys(folder).display().to_string();
    [
        program,
        "--keys".to_owned(),
        keys,
        "--trail".to_owned(),
        trail,
    ]
    .into()
}

fn keys(folder: &Path) -> PathBuf {
    folder.join("keys")
}

/// What memory may differ by, besides half of it: the allocator keeps some of what was used.
const SPARE_BYTES: usize = 24 << 20;
/// Idle connections to servers, and the files of the store.
const SPARE_FILES: usize = 8;
/// How long a gateway may take to give back what its clients used, and how long it has to stay the same.
const SETTLE_STEP: Duration = Duration::from_millis(200);
const SETTLE_LOOKS: u32 = 450;
const QUIET_LOOKS: u32 = 15;
