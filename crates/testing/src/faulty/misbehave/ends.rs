//! Ends: of the process, of its output, and processes that do not end with it.

use std::fs::OpenOptions;
use std::io;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::faulty::call::{Call, said, told};
use crate::faulty::server::Server;
use crate::faulty::{out, start, trail};

#[expect(
    clippy::exit,
    reason = "ending in the middle of things is what it is asked for"
)]
pub(in crate::faulty) fn exit(code: i32) {
    std::process::exit(code)
}

pub(super) fn answer_then_exit(server: &Server, call: &Call) {
    server.reply(call, said("goodbye"));
    exit(0);
}

pub(super) fn killed() {
    let me = std::process::id().to_string();
    let kill = Command::new("sh")
        .args(["-c", r#"kill -KILL "$0""#, &me])
        .status();
    out::complain(&format!("still alive: {kill:?}"));
    start::forever();
}

/// The reader sees the end of the stream when the last descriptor of the pipe is closed, and this is the only one.
pub(super) fn close_stdout(server: &Server) {
    let replaced = OpenOptions::new()
        .write(true)
        .open("/dev/null")
        .and_then(|nowhere| Ok(rustix::stdio::dup2_stdout(nowhere)?));
    if let Err(error) = replaced {
        out::complain(&format!("standard output stays open: {error}"));
    }
    server.board.note(|notes| notes.stuck = true);
}

pub(super) fn grandchild(server: &Server, call: &Call) {
    match spawn(server) {
        Ok(pid) => server.reply(call, told(&json!({"pid": pid}))),
        Err(error) => call.fail(-32603, &error.to_string()),
    }
}

pub(super) fn grandchild_then_exit(server: &Server, _: &Call) {
    if let Err(error) = spawn(server) {
        out::complain(&error.to_string());
        start::forever();
    }
    exit(0);
}

/// A process that nothing but SIGKILL ends, for as long as any test could take.
fn spawn(server: &Server) -> io::Result<u32> {
    let child = Command::new("sh")
        .args(["-c", r#"trap "" TERM INT HUP; exec sleep 300"#])
        .stdin(Stdio::null())
        .spawn()?;
    trail::leave(server.options.trail.as_deref(), child.id());
    Ok(child.id())
}
