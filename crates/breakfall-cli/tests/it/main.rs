//! Tests of the real binary: what it prints, where, and how it exits.

#![expect(
    clippy::needless_raw_string_hashes,
    reason = "snapbox writes its snapshots with them"
)]

// The attribute tells clippy that helpers in there are tests too.
#[cfg(test)]
mod misbehaving_servers;
#[cfg(test)]
mod misbehaving_http_servers;
mod bad_input;
#[cfg(test)]
mod before_after;
mod call;
#[cfg(test)]
mod clients;
mod config;
mod config_secrets;
mod convert;
#[cfg(test)]
mod run_shutdown;
#[cfg(test)]
mod eras;
#[cfg(test)]
mod doctor;
mod explain;
#[cfg(test)]
mod gate;
mod generate;
#[cfg(test)]
mod incidents;
#[cfg(test)]
mod init;
mod list;
mod module_order;
mod proxy;
#[cfg(test)]
mod quota;
mod readme;
#[cfg(test)]
mod remote;
mod run_process;
#[cfg(test)]
mod serving;
#[cfg(test)]
#[cfg(target_os = "linux")] // Memory and descriptors of another process are read from /proc.
mod soak;
mod streams;
#[cfg(test)]
mod transparent;
#[cfg(test)]
mod misuse;

use std::ffi::OsString;
use std::path::Path;
use std::process::Output;

use snapbox::cmd::Command;

/// The binary with some arguments, without the colour settings of the environment.
fn breakfall(args: &[&str]) -> Command {
    Command::new(env!("CARGO_BIN_EXE_breakfall"))
        .args(args)
        .env("PATH", path())
        .env_remove("CLICOLOR_FORCE")
        .env_remove("CLICOLOR")
        .env_remove("NO_COLOR")
}

/// PATH as with an installed `breakfall`.
fn path() -> OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_breakfall"));
    let folder = program.parent().expect("a program lies somewhere");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&others));
    std::env::join_paths(all).expect("they came out of one")
}

/// What the binary says to a document on standard input.
fn convert(document: &str, args: &[&str]) -> Command {
    breakfall(&[&["convert"], args].concat()).stdin(document.to_owned())
}

fn run(command: Command) -> Output {
    command.output().expect("the binary is built and runs")
}

/// Runs it and gives back what it wrote on stdout.
fn stdout(command: Command) -> String {
    let output = run(command);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

fn json(command: Command) -> serde_json::Value {
    serde_json::from_str(&stdout(command)).expect("the output is JSON")
}
