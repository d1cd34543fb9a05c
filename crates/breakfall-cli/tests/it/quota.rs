//! Quotas of the real binary: they outlive it, two of it share them, and `quota` shows them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use snapbox::cmd::Command;
use tempfile::TempDir;

use crate::{breakfall, json as read_json, run, stdout};

const CONFIG: &str = "
store: sqlite:store.db
time_zone: Europe/Berlin
rate: { requests: 1000, per: 1m }
upstreams:
  shop:
    demo: true
    quotas:
      - { metric: cost_per_month, warn: 2, hard_stop: 4, currency: EUR }
    cost: { call: 1, currency: EUR }
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    fs::write(folder.path().join("my.yaml"), CONFIG).expect("there is room for a file");
    folder
}

fn input(calls: usize) -> String {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = |id| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "get_order", "arguments": {"order_id": "ord-1001"}}});
    let calls = (1..=calls).map(call);
    let lines = [hello, ready].into_iter().chain(calls);
    lines.fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

fn running(folder: &Path, calls: usize, more: &[&str]) -> Command {
    breakfall(&[&["run", "-c", "my.yaml"], more].concat())
        .current_dir(folder)
        .stdin(input(calls))
}

/// The answers to so many calls, in their order.
fn called(command: Command) -> Vec<Value> {
    let output = String::from_utf8(run(command).stdout).expect("UTF-8");
    let lines = output
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let mut answers: Vec<Value> = lines.filter(|line| line["id"].as_u64() > Some(0)).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    answers
}

fn end(answer: &Value) -> String {
    let meta = &answer["result"]["_meta"];
    let code = &meta["dev.breakfall/error"]["code"];
    let warning = &meta["dev.breakfall/success"]["warnings"][0]["code"];
    let said = code.as_str().or(warning.as_str());
    said.or(answer["error"]["data"]["code"].as_str())
        .unwrap_or("success")
        .to_owned()
}

#[test]
fn a_quota_outlives_the_process_and_quota_shows_it() {
    testing::proves!("S4-52");
    let folder = folder();
    let ends = |command| called(command).iter().map(end).collect::<Vec<_>>();
    let warned = "RATE_LIMIT_QUOTA_WARNING";
    let shown = |args: &[&str]| {
        breakfall(&[&["quota", "-c", "my.yaml"], args].concat()).current_dir(folder.path())
    };
    let before = read_json(shown(&["--json"]));
    assert_eq!(before["places"][1]["quotas"][0]["current"], 0, "{before}");
    assert_eq!(ends(running(folder.path(), 1, &[])), ["success"]);
    // Both run at once, and read what is used when they are over.
    assert_eq!(ends(running(folder.path(), 2, &[])), [warned, warned]);
    // Wire only it counts too, and answers are as the server wrote them.
    assert_eq!(
        ends(running(folder.path(), 1, &["--wire-only"])),
        ["success"]
    );
    let refused = called(running(folder.path(), 1, &[]));
    assert_eq!(
        end(&refused[0]),
        "RATE_LIMIT_QUOTA_EXHAUSTED",
        "{refused:?}"
    );
    let details = &refused[0]["result"]["_meta"]["dev.breakfall/error"]["details"];
    assert_eq!(details["metric"], "cost_per_month");
    assert_eq!(
        (&details["current"], &details["hard_stop_threshold"]),
        (&json!(4), &json!(4))
    );
    let resets_at = details["resets_at"].as_str().expect("a time");
    // Midnight in Berlin.
    assert!(
        resets_at.ends_with("T22:00:00Z") || resets_at.ends_with("T23:00:00Z"),
        "{resets_at}"
    );
    assert_eq!(
        ends(running(folder.path(), 1, &["--wire-only"])),
        ["RATE_LIMIT_QUOTA_EXHAUSTED"]
    );
    shows_all(&folder, resets_at);
}

/// All that `quota` says when the quota is exhausted.
fn shows_all(folder: &TempDir, resets_at: &str) {
    let shown = |args: &[&str]| {
        breakfall(&[&["quota", "-c", "my.yaml"], args].concat()).current_dir(folder.path())
    };
    let after = read_json(shown(&["--json"]));
    assert_eq!(
        after["places"][0],
        json!({
            "adapter": null, "scope": "gateway", "quotas": [], "next_reset": null,
            "api_limits": [{"scope": "gateway", "limit": 1000, "window": "minute"}],
        })
    );
    assert_eq!(
        after["places"][1],
        json!({
            "adapter": "shop", "scope": "shop", "api_limits": [], "next_reset": resets_at,
            "quotas": [{
                "metric": "cost_per_month", "current": 4, "warn": 2, "hard_stop": 4, "status": "exhausted",
                "currency": "EUR", "resets_at": resets_at,
            }],
        })
    );
    let page = stdout(shown(&[]));
    for words in [
        "gateway",
        "1000 calls in 1m",
        "exhausted: 4 used, warn at 2, stop at 4 EUR",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[test]
fn what_cannot_be_shown_is_said() {
    let folder = folder();
    let quota = || breakfall(&["quota"]).current_dir(folder.path());
    let errors = |command| String::from_utf8(run(command).stderr).expect("UTF-8");
    assert!(errors(quota()).contains("breakfall.yaml"));
    let file = folder.path().join("breakfall.yaml");
    fs::write(&file, CONFIG.replace("sqlite:store.db", "memory")).expect("there is room");
    assert!(
        errors(quota()).contains("keeps counters in memory, which other processes cannot read")
    );
    fs::write(&file, "upstreams: { shop: { demo: true } }").expect("there is room");
    assert!(stdout(quota()).contains("neither rate limits nor quotas"));
}
