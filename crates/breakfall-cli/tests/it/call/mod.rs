//! `breakfall call` with real servers: what it prints, where, and every way it exits.

mod exit_codes;
mod page;
mod results;
mod arguments;

use std::process::Output;

use snapbox::cmd::Command;

use crate::{breakfall, run};

const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/call/server.py");

/// What a call came to.
#[derive(Debug, PartialEq, Eq)]
struct Came {
    exit: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Came {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        Self {
            exit: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

/// A call of the test server, with options, the way it behaves, and the words after it.
fn command(options: &[&str], how: &str, words: &[&str]) -> Command {
    let server: &[&str] = if how.is_empty() {
        &["--", "python3", SERVER]
    } else {
        &["--", "python3", SERVER, how]
    };
    breakfall(&[&["call"], options, server, words].concat())
}

fn call(options: &[&str], how: &str, words: &[&str]) -> Came {
    run(command(options, how, words)).into()
}

/// A call of a tool without arguments, of which nothing special is asked.
fn tool(name: &str) -> Came {
    call(&[], "", &[name])
}

fn came(exit: i32, stdout: &str, stderr: &str) -> Came {
    Came {
        exit: Some(exit),
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
    }
}
