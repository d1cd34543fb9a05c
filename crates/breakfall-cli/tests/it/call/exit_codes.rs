//! How it exits, and what becomes of the server.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use super::{SERVER, call, came, tool};
use crate::{breakfall, run};

#[test]
fn a_call_that_failed_exits_by_whether_to_repeat_it() {
    for (name, exit) in [
        ("words", 6),
        ("mistake", 6),
        ("partial", 6),
        ("busy", 8),
        // It may have done something before that.
        ("deny_rpc", 6),
    ] {
        let failed = tool(name);
        assert_eq!(failed.exit, Some(exit), "{name}: {failed:?}");
    }
    let busy = tool("busy");
    assert!(
        busy.stderr.contains("\n  retry: yes, after 3 s\n"),
        "{busy:?}"
    );
}

#[test]
fn a_call_that_needs_a_person_says_what_for() {
    let asks =
        |what: &str| format!("error: the tool needs to know something first\n  asks: {what}\n");
    assert_eq!(tool("input_required"), came(7, "", &asks("How many?")));
    assert_eq!(
        tool("url"),
        came(7, "", &asks("Log in at https://example.test/login"))
    );
    let confirm = tool("confirm");
    assert_eq!(
        (confirm.exit, &*confirm.stdout),
        (Some(7), ""),
        "{confirm:?}"
    );
    let declined = "error: the server asked something, and there was no answer for it\n  asks: Which order?\n  \
                    fields: order (integer, required), why (string)\n  \
                    hint: give one with --answer '{\"field\":\"value\"}'\n";
    assert_eq!(
        tool("elicits"),
        came(7, "You said: {'action': 'decline'}\n", declined)
    );
}

#[test]
fn a_question_is_answered_with_what_was_given_for_it() {
    let said = "You said: {'action': 'accept', 'content': {'order': 7}}\n";
    let answered = call(&["--answer", r#"{"order":7}"#], "", &["elicits"]);
    assert_eq!(answered, came(0, said, ""));
    let wrong = call(&["--answer", "7"], "", &["elicits"]);
    let want = "error: the answer: expected a JSON object, found a number\n  \
                hint: quoted for the shell it looks like this: '{\"name\":\"value\"}'\n";
    assert_eq!(wrong, came(2, "", want));
}

#[test]
fn a_server_that_is_not_there_is_told_with_the_fix() {
    let none = run(breakfall(&["call", "--", "/no/such/server", "echo"]));
    let want = "error: there is no program /no/such/server\n  \
                hint: there is no such file; look for a typing error in its path, or install it there\n";
    assert_eq!(super::Came::from(none), came(5, "", want));
    let file = run(breakfall(&["call", "--", SERVER, "echo"]));
    let want = format!(
        "error: {SERVER} may not be executed\n  hint: make it executable: chmod +x {SERVER}\n"
    );
    assert_eq!(super::Came::from(file), came(5, "", &want));
}

#[test]
fn a_server_that_does_not_come_to_speak_is_told_with_its_own_words() {
    let broken = call(&[], "breaks", &["echo"]);
    let want = format!(
        "[python3] no such module: shop\nerror: the server exited before its first message (exit status: 4)\n  \
           hint: run it alone to see what it needs: python3 {SERVER} breaks\n  \
           hint: it has no terminal here: what it would ask for must come from its arguments or variables\n{}",
        misread("breaks")
    );
    assert_eq!(broken, came(5, "", &want));
    let slow = format!("--timeout 100ms --list -- python3 {SERVER} mute echo\n");
    let slow = misread("mute").replace(&format!("--list -- python3 {SERVER} mute echo\n"), &slow);
    for (how, options, what, hint) in [
        ("refuses", &[][..], "Not with me", ""),
        (
            "mute",
            &["--timeout", "100ms"],
            "Operation 'initialize' did not finish within 100 ms",
            &slow,
        ),
    ] {
        let want = format!(
            "error: no session with the server: {what}\n  hint: is it an MCP server on standard streams, and quick \
             enough for --timeout? run it alone to see: python3 {SERVER} {how}\n{hint}"
        );
        assert_eq!(call(options, how, &["echo"]), came(5, "", &want), "{how}");
    }
}

#[test]
fn a_program_that_echoes_its_input_is_not_a_server() {
    let cat = super::Came::from(run(breakfall(&["call", "--", "cat", "-u", "echo"])));
    let want = "error: no session with the server: it sends back what it is sent, so it is not an MCP server\n  \
                hint: is it an MCP server on standard streams, and quick enough for --timeout? run it alone to see: cat -u\n";
    assert_eq!((cat.exit, &*cat.stdout), (Some(5), ""), "{cat:?}");
    assert!(cat.stderr.starts_with(want), "{cat:?}");
}

#[test]
fn a_call_that_was_never_made_is_not_said_to_have_had_effects() {
    // It is connected to, and says nothing.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let words = ["call", "--timeout", "100ms", &url, "echo"];
    let silent = super::Came::from(run(breakfall(&words)));
    let want = format!(
        "error: no session with the server: Operation 'initialize' did not finish within 100 ms\n  \
         hint: is there an MCP server at {url}?\n"
    );
    assert_eq!(silent, came(5, "", &want));
}

#[test]
fn where_the_log_is_json_the_last_words_are_too() {
    for args in [
        &[
            "call",
            "--log-format",
            "json",
            "--",
            "python3",
            SERVER,
            "breaks",
            "echo",
        ][..],
        &["run", "--log-format", "json", "--", "/no/such/server"],
    ] {
        let output = run(breakfall(args));
        let said = String::from_utf8(output.stderr).unwrap();
        let lines = said.lines().map(serde_json::from_str);
        let lines: Vec<serde_json::Value> = lines.collect::<Result<_, _>>().expect(&said);
        let last = lines.last().expect("there is one");
        assert_eq!(
            (output.status.code(), &last["level"]),
            (Some(5), &"ERROR".into()),
            "{said}"
        );
        assert!(last["hints"][0].is_string(), "{said}");
    }
}

/// The hint for a forgotten tool.
fn misread(how: &str) -> String {
    format!(
        "  hint: 'echo' is taken for the tool; if it belongs to the server, this lists the tools: \
         breakfall call --list -- python3 {SERVER} {how} echo\n"
    )
}

#[test]
fn a_server_that_says_nothing_is_told_of_before_it_is_given_up() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_breakfall"))
        .args(["call", "--", "sleep", "600", "server.py"])
        .env("PATH", crate::path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let want = "note: `sleep 600` has not answered yet; 'server.py' is taken for the tool; if it belongs to the \
                server, this lists the tools: breakfall call --list -- sleep 600 server.py\n";
    assert_eq!(line, want);
}

#[test]
fn a_slow_tool_is_waited_for_in_sight() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_breakfall"))
        .args([
            "call",
            "--timeout",
            "90s",
            "--",
            "python3",
            SERVER,
            "silent",
        ])
        .env("PATH", crate::path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let want = "waiting: no answer from 'silent' after 3 s; it has 90 s without progress, --timeout sets another time\n";
    assert_eq!(line, want);
}

#[test]
fn a_credential_that_is_taken_for_the_tool_is_not_shown() {
    for words in [
        &["--api-key", "t0ps3cr3t9Z"][..],
        &["postgres://u:pw12345@db/x"],
    ] {
        let ended = run(breakfall(&[&["call", "--", "false"], words].concat()));
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert!(stderr.contains("is taken for the tool"), "{stderr}");
        let is_shown = stderr.contains("t0ps3cr3t9Z") || stderr.contains("pw12345");
        assert!(!is_shown, "{stderr}");
    }
}

#[test]
fn a_line_to_be_typed_is_quoted_and_has_no_credentials() {
    let words = [
        "a b; rm -rf x",
        "",
        "--api-key",
        "t0ps3cr3t9Z",
        "postgres://u:pw12345@db/x",
        "$HOME\u{7}",
    ];
    let shown = r"'a b; rm -rf x' '' --api-key '[redacted:api-key]' 'postgres://u:[redacted:password]@db/x' $'$HOME\007'";
    // It is the same function for both commands; here the end of our input cannot be first.
    let ended = run(breakfall(
        &[&["call", "--", "false"], &words[..], &["x"]].concat(),
    ));
    let stderr = String::from_utf8(ended.stderr).unwrap();
    let want = format!("run it alone to see what it needs: false {shown}\n");
    assert!(stderr.contains(&want), "{stderr}");
    let refuses = [
        &["call", "--", "python3", SERVER, "refuses"],
        &words[..],
        &["echo"],
    ]
    .concat();
    let stderr = String::from_utf8(run(breakfall(&refuses)).stderr).unwrap();
    assert!(
        stderr.contains(&format!(
            "run it alone to see: python3 {SERVER} refuses {shown}\n"
        )),
        "{stderr}"
    );
    let unknown = [
        &["call", "--", "python3", SERVER, ""],
        &words[..],
        &["ehco"],
    ]
    .concat();
    let stderr = String::from_utf8(run(breakfall(&unknown)).stderr).unwrap();
    assert!(
        stderr.contains(&format!(
            "breakfall call --list -- python3 {SERVER} '' {shown}\n"
        )),
        "{stderr}"
    );
    let misplaced = [&["call", "server"], &words[..2], &["tool"]].concat();
    let stderr = String::from_utf8(run(breakfall(&misplaced)).stderr).unwrap();
    assert!(
        stderr.contains("write: breakfall call -- server 'a b; rm -rf x' '' tool\n"),
        "{stderr}"
    );
}

#[test]
fn a_call_has_a_time_in_all_whatever_its_server_says() {
    let report = ["--max-timeout", "1500ms", "slow_report", "{\"seconds\":9}"];
    let output = run(breakfall(&[&["call", "--demo"][..], &report].concat()));
    let said = String::from_utf8(output.stderr).unwrap();
    let mut lines = said.lines();
    let first = lines.next().unwrap_or_default();
    assert!(first.starts_with("progress: 1/9"), "{said}");
    let want = "error: Operation 'slow_report' did not finish within 1500 ms [UNAVAILABLE_TIMEOUT]";
    assert_eq!(lines.next(), Some(want), "{said}");
    assert_eq!(output.status.code(), Some(8));
}

#[test]
fn a_server_that_dies_or_hangs_fails_the_call_and_it_is_not_to_be_repeated_blindly() {
    for (name, options, code) in [
        ("dies", &[][..], "UNAVAILABLE_SERVICE"),
        // Long enough for a slow machine to get that far.
        ("silent", &["--timeout", "3s"], "UNAVAILABLE_TIMEOUT"),
    ] {
        let failed = call(options, "", &[name]);
        assert_eq!((failed.exit, &*failed.stdout), (Some(6), ""), "{failed:?}");
        let first = failed.stderr.lines().next().unwrap();
        assert!(
            first.starts_with("error: ") && first.ends_with(&format!(" [{code}]")),
            "{failed:?}"
        );
        let advice = "\n  fix: The call may or may not have taken effect. Look first, and call again only if it has not.\n  retry: no\n";
        assert!(failed.stderr.contains(advice), "{failed:?}");
    }
}

#[test]
fn an_interrupt_cancels_the_call_and_ends_the_server() {
    for signal in ["-INT", "-QUIT"] {
        cancelled_by(signal);
    }
}

fn cancelled_by(signal: &str) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_breakfall"))
        .args(["call", "--", "python3", SERVER, "waits"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    let mut stderr = BufReader::new(child.stderr.take().expect("it is piped"));
    let mut line = String::new();
    stderr.read_line(&mut line).expect("it is text");
    assert_eq!(line, "[python3] waiting\n");
    let kill = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .status();
    assert!(kill.expect("there is one").success());
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).expect("it is text");
    let want = "[python3] notifications/cancelled True\nerror: interrupted; the server was told to cancel the call\n";
    assert_eq!(rest, want);
    assert_eq!(child.wait().expect("it is ours").code(), Some(130));
}

#[test]
fn a_second_interrupt_does_not_wait_and_leaves_nothing_behind() {
    // A server that neither speaks nor ends, nor does what it started; that holds our stderr open as long as it lives.
    let stubborn = "trap '' TERM; exec 2>&3; echo up >&2; sleep 600 & sleep 601";
    let script = format!(
        "exec 3>&2; exec '{}' call -- sh -c \"$0\" tool",
        env!("CARGO_BIN_EXE_breakfall")
    );
    let mut child = Command::new("sh")
        .args(["-c", &script, stubborn])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "up\n");
    let id = child.id().to_string();
    // Until it is gone: two that come at once may be heard as one.
    while child.try_wait().unwrap().is_none() {
        let _ = Command::new("kill").args(["-INT", &id]).output();
    }
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "error: interrupted before anything was called\n");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupt_does_not_wait_for_a_server_that_has_not_started_yet() {
    // An answer to a question that was asked would be waited for five seconds.
    let script = "
import sys, time
begun = time.monotonic()
print('starting', file=sys.stderr, flush=True)
sys.stdin.read()
print('soon' if time.monotonic() < begun + 4 else 'late', file=sys.stderr)";
    let mut child = Command::new(env!("CARGO_BIN_EXE_breakfall"))
        .args(["call", "--", "python3", "-c", script, "tool"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert_eq!(line, "[python3] starting\n");
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(
        rest,
        "[python3] soon\nerror: interrupted before anything was called\n"
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_written_is_told() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    for options in [
        &["--", "python3", SERVER, "image"][..],
        &["--json", "--", "python3", SERVER, "mistake"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_breakfall"))
            .arg("call")
            .args(options)
            .stdout(full.try_clone().unwrap())
            .output()
            .unwrap();
        let want = "error: cannot write the output: No space left on device\n";
        assert_eq!(
            (
                output.status.code(),
                &*String::from_utf8_lossy(&output.stderr)
            ),
            (Some(4), want)
        );
    }
}

#[test]
fn a_malformed_list_of_tools_is_not_shown_as_a_list() {
    let script = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = {"tools": "none"}
    if message["method"] == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "x", "version": "1"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"#;
    let output = run(breakfall(&[
        "call", "--list", "--", "python3", "-c", script,
    ]));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(6), "{stderr}");
    assert!(output.stdout.is_empty());
    let what =
        "error: the answer of the server is not a list of tools\n  said: {\"tools\": \"none\"}\n";
    assert_eq!(stderr, what);
}
