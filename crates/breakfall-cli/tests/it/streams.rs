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
fn a_reader_that_leaves_early_is_no_error() {
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
