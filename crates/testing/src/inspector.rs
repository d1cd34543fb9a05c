//! The Inspector, from its command line: one call of one tool, and what its user gets to see.
//!
//! `./check tools` installs it in a pinned version under `target/tools/conformance`, with the Node it needs.
#![expect(
    clippy::panic,
    reason = "a harness of tests: its failures are the test's"
)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::conformance::{node, place};

/// A server for [`call`]: its command, and a folder in which this can be written down.
///
/// # Panics
/// When it cannot be written.
pub fn server(folder: &Path, command: &[&str]) -> PathBuf {
    let server = json!({"command": command[0], "args": command[1..]});
    let file = folder.join("servers.json");
    let config = json!({"mcpServers": {"it": server}});
    std::fs::write(&file, config.to_string()).expect("a folder of the test's own");
    file
}

/// All that the Inspector shows of a call, apart from what the server writes to its own standard error.
///
/// # Panics
/// When it is not installed or shows nothing.
pub fn call(server: &Path, tool: &str, arguments: &Value) -> String {
    let place = place();
    let script = "node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js";
    let mut inspector = Command::new(node(&place));
    inspector
        .arg(place.join(script))
        .arg("--config")
        .arg(server);
    inspector.args([
        "--server",
        "it",
        "--method",
        "tools/call",
        "--tool-name",
        tool,
    ]);
    for (name, value) in arguments.as_object().into_iter().flatten() {
        let value = value.as_str().map_or(value.to_string(), ToOwned::to_owned);
        inspector.args(["--tool-arg", &format!("{name}={value}")]);
    }
    let home = server.parent().unwrap_or(Path::new("."));
    let output = inspector
        .env("HOME", home)
        .env("MCP_INSPECTOR_SECRET_STORE", "memory")
        .output()
        .unwrap_or_else(|error| panic!("the Inspector does not start: {error}; run ./check tools"));
    let words =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let [shown, errors] = words;
    // Its own error is the last line, after what the server says.
    let own = errors.lines().rfind(|line| line.starts_with(r#"{"error""#));
    assert!(!shown.is_empty() || own.is_some(), "{errors}");
    format!("{shown}{}", own.unwrap_or_default())
}
