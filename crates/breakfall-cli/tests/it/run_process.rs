//! `breakfall run` as a process: what it is told, what it says, how it exits, and what it leaves behind.

use std::path::Path;
use std::process::Output;

use serde_json::Value;

use super::{breakfall, run};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

/// What it answers to some lines, and says, and exits with.
fn spoken(args: &[&str], lines: &[&str]) -> (Vec<Value>, String, Option<i32>) {
    let mut input = lines.join("\n");
    input.push('\n');
    let command = breakfall(&[&["run"], args].concat()).stdin(input);
    let Output {
        status,
        stdout,
        stderr,
    } = run(command);
    let answers = String::from_utf8(stdout).expect("UTF-8");
    let answers = answers
        .lines()
        .map(|line| serde_json::from_str(line).expect("stdout is protocol only"));
    (
        answers.collect(),
        String::from_utf8_lossy(&stderr).into_owned(),
        status.code(),
    )
}

#[test]
fn a_client_that_pipes_its_questions_gets_all_answers() {
    let call = r#"{"jsonrpc":"2.0","id":"o","method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"ord-1001"}}}"#;
    let (answers, _, exit) = spoken(&["--demo"], &[HELLO, "noise", call]);
    let mut ids: Vec<String> = answers
        .iter()
        .map(|answer| answer["id"].to_string())
        .collect();
    ids.sort();
    assert_eq!(
        (ids.as_slice(), exit),
        (&["\"o\"", "1", "null"].map(str::to_owned)[..], Some(0))
    );
}

#[test]
fn the_last_line_of_the_log_sums_up_what_calls_came_to() {
    let call = |id: u8, order: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"get_order","arguments":{{"order_id":"{order}"}}}}}}"#
        )
    };
    let (good, bad) = (call(2, "ord-1001"), call(3, "ord-9999"));
    let (_, log, _) = spoken(&["--demo"], &[HELLO, &good, &bad]);
    let last = log.trim_end().lines().last().expect("a log");
    for told in ["calls=2", "failed=1", "NOT_FOUND_RESOURCE 1"] {
        assert!(last.contains(told), "{told}: {log}");
    }
    let (_, log, _) = spoken(&["--demo"], &[HELLO]);
    assert!(!log.contains("calls="), "nothing was called: {log}");
}

#[test]
fn a_program_that_is_not_there_is_told_to_the_client_and_to_the_log() {
    let (answers, log, exit) = spoken(&["--", "no-such-program"], &[HELLO]);
    let [answer] = answers.as_slice() else {
        panic!("{answers:?}");
    };
    let data = &answer["error"]["data"];
    assert_eq!(
        (&answer["id"], &data["code"]),
        (&1.into(), &"UNAVAILABLE_SERVICE".into())
    );
    assert_eq!(data["retry"]["retryable"], false);
    assert_eq!(
        data["user_message"], "This service cannot be started. Please tell its operator.",
        "trying again does not help"
    );
    assert!(
        log.contains("error: there is no program no-such-program"),
        "{log}"
    );
    assert!(log.contains("hint: install no-such-program"), "{log}");
    assert_eq!(exit, Some(5));
}

#[test]
fn a_server_that_ends_at_once_says_why_to_its_client_without_the_path_that_is_in_the_log() {
    let script = "import sys; sys.stdin.readline(); sys.exit('cannot open \\'/srv/app/shop.db\\'')";
    let (answers, log, exit) = spoken(&["--", "python3", "-c", script], &[HELLO]);
    let answer = answers[0].to_string();
    assert_eq!(
        answers[0]["error"]["data"]["details"]["exit_code"], 1,
        "{answer}"
    );
    assert!(
        answer.contains("Server ended with an error while it started: cannot open '[path]'"),
        "{answer}"
    );
    assert_eq!(answers[0]["error"]["data"]["retry"]["retryable"], false);
    assert!(!answer.contains("/srv"), "{answer}");
    assert!(log.contains("/srv/app/shop.db'\n"), "{log}");
    assert!(log.contains("exited before its first message"), "{log}");
    assert_eq!(exit, Some(5));
}

#[test]
fn a_server_that_fails_before_its_first_message_fails_also_without_a_request() {
    let ended = |args: &[&str]| {
        let output = run(breakfall(&[&["run", "--"], args].concat()).stdin(""));
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), log)
    };
    let (exit, log) = ended(&["false"]);
    assert_eq!(exit, Some(5), "{log}");
    let said = "error: the server exited before its first message (exit status: 1)\n";
    assert!(log.contains(said), "{log}");
    let (exit, log) = ended(&["python3", "-c", "import sys; sys.exit('no key')"]);
    assert_eq!(exit, Some(5), "{log}");
    assert!(
        log.contains("Z [python3] no key\n") && log.contains(said),
        "{log}"
    );
    // The end of its input is a reason to end, and so is being asked to.
    let asked = "import signal, sys, time; signal.signal(signal.SIGTERM, lambda *_: sys.exit(3)); time.sleep(60)";
    for good in [
        &["true"][..],
        &["cat"],
        &["sh", "-c", "cat; exit 0"],
        &["python3", "-c", asked],
    ] {
        let (exit, log) = ended(good);
        assert_eq!(exit, Some(0), "{good:?}: {log}");
    }
}

#[test]
fn stray_output_of_a_server_is_noted_once_and_shown_if_it_does_not_start() {
    let script = "echo Welcome; echo 'token=ghp_0123456789abcdefghijABCDEFGHIJ012345'; printf 'Error: API_KEY missing'; exit 1";
    let (answers, log, exit) = spoken(&["--", "sh", "-c", script], &[HELLO]);
    let answer = answers[0].to_string();
    assert!(!answer.contains("API_KEY"), "{answer}");
    let warned = log
        .lines()
        .filter(|line| line.contains("no message to its stdout, which"));
    let warned: Vec<_> = warned.collect();
    assert_eq!(warned.len(), 1, "{log}");
    assert!(
        warned[0].contains("'Welcome'; make it print to stderr"),
        "{log}"
    );
    assert!(
        log.contains("error: the server exited before its first message (exit status: 1)\n"),
        "{log}"
    );
    assert!(
        log.contains("\n  stdout: Error: API_KEY missing\n"),
        "{log}"
    );
    let report = log.find("it printed what is no message to its stdout: Welcome");
    assert!(report.is_some() && !log.contains("ghp_"), "{log}");
    assert!(!log.contains("in the middle of a line"), "{log}");
    assert_eq!(exit, Some(5));
}

#[test]
fn what_the_server_says_on_stderr_comes_through_under_its_name() {
    let script = "import sys; print('Server ready: 100%', file=sys.stderr); sys.stdin.read()";
    let (_, log, _) = spoken(&["--", "python3", "-c", script], &[]);
    assert!(
        log.lines()
            .any(|line| line.ends_with("Z [python3] Server ready: 100%")),
        "{log}"
    );
    let (_, log, _) = spoken(
        &["--log-format", "json", "--", "python3", "-c", script],
        &[],
    );
    let said = log
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("an object a line"));
    let said: Vec<Value> = said.collect();
    assert!(
        said.iter()
            .any(|line| line["message"] == "Server ready: 100%" && line["upstream"] == "python3"),
        "{said:?}"
    );
}

#[test]
fn a_server_can_write_no_line_that_looks_like_one_of_the_log() {
    let script = r#"printf '2026-01-27T13:37:18.075Z breakfall: error: \033[31mboo\tho\n\302\2332J\r\n' >&2; cat >&2"#;
    let (_, log, _) = spoken(&["--name", "loud", "--", "sh", "-c", script], &[]);
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_once("Z [loud] "))
        .map(|(time, said)| {
            assert_eq!(time.len(), "2026-01-27T13:37:18.075".len(), "{log}");
            said
        })
        .collect();
    assert!(
        said.starts_with(&[
            r"2026-01-27T13:37:18.075Z breakfall: error: \u{1b}[31mboo	ho"
                .replace(r"\t", "\t")
                .as_str(),
            r"\u{9b}2J",
        ]),
        "{log}"
    );
    assert!(!log.contains(['\u{1b}', '\u{9b}', '\r']), "{log:?}");
}

#[test]
fn calls_that_succeed_are_in_the_log_of_a_wrapper_only_for_debugging() {
    let call = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_products","arguments":{"query":"belt"}}}"#;
    let (_, log, _) = spoken(&["--demo"], &[HELLO, call]);
    assert!(!log.contains("call success"), "{log}");
    let (_, log, _) = spoken(&["--log", "debug", "--demo"], &[HELLO, call]);
    assert!(log.contains("Z breakfall: debug: call success "), "{log}");
}

#[test]
fn of_a_long_line_on_stderr_the_beginning_comes_through() {
    let script = "import sys; print('a' * 100000, 'next', sep='\\n', file=sys.stderr)";
    let (_, log, _) = spoken(&["--", "python3", "-c", script], &[]);
    let beginning = "a".repeat(64 << 10);
    let lines: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_once("Z [python3] "))
        .map(|(_, said)| said)
        .collect();
    let want = [
        &beginning,
        "[34464 more bytes of this line are left out]",
        "next",
    ];
    assert!(lines == want, "{} bytes", log.len());
}

#[test]
fn a_server_of_a_configuration_is_run_as_it_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("breakfall.yaml");
    let script =
        "import os, sys; print(os.environ['WORD'], os.getcwd(), file=sys.stderr); sys.stdin.read()";
    let text = format!(
        "upstreams:\n  one:\n    command: [python3, -c, {script:?}]\n    env: {{ WORD: hello }}\n    cwd: {:?}\n  two:\n    command: [cat]\n",
        folder.path()
    );
    std::fs::write(&file, text).expect("a file");
    let path = file.display().to_string();
    let (_, log, exit) = spoken(&["--config", &path, "--upstream", "one"], &[]);
    assert!(log.contains("hello "), "{log}");
    assert_eq!(exit, Some(0), "{log}");

    let (_, log, exit) = spoken(&["--config", &path], &[HELLO]);
    assert!(log.contains("say which with --upstream: one, two"), "{log}");
    assert_eq!(exit, Some(2));
    let (_, log, exit) = spoken(&["--config", &path, "--upstream", "onw"], &[]);
    assert!(
        log.contains("has no server 'onw'") && log.contains("it has: one, two"),
        "{log}"
    );
    assert_eq!(exit, Some(2));
}

#[test]
fn a_bad_configuration_is_told_with_its_place_and_nothing_is_started() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("breakfall.yaml");
    std::fs::write(&file, "upstreams:\n  one:\n    comand: [cat]\n").expect("a file");
    let (answers, log, exit) = spoken(&["--config", &file.display().to_string()], &[HELLO]);
    assert!(
        log.contains("breakfall.yaml:3") && log.contains("command"),
        "{log}"
    );
    assert_eq!((answers.len(), exit), (0, Some(3)), "{log}");
    let missing = Path::new("/no/such/file.yaml").display().to_string();
    let (_, log, exit) = spoken(&["--config", &missing], &[]);
    assert!(log.contains("/no/such/file.yaml"), "{log}");
    assert_eq!(exit, Some(3), "{log}");
}

#[test]
fn what_cannot_be_started_is_told_by_its_reason_and_with_the_fix() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("server.py");
    std::fs::write(&file, "print()").expect("a file");
    let script = folder.path().join("script");
    std::fs::write(&script, "#!/no/such/python\n").expect("a file");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, mode).expect("our own file");
    let [script, file, folder] =
        [&*script, &*file, folder.path()].map(|path| path.display().to_string());
    let nowhere = format!("{folder}/nowhere");
    for (args, what, fix) in [
        (
            &["--", &*file][..],
            format!("{file} may not be executed"),
            format!("make it executable: chmod +x {file}"),
        ),
        (
            &["--", &*folder],
            format!("{folder} is a directory, not a program"),
            "name the program in it".to_owned(),
        ),
        (
            &["--", &*script],
            format!("{script} is there, but what runs it is not"),
            "install what its first line names behind '#!', or install the server again".to_owned(),
        ),
        (
            &["--cwd", &*folder, "--", "./"],
            "./ is a directory, not a program".to_owned(),
            "name the program in it".to_owned(),
        ),
        (
            &["--", &*nowhere],
            format!("there is no program {nowhere}"),
            "there is no such file; look for a typing error in its path, or install it there"
                .to_owned(),
        ),
        (
            &["--", "npx -y some-server"],
            "there is no program 'npx -y some-server'".to_owned(),
            "write the program and its arguments as words of their own, not as one text".to_owned(),
        ),
        (
            &["--", ""],
            "the program to start has no name".to_owned(),
            "name a program, and behind it its arguments".to_owned(),
        ),
        (
            &["--cwd", &*nowhere, "--", "cat"],
            format!("there is no directory {nowhere} to start cat in"),
            format!("create the directory {nowhere}, or name another"),
        ),
    ] {
        let (answers, log, exit) = spoken(args, &[HELLO]);
        assert_eq!((answers.len(), exit), (1, Some(5)), "{args:?}: {log}");
        let want = format!("error: {what}\n  hint: {fix}\n");
        assert!(log.ends_with(&want), "{args:?}: {log}");
    }
}

#[test]
fn a_program_that_came_by_reference_is_named_as_it_was_written() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("program"), "/hidden/server\n").expect("a file");
    let file = folder.path().join("breakfall.yaml");
    std::fs::write(&file, "upstreams: { one: { command: '${file:program}' } }").expect("a file");
    let (answers, log, exit) = spoken(&["--config", &file.display().to_string()], &[HELLO]);
    assert!(
        log.contains("there is no program ${file:program}\n"),
        "{log}"
    );
    assert!(!format!("{log}{answers:?}").contains("hidden"), "{log}");
    assert_eq!(exit, Some(5), "{log}");
}

/// Some clients drop the `--`.
#[test]
fn run_takes_the_command_of_a_server_without_its_dashes() {
    let script = "import json, sys; hello = json.loads(sys.stdin.readline()); print(json.dumps({
        'jsonrpc': '2.0', 'id': hello['id'], 'result': {'protocolVersion': '2025-11-25', 'capabilities': {},
        'serverInfo': {'name': ' '.join(sys.argv[1:]), 'version': '1'}}}), flush=True); sys.stdin.read()";
    let words = [
        "python3",
        "-c",
        script,
        "--timeout",
        "9",
        "--demo",
        "--",
        "-x",
    ];
    for before in [
        &[][..],
        &["--"],
        &["--timeout", "20s"],
        &["--timeout=20s", "--"],
    ] {
        let (answers, log, exit) = spoken(&[before, &words].concat(), &[HELLO]);
        assert_eq!(exit, Some(0), "{before:?} {log}");
        let name = &answers[0]["result"]["serverInfo"]["name"];
        assert_eq!(name, "--timeout 9 --demo -- -x", "{before:?} {log}");
    }
}

#[test]
fn the_command_of_a_server_without_its_dashes_is_told_where_they_belong() {
    let tip = "the command of a server follows '--': breakfall";
    let output = run(breakfall(&["call", "npx", "-y", "some-server", "echo"]));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(&format!("{tip} call -- ")), "{said}");
    assert_eq!(output.status.code(), Some(2));
    let (_, typo, exit) = spoken(&["--timeuot", "3s", "--", "cat"], &[]);
    assert!(
        typo.contains("'--timeout'") && !typo.contains(tip),
        "{typo}"
    );
    assert_eq!(exit, Some(2));
    let (_, wrong, exit) = spoken(&["--upstream", "one", "--", "cat"], &[]);
    assert!(
        wrong.contains("'--upstream <NAME>' cannot be used with"),
        "{wrong}"
    );
    assert_eq!(exit, Some(2));
    let (_, both, exit) = spoken(&["--demo", "--", "cat"], &[]);
    assert!(
        both.contains("Usage: breakfall run [OPTIONS] -- COMMAND...\n")
            && !both.contains("--demo [--"),
        "{both}"
    );
    assert_eq!(exit, Some(2));
}

#[test]
fn a_time_is_told_what_is_missing_from_it() {
    for (time, want) in [
        ("30", "it has no unit: 30s or 30ms?"),
        ("0s", "it must be longer than zero"),
        (
            "soon",
            "expected a time, for example 250ms, 30s, 5m or 1h30m",
        ),
    ] {
        let (_, said, exit) = spoken(&["--timeout", time, "--demo"], &[]);
        assert!(said.contains(want), "{said}");
        assert_eq!(exit, Some(2));
    }
}

/// A server with a tool whose schema nests hundreds of levels deep, and one that answers so.
const DEEP: &str = r#"
import json, sys
def deep(levels): return '{"properties":{"a":' * levels + '{"type":"string"}' + '}}' * levels
tools = '[{"name":"deep","inputSchema":{"type":"object","properties":{"id":{"type":"integer"},"tree":%s}},"x":1},{"name":"plain","inputSchema":{"type":"object","required":["id"]}}]' % deep(150)
for line in sys.stdin:
    asked = json.loads(line)
    if 'id' not in asked: continue
    name = asked.get('params', {}).get('name')
    if asked['method'] == 'initialize':
        result = '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}'
    elif asked['method'] == 'tools/list': result = '{"tools":%s}' % tools
    elif name == 'plain': result = '{"content":[],"structuredContent":%s}' % deep(100)
    else: result = '{"content":[{"type":"text","text":"done"}]}'
    print('{"jsonrpc":"2.0","id":%s,"result":%s}' % (json.dumps(asked['id']), result), flush=True)
"#;

#[test]
fn one_schema_that_is_too_deep_takes_no_tool_away() {
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
    let deep = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"deep","arguments":{"id":"x"}}}"#;
    let plain = r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"plain","arguments":{"id":1}}}"#;
    let none = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"plain","arguments":{}}}"#;
    let lines = [HELLO, ready, list, deep, plain, none];
    let (answers, log, _) = spoken(&["--", "python3", "-c", DEEP], &lines);
    let answer = |id: u64| {
        let mut answers = answers.iter();
        let answer = answers.find(|answer| answer["id"] == id);
        answer.unwrap_or_else(|| panic!("{id}: {log}"))
    };

    let tool = &answer(2)["result"]["tools"][0];
    let schema = &tool["inputSchema"];
    assert_eq!(schema["properties"]["id"]["type"], "integer", "{tool}");
    assert!(schema["properties"]["tree"]["properties"]["a"].is_object());
    let note = &tool["_meta"]["dev.breakfall/schema_cut"]["inputSchema"];
    let note = note.as_str().expect("a note");
    assert!(note.contains("303 levels") && note.contains("limits.depth"));
    assert_eq!(tool["x"], 1);
    let tools = answer(2)["result"]["tools"].as_array();
    assert_eq!(tools.map(Vec::len), Some(2));

    let called = &answer(3)["result"];
    let warning = &called["_meta"]["dev.breakfall/success"]["warnings"][0];
    assert_eq!(warning["code"], "ARGUMENTS_UNCHECKED", "{called}");
    assert!(
        warning["context"]["reason"]
            .to_string()
            .contains("limits.depth")
    );
    let lines = log.lines().filter(|line| line.contains("limits.depth"));
    assert_eq!(
        lines.filter(|line| line.contains("deep")).count(),
        1,
        "{log}"
    );

    let refused = &answer(4)["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(refused["code"], "INTERNAL_BAD_UPSTREAM", "{refused}");
    let message = refused["message"].as_str().expect("a message");
    assert!(
        message.contains("`limits.depth` of the gateway allows 128"),
        "{message}"
    );
    // The others are checked as ever.
    let missing = &answer(5)["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(missing["code"], "VALIDATION_MISSING_PARAM", "{missing}");
}

fn called(args: &[&str], tool: &str, arguments: &str) -> Value {
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    );
    let (answers, log, _) = spoken(&[&["--demo"], args].concat(), &[HELLO, &call]);
    let answer = answers.into_iter().find(|answer| answer["id"] == 2);
    assert!(answer.is_some(), "{log}");
    answer.unwrap_or_default()
}

#[test]
fn a_tool_that_says_it_only_reads_is_called_again_unless_hints_are_ignored() {
    let believed = called(&[], "flaky_stock", r#"{"sku":"mat-01"}"#);
    assert!(believed["result"]["isError"] != true, "{believed}");
    let believed = called(
        &["--hints", "believe"],
        "flaky_stock",
        r#"{"sku":"mat-01"}"#,
    );
    assert!(believed["result"]["isError"] != true, "{believed}");
    let ignored = called(&["--hints", "ignore"], "flaky_stock", r#"{"sku":"mat-01"}"#);
    let fault = &ignored["result"]["_meta"]["dev.breakfall/error"];
    assert_eq!(fault["code"], "UNAVAILABLE_TIMEOUT", "{ignored}");
    assert_eq!(fault["retry"]["retryable"], false, "{ignored}");
    assert_eq!(fault["details"]["executed"], "unknown", "{ignored}");
}

#[test]
fn what_is_taken_out_of_failures_is_an_option() {
    let told = |args: &[&str]| called(args, "leaky_lookup", "{}").to_string();
    let (full, secrets, off) = (
        told(&[]),
        told(&["--redact", "secrets"]),
        told(&["--redact", "off"]),
    );
    assert!(!full.contains("/srv/"), "{full}");
    assert!(full.contains("[redacted:"), "{full}");
    assert!(secrets.contains("/srv/"), "{secrets}");
    assert!(secrets.contains("[redacted:"), "{secrets}");
    assert!(off.contains("/srv/"), "{off}");
    assert!(!off.contains("[redacted:"), "{off}");
}
