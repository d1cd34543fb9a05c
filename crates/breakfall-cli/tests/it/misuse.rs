//! `breakfall run` around servers and between clients that go about it in the wrong way.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A gateway with a server in Python behind it, and its streams.
struct Running {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    fn of(script: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_breakfall"))
            .args(["run", "--", "python3", "-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("breakfall starts");
        let stdin = child.stdin.take().expect("asked for");
        let stdout = child.stdout.take().expect("asked for");
        Self {
            child,
            stdin,
            lines: BufReader::new(stdout).lines(),
        }
    }

    fn ask(&mut self, id: usize, method: &str) -> Value {
        let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
        writeln!(self.stdin, "{request}").expect("it reads");
        let answer = self.lines.next().expect("an answer").expect("UTF-8");
        serde_json::from_str(&answer).expect("JSON")
    }
}

/// It answers everything, but for some things it is told to do.
const ODD: &str = "
import json, os, signal, subprocess, sys, threading, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked['method'] == 'die':
        subprocess.Popen(['sleep', '1000'])
        os._exit(3)
    if asked['method'] == 'stubborn':
        for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]: signal.signal(number, signal.SIG_IGN)
    if asked['method'] == 'deaf': os.close(0)
    answer = {'pid': os.getpid()}
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': answer}), flush=True)
    if asked['method'] == 'flood':
        threading.Timer(0.5, os._exit, [3]).start()
        while True: print(json.dumps({'jsonrpc': '2.0', 'method': 'notifications/x', 'params': {'x': 'x' * 9999}}))
    if asked['method'] in ['deaf', 'stubborn']: time.sleep(1000)
";

#[test]
fn a_server_that_dies_is_missed_although_its_child_holds_its_output() {
    let mut running = Running::of(ODD);
    let begun = now();
    let answer = running.ask(1, "die");
    assert_eq!(
        answer["error"]["data"]["details"]["exit_code"], 3,
        "{answer}"
    );
    assert!(running.ask(2, "ping")["result"].is_object());
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "it did not wait for a deadline"
    );
    drop(running.stdin);
    assert!(running.child.wait().expect("it ends").success());
}

#[test]
fn a_server_that_reads_no_more_is_started_again() {
    let mut running = Running::of(ODD);
    let first = running.ask(1, "deaf")["result"]["pid"].clone();
    let begun = now();
    let answer = (2..).map(|id| running.ask(id, "ping"));
    let mut answer = answer.filter(|answer| answer["result"].is_object());
    let second = answer.next().expect("it never ends")["result"]["pid"].clone();
    drop(answer);
    assert_ne!(first, second);
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "it did not wait for a deadline"
    );
    drop(running.stdin);
    assert!(running.child.wait().expect("it ends").success());
}

#[test]
fn who_asks_it_to_end_need_not_wait_for_a_stubborn_server() {
    let mut running = Running::of(ODD);
    let server = running.ask(1, "stubborn")["result"]["pid"].to_string();
    let begun = now();
    // As clients do: first they close its input, then they ask; soon after they kill.
    drop(running.stdin);
    assert!(signal("-TERM", &running.child.id().to_string()));
    assert!(running.child.wait().expect("it ends").success());
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert!(!signal("-0", &server), "it is left over");
}

#[test]
fn who_asks_it_to_end_need_not_read_what_a_dead_server_said() {
    let mut running = Running::of(ODD);
    let server = running.ask(1, "flood")["result"]["pid"].to_string();
    while signal("-0", &server) {}
    assert!(signal("-TERM", &running.child.id().to_string()));
    assert!(running.child.wait().expect("it ends").success());
}

#[test]
fn a_client_that_does_not_read_stderr_is_answered_and_can_end_it() {
    let script = "
import json, sys, threading
def chatter():
    while True: print('x' * 500, file=sys.stderr)
for line in sys.stdin:
    asked = json.loads(line)
    if asked['method'] == 'chatter': threading.Thread(target=chatter, daemon=True).start()
    print(json.dumps({'jsonrpc': '2.0', 'id': asked['id'], 'result': {}}), flush=True)
";
    let mut running = Running::of(script);
    // Long after the pipe of stderr is full.
    for id in 0..200 {
        let method = if id == 0 { "chatter" } else { "ping" };
        assert_eq!(running.ask(id, method)["id"], id);
    }
    drop(running.stdin);
    assert!(running.child.wait().expect("it ends").success());
}

#[expect(
    clippy::disallowed_methods,
    reason = "somebody else's process is slow by the clock"
)]
fn now() -> Instant {
    Instant::now()
}

/// Sends a signal; false if the process is gone.
fn signal(number: &str, process: &str) -> bool {
    let mut kill = Command::new("kill");
    let status = kill.args([number, process]).stderr(Stdio::null()).status();
    status.expect("there is a kill").success()
}
