//! The web and its protocols.

use serde_json::json;

use super::Harmless;
use crate::corpus::random::Random;
use crate::corpus::words::{PARTS, THINGS};

/// The path of a URL is not the path of a file.
pub(super) fn url_path(random: &mut Random) -> Harmless {
    let (part, thing, number) = (
        random.pick(PARTS),
        random.pick(THINGS),
        random.between(1, 900),
    );
    let method = random.pick(&["GET", "POST", "PUT", "DELETE", "PATCH"]);
    let path = match random.below(5) {
        0 => format!("/api/v1/{part}/{number}"),
        1 => format!("/v2/{part}/{number}/{thing}?page=2&sort=name"),
        2 => format!("/{part}/{{id}}/{thing}"),
        3 => "/oauth/token".to_owned(),
        _ => format!("/{part}/{thing}"),
    };
    Harmless::line(match random.below(4) {
        0 => format!("{method} {path} returned 404 Not Found"),
        1 => format!("Cannot {method} {path}"),
        2 => format!("no route matches [{method}] \"{path}\""),
        _ => format!("\"{method} {path} HTTP/1.1\" 503"),
    })
}

pub(super) fn public_url(random: &mut Random) -> Harmless {
    let (part, thing, number) = (
        random.pick(PARTS),
        random.pick(THINGS),
        random.between(1, 900),
    );
    Harmless::word(match random.below(7) {
        0 => format!("https://api.example.com/v1/{part}?page={number}&sort=name&order=asc"),
        1 => format!("https://docs.example.com/errors/{thing}#section-{number}"),
        2 => format!("https://github.com/modelcontextprotocol/{part}/issues/{number}"),
        3 => "https://www.rfc-editor.org/rfc/rfc9457.html".to_owned(),
        4 => format!("https://example.org/{part}/{thing}.html?utm_source=mail&lang=de"),
        5 => format!("wss://stream.example.com/{part}?v=2"),
        _ => format!("https://en.wikipedia.org/wiki/Special:Search?search={thing}+{part}"),
    })
}

/// These are public.
pub(super) fn public_host(random: &mut Random) -> Harmless {
    let thing = random.pick(THINGS);
    Harmless::word(match random.below(3) {
        0 => "api.github.com".to_owned(),
        1 => format!("{thing}.example.com"),
        _ => format!("www.{thing}-shop.co.uk"),
    })
}

pub(super) fn mime(random: &mut Random) -> Harmless {
    let kind = random.pick(&[
        "application/json; charset=utf-8",
        "text/event-stream",
        "application/vnd.github+json",
        "multipart/form-data; boundary=----x7a",
        "image/svg+xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/problem+json",
    ]);
    match random.below(3) {
        0 => Harmless::line(format!("Content-Type: {kind}")),
        1 => Harmless::line(format!("415 Unsupported Media Type: {kind}")),
        _ => Harmless::word(kind.to_owned()),
    }
}

pub(super) fn pointer(random: &mut Random) -> Harmless {
    let (part, thing, number) = (
        random.pick(PARTS),
        random.pick(THINGS),
        random.between(0, 40),
    );
    let pointer = match random.below(4) {
        0 => format!("/{part}/{number}/{thing}"),
        1 => format!("#/properties/{part}/items/{thing}"),
        2 => format!("/{thing}/lines/{number}/a~1b"),
        _ => format!("/params/{thing}"),
    };
    Harmless::line(match random.below(4) {
        0 => format!("at {pointer}: expected a number, got a string"),
        1 => json!({"pointer": pointer, "keyword": "type"}).to_string(),
        2 => format!("'{pointer}' is required"),
        _ => format!("value at {pointer} must be one of [\"a\", \"b\"]"),
    })
}

/// What protocols say about credentials without showing any.
pub(super) fn challenge(random: &mut Random) -> Harmless {
    let part = random.pick(PARTS);
    Harmless::line(match random.below(7) {
        0 => format!("WWW-Authenticate: Bearer realm=\"{part}\", error=\"invalid_token\""),
        1 => "401 Unauthorized: the Authorization header is missing".to_owned(),
        2 => format!("Basic authentication is not supported by {part}"),
        3 => "Use 'Authorization: Bearer <token>' to sign in".to_owned(),
        4 => "error=invalid_grant&error_description=The+code+has+expired".to_owned(),
        5 => "Bearer tokens are accepted, cookies are not".to_owned(),
        _ => "the cookie has no SameSite attribute".to_owned(),
    })
}

pub(super) fn header(random: &mut Random) -> Harmless {
    let count = random.between(2, 900);
    Harmless::line(match random.below(6) {
        0 => format!(
            "X-RateLimit-Remaining: 0, X-RateLimit-Reset: 17{}",
            random.digits(8)
        ),
        1 => format!("Retry-After: {count}"),
        2 => "Cache-Control: no-store, max-age=0".to_owned(),
        3 => format!("Content-Length: {count}"),
        4 => "Accept-Language: de-CH, de;q=0.9, en;q=0.5".to_owned(),
        _ => "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
            .to_owned(),
    })
}

pub(super) fn json_rpc(random: &mut Random) -> Harmless {
    let (part, number) = (random.pick(PARTS), random.between(1, 900));
    Harmless::line(match random.below(6) {
        0 => json!({"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "Method not found"}}).to_string(),
        1 => format!("MCP error -32602: Invalid arguments for tool get_{part}"),
        2 => json!({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": format!("list_{part}")}}).to_string(),
        3 => format!("JSON-RPC batch of {number} requests is not supported since 2025-06-18"),
        4 => format!("HTTP {} from the upstream", random.pick(&["429", "502", "503", "504"])),
        _ => format!("Unknown tool: get_{part}"),
    })
}
