//! Unusable input: a clear error, exit code 2, nothing on stdout.

use crate::{breakfall, convert, run};

/// Runs it and gives back the error, after checking what every error has in common.
fn refused(command: snapbox::cmd::Command) -> String {
    let output = run(command);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(output.stdout.is_empty(), "half-written output");
    assert!(error.starts_with("error: "), "{error}");
    error
}

fn convert_error(document: &str, from: &str) -> String {
    refused(convert(document, &["--from", from, "--to", "native"]))
}

const AQL: &str = r#"{"success":false,"error":{"code":"TOKEN_INVALID","message":"no"}}"#;

#[test]
fn malformed_json_is_told_by_line_and_column() {
    assert_eq!(
        convert_error("{\n  \"a\": 1,\n}", "auto"),
        "error: standard input, line 3, column 1: not JSON: trailing comma\n"
    );
    for empty in ["", " \n"] {
        assert_eq!(
            convert_error(empty, "auto"),
            "error: standard input is empty: expected a JSON document\n"
        );
    }
}

#[test]
fn several_messages_are_to_be_converted_one_at_a_time() {
    let hint = "  hint: convert one message at a time\n";
    for (documents, place) in [
        ("{} {}", "line 1, column 4"),
        ("{}\n{}\n", "line 2, column 1"),
    ] {
        assert_eq!(
            convert_error(documents, "mcp-aql"),
            format!(
                "error: standard input, {place}: more text after the end of the document\n{hint}"
            )
        );
    }
    let batch = r#"[{"jsonrpc":"2.0","id":1,"result":{"content":[]}}]"#;
    for from in ["auto", "mcp-error", "mcp-aql"] {
        assert_eq!(
            convert_error(batch, from),
            format!("error: standard input is a JSON-RPC batch: expected one message\n{hint}")
        );
    }
}

#[test]
fn a_number_out_of_range_is_still_json() {
    assert_eq!(
        convert_error(r#"{"a": 1e999}"#, "auto"),
        "error: standard input, line 1, column 11: \
         number out of range: beyond what 64 bits of floating point hold\n"
    );
}

#[test]
fn a_command_to_come_is_told_from_a_mistake() {
    let help = run(breakfall(&["--help"])).stdout;
    let help = String::from_utf8_lossy(&help);
    for command in ["check", "adapter", "approvals"] {
        for args in [&[command][..], &[command, "--", "server"]] {
            assert_eq!(
                refused(breakfall(args)),
                format!(
                    "error: breakfall {command} is planned, not in this version\n  \
                     hint: breakfall --help has the commands there are\n"
                )
            );
        }
        assert!(
            !help.contains(&format!("  {command}")),
            "{command} in {help}"
        );
    }
    assert!(refused(breakfall(&["sevre"])).contains("unrecognized subcommand 'sevre'"));
}

#[test]
fn bytes_that_are_not_utf_8_are_told_by_offset() {
    let command = breakfall(&["convert", "--to", "native"]).stdin(b"{\"a\": \"\xff\"}".to_vec());
    assert_eq!(
        refused(command),
        "error: standard input, byte 7: not UTF-8; send the document as UTF-8 text\n"
    );
}

#[test]
fn a_mark_of_utf_8_is_skipped() {
    let output = run(convert(&format!("\u{feff}{AQL}"), &["--to", "native"]));
    assert!(output.status.success());
}

#[test]
fn nesting_without_end_is_refused() {
    let (lists, objects) = (nested("[", "]"), nested("{\"a\":", "}"));
    assert_eq!(
        convert_error(&lists, "auto"),
        "error: standard input, line 1, column 128: nested deeper than 127 levels\n"
    );
    assert_eq!(
        convert_error(&objects, "mcp-aql"),
        "error: standard input, line 1, column 636: nested deeper than 127 levels\n"
    );
}

#[test]
fn the_deepest_input_is_as_deep_as_the_help_says() {
    let help = run(breakfall(&["convert", "--help"])).stdout;
    let help = String::from_utf8_lossy(&help).replace('\n', " ");
    let deepest = help.split_once("nested up to ").unwrap().1;
    let deepest: usize = deepest.split_once(" levels").unwrap().0.parse().unwrap();
    let objects = |depth: usize| format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
    let args = ["--from", "mcp-error", "--to", "native"];
    assert!(run(convert(&objects(deepest), &args)).status.success());
    let error = convert_error(&objects(deepest + 1), "mcp-error");
    assert!(
        error.contains(&format!("nested deeper than {deepest} levels")),
        "{error}"
    );
}

/// A document nested 100 000 deep.
fn nested(open: &str, close: &str) -> String {
    format!("{}1{}", open.repeat(100_000), close.repeat(100_000))
}

#[test]
fn nesting_inside_a_text_block_is_words() {
    let text = serde_json::Value::from(nested("[", "]"));
    let document = format!(r#"{{"isError":true,"content":[{{"type":"text","text":{text}}}]}}"#);
    assert!(
        run(convert(&document, &["--to", "mcp-aql"]))
            .status
            .success()
    );
    assert_eq!(
        convert_error(&document, "mcp-aql"),
        "error: standard input is a tool result, and no block of it is mcp-aql\n  \
         hint: convert it with --from auto\n"
    );
}

#[test]
fn an_input_over_the_cap_is_refused_and_one_at_the_cap_is_read() {
    let cap = 1 << 20;
    let padded = |size: usize| format!("{AQL}{}", " ".repeat(size - AQL.len()));
    assert_eq!(
        convert_error(&padded(cap + 1), "auto"),
        "error: standard input is larger than 1 MiB\n  hint: convert one message at a time\n"
    );
    assert!(
        run(convert(&padded(cap), &["--to", "native"]))
            .status
            .success()
    );
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_read_no_further_than_the_cap() {
    assert_eq!(
        refused(breakfall(&["convert", "--to", "native", "/dev/zero"])),
        "error: /dev/zero is larger than 1 MiB\n  hint: convert one message at a time\n"
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    assert_eq!(
        refused(breakfall(&[
            "convert",
            "--to",
            "native",
            "no/such/file.json"
        ])),
        "error: cannot read no/such/file.json: No such file or directory\n"
    );
    assert_eq!(
        refused(breakfall(&["convert", "--to", "native", "."])),
        "error: cannot read .: Is a directory\n"
    );
}

#[test]
fn a_document_of_another_format_is_told_apart() {
    let cases = [
        (
            "response-v2",
            "not valid response-v2: /error: expected a string, found an object",
        ),
        (
            "mcp-error",
            "not mcp-error: /recovery_actions: expected a list, beside /code and /message",
        ),
        (
            "error-model",
            "not valid error-model: /error/code: expected a number, found a string",
        ),
        (
            "problem",
            "not valid problem: no problem: expected type, title, status or detail",
        ),
    ];
    for (from, what) in cases {
        let hint = "it looks like mcp-aql: convert it with --from mcp-aql, or --from auto";
        let expected = format!("error: standard input is {what}\n  hint: {hint}\n");
        assert_eq!(convert_error(AQL, from), expected);
    }
    for from in ["native", "tool-error"] {
        assert!(
            convert_error(AQL, from).contains("it looks like mcp-aql"),
            "{from}"
        );
    }
}

#[test]
fn a_wrapped_document_of_another_format_is_told_apart() {
    let text = serde_json::Value::from(AQL);
    let result = format!(r#"{{"isError":true,"content":[{{"type":"text","text":{text}}}]}}"#);
    for from in [
        "native",
        "response-v2",
        "mcp-error",
        "error-model",
        "tool-error",
        "problem",
    ] {
        assert!(
            convert_error(&result, from).contains("it looks like mcp-aql"),
            "{from}"
        );
    }
    let rpc = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}"#;
    assert_eq!(
        convert_error(rpc, "mcp-aql"),
        "error: standard input is a JSON-RPC error, and nothing in it is mcp-aql\n  \
         hint: convert it with --from auto\n"
    );
}

#[test]
fn a_document_with_the_marks_of_a_format_and_a_mistake_is_not_guessed_at() {
    assert_eq!(
        convert_error(
            r#"{"success":true,"data":{},"error":"x","meta":{}}"#,
            "auto"
        ),
        "error: standard input is not valid response-v2: /error: a success has no error: expected null\n"
    );
    assert_eq!(
        convert_error(
            r#"{"content":[],"_meta":{"dev.breakfall/error":5}}"#,
            "auto"
        ),
        "error: standard input is not valid native: /_meta/dev.breakfall~1error: expected an object, found a number\n"
    );
}

#[test]
fn a_failure_that_breaks_its_own_format_is_not_made_the_best_of() {
    let text = serde_json::Value::from(r#"{"success":false,"error":{"code":7,"message":"no"}}"#);
    let result = format!(r#"{{"isError":true,"content":[{{"type":"text","text":{text}}}]}}"#);
    let response = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
    for document in [result, response] {
        let error = convert_error(&document, "mcp-aql");
        assert!(
            error.contains("is not valid mcp-aql: /error/code"),
            "{error}"
        );
    }
}

#[test]
fn input_without_an_outcome_is_refused() {
    assert_eq!(
        convert_error("[1]", "auto"),
        "error: standard input holds a list: expected an object\n  \
         hint: convert one message at a time\n"
    );
    assert_eq!(
        convert_error(r#"{"a":1}"#, "auto"),
        "error: standard input is in no known format\n  \
         hint: state it with --from: native, response-v2, mcp-error, error-model, tool-error, mcp-aql, problem\n"
    );
    assert_eq!(
        convert_error(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, "auto"),
        "error: standard input is a JSON-RPC request or notification\n  \
         hint: only a response has a result or an error to convert\n"
    );
}

#[test]
fn a_success_cannot_be_a_problem_or_a_json_rpc_error() {
    let success = r#"{"success":true,"data":{}}"#;
    assert_eq!(
        refused(convert(success, &["--to", "problem"])),
        "error: problem carries failures only and this is a success; use another dialect for it\n"
    );
    assert_eq!(
        refused(convert(success, &["--to", "native", "--as", "rpc-error"])),
        "error: a JSON-RPC error carries failures only, and this is a success\n  \
         hint: write it with --as tool-result\n"
    );
}

#[test]
fn an_unknown_format_lists_the_known_and_finds_the_nearest() {
    for args in [
        ["--to", "mcp-aq"].as_slice(),
        &["--to", "native", "--from", "mcp-aq"],
    ] {
        let error = refused(breakfall(&[&["convert"], args].concat()));
        assert!(error.contains("invalid value 'mcp-aq'"), "{error}");
        assert!(
            error.contains("response-v2, mcp-error, error-model, tool-error, mcp-aql"),
            "{error}"
        );
        assert!(
            error.contains("a similar value exists: 'mcp-aql'"),
            "{error}"
        );
    }
}

#[test]
fn wrong_usage_is_refused() {
    let cases: [&[&str]; 9] = [
        &["explain", "--list", "--status", "custom"],
        &["explain", "--nope"],
        &["explain"],
        &["explain", "--category", "validation"],
        &["explain", "--list", "--warnings", "--retryable"],
        &["convert"],
        &["convert", "--to", "native", "--timestamp", "yesterday"],
        &["convert", "--to", "native", "--correlation-id", "a b"],
        &["completions", "cmd"],
    ];
    for args in cases {
        refused(breakfall(args));
    }
}

#[test]
fn control_characters_in_an_argument_are_not_obeyed() {
    let command = breakfall(&["explain", "a\u{1b}[2Jb"]).env("CLICOLOR_FORCE", "1");
    let error = String::from_utf8(run(command).stderr).unwrap();
    assert!(
        error.contains(r"a\u{1b}[2Jb") && !error.contains("\u{1b}[2J"),
        "{error:?}"
    );
}

#[test]
fn options_that_mean_nothing_together_are_refused() {
    for (args, want) in [
        (
            &["run", "--timeout", "5s", "--max-timeout", "1s", "--demo"][..],
            "--max-timeout is shorter than --timeout",
        ),
        (
            &[
                "call",
                "--timeout",
                "5s",
                "--max-timeout",
                "1s",
                "--demo",
                "tour",
            ],
            "--max-timeout is shorter than --timeout",
        ),
        (
            &["run", "--restart-delay", "999d", "--demo"],
            "the longest is 30d",
        ),
        (
            &["run", "--stuck-after", "never", "--demo"],
            "expected a time",
        ),
        (
            &["run", "--demo", "--cwd", "/no"],
            "'--demo' cannot be used with '--cwd",
        ),
        (
            &["call", "--env", "A=b", "--demo", "tour"],
            "cannot be used with",
        ),
        (
            &["call", "-H", "A: b", "--", "server", "tool"],
            "--header is for servers with a URL",
        ),
        (
            &["call", "--cwd", "/", "http://127.0.0.1:1/mcp", "tool"],
            "--cwd is for servers that are started",
        ),
        (&["run", "-c", "-"], "standard input belongs to the client"),
        (
            &["serve", "-c", "-"],
            "standard input belongs to the client",
        ),
    ] {
        let output = run(breakfall(args));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(want), "{args:?}: {said}");
    }
    let days = run(breakfall(&["call", "--timeout", "2d", "--demo", "tour"]));
    assert_eq!(days.status.code(), Some(0), "{days:?}");
}
