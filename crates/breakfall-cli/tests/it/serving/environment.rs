//! The environment of servers.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};
use testing::http::Client;

use super::Gateway;

const KEY: &str = "a-key-that-is-long-enough";

/// A server that writes its environment into a file first.
fn server(name: &str, settings: &Value) -> Value {
    let program = testing::faulty::program();
    let script = "env > \"$$0\"; exec \"$$1\" --era both";
    let mut server = json!({"command": ["sh", "-c", script, format!("{name}.env"), program]});
    let all = server.as_object_mut().expect("an object");
    all.extend(settings.as_object().cloned().unwrap_or_default());
    server
}

/// Servers with each way to inherit variables.
fn servers() -> [(&'static str, Value); 5] {
    [
        (
            "one",
            json!({"env": {"TOKEN": "${TOKEN_OF_ONE}", "BOTH": "${TOKEN_OF_BOTH}"}}),
        ),
        (
            "other",
            json!({"env": {"TOKEN": "${TOKEN_OF_OTHER}", "BOTH": "${TOKEN_OF_BOTH}", "DIR": "${HOME}"}}),
        ),
        ("all", json!({"inherit_env": "all"})),
        (
            "listed",
            json!({"inherit_env": "listed", "env": {"TOKEN": "${TOKEN_OF_ONE}"}}),
        ),
        (
            "none",
            json!({"inherit_env": "none", "env": {"TOKEN": "${TOKEN_OF_ONE}"}}),
        ),
    ]
}

#[test]
fn a_server_does_not_get_the_variables_that_others_refer_to() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let upstreams: Value = servers()
        .iter()
        .map(|(name, settings)| ((*name).to_owned(), server(name, settings)))
        .collect();
    let config = json!({"keys": {"ann": "${KEY_OF_ANN}"}, "upstreams": upstreams});
    fs::write(folder.path().join("breakfall.yaml"), config.to_string()).expect("there is room");
    let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    command
        .env("KEY_OF_ANN", KEY)
        .env("TOKEN_OF_ONE", "1")
        .env("TOKEN_OF_OTHER", "2")
        .env("TOKEN_OF_BOTH", "3")
        .env("HOME", "/home")
        .env("PLAIN", "4");
    let args = ["-c", "breakfall.yaml", "--listen", "127.0.0.1:0"];
    let gateway = Gateway::started_by(command, &args, folder);
    let names = "KEY_OF_ANN TOKEN_OF_ONE TOKEN_OF_OTHER TOKEN_OF_BOTH HOME PLAIN TOKEN PATH";
    for (server, want) in [
        ("one", "TOKEN_OF_ONE TOKEN_OF_BOTH HOME PLAIN TOKEN PATH"),
        (
            "other",
            "TOKEN_OF_OTHER TOKEN_OF_BOTH HOME PLAIN TOKEN PATH",
        ),
        (
            "all",
            "KEY_OF_ANN TOKEN_OF_ONE TOKEN_OF_OTHER TOKEN_OF_BOTH HOME PLAIN PATH",
        ),
        ("listed", "HOME TOKEN PATH"),
        ("none", "TOKEN"),
    ] {
        let client = Client::modern(gateway.address(), &format!("/mcp/{server}"));
        let client = client.with_header("Authorization", &format!("Bearer {KEY}"));
        let answer = client.call(1, "echo", &json!({}));
        assert!(answer["result"]["isError"] != true, "{answer}");
        let text =
            fs::read_to_string(gateway.file(&format!("{server}.env"))).expect("it is written");
        let has = |name: &&str| {
            text.lines()
                .any(|line| line.starts_with(&format!("{name}=")))
        };
        let have: Vec<&str> = names.split(' ').filter(has).collect();
        // A shell may set a PATH of its own.
        let have: Vec<&str> = match server {
            "none" => have.into_iter().filter(|name| *name != "PATH").collect(),
            _ => have,
        };
        assert_eq!(have.join(" "), want, "{server}: {text}");
    }
}
