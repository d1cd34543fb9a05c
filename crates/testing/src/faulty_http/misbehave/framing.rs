//! Heads, lengths and chunks that are slow, wrong or none.

use std::io;
use std::iter::repeat_n;

use crate::faulty_http::exchange::{Exchange, Then, head, response};

use super::bodies::JSON;
use super::events::chunk;

const CHUNKED: &[(&str, &str)] = &[
    ("Content-Type", "application/json"),
    ("Transfer-Encoding", "chunked"),
];

pub(super) fn slow_head(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let body = exchange.right().to_string();
    let length = body.len().to_string();
    let head = head("200 OK", &[JSON, &[("Content-Length", &length)]].concat());
    exchange.drip(head.into_iter())?;
    exchange.say(body)?;
    Ok(Then::Next)
}

pub(super) fn endless_head(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say("HTTP/1.1 200 OK\r\nX-Endless: ")?;
    exchange.drip(std::iter::repeat(b'a'))?;
    Ok(Then::Close)
}

pub(super) fn slow_body(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let body = exchange.right().to_string();
    let length = body.len().to_string();
    exchange.say(head(
        "200 OK",
        &[JSON, &[("Content-Length", &length)]].concat(),
    ))?;
    exchange.drip(body.into_bytes().into_iter())?;
    Ok(Then::Next)
}

/// White space before an answer that never comes, in chunks of one byte.
pub(super) fn endless_body(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say(head("200 OK", CHUNKED))?;
    let chunks = std::iter::repeat(*b"1\r\n \r\n");
    exchange.drip(chunks.flatten())?;
    Ok(Then::Close)
}

/// A length that is off by so much.
pub(super) fn length(exchange: &mut Exchange<'_>, off: i64, then: Then) -> io::Result<Then> {
    let body = exchange.right().to_string();
    let length = i64::try_from(body.len()).unwrap_or_default() + off;
    let length = length.to_string();
    let headers = [JSON, &[("Content-Length", &length)]].concat();
    exchange.say([&head("200 OK", &headers), body.as_bytes()].concat())?;
    Ok(then)
}

/// Other lengths than the right one.
pub(super) fn lengths(exchange: &mut Exchange<'_>, lengths: &[&str]) -> io::Result<Then> {
    let body = exchange.right().to_string();
    let lengths = lengths.iter().map(|length| ("Content-Length", *length));
    let headers: Vec<_> = JSON.iter().copied().chain(lengths).collect();
    exchange.say([&head("200 OK", &headers), body.as_bytes()].concat())?;
    Ok(Then::Close)
}

pub(super) fn bad_chunk_size(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let body = exchange.right().to_string();
    exchange.say(head("200 OK", CHUNKED))?;
    exchange.say(format!("lots\r\n{body}\r\n0\r\n\r\n"))?;
    Ok(Then::Close)
}

pub(super) fn chunk_too_long(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let body = exchange.right().to_string();
    exchange.say(head("200 OK", CHUNKED))?;
    exchange.say(format!("5\r\n{body}\r\n0\r\n\r\n"))?;
    Ok(Then::Close)
}

pub(super) fn no_last_chunk(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let body = exchange.right().to_string();
    exchange.say(head("200 OK", CHUNKED))?;
    exchange.say(chunk(body.as_bytes()))?;
    Ok(Then::Close)
}

pub(super) fn until_close(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let body = exchange.right().to_string();
    exchange.say([&head("200 OK", JSON), body.as_bytes()].concat())?;
    Ok(Then::Close)
}

pub(super) fn old_version(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let body = exchange.right().to_string();
    let mut all = response("200 OK", JSON, body.as_bytes());
    all[..8].copy_from_slice(b"HTTP/1.0");
    exchange.say(all)?;
    Ok(Then::Close)
}

pub(super) fn bad_status_line(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say("HTTP/1.1 fine\r\nContent-Length: 0\r\n\r\n")?;
    Ok(Then::Close)
}

pub(super) fn not_http(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say("SSH-2.0-OpenSSH_9.9\r\n")?;
    Ok(Then::Close)
}

pub(super) fn many_headers(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let count = usize::try_from(exchange.number("count", 10_000)).unwrap_or(usize::MAX);
    let headers = repeat_n(("X-Many", "one of them"), count);
    let headers: Vec<_> = JSON.iter().copied().chain(headers).collect();
    let body = exchange.right().to_string();
    exchange.say(response("200 OK", &headers, body.as_bytes()))?;
    Ok(Then::Next)
}

pub(super) fn interim(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say("HTTP/1.1 100 Continue\r\n\r\n")?;
    exchange.say("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")?;
    let body = exchange.right().to_string();
    exchange.say(response("200 OK", JSON, body.as_bytes()))?;
    Ok(Then::Next)
}

pub(super) fn endless_interim(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let again = std::iter::repeat(*b"HTTP/1.1 100 Continue\r\n\r\n");
    exchange.drip(again.flatten())?;
    Ok(Then::Close)
}

pub(super) fn switching_protocols(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let headers = [("Connection", "Upgrade"), ("Upgrade", "tea")];
    exchange.say(head("101 Switching Protocols", &headers))?;
    Ok(Then::Hold)
}
