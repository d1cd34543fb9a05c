//! Errors of this process: I/O, JSON, text, panics, and children that end.

use std::error::Error;
use std::io::{self, ErrorKind};

use breakfall::classify::exit::{self, Exit};
use breakfall::classify::{self, panic, parse};
use breakfall::wire::{Dialect, Options};
use breakfall::{Confidence, Fault, Origin, Outcome, Retry, codes};

use super::verdict;
use Confidence::{Default as Guess, Structural};

use crate::sample::document_of;

/// What callers see of a fault, in every dialect.
fn shown(fault: Fault) -> String {
    let outcome = Outcome::Fault(fault);
    Dialect::ALL
        .iter()
        .map(|dialect| document_of(&outcome, *dialect, &Options::new()).to_string())
        .collect()
}

#[test]
fn question_marks_work_on_errors_of_the_standard_library() {
    fn number(text: &str) -> Result<u8, Fault> {
        Ok(text.parse::<u8>()?)
    }
    fn file() -> Result<String, Fault> {
        Ok(std::fs::read_to_string(
            "/nonexistent/breakfall/secret-name",
        )?)
    }
    fn text(bytes: &[u8]) -> Result<&str, Fault> {
        Ok(std::str::from_utf8(bytes)?)
    }
    fn owned(bytes: &[u8]) -> Result<String, Fault> {
        Ok(String::from_utf8(bytes.to_vec())?)
    }
    fn json(text: &str) -> Result<Vec<u8>, Fault> {
        Ok(serde_json::from_str(text)?)
    }
    let failures = [
        number("x").map(drop),
        number("300").map(drop),
        file().map(drop),
        text(b"a\xff").map(drop),
        owned(b"ab\xff").map(drop),
        json("[1,").map(drop),
    ];
    for result in failures {
        let fault = result.expect_err("a failure");
        assert_eq!(fault.code(), codes::INTERNAL_ERROR, "{fault:?}");
        assert_eq!(fault.responsible(), Origin::Tool);
        assert!(fault.source().is_some(), "the cause is kept");
        assert!(fault.classified_by().is_some());
        assert!(!shown(fault).contains("secret-name"));
    }
}

#[test]
fn question_marks_keep_what_an_io_error_tells_for_certain() {
    for (kind, kept) in [
        (ErrorKind::ConnectionRefused, codes::UNAVAILABLE_NETWORK),
        (ErrorKind::TimedOut, codes::UNAVAILABLE_TIMEOUT),
        (ErrorKind::NotFound, codes::INTERNAL_ERROR),
        (ErrorKind::PermissionDenied, codes::INTERNAL_ERROR),
        (ErrorKind::InvalidInput, codes::INTERNAL_ERROR),
        (ErrorKind::AlreadyExists, codes::INTERNAL_ERROR),
        (ErrorKind::InvalidData, codes::INTERNAL_ERROR),
    ] {
        let fault = Fault::from(io::Error::from(kind));
        assert_eq!(fault.code(), kept, "{kind}");
        assert_ne!(fault.responsible(), Origin::Caller, "{kind}");
    }
}

#[test]
fn a_parse_error_is_the_callers_by_name() {
    let integer = |text: &str| parse::integer(text.parse::<u8>().expect_err("no number")).code();
    assert_eq!(integer("x"), codes::VALIDATION_INVALID_TYPE);
    assert_eq!(integer("300"), codes::VALIDATION_OUT_OF_RANGE);
    let number = parse::number("x".parse::<f64>().expect_err("no number"));
    assert_eq!(number.code(), codes::VALIDATION_INVALID_TYPE);
    let boolean = parse::boolean("x".parse::<bool>().expect_err("no boolean"));
    assert_eq!(boolean.code(), codes::VALIDATION_INVALID_TYPE);
    let text = String::from_utf8(b"ab\xff".to_vec()).expect_err("not UTF-8");
    let text = parse::utf8(text.utf8_error());
    assert_eq!(text.details().get("byte_offset"), Some(&2.into()));
}

/// Kind, code, rule, retry.
#[rustfmt::skip]
const KINDS: &[(ErrorKind, &str, &str, Retry)] = &[
    (ErrorKind::ConnectionRefused, "UNAVAILABLE_NETWORK", "io.refused", Retry::Backoff),
    (ErrorKind::ConnectionReset, "UNAVAILABLE_NETWORK", "io.reset", Retry::Backoff),
    (ErrorKind::BrokenPipe, "UNAVAILABLE_NETWORK", "io.broken-pipe", Retry::Backoff),
    (ErrorKind::TimedOut, "UNAVAILABLE_TIMEOUT", "io.timed-out", Retry::Backoff),
    (ErrorKind::NotFound, "NOT_FOUND_RESOURCE", "io.not-found", Retry::Never),
    (ErrorKind::PermissionDenied, "PERMISSION_DENIED", "io.permission-denied", Retry::Never),
    (ErrorKind::AlreadyExists, "CONFLICT_ALREADY_EXISTS", "io.already-exists", Retry::Never),
    (ErrorKind::InvalidInput, "VALIDATION_INVALID_VALUE", "io.invalid-input", Retry::AfterChange),
    (ErrorKind::InvalidData, "INTERNAL_BAD_UPSTREAM", "io.invalid-data", Retry::Once),
    (ErrorKind::UnexpectedEof, "INTERNAL_BAD_UPSTREAM", "io.unexpected-end", Retry::Once),
    (ErrorKind::StorageFull, "UNAVAILABLE_SERVICE", "io.storage-full", Retry::AfterChange),
    (ErrorKind::OutOfMemory, "UNAVAILABLE_OVERLOADED", "io.out-of-memory", Retry::Backoff),
    (ErrorKind::Interrupted, "INTERNAL_ERROR", "io.interrupted", Retry::Once),
    (ErrorKind::WouldBlock, "UNAVAILABLE_OVERLOADED", "io.would-block", Retry::Backoff),
    (ErrorKind::ResourceBusy, "CONFLICT_INVALID_STATE", "io.busy", Retry::Backoff),
    (ErrorKind::Unsupported, "INTERNAL_NOT_IMPLEMENTED", "io.unsupported", Retry::Never),
];

#[test]
fn kinds_of_io_errors_have_their_codes() {
    for &(kind, code, rule, retry) in KINDS {
        let fault = classify::io::fault(io::Error::new(kind, "10.0.0.7 /srv/key.pem"));
        assert_eq!(verdict(&fault), (code, rule, Structural), "{kind}");
        assert_eq!(fault.public().retry(), retry, "{kind}");
        assert!(fault.report().to_string().contains("10.0.0.7 /srv/key.pem"));
        let shown = shown(fault);
        assert!(
            !shown.contains("10.0.0.7") && !shown.contains("key.pem"),
            "{shown}"
        );
    }
    let other = Fault::from(io::Error::other("odd"));
    assert_eq!(verdict(&other), ("INTERNAL_ERROR", "io.other", Guess));
}

#[test]
fn a_fault_inside_an_io_error_is_taken_out() {
    let inside = io::Error::other(Fault::not_found("user", "u1"));
    assert_eq!(
        Fault::from(inside).public().message(),
        "user 'u1' not found"
    );
}

/// A source of bytes that has none.
struct Broken;

impl io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn json_errors_tell_the_place_and_nothing_of_the_text() {
    let cases = [
        ("[1, hunter2]", "json.syntax", "INTERNAL_BAD_UPSTREAM"),
        ("[1, 2", "json.end", "INTERNAL_BAD_UPSTREAM"),
        ("[\"hunter2\"]", "json.data", "INTERNAL_BAD_UPSTREAM"),
    ];
    for (text, rule, code) in cases {
        let error = serde_json::from_str::<Vec<u8>>(text).expect_err("not a list of numbers");
        let fault = classify::serde::fault(error);
        assert_eq!(verdict(&fault), (code, rule, Structural), "{text}");
        assert_eq!(fault.public().details().get("line"), Some(&1.into()));
        assert!(fault.public().details().get("column").is_some());
        assert!(!shown(fault).contains("hunter2"));
    }
    let value = serde_json::from_value::<u8>("hunter2".into()).expect_err("no number");
    let fault = classify::serde::fault(value);
    assert_eq!(
        verdict(&fault),
        ("INTERNAL_ERROR", "json.value", Structural)
    );
    assert!(!shown(fault).contains("hunter2"));
    let error = serde_json::from_reader::<_, u8>(Broken).expect_err("no bytes");
    assert_eq!(verdict(&Fault::from(error)).1, "io.reset");
}

#[test]
fn a_panic_is_a_defect_and_its_words_are_private() {
    let thrown = |payload: Box<dyn std::any::Any + Send>| panic::fault(payload);
    for payload in [
        Box::new("card 4111 1111 1111 1111") as Box<dyn std::any::Any + Send>,
        Box::new(String::from("card 4111 1111 1111 1111")),
    ] {
        let fault = thrown(payload);
        assert_eq!(verdict(&fault), ("INTERNAL_ERROR", "panic", Structural));
        assert!(fault.report().to_string().contains("card 4111"));
        assert!(!shown(fault).contains("4111 1111"));
    }
    let odd = thrown(Box::new(17_u32));
    assert!(odd.report().to_string().contains("without a message"));
    let long = thrown(Box::new("x".repeat(50 << 20)));
    assert!(long.report().to_string().len() < 10_000);
    let own = thrown(Box::new(Fault::missing_param("id")));
    assert_eq!(own.code(), codes::VALIDATION_MISSING_PARAM);
}

/// End, code, rule, retry.
#[rustfmt::skip]
const ENDS: &[(Exit<'_>, &str, &str, Retry)] = &[
    (Exit::code(127).during_start(), "INTERNAL_CONFIGURATION", "exit.not-found", Retry::Never),
    (Exit::code(126).during_start(), "INTERNAL_CONFIGURATION", "exit.not-executable", Retry::Never),
    (Exit::code(0).during_start(), "INTERNAL_CONFIGURATION", "exit.start-success", Retry::Never),
    (Exit::code(1).during_start(), "UNAVAILABLE_SERVICE", "exit.start-failed", Retry::Never),
    (Exit::code(75).during_start(), "UNAVAILABLE_SERVICE", "exit.temporary", Retry::Backoff),
    (Exit::code(0), "UNAVAILABLE_SERVICE", "exit.unexpected-end", Retry::Backoff),
    (Exit::code(3), "UNAVAILABLE_SERVICE", "exit.failed", Retry::Once),
    (Exit::code(75), "UNAVAILABLE_SERVICE", "exit.temporary", Retry::Backoff),
    (Exit::code(137), "UNAVAILABLE_SERVICE", "exit.killed", Retry::Backoff),
    (Exit::signal(9), "UNAVAILABLE_SERVICE", "exit.killed", Retry::Backoff),
    (Exit::signal(13), "UNAVAILABLE_SERVICE", "exit.killed", Retry::Backoff),
    (Exit::code(143), "UNAVAILABLE_SERVICE", "exit.stopped", Retry::Backoff),
    (Exit::signal(11), "UNAVAILABLE_SERVICE", "exit.crash", Retry::Once),
    (Exit::signal(6), "UNAVAILABLE_SERVICE", "exit.crash", Retry::Once),
    (Exit::code(i32::MIN), "UNAVAILABLE_SERVICE", "exit.failed", Retry::Once),
    (Exit::signal(-4), "UNAVAILABLE_SERVICE", "exit.failed", Retry::Once),
];

#[test]
fn ends_of_children_are_told_apart() {
    for (exit, code, rule, retry) in ENDS {
        let fault = exit::fault(exit);
        let have = verdict(&fault);
        assert_eq!((have.0, have.1), (*code, *rule), "{exit:?}");
        assert_eq!(fault.public().retry(), *retry, "{exit:?}");
    }
}

#[test]
fn a_killed_child_is_said_to_be_killed_and_memory_is_blamed_only_on_its_own_words() {
    let message = |exit: &Exit<'_>| exit::fault(exit).public().message().into_owned();
    assert_eq!(message(&Exit::signal(9)), "Server was killed by SIGKILL");
    assert_eq!(message(&Exit::code(137)), "Server was killed by SIGKILL");
    assert_eq!(
        message(&Exit::signal(15)),
        "Server was terminated by SIGTERM"
    );
    assert_eq!(message(&Exit::signal(40)), "Server was killed by signal 40");
    let heap = b"FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n 1: 0xb0";
    for exit in [Exit::signal(6), Exit::code(134), Exit::signal(9)] {
        assert_eq!(message(&exit.stderr(heap)), "Server ran out of memory");
    }
    assert_eq!(
        message(&Exit::code(0).stderr(heap)),
        "Server ended while it was in use"
    );
}

#[test]
fn what_a_child_said_last_is_private_and_bounded() {
    let mut stderr = vec![b'\n'; 50 << 20];
    stderr.extend(b"Traceback: \xff\xfe token sk-probe-1 in /srv/app/main.py");
    let exit = Exit::code(1).during_start().stderr(&stderr);
    let fault = exit::fault(&exit);
    let report = fault.report().to_string();
    assert!(
        report.contains("/srv/app/main.py") && report.contains('\u{fffd}'),
        "{report:.200}"
    );
    assert!(report.len() < 20_000);
    assert!(!shown(fault).contains("sk-probe"));
}

#[cfg(unix)]
#[test]
fn the_status_of_a_real_child_is_understood() {
    let run = |script: &str| {
        let status = std::process::Command::new("sh")
            .args(["-c", script])
            .status();
        let fault = exit::fault(&Exit::of(status.expect("a shell")));
        verdict(&fault).1.to_owned()
    };
    assert_eq!(run("exit 0"), "exit.unexpected-end");
    assert_eq!(run("exit 7"), "exit.failed");
    assert_eq!(run("kill -9 $$"), "exit.killed");
    assert_eq!(run("kill -SEGV $$"), "exit.crash");
    assert_eq!(
        run("no-such-command-anywhere 2>/dev/null"),
        "exit.not-found"
    );
}
