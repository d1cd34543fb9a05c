//! Bodies that are not an answer, or too big.

use std::io;

use serde_json::json;

use crate::faulty_http::exchange::{Exchange, Then, head, response};

use super::statuses::page;

pub(super) const JSON: &[(&str, &str)] = &[("Content-Type", "application/json")];

pub(super) fn wrong_id(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let mut answer = exchange.right();
    answer["id"] = json!(987_654_321);
    exchange.respond("200 OK", &[], &answer)
}

pub(super) fn id_of_another_type(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let mut answer = exchange.right();
    answer["id"] = answer["id"].to_string().into();
    exchange.respond("200 OK", &[], &answer)
}

pub(super) fn bytes(exchange: &mut Exchange<'_>, status: &str, body: &[u8]) -> io::Result<Then> {
    exchange.say(response(status, JSON, body))?;
    Ok(Then::Next)
}

pub(super) fn html_as_json(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    bytes(exchange, "200 OK", page("200 OK").as_bytes())
}

pub(super) fn half(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let mut answer = exchange.right().to_string();
    answer.truncate(answer.len() / 2);
    bytes(exchange, "200 OK", answer.as_bytes())
}

pub(super) fn no_content(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say(head("204 No Content", &[]))?;
    Ok(Then::Next)
}

pub(super) fn wrong_type(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let answer = exchange.right().to_string();
    let text = [("Content-Type", "text/plain")];
    exchange.say(response("200 OK", &text, answer.as_bytes()))?;
    Ok(Then::Next)
}

pub(super) fn invalid_utf8(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let answer = exchange.right().to_string();
    let answer = answer.bytes();
    let broken = answer.map(|byte| if byte == b'h' { 0xff } else { byte });
    bytes(exchange, "200 OK", &broken.collect::<Vec<_>>())
}

pub(super) fn deep(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let depth = usize::try_from(exchange.number("depth", 100_000)).unwrap_or(usize::MAX);
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    let id = exchange.id();
    let result = format!(r#"{{"content":[],"structuredContent":{open}{close}}}"#);
    let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#);
    bytes(exchange, "200 OK", answer.as_bytes())
}

/// A stored block, which needs no compressor.
pub(super) fn gzip(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let answer = exchange.right().to_string();
    let length = u16::try_from(answer.len()).unwrap_or(u16::MAX);
    let mut all = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1];
    all.extend(length.to_le_bytes());
    all.extend((!length).to_le_bytes());
    all.extend(answer.bytes());
    all.extend(checksum(answer.as_bytes()).to_le_bytes());
    all.extend(u32::from(length).to_le_bytes());
    let headers = [JSON, &[("Content-Encoding", "gzip")]].concat();
    exchange.say(response("200 OK", &headers, &all))?;
    Ok(Then::Next)
}

fn checksum(bytes: &[u8]) -> u32 {
    let sum = bytes.iter().fold(!0, |sum: u32, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ if sum & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    });
    !sum
}

pub(super) fn huge(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let bytes = exchange.number("bytes", 1 << 30);
    let chunked = [("Transfer-Encoding", "chunked")];
    exchange.say(head("200 OK", &[JSON, &chunked].concat()))?;
    let front = front(exchange);
    exchange.say(format!("{:x}\r\n{front}\r\n{bytes:x}\r\n", front.len()))?;
    exchange.pour(bytes)?;
    exchange.say(format!("\r\n{:x}\r\n{BACK}\r\n0\r\n\r\n", BACK.len()))?;
    Ok(Then::Next)
}

pub(super) fn huge_length(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let bytes = exchange.number("bytes", 1 << 30);
    announced(exchange, bytes)
}

pub(super) fn huge_answer(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let bytes = exchange.number("bytes", 50_000_000);
    announced(exchange, bytes)
}

fn announced(exchange: &mut Exchange<'_>, bytes: u64) -> io::Result<Then> {
    let front = front(exchange);
    let length = (front.len() + BACK.len()) as u64 + bytes;
    let length = length.to_string();
    exchange.say(head(
        "200 OK",
        &[JSON, &[("Content-Length", &length)]].concat(),
    ))?;
    exchange.say(front)?;
    exchange.pour(bytes)?;
    exchange.say(BACK)?;
    Ok(Then::Next)
}

fn front(exchange: &Exchange<'_>) -> String {
    let id = exchange.id();
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":""#)
}

const BACK: &str = r#""}]}}"#;
