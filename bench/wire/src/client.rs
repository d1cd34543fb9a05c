//! The client that measures: one thread, one pipe each way, nothing in between.

use std::collections::VecDeque;
use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use memchr::memchr;
use serde::Deserialize;

use crate::load::Call;

/// A server that runs, and our end of its pipes. Dropping it ends it.
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    buffer: Vec<u8>,
    /// What of the buffer was read and not looked at.
    filled: usize,
    next: u64,
}

impl Session {
    /// Starts a server and waits until it has answered the handshake.
    pub(crate) fn start(command: &[&str]) -> io::Result<Self> {
        let (program, args) = command.split_first().expect("a command has a program");
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("piped just above");
        let mut session = Self {
            child,
            input,
            output,
            buffer: vec![0; 256 << 10],
            filled: 0,
            next: 0,
        };
        let id = session.send("initialize", HELLO)?;
        session.answer(id, 0)?;
        session.write(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
        Ok(session)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// One call, from the request to the whole of its answer.
    pub(crate) fn call(&mut self, call: &Call) -> io::Result<Duration> {
        let begun = Instant::now();
        let id = self.send("tools/call", &call.params)?;
        self.answer(id, call.size)?;
        Ok(begun.elapsed())
    }

    /// So many calls with so many in flight: whenever an answer is there, the next call goes out.
    pub(crate) fn flood(&mut self, call: &Call, calls: u32, at_once: u32) -> io::Result<Duration> {
        let begun = Instant::now();
        let mut open = VecDeque::new();
        for _ in 0..at_once.min(calls) {
            open.push_back(self.send("tools/call", &call.params)?);
        }
        for sent in at_once..calls + at_once {
            // Not in the order of the calls: servers answer in theirs.
            let id = self.next_answer(call.size)?;
            let at = open.iter().position(|&other| other == id);
            let at = at.ok_or_else(|| wrong("an answer to nothing"))?;
            open.swap_remove_back(at);
            if sent < calls {
                open.push_back(self.send("tools/call", &call.params)?);
            }
            if open.is_empty() {
                break;
            }
        }
        Ok(begun.elapsed())
    }

    fn send(&mut self, method: &str, params: &str) -> io::Result<u64> {
        let id = self.next;
        self.next += 1;
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        self.write(line.as_bytes())?;
        Ok(id)
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().expect("open until dropped");
        input.write_all(&[line, b"\n"].concat())
    }

    fn answer(&mut self, id: u64, size: usize) -> io::Result<()> {
        match self.next_answer(size)? {
            answered if answered == id => Ok(()),
            _ => Err(wrong("the answer to another request")),
        }
    }

    /// Reads up to an answer, which has to be a result of at least so many bytes, and gives its id.
    fn next_answer(&mut self, size: usize) -> io::Result<u64> {
        loop {
            let end = self.line()?;
            let line = &self.buffer[..end];
            let id = result_id(line).or_else(|| any_result_id(line));
            let id = id.filter(|_| end >= size);
            let is_answer = id.is_some() || !is_told(line);
            let shown = || String::from_utf8_lossy(&line[..end.min(300)]).into_owned();
            let id = id.ok_or_else(|| wrong(&shown()));
            self.buffer.copy_within(end + 1..self.filled, 0);
            self.filled -= end + 1;
            if is_answer {
                return id;
            }
        }
    }

    /// Reads a line to the start of the buffer, and says where it ends.
    fn line(&mut self) -> io::Result<usize> {
        let mut seen = 0;
        loop {
            if let Some(at) = memchr(b'\n', &self.buffer[seen..self.filled]) {
                return Ok(seen + at);
            }
            seen = self.filled;
            if seen == self.buffer.len() {
                return Err(wrong("an answer that is too long"));
            }
            match self.output.read(&mut self.buffer[seen..])? {
                0 => return Err(wrong("the end of the server")),
                read => self.filled += read,
            }
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The end of its input is the polite way, and both kinds of server follow it at once.
        drop(self.input.take());
        // A server that has ended is what we want.
        let _ = self.child.wait();
    }
}

/// The id of a line that is a result and no failure, as most servers write it.
fn result_id(line: &[u8]) -> Option<u64> {
    let rest = line.strip_prefix(br#"{"jsonrpc":"2.0","id":"#)?;
    let end = memchr(b',', rest)?;
    rest[end..].strip_prefix(br#","result":{"#)?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

/// The same, however it is written.
fn any_result_id(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Answer {
        id: u64,
        #[serde(rename = "result")]
        _result: serde::de::IgnoredAny,
    }
    let answer: Answer = serde_json::from_slice(line).ok()?;
    Some(answer.id)
}

/// Whether a line is something a server says of its own accord.
fn is_told(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Told {
        #[serde(rename = "method")]
        _method: serde::de::IgnoredAny,
    }
    serde_json::from_slice::<Told>(line).is_ok()
}

fn wrong(what: &str) -> io::Error {
    io::Error::other(format!("instead of a result there came {what}"))
}

const HELLO: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}"#;
