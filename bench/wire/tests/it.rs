//! The bench runs. How fast things are is no matter of tests.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn a_short_run_reports_every_line_and_every_bar() {
    let bench = Path::new(env!("CARGO_BIN_EXE_bench-wire"));
    let breakfall = bench.with_file_name("breakfall");
    assert!(
        breakfall.is_file(),
        "{} is missing; cargo build -p breakfall-cli makes it",
        breakfall.display()
    );
    let output = Command::new(bench)
        .args([
            "--rounds", "2", "--calls", "20", "--starts", "2", "--json", "--anyway",
        ])
        .arg("--breakfall")
        .arg(breakfall)
        .output()
        .expect("the bench starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let lines = report["lines"].as_array().expect("lines");
    let bars = lines.iter().filter(|line| !line["bar"].is_null()).count();
    // Memory is known on Linux only.
    let least = if cfg!(target_os = "linux") { 4 } else { 3 };
    assert!(bars >= least, "{report:#}");
    for line in lines {
        assert!(
            line["through"].as_f64().is_some_and(|value| value > 0.0),
            "{line}"
        );
    }
}
