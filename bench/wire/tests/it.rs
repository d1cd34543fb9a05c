//! The bench runs. How fast things are is no matter of tests.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the bench for as short as it can.
fn run(more: &[&str]) -> Output {
    let bench = Path::new(env!("CARGO_BIN_EXE_bench-wire"));
    for program in ["breakfall", "minimal"] {
        let program = bench.with_file_name(program);
        assert!(
            program.is_file(),
            "{} is missing; cargo build --workspace --bins makes it",
            program.display()
        );
    }
    Command::new(bench)
        .args([
            "--rounds", "2", "--calls", "20", "--starts", "2", "--idle", "1", "--anyway",
        ])
        .arg("--breakfall")
        .arg(bench.with_file_name("breakfall"))
        .args(more)
        .output()
        .expect("the bench starts")
}

fn lines(output: &Output) -> Vec<Value> {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let lines = report["lines"].as_array().cloned().expect("lines");
    for line in &lines {
        let value = line["through"].as_f64();
        let may_be_zero = line["bar"] == "zero";
        let is_something = value.is_some_and(|value| value > 0.0 || may_be_zero);
        assert!(is_something, "{line}");
    }
    lines
}

/// What the lines with a bar are about.
fn bars(lines: &[Value]) -> Vec<&str> {
    let bars = lines.iter().filter(|line| !line["bar"].is_null());
    bars.filter_map(|line| line["what"].as_str()).collect()
}

/// Whether the tools of `./check` are there.
fn is_everything_installed() -> bool {
    let bench = Path::new(env!("CARGO_BIN_EXE_bench-wire"));
    let target = bench.ancestors().nth(2).expect("target");
    let modules = target.join("tools/servers/node_modules/@modelcontextprotocol");
    modules.join("server-everything/dist/index.js").is_file()
}

#[test]
fn a_short_run_reports_every_line_and_every_bar() {
    let lines = lines(&run(&["--json"]));
    let mut want = vec!["official SDK, median"];
    if is_everything_installed() {
        want.push("server-everything, median");
    }
    want.push("start-up, median");
    // Known on Linux only.
    if cfg!(target_os = "linux") {
        want.push("memory when idle, after the load");
        want.push("while nothing is asked");
    }
    assert_eq!(bars(&lines), want);
    let is_empty = |line: &&Value| {
        line["what"]
            .as_str()
            .is_some_and(|what| what.starts_with("empty server"))
    };
    assert!(lines.iter().filter(is_empty).count() >= 10, "{lines:#?}");
}

#[test]
fn a_server_somebody_names_is_measured_like_the_others() {
    let server = env!("CARGO_BIN_EXE_bench-wire");
    let call = r#"{"name":"echo","arguments":{"size":10}}"#;
    let lines = lines(&run(&["--json", "--call", call, "--", server, "child"]));
    let what: Vec<_> = lines
        .iter()
        .filter_map(|line| line["what"].as_str())
        .collect();
    assert!(what.contains(&"your server, median"), "{what:?}");
    assert!(what.contains(&"your server, 8 in flight"), "{what:?}");
}

#[test]
fn a_server_that_is_none_is_told() {
    let output = run(&["--call", "{}", "--", "false"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("the end of the server") || error.contains("pipe"),
        "{error}"
    );
}
