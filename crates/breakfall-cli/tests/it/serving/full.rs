//! A disk that is full: calls go on, and it is shown.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::{Gateway, until};

/// A gateway that may write no file longer than this many blocks of the shell's.
fn with_room_for(blocks: u32, config: &str) -> Gateway {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    fs::write(folder.path().join("breakfall.yaml"), config).expect("there is room for a file");
    let mut command = Command::new("sh");
    // Writing more fails instead of killing the process, as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_breakfall")]);
    let args = ["-c", "breakfall.yaml", "--listen", "127.0.0.1:0"];
    Gateway::started_by(command, &args, folder)
}

fn value(page: &str, name: &str) -> u64 {
    let line = page.lines().find_map(|line| line.strip_prefix(name));
    let value = line.and_then(|value| value.trim().parse().ok());
    value.unwrap_or_else(|| panic!("no {name} in {page}"))
}

#[test]
fn calls_go_on_and_what_is_not_kept_is_counted_and_told() {
    let config = "store: sqlite:calls.db\nupstreams: { shop: { demo: true } }\n";
    let mut gateway = with_room_for(512, config);
    let client = gateway.modern("/mcp");
    let order = json!({"order_id": "ord-1001"});
    let works = |id: &str| {
        let answer = client.call(id, "get_order", &order);
        assert_eq!(answer["result"]["isError"], json!(null), "{answer}");
    };
    works("before");
    let page = gateway.get("/metrics").text();
    assert_eq!(value(&page, "breakfall_store_failing "), 0, "{page}");
    until("the disk is full", || {
        client.call("x", "get_order", &json!({"order_id": "ord-9999"}));
        works("y");
        let page = gateway.get("/metrics").text();
        (value(&page, "breakfall_store_failing ") > 0).then_some(())
    });
    works("after");
    let page = gateway.get("/metrics").text();
    assert!(value(&page, "breakfall_records_waiting ") > 0, "{page}");
    gateway.says("the records of calls cannot be kept");
    gateway.signal("TERM");
    let last = gateway.says("the records of the last calls are lost");
    assert!(last.contains("entries"), "{last}");
}
