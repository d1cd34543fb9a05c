//! Bytes that are no line, no text or no JSON of a sensible kind.

use std::io::{self, Write};
use std::time::Duration;

use crate::faulty::call::{Call, said};
use crate::faulty::out;
use crate::faulty::server::Server;
use crate::faulty::start::{forever, pause_for};

use super::ends::exit;

pub(super) fn half_then_exit(_: &Server, call: &Call) {
    out::raw(half(call).as_bytes());
    exit(0);
}

/// Holds the lock of the output for ever, so that nothing more is written.
pub(super) fn half_then_silence(server: &Server, call: &Call) {
    let _mouth = io::stdout().lock();
    out::raw(half(call).as_bytes());
    server.board.note(|notes| notes.stuck = true);
    forever();
}

pub(super) fn behind_half_a_line(_: &Server, call: &Call) {
    let half = r#"{"jsonrpc":"2.0","id":987654321,"result":{"content":[{"text":"said in h"#;
    out::raw(format!("{half}{}\n", whole(call)).as_bytes());
}

pub(super) fn behind_words(_: &Server, call: &Call) {
    out::raw(format!("[INFO] ready: {}\n", whole(call)).as_bytes());
}

pub(super) fn no_newline_then_exit(_: &Server, call: &Call) {
    out::raw(whole(call).as_bytes());
    exit(0);
}

pub(super) fn huge_id_first(_: &Server, call: &Call) {
    let front = format!(r#"{{"jsonrpc":"2.0","id":{},"#, call.id);
    let _gone = huge(call, &front, "}");
}

pub(super) fn huge_id_last(_: &Server, call: &Call) {
    let end = format!(r#","id":{}}}"#, call.id);
    let _gone = huge(call, r#"{"jsonrpc":"2.0","#, &end);
}

/// A line that is made while it is written, so that we stay small ourselves.
fn huge(call: &Call, front: &str, end: &str) -> io::Result<()> {
    let mut left = call.size("bytes", 1 << 30);
    let chunk = vec![b'a'; 1 << 16];
    let mut stdout = io::stdout().lock();
    write!(
        stdout,
        r#"{front}"result":{{"content":[{{"type":"text","text":""#
    )?;
    while left > 0 {
        let now = left.min(chunk.len());
        stdout.write_all(&chunk[..now])?;
        left -= now;
    }
    writeln!(stdout, r#""}}]}}{end}"#)?;
    stdout.flush()
}

pub(super) fn garbage_around(server: &Server, call: &Call) {
    const GARBAGE: &[u8] = b"INFO started\n\n{\n[]\n{}\n42\nnull\n\"text\"\n{\"jsonrpc\":\"2.0\"}\n\xff\xfe\n{\"id\":\"nobody\"}\n";
    out::raw(GARBAGE);
    server.reply(call, said("in the middle of it"));
    out::raw(GARBAGE);
}

pub(super) fn noise_with_ids(server: &Server, call: &Call) {
    for id in 0..=call.id.as_u64().unwrap_or_default() {
        out::raw(format!("{{\"id\":{id},\"name\":\"Ada\"}}\n").as_bytes());
    }
    let id = &call.id;
    let noise = format!(
        r#"{{"level":"info","msg":"<- request","id":{id},"method":"tools/call"}}
INFO handling {{"id": {id}, "tool": "misbehave"}}
"#
    );
    out::raw(noise.as_bytes());
    server.reply(call, said("in spite of it"));
}

pub(super) fn broken_over_lines(_: &Server, call: &Call) {
    let answer = call.answer(said("a\nb"));
    let mut pretty = serde_json::to_string_pretty(&answer).expect("a value is JSON");
    pretty.push('\n');
    out::raw(pretty.as_bytes());
}

pub(super) fn carriage_return(_: &Server, call: &Call) {
    out::raw(format!("{}\r\n", whole(call)).as_bytes());
}

pub(super) fn drip(_: &Server, call: &Call) {
    let line = format!("{}\n", whole(call));
    let _gone = drop_by_drop(call, line.bytes());
}

pub(super) fn drip_without_end(server: &Server, call: &Call) {
    let _mouth = io::stdout().lock();
    server.board.note(|notes| notes.stuck = true);
    let _gone = drop_by_drop(call, half(call).bytes().chain(std::iter::repeat(b'a')));
}

fn drop_by_drop(call: &Call, bytes: impl Iterator<Item = u8>) -> io::Result<()> {
    let pause = Duration::from_millis(call.number("ms", 10));
    let mut stdout = io::stdout().lock();
    for byte in bytes {
        stdout.write_all(&[byte])?;
        stdout.flush()?;
        pause_for(pause);
    }
    Ok(())
}

pub(super) fn invalid_utf8(_: &Server, call: &Call) {
    let line = format!("{}\n", call.answer(said("?")));
    let bytes: Vec<_> = line
        .bytes()
        .map(|byte| if byte == b'?' { 0xff } else { byte })
        .collect();
    out::raw(&bytes);
}

pub(super) fn deep(_: &Server, call: &Call) {
    let depth = call.size("depth", 100_000);
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    let id = &call.id;
    let content = r#""content":[],"structuredContent":"#;
    let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{{content}{open}{close}}}}}"#);
    out::raw(format!("{line}\n").as_bytes());
}

pub(super) fn two_ids(_: &Server, call: &Call) {
    let twice = whole(call).replacen('{', r#"{"id":987654321,"#, 1);
    out::raw(format!("{twice}\n").as_bytes());
}

fn whole(call: &Call) -> String {
    call.answer(said("said in full")).to_string()
}

/// Up to somewhere inside the text; the id is there already.
fn half(call: &Call) -> String {
    let content = r#""content":[{"type":"text","text":"said in h"#;
    let id = &call.id;
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{{content}"#)
}
