//! What the bench stands on works, with neither wrk nor nginx. How fast things are is no matter of tests.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

const BENCH: &str = env!("CARGO_BIN_EXE_bench-gateway");

#[test]
fn the_server_answers_calls_on_its_standard_streams() {
    let mut child = Command::new(BENCH)
        .arg("stdio")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("it has one");
    let failing = call(1_000).replace("echo", "fail");
    writeln!(stdin, "{}\n{}\n{failing}", call(1_000), call(100_000)).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for (answer, size) in lines.iter().zip([1_000, 100_000]) {
        assert_eq!(answer["id"], 7);
        let content = answer["result"]["content"][0]["text"].as_str();
        // Escapes are shorter when they are read.
        assert!(content.is_some_and(|text| text.len() > size * 9 / 10));
    }
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["result"]["isError"], serde_json::Value::Null);
    assert_eq!(lines[2]["result"]["isError"], true);
}

#[test]
fn the_server_answers_calls_over_http() {
    let address = TcpListener::bind(("127.0.0.1", 0))
        .and_then(|listener| listener.local_addr())
        .expect("there are ports");
    let mut server = Command::new(BENCH)
        .args(["serve", &address.to_string()])
        .spawn()
        .expect("it starts");
    let mut stream = loop {
        if let Ok(stream) = TcpStream::connect(address) {
            break stream;
        }
        assert!(server.try_wait().expect("it is ours").is_none(), "it ended");
    };
    let body = call(100_000);
    let length = body.len();
    write!(
        stream,
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    server.kill().expect("it runs");
    server.wait().expect("it is ours");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer:.200}");
    assert!(answer.len() > 100_000);
}

#[test]
fn what_is_missing_is_named_with_the_command_that_installs_it() {
    let output = Command::new(BENCH)
        .env("PATH", "")
        .env_remove("CI")
        .output()
        .expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        error.contains("apt-get install") && error.contains("wrk"),
        "{error}"
    );
}

fn call(size: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"echo","arguments":{{"size":{size}}}}}}}"#
    )
}
