//! Many servers behind one client, all of them the test itself. Time is simulated.

mod routing;
mod eras;
mod lists;
mod failures;
mod lost_servers;
mod panics;
mod streams;

use std::sync::Arc;
use std::time::Duration;

use breakfall_gateway::aggregate::{Seal, ServerGroup};
use breakfall_gateway::assembly;
use breakfall_gateway::config::{LostUpstream, RestartDelay};
use breakfall_gateway::session::{Session, SessionEnd, SessionStop};
use breakfall_gateway::upstream::{Origin, Upstream};
use breakfall_mcp::connection::Peer;
use breakfall_mcp::jsonrpc::FrameLimits;
use breakfall_mcp::timeouts::Timeouts;
use serde_json::{Value, json};
use tokio::io::DuplexStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::session::{End, ask, call, fault, note};

/// A client, and the servers behind it, by their places.
struct Bench {
    client: End,
    servers: Vec<mpsc::UnboundedReceiver<DuplexStream>>,
    peer: Peer,
    stop: SessionStop,
    ended: JoinHandle<SessionEnd>,
}

/// How long each server may take for an answer.
const QUIET: Duration = Duration::from_secs(30);
const NAMES: [&str; 3] = ["files", "shop", "time"];

impl Bench {
    fn new() -> Self {
        Self::with(&NAMES, |_| {})
    }

    fn with(names: &[&str], change: impl FnOnce(&mut ServerGroup)) -> Self {
        Self::of(names, true, change)
    }

    /// Whose servers are of the era of the client.
    fn same(names: &[&str]) -> Self {
        Self::of(names, false, |_| {})
    }

    fn of(names: &[&str], is_bridged: bool, change: impl FnOnce(&mut ServerGroup)) -> Self {
        Self::made(names, |upstream| upstream.is_bridged = is_bridged, change)
    }

    /// With servers that are treated each in its way.
    fn patient(names: &[&str], each: impl Fn(&mut Upstream)) -> Self {
        Self::made(names, each, |_| {})
    }

    fn made(
        names: &[&str],
        each: impl Fn(&mut Upstream),
        change: impl FnOnce(&mut ServerGroup),
    ) -> Self {
        let mut servers = Vec::new();
        let mut upstreams = Vec::new();
        for name in names {
            let (started, starts) = mpsc::unbounded_channel();
            let origin = Origin::Inside(Box::new(move || {
                let (ours, theirs) = tokio::io::duplex(1 << 20);
                // A test that has ended needs no servers.
                let _ = started.send(theirs);
                ours
            }));
            let mut upstream = Upstream::new(*name, origin);
            upstream.context.is_judged = false;
            upstream.timeouts = Timeouts {
                idle: QUIET,
                total: 3 * QUIET,
            };
            upstream.restart = RestartDelay {
                first: Duration::from_millis(10),
                max: Duration::from_secs(1),
            };
            each(&mut upstream);
            servers.push(starts);
            upstreams.push(Arc::new(upstream));
        }
        let mut all =
            ServerGroup::new(upstreams, "__", Seal::with_key(&[3; 32])).expect("names differ");
        change(&mut all);
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (reader, writer) = tokio::io::split(ours);
        let hub = Session::start(
            reader,
            writer,
            FrameLimits::REQUEST,
            assembly::joined(Arc::new(all)),
        );
        Self {
            client: End::behind(theirs, None),
            servers,
            peer: hub.client().clone(),
            stop: hub.stop(),
            ended: tokio::spawn(hub.run()),
        }
    }

    /// The next server that is started at a place.
    async fn server(&mut self, at: usize) -> End {
        let server = self.servers[at].recv().await.expect("the hub runs");
        End::behind(server, None)
    }

    /// All servers, greeted, and what the client was told of it.
    async fn greeted(&mut self) -> (Vec<End>, Value) {
        let mut servers = Vec::new();
        for at in 0..self.servers.len() {
            servers.push(self.server(at).await);
        }
        self.client.say(&hello()).await;
        for server in &mut servers {
            server
                .answer(can(&["tools", "prompts", "resources", "logging"]))
                .await;
        }
        let told = self.client.hear().await;
        self.client.say(&note("notifications/initialized")).await;
        for server in &mut servers {
            assert_eq!(server.hear().await, note("notifications/initialized"));
        }
        (servers, told["result"].clone())
    }

    /// Asks for a list that each server answers.
    async fn list(&mut self, method: &str, servers: &mut [End], answers: &[Value]) -> Value {
        self.client.say(&ask("list", method)).await;
        for (server, answer) in servers.iter_mut().zip(answers) {
            let request = server.hear().await;
            assert_eq!(request["method"], method);
            server
                .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": answer}))
                .await;
        }
        let told = self.client.hear().await;
        assert_eq!(told["id"], "list");
        told["result"].clone()
    }
}

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}}})
}

/// The answer to a greeting, of a server that can do something.
fn can(what: &[&str]) -> Value {
    let capabilities: serde_json::Map<String, Value> = what
        .iter()
        .map(|what| ((*what).to_owned(), json!({})))
        .collect();
    json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": {"name": "s", "version": "1"}})
}

fn tools(names: &[&str]) -> Value {
    let tools = names.iter().map(|name| json!({"name": name, "description": format!("does {name}"), "inputSchema": {"type": "object"}}));
    json!({"tools": tools.collect::<Vec<_>>()})
}

/// The names in a list of tools.
fn names(list: &Value) -> Vec<&str> {
    let tools = list["tools"].as_array().expect("a list");
    tools
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect()
}

/// The codes and servers of the warnings of an answer.
fn warnings(result: &Value) -> Vec<(&str, &str)> {
    let warnings = result["_meta"]["dev.breakfall/success"]["warnings"].as_array();
    let warnings = warnings.into_iter().flatten();
    warnings
        .map(|warning| {
            let upstream = &warning["context"]["upstream"];
            (
                warning["code"].as_str().unwrap_or_default(),
                upstream.as_str().unwrap_or_default(),
            )
        })
        .collect()
}
