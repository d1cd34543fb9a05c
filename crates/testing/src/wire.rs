//! A client without a library: lines to a command, lines from it, and a limit to every wait.
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

use std::fmt;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// How long a test waits for anything before it gives up. A gigabyte through an unoptimised binary takes ten seconds on
/// an idle machine, and machines are not idle.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// How long a command that is dropped has to end: several times what a gateway gives its own child.
const GRACE: Duration = Duration::from_secs(20);

/// A running command and the far end of its pipes. Dropping it ends the command, and gives it the time to end what it
/// has started: a gateway that is killed cannot.
#[derive(Debug)]
pub struct Wire {
    pid: u32,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    stderr: Receiver<Vec<u8>>,
    status: Receiver<ExitStatus>,
    ended: Option<ExitStatus>,
    seen: Vec<Vec<u8>>,
    is_mute: bool,
}

/// All that a command wrote in its life.
#[non_exhaustive]
pub struct Seen {
    /// What it wrote on standard output, line by line, without the ends of lines.
    pub lines: Vec<Vec<u8>>,
    /// What it wrote on standard error.
    pub stderr: String,
    /// How it ended.
    pub status: ExitStatus,
}

impl Wire {
    /// Starts the command.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let stdout = child.stdout.take().expect("piped just above");
        let stderr = child.stderr.take().expect("piped just above");
        Self {
            pid: child.id(),
            stdin: child.stdin.take(),
            lines: lines(stdout),
            stderr: all(stderr),
            status: status(child),
            ended: None,
            seen: Vec::new(),
            is_mute: false,
        }
    }

    /// Leaves questions without an answer from now on.
    pub fn mute(&mut self) {
        self.is_mute = true;
    }

    /// The id of the process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Sends bytes as they are. A command that stopped reading does not fail the test.
    pub fn raw(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _gone = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Sends a message; `jsonrpc` is added.
    pub fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = "2.0".into();
        self.raw(format!("{message}\n").as_bytes());
    }

    /// Sends a request.
    pub fn ask(&mut self, id: impl Into<Value>, method: &str, params: &Value) {
        self.send(json!({"id": id.into(), "method": method, "params": params}));
    }

    /// Sends the call of a tool.
    pub fn call(&mut self, id: impl Into<Value>, tool: &str, arguments: &Value) {
        let params = json!({"name": tool, "arguments": arguments});
        self.ask(id, "tools/call", &params);
    }

    /// The handshake of the legacy era, with id 0 and a client that can do everything, and the answer to it.
    ///
    /// # Panics
    /// When no answer comes.
    pub fn initialize(&mut self) -> Value {
        self.initialize_as(0)
    }

    /// The same with another id, for a second attempt.
    ///
    /// # Panics
    /// When no answer comes.
    pub fn initialize_as(&mut self, id: u64) -> Value {
        let capabilities =
            json!({"roots": {"listChanged": true}, "sampling": {}, "elicitation": {}});
        let info = json!({"name": "breakfall-tests", "version": "1.0.0"});
        let params = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info});
        self.ask(id, "initialize", &params);
        let answer = self.answer(id);
        self.send(json!({"method": "notifications/initialized"}));
        answer
    }

    /// Waits for the answer to an id. Lines before it are kept; questions among them get an empty result.
    ///
    /// # Panics
    /// When it does not come.
    pub fn answer(&mut self, id: impl Into<Value>) -> Value {
        let id = id.into();
        self.answer_if_any(id.clone())
            .unwrap_or_else(|| panic!("no answer to {id}: {}", self.shown()))
    }

    /// The same; none if the command ends before, or takes too long.
    pub fn answer_if_any(&mut self, id: impl Into<Value>) -> Option<Value> {
        let id = id.into();
        self.find(|message| is_answer(message, &id))
    }

    /// The answer to an id, if it has come already.
    pub fn heard(&self, id: impl Into<Value>) -> Option<Value> {
        let id = id.into();
        messages(&self.seen).find(|message| is_answer(message, &id))
    }

    /// Waits for a message of a method.
    ///
    /// # Panics
    /// When it does not come.
    pub fn message(&mut self, method: &str) -> Value {
        self.find(|message| message["method"] == method)
            .unwrap_or_else(|| panic!("no {method}: {}", self.shown()))
    }

    /// The first message of that kind among those seen and those to come.
    fn find(&mut self, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        let before = messages(&self.seen).find(&wanted);
        if before.is_some() {
            return before;
        }
        while let Some(line) = self.line() {
            let message = serde_json::from_slice(&line).ok();
            if let Some(found) = message.filter(&wanted) {
                return Some(found);
            }
        }
        None
    }

    /// Waits for the next line, whatever it is; none if there is no more, or it takes too long. Questions are answered.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        let line = self.lines.recv_timeout(PATIENCE).ok()?;
        if !self.is_mute
            && let Ok(message) = serde_json::from_slice::<Value>(&line)
            && message.get("method").is_some()
            && let Some(id) = message.get("id")
        {
            self.send(json!({"id": id, "result": {"model": "tests"}}));
        }
        self.seen.push(line.clone());
        Some(line)
    }

    /// Ends its input.
    pub fn hang_up(&mut self) {
        self.stdin = None;
    }

    /// Ends its input and waits until the command has ended by itself.
    ///
    /// # Panics
    /// When it does not.
    pub fn close(&mut self) -> ExitStatus {
        self.hang_up();
        self.wait()
    }

    /// Waits until the command has ended.
    ///
    /// # Panics
    /// When it does not.
    pub fn wait(&mut self) -> ExitStatus {
        if let Some(status) = self.ended {
            return status;
        }
        let Ok(status) = self.status.recv_timeout(PATIENCE) else {
            panic!("it does not end: {}", self.shown())
        };
        self.ended = Some(status);
        status
    }

    /// Kills the command.
    pub fn kill(&mut self) {
        self.signal("KILL");
    }

    fn signal(&mut self, name: &str) {
        if !self.has_ended() {
            let _gone = Command::new("sh")
                .args(["-c", r#"kill -"$1" "$0""#, &self.pid.to_string(), name])
                .stderr(Stdio::null())
                .status();
        }
    }

    fn has_ended(&mut self) -> bool {
        self.ended = self.ended.or_else(|| self.status.try_recv().ok());
        self.ended.is_some()
    }

    /// Closes it, and all that it said.
    ///
    /// # Panics
    /// When it does not end, or something else keeps its output open.
    pub fn end(mut self) -> Seen {
        let status = self.close();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => self.seen.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("its output stays open"),
            }
        }
        let stderr = self.stderr.recv_timeout(PATIENCE);
        let stderr = stderr.expect("its errors end with it");
        Seen {
            lines: std::mem::take(&mut self.seen),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
            status,
        }
    }

    fn shown(&self) -> String {
        shown(&self.seen)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.hang_up();
        self.signal("TERM");
        if self.ended.is_none() {
            self.ended = self.status.recv_timeout(GRACE).ok();
        }
        self.kill();
    }
}

impl Seen {
    /// What is JSON among its lines.
    pub fn messages(&self) -> impl Iterator<Item = Value> {
        messages(&self.lines)
    }

    /// Every answer to an id.
    pub fn answers(&self, id: impl Into<Value>) -> Vec<Value> {
        let id = id.into();
        self.messages()
            .filter(|message| is_answer(message, &id))
            .collect()
    }
}

/// Lines for a human, cut where they are long.
impl fmt::Debug for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end: String = self.stderr.chars().take(1000).collect();
        write!(f, "{}; {}\n{end}", self.status, shown(&self.lines))
    }
}

fn is_answer(message: &Value, id: &Value) -> bool {
    message["id"] == *id && message.get("method").is_none()
}

fn messages(lines: &[Vec<u8>]) -> impl Iterator<Item = Value> {
    lines
        .iter()
        .filter_map(|line| serde_json::from_slice(line).ok())
}

fn shown(lines: &[Vec<u8>]) -> String {
    let cut = |line: &Vec<u8>| {
        let most = line.len().min(400);
        format!("\n  {}", String::from_utf8_lossy(&line[..most]))
    };
    let last = lines.len().saturating_sub(20);
    format!(
        "{} lines{}",
        lines.len(),
        lines[last..].iter().map(cut).collect::<String>()
    )
}

fn lines(stdout: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n') {
            let Ok(line) = line else { return };
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn all(mut stderr: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _partly = stderr.read_to_end(&mut bytes);
        let _unheard = sender.send(bytes);
    });
    receiver
}

fn status(mut child: Child) -> Receiver<ExitStatus> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        if let Ok(status) = child.wait() {
            let _unheard = sender.send(status);
        }
    });
    receiver
}
