//! Credentials that anyone can make up start a bounded number of processes, and none that no request needs.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

use breakfall_gateway::config::Config;
use breakfall_gateway::serve::{Control, Gateway};
use serde_json::{Value, json};
use tempfile::TempDir;
use testing::http::{Client, Connection, LEGACY};
use tokio::task::{JoinHandle, spawn_blocking};

/// A gateway with a server that takes the credentials of clients, and a process that notes when it is started.
struct Site {
    address: SocketAddr,
    starts: PathBuf,
    control: Control,
    running: JoinHandle<()>,
    _folder: TempDir,
}

impl Site {
    async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let starts = folder.path().join("starts");
        fs::write(&starts, "").expect("a file");
        // It reads its input, and never answers.
        let starts_path = starts.display();
        let script = format!("echo start >> '{starts_path}'; while read -r line; do :; done");
        let config = json!({
            "listen": "127.0.0.1:0",
            "upstreams": {
                // No server listens at this port.
                "shop": {"url": "http://127.0.0.1:1/mcp", "pass_authorization": true},
                "files": {"command": ["/bin/sh", "-c", script]},
            },
        });
        let config = Config::parse(&config.to_string(), "my.yaml").expect("a configuration");
        let gateway = Gateway::start(config, crate::options());
        let gateway = gateway.await.expect("a free port");
        let (address, control) = (gateway.address(), gateway.control());
        Self {
            address,
            starts,
            control,
            running: tokio::spawn(gateway.run()),
            _folder: folder,
        }
    }

    /// Runs a visit, ends the gateway, and returns how many processes were started.
    async fn starts(self, visit: impl FnOnce(SocketAddr) + Send + 'static) -> usize {
        let address = self.address;
        let visited = spawn_blocking(move || visit(address)).await;
        visited.expect("the visit succeeds");
        self.control.stop();
        self.control.stop();
        self.running.await.expect("the gateway ends");
        let starts = fs::read_to_string(&self.starts).expect("the file");
        starts.lines().count()
    }
}

fn client(address: SocketAddr, version: &'static str, number: usize) -> Client {
    let client = Client::silent(address, "/mcp", version);
    client.with_header("Authorization", &format!("Bearer made-up-{number}"))
}

/// Sends a request for every made-up token at once, and returns how many were refused because of too many clients.
fn refusals(address: SocketAddr, version: &'static str, method: &str, params: &Value) -> usize {
    let connections = (0..TOKENS).map(|number| {
        let client = client(address, version, number);
        client.open(&client.message(1, method, params))
    });
    let connections: Vec<Connection> = connections.collect();
    let statuses = connections.into_iter().map(|mut connection| {
        let head = connection.head().expect("a response");
        head.status
    });
    statuses.filter(|status| *status == 503).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_for_one_server_starts_no_other() {
    let starts = Site::new().await.starts(|address| {
        for number in 0..10 {
            let client = client(address, "2026-07-28", number);
            let params = json!({"name": "shop__buy", "arguments": {}});
            client.send(&client.message(1, "tools/call", &params));
        }
    });
    assert_eq!(starts.await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn made_up_credentials_start_a_bounded_number_of_processes() {
    for (version, method) in [("2026-07-28", "tools/list"), (LEGACY, "initialize")] {
        let starts = Site::new().await.starts(move |address| {
            let params = json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}});
            let params = if version == LEGACY { params } else { json!({}) };
            let refused = refusals(address, version, method, &params);
            assert_eq!(refused, TOKENS - BOUND, "{method}");
        });
        let starts = starts.await;
        assert!(starts <= BOUND, "{starts} processes for {method}");
    }
}

/// The number of processes for unverified credentials, as docs/http.md tells it.
const BOUND: usize = 64;
const TOKENS: usize = 80;
