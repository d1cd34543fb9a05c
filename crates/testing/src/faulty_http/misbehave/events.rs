//! Streams of events, whole and broken.

use std::io;
use std::time::Duration;

use serde_json::{Value, json};

use crate::faulty_http::exchange::{Exchange, Then, head, pause_for};

/// The headers of a stream.
pub(in crate::faulty_http) const EVENTS: &[(&str, &str)] = &[
    ("Content-Type", "text/event-stream"),
    ("Cache-Control", "no-cache"),
    ("Transfer-Encoding", "chunked"),
];
const END: &[u8] = b"0\r\n\r\n";

/// The bytes of a chunk.
pub(in crate::faulty_http) fn chunk(bytes: &[u8]) -> Vec<u8> {
    let size = format!("{:x}\r\n", bytes.len());
    [size.as_bytes(), bytes, b"\r\n"].concat()
}

pub(super) fn plain(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let events = event(&exchange.right());
    stream(exchange, events.as_bytes())
}

pub(super) fn odd(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let answer = exchange.right().to_string();
    let (front, back) = answer.split_at(answer.find(',').unwrap_or_default() + 1);
    let text = format!(
        "\u{feff}: hello\r\n\r\nid\rcolour: green\rretry: soon\revent: message\r\
         data:{front}\rdata:{back}\r\rdata\n\n"
    );
    stream(exchange, text.as_bytes())
}

pub(super) fn half(exchange: &mut Exchange<'_>, then: Then) -> io::Result<Then> {
    let half = half_an_event(exchange);
    exchange.say(head("200 OK", EVENTS))?;
    exchange.say(chunk(half.as_bytes()))?;
    Ok(then)
}

pub(super) fn unended(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let half = half_an_event(exchange);
    stream(exchange, half.as_bytes())
}

pub(super) fn without_answer(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let log = event(&log("no more than this"));
    stream(exchange, log.as_bytes())
}

pub(super) fn garbage(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    const GARBAGE: &[u8] =
        b"data: {\n\nnonsense\n\ndata: []\n\ndata: {}\n\ndata: 42\n\ndata: null\n\n\
        data: {\"jsonrpc\":\"2.0\"}\n\ndata: \xff\xfe\n\n\xff\xfe\n\ndata: {\"id\":\"unknown\"}\n\n";
    let answer = event(&exchange.right());
    let all = [GARBAGE, answer.as_bytes(), GARBAGE].concat();
    stream(exchange, &all)
}

pub(super) fn huge(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let bytes = exchange.number("bytes", 1 << 30);
    exchange.say(head("200 OK", EVENTS))?;
    exchange.say(chunk(half_an_event(exchange).as_bytes()))?;
    exchange.say(format!("{bytes:x}\r\n"))?;
    exchange.pour(bytes)?;
    exchange.say("\r\n")?;
    exchange.say(END)?;
    Ok(Then::Next)
}

pub(super) fn endless_comments(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let pause = Duration::from_millis(exchange.number("ms", 10));
    exchange.say(head("200 OK", EVENTS))?;
    while !exchange.hub.is_over() {
        exchange.say(chunk(b": still here\n\n"))?;
        pause_for(pause);
    }
    Ok(Then::Close)
}

pub(super) fn silent(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say(head("200 OK", EVENTS))?;
    Ok(Then::Hold)
}

pub(super) fn twice(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let twice = event(&exchange.right()).repeat(2);
    stream(exchange, twice.as_bytes())
}

pub(super) fn wrong_id(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let mut answer = exchange.right();
    answer["id"] = json!(987_654_321);
    stream(exchange, event(&answer).as_bytes())
}

pub(super) fn invalid_utf8(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let text = event(&exchange.right());
    let bytes: Vec<_> = text
        .bytes()
        .map(|byte| if byte == b'h' { 0xff } else { byte })
        .collect();
    stream(exchange, &bytes)
}

pub(super) fn progress(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let token = exchange.message["params"]["_meta"]["progressToken"].clone();
    let mut text = String::new();
    for step in 1..=3 {
        let params = json!({"progressToken": token, "progress": step, "total": 3});
        text += &event(
            &json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}),
        );
    }
    text += &event(&exchange.right());
    stream(exchange, text.as_bytes())
}

pub(super) fn flood(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    let line = chunk(event(&log(&"x".repeat(100))).as_bytes());
    exchange.say(head("200 OK", EVENTS))?;
    for _ in 0..exchange.number("count", 10_000) {
        exchange.say(&line)?;
    }
    exchange.say(chunk(event(&exchange.right()).as_bytes()))?;
    exchange.say(END)?;
    Ok(Then::Next)
}

pub(super) fn stay_open(exchange: &mut Exchange<'_>) -> io::Result<Then> {
    exchange.say(head("200 OK", EVENTS))?;
    exchange.say(chunk(event(&exchange.right()).as_bytes()))?;
    Ok(Then::Hold)
}

/// The end of a stream in the middle of a call, by a server that lets its clients come back.
pub(super) fn cut_with_id(exchange: &mut Exchange<'_>, is_kept: bool) -> io::Result<Then> {
    let id = format!("after-{}", exchange.key());
    if is_kept {
        let answer = exchange.right();
        exchange
            .hub
            .note(|notes| notes.resumable.insert(id.clone(), answer));
    }
    let text = format!("id: {id}\nretry: 10\ndata:\n\n");
    stream(exchange, text.as_bytes())
}

/// A whole stream.
fn stream(exchange: &mut Exchange<'_>, events: &[u8]) -> io::Result<Then> {
    exchange.say(head("200 OK", EVENTS))?;
    exchange.say(chunk(events))?;
    exchange.say(END)?;
    Ok(Then::Next)
}

fn event(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}

fn half_an_event(exchange: &Exchange<'_>) -> String {
    let id = exchange.id();
    format!(
        "data: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"said in h"
    )
}

fn log(data: &str) -> Value {
    let params = json!({"level": "info", "data": data});
    json!({"jsonrpc": "2.0", "method": "notifications/message", "params": params})
}
