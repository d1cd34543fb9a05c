//! Every method but the call of a tool, answered as the protocol wants it.

use serde_json::{Value, json};

use super::behaviour::Behaviour;
use super::call::{Call, notify, server_info};
use super::options::Eras;
use super::server::Server;
use super::tools;

const LEGACY: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const MODERN: &str = "2026-07-28";
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// The one resource there is.
pub(super) const GREETING: &str = "fault://greeting";

pub(super) fn answer(server: &Server, call: &Call) {
    let text = |name: &str| call.params[name].as_str().unwrap_or_default();
    match call.method.as_str() {
        "initialize" => initialize(server, call),
        "server/discover" => discover(server, call),
        "ping" => call.succeed(json!({})),
        "tools/list" => call.succeed(json!({"tools": tools::list()})),
        "resources/list" => call.succeed(json!({"resources": [resource()]})),
        "resources/templates/list" => call.succeed(json!({"resourceTemplates": [template()]})),
        "resources/read" => read(call, text("uri")),
        "resources/subscribe" => {
            let uri = text("uri").to_owned();
            server.board.note(|notes| notes.subscriptions.insert(uri));
            call.succeed(json!({}));
        }
        "resources/unsubscribe" => {
            server
                .board
                .note(|notes| notes.subscriptions.remove(text("uri")));
            call.succeed(json!({}));
        }
        "subscriptions/listen" => listen(server, call),
        "prompts/list" => call.succeed(json!({"prompts": [prompt()]})),
        "prompts/get" => get_prompt(call, text("name")),
        "completion/complete" => complete(call),
        "logging/setLevel" => {
            let level = call.params["level"].clone();
            server.board.note(|notes| notes.level = Some(level));
            call.succeed(json!({}));
        }
        method => call.fail(METHOD_NOT_FOUND, &format!("Method not found: {method}")),
    }
}

fn initialize(server: &Server, call: &Call) {
    if server.options.eras == Eras::Modern {
        let data = json!({"supported": [MODERN], "requested": call.params["protocolVersion"]});
        let error =
            json!({"code": -32022, "message": "Unsupported protocol version", "data": data});
        return super::out::send(&json!({"jsonrpc": "2.0", "id": call.id, "error": error}));
    }
    if server.options.shows(Behaviour::RefuseHandshake) {
        return call.fail(-32603, "no session today");
    }
    let asked = call.params["protocolVersion"].as_str().unwrap_or_default();
    let version = LEGACY.iter().find(|known| **known == asked);
    server
        .board
        .note(|notes| notes.initialize = call.params.clone());
    call.succeed(json!({
        "protocolVersion": version.unwrap_or(&"2025-11-25"),
        "capabilities": capabilities(),
        "serverInfo": server_info(),
    }));
}

fn discover(server: &Server, call: &Call) {
    // A refused session stays refused.
    let refuses = server.options.shows(Behaviour::RefuseHandshake);
    if refuses || server.options.eras == Eras::Legacy {
        return call.fail(METHOD_NOT_FOUND, "Method not found: server/discover");
    }
    let mut versions = vec![MODERN];
    if server.options.eras == Eras::Both {
        versions.extend(LEGACY);
    }
    call.succeed(json!({"supportedVersions": versions, "capabilities": capabilities()}));
}

fn capabilities() -> Value {
    json!({
        "tools": {"listChanged": true},
        "resources": {"subscribe": true, "listChanged": true},
        "prompts": {},
        "completions": {},
        "logging": {},
    })
}

fn resource() -> Value {
    json!({"uri": GREETING, "name": "greeting", "mimeType": "text/plain"})
}

fn template() -> Value {
    json!({"uriTemplate": "fault://number/{n}", "name": "number"})
}

fn read(call: &Call, uri: &str) {
    let text = match (uri, uri.strip_prefix("fault://number/")) {
        (GREETING, _) => "hello",
        (_, Some(number)) => number,
        _ => {
            let code = if call.modern() {
                INVALID_PARAMS
            } else {
                -32002
            };
            return call.fail(code, &format!("Resource not found: {uri}"));
        }
    };
    call.succeed(json!({"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}));
}

/// Stays open; its answer would be the end of it.
fn listen(server: &Server, call: &Call) {
    let filter = call.params["notifications"].clone();
    let meta = json!({"io.modelcontextprotocol/subscriptionId": call.id});
    let params = json!({"notifications": filter, "_meta": meta});
    server
        .board
        .note(|notes| notes.listens.push((call.id.clone(), filter)));
    notify("notifications/subscriptions/acknowledged", &params);
}

fn prompt() -> Value {
    let argument = json!({"name": "name", "description": "Whom to greet", "required": true});
    json!({"name": "greet", "description": "A greeting", "arguments": [argument]})
}

fn get_prompt(call: &Call, name: &str) {
    match (name, call.argument("name").as_str()) {
        ("greet", Some(whom)) => {
            let content = json!({"type": "text", "text": format!("Greet {whom}.")});
            call.succeed(json!({"messages": [{"role": "user", "content": content}]}));
        }
        ("greet", None) => call.fail(INVALID_PARAMS, "Missing argument: name"),
        _ => call.fail(INVALID_PARAMS, &format!("Unknown prompt: {name}")),
    }
}

fn complete(call: &Call) {
    let begun = call.params["argument"]["value"]
        .as_str()
        .unwrap_or_default();
    let names = ["Ada", "Alan", "Grace"];
    let values: Vec<_> = names
        .iter()
        .filter(|name| name.starts_with(begun))
        .collect();
    let completion = json!({"values": values, "total": values.len(), "hasMore": false});
    call.succeed(json!({"completion": completion}));
}
