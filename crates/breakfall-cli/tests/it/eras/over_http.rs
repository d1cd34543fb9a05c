//! The same over HTTP and with calls judged: `serve` in front of servers on standard streams and over HTTP.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use super::*;

#[test]
fn the_first_clients_see_a_modern_server_on_standard_streams() {
    let command = [&*fixture(), "--stdio", "--era", "modern"].map(str::to_owned);
    behind(&format!("command: {}", json!(command)), |url| {
        for client in [Client::TypeScript1, Client::Python1] {
            same_as_legacy(client, &[url]);
            answers_questions(client, &[url]);
        }
    });
}

#[test]
fn the_first_clients_see_a_modern_server_over_http() {
    let server = Started::fixture("modern");
    behind(&format!("url: {}", server.url), |url| {
        for client in [Client::TypeScript1, Client::Python1] {
            same_as_legacy(client, &[url]);
            answers_questions(client, &[url]);
        }
    });
}

#[test]
fn the_second_clients_see_a_legacy_server_on_standard_streams() {
    for client in [Client::TypeScript2, Client::Python2] {
        behind(&format!("command: {}", json!(everything())), |url| {
            same_as_modern(client, &[url]);
            hears_of_changes(client, &[url]);
        });
    }
}

#[test]
fn the_second_clients_see_a_legacy_server_over_http() {
    let server = Started::everything();
    for client in [Client::TypeScript2, Client::Python2] {
        behind(&format!("url: {}", server.url), |url| {
            same_as_modern(client, &[url]);
            hears_of_changes(client, &[url]);
        });
    }
}

/// `serve` in front of one server, which is its own path.
fn behind(server: &str, test: impl FnOnce(&str)) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("breakfall.yaml");
    std::fs::write(&config, format!("upstreams:\n  it:\n    {server}\n")).unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    serve
        .args(["serve", "--listen", "127.0.0.1:0", "-c"])
        .arg(config);
    let gateway = Started::new(&mut serve, "/mcp");
    test(&format!("{}/it", gateway.url));
}

/// A program that serves HTTP, and says where. Dropping it ends it.
struct Started {
    child: Child,
    url: String,
}

impl Started {
    fn fixture(era: &str) -> Self {
        let mut command = Command::new(fixture());
        command.args(["--http", "0", "--era", era]);
        Self::new(&mut command, "/mcp")
    }

    /// It has to be told a port, and does not say when it listens there but on the other stream.
    fn everything() -> Self {
        let port = free_port();
        let command = everything();
        let mut child = Command::new(&command[0])
            .args(&command[1..])
            .arg("streamableHttp")
            .env("PORT", port.to_string())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = child.stderr.take().unwrap();
        let mut lines = BufReader::new(stderr).lines();
        let says = lines.find(|line| {
            line.as_ref()
                .is_ok_and(|line| line.contains(&port.to_string()))
        });
        assert!(says.is_some(), "it ended");
        // Who is not read cannot write on.
        std::thread::spawn(move || lines.count());
        let url = format!("http://127.0.0.1:{port}/mcp");
        Self { child, url }
    }

    fn new(command: &mut Command, path: &str) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = lines.find_map(|line| {
            let line = line.unwrap();
            let start = line.find("http://")?;
            let rest = &line[start + "http://".len()..];
            let end = rest.find(['/', ' ']).unwrap_or(rest.len());
            Some(format!("http://{}{path}", &rest[..end]))
        });
        std::thread::spawn(move || lines.count());
        let url = url.expect("it says where it is");
        Self { child, url }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        testing::ending::end(&mut self.child);
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
