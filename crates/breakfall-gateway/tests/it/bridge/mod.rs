//! Clients and servers of different eras of the protocol with the shipped relay between them, over streams in memory
//! and in simulated time.

mod diagonal;
mod legacy;
mod legacy_streams;
mod modern;
mod modern_streams;

use serde_json::{Value, json};

use crate::session::{Bench, End, ask, call, fault, note};

pub(crate) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(crate) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(crate) const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
pub(crate) const LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(crate) const SERVER: &str = "io.modelcontextprotocol/serverInfo";
pub(crate) const STREAM: &str = "io.modelcontextprotocol/subscriptionId";

/// The result of `server/discover`.
fn discovered(capabilities: &Value) -> Value {
    json!({
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": capabilities,
        "instructions": "buy",
        "ttlMs": 1000,
        "cacheScope": "public",
        "_meta": {SERVER: {"name": "shop", "version": "3"}},
    })
}

/// The result of `initialize`.
fn welcome(capabilities: &Value) -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": capabilities,
        "serverInfo": {"name": "shop", "version": "3"},
        "instructions": "buy",
    })
}

fn initialize(capabilities: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": capabilities,
        "clientInfo": {"name": "tests", "version": "1"},
    }})
}

/// With what a modern request says for itself.
fn modern(mut request: Value) -> Value {
    request["params"]["_meta"][VERSION] = json!("2026-07-28");
    request["params"]["_meta"][CAPABILITIES] =
        json!({"elicitation": {}, "sampling": {}, "roots": {}, "experimental": {"x": {}}});
    request["params"]["_meta"][CLIENT] = json!({"name": "tests", "version": "1"});
    request
}

fn error(id: &Value, code: i64) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}})
}

fn result(id: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}

fn cancel(id: impl Into<Value>) -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id.into()}})
}

/// A client with a handshake before a server that has none.
async fn legacy_to_modern(bench: &mut Bench, client: &Value, server: &Value) -> End {
    let mut modern = bench.server().await;
    bench.client.say(&initialize(client)).await;
    let refused = modern.hear().await;
    assert_eq!(refused["method"], "initialize");
    modern.say(&error(&refused["id"], -32601)).await;
    let probe = modern.hear().await;
    assert_eq!(probe["method"], "server/discover");
    modern.say(&result(&probe["id"], &discovered(server))).await;
    let hello = bench.client.hear().await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    bench.client.say(&note("notifications/initialized")).await;
    modern
}

/// A modern client before a server that wants a handshake, and has had one.
async fn modern_to_legacy(bench: &mut Bench, server: &Value) -> End {
    let mut legacy = bench.server().await;
    bench.client.say(&modern(ask("d", "server/discover"))).await;
    let probe = legacy.hear().await;
    assert_eq!(probe["method"], "server/discover");
    legacy.say(&error(&probe["id"], -32601)).await;
    let hello = legacy.hear().await;
    assert_eq!(hello["method"], "initialize");
    legacy.say(&result(&hello["id"], &welcome(server))).await;
    assert_eq!(legacy.hear().await, note("notifications/initialized"));
    let discovered = bench.client.hear().await;
    assert_eq!(discovered["id"], "d");
    legacy
}
