//! Too many valid messages.

use std::io::{self, Write as _};

use serde_json::json;

use crate::faulty::call::{Call, notify, said};
use crate::faulty::server::Server;

pub(super) fn huge_answer(server: &Server, call: &Call) {
    server.reply(call, said(&"a".repeat(call.size("bytes", 50_000_000))));
}

pub(super) fn notifications(server: &Server, call: &Call) {
    let data = "x".repeat(call.size("size", 100));
    for number in 0..call.number("count", 10_000) {
        let params = json!({"level": "info", "logger": number.to_string(), "data": data});
        notify("notifications/message", &params);
    }
    server.reply(call, said("that was all"));
}

pub(super) fn stderr(server: &Server, call: &Call, piece: &[u8]) {
    let _gone = pour(call.size("bytes", 10_000_000), piece);
    server.reply(call, said("that was all"));
}

fn pour(mut left: usize, piece: &[u8]) -> io::Result<()> {
    let chunk = piece.repeat(4096);
    let mut stderr = io::stderr().lock();
    while left > 0 {
        let now = left.min(chunk.len());
        stderr.write_all(&chunk[..now])?;
        left -= now;
    }
    stderr.flush()
}
