//! Error statuses and redirects.

use std::io;

use serde_json::json;

use crate::faulty::FAKE_SECRET;
use crate::faulty_http::exchange::{Exchange, Then, head, response};
use crate::faulty_http::{protocol, tools};

use super::ends;

/// Responds with a page for humans.
pub(in crate::faulty_http) fn html(
    exchange: &mut Exchange<'_>,
    status: &str,
    headers: &[(&str, &str)],
) -> io::Result<Then> {
    let html = [("Content-Type", "text/html; charset=utf-8")];
    let page = page(status);
    exchange.say(response(
        status,
        &[&html, headers].concat(),
        page.as_bytes(),
    ))?;
    Ok(Then::Next)
}

/// A page for humans, of the kind that says too much.
pub(super) fn page(status: &str) -> String {
    format!(
        "<!doctype html>\n<html><head><title>{status}</title></head><body><h1>{status}</h1>\
         <pre>Traceback (most recent call last):\n  File \"/srv/app/private/server.py\", line 12\n\
         ConnectionError: postgresql://app:{FAKE_SECRET}@db.internal:5432/orders</pre>\
         <hr><center>nginx/1.27.0</center></body></html>\n"
    )
}

/// 401, and where to get a token.
pub(in crate::faulty_http) fn challenge(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let value = r#"Bearer resource_metadata="https://auth.internal.test/.well-known/oauth-protected-resource", scope="read""#;
    html(exchange, "401 Unauthorized", &[("WWW-Authenticate", value)])
}

pub(super) fn forbidden(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let value = r#"Bearer error="insufficient_scope", scope="write""#;
    html(exchange, "403 Forbidden", &[("WWW-Authenticate", value)])
}

pub(super) fn session_gone(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let session = exchange.request.header("mcp-session-id").map(str::to_owned);
    if let Some(session) = session {
        exchange.hub.note(|notes| notes.sessions.remove(&session));
    }
    protocol::refuse(exchange, "404 Not Found", -32001, "Session not found")
}

/// The first time a key is seen it is refused. Who has no sessions has none to lose.
pub(super) fn session_gone_once(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let key = exchange.key();
    let is_first = exchange.hub.note(|notes| notes.refused.insert(key));
    if is_first && !exchange.is_modern() {
        return session_gone(exchange);
    }
    tools::execute(exchange);
    ends::after_answer(exchange, Then::Next)
}

pub(super) fn server_error_json(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let text = page("500");
    let body = json!({"error": {"message": text, "path": "/srv/app/private/server.py"}});
    exchange.respond("500 Internal Server Error", &[], &body)
}

pub(super) fn huge_server_error(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let bytes = exchange.number("bytes", 1 << 30);
    let length = bytes.to_string();
    let headers = [("Content-Type", "text/html"), ("Content-Length", &*length)];
    exchange.say(head("500 Internal Server Error", &headers))?;
    exchange.pour(bytes)?;
    Ok(Then::Next)
}

pub(super) fn redirect(
    exchange: &mut Exchange<'_>,
    status: &str,
    location: Option<&str>,
) -> io::Result<Then> {
    let location = location.map(|location| ("Location", location));
    html(exchange, status, location.as_slice())
}

pub(super) fn redirect_within(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    if exchange.request.target == "/moved" {
        tools::execute(exchange);
        return ends::after_answer(exchange, Then::Next);
    }
    redirect(exchange, "307 Temporary Redirect", Some("/moved"))
}

pub(super) fn redirect_elsewhere(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let port = exchange.hub.elsewhere.map_or(1, |address| address.port());
    // By another name, so that it is another host in every sense.
    let location = format!("http://localhost:{port}/mcp");
    redirect(exchange, "307 Temporary Redirect", Some(&location))
}
