//! `breakfall serve` as a process: real sockets, real children, and nothing left over.

mod eras;
mod conformance;
mod credentials;
mod load;
mod paths;
mod encrypted;
mod environment;
mod shutdown;
mod full_disk;
mod gate;
mod log_lines;
mod startup;
mod reloads;
mod readiness;
mod streams;
mod stuck;
mod aggregate;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use testing::ending;
use testing::http::{Client, Connection, Request, Response};
use testing::wire::PATIENCE;

/// A gateway that runs, and what it says. Dropping it ends it.
pub(crate) struct Gateway {
    child: Child,
    address: SocketAddr,
    /// What it printed on stdout at its start.
    greeting: String,
    lines: Receiver<String>,
    log: Vec<String>,
    folder: TempDir,
}

impl Gateway {
    /// Serves a configuration, at any free port.
    pub(crate) fn of(config: &str) -> Self {
        Self::with(config, |_| {})
    }

    /// Serves a configuration out of a folder that has more in it.
    fn with(config: &str, fill: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        fill(folder.path());
        fs::write(folder.path().join("breakfall.yaml"), config).expect("there is room for a file");
        let args = ["-c", "breakfall.yaml", "--listen", "127.0.0.1:0"];
        Self::start(&args, folder)
    }

    /// Serves one server at [`Self::it`], with nothing else configured.
    fn before(server: &Value) -> Self {
        // JSON is YAML.
        Self::of(&json!({"upstreams": {"it": server}}).to_string())
    }

    /// Where clients find that server.
    fn it(&self) -> String {
        format!("http://{}/mcp/it", self.address)
    }

    /// Serves what it serves without a configuration.
    pub(crate) fn demo() -> Self {
        let folder = tempfile::tempdir().expect("there is room for a folder");
        Self::start(&["--listen", "127.0.0.1:0"], folder)
    }

    fn start(args: &[&str], folder: TempDir) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
        Self::started_by(command, args, folder)
    }

    fn started_by(mut command: Command, args: &[&str], folder: TempDir) -> Self {
        if !command.get_envs().any(|(name, _)| name == "PATH") {
            command.env("PATH", crate::path());
        }
        let mut child = command
            .arg("serve")
            .args(args)
            .current_dir(folder.path())
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("breakfall starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("asked for"));
        let lines = lines(child.stderr.take().expect("asked for"));
        let mut greeting = String::new();
        while !greeting.contains(" call ") {
            let read = stdout.read_line(&mut greeting).expect("UTF-8");
            if read == 0 {
                let log: Vec<String> = lines.iter().collect();
                panic!("it ended: {log:?}");
            }
        }
        let url = greeting
            .split_whitespace()
            .find(|word| word.contains("://"));
        let address = url.and_then(|url| url.split('/').nth(2)?.parse().ok());
        Self {
            child,
            address: address.expect("it says where it is"),
            greeting,
            lines,
            log: Vec::new(),
            folder,
        }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What it printed at its start.
    pub(crate) fn greeting(&self) -> &str {
        &self.greeting
    }

    /// A client with a session.
    fn legacy(&self, path: &str) -> Client {
        Client::legacy(self.address, path)
    }

    /// A client without.
    fn modern(&self, path: &str) -> Client {
        Client::modern(self.address, path)
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        let request = Request::new("GET", path);
        let response = Connection::open(self.address).ask(&request);
        response.expect("it answers")
    }

    /// Writes its configuration anew.
    fn write(&self, config: &str) {
        // As editors do it, so that a half-written file is never read.
        let (new, file) = (self.file("new"), self.file("breakfall.yaml"));
        fs::write(&new, config).expect("there is room for a file");
        fs::rename(new, file).expect("there is room for a file");
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Waits until it has said something in its log.
    fn says(&mut self, what: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("it never says {what:?}: {:?}", self.log));
            self.log.push(line.clone());
            if line.contains(what) {
                return line;
            }
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    /// Waits for its end.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        until("it ends", || {
            self.child.try_wait().expect("it is our child")
        })
    }

    /// Its children, zombies included.
    pub(crate) fn children(&self) -> usize {
        children(self.child.id())
    }

    /// Its open files.
    pub(crate) fn files(&self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.child.id())).map_or(0, Iterator::count)
    }

    /// Memory of its own, in bytes.
    pub(crate) fn memory(&self) -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
        kilobytes.expect("the system tells") << 10
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        ending::end(&mut self.child);
    }
}

fn lines(stderr: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stderr).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

fn signal(pid: u32, name: &str) {
    let sent = Command::new("sh")
        .args(["-c", r#"kill -"$0" "$1""#, name, &pid.to_string()])
        .status();
    assert!(sent.is_ok_and(|status| status.success()), "no {name}");
}

fn children(pid: u32) -> usize {
    let tasks = fs::read_dir(format!("/proc/{pid}/task"));
    let tasks = tasks.into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .map(|list| list.split_ascii_whitespace().count())
        .sum()
}

/// Looks until there is something to see, and gives up after a while.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let step = Duration::from_millis(10);
    for _ in 0..PATIENCE.as_millis() / step.as_millis() {
        if let Some(seen) = look() {
            return seen;
        }
        thread::park_timeout(step);
    }
    panic!("never: {what}")
}

/// The server of our own that does what it is told.
fn faulty() -> String {
    format!("command: [{:?}]", testing::faulty::program())
}

/// What a tool answered with.
fn content(answer: &Value) -> &Value {
    &answer["result"]["structuredContent"]
}

/// The process behind a session.
fn pid(client: &Client) -> u64 {
    let answer = client.call("pid", "pid", &json!({}));
    let pid = content(&answer)["pid"].as_u64();
    pid.unwrap_or_else(|| panic!("no pid: {answer}"))
}
