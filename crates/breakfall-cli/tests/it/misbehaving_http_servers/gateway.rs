//! The gateway as its clients see it, with a server over HTTP behind it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use testing::faulty_http::{PLANTED, Server};
use testing::http::{Client, Connection, Response};
use testing::wire::Wire;

/// How clients come to the gateway, and of which era they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front {
    /// `breakfall run`, over the standard streams.
    Stdio,
    /// `breakfall serve`, in a session.
    Http,
    /// `breakfall serve`, without.
    HttpModern,
}

/// A fault server behind the gateway.
pub(super) struct Behind {
    wire: Wire,
    mouth: Mouth,
    /// What no client may see: where the server is.
    address: String,
    /// All that came over HTTP, as it came.
    heard: Vec<Vec<u8>>,
    _folder: TempDir,
}

/// Who speaks to the gateway.
enum Mouth {
    Lines,
    Client(Box<Client>),
}

/// A request that is under way.
pub(super) struct Begun {
    id: String,
    connection: Option<Connection>,
}

/// How patient the gateway is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    /// With calls of `misbehave`.
    pub(super) misbehave: &'static str,
    /// With everything else.
    pub(super) others: &'static str,
}

impl Behind {
    /// The gateway, after the handshake if there is one.
    pub(super) fn new(front: Front, server: &Server, patience: Timeouts) -> Self {
        let mut behind = Self::before_handshake(front, server, patience);
        if front == Front::HttpModern {
            return behind;
        }
        let answer = behind.initialize();
        assert!(answer.get("result").is_some(), "{answer}");
        if let Mouth::Client(client) = &mut behind.mouth {
            let done = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            assert_eq!(client.send(&done).status, 202);
        }
        behind
    }

    pub(super) fn before_handshake(front: Front, server: &Server, patience: Timeouts) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("breakfall.yaml");
        let config = config(server, patience, folder.path());
        std::fs::write(&file, config.to_string()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
        let (wire, mouth) = match front {
            Front::Stdio => {
                command.args(["run", "--config"]).arg(&file);
                (Wire::start(&mut command), Mouth::Lines)
            }
            Front::Http | Front::HttpModern => {
                command.args(["serve", "--listen", "127.0.0.1:0", "--config"]);
                let mut wire = Wire::start(command.arg(&file));
                let client = client(front, &mut wire);
                (wire, Mouth::Client(Box::new(client)))
            }
        };
        Self {
            wire,
            mouth,
            address: server.address().to_string(),
            heard: Vec::new(),
            _folder: folder,
        }
    }

    /// The answer to a handshake, good or bad.
    pub(super) fn initialize(&mut self) -> Value {
        match &mut self.mouth {
            Mouth::Lines => self.wire.initialize(),
            Mouth::Client(client) => {
                let response = client.initialize();
                let session = response.header("Mcp-Session-Id");
                client.session = session.map(str::to_owned);
                self.heard.push(response.body.clone());
                response.answer("hello")
            }
        }
    }

    pub(super) fn begin(&mut self, id: impl Into<String>, tool: &str, arguments: &Value) -> Begun {
        let id = id.into();
        let meta = json!({"progressToken": id});
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let connection = match &self.mouth {
            Mouth::Lines => {
                self.wire.ask(id.as_str(), "tools/call", &params);
                None
            }
            Mouth::Client(client) => {
                let message = client.message(id.as_str(), "tools/call", &params);
                Some(client.open(&message))
            }
        };
        Begun { id, connection }
    }

    pub(super) fn finish(&mut self, begun: Begun) -> Value {
        let Some(mut connection) = begun.connection else {
            return self.wire.answer(begun.id);
        };
        let response: Response = connection.response().expect("a whole response");
        let is_known = ["application/json", "text/event-stream"]
            .iter()
            .any(|kind| response.head.is(kind));
        assert!(is_known, "{response:?}");
        self.heard.push(response.body.clone());
        response.answer(begun.id)
    }

    /// The most memory the gateway has had, in KiB, where the system tells.
    pub(super) fn memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.wire.pid());
        let status = std::fs::read_to_string(status).unwrap_or_default();
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most.and_then(|most| most.trim().trim_end_matches(" kB").parse().ok())
            .unwrap_or_default()
    }

    /// The client hangs up: everything ends, and all that was said was well formed and no secret. All messages to the client.
    pub(super) fn end(mut self) -> Vec<Value> {
        if let Mouth::Client(_) = self.mouth {
            let pid = self.wire.pid().to_string();
            let asked = Command::new("kill").args(["-TERM", &pid]).status();
            assert!(asked.unwrap().success());
            self.wire.wait();
        }
        let seen = self.wire.end();
        assert!(seen.status.success(), "{seen:?}");
        if let Mouth::Lines = self.mouth {
            self.heard.clone_from(&seen.lines);
        }
        for bytes in &self.heard {
            let text = String::from_utf8_lossy(bytes);
            for secret in PLANTED.iter().copied().chain([&*self.address]) {
                assert!(!text.contains(secret), "{secret}: {text:.2000}");
            }
        }
        match self.mouth {
            Mouth::Lines => seen.lines.iter().map(|line| message(line)).collect(),
            Mouth::Client(_) => self.heard.iter().flat_map(|body| messages(body)).collect(),
        }
    }
}

/// JSON, which is YAML.
fn config(server: &Server, patience: Timeouts, folder: &Path) -> Value {
    let mut upstream = json!({
        "url": server.url(),
        "timeout": patience.others,
        "tools": {"misbehave": {"timeout": patience.misbehave}},
    });
    if !server.authority().is_empty() {
        let authority = folder.join("authority.pem");
        std::fs::write(&authority, server.authority()).unwrap();
        upstream["ca"] = authority.to_str().into();
    }
    json!({"upstreams": {"remote": upstream}})
}

/// A client of a gateway that says where it is.
fn client(front: Front, wire: &mut Wire) -> Client {
    let address = loop {
        let line = wire.line().expect("it says where it is");
        let line = String::from_utf8(line).unwrap();
        let mut words = line.split_whitespace();
        if let Some(url) = words.find(|word| word.starts_with("http://")) {
            break url.split('/').nth(2).unwrap().parse().unwrap();
        }
    };
    if front == Front::HttpModern {
        Client::modern(address, "/mcp/remote")
    } else {
        Client::silent(address, "/mcp/remote", testing::http::LEGACY)
    }
}

fn message(line: &[u8]) -> Value {
    let message: Value = serde_json::from_slice(line).expect("every line is a message");
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    message
}

/// The messages of a body: it is one, or a stream of them.
fn messages(body: &[u8]) -> Vec<Value> {
    if let Ok(only) = serde_json::from_slice(body) {
        return vec![only];
    }
    let text = String::from_utf8_lossy(body);
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let data = data.map(str::trim).filter(|data| !data.is_empty());
    data.map(|data| message(data.as_bytes())).collect()
}
