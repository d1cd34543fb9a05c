//! A disk that is full: calls go on, it is shown, and records are kept again when there is room.

use std::fs;
use std::process::Command;

use breakfall_gateway::store::{Sqlite, Store as _};
use serde_json::json;

use super::{Gateway, until};

/// A gateway that may write no file longer than this many blocks of the shell's.
fn with_room_for(blocks: u32, config: &str) -> Gateway {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    fs::write(folder.path().join("breakfall.yaml"), config).expect("there is room for a file");
    let mut command = Command::new("sh");
    // Writing more fails instead of killing the process, as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -S -f {blocks}; exec \"$0\" \"$@\"");
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
    let lost = |line: &str| field(line, "lost_entries");
    let told = lost(&gateway.says("the records of the last calls are lost"));
    assert!(told > 0);
    let summed_up = gateway.says("summary of calls");
    assert_eq!(lost(&summed_up), told, "{summed_up}");
    let calls = field(&summed_up, "calls");
    gateway.ended();
    assert_eq!(entries(&gateway) + told, calls, "{summed_up}");
}

#[cfg(target_os = "linux")]
#[test]
fn records_are_kept_as_far_as_there_is_room_for_them_again() {
    let config = "store: sqlite:calls.db\nupstreams: { shop: { demo: true } }\n";
    let gateway = with_room_for(512, config);
    let client = gateway.modern("/mcp");
    let waiting = || {
        let page = gateway.get("/metrics").text();
        value(&page, "breakfall_records_waiting ")
    };
    until("the disk is full", || {
        client.call("x", "get_order", &json!({"order_id": "ord-9999"}));
        let page = gateway.get("/metrics").text();
        (value(&page, "breakfall_store_failing ") > 0).then_some(())
    });
    for _ in 0..600 {
        client.call("x", "get_order", &json!({"order_id": "ord-9999"}));
    }
    let before = waiting();
    assert!(before >= 600, "{before}");
    give_room(&gateway, Some(640 << 10));
    let after = until("some of them are kept", || {
        Some(waiting()).filter(|waiting| *waiting < before)
    });
    assert!(after > 0, "there is no room for all");
    give_room(&gateway, None);
    until("all of them are kept", || (waiting() == 0).then_some(()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_gateway_that_starts_on_a_full_disk_keeps_records_as_soon_as_there_is_room() {
    let config = "store: sqlite:calls.db\nupstreams: { shop: { demo: true } }\n";
    let mut gateway = with_room_for(8, config);
    gateway.says("records wait in memory until it can be used");
    let client = gateway.modern("/mcp");
    for _ in 0..20 {
        client.call("x", "get_order", &json!({"order_id": "ord-1001"}));
    }
    give_room(&gateway, None);
    until("there is a store", || {
        let page = gateway.get("/metrics").text();
        (value(&page, "breakfall_records_waiting ") == 0).then_some(())
    });
    assert_eq!(entries(&gateway), 20);
}

#[test]
fn a_store_that_is_deleted_while_it_is_used_is_created_again_and_the_log_says_so() {
    let config = "store: sqlite:calls.db\nupstreams: { shop: { demo: true } }\n";
    let mut gateway = Gateway::of(config);
    let client = gateway.modern("/mcp");
    let call = || client.call("x", "get_order", &json!({"order_id": "ord-1001"}));
    let is_kept = || (entries(&gateway) > 0).then_some(());
    call();
    until("it is kept", is_kept);
    fs::remove_file(gateway.file("calls.db")).expect("it is there");
    call();
    until("there is another store", || {
        gateway.file("calls.db").exists().then_some(())
    });
    until("it is kept", is_kept);
    assert_eq!(entries(&gateway), 1);
    let line = gateway.says("was deleted while in use");
    assert!(line.contains("breakfall: error: "), "{line}");
}

/// Lets files grow to a length, or without limit.
#[cfg(target_os = "linux")]
fn give_room(gateway: &Gateway, length: Option<u64>) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let pid = i32::try_from(gateway.child.id())
        .ok()
        .and_then(Pid::from_raw);
    let limit = Rlimit {
        current: length,
        maximum: None,
    };
    prlimit(pid, Resource::Fsize, limit).expect("it is our child");
}

/// The length of the audit trail in the store `calls.db`.
fn entries(gateway: &Gateway) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let trail = async {
        let store = Sqlite::existing(gateway.file("calls.db"))?;
        store.trail(0, 0).await
    };
    let trail = runtime.expect("a runtime").block_on(trail);
    trail.map_or(0, |trail| trail.head.seq)
}

/// The number in a field of a log line.
fn field(line: &str, name: &str) -> u64 {
    let value = line.split(&format!(" {name}=")).nth(1);
    let value = value.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    value.unwrap_or_else(|| panic!("no {name} in {line}"))
}
