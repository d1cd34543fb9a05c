//! `serve --stdio`: all servers as one for the client that starts us.

use std::process::Command;

use serde_json::json;
use testing::wire::Wire;

use super::faulty;

#[test]
fn all_servers_are_served_over_standard_streams() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = format!(
        "upstreams:\n  shop: {{ demo: true }}\n  odd:\n    {}\n",
        faulty()
    );
    std::fs::write(folder.path().join("my.yaml"), config).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    command
        .args(["serve", "--stdio", "-c", "my.yaml"])
        .current_dir(folder.path());
    let mut wire = Wire::start(&mut command);
    let greeting = wire.initialize();
    assert!(
        greeting["result"]["capabilities"]["tools"].is_object(),
        "{greeting}"
    );
    wire.call(1, "shop__get_order", &json!({"order_id": "ord-1001"}));
    let answer = wire.answer(1);
    assert_eq!(super::content(&answer)["status"], "paid", "{answer}");
    wire.call(2, "odd__pid", &json!({}));
    let answer = wire.answer(2);
    let process = super::content(&answer)["pid"].as_u64().expect("a number");
    // What was asked before the end of the input is answered.
    wire.call(3, "odd__wait", &json!({"ms": 200}));
    let seen = wire.end();
    assert_eq!(seen.answers(3).len(), 1, "{seen:?}");
    assert!(seen.status.success(), "{seen:?}");
    assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
}

#[test]
fn a_single_server_keeps_its_names() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    command.args(["serve", "--stdio"]);
    let mut wire = Wire::start(&mut command);
    wire.initialize();
    wire.call(1, "get_order", &json!({"order_id": "ord-1001"}));
    let answer = wire.answer(1);
    assert_eq!(super::content(&answer)["status"], "paid", "{answer}");
    assert!(wire.end().status.success());
}
