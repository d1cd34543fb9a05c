//! Files and pipes that fail.

use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use crate::{convert, run};

fn binary(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_breakfall"));
    command.args(args);
    command
}

#[test]
fn a_reader_that_closes_early_is_not_an_error() {
    for args in [
        &["explain", "--list", "--json"][..],
        &["--help"],
        &["manpage"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = binary(args)
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for args in [&["explain", "TIMEOUT"][..], &["--help"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = binary(args)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(4), "{args:?}");
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "error: cannot write the output: No space left on device\n"
        );
    }
}

#[test]
fn a_closed_stderr_changes_nothing() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = binary(&["explain", "nope"])
        .stderr(writer)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_file_and_a_dash_and_standard_input_are_the_same() {
    let document = r#"{"success":false,"error":{"code":"TOKEN_INVALID","message":"no"}}"#;
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("error.json");
    std::fs::write(&file, document).unwrap();
    let to = ["--to", "response-v2", "--correlation-id", "req-1"];
    let piped = run(convert(document, &to));
    assert!(!piped.stdout.is_empty());
    for path in ["-", file.to_str().unwrap()] {
        let read = run(convert(document, &[&to[..], &[path]].concat()));
        assert_eq!(
            (read.stdout, read.stderr),
            (piped.stdout.clone(), piped.stderr.clone())
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_failure_of_the_streams_is_reported_by_the_exit_code() {
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hello");
    std::fs::write(&file, format!("{hello}\n")).unwrap();
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    let null = OpenOptions::new().write(true).open("/dev/null").unwrap();
    let (reader, left) = std::io::pipe().unwrap();
    drop(reader);
    let left = std::fs::File::from(std::os::fd::OwnedFd::from(left));
    for (input, output, exit, said) in [
        (
            &*file,
            full,
            4,
            "error: cannot write the output: No space left on device\n",
        ),
        (
            folder.path(),
            null,
            2,
            "error: cannot read standard input: Is a directory\n",
        ),
        // It has left.
        (&*file, left, 0, ""),
    ] {
        let output = binary(&["run", "--log", "error", "--demo"])
            .env("XDG_STATE_HOME", folder.path())
            .stdin(std::fs::File::open(input).unwrap())
            .stdout(output)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(exit), "{stderr}");
        assert!(stderr.starts_with(said), "{stderr}");
        assert_eq!(stderr.is_empty(), said.is_empty(), "{stderr}");
    }
}

/// Opens a terminal, runs the command in the arguments on it, ends its input, and prints what it said on stderr.
const AT_A_TERMINAL: &str = "
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
command = subprocess.Popen(sys.argv[1:], stdin=theirs, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
said = [command.stderr.readline() for _ in range(2)]
os.write(ours, b'\\x04')
said.append(command.stderr.read())
sys.stdout.buffer.write(b''.join(said))
";

#[test]
fn at_a_terminal_it_notes_what_to_type_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    for (server, by_hand) in [
        (
            &["--demo"][..],
            "to try its tools by hand: breakfall call --demo tour",
        ),
        (
            &["--", "cat"],
            "to try a tool by hand: breakfall call --help",
        ),
    ] {
        let output = std::process::Command::new("python3")
            .args(["-c", AT_A_TERMINAL, env!("CARGO_BIN_EXE_breakfall")])
            .args(["run", "--log", "off"])
            .args(server)
            .env("XDG_STATE_HOME", folder.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let notes = "note: waiting for an MCP client on standard input, one JSON-RPC message a line; Ctrl-D ends it\nnote: ";
        assert!(said.starts_with(&format!("{notes}{by_hand}\n")), "{said}");
    }
}
