//! Calls through everything a call goes through, with servers that are the test itself.

mod client_deadlines;
mod counter;
mod elicitation;
mod format_argument;
mod correlation;
mod hidden_failures;
mod known_values;
mod labelled;
mod slow_server;
mod limits;
mod usage;
mod unreadable_answers;
mod order;
pub(crate) mod panics;
mod reads;
mod retries;
mod blame_arguments;
mod text_failures;
mod unlisted_tools;

use breakfall_gateway::config::Config;
use serde_json::{Value, json};

use crate::session::{Bench, End, note};

/// A gateway in front of a server whose tools are treated so.
pub(crate) fn bench(tools: &str) -> Bench {
    let text = format!("upstreams: {{shop: {{command: [x], tools: {tools}}}}}");
    let mut file = Config::parse(&text, "my.yaml").expect("a good file");
    let config = file.upstreams.remove(0);
    Bench::judged(None, |upstream| upstream.tools = config.tools)
}

/// A client that can do this and a server have shaken hands.
pub(crate) async fn hello(bench: &mut Bench, capabilities: Value) -> End {
    let mut server = bench.server().await;
    let hello = json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "test", "version": "1"}}});
    bench.client.say(&hello).await;
    server
        .answer(json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}))
        .await;
    assert_eq!(bench.client.hear().await["id"], "hello");
    bench.client.say(&note("notifications/initialized")).await;
    assert_eq!(server.hear().await["method"], "notifications/initialized");
    server
}

/// A call with arguments.
#[expect(clippy::needless_pass_by_value, reason = "made where it is called")]
pub(crate) fn call(id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// The server lists these tools when it is asked.
pub(crate) async fn list(server: &mut End, tools: Value) {
    let request = server.hear().await;
    assert_eq!(request["method"], "tools/list", "{request}");
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": tools}}))
        .await;
}

/// What the server is called with; it fails with these words.
pub(crate) async fn fail(server: &mut End, text: &str) -> Value {
    let request = server.hear().await;
    assert_eq!(request["method"], "tools/call", "{request}");
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"isError": true, "content": [{"type": "text", "text": text}]}}))
        .await;
    request["params"].clone()
}

/// What the server is called with; it works.
pub(crate) async fn work(server: &mut End) -> Value {
    let request = server.hear().await;
    assert_eq!(request["method"], "tools/call", "{request}");
    server
        .say(&json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": [{"type": "text", "text": "done"}]}}))
        .await;
    request["params"].clone()
}
