//! Makes the calls.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use testing::wire::Wire;

use super::cases::{Case, Subject};

/// What each call is answered with by the server itself. One that dies is started again for the next call, which is more
/// than most clients do.
pub(super) fn direct(subject: Subject, play: &Path, cases: &[Case]) -> Vec<Option<Value>> {
    let command = subject.command(play);
    answers(
        cases,
        |case| case.is_silent,
        || {
            let mut server = Command::new(&command[0]);
            server.args(&command[1..]);
            server
        },
    )
}

/// The same behind `run` with its defaults, except for a shorter timeout for the tool that hangs.
pub(super) fn through(subject: Subject, folder: &Path, cases: &[Case]) -> Vec<Option<Value>> {
    let command = subject.command(&folder.join("play"));
    let hangs = cases.iter().filter(|case| case.hangs);
    let limits: serde_json::Map<String, Value> = hangs
        .map(|case| (case.tool.to_owned(), json!({"timeout": "2s"})))
        .collect();
    let mut run = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    run.arg("run").env("XDG_STATE_HOME", folder.join("state"));
    if limits.is_empty() {
        run.args(["--name", "it", "--"]).args(command);
    } else {
        let config = json!({"upstreams": {"it": {"command": command, "tools": limits}}});
        let file = folder.join("breakfall.yaml");
        std::fs::write(&file, config.to_string()).expect("a folder of the test's own");
        run.arg("--config").arg(file);
    }
    once(run, cases)
}

/// Behind a gateway that passes everything on as it is.
pub(super) fn bare(subject: Subject, folder: &Path, cases: &[Case]) -> Vec<Option<Value>> {
    let mut run = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    run.args(["run", "--wire-only", "--"])
        .args(subject.command(folder));
    once(run, cases)
}

/// What does not die is started once, and answers everything.
fn once(command: Command, cases: &[Case]) -> Vec<Option<Value>> {
    let mut command = Some(command);
    answers(
        cases,
        |_| false,
        || command.take().expect("the gateway lives on"),
    )
}

fn answers(
    cases: &[Case],
    is_left: fn(&Case) -> bool,
    mut start: impl FnMut() -> Command,
) -> Vec<Option<Value>> {
    let mut wire: Option<Wire> = None;
    let mut answers = Vec::new();
    // Calls that are not waited for: all others are answered after them.
    let mut left = Vec::new();
    for (id, case) in cases.iter().enumerate() {
        let running = wire.get_or_insert_with(|| {
            let mut wire = Wire::start(&mut start());
            wire.initialize_as(cases.len() as u64);
            wire
        });
        running.call(id, case.tool, &case.arguments);
        answers.push(None);
        if is_left(case) {
            left.push(id);
            continue;
        }
        answers[id] = running.answer_if_any(id);
        let is_over = answers[id].is_none();
        if is_over || id + 1 == cases.len() {
            for id in left.drain(..) {
                answers[id] = running.heard(id);
            }
        }
        if is_over {
            wire = None;
        }
    }
    answers
}
