//! The protocol as it should be, and strict about it.

use std::io;

use serde_json::{Value, json};

use super::behaviour::Behaviour;
use super::exchange::{Exchange, Then, head, response, server_info};
use super::misbehave::{self, chunk};
use super::options::Eras;
use super::tools;

const LEGACY: &[&str] = &["2025-03-26", "2025-06-18", "2025-11-25"];
const MODERN: &str = "2026-07-28";

pub(super) fn answer(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    if exchange.hub.options.shows(Behaviour::Portal) {
        return misbehave::html(exchange, "200 OK", &[]);
    }
    if exchange.hub.options.shows(Behaviour::Locked) {
        return misbehave::challenge(exchange);
    }
    if !["/mcp", "/moved"].contains(&exchange.request.target.as_str()) {
        return refuse(exchange, "404 Not Found", -32600, "there is nothing here");
    }
    match exchange.request.method.as_str() {
        "POST" => post(exchange),
        "GET" => get(exchange),
        "DELETE" => delete(exchange),
        _ => refuse(exchange, "405 Method Not Allowed", -32600, "no such method"),
    }
}

/// Says no with a status and an error.
pub(super) fn refuse(
    exchange: &mut Exchange<'_>,
    status: &str,
    code: i64,
    text: &str,
) -> io::Result<Then> {
    let body = exchange.error(code, text);
    exchange.respond(status, &[], &body)
}

fn post(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    if let Some((status, code, text)) = objection(exchange) {
        return refuse(exchange, status, code, text);
    }
    if exchange.message.get("id").is_none() || exchange.message.get("method").is_none() {
        exchange.say(response("202 Accepted", &[], b""))?;
        return Ok(Then::Next);
    }
    method(exchange)
}

/// What is wrong with the form of a request.
fn objection(exchange: &Exchange<'_>) -> Option<(&'static str, i64, &'static str)> {
    let request = &exchange.request;
    let accept = request.header("accept").unwrap_or_default();
    let kind = request.header("content-type").unwrap_or_default();
    if !accept.contains("application/json") || !accept.contains("text/event-stream") {
        return Some(("406 Not Acceptable", -32600, "accept both"));
    }
    if !kind.starts_with("application/json") {
        return Some(("415 Unsupported Media Type", -32600, "only JSON"));
    }
    if !exchange.message.is_object() {
        return Some(("400 Bad Request", -32700, "no message"));
    }
    let eras = exchange.hub.options.eras;
    let version = request.header("mcp-protocol-version");
    if exchange.is_modern() || version == Some(MODERN) {
        return (eras == Eras::Legacy)
            .then_some(("400 Bad Request", -32600, "no such version"))
            .or_else(|| mismatch(exchange));
    }
    let method = exchange.message["method"].as_str();
    if eras == Eras::Modern {
        return Some(("400 Bad Request", -32022, "unsupported protocol version"));
    }
    if method == Some("initialize") || exchange.hub.options.shows(Behaviour::NoSessions) {
        return None;
    }
    without_session(exchange)
}

/// The headers of the modern era are those of the message, or it is not read.
fn mismatch(exchange: &Exchange<'_>) -> Option<(&'static str, i64, &'static str)> {
    let (request, message) = (&exchange.request, &exchange.message);
    let name = match message["method"].as_str() {
        Some("tools/call" | "prompts/get") => message["params"]["name"].as_str(),
        Some("resources/read") => message["params"]["uri"].as_str(),
        _ => None,
    };
    let agrees = request.header("mcp-protocol-version") == Some(MODERN)
        && request.header("mcp-method") == message["method"].as_str()
        && (name.is_none() || request.header("mcp-name") == name);
    (!agrees).then_some(("400 Bad Request", -32020, "header mismatch"))
}

fn without_session(exchange: &Exchange<'_>) -> Option<(&'static str, i64, &'static str)> {
    match exchange.request.header("mcp-session-id") {
        None => Some(("400 Bad Request", -32600, "no session")),
        Some(session) if exchange.hub.look().sessions.contains(session) => None,
        Some(_) => Some(("404 Not Found", -32001, "Session not found")),
    }
}

fn method(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let method = exchange.message["method"].as_str().unwrap_or_default();
    match method {
        "initialize" => initialize(exchange),
        "server/discover" if exchange.is_modern() => {
            let capabilities = json!({"tools": {}, "logging": {}});
            exchange.succeed(json!({
                "supportedVersions": [MODERN],
                "capabilities": capabilities,
                "instructions": "Call misbehave.",
            }))
        }
        "ping" | "logging/setLevel" => exchange.succeed(json!({})),
        "tools/list" => exchange.succeed(json!({"tools": tools::list()})),
        "tools/call" => tools::call(exchange),
        _ => {
            let is_modern = exchange.is_modern();
            let status = if is_modern { "404 Not Found" } else { "200 OK" };
            refuse(exchange, status, -32601, "Method not found")
        }
    }
}

fn initialize(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let asked = exchange.message["params"]["protocolVersion"].as_str();
    let version = asked.filter(|asked| LEGACY.contains(asked));
    let version = version.unwrap_or("2025-11-25").to_owned();
    let result = json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}, "logging": {}},
        "serverInfo": server_info(),
    });
    if exchange.hub.options.shows(Behaviour::NoSessions) {
        return exchange.succeed(result);
    }
    let session = exchange.hub.note(|notes| {
        notes.begun += 1;
        let session = format!("session-{}", notes.begun);
        notes.sessions.insert(session.clone());
        session
    });
    let answer = exchange.answer(result);
    exchange.respond("200 OK", &[("Mcp-Session-Id", &session)], &answer)
}

/// The stream of a session. It carries only missed events.
fn get(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let options = exchange.hub.options;
    if options.eras == Eras::Modern || options.shows(Behaviour::NoStream) {
        return refuse(exchange, "405 Method Not Allowed", -32600, "no stream");
    }
    if !options.shows(Behaviour::NoSessions)
        && let Some((status, code, text)) = without_session(exchange)
    {
        return refuse(exchange, status, code, text);
    }
    let missed = match exchange.request.header("last-event-id") {
        None => None,
        Some(last) => match exchange.hub.look().resumable.get(last) {
            Some(missed) => Some(missed.clone()),
            None => Some(Value::Null),
        },
    };
    if missed == Some(Value::Null) {
        return refuse(exchange, "400 Bad Request", -32600, "no such event");
    }
    exchange.say(head("200 OK", misbehave::EVENTS))?;
    if let Some(missed) = missed {
        exchange.say(chunk(format!("data: {missed}\n\n").as_bytes()))?;
        exchange.say(b"0\r\n\r\n")?;
        return Ok(Then::Next);
    }
    if options.shows(Behaviour::StreamEnds) {
        exchange.say(b"0\r\n\r\n")?;
        return Ok(Then::Next);
    }
    Ok(Then::Hold)
}

fn delete(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let session = exchange.request.header("mcp-session-id");
    let session = session.unwrap_or_default().to_owned();
    if exchange.hub.note(|notes| notes.sessions.remove(&session)) {
        exchange.say(response("204 No Content", &[], b""))?;
        return Ok(Then::Next);
    }
    refuse(exchange, "404 Not Found", -32001, "Session not found")
}
